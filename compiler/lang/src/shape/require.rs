//! What is missing after all texts are merged: each missing field once, at the name of what lacks it.
use super::{Field, Object, Place, Shape, keys};
use crate::codes::MISSING_FIELD;
use crate::diagnostic::Diagnostic;
use crate::sources::{Format, Sources, Span};
use crate::tree::{Tree, Value};
use std::collections::BTreeSet;

/// Finds the required fields that are not there. A field that was written but not read is there, and a block with
/// lost words may hold them all.
#[must_use]
pub fn require(tree: &Tree, shape: &Shape, sources: &Sources) -> Vec<Diagnostic> {
    let job = tree.get("job");
    let mut search = Search { sources, job, base_lost: has_lost(tree), out: Vec::new() };
    let start = Span::new(tree.span.start, tree.span.start);
    search.value(shape, tree, &Owner { name: "the file", key: None, at: start });
    // A default of the job stands in every role, with the words and the fault of the job.
    let mut told = BTreeSet::new();
    search.out.retain(|d| told.insert((d.span(), d.message.clone())));
    search.out
}

struct Search<'a> {
    sources: &'a Sources,
    job: Option<&'a Tree>,
    /// Whether a file was not read, which may hold more of the job.
    base_lost: bool,
    out: Vec<Diagnostic>,
}

/// Whether a block lost words that nobody could read.
fn has_lost(block: &Tree) -> bool {
    block.entries().iter().any(|entry| entry.key.is_empty() && entry.tree.value == Value::Hole)
}

/// What a field may be missing from.
struct Owner<'t> {
    /// The field that holds it.
    name: &'t str,
    /// Its own name, where it has one.
    key: Option<&'t str>,
    /// The words of its name.
    at: Span,
}

impl Search<'_> {
    fn value(&mut self, shape: &Shape, tree: &Tree, owner: &Owner<'_>) {
        match (shape, &tree.value) {
            (Shape::Object(object), Value::Map(_)) => self.object(object, tree, owner),
            (Shape::Keyed(keyed), Value::Map(entries)) => {
                for entry in entries {
                    let owner = Owner { name: owner.name, key: Some(&entry.key), at: entry.key_span };
                    self.value(&keyed.item, &entry.tree, &owner);
                }
            }
            (Shape::List(list), Value::List(items)) => {
                for item in items {
                    let at = self.name_at(item.span, owner.name);
                    self.value(&list.item, item, &Owner { name: owner.name, key: None, at });
                }
            }
            (_, _) => {}
        }
    }

    /// The node's name at the start of an element, where it was written as a node.
    fn name_at(&self, item: Span, name: &str) -> Span {
        let end = item.start.saturating_add(u32::try_from(name.len()).unwrap_or(u32::MAX));
        let start = Span::new(item.start, end);
        if item.contains(start) && self.sources.slice(start) == name { start } else { item }
    }

    fn object(&mut self, object: &'static Object, tree: &Tree, owner: &Owner<'_>) {
        let plain = matches!(tree.entries(), [only] if only.is_plain());
        let lost = has_lost(tree) || self.base_lost && owner.name == "job";
        for field in object.fields {
            match tree.entries().iter().find(|entry| entry.key == field.name) {
                Some(entry) if field.place == Place::Targets => self.targets(field, &entry.tree),
                Some(entry) => {
                    let owner = Owner { name: field.name, key: None, at: entry.key_span };
                    self.value(&field.shape, &entry.tree, &owner);
                }
                None if field.required && !lost => self.missing(field, owner, plain.then_some(object)),
                None => {}
            }
        }
    }

    fn targets(&mut self, field: &Field, tree: &Tree) {
        let Shape::Object(targets) = &field.shape else { return };
        for entry in tree.entries() {
            if let Some(target) = targets.field(&entry.key) {
                let owner = Owner { name: field.name, key: Some(&entry.key), at: entry.key_span };
                self.value(&target.shape, &entry.tree, &owner);
            }
        }
    }

    /// `plain`: what lacks the field, where only a plain value was written for it.
    fn missing(&mut self, field: &Field, owner: &Owner<'_>, plain: Option<&'static Object>) {
        let whose = match (owner.key, owner.name) {
            (Some(key), name) => format!("`{name} \"{key}\"`"),
            (None, "the file") => "the file".to_owned(),
            (None, name) => format!("`{name}`"),
        };
        let format = self.sources.find(owner.at).map_or(Format::Kdl, |source| source.format);
        let kdl = matches!(format, Format::Kdl | Format::Set);
        let (lacks, form) = match field.place {
            // Who writes an argument never sees its name.
            Place::Arg if kdl => (argument(field), format!("{} {}", whose.trim_matches('`'), field.form())),
            _ if kdl => (format!("`{}`", field.name), field.form()),
            _ => {
                // A plain value has no place for another field: the object has.
                let form = plain.map(|object| keys::due(&Shape::Object(object), format));
                (format!("`{}`", field.name), form.unwrap_or_else(|| keys::form(field, format)))
            }
        };
        let told = Diagnostic::new(&MISSING_FIELD, owner.at, format!("{whose} has no {lacks}"));
        let told = match self.replaced(field, owner) {
            Some((at, what)) => told.label(at, what),
            None => told,
        };
        self.out.push(told.help(format!(
            "`{form}`: {}{}",
            lower(field.brief()),
            self.whole(field, owner, format)
        )));
    }

    /// The block of the job that has the field, where one of a role takes its place.
    fn replaced(&self, field: &Field, owner: &Owner<'_>) -> Option<(Span, &'static str)> {
        let entry = self.job?.entries().iter().find(|entry| entry.key == owner.name)?;
        let other = owner.key.is_none() && entry.key_span != owner.at && entry.tree.get(field.name).is_some();
        other.then_some((entry.key_span, "replaced as a whole"))
    }

    /// That a block takes the place of another, where it may have been meant to add to it.
    fn whole(&self, field: &Field, owner: &Owner<'_>, format: Format) -> String {
        let name = owner.name;
        if self.replaced(field, owner).is_some() {
            let set = format!("; to change the job's, `--set {name}.…`");
            let set = Some(set).filter(|_| format == Format::Set).unwrap_or_default();
            return format!("; the role's `{name}` replaces the whole `{name}` of the job{set}");
        }
        // Other files may be here too, such as that of the cluster.
        let extends = self.sources.find(owner.at).is_some_and(|source| source.text.contains("extends"));
        if extends && owner.key.is_none() && !["job", "the file"].contains(&name) {
            return format!("; a `{name}` replaces the whole `{name}` of the base");
        }
        String::new()
    }
}

/// What an argument is, for people: its name says it where the slot has the same.
fn argument(field: &Field) -> String {
    let plain = field.name == "name" || field.shape.slot() == field.name.to_uppercase();
    if plain { field.name.to_owned() } else { "value".to_owned() }
}

/// A sentence without its capital, to stand after a colon; words in capitals keep theirs.
fn lower(sentence: &str) -> String {
    let mut rest = sentence.chars();
    match (rest.next(), rest.clone().next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            format!("{}{}", first.to_lowercase(), rest.as_str())
        }
        _ => sentence.to_owned(),
    }
}
