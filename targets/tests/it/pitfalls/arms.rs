//! Each sentence in the sources of the targets is printed for at least one spec: a branch that no spec reaches is not tested, and
//! its text may be wrong.
mod causes;
mod dcos;
mod heard;
mod kubernetes;
mod local;
mod package;
#[path = "../../../../tests/shared/page.rs"]
mod page;
mod sentences;
mod spark;
mod yarn;

use crate::pitfalls::judged::Judged;
use crate::pitfalls::{Pitfall, analyzed, on_all_cores};
use crate::request::{analyze, request};
use heard::Heard;
use sentences::Sentence;
use std::collections::BTreeSet;
use std::path::Path;
use tfjob_lang::requirement::{Job, Requirement};
use tfjob_lang::target::AnyTarget;
use tfjob_targets::{ALL, specimens};

/// Part of a text, and the spec for which tfjob prints this text.
type Arm = (&'static str, String);

/// Returns specs for the branches that no example, pitfall, or error page reaches.
fn arms(target: &str) -> Vec<Arm> {
    let arms = match target {
        "dcos" => [
            dcos::arms(),
            dcos::options(),
            dcos::patches(),
            package::lacking(),
            package::missing(),
            package::narrow(),
            package::measured(),
            package::options(),
        ]
        .concat(),
        "yarn" => [yarn::arms(), yarn::options(), crate::pitfalls::yarn::undone::arms()].concat(),
        "kubernetes" => [
            kubernetes::arms(),
            kubernetes::options_of_block(),
            kubernetes::merged(),
            kubernetes::references(),
            kubernetes::secured(),
            crate::pitfalls::kubernetes::undone::arms(),
        ]
        .concat(),
        "spark" => {
            [spark::tasks(), spark::places(), spark::options(), spark::java(), spark::settings()].concat()
        }
        "local" => local::arms(),
        _ => Vec::new(),
    };
    [arms, causes::causes(target)].concat()
}

fn pitfalls(target: &str) -> Vec<Pitfall> {
    match target {
        "yarn" => crate::pitfalls::yarn::pitfalls(),
        "kubernetes" => crate::pitfalls::kubernetes::pitfalls(),
        "dcos" => crate::pitfalls::dcos::pitfalls(),
        "spark" => crate::pitfalls::spark::pitfalls(),
        "local" => crate::pitfalls::local::pitfalls(),
        _ => Vec::new(),
    }
}

/// Returns the content of all files below a directory whose names have this end.
fn texts(folder: &str, end: &str) -> Vec<String> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is there").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(end) {
                found.push(std::fs::read_to_string(path).expect("readable"));
            }
        }
    }
    found
}

/// Returns the specs of error pages that belong to no target.
pub fn pages() -> Vec<String> {
    let pages = [texts("errors", ".md"), texts("../compiler/lang/errors", ".md")].concat();
    let blocks = pages.iter().flat_map(|page| page::blocks(page).expect("a page that is read"));
    let own = |block: &page::Block| block.name == page::MAIN && block.target.is_none();
    blocks.filter(own).map(|block| block.text).collect()
}

/// Returns all specs of the test data for one target.
pub fn specs(target: &str) -> Vec<String> {
    let mut specs = [texts("../examples", ".tfjob.kdl"), texts("tests/specs", ".tfjob.kdl")].concat();
    specs.extend(specimens::all().map(|specimen| specimens::text(&specimen, target)));
    specs.extend(pitfalls(target).into_iter().flat_map(|pitfall| [pitfall.falls, pitfall.neighbour]));
    for page in [texts("errors", ".md"), texts("../compiler/lang/errors", ".md")].concat() {
        let blocks = page::blocks(&page).expect("a page that is read");
        let own = |block: &page::Block| block.name == page::MAIN && block.target.as_deref() == Some(target);
        specs.extend(blocks.into_iter().filter(own).map(|block| block.text));
    }
    specs.extend(arms(target).into_iter().map(|(_, spec)| spec));
    specs
}

/// Returns the texts about cluster files that set every field, with each block on which the support of fields depends, and about a
/// job that names no queue of the cluster.
fn clusters(target: &str) -> Vec<String> {
    let blocks: &[&str] = match target {
        "dcos" => &["", "dcos { as \"package\"; }"],
        "spark" => &["", "spark { master \"k8s://h:6443\"; }", "spark { master \"spark://h:7077\"; }"],
        "kubernetes" => &["", "kubernetes { gang \"volcano\"; }"],
        _ => &[""],
    };
    let cluster = |words: &str| {
        let text = format!(
            "cluster \"c\" target=\"{target}\" {{\nnodes \"n\" count=1 cpus=1 memory=\"1GiB\"\nqueue \"q\"\n{words}\n}}\n"
        );
        crate::request::cluster(&text)
    };
    let every = "nodes \"p\" count=1 cpus=1 memory=\"1GiB\" partition=\"p\"; registry \"r\"; dns-domain \"a.b\"; \
         shared \"file:///s\"; grace \"1s\"; memory-step \"1GiB\"";
    let job = "job \"x\" {\nframework \"tensorflow\"\nimage \"r/x:1\"\n\
         role \"worker\" { run \"/a\"; resources cpus=1 memory=\"1MiB\"; }\n}\n";
    let found = blocks.iter().flat_map(|block| {
        let of_file = cluster(&format!("{every}\n{block}")).diagnostics;
        let known = cluster(block);
        [of_file, analyze(&request(job).cluster(Some(&known))).diagnostics].concat()
    });
    found.flat_map(|found| [found.message, found.help.unwrap_or_default()]).collect()
}

