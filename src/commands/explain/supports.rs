//! What the targets do with a feature: each is asked about small specs that ask for little else.
use super::evidence::Evidence;
use crate::analysis::DRIVER;
use std::collections::BTreeSet;
use std::fmt::Write;
use tfjob_driver::{Request, Target};
use tfjob_lang::requirement::Feature;
use tfjob_lang::shape::{Object, Shape};
use tfjob_lang::target::Verdict;
use tfjob_targets::specimens::{self, Specimen, text};

/// What the feature is, and each target's answer to each way of asking.
pub fn of_feature(feature: Feature) -> String {
    let mut out = format!("The feature: {}\n\n", feature.doc());
    let mut cited = BTreeSet::new();
    for target in tfjob_targets::ALL.iter().copied() {
        for specimen in specimens::all().filter(|specimen| specimen.feature == feature.name()) {
            let words =
                if specimen.words.is_empty() { String::new() } else { format!(", {}", specimen.words) };
            if let Some(verdict) = support(target, &specimen, feature) {
                let _ = writeln!(out, "- {}{words}: {}", target.name(), told(&verdict));
                if let Verdict::Unsupported(refusal) = verdict {
                    let _ = writeln!(
                        out,
                        "  - evidence: {}",
                        evidence(refusal.evidence, cited.insert(refusal.evidence))
                    );
                }
            }
        }
    }
    out
}

/// The words of the target's block in a job.
pub fn options(target: Target, shape: &'static Shape) -> Option<&'static Object> {
    shape.block(&[("job", None), ("target", Some(target.name()))])
}

/// What the target is, how a job comes to it, what it refuses, and its own words.
pub fn of_target(target: Target, shape: &'static Shape) -> String {
    let name = target.name();
    let mut out = format!("The target: {}\n\n", target.about());
    let own = if target.one_machine() { "tfjob run JOB.tfjob.kdl\n" } else { "" };
    let _ = writeln!(
        out,
        "```\n{own}tfjob check --target {name} JOB.tfjob.kdl\ntfjob compile --target {name} JOB.tfjob.kdl\n```\n\n\
         Or the job itself names it, `target \"{name}\"`, and commands ask it without the flag.\n"
    );
    let refused = refused(target);
    if !refused.is_empty() {
        let names: Vec<_> = refused.iter().map(|name| format!("`{name}`")).collect();
        let first = refused.first().copied().unwrap_or_default();
        let _ = writeln!(
            out,
            "Refused, at least in part: {}. Why, and what to write instead: `tfjob explain {first}`. What one job gets: \
             `tfjob show --target {name} JOB.tfjob.kdl`.\n",
            names.join(", ")
        );
    }
    if let Some(block) = options(target, shape).filter(|block| !block.fields.is_empty()) {
        let _ = writeln!(out, "Its own words, in `target \"{name}\" {{ … }}`:\n");
        for field in block.fields {
            let _ = writeln!(out, "- `{}`: {}", field.form(), field.brief());
        }
    }
    out
}

/// The features of which it refuses some way of asking.
fn refused(target: Target) -> BTreeSet<&'static str> {
    let refuses = |feature: &&Feature| {
        let mut specimens = specimens::all().filter(|specimen| specimen.feature == feature.name());
        specimens.any(|s| matches!(support(target, &s, **feature), Some(Verdict::Unsupported(_))))
    };
    Feature::ALL.iter().filter(refuses).map(|feature| feature.name()).collect()
}

/// The worst answer to the feature: other roles of the specimen may ask for it too.
fn support(target: Target, specimen: &Specimen, feature: Feature) -> Option<Verdict> {
    let text = text(specimen, target.name());
    let analysis = DRIVER.analyze(&Request::new("specimen", &text));
    let verdicts = target.check(analysis.plan.as_ref()?).verdicts;
    verdicts
        .into_iter()
        .filter(|(required, _, _)| *required == feature)
        .map(|(_, _, v)| v)
        .max_by_key(badness)
}

/// Where a refusal is shown to be right. The statement stands only where the section is cited `first`.
fn evidence(citation: &str, first: bool) -> String {
    match Evidence::of(citation) {
        Some(evidence) if first => format!("{}: {}", evidence.path, evidence.statement),
        Some(evidence) => evidence.path,
        None => citation.to_owned(),
    }
}

const fn badness(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Native => 0,
        Verdict::Emulated(_) => 1,
        Verdict::Ignored(_) => 2,
        Verdict::Unsupported(_) => 3,
    }
}

fn told(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Native => "its own means".to_owned(),
        Verdict::Emulated(how) => format!("by other means: {how}"),
        Verdict::Ignored(why) => format!("left out: it {why}"),
        Verdict::Unsupported(refusal) => format!("refused: it {}; {}", refusal.why, refusal.help),
    }
}
