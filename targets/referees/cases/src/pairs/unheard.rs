//! Values that a spec holds and that change nothing: neither a file, nor a step, nor a finding. Each is either what holds
//! without it, or it is dropped in silence beside another value; then the fewest values that silence it are searched.
use super::array::{self, Cell, cells};
use super::document::{self, Row};
use super::factors::{self, Factor};
use super::gate::{self, Gate};
use std::collections::BTreeSet;
use tfjob_lang::lowered::Step;
use tfjob_lang::target::{AnyTarget, Verdict};

/// What a job is to its reader: the files, the steps, the findings, and what is said to have no effect or to need none.
#[derive(PartialEq, Eq)]
struct Outcome {
    files: Vec<(String, String)>,
    steps: Vec<Step>,
    told: Vec<String>,
}

/// A value, and the fewest others beside which it changes nothing. Without others it changes nothing alone.
type Unheard = (Cell, Vec<Cell>);

/// The values of `most` rows of the array that change nothing, one in a line.
///
/// # Errors
/// Where the target refuses the plain job.
pub fn values(target: &'static dyn AnyTarget, seed: u64, most: usize) -> Result<Vec<String>, String> {
    let factors = factors::of(target.name());
    let mut gate = Gate::new(target, &factors);
    super::plain(&mut gate)?;
    let (levels, _) = super::alone(&mut gate);
    let array = array::cover(&mut gate, levels, seed, most);
    let mut found: BTreeSet<Unheard> = BTreeSet::new();
    for row in &array.rows {
        for cell in cells(row) {
            let is_known = |(known, beside): &Unheard| {
                *known == cell && beside.iter().all(|other| row[other.0] == Some(other.1))
            };
            if is_unheard(&mut gate, row, cell) && !found.iter().any(is_known) {
                let beside = fewest(&mut gate, row, cell);
                found.insert((cell, beside));
            }
        }
    }
    let names = |cells: &[Cell]| cells.iter().map(|cell| cell.0).collect::<BTreeSet<_>>();
    let mut seen = BTreeSet::new();
    let first = found.iter().filter(|(cell, beside)| seen.insert((cell.0, names(beside))));
    Ok(first.map(|one| line(&factors, one)).collect())
}

/// Whether the row without the cell is the same job.
fn is_unheard(gate: &mut Gate<'_>, row: &Row, cell: Cell) -> bool {
    let without = less(row, cell);
    let written = |row: &Row| document::of(gate.target.name(), gate.factors, row);
    if written(row) == written(&without) || gate.ask(&without).is_some() {
        return false;
    }
    let (seen, named) = outcome(gate, row);
    // A finding about the block that holds the value is about the value, too.
    !named.contains(&cell.0) && seen == outcome(gate, &without).0
}

/// The cells of a row that must stay so that the value changes nothing.
fn fewest(gate: &mut Gate<'_>, row: &Row, cell: Cell) -> Vec<Cell> {
    let mut kept = row.clone();
    for other in cells(row).filter(|other| *other != cell) {
        let fewer = less(&kept, other);
        if gate.ask(&fewer).is_none() && is_unheard(gate, &fewer, cell) {
            kept = fewer;
        }
    }
    cells(&less(&kept, cell)).collect()
}

fn less(row: &Row, cell: Cell) -> Row {
    let mut row = row.clone();
    row[cell.0] = None;
    row
}

/// With the factors that findings point to.
fn outcome(gate: &Gate<'_>, row: &Row) -> (Outcome, BTreeSet<usize>) {
    let analysis = gate::analysed(gate.target.name(), gate.factors, row);
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
    let files = lowered.artefacts.into_iter().map(|file| (file.path, file.text)).collect();
    (Outcome { files, steps: lowered.steps, told }, named)
}

fn line(factors: &[Factor], (cell, beside): &Unheard) -> String {
    let words = |cell: &Cell| {
        let factor = &factors[cell.0];
        format!("{} = {}", factor.name(), factor.levels[cell.1].words())
    };
    let others: Vec<String> = beside.iter().map(words).collect();
    let others = if others.is_empty() { String::new() } else { format!("\tbeside {}", others.join(", ")) };
    format!("{}{others}", words(cell))
}
