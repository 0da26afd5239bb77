//! Mutants: examples with several changed values, half of them meant to be valid. They depend only on a seed.
mod arms;
mod never;
mod past;
mod random;
mod site;
mod text;
mod value;

use crate::case::Case;
use crate::specs;
use arms::Arms;
use past::Past;
pub use random::Random;
use serde_json::{Map, Value as Json, json};
use site::Site;
use std::collections::BTreeMap;
use std::path::Path;
pub use text::HOSTILE;
use tfjob_lang::analysis::Analysis;
use tfjob_lang::codes::UNSUPPORTED_FEATURE;
use tfjob_lang::requirement::Feature;
use tfjob_lang::sources::Format;
use tfjob_lang::target::{AnyTarget, Verdict};
use tfjob_lang::tree::{Tree, Value};

/// Maximum number of attempts for a mutant that is meant to be valid and that the language refuses.
const TRIES: usize = 200;

/// Purpose of a mutant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meant {
    /// A realistic job, meant to be valid.
    Valid,
    /// Unusual, long, and hostile values that the language accepts.
    Odd,
    /// At least one value that the language refuses.
    Wrong,
}

impl Meant {
    /// Every second mutant is meant to be valid.
    const fn of(number: usize) -> Self {
        match number % 4 {
            0 | 2 => Self::Valid,
            1 => Self::Odd,
            _ => Self::Wrong,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Odd => "odd",
            Self::Wrong => "wrong",
        }
    }
}

/// An example that a target accepts, in the JSON format of the language.
struct Base {
    name: String,
    document: Json,
}

/// Returns `count` mutants of the examples that the target accepts, and how often one that was meant to be valid was generated
/// again: by the code of the language, or by the feature that the target never supports.
///
/// # Errors
/// The examples cannot be read.
pub fn cases(
    target: &'static dyn AnyTarget,
    count: usize,
    seed: u64,
) -> Result<(Vec<Case>, BTreeMap<&'static str, usize>), String> {
    let bases = bases(target)?;
    let never = never::given(target);
    let mut arms = Arms::of(target.name())?;
    let mut random = Random::new(seed);
    let mut refused = BTreeMap::new();
    let mut cases = Vec::new();
    for number in 0..count {
        let meant = Meant::of(number);
        for _ in 0..TRIES {
            let base = random.pick(&bases);
            let (document, changes) = mutant(&mut random, base, target.name(), meant);
            let name = format!("{}-{seed}-{number}", base.name);
            let text = format!("{document:#}");
            let analysis = specs::analyzed(&format!("{name}.tfjob.json"), &text, Format::Json);
            if meant == Meant::Valid && !analysis.accepted() {
                for error in analysis.diagnostics.iter().filter(|d| d.is_error()) {
                    *refused.entry(error.code.name).or_insert(0) += 1;
                }
                continue;
            }
            if let Some(feature) = (meant == Meant::Valid).then(|| never.of(&analysis, target)).flatten() {
                *refused.entry(feature).or_insert(0) += 1;
                continue;
            }
            let mut case = Case::of(name.clone(), "", &analysis, target);
            let past = past::the_gate(&document, &analysis, target);
            let mut known = facts(&analysis, target, &arms, meant.word(), changes.clone(), document);
            known["sentences"] = arms.met(&analysis, target);
            case.mutant = Some(known);
            cases.push(case);
            cases.extend(past.map(|past| past_the_gate(&name, past, target, &arms, changes)));
            break;
        }
    }
    // The other mutants also request features that the target never supports.
    if let Some(known) = cases.first_mut().and_then(|case| case.mutant.as_mut()) {
        known["made again"] = refused.keys().copied().collect();
    }
    Ok((cases, refused))
}

