//! Faults of an artifact with the patches merged into it, each reported at the patch that causes it.
use super::published::{Kind, List};
use super::{BAD_PATCH, PATCH_OVERRIDES};
use crate::codes::PATCH_UNCHECKED;
use serde_json::Value;
use std::collections::BTreeSet;
use tfjob_lang::codes::UNEXPANDED_SYNTAX;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::origin::{Document, pointer_step};
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::{Job, Requirement};
use tfjob_lang::sources::Span;

/// A patched document and the faults that were found in it. What we write ourselves has none: each is some patch's.
pub struct Merged<'d> {
    target: &'static str,
    document: &'d Document,
    patches: BTreeSet<Span>,
    /// The lines that name the job and its roles: values that tfjob derives come from them.
    names: BTreeSet<Span>,
    /// Changes that were reported, by patch and pointer.
    told: BTreeSet<(Span, String)>,
    found: Vec<Diagnostic>,
    spared: Spared,
}

/// The effect of a removal that takes away nothing of what was requested, by the document and the pointer that was removed.
pub type Spared = fn(&Value, &str) -> Option<&'static str>;

impl<'d> Merged<'d> {
    /// Of the patches for one target.
    #[must_use]
    pub fn new(target: &'static str, plan: &Plan, document: &'d Document) -> Self {
        Self::sparing(target, plan, document, |_, _| None)
    }

    /// The same, where some removals are warnings.
    #[must_use]
    pub fn sparing(target: &'static str, plan: &Plan, document: &'d Document, spared: Spared) -> Self {
        let of_target = |requirement: &Requirement| matches!(requirement, Requirement::Job(Job::Patch { target: other, .. }) if other == target);
        let patches = plan
            .requirements
            .iter()
            .filter(|required| of_target(&required.requirement))
            .map(|required| required.at)
            .collect();
        let names = plan.roles.iter().map(|role| role.name.span).chain([plan.name.span]).collect();
        let (told, found) = (BTreeSet::new(), Vec::new());
        let mut merged = Self { target, document, patches, names, told, found, spared };
        merged.removals();
        merged
    }

    /// Whether there is a patch at all.
    #[must_use]
    pub fn is_patched(&self) -> bool {
        !self.patches.is_empty()
    }

    /// What the spec asks for and a patch takes out again: one of the two is not meant. Names stand for themselves.
    fn removals(&mut self) {
        for removed in &self.document.removed {
            let derived = self.names.contains(&removed.words) || self.patches.contains(&removed.words);
            if derived
                || self.spared(&removed.pointer).is_some()
                || !self.told.insert((removed.patch, removed.pointer.clone()))
            {
                continue;
            }
            let key = removed.pointer.rsplit('/').next().unwrap_or_default().replace("~1", "/");
            let fact = format!("{}: the patch removes `{key}`, which other words ask for", self.target);
            let found = Diagnostic::new(&BAD_PATCH, removed.patch, fact).here("merged into the artifact");
            let help = "keep one of the two";
            self.found.push(found.label(removed.words, "asked for here").help(help));
        }
    }

