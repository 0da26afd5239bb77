//! Fixes that `--fix` applies correct only how something is written: no role or target loses a requirement that it supported, and
//! no word of the user is replaced by an unrelated one.
use super::{Judged, faults};
use crate::pitfalls::analyzed;
use std::collections::BTreeSet;
use std::ops::Range;
use tfjob_lang::diagnostic::{Diagnostic, Fix, nearest};
use tfjob_lang::target::Verdict;
use tfjob_targets::ALL;

/// A requirement of a job that a target supports.
#[derive(Debug)]
struct Accepted {
    target: &'static str,
    /// Requirement with its values, without source positions.
    requirement: String,
    /// Kind of the requirement, and its role.
    kind: String,
    at: Range<usize>,
}

/// Returns all requirements of a spec that targets support.
fn accepted(text: &str) -> Vec<Accepted> {
    let analysis = analyzed(text);
    let Some(plan) = &analysis.plan else { return Vec::new() };
    let mut all = Vec::new();
    for target in ALL {
        for (required, (_, _, verdict)) in plan.requirements.iter().zip(analysis.check(*target).verdicts) {
            let source = analysis.sources.find(required.at);
            // A default may be replaced by a value that the user wrote.
            let taken = required.default || matches!(verdict, Verdict::Unsupported(_));
            let Some(source) = source.filter(|_| !taken) else { continue };
            let requirement = without_places(&format!("{:?}", required.requirement));
            let name = requirement.split([' ', '(', '{']).next().unwrap_or_default();
            let role = requirement
                .split_once("role: ")
                .map_or("", |(_, rest)| rest.split([',', ' ']).next().unwrap_or(""));
            let kind = format!("{name} of {role}");
            all.push(Accepted { target: target.name(), kind, requirement, at: source.local(required.at) });
        }
    }
    all
}

/// Returns debug output without the numbers of spans.
fn without_places(debug: &str) -> String {
    let mut parts = debug.split("Span { ");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(part.split_once('}').map_or("", |(_, rest)| rest));
    }
    out
}

/// Returns the supported requirements that an automatic fix removes from the job.
fn losses(judged: &Judged, finding: &Diagnostic, fix: &Fix) -> Vec<String> {
    let Some((text, _)) = judged.fixed(fix) else { return Vec::new() };
    // A number that is written in another way is still the same number, also where it is referenced.
    if finding.code.name == "bad-number" {
        return Vec::new();
    }
    // If the language cannot read a value, it uses a placeholder in its place.
    let unread: Vec<Range<usize>> = (analyzed(&judged.text).diagnostics.iter())
        .filter(|d| d.is_error() && d.span() == finding.span())
        .filter_map(|d| judged.place(d))
        .collect();
    let placeholder =
        |at: &Range<usize>| unread.iter().any(|place| place.start <= at.start && at.end <= place.end);
    let edited: Vec<Range<usize>> = fix.edits.iter().filter_map(|edit| judged.range(edit.span)).collect();
    let after = accepted(&text);
    let touched = |at: &Range<usize>| edited.iter().any(|edit| edit.start <= at.end && at.start <= edit.end);
    let before = accepted(&judged.text).into_iter().filter(|before| !placeholder(&before.at));
    let lost = before.filter(|before| {
        let same = |other: &&Accepted| other.target == before.target && other.kind == before.kind;
        let mut others = after.iter().filter(same);
        if touched(&before.at) {
            others.next().is_none()
        } else {
            !others.any(|other| other.requirement == before.requirement)
        }
    });
    lost.map(|lost| {
        format!("{}: `{}` takes from {}: {}", finding.code.name, fix.title, lost.target, lost.requirement)
    })
    .collect()
}

fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    parts.map(str::to_lowercase).collect()
}

