//! Support of a feature by the targets. Each target checks small specs that require little besides the feature.
use super::evidence::Evidence;
use crate::analysis::DRIVER;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use tfjob_driver::{Request, Target};
use tfjob_lang::requirement::Feature;
use tfjob_lang::shape::{Object, Shape};
use tfjob_lang::target::Verdict;
use tfjob_targets::specimens::{self, Specimen, text};

/// Targets that support a feature in the same way: the name of each target, and the forms of the feature for which this holds.
type Requests = Vec<(&'static str, Vec<&'static str>)>;

/// Returns the description of a feature, and its support by targets: one entry per way of support, with its targets and forms.
pub fn of_feature(feature: Feature) -> String {
    let forms = specimens::all().filter(|specimen| specimen.feature == feature.name()).count();
    let mut out = format!("Feature: {}\n\n", feature.doc());
    let answers = answers(feature);
    let counts = |text: &str| {
        let mut all = text.match_indices(" tasks");
        all.any(|(at, _)| text[..at].ends_with(|c: char| c.is_ascii_digit()))
    };
    let names =
        |text: &str| counts(text) || specimens::NAMES.iter().any(|name| text.contains(&format!("`{name}`")));
    if answers.iter().any(|answer| names(&answer.text) || answer.helps.keys().any(|help| names(help))) {
        let _ = writeln!(out, "Names and numbers below are those of {}.\n", specimens::SAMPLE);
    }
    for answer in answers {
        let _ = writeln!(out, "- {} {}{}", answer.kind, requests(&answer.requests, forms), answer.text);
        let one = answer.helps.len() == 1;
        for (help, forms) in &answer.helps {
            let of_forms = if one { String::new() } else { format!("for {}: ", list(forms)) };
            let _ = writeln!(out, "  - help: {of_forms}{help}");
        }
        if let Some(evidence) = answer.evidence {
            let _ = writeln!(out, "  - evidence: {evidence}");
        }
    }
    out
}

/// A way in which one or several targets support some forms of a feature, or the reason why they do not.
struct Answer {
    kind: &'static str,
    /// A colon and the reason; empty for native support.
    text: String,
    requests: Requests,
    /// The help texts of a refusal, each with the forms of the feature that it is for.
    helps: BTreeMap<String, Vec<&'static str>>,
    evidence: Option<String>,
}