    fn spared(&self, pointer: &str) -> Option<&'static str> {
        (self.spared)(&self.document.value, pointer)
    }

    /// Lists in which the job's own entries stand, by their pointers, `*` for any step, each with the field by which items are
    /// merged, if any: a patch that removes or replaces one as a whole is a fault.
    pub fn lost(&mut self, lists: &[(&str, Option<&str>)]) {
        let removed = self.document.removed.iter().map(|one| (one.patch, &one.pointer));
        let replaced = self.document.overridden.iter().map(|one| (one.patch, &one.pointer));
        for (patch, pointer) in removed.chain(replaced) {
            if let Some((_, by)) = lists.iter().find(|(list, _)| matches(list, pointer))
                && self.told.insert((patch, pointer.clone()))
            {
                let key = pointer.rsplit('/').next().unwrap_or_default();
                let fact =
                    format!("{}: the patch removes entries of `{key}` that the job needs", self.target);
                let found = Diagnostic::new(&BAD_PATCH, patch, fact).here("merged into the artifact");
                self.found.push(found.help(match by {
                    Some(by) => format!("items with a `{by}` are merged by it"),
                    None => "the value is replaced as a whole: repeat the job's own entries in it".to_owned(),
                }));
            }
        }
    }

    /// What other lines set and a patch sets anew, and what tfjob derives and a patch removes: a warning at both places.
    fn overrides(&mut self) {
        let set =
            self.document.overridden.iter().map(|one| (one.patch, one.words, &one.pointer, "overrides"));
        let removed = self.document.removed.iter();
        let removed =
            removed.filter(|one| self.names.contains(&one.words) || self.spared(&one.pointer).is_some());
        let removed = removed.map(|one| (one.patch, one.words, &one.pointer, "removes"));
        let all: Vec<_> = set.chain(removed).collect();
        let mut met = BTreeSet::new();
        for (patch, words, pointer, verb) in all {
            let key = self.named(pointer);
            let told = self.told.contains(&(patch, pointer.clone()));
            if told || self.patches.contains(&words) || !met.insert((patch, words, key.clone())) {
                continue;
            }
            let default = self.names.contains(&words);
            let whose = if default { "derived by tfjob" } else { "set by the spec" };
            let effect = Some(verb).filter(|verb| *verb == "removes").and_then(|_| self.spared(pointer));
            let effect = effect.map(|effect| format!(": {effect}")).unwrap_or_default();
            let fact = format!("{}: the patch {verb} `{key}`, which is {whose}{effect}", self.target);
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

    /// Whether a patch set or removed the value, alone or with what holds it.
    #[must_use]
    pub fn wrote(&self, pointer: &str) -> bool {
        self.patch_of(pointer).is_some()
    }

    /// Whether a line of the spec, and no patch, is behind exactly this pointer. It may lie within a value.
    #[must_use]
    pub fn is_of_spec(&self, pointer: &str) -> bool {
        self.document.origins.0.get(pointer).is_some_and(|at| !self.patches.contains(at))
    }

    /// The line of the spec behind a value, where no patch set it.
    #[must_use]
    pub fn line_of(&self, pointer: &str) -> Option<Span> {
        self.document.origins.blame(pointer).filter(|at| !self.patches.contains(at))
    }

    fn patch_of(&self, pointer: &str) -> Option<Span> {
        self.document.origins.blame(pointer).filter(|at| self.patches.contains(at))
    }

    /// The first value at a pointer or below it that a patch set or removed.
    #[must_use]
    pub fn changed_below(&self, pointer: &str) -> Option<String> {
        let all = self.document.origins.0.range(pointer.to_owned()..);
        let mut all = all.take_while(|(at, _)| at.starts_with(pointer));
        let within = |at: &str| matches!(at.as_bytes().get(pointer.len()), None | Some(b'/'));
        all.find(|(at, span)| within(at) && self.patches.contains(span)).map(|(at, _)| at.clone())
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
                        self.fault(&[pointer], &format!("`{}` has no `{}`", self.path(pointer), field.name));
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
                let fact = format!("`{}` holds {} twice", self.path(pointer), key.join(", "));
                self.fault(&[&format!("{pointer}/{number}")], &fact);
            }
        }
    }

    /// The patch behind a fault: of the first of these places that a patch wrote.
    fn behind(&self, places: &[&str]) -> Option<Span> {
        let behind = |place: &&str| self.patch_of(place);
        let beside = |place: &&str| {
            let mut above =
                std::iter::successors(Some(*place), |place| place.rsplit_once('/').map(|(a, _)| a));
            above
                .find_map(|place| self.changed_below(place))
                .and_then(|at| self.document.origins.0.get(&at).copied())
        };
        let found = places.iter().find_map(behind).or_else(|| places.iter().find_map(beside));
        found.or_else(|| self.patches.last().copied())
    }

    /// A pointer as the patch behind it writes it: from where that patch is merged, and with the patch's own numbers of
    /// items. So one fault has one text, whatever the number of tasks that the patch is merged into.
    #[must_use]
    pub fn path(&self, pointer: &str) -> String {
        let above = std::iter::successors(Some(pointer), |at| at.rsplit_once('/').map(|(above, _)| above));
        let patch = self.behind(&[pointer]);
        let merged_at = |at: &str| self.document.patched.get_key_value(&(patch?, at.to_owned()));
        let own = above.into_iter().find_map(merged_at);
        let (mut at, mut out) = (own.map_or("", |((_, at), _)| at).to_owned(), String::new());
        for step in pointer[at.len()..].split('/').skip(1) {
            at = format!("{at}/{step}");
            if step.bytes().all(|b| b.is_ascii_digit()) {
                let number = own.and_then(|(_, numbers)| numbers.get(&at)).map(usize::to_string);
                out.push_str(&format!("[{}]", number.as_deref().unwrap_or(step)));
            } else {
                out.push_str(if out.is_empty() { "" } else { "." });
                out.push_str(&step.replace("~1", "/").replace("~0", "~"));
            }
        }
        out
    }

    /// One more fault: the first of these places that a patch wrote is behind it.
    pub fn fault(&mut self, places: &[&str], fact: &str) {
        let Some(at) = self.behind(places) else { return };
        let fact = format!("{}: once it is merged, {fact}", self.target);
        self.found.push(Diagnostic::new(&BAD_PATCH, at, fact).here("merged into the artifact"));
    }

    /// What tfjob cannot know of a value that a patch set.
    pub fn recovery(&mut self, pointer: &str, fact: &str, help: &str) {
        let Some(at) = self.patch_of(pointer) else { return };
        let fact = format!("{}: {fact}", self.target);
        let found = Diagnostic::new(&PATCH_UNCHECKED, at, fact).here("merged into the artifact");
        self.found.push(found.help(help));
    }

    /// A reference in a value that a patch set, which nothing replaces: a fault if a line of the spec sets what it names.
    pub fn unread(&mut self, pointer: &str, set: Option<Span>, fact: &str, help: &str) {
        let Some(at) = self.patch_of(pointer) else { return };
        let fact = format!("{}: {fact}", self.target);
        let code = if set.is_some() { &BAD_PATCH } else { &UNEXPANDED_SYNTAX };
        let found = Diagnostic::new(code, at, fact).here("merged into the artifact").help(help);
        self.found.push(match set {
            Some(set) => found.label(set, "set here"),
            None => found,
        });
    }

    /// A value that a patch set, and that another line of the spec wants otherwise: it set none, and meant that.
    pub fn contrary(&mut self, pointer: &str, words: Span, fact: &str, help: &str) {
        let Some(at) = self.patch_of(pointer) else { return };
        let fact = format!("{}: {fact}", self.target);
        let found = Diagnostic::new(&PATCH_OVERRIDES, at, fact).here("the patch wins");
        let label = if self.names.contains(&words) { "derived from this" } else { "set here" };
        self.found.push(found.label(words, label).help(help));
    }

    /// One more fault of a value that a patch set or removed. It was reported already if the spec asked for the value.
    pub fn changed(&mut self, pointer: &str, fact: &str) {
        let Some(at) = self.patch_of(pointer) else { return };
        if self.told.insert((at, pointer.to_owned())) {
            self.fault(&[pointer], fact);
        }
    }

    /// All faults.
    #[must_use]
    pub fn done(mut self) -> Vec<Diagnostic> {
        self.overrides();
        self.found
    }
}

/// Whether a pointer has the steps of a pattern, where `*` is any step.
fn matches(pattern: &str, pointer: &str) -> bool {
    let mut steps = pointer.split('/');
    pattern.split('/').all(|want| steps.next().is_some_and(|step| want == "*" || want == step))
        && steps.next().is_none()
}