/// Returns answers of platforms that no job can be compared with.
fn answers() -> impl Iterator<Item = serde_json::Value> {
    [
        serde_json::json!({"kind": "Status"}),
        serde_json::json!({"items": [], "metadata": {"continue": "x"}}),
        serde_json::json!({"RemoteException": {"message": "no"}}),
        serde_json::json!({"message": "no"}),
        serde_json::json!({"name": "a", "state": "STOPPED", "components": []}),
    ]
    .into_iter()
}

fn heard(target: &'static dyn AnyTarget) -> Heard {
    let mut heard = Heard::default();
    heard.0.insert(target.about().to_owned());
    // Texts about pasted documents are tested in `helped/pasted.rs`.
    let pasted = target.pasted().iter();
    heard.0.extend(
        pasted.flat_map(|p| p.fields.iter().map(|(_, ours)| *ours).chain([p.what])).map(str::to_owned),
    );
    heard.0.extend(clusters(target.name()));
    // `tfjob diff` prints the reasons of updates, and docs/updates.md lists them.
    heard.0.extend(target.updates().rules.iter().map(|rule| rule.reason.to_owned()));
    heard.0.extend(
        target
            .updates()
            .tools
            .iter()
            .chain(target.updates().staying.map(|staying| staying.rule))
            .flat_map(|rule| rule.action.into_iter().chain([rule.reason]))
            .map(str::to_owned),
    );
    heard.0.extend(target.updates().removed.map(|rule| rule.reason.to_owned()));
    heard.0.insert(target.updates().evidence.to_owned());
    heard.0.extend(answers().filter_map(|answer| (target.updates().reported)(&answer).err()));
    let lifetime = |seconds: u32| serde_json::json!({ "lifetime": seconds });
    heard.0.extend((target.updates().unreported)(&lifetime(1), &lifetime(2)));
    let specs: Vec<_> = BTreeSet::from_iter(specs(target.name())).into_iter().collect();
    let all = on_all_cores(&specs, |spec| {
        let mut heard = Heard::default();
        let analysis = analyzed(spec);
        let compiled = analysis.compile(target);
        let findings = [analysis.diagnostics.as_slice(), &compiled.diagnostics].concat();
        let written = compiled.lowered.is_some();
        if let Some(plan) = analysis.plan.as_ref().filter(|_| analysis.accepted()) {
            heard.listen(&analysis, compiled, target);
            // The support table also checks `patch` on targets whose block has no `patch` field.
            let patch = Requirement::Job(Job::Patch {
                target: target.name().to_owned(),
                role: None,
                text: String::new(),
            });
            heard.verdict(target.verdict(&patch, plan));
        }
        Judged::keep(target.name(), spec, analysis, findings, written);
        heard
    });
    heard.0.extend(all.into_iter().flat_map(|heard| heard.0));
    heard
}

/// Returns the sentence as in the source, with `…` for each placeholder.
fn words(sentence: &Sentence) -> String {
    sentence.pieces.join("…")
}

#[test]
fn every_sentence_is_said_to_some_spec() {
    let texts = |target: &&'static dyn AnyTarget| {
        // Most sentences are in short texts, so artifacts are searched last.
        let mut texts: Vec<String> = heard(*target).0.into_iter().collect();
        texts.sort_by_key(String::len);
        (target.name(), texts)
    };
    let all: Vec<_> = ALL.iter().map(texts).collect();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let sentences = sentences::below(&sources).expect("readable");
    let shared = |sentence: &Sentence| !all.iter().any(|(name, _)| sentence.is_of(name));
    let said = |sentence: &Sentence| {
        let mut own = all.iter().filter(|(name, _)| sentence.is_of(name) || shared(sentence));
        own.any(|(_, texts)| sentence.stands_in_one_of(texts))
    };
    let told = |s: &Sentence| format!("targets/src/{}:{}: {}", s.file, s.line, words(s));
    let unmet = on_all_cores(&sentences, |s| (!said(s)).then(|| told(s)));
    let unmet: Vec<_> = unmet.into_iter().flatten().collect();
    assert!(sentences.len() > 1000, "the sources are not read");
    assert!(unmet.is_empty(), "no spec is told:\n{}", unmet.join("\n"));
}

#[test]
fn each_arm_is_met_by_its_spec() {
    let mut wrong = Vec::new();
    for target in ALL {
        for (says, spec) in arms(target.name()) {
            let analysis = analyzed(&spec);
            let mut heard = Heard::default();
            heard.listen(&analysis, analysis.compile(*target), *target);
            let errors: Vec<_> = analysis.diagnostics.iter().filter(|d| d.is_error()).collect();
            if !errors.is_empty() || !heard.0.iter().any(|text| text.contains(says)) {
                let errors: Vec<_> = errors.iter().map(|d| &d.message).collect();
                let heard: Vec<_> =
                    heard.0.iter().filter(|text| (12..200).contains(&text.len())).take(30).collect();
                wrong.push(format!("{}: {says}\n{spec}\n{errors:#?}\n{heard:#?}", target.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn sentences_are_read_as_rust_reads_them() {
    let source = r##"
        #[expect(dead_code, reason = "not for a user")]
        // "not in a comment"
        fn f<'a>(c: char) -> String {
            let one = if c == '"' || c == '\'' { "a plain \"text\" \
                over lines" } else { r#"a "raw" one"# };
            x.expect("not for a user either");
            format!("{one} of {{two}} {}", "oneword")
        }
    "##;
    let found = sentences::of("f.rs", source);
    let words: Vec<_> = found.iter().map(|sentence| (sentence.line, words(sentence))).collect();
    let wanted = [(5, "a plain \"text\" over lines"), (6, "a \"raw\" one"), (8, "… of {two} …")]
        .map(|(n, s)| (n, s.to_owned()));
    assert_eq!(words, wanted);
    assert!(found[2].stands_in("none of {two} at all") && !found[2].stands_in("{two} of none"));
}
