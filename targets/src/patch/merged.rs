//! What is wrong with an artefact once the patches are in it, told at the patch that is behind it.
use super::BAD_PATCH;
use serde_json::Value;
use std::collections::BTreeSet;
use tfjob_lang::ask::Ask;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::origin::Document;
use tfjob_lang::plan::Plan;
use tfjob_lang::sources::Span;

/// A patched document and the faults that were found in it. What we write ourselves has none: each is some patch's.
pub struct Merged<'d> {
    target: &'static str,
    document: &'d Document,
    patches: BTreeSet<Span>,
    found: Vec<Diagnostic>,
}

impl<'d> Merged<'d> {
    /// Of the patches for one target.
    #[must_use]
    pub fn new(target: &'static str, plan: &Plan, document: &'d Document) -> Self {
        let of_target = |ask: &Ask| matches!(ask, Ask::Patch { target: other, .. } if other == target);
        let patches = plan.asks.iter().filter(|asked| of_target(&asked.ask)).map(|asked| asked.at).collect();
        let mut merged = Self { target, document, patches, found: Vec::new() };
        merged.removals(plan);
        merged
    }

    /// What the spec asks for and a patch takes out again: one of the two is not meant. Names stand for themselves.
    fn removals(&mut self, plan: &Plan) {
        let names = plan.roles.iter().map(|role| role.name.span).chain([plan.name.span]);
        let names: BTreeSet<Span> = names.chain(self.patches.iter().copied()).collect();
        for removed in self.document.removed.iter().filter(|removed| !names.contains(&removed.words)) {
            let key = removed.pointer.rsplit('/').next().unwrap_or_default().replace("~1", "/");
            let fact = format!("{}: the patch removes `{key}`, which other words ask for", self.target);
            let found = Diagnostic::new(&BAD_PATCH, removed.patch, fact).here("merged into the artefact");
            let help = "keep one of the two";
            self.found.push(found.label(removed.words, "asked for here").help(help));
        }
    }

    /// The value at a pointer; null where there is none.
    #[must_use]
    pub fn at(&self, pointer: &str) -> &'d Value {
        self.document.value.pointer(pointer).unwrap_or(&Value::Null)
    }

    /// Whether a patch wrote this very value.
    #[must_use]
    pub fn wrote(&self, pointer: &str) -> bool {
        self.document.origins.0.get(pointer).is_some_and(|at| self.patches.contains(at))
    }

    /// The items of the list at a pointer, each with its own.
    pub fn items(&self, pointer: &str) -> impl Iterator<Item = (String, &'d Value)> + use<'d> {
        let pointer = pointer.to_owned();
        let list = self.at(&pointer).as_array().map_or(&[][..], Vec::as_slice);
        list.iter().enumerate().map(move |(number, item)| (format!("{pointer}/{number}"), item))
    }

    /// One more fault: the first of these places that a patch wrote is behind it.
    pub fn fault(&mut self, places: &[&str], fact: &str) {
        let behind = |place: &&str| self.document.origins.blame(place).filter(|at| self.patches.contains(at));
        let Some(at) = places.iter().find_map(behind).or_else(|| self.patches.last().copied()) else {
            return;
        };
        let fact = format!("{}: once it is merged, {fact}", self.target);
        self.found.push(Diagnostic::new(&BAD_PATCH, at, fact).here("merged into the artefact"));
    }

    /// All faults.
    #[must_use]
    pub fn done(self) -> Vec<Diagnostic> {
        self.found
    }
}
