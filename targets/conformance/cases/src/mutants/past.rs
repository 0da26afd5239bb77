//! Mutants after the gate: a refused mutant without its refused parts, so that the engine judges the rest. Features that
//! `allow` can accept are allowed; for other findings, the values that they point at are removed.
use crate::specs;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use tfjob_lang::analysis::Analysis;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::requirement::Feature;
use tfjob_lang::sources::{Format, Span};
use tfjob_lang::target::{AnyTarget, Compiled, Verdict};
use tfjob_lang::tree::{Tree, Value};
use tfjob_targets::codes::HOSTNAME_TOO_LONG;

/// Maximum number of removals.
const ROUNDS: usize = 24;

/// The shortest name of a job.
const LETTER: &str = "j";

/// A mutant without its refused parts.
pub struct Past {
    /// The document.
    pub document: Json,
    /// The changes: `allow X`, `without a.b`.
    pub given_up: Vec<String>,
}

/// A key of an object, or an index of a list.
#[derive(Clone)]
enum Step {
    Key(String),
    Place(usize),
}

/// Returns the document without the parts that the target refuses, if the language still accepts it; `None` if the language
/// does not, or if nothing is refused.
pub fn the_gate(document: &Json, analysis: &Analysis, target: &dyn AnyTarget) -> Option<Past> {
    if !analysis.accepted() || analysis.compile(target).lowered.is_some() {
        return None;
    }
    let mut past = Past { document: document.clone(), given_up: Vec::new() };
    let mut allowed = BTreeSet::new();
    for _ in 0..ROUNDS {
        let analysis = read(&past.document);
        let compiled = analysis.compile(target);
        if compiled.lowered.is_some() {
            break;
        }
        let new = borne(&compiled).difference(&allowed).copied().collect::<BTreeSet<_>>();
        if !new.is_empty() {
            past.allow(&new, target.name());
            allowed.extend(new);
        } else if !past.leave_out(&analysis, &compiled) && !past.shorten(&compiled) {
            break;
        }
    }
    Some(past)
}

/// Returns the refused features that `allow` can accept.
fn borne(compiled: &Compiled) -> BTreeSet<&'static str> {
    let of = |(feature, _, verdict): &(Feature, Span, Verdict)| match verdict {
        Verdict::Unsupported(refusal) if refusal.allowable && *feature != Feature::Code => {
            Some(feature.name())
        }
        Verdict::Unsupported(_) | Verdict::Native | Verdict::Emulated(_) | Verdict::Ignored(_) => None,
    };
    compiled.verdicts.iter().filter_map(of).collect()
}

impl Past {
    fn allow(&mut self, features: &BTreeSet<&'static str>, target: &str) {
        let Some(job) = self.document.pointer_mut("/job").and_then(Json::as_object_mut) else { return };
        let Some(all) = job.entry("allow").or_insert_with(|| json!([])).as_array_mut() else { return };
        let allow = |feature: &&str| json!({ "feature": feature, "on": target, "because": "asked" });
        all.extend(features.iter().map(allow));
        self.given_up.extend(features.iter().map(|feature| format!("allow {feature}")));
    }

    /// Shortens the name of the job to one letter if names are too long together. Returns whether that changes it.
    fn shorten(&mut self, compiled: &Compiled) -> bool {
        let long = compiled.diagnostics.iter().any(|d| d.code == &HOSTNAME_TOO_LONG);
        let name = self.document.pointer_mut("/job/name").filter(|name| long && **name != json!(LETTER));
        let Some(name) = name else { return false };
        *name = json!(LETTER);
        self.given_up.push("without the rest of its name".to_owned());
        true
    }

    /// Removes the value of one error, or as much around it as the language needs to accept the rest. Returns whether that succeeds.
    fn leave_out(&mut self, analysis: &Analysis, compiled: &Compiled) -> bool {
        for error in compiled.diagnostics.iter().filter(|d| d.is_error()) {
            let mut steps = at(&analysis.tree, error);
            while optional(&steps) {
                let mut document = self.document.clone();
                if remove(&mut document, &steps) && read(&document).accepted() {
                    self.document = document;
                    self.given_up.push(format!("without {}", words(&steps)));
                    return true;
                }
                steps.pop();
            }
        }
        false
    }
}

fn read(document: &Json) -> Analysis {
    specs::analyzed("past.tfjob.json", &format!("{document:#}"), Format::Json)
}

/// Returns the keys down to the innermost value that contains the span of an error.
fn at(tree: &Tree, error: &Diagnostic) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut here = tree;
    loop {
        let next = match &here.value {
            Value::Map(entries) => entries
                .iter()
                .find(|entry| entry.key_span.to(entry.tree.span).contains(error.span()))
                .map(|entry| (Step::Key(entry.key.clone()), &entry.tree)),
            Value::List(items) => items
                .iter()
                .enumerate()
                .find(|(_, item)| item.span.contains(error.span()))
                .map(|(place, item)| (Step::Place(place), item)),
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) | Value::Hole => {
                None
            }
        };
        let Some((step, inner)) = next else { return steps };
        steps.push(step);
        here = inner;
    }
}

/// Whether a part may be removed: not the name, the framework, or a role.
fn optional(steps: &[Step]) -> bool {
    let key = |place: usize| match steps.get(place) {
        Some(Step::Key(key)) => key.as_str(),
        Some(Step::Place(_)) | None => "",
    };
    match key(1) {
        "" | "name" | "framework" => false,
        "role" => steps.len() > 3,
        _ => true,
    }
}

fn remove(document: &mut Json, steps: &[Step]) -> bool {
    let Some((last, above)) = steps.split_last() else { return false };
    let mut here = document;
    for step in above {
        let next = match step {
            Step::Key(key) => here.get_mut(key),
            Step::Place(place) => here.get_mut(place),
        };
        let Some(next) = next else { return false };
        here = next;
    }
    match last {
        Step::Key(key) => here.as_object_mut().and_then(|map| map.shift_remove(key)).is_some(),
        Step::Place(place) => {
            let list = here.as_array_mut().filter(|list| *place < list.len());
            list.map(|list| list.remove(*place)).is_some()
        }
    }
}

fn words(steps: &[Step]) -> String {
    let word = |step: &Step| match step {
        Step::Key(key) => key.clone(),
        Step::Place(place) => place.to_string(),
    };
    steps.iter().map(word).collect::<Vec<_>>().join(".")
}
