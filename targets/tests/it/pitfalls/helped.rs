//! Tests of fixes and helps: each fix is applied, and each snippet of a help is inserted at its position in the spec.
mod applied;
mod common_mistakes;
mod kept;
mod meant;
mod offered;
mod pasted;
mod snippet;
mod together;

use crate::able;
use crate::pitfalls::judged::Judged;
use crate::pitfalls::{arms, on_all_cores};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::OnceLock;
use tfjob_lang::diagnostic::{Diagnostic, Fix};
use tfjob_targets::ALL;

/// Returns the fault of a fix, if any: the diagnostic stays, or the changed lines have a new finding.
pub fn fix_fault(judged: &Judged, finding: &Diagnostic, fix: &Fix, target: &str) -> Option<String> {
    let (text, lines) = judged.fixed(fix)?;
    let again = Judged::of(&text, target);
    let key = |d: &Diagnostic| (d.code.name, d.message.clone());
    let count = |judged: &Judged, wanted: &Diagnostic| {
        judged.findings.iter().filter(|d| key(d) == key(wanted)).count()
    };
    if count(again, finding) >= count(judged, finding) {
        return Some(format!("`{}` leaves {}: {}", fix.title, finding.code.name, finding.message));
    }
    let there = |d: &&Diagnostic| {
        let line = |range: Range<usize>| text[..range.start].matches('\n').count();
        again.place(d).is_some_and(|range| lines.contains(&line(range)))
    };
    // These warnings are about facts that the fault hid.
    let hidden = ["emulated-feature", "unused-declaration", "unshared-restart"];
    let mut new = again.findings.iter().filter(|d| !hidden.contains(&d.code.name)).filter(there);
    let new = new.find(|d| count(again, d) > count(judged, d))?;
    Some(format!("`{}` brings {}: {}", fix.title, new.code.name, new.message))
}

/// Returns all specs of the test data with their targets; specs of error pages of the language have an empty target.
fn all() -> &'static [(&'static str, String)] {
    static SPECS: OnceLock<Vec<(&str, String)>> = OnceLock::new();
    SPECS.get_or_init(|| {
        let of = |target: &'static str| arms::specs(target).into_iter().map(move |spec| (target, spec));
        let all = ALL.iter().flat_map(|target| of(target.name()));
        let all: BTreeSet<_> = all.chain(arms::pages().into_iter().map(|spec| ("", spec))).collect();
        all.into_iter().collect()
    })
}

/// Returns all faults that `fault` finds in the selected specs, sorted and without duplicates.
fn faults(fault: impl Fn(&Judged, &str) -> Vec<String> + Sync) -> Vec<String> {
    let tried: Vec<_> = all().iter().enumerate().filter(|(number, _)| able::tries(*number)).collect();
    let found = on_all_cores(&tried, |(_, (target, text))| fault(Judged::of(text, target), target));
    found.into_iter().flatten().collect::<BTreeSet<_>>().into_iter().collect()
}

