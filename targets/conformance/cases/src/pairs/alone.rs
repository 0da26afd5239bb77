//! Each level alone: its case with the artifacts as values if the gate accepts it, otherwise the reason.
use super::array::Cell;
use super::document::Row;
use super::gate::{Gate, analyzed};
use super::{Refused, factors};
use crate::case::Case;
use serde_json::{Map, Value as Json, json};
use tfjob_lang::target::AnyTarget;

/// Returns the cases of the plain job and of each level that is accepted alone, and the levels that are refused.
///
/// # Errors
/// The target refuses the plain job.
pub fn cases(target: &'static dyn AnyTarget) -> Result<(Vec<Case>, Json), String> {
    let factors = factors::of(target.name());
    let mut gate = Gate::new(target, &factors);
    super::plain(&mut gate)?;
    let (levels, refused) = super::alone(&mut gate);
    let mut cases = vec![case(&gate, "alone", &vec![None; factors.len()], Json::Null)];
    for (factor, own) in levels.iter().enumerate() {
        for level in own.iter().copied().filter(|level| factors[factor].levels[*level].0.is_some()) {
            let mut row = vec![None; factors.len()];
            row[factor] = Some(level);
            let known = json!({ "factor": factor, "value": factors[factor].levels[level].0 });
            cases.push(case(&gate, &format!("alone-{factor}-{level}"), &row, known));
        }
    }
    let refused = refused.iter().map(|one| why(&gate, one)).collect::<Vec<_>>();
    Ok((cases, json!(refused)))
}

/// A case with its structured artifacts as values, by path.
fn case(gate: &Gate<'_>, name: &str, row: &Row, known: Json) -> Case {
    let mut case = super::case(gate, name.to_owned(), row);
    let compiled = analyzed(gate.target.name(), gate.factors, row).compile(gate.target);
    let mut documents = Map::new();
    for artifact in compiled.lowered.iter().flat_map(|lowered| &lowered.artifacts) {
        let values: Vec<&Json> = artifact.documents.iter().map(|document| &document.value).collect();
        documents.insert(artifact.path.clone(), json!(values));
    }
    case.mutant = Some(json!({ "alone": known, "documents": documents }));
    case
}

fn why(gate: &Gate<'_>, one: &Refused) -> Json {
    let (factor, level): Cell = one.cell;
    let own = &gate.factors[factor];
    json!({ "factor": factor, "property": own.name(), "level": level, "value": own.levels[level].0,
            "words": own.levels[level].words(), "why": one.refusal.why, "language": one.refusal.language })
}