/// Returns the case of a job without its refused parts; the engine must accept the rest.
fn past_the_gate(
    name: &str,
    past: Past,
    target: &'static dyn AnyTarget,
    arms: &Arms,
    changes: Vec<String>,
) -> Case {
    let name = format!("{name}-past");
    let Past { document, given_up } = past;
    let analysis = specs::analyzed(&format!("{name}.tfjob.json"), &format!("{document:#}"), Format::Json);
    let mut case = Case::of(name, "", &analysis, target);
    let mut known = facts(&analysis, target, arms, "past", [changes, given_up.clone()].concat(), document);
    known["sentences"] = json!({ "met": [], "of": 0 });
    known["given up"] = json!(given_up);
    case.mutant = Some(known);
    case
}

fn bases(target: &'static dyn AnyTarget) -> Result<Vec<Base>, String> {
    let mut found = specs::found(Path::new("examples"))?;
    found.push("docs/everything.tfjob.kdl".into());
    let base = |path: &Path| -> Result<Option<Base>, String> {
        let analysis = specs::of_file(path)?;
        let taken = analysis.accepted() && analysis.compile(target).lowered.is_some();
        let document = json!({ "job": analysis.tree.get("job").map(as_json) });
        Ok(taken.then(|| Base { name: specs::stem(path), document }))
    };
    found.iter().filter_map(|path| base(path).transpose()).collect()
}

/// A document and its changes.
fn mutant(random: &mut Random, base: &Base, target: &'static str, meant: Meant) -> (Json, Vec<String>) {
    let mut document = base.document.clone();
    let mut changes = Vec::new();
    let number = 2 + random.below(3);
    for turn in 0..number {
        let Some(site) = Site::any(random, &document, target) else { continue };
        let value = if meant == Meant::Wrong && turn + 1 == number {
            value::bad(random, &site)
        } else {
            value::good(random, &site, &document, meant == Meant::Odd)
        };
        let Some(value) = value else { continue };
        changes.push(format!("{} = {value}", site.path()));
        site.put(&mut document, value);
    }
    (document, changes)
}

/// Data about a mutant, in addition to its artifacts.
fn facts(
    analysis: &Analysis,
    target: &dyn AnyTarget,
    arms: &Arms,
    meant: &str,
    changes: Vec<String>,
    document: Json,
) -> Json {
    let compiled = analysis.compile(target);
    let mut supports: BTreeMap<&str, Json> = BTreeMap::new();
    let mut refusals = Vec::new();
    for (feature, _, verdict) in &compiled.verdicts {
        let kind = match verdict {
            Verdict::Native => "native",
            Verdict::Emulated(_) => "emulated",
            Verdict::Ignored(_) => "ignored",
            Verdict::Unsupported(refusal) => {
                let why = arms.kind(&refusal.why);
                refusals.push(json!({ "feature": feature.name(), "why": why, "evidence": refusal.evidence }));
                "refused"
            }
        };
        let kinds = supports.entry(feature.name()).or_insert_with(|| json!({}));
        kinds[kind] = json!(true);
    }
    let told = compiled.diagnostics.iter().filter(|d| d.is_error() && d.code != &UNSUPPORTED_FEATURE);
    let told: Vec<_> = told.map(|d| json!({ "code": d.code.name, "why": arms.kind(&d.message) })).collect();
    // A feature that no field can request is left out.
    let patches = target.schemas().0["properties"].get("patch").is_some();
    let features = Feature::ALL.iter().filter(|feature| patches || **feature != Feature::Patch);
    let features: Vec<_> = features.map(|feature| feature.name()).collect();
    json!({
        "meant": meant, "accepted by the language": analysis.accepted(), "changes": changes, "answers": supports,
        "refusals": refusals, "told": told, "features": features, "document": document,
    })
}

fn as_json(tree: &Tree) -> Json {
    match &tree.value {
        Value::Null | Value::Hole => Json::Null,
        Value::Bool(flag) => json!(flag),
        Value::Int(number) => json!(i64::try_from(*number).unwrap_or(i64::MAX)),
        Value::Float(number) => json!(number),
        Value::Text(text) => json!(text),
        Value::List(items) => items.iter().map(as_json).collect(),
        Value::Map(entries) => {
            Json::Object(entries.iter().map(|e| (e.key.clone(), as_json(&e.tree))).collect::<Map<_, _>>())
        }
    }
}
