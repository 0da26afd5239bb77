//! What is wrong with an artefact once the patches are in it, told at the patch that is behind it.
use super::published::{Kind, List};
use super::{BAD_PATCH, PATCH_OVERRIDES};
use serde_json::Value;
use std::collections::BTreeSet;
use tfjob_lang::ask::Ask;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::origin::{Document, pointer_step};
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
        merged.overrides(plan);
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

    /// Lists in which the job's own entries stand: a patch that removes or replaces one as a whole is a fault.
    pub fn lost(&mut self, keys: &[&str]) {
        let removed = self.document.removed.iter().map(|one| (one.patch, &one.pointer));
        let replaced = self.document.overridden.iter().map(|one| (one.patch, &one.pointer));
        let mut met = BTreeSet::new();
        for (patch, pointer) in removed.chain(replaced) {
            let key = pointer.rsplit('/').next().unwrap_or_default();
            if keys.contains(&key) && met.insert((patch, pointer.clone())) {
                let fact =
                    format!("{}: the patch removes entries of `{key}` that the job needs", self.target);
                let found = Diagnostic::new(&BAD_PATCH, patch, fact).here("merged into the artifact");
                self.found.push(found.help("items with a `name` are merged by it"));
            }
        }
    }

    /// What other lines set and a patch sets anew, and what tfjob derives and a patch removes: a warning at both places.
    fn overrides(&mut self, plan: &Plan) {
        let names: BTreeSet<Span> =
            plan.roles.iter().map(|role| role.name.span).chain([plan.name.span]).collect();
        let set =
            self.document.overridden.iter().map(|one| (one.patch, one.words, &one.pointer, "overrides"));
        let removed = self.document.removed.iter().filter(|one| names.contains(&one.words));
        let removed = removed.map(|one| (one.patch, one.words, &one.pointer, "removes"));
        let mut met = BTreeSet::new();
        for (patch, words, pointer, verb) in set.chain(removed) {
            let key = self.named(pointer);
            if self.patches.contains(&words) || !met.insert((patch, words, key.clone())) {
                continue;
            }
            let default = names.contains(&words);
            let whose = if default { "derived by tfjob" } else { "set by the spec" };
            let fact = format!("{}: the patch {verb} `{key}`, which is {whose}", self.target);
            let label = if default { "derived from this" } else { "set here" };
            let found = Diagnostic::new(&PATCH_OVERRIDES, patch, fact).here("the patch wins");
            self.found.push(found.label(words, label).help("set the value in one of the two places"));
        }
    }

    /// The last key of a pointer that is not a number; of the value of a named item, its name.
    fn named(&self, pointer: &str) -> String {
        let (above, last) = pointer.rsplit_once('/').unwrap_or_default();
        if let Some(name) = self.at(above)["name"].as_str().filter(|_| last == "value") {
            return name.to_owned();
        }
        let mut steps = pointer.rsplit('/');
        let key = steps.find(|step| !step.bytes().all(|b| b.is_ascii_digit())).unwrap_or_default();
        key.replace("~1", "/").replace("~0", "~")
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

    /// Checks the value at a pointer against its type: required fields, and list items that must differ. `object` judges
    /// each object by the name of its type and its pointer.
    pub fn typed(&mut self, pointer: &str, kind: Kind, object: &mut dyn FnMut(&mut Self, &str, &str)) {
        match (kind, self.at(pointer)) {
            (Kind::Object(shape), Value::Object(map)) => {
                for field in shape.fields.iter().filter(|field| field.required) {
                    if map.get(field.name).is_none_or(Value::is_null) {
                        self.fault(&[pointer], &format!("`{}` has no `{}`", path(pointer), field.name));
                    }
                }
                object(self, shape.name, pointer);
                for field in shape.fields.iter().filter(|field| map.contains_key(field.name)) {
                    self.typed(&format!("{pointer}/{}", field.name), field.kind, object);
                }
            }
            (Kind::Map(item), Value::Object(map)) => {
                for key in map.keys() {
                    self.typed(&format!("{pointer}/{}", pointer_step(key)), *item, object);
                }
            }
            (Kind::List(list), Value::Array(items)) => {
                self.distinct(pointer, list, items);
                for number in 0..items.len() {
                    self.typed(&format!("{pointer}/{number}"), list.item, object);
                }
            }
            _ => {}
        }
    }

    /// No two items of a list share what makes them one.
    fn distinct(&mut self, pointer: &str, list: &List, items: &[Value]) {
        if list.keys.is_empty() {
            return;
        }
        let mut met = BTreeSet::new();
        for (number, item) in items.iter().enumerate() {
            let part = |key: &&str| if key.is_empty() { item.to_string() } else { item[*key].to_string() };
            let key: Vec<String> = list.keys.iter().map(part).collect();
            // The default of a key that is missing is the platform's.
            if !key.iter().any(|part| part == "null") && !met.insert(key.clone()) {
                let fact = format!("`{}` holds {} twice", path(pointer), key.join(", "));
                self.fault(&[&format!("{pointer}/{number}")], &fact);
            }
        }
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

/// A pointer as a person reads it.
#[must_use]
pub fn path(pointer: &str) -> String {
    let mut out = String::new();
    for step in pointer.split('/').skip(1) {
        if step.bytes().all(|b| b.is_ascii_digit()) {
            out.push_str(&format!("[{step}]"));
        } else {
            out.push_str(if out.is_empty() { "" } else { "." });
            out.push_str(&step.replace("~1", "/").replace("~0", "~"));
        }
    }
    out
}