#[test]
fn each_fix_mends_its_finding_and_makes_no_other() {
    let wrong = faults(|judged, target| {
        let fixes = judged.findings.iter().flat_map(|d| d.fixes.iter().map(move |fix| (d, fix)));
        fixes.filter_map(|(finding, fix)| fix_fault(judged, finding, fix, target)).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_snippet_of_a_help_is_no_worse_than_what_it_stands_for() {
    let wrong = faults(|judged, target| {
        judged.findings.iter().flat_map(|finding| snippet::faults(judged, finding, target)).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn edits_that_a_help_names_together_end_the_finding() {
    let wrong = faults(|judged, target| {
        let all = judged.findings.iter().filter(|_| !target.is_empty());
        all.filter_map(|finding| together::fault(judged, finding, target)).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_way_of_a_help_ends_its_error() {
    let wrong = faults(|judged, target| {
        // For specs of the language's error pages, the position of a snippet is uncertain, so they are skipped.
        let all = judged.findings.iter().filter(|_| !target.is_empty());
        all.filter_map(|finding| snippet::idle(judged, finding, target)).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_condition_of_a_way_is_met() {
    let met = on_all_cores(all(), |(target, text)| {
        let findings = &Judged::of(text, target).findings;
        findings.iter().flat_map(snippet::conditions).map(|pair| format!("{pair:?}")).collect::<Vec<_>>()
    });
    let met: BTreeSet<_> = met.into_iter().flatten().collect();
    let idle: Vec<_> =
        snippet::CONDITIONS.iter().filter(|pair| !met.contains(&format!("{pair:?}"))).collect();
    assert!(idle.is_empty(), "no help says it: {idle:#?}");
}

#[test]
fn no_way_of_a_help_leads_to_an_error_that_leads_back() {
    let wrong = faults(snippet::circles);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn helps_at_one_place_agree_and_name_nothing_that_is_not_there() {
    let wrong = faults(|judged, target| {
        let mut wrong = Vec::new();
        for (number, one) in judged.findings.iter().enumerate().filter(|(_, d)| d.is_error()) {
            let help = one.help.as_deref().unwrap_or_default();
            for word in snippet::removed(help) {
                if !judged.text.contains(word) {
                    wrong.push(format!("{target}: `{word}` is not there: {help}"));
                }
            }
            for other in judged.findings[number + 1..].iter().filter(|d| d.is_error()) {
                let same = one.span() == other.span()
                    && one.code == other.code
                    && one.labels[0].text == other.labels[0].text;
                if same && one.help.is_some() && other.help.is_some() && one.help != other.help {
                    wrong.push(format!(
                        "{target}: two helps: {help} | {}",
                        other.help.as_deref().unwrap_or_default()
                    ));
                }
            }
        }
        wrong
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a help offers as `checkpoints` is accepted by each target that prints the help.
#[test]
fn each_checkpoints_line_of_a_help_is_accepted_by_its_target() {
    let wrong = faults(|judged, target| {
        let all: Vec<&str> = ALL.iter().map(|target| target.name()).collect();
        let targets = if target.is_empty() { all } else { vec![target] };
        let of = |target: &&str| {
            let judged = Judged::of(&judged.text, target);
            judged
                .findings
                .iter()
                .flat_map(|d| snippet::refused_checkpoints(judged, d, target))
                .collect::<Vec<_>>()
        };
        targets.iter().flat_map(of).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// If several tasks need a checkpoint location, suggestions of helps lead to a valid spec on each target, not to each other.
#[test]
fn a_help_about_checkpoints_of_several_tasks_has_a_way_on_each_target() {
    let options = |target: &str| match target {
        "yarn" => "target \"yarn\" { hadoop \"3.3\"; dns-domain \"cluster\"; }",
        "spark" => "target \"spark\" { master \"yarn\"; }",
        _ => "",
    };
    for target in ALL.iter().filter(|target| !target.one_machine()) {
        let name = target.name();
        let (mut queue, mut ends) = (vec!["checkpoints \"file:///mnt/ckpt\" at=\"/ckpt\"".to_owned()], false);
        for _ in 0..4 {
            let mut next = Vec::new();
            for line in &queue {
                let text = format!(
                    "job \"a\" {{\nframework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\nimage \"a:1\"\n\
                     {line}\nrun \"a\" \"{{checkpoints}}\"\nresources cpus=1 memory=\"1GiB\"\nrole \"worker\" count=2\n{}\n}}",
                    options(name)
                );
                let judged = Judged::of(&text, name);
                ends |= judged.errors() == 0;
                for help in judged.findings.iter().filter(|d| d.is_error()).filter_map(|d| d.help.clone()) {
                    next.extend(
                        help.split('`').filter(|way| way.starts_with("checkpoints \"")).map(str::to_owned),
                    );
                    if help.contains("without `at`") || help.contains("remove `at`") {
                        next.push("checkpoints \"gs://BUCKET/PATH\"".to_owned());
                    }
                    assert!(
                        !help.contains("`file:///") || help.contains("`shared`"),
                        "{name}: {line}: {help}"
                    );
                }
            }
            queue = next;
        }
        assert!(ends, "{name}");
    }
}

/// The edit that replaces a credential by a secret leaves no error on the targets of the job; yarn supports no secret.
#[test]
fn each_target_accepts_the_secret_that_replaces_a_credential() {
    let mut without_edit = Vec::new();
    for target in ALL {
        let options = match target.name() {
            "yarn" => "{ hadoop \"3.3\"; }",
            "dcos" => "{ enterprise #true; }",
            "spark" => "{ master \"k8s://https://h:6443\"; spark \"3.5\"; upload \"s3a://b/t\"; }",
            _ => "",
        };
        let text = format!(
            "job \"a\" {{\nframework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\nimage \"a:1\"\n\
             run \"a\"\nresources cpus=1 memory=\"1GiB\"\nenv {{\n    A \"1\"\n    \
             AWS_SECRET_ACCESS_KEY \"wJalrXUtnFEMIK7MDENGbPxRfiCYzk3jdfkjs83j\"\n}}\nrole \"worker\" count=2\ntarget {:?} {options}\n}}\n",
            target.name()
        );
        let judged = Judged::of(&text, target.name());
        let of_value = |d: &&Diagnostic| d.code.name == "literal-secret";
        let found = judged.findings.iter().find(of_value).expect("the finding about the credential");
        let errors = |judged: &Judged| judged.findings.iter().filter(|d| d.is_error()).count();
        match found.fixes.first() {
            Some(fix) => {
                let (new, _) = judged.fixed(fix).expect("an edit of the spec");
                let again = Judged::of(&new, target.name());
                assert!(errors(again) <= errors(judged), "{new}\n{:#?}", again.findings);
                assert!(!again.findings.iter().any(|d| of_value(&d)), "{new}");
            }
            None => without_edit.push(target.name()),
        }
    }
    assert_eq!(without_edit, ["yarn"]);
}

/// Each use of a missing option is a label of the same finding.
#[test]
fn a_missing_option_is_one_finding() {
    let text = "job \"a\" {\nframework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\nimage \"a:1\"\n\
                run \"a\" \"{address}\"\nresources cpus=1 memory=\"1GiB\"\n\
                role \"worker\" count=2 { port \"web\" 8000 link=\"Web\"; }\ntarget \"yarn\" { hadoop \"3.3\"; }\n}\n";
    let judged = Judged::of(text, "yarn");
    let is_domain = |d: &&Diagnostic| d.labels[0].text.contains("`dns-domain`");
    let found: Vec<&Diagnostic> = judged.findings.iter().filter(is_domain).collect();
    let [found] = found.as_slice() else { panic!("{:#?}", judged.findings) };
    assert_eq!((found.labels.len(), found.fixes.len()), (4, 1), "{found:#?}");
    let (fixed, _) = judged.fixed(&found.fixes[0]).expect("an edit of the spec");
    assert_eq!(Judged::of(&fixed, "yarn").errors(), 0, "{fixed}");
}
