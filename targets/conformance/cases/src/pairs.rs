//! Pairs: specs that together contain every pair of boundary values of every two properties of the schema.
//!
//! A value that is refused alone is in separate specs, one per spec, with every other value: each of them must be
//! refused too. Every accepted spec is a case for the engine.
pub mod alone;
mod array;
mod document;
mod factors;
mod gate;
mod needs;
pub mod same;
pub mod unheard;
mod values;
mod vocabulary;

use crate::case::Case;
use array::{Array, Cell, Oracle, cells};
use document::Row;
use factors::Factor;
use gate::{Gate, Refusal};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use tfjob_lang::target::AnyTarget;

/// A sample tries every n-th refused value; each seed selects others.
const SAMPLED: usize = 16;

impl Oracle for Gate<'_> {
    fn refused(&mut self, row: &Row) -> Option<(String, Vec<usize>)> {
        self.first_refusal(row).map(|refusal| (refusal.why, refusal.named))
    }
}

/// Number of tasks per role that are started.
const STARTED: u32 = 2;

/// A value that is refused alone.
struct Refused {
    cell: Cell,
    refusal: Refusal,
}

/// Returns the cases of the array, and its summary. `most` limits the rows; 0 means until each pair is in a row. The first rows
/// contain the most new pairs.
///
/// # Errors
/// The target refuses the base job of all specs.
pub fn cases(target: &'static dyn AnyTarget, seed: u64, most: usize) -> Result<(Vec<Case>, Json), String> {
    let factors = factors::of(target.name());
    let mut gate = Gate::new(target, &factors);
    plain(&mut gate)?;
    let (levels, refused) = alone(&mut gate);
    let array = array::cover(&mut gate, levels.clone(), seed, if most == 0 { usize::MAX } else { most });
    let numbered = array.rows.iter().enumerate();
    let mut cases: Vec<Case> =
        numbered.map(|(number, row)| case(&gate, format!("pairs-{seed}-{number}"), row)).collect();
    let few = few_rows(&array.rows);
    let (mut beside, mut guarded, mut wanted) = (0, 0, 0);
    for (number, one) in refused.iter().enumerate() {
        let others = levels.iter().enumerate().filter(|(factor, _)| *factor != one.cell.0);
        let others: Vec<Cell> =
            others.flat_map(|(factor, own)| own.iter().map(move |level| (factor, *level))).collect();
        wanted += others.len();
        if most == 0 || number % SAMPLED == seed as usize % SAMPLED {
            let found = substituted(&mut gate, one, &few, &others);
            guarded += found.guarded;
            for (row, counts) in found.accepted {
                let mut case = case(&gate, format!("pairs-{seed}-beside-{beside}"), &row);
                if let Some(mutant) = &mut case.mutant {
                    mutant["counts"] = json!(counts);
                }
                cases.push(case);
                beside += 1;
            }
        }
    }
    let summary = summary(&gate, &array, &refused, json!({ "guarded": guarded, "wanted": wanted }));
    Ok((cases, summary))
}

/// Returns the cases of chosen levels, `[NAME, [[FACTOR, LEVEL], …]]` per line.
///
/// # Errors
/// A line is malformed.
pub fn chosen(target: &'static dyn AnyTarget, lines: &str) -> Result<Vec<Case>, String> {
    let factors = factors::of(target.name());
    let gate = Gate::new(target, &factors);
    let mut cases = Vec::new();
    for line in lines.lines() {
        let (name, levels): (String, Vec<Cell>) =
            serde_json::from_str(line).map_err(|e| format!("`{line}`: {e}"))?;
        let mut row = vec![None; factors.len()];
        for (factor, level) in levels {
            let place = row.get_mut(factor).filter(|_| factors[factor].levels.len() > level);
            *place.ok_or_else(|| format!("no factor {factor} with a level {level}"))? = Some(level);
        }
        let mut case = case(&gate, name, &row);
        if let Some(mutant) = &mut case.mutant {
            mutant["document"] = document::of(target.name(), &factors, &row);
        }
        cases.push(case);
    }
    Ok(cases)
}

/// Checks that the base job of all specs is accepted.
fn plain(gate: &mut Gate<'_>) -> Result<(), String> {
    let refusal = gate.ask_alone(&[]);
    refusal.map_or(Ok(()), |refusal| {
        Err(format!("{} refuses the plain job: {}", gate.target.name(), refusal.why))
    })
}

/// Returns the levels of each factor that are accepted alone, and those that are refused.
fn alone(gate: &mut Gate<'_>) -> (Vec<Vec<usize>>, Vec<Refused>) {
    let mut refused = Vec::new();
    let mut levels = Vec::new();
    for factor in 0..gate.factors.len() {
        let mut own = Vec::new();
        for level in 0..gate.factors[factor].levels.len() {
            match gate.ask_alone(&[(factor, level)]) {
                None => own.push(level),
                Some(refusal) => refused.push(Refused { cell: (factor, level), refusal }),
            }
        }
        levels.push(own);
    }
    (levels, refused)
}

