//! Checks of an artifact after the patches are merged. Each fault is reported at the patch that causes it.
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

/// A document after the patches are merged, and the faults found in it. A fault is always reported at a patch, because a document
/// without patches has no faults.
pub struct Merged<'d> {
    target: &'static str,
    document: &'d Document,
    patches: BTreeSet<Span>,
    /// Spans of the names of the job and its roles. A value with such a span is not from the spec: tfjob derives it.
    names: BTreeSet<Span>,
    /// Changes that are already reported, each as the span of the patch and the JSON pointer of the value.
    reported: BTreeSet<(Span, String)>,
    found: Vec<Diagnostic>,
    spared: Spared,
}

/// Decides how to report that a patch removes the value at a JSON pointer. `Some`: as a warning, with this text about the
/// consequence. `None`: as an error, because the spec requests the value.
pub type Spared = fn(&Value, &str) -> Option<&'static str>;

impl<'d> Merged<'d> {
    /// Returns the patched document of a target, with a fault for each value of the spec that a patch removes.
    #[must_use]
    pub fn new(target: &'static str, plan: &Plan, document: &'d Document) -> Self {
        Self::sparing(target, plan, document, |_, _| None)
    }

    /// Returns the patched document of a target, with a fault for each value of the spec that a patch removes. `spared` selects the
    /// removals that are only warnings.
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
        let (reported, found) = (BTreeSet::new(), Vec::new());
        let mut merged = Self { target, document, patches, names, reported, found, spared };
        merged.removals();
        merged
    }

    /// Returns whether the document has a patch.
    #[must_use]
    pub fn is_patched(&self) -> bool {
        !self.patches.is_empty()
    }

    /// Reports values that the spec requests and a patch removes. Derived values that a patch removes are reported by `overrides`.
    fn removals(&mut self) {
        for removed in &self.document.removed {
            let derived = self.names.contains(&removed.words) || self.patches.contains(&removed.words);
            if derived
                || self.spared(&removed.pointer).is_some()
                || !self.reported.insert((removed.patch, removed.pointer.clone()))
            {
                continue;
            }
            let key = removed.pointer.rsplit('/').next().unwrap_or_default().replace("~1", "/");
            let fact =
                format!("{}: the patch removes `{key}`, which another entry of the spec sets", self.target);
            let found = Diagnostic::new(&BAD_PATCH, removed.patch, fact).here("in this patch");
            let help = "remove this entry, or remove the key from the patch";
            self.found.push(found.label(removed.words, "set here").help(help));
        }
    }

    fn spared(&self, pointer: &str) -> Option<&'static str> {
        (self.spared)(&self.document.value, pointer)
    }

    /// Reports a patch that removes or replaces a whole list to which the job adds items. `lists`: JSON pointers, in which `*`
    /// stands for any step, each with the field by which a merge matches the items of the list. The field is `None` if a merge
    /// always replaces the list.
    pub fn lost(&mut self, lists: &[(&str, Option<&str>)]) {
        let removed = self.document.removed.iter().map(|one| (one.patch, &one.pointer));
        let replaced = self.document.overridden.iter().map(|one| (one.patch, &one.pointer));
        for (patch, pointer) in removed.chain(replaced) {
            if let Some((_, by)) = lists.iter().find(|(list, _)| matches(list, pointer))
                && self.reported.insert((patch, pointer.clone()))
            {
                let key = pointer.rsplit('/').next().unwrap_or_default();
                let fact =
                    format!("{}: the patch removes entries of `{key}` that the job needs", self.target);
                let found = Diagnostic::new(&BAD_PATCH, patch, fact).here("in this patch");
                self.found.push(found.help(match by {
                    Some(by) => format!("give each item a `{by}`, by which it is merged into the list"),
                    None => {
                        "the patch replaces the whole list: repeat the entries of the job in it".to_owned()
                    }
                }));
            }
        }
    }

    /// Warns of values that the spec sets and a patch overrides. Also warns of derived values that a patch removes.
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
            let reported = self.reported.contains(&(patch, pointer.clone()));
            if reported || self.patches.contains(&words) || !met.insert((patch, words, key.clone())) {
                continue;
            }
            let default = self.names.contains(&words);
            let origin = if default { "tfjob derives from the spec" } else { "the spec sets" };
            let effect = Some(verb).filter(|verb| *verb == "removes").and_then(|_| self.spared(pointer));
            let effect = effect.map(|effect| format!(": {effect}")).unwrap_or_default();
            let map = map_of(pointer).map(|map| format!(" in `{map}`")).unwrap_or_default();
            let fact =
                format!("{}: the patch {verb} the value of `{key}`{map} that {origin}{effect}", self.target);
            let label = if default { "derived from this" } else { "set here" };
            let found = Diagnostic::new(&PATCH_OVERRIDES, patch, fact).here("the patch takes precedence");
            self.found.push(found.label(words, label).help("set the value in only one of the two places"));
        }
    }

    /// Returns the name of the value at a JSON pointer, for a message: the last step that is not a number. If that step is `value`
    /// in an item with a `name`, returns this `name`.
    fn named(&self, pointer: &str) -> String {
        let (above, last) = pointer.rsplit_once('/').unwrap_or_default();
        if let Some(name) = self.at(above)["name"].as_str().filter(|_| last == "value") {
            return name.to_owned();
        }
        let mut steps = pointer.rsplit('/');
        let key = steps.find(|step| !step.bytes().all(|b| b.is_ascii_digit())).unwrap_or_default();
        key.replace("~1", "/").replace("~0", "~")
    }

    /// Returns the value at a JSON pointer, or null if there is none.
    #[must_use]
    pub fn at(&self, pointer: &str) -> &'d Value {
        self.document.value.pointer(pointer).unwrap_or(&Value::Null)
    }

    /// Returns whether a patch has set or removed the value at a JSON pointer, or a value that contains it.
    #[must_use]
    pub fn wrote(&self, pointer: &str) -> bool {
        self.patch_of(pointer).is_some()
    }

    /// Returns whether the value at exactly this JSON pointer comes from the spec, and not from a patch.
    #[must_use]
    pub fn is_of_spec(&self, pointer: &str) -> bool {
        self.document.origins.0.get(pointer).is_some_and(|at| !self.patches.contains(at))
    }

    /// Returns the span in the spec from which the value at a JSON pointer comes, or `None` if a patch has set the value.
    #[must_use]
    pub fn line_of(&self, pointer: &str) -> Option<Span> {
        self.document.origins.blame(pointer).filter(|at| !self.patches.contains(at))
    }

    fn patch_of(&self, pointer: &str) -> Option<Span> {
        self.document.origins.blame(pointer).filter(|at| self.patches.contains(at))
    }

    /// Returns the first JSON pointer, at or below `pointer`, whose value a patch has set or removed. `None` if no patch has
    /// changed such a value.
    #[must_use]
    pub fn changed_below(&self, pointer: &str) -> Option<String> {
        let all = self.document.origins.0.range(pointer.to_owned()..);
        let mut all = all.take_while(|(at, _)| at.starts_with(pointer));
        let within = |at: &str| matches!(at.as_bytes().get(pointer.len()), None | Some(b'/'));
        all.find(|(at, span)| within(at) && self.patches.contains(span)).map(|(at, _)| at.clone())
    }

    /// Returns the items of the list at a JSON pointer, each with its own pointer.
    pub fn items(&self, pointer: &str) -> impl Iterator<Item = (String, &'d Value)> + use<'d> {
        let pointer = pointer.to_owned();
        let list = self.at(&pointer).as_array().map_or(&[][..], Vec::as_slice);
        list.iter().enumerate().map(move |(number, item)| (format!("{pointer}/{number}"), item))
    }

    /// Checks the value at a JSON pointer against its type: required fields must exist, and list items must have different keys.
    /// Calls `object` for each object, with the name of its type and its pointer.
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

    /// Reports two items of a list with the same key.
    fn distinct(&mut self, pointer: &str, list: &List, items: &[Value]) {
        if list.keys.is_empty() {
            return;
        }
        let mut met = BTreeSet::new();
        for (number, item) in items.iter().enumerate() {
            let part = |key: &&str| if key.is_empty() { item.to_string() } else { item[*key].to_string() };
            let key: Vec<String> = list.keys.iter().map(part).collect();
            // For a missing key, the platform fills in a default that tfjob does not know. So an item without the key is not
            // compared.
            if !key.iter().any(|part| part == "null") && !met.insert(key.clone()) {
                let fact = format!("`{}` has two items with {}", self.path(pointer), key.join(", "));
                self.fault(&[&format!("{pointer}/{number}")], &fact);
            }
        }
    }

    /// Returns the span of the patch that causes a fault: the patch that wrote the value at one of these JSON pointers. If no patch
    /// wrote them, it is a patch that wrote a value near one of them or, without such a patch, the last patch. Earlier pointers
    /// take precedence. `None` if there is no patch.
    fn cause(&self, places: &[&str]) -> Option<Span> {
        let own = |place: &&str| self.patch_of(place);
        let near = |place: &&str| {
            let mut above =
                std::iter::successors(Some(*place), |place| place.rsplit_once('/').map(|(a, _)| a));
            above
                .find_map(|place| self.changed_below(place))
                .and_then(|at| self.document.origins.0.get(&at).copied())
        };
        let found = places.iter().find_map(own).or_else(|| places.iter().find_map(near));
        found.or_else(|| self.patches.last().copied())
    }

    /// Returns the path of a value in the patch that wrote it: relative to the root of the patch, and with the item numbers in the
    /// patch. So a fault has the same text for every role into which the patch is merged.
    #[must_use]
    pub fn path(&self, pointer: &str) -> String {
        let above = std::iter::successors(Some(pointer), |at| at.rsplit_once('/').map(|(above, _)| above));
        let patch = self.cause(&[pointer]);
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

    /// Reports a fault of the merged document, at the patch that causes it. `places`: JSON pointers of the values with the fault;
    /// earlier pointers take precedence.
    pub fn fault(&mut self, places: &[&str], fact: &str) {
        self.fault_in_patch(places, &format!("after the patch is merged, {fact}"));
    }

    /// Reports a fault of the patch itself. [`Self::fault`] reports faults of the merged document.
    pub fn fault_in_patch(&mut self, places: &[&str], fact: &str) {
        let Some(at) = self.cause(places) else { return };
        let fact = format!("{}: {fact}", self.target);
        self.found.push(Diagnostic::new(&BAD_PATCH, at, fact).here("in this patch"));
    }

    /// Warns of a patched value that tfjob cannot check.
    pub fn uncheckable(&mut self, pointer: &str, fact: &str, help: &str) {
        let Some(at) = self.patch_of(pointer) else { return };
        let fact = format!("{}: {fact}", self.target);
        let found = Diagnostic::new(&PATCH_UNCHECKED, at, fact).here("in this patch");
        self.found.push(found.help(help));
    }

    /// Reports that the platform does not expand a reference to an environment variable in a patch. This is an error if the spec
    /// sets the variable, at the span `set`; otherwise, it is a warning.
    pub fn unexpanded(&mut self, pointer: &str, set: Option<Span>, fact: &str, help: &str) {
        let Some(at) = self.patch_of(pointer) else { return };
        let fact = format!("{}: {fact}", self.target);
        let code = if set.is_some() { &BAD_PATCH } else { &UNEXPANDED_SYNTAX };
        let found = Diagnostic::new(code, at, fact).here("in this patch").help(help);
        self.found.push(match set {
            Some(set) => found.label(set, "set here"),
            None => found,
        });
    }

    /// Warns of a patched value that contradicts another entry of the spec. `words`: span of this entry.
    pub fn contrary(&mut self, pointer: &str, words: Span, fact: &str, help: &str) {
        let Some(at) = self.patch_of(pointer) else { return };
        let fact = format!("{}: {fact}", self.target);
        let found = Diagnostic::new(&PATCH_OVERRIDES, at, fact).here("the patch takes precedence");
        let label = if self.names.contains(&words) { "derived from this" } else { "set here" };
        self.found.push(found.label(words, label).help(help));
    }

    /// Reports a fault in a value that a patch has set or removed, unless this change is already reported.
    pub fn changed(&mut self, pointer: &str, fact: &str) {
        let Some(at) = self.patch_of(pointer) else { return };
        if self.reported.insert((at, pointer.to_owned())) {
            self.fault_in_patch(&[pointer], fact);
        }
    }

    /// Returns the diagnostics of all faults.
    #[must_use]
    pub fn done(mut self) -> Vec<Diagnostic> {
        self.overrides();
        self.found
    }
}

/// Returns the name of the map that contains the value at a JSON pointer, if the keys of the map are arbitrary names.
fn map_of(pointer: &str) -> Option<&str> {
    let above = pointer.rsplit('/').nth(1)?;
    ["annotations", "labels", "nodeSelector"].into_iter().find(|map| *map == above)
}

/// Returns whether a JSON pointer matches a pattern, in which `*` stands for any step.
fn matches(pattern: &str, pointer: &str) -> bool {
    let mut steps = pointer.split('/');
    pattern.split('/').all(|want| steps.next().is_some_and(|step| want == "*" || want == step))
        && steps.next().is_none()
}