/// Returns the distinct answers of all targets for a feature, from native support to refusals.
fn answers(feature: Feature) -> Vec<Answer> {
    let mut found: Vec<(Verdict, &'static str, Specimen)> = Vec::new();
    for target in tfjob_targets::ALL.iter().copied() {
        let own = specimens::all().filter(|specimen| specimen.feature == feature.name());
        found.extend(own.filter_map(|s| Some((support(target, &s)?, target.name(), s))));
    }
    found.sort_by_key(|(verdict, ..)| verdict.rank());
    let (mut answers, mut cited) = (Vec::<Answer>::new(), BTreeSet::new());
    for (verdict, target, specimen) in found {
        let (kind, reason) = described(&verdict);
        let text = reason.map_or_else(String::new, |reason| format!(": {reason}"));
        let at = answers.iter().position(|answer| answer.kind == kind && answer.text == text);
        let at = at.unwrap_or_else(|| {
            answers.push(Answer { kind, text, requests: Vec::new(), helps: BTreeMap::new(), evidence: None });
            answers.len() - 1
        });
        let answer = &mut answers[at];
        match answer.requests.last_mut().filter(|(name, _)| *name == target) {
            Some((_, forms)) => forms.push(specimen.words),
            None => answer.requests.push((target, vec![specimen.words])),
        }
        if let Verdict::Unsupported(refusal) = verdict {
            let forms = answer.helps.entry(refusal.help).or_default();
            if !forms.contains(&specimen.words) {
                forms.push(specimen.words);
            }
            let first = || evidence(refusal.evidence, cited.insert(refusal.evidence));
            answer.evidence.get_or_insert_with(first);
        }
    }
    answers
}

/// Returns the targets and forms, such as ``kubernetes (`tcp` or `http`), yarn``. The forms of a target are omitted if all have the
/// same answer.
fn requests(requests: &Requests, all: usize) -> String {
    let request = |(target, forms): &(&'static str, Vec<&'static str>)| match forms.len() == all {
        true => (*target).to_owned(),
        false => format!("{target} ({})", list(forms)),
    };
    requests.iter().map(request).collect::<Vec<_>>().join(", ")
}

/// Returns forms of a feature as a list with `or`.
fn list(forms: &[&'static str]) -> String {
    match forms {
        [first, last] => format!("{first} or {last}"),
        [first @ .., last] if !first.is_empty() => format!("{}, or {last}", first.join(", ")),
        _ => forms.concat(),
    }
}

/// Returns the shape of the `target` block in a job.
pub fn options(target: Target, shape: &'static Shape) -> Option<&'static Object> {
    shape.block(&[("job", None), ("target", Some(target.name()))])
}

/// Returns the description of a target: commands, unsupported features, and options.
pub fn of_target(target: Target, shape: &'static Shape) -> String {
    let name = target.name();
    let mut out = format!("Target: {}\n\n", target.about());
    let own = if target.one_machine() { "tfjob run JOB.tfjob.kdl\n" } else { "" };
    let _ = writeln!(
        out,
        "```\n{own}tfjob check --target {name} JOB.tfjob.kdl\ntfjob compile --target {name} JOB.tfjob.kdl\n```\n\n\
         If the job has a block `target \"{name}\"`, the commands use this target without `--target`.\n"
    );
    let refused = refused(target);
    if !refused.is_empty() {
        let names: Vec<_> = refused.iter().map(|name| format!("`{name}`")).collect();
        let first = refused.first().copied().unwrap_or_default();
        let _ = writeln!(
            out,
            "Not supported, at least in part: {}. For reasons and alternatives, run `tfjob explain FEATURE`, such as \
             `tfjob explain {first}`. For the support of one job, run `tfjob show --target {name} JOB.tfjob.kdl`.\n",
            names.join(", ")
        );
    }
    if let Some(block) = options(target, shape).filter(|block| !block.fields.is_empty()) {
        let _ = writeln!(out, "Options of `target \"{name}\" {{ … }}`:\n");
        for field in block.fields {
            let _ = writeln!(out, "- `{}`: {}", field.form(), field.brief());
        }
    }
    out
}

/// Returns the features with at least one form that the target does not support.
fn refused(target: Target) -> BTreeSet<&'static str> {
    let refuses = |feature: &&Feature| {
        let mut specimens = specimens::all().filter(|specimen| specimen.feature == feature.name());
        specimens.any(|s| matches!(support(target, &s), Some(Verdict::Unsupported(_))))
    };
    Feature::ALL.iter().filter(refuses).map(|feature| feature.name()).collect()
}

/// Returns the support of a target for a specimen.
fn support(target: Target, specimen: &Specimen) -> Option<Verdict> {
    let text = text(specimen, target.name());
    let analysis = DRIVER.analyze(&Request::new("specimen", &text));
    specimens::answer(specimen, &text, &target.check(analysis.plan.as_ref()?).verdicts)
}

/// Returns the evidence of a refusal: the path of the cited section, and the statement of the section only if it is cited for the
/// first time (`first`).
fn evidence(citation: &str, first: bool) -> String {
    match Evidence::of(citation) {
        Some(evidence) if first => format!("{}: {}", evidence.path, evidence.statement),
        Some(evidence) => evidence.path,
        None => citation.to_owned(),
    }
}

/// Returns the text in front of the names of targets, such as `native on`, and the reason if the support is not native.
fn described(verdict: &Verdict) -> (&'static str, Option<&str>) {
    match verdict {
        Verdict::Native => ("native on", None),
        Verdict::Emulated(how) => ("emulated on", Some(how)),
        Verdict::Ignored(why) => ("ignored on", Some(why)),
        Verdict::Unsupported(refusal) => ("unsupported on", Some(&refusal.why)),
    }
}
