//! The verdict of tfjob on a row: accepted, or the first error. Each row is checked once.
use super::document::{self, Row};
use super::factors::Factor;
use crate::case::Case;
use crate::specs;
use std::collections::BTreeMap;
use tfjob_lang::analysis::Analysis;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::sources::Format;
use tfjob_lang::target::AnyTarget;
use tfjob_lang::tree::{Tree, Value};

/// Why a row is refused.
#[derive(Clone)]
pub struct Refusal {
    /// The code and the message of the first error.
    pub why: String,
    /// Whether the language refuses it for all targets.
    pub language: bool,
    /// The factors that its errors point to.
    pub named: Vec<usize>,
}

impl Refusal {
    /// Whether a row is refused because of the level of this factor, which alone is refused in the same way.
    pub fn is_of(&self, factor: usize, alone: &Self) -> bool {
        let code = |refusal: &Self| refusal.why.split(':').next().map(str::to_owned);
        self.named.contains(&factor) || code(self) == code(alone)
    }
}

/// A target's gate.
pub struct Gate<'f> {
    /// The target.
    pub target: &'static dyn AnyTarget,
    /// The factors of its rows.
    pub factors: &'f [Factor],
    told: BTreeMap<Row, Option<Refusal>>,
}

impl<'f> Gate<'f> {
    /// Returns an empty cache.
    pub const fn new(target: &'static dyn AnyTarget, factors: &'f [Factor]) -> Self {
        Self { target, factors, told: BTreeMap::new() }
    }

    /// Returns the number of checked rows.
    pub fn asked(&self) -> usize {
        self.told.len()
    }

    /// Returns why the row is refused; `None` if it is accepted.
    pub fn first_refusal(&mut self, row: &Row) -> Option<Refusal> {
        if let Some(known) = self.told.get(row) {
            return known.clone();
        }
        let analysis = analyzed(self.target.name(), self.factors, row);
        let refusal = self.refusal(&analysis);
        self.told.insert(row.clone(), refusal.clone());
        refusal
    }

    /// Returns why a few levels in the base job are refused.
    pub fn ask_alone(&mut self, levels: &[(usize, usize)]) -> Option<Refusal> {
        let mut row = vec![None; self.factors.len()];
        for (factor, level) in levels {
            row[*factor] = Some(*level);
        }
        self.first_refusal(&row)
    }

    /// Returns the case of a row for the engine.
    pub fn case(&self, name: String, row: &Row) -> Case {
        Case::of(name, "", &analyzed(self.target.name(), self.factors, row), self.target)
    }

    fn refusal(&self, analysis: &Analysis) -> Option<Refusal> {
        let language = !analysis.accepted();
        let compiled = analysis.check(self.target);
        let own = if language { &analysis.diagnostics } else { &compiled.diagnostics };
        let errors: Vec<&Diagnostic> = own.iter().filter(|d| d.is_error()).collect();
        let first = errors.first()?;
        let mut named: Vec<usize> =
            errors.iter().flat_map(|error| self.named(&analysis.tree, error)).collect();
        named.sort_unstable();
        named.dedup();
        Some(Refusal { why: format!("{}: {}", first.code.name, first.message), language, named })
    }

    /// Returns the factors whose properties a finding points at.
    pub fn named(&self, tree: &Tree, error: &Diagnostic) -> Vec<usize> {
        let places: Vec<Vec<String>> = error.labels.iter().map(|label| keys(tree, label.span)).collect();
        let meets = |factor: &Factor| {
            places.iter().any(|keys| {
                keys.len() > 1 && (keys.starts_with(&factor.steps) || factor.steps.starts_with(keys))
            })
        };
        self.factors
            .iter()
            .enumerate()
            .filter(|(_, factor)| meets(factor))
            .map(|(number, _)| number)
            .collect()
    }
}

/// The spec of a row.
pub fn analyzed(target: &str, factors: &[Factor], row: &Row) -> Analysis {
    let document = document::of(target, factors, row);
    specs::analyzed("pairs.tfjob.json", &format!("{document:#}"), Format::Json)
}

/// Returns the keys down to the innermost value at a position.
fn keys(tree: &Tree, span: tfjob_lang::sources::Span) -> Vec<String> {
    let mut keys = Vec::new();
    let mut here = tree;
    while let Value::Map(entries) = &here.value {
        let Some(entry) = entries.iter().find(|e| e.key_span.to(e.tree.span).contains(span)) else { break };
        keys.push(entry.key.clone());
        here = &entry.tree;
    }
    keys
}