/// Returns a few rows that together contain all levels of the rows.
fn few_rows(rows: &[Row]) -> Vec<&Row> {
    let mut open: BTreeSet<Cell> = rows.iter().flat_map(cells).collect();
    let mut few = Vec::new();
    while !open.is_empty() {
        let gain = |row: &&Row| cells(row).filter(|cell| open.contains(cell)).count();
        let Some(best) = rows.iter().max_by_key(gain) else { break };
        open.retain(|cell| best[cell.0] != Some(cell.1));
        few.push(best);
    }
    few
}

/// The pairs of a level that is refused alone.
struct Beside {
    /// Number of rows that are refused because of it.
    guarded: usize,
    /// Rows that are accepted with it, because they contain what it needs, with the pairs that the row is judged for.
    accepted: Vec<(Row, Vec<(Cell, Cell)>)>,
}

/// Puts a refused level into rows that are accepted without it. A pair that no such row decides gets a separate row.
fn substituted(gate: &mut Gate<'_>, one: &Refused, rows: &[&Row], others: &[Cell]) -> Beside {
    let (mut open, cell) = (others.iter().copied().collect::<BTreeSet<_>>(), one.cell);
    let mut candidates = Vec::new();
    for row in rows {
        let mut row = (*row).clone();
        row[cell.0] = Some(cell.1);
        match gate.first_refusal(&row) {
            Some(refusal) if refusal.is_of(cell.0, &one.refusal) => {
                for other in cells(&row) {
                    open.remove(&other);
                }
            }
            Some(_) => {}
            None => candidates.push(row),
        }
    }
    open.retain(|other| gate.ask_alone(&[cell, *other]).is_none());
    let guarded = others.len() - open.len();
    let mut accepted = Vec::new();
    while !open.is_empty() {
        let gain = |row: &&Row| cells(row).filter(|other| open.contains(other)).count();
        let best = candidates.iter().max_by_key(gain).filter(|row| gain(row) > 0).cloned();
        let row = best.unwrap_or_else(|| {
            let mut row = vec![None; gate.factors.len()];
            row[cell.0] = Some(cell.1);
            open.first().into_iter().for_each(|(factor, level)| row[*factor] = Some(*level));
            row
        });
        let (held, rest) = open.into_iter().partition(|other| row[other.0] == Some(other.1));
        open = rest;
        let held: BTreeSet<Cell> = held;
        accepted.push((row, held.into_iter().map(|other| (cell.min(other), cell.max(other))).collect()));
    }
    Beside { guarded, accepted }
}

fn case(gate: &Gate<'_>, name: String, row: &Row) -> Case {
    let mut case = gate.case(name, row);
    // All tasks of a role except the first start in the same way; a finding names values, not a line.
    case.started(STARTED);
    case.origins.clear();
    let words = |(factor, level): Cell| {
        let factor: &Factor = &gate.factors[factor];
        format!("{} = {}", factor.name(), factor.levels[level].words())
    };
    let changes: Vec<String> = cells(row).map(words).collect();
    case.mutant = Some(json!({ "changes": changes, "levels": cells(row).collect::<Vec<_>>() }));
    case
}

fn summary(gate: &Gate<'_>, array: &Array, refused: &[Refused], beside: Json) -> Json {
    let factor = |cell: Cell| gate.factors[cell.0].name();
    let value = |cell: Cell| gate.factors[cell.0].levels[cell.1].words();
    let alone: Vec<Json> = refused
        .iter()
        .map(|one| {
            json!({ "factor": factor(one.cell), "value": value(one.cell), "why": one.refusal.why,
                           "language": one.refusal.language })
        })
        .collect();
    let mut together: BTreeMap<(String, String, &str), (usize, String)> = BTreeMap::new();
    for ((a, b), why) in &array.refused {
        let words = || format!("{} with {}: {why}", value(*a), value(*b));
        let rule = why.split(':').next().unwrap_or_default();
        together.entry((factor(*a), factor(*b), rule)).or_insert_with(|| (0, words())).0 += 1;
    }
    let group = |((a, b, rule), (times, first)): ((String, String, &str), (usize, String))| json!({ "factors": [a, b], "rule": rule, "pairs": times, "first": first });
    let together: Vec<Json> = together.into_iter().map(group).collect();
    let levels: usize = gate.factors.iter().map(|factor| factor.levels.len()).sum();
    let pairs: Vec<_> = array.refused.keys().collect();
    json!({ "factors": gate.factors.len(), "levels": levels, "rows": array.rows.len(), "pairs": array.pairs,
            "covered": array.covered, "refused together": pairs, "beside": beside, "alone": alone,
            "together": together, "asked": gate.asked() })
}