/// Returns a message if an automatic fix replaces a word by one that is not a spelling of it. Skips diagnostics about amounts and
/// literals, which have other spellings.
fn replaced(judged: &Judged, finding: &Diagnostic, fix: &Fix) -> Option<String> {
    let old: Vec<&str> =
        fix.edits.iter().filter_map(|edit| Some(&judged.text[judged.range(edit.span)?])).collect();
    let new: String = fix.edits.iter().map(|edit| format!("{} ", edit.text)).collect();
    let (old, new) = (words(&old.join(" ")), words(&new));
    let marks = ["kdl-version-1", "type-annotation"];
    let literals = ["wrong-type", "bad-value", "bad-number", "bare-keyword"];
    if literals.iter().chain(&marks).any(|name| *name == finding.code.name) {
        return None;
    }
    let joined = new.concat();
    let lost = |word: &&String| {
        !joined.contains(word.as_str()) && !new.iter().any(|new| nearest(word, [new.as_str()]).is_some())
    };
    let lost = old.iter().find(lost)?;
    Some(format!("{}: `{}` replaces `{lost}`", finding.code.name, fix.title))
}

/// Returns all automatic fixes of the diagnostics.
pub(super) fn automatic(judged: &Judged) -> impl Iterator<Item = (&Diagnostic, &Fix)> {
    let all = judged.findings.iter().filter(|d| d.fixes.len() == 1);
    all.flat_map(|d| d.fixes.iter().map(move |fix| (d, fix))).filter(|(_, fix)| fix.is_automatic())
}

#[test]
fn an_automatic_fix_takes_nothing_that_was_accepted() {
    let wrong = faults(|judged, _| {
        automatic(judged).flat_map(|(finding, fix)| losses(judged, finding, fix)).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_automatic_fix_replaces_no_word_by_another() {
    let wrong = faults(|judged, _| {
        automatic(judged).filter_map(|(finding, fix)| replaced(judged, finding, fix)).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Common mistakes that can be fixed in several ways, so no fix may be applied automatically.
const CHOICES: [&str; 12] = [
    "tensorboard \"logs\"",
    "tensorboard \"team/logs\"",
    "script \"train.py\"",
    "run \"bash\" \"-c\" \"echo to ${OUT}/model\"",
    "run \"bash\" \"-c\" \"echo ${data.train}\"",
    "run \"awk\" \"$NF > 3\" \"f\"",
    "run \"ssh\" \"h\" \"echo $HOME\"",
    "run \"python train.py --files *.rec\"",
    "run \"LR=1 python train.py\"",
    "target \"yarn\" { hadoop \"2.7\" }",
    "target \"mesos\" { }",
    "retries 3",
];

#[test]
fn a_choice_is_a_suggestion() {
    for line in CHOICES {
        let run = if line.starts_with("run") || line.starts_with("script") {
            ""
        } else {
            "\n    run \"python\" \"a.py\""
        };
        let text = format!(
            "job \"a\" {{\n    framework \"tensorflow\" version=\"2.15\"\n    image \"ml/a:1\"\n    \
             data \"train\" \"hdfs://default/train\" at=\"/train\"\n    \
             checkpoints \"hdfs://default/c\"{run}\n    {line}\n    role \"worker\" {{\n        \
             resources cpus=1 memory=\"1GiB\"\n    }}\n}}\n"
        );
        let mut told = BTreeSet::new();
        for target in ALL.iter().map(|target| target.name()).chain([""]) {
            let judged = Judged::of(&text, target);
            told.extend(automatic(judged).map(|(d, fix)| format!("{}: {}", d.code.name, fix.title)));
            let there = |d: &Diagnostic| {
                judged.place(d).is_some_and(|at| {
                    judged.text[..at.start].matches('\n').count()
                        == text[..text.find(line).unwrap_or(0)].matches('\n').count()
                })
            };
            assert!(
                target != "yarn" || judged.findings.iter().any(there),
                "{line}: nothing is told\n{:#?}",
                judged.findings
            );
        }
        assert!(told.is_empty(), "{line}: {told:?}");
    }
}
