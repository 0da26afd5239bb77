//! Properties without any effect, whatever their value: neither on a file, nor a step, nor a finding. Such
//! a property is silently dropped with certain other values; the fewest of these values are searched.
use super::array::{self, Cell, cells};
use super::document::Row;
use super::factors::{self, Factor};
use super::gate::{self, Gate};
use std::collections::BTreeSet;
use tfjob_lang::lowered::Step;
use tfjob_lang::target::{AnyTarget, Verdict};

/// Observable result of a job: files, steps, findings, and notes about properties without an effect.
#[derive(PartialEq, Eq)]
struct Outcome {
    files: Vec<(String, String)>,
    steps: Vec<Step>,
    told: Vec<String>,
}

/// Number of values per property that are tried.
const TRIED: usize = 5;

/// A property, and the fewest other values with which it has no effect. Empty: it never has an effect alone.
type Unheard = (usize, Vec<Cell>);

/// Returns the properties of `most` rows of the array without an effect, one per line.
///
/// # Errors
/// The target refuses the plain job.
pub fn values(target: &'static dyn AnyTarget, seed: u64, most: usize) -> Result<Vec<String>, String> {
    let factors = factors::of(target.name());
    let mut gate = Gate::new(target, &factors);
    super::plain(&mut gate)?;
    let (levels, _) = super::alone(&mut gate);
    let array = array::cover(&mut gate, levels, seed, most);
    let mut found: BTreeSet<Unheard> = BTreeSet::new();
    for row in &array.rows {
        for (factor, _) in cells(row) {
            let is_known = |(known, beside): &Unheard| {
                *known == factor && beside.iter().all(|other| row[other.0] == Some(other.1))
            };
            if !found.iter().any(is_known) && is_unheard(&mut gate, row, factor) {
                let beside = fewest(&mut gate, row, factor);
                found.insert((factor, beside));
            }
        }
    }
    let names = |cells: &[Cell]| cells.iter().map(|cell| cell.0).collect::<BTreeSet<_>>();
    let mut seen = BTreeSet::new();
    let first = found.iter().filter(|(factor, beside)| seen.insert((*factor, names(beside))));
    Ok(first.map(|one| line(&factors, one)).collect())
}

/// Whether no value of the property changes the result of the row; at least two must be accepted.
fn is_unheard(gate: &mut Gate<'_>, row: &Row, factor: usize) -> bool {
    let without = with(row, factor, None);
    if gate.first_refusal(&without).is_some() {
        return false;
    }
    let (plain, _) = outcome(gate, &without);
    let (mut same, count) = (0, gate.factors[factor].levels.len());
    let step = count.div_ceil(TRIED).max(1);
    for level in row[factor].into_iter().chain((0..count).step_by(step)) {
        let row = with(row, factor, Some(level));
        if gate.first_refusal(&row).is_some() {
            continue;
        }
        let (seen, named) = outcome(gate, &row);
        // A finding about the enclosing block also counts.
        if named.contains(&factor) || seen != plain {
            return false;
        }
        same += 1;
    }
    // The first value was tried twice, or is the only one.
    same > 2
}

/// Returns the cells of a row that are necessary for the property to have no effect.
fn fewest(gate: &mut Gate<'_>, row: &Row, factor: usize) -> Vec<Cell> {
    let mut kept = row.clone();
    for other in cells(row).filter(|other| other.0 != factor) {
        let fewer = with(&kept, other.0, None);
        if gate.first_refusal(&fewer).is_none() && is_unheard(gate, &fewer, factor) {
            kept = fewer;
        }
    }
    cells(&with(&kept, factor, None)).collect()
}

fn with(row: &Row, factor: usize, level: Option<usize>) -> Row {
    let mut row = row.clone();
    row[factor] = level;
    row
}

/// With the factors that findings point to.
fn outcome(gate: &Gate<'_>, row: &Row) -> (Outcome, BTreeSet<usize>) {
    let analysis = gate::analyzed(gate.target.name(), gate.factors, row);
    let compiled = analysis.compile(gate.target);
    let findings: Vec<_> = analysis.diagnostics.iter().chain(&compiled.diagnostics).collect();
    let named = findings.iter().flat_map(|finding| gate.named(&analysis.tree, finding)).collect();
    let mut told: Vec<String> = findings.iter().map(|d| format!("{}: {}", d.code.name, d.message)).collect();
    for (feature, _, verdict) in &compiled.verdicts {
        if let Verdict::Ignored(why) = verdict {
            told.push(format!("{feature:?}: {why}"));
        }
    }
    let lowered = compiled.lowered.unwrap_or_default();
    told.extend(lowered.inherent.into_values());
    let files = lowered.artifacts.into_iter().map(|file| (file.path, file.text)).collect();
    (Outcome { files, steps: lowered.steps, told }, named)
}

fn line(factors: &[Factor], (factor, beside): &Unheard) -> String {
    let words = |cell: &Cell| {
        let factor = &factors[cell.0];
        format!("{} = {}", factor.name(), factor.levels[cell.1].words())
    };
    let others: Vec<String> = beside.iter().map(words).collect();
    let others = if others.is_empty() { String::new() } else { format!("\tbeside {}", others.join(", ")) };
    format!("{}{others}", factors[*factor].name())
}
