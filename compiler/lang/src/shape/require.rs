//! Reports fields that are missing after the merge. Each one is reported once, at the name of the entry that lacks it.
use super::words::one_of;
use super::{Field, Object, Place, Shape, keys, literal};
use crate::codes::MISSING_FIELD;
use crate::diagnostic::Diagnostic;
use crate::sources::{Format, Sources, Span};
use crate::tree::{Tree, Value};
use std::collections::BTreeSet;

/// Reports missing required fields. A field that could not be parsed is not missing. In a block with unparsable parts, no field
/// is reported as missing, because these parts may contain it.
#[must_use]
pub fn require(tree: &Tree, shape: &Shape, sources: &Sources) -> Vec<Diagnostic> {
    let job = tree.get("job");
    let mut search = Search { sources, job, base_lost: has_lost(tree), out: Vec::new() };
    let start = Span::new(tree.span.start, tree.span.start);
    search.value(shape, tree, &Owner { name: "the file", key: None, at: start });
    // Every role inherits the defaults of the job, so equal findings are reported only once.
    let mut told = BTreeSet::new();
    search.out.retain(|d| told.insert((d.span(), d.message.clone())));
    search.out
}

struct Search<'a> {
    sources: &'a Sources,
    job: Option<&'a Tree>,
    /// Whether a base file could not be read. That file may contain the missing fields.
    base_lost: bool,
    out: Vec<Diagnostic>,
}

/// Returns whether a block has unparsable parts.
fn has_lost(block: &Tree) -> bool {
    block.entries().iter().any(|entry| entry.key.is_empty() && entry.tree.value == Value::Hole)
}

/// The entry that lacks a required field.
struct Owner<'t> {
    /// Field name of this entry, such as `role`.
    name: &'t str,
    /// Name of this entry if it is a named entry, such as `worker` in `role "worker"`.
    key: Option<&'t str>,
    /// Span of the name at which the error is reported.
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

    /// Returns the span of the entry name at the start of a KDL list item.
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

    /// Reports a missing field. `plain`: the object that `owner` should be, if the user wrote only a plain value.
    fn missing(&mut self, field: &Field, owner: &Owner<'_>, plain: Option<&'static Object>) {
        let whose = match (owner.key, owner.name) {
            (Some(key), name) => format!("`{name} \"{key}\"`"),
            (None, "the file") => "the file".to_owned(),
            (None, name) => format!("`{name}`"),
        };
        let format = self.sources.find(owner.at).map_or(Format::Kdl, |source| source.format);
        let kdl = matches!(format, Format::Kdl | Format::Set);
        let (lacks, form) = match field.place {
            // The name of an argument does not occur in KDL, so the message describes the argument.
            Place::Arg if kdl => (argument(field), format!("{} {}", whose.trim_matches('`'), field.form())),
            _ if kdl => (format!("`{}`", field.name), field.form()),
            _ => {
                // The user wrote a plain value, where an object is valid, too. Only an object can contain the missing field, so the
                // help shows the object.
                let form = plain.map(|object| keys::due(&Shape::Object(object), format));
                (format!("`{}`", field.name), form.unwrap_or_else(|| keys::form(field, format)))
            }
        };
        let told = Diagnostic::new(&MISSING_FIELD, owner.at, format!("missing {lacks} in {whose}"));
        let told = match self.replaced(field, owner) {
            Some((at, what)) => told.label(at, what),
            None => told,
        };
        let choices = match &field.shape {
            Shape::Words(choices) if form.contains("KEYWORD") => {
                let words = choices.iter().map(|choice| format!("\"{}\"", choice.word));
                let words: Vec<String> = words.collect();
                format!(", one of {}", one_of(words.iter().map(String::as_str), "or"))
            }
            _ => String::new(),
        };
        let verb = if kdl && field.place == Place::Arg { "write" } else { "add" };
        let help = match shown(field).filter(|_| kdl) {
            Some(example) => format!("add `{}`, such as `{example}`", field.name),
            None => format!("{verb} `{form}` ({}{choices})", lower(field.brief())),
        };
        self.out.push(told.help(help + &self.replacement(field, owner, format)));
    }

    /// Returns the span and a label for a block in `job` that sets the field, if a block in the role replaces that block.
    fn replaced(&self, field: &Field, owner: &Owner<'_>) -> Option<(Span, &'static str)> {
        let entry = self.job?.entries().iter().find(|entry| entry.key == owner.name)?;
        let other = owner.key.is_none() && entry.key_span != owner.at && entry.tree.get(field.name).is_some();
        other.then_some((entry.key_span, "replaced entirely"))
    }

    /// Returns a note if the block of `owner` replaces another block, because users may expect that the two blocks are merged.
    /// Otherwise, returns an empty string.
    fn replacement(&self, field: &Field, owner: &Owner<'_>, format: Format) -> String {
        let name = owner.name;
        if self.replaced(field, owner).is_some() {
            let set = format!("; to change the job's `{name}`, use `--set {name}.…`");
            let set = Some(set).filter(|_| format == Format::Set).unwrap_or_default();
            return format!("; the role's `{name}` entirely replaces the job's `{name}`{set}");
        }
        // The sources may include files without a base, such as the cluster file. So `extends` is searched only in the file of
        // the owner.
        let is_block = owner.key.is_none() && !["job", "the file"].contains(&name);
        let extends = || self.sources.find(owner.at).is_some_and(|source| source.text.contains("extends"));
        if is_block && extends() {
            return format!("; this `{name}` entirely replaces the `{name}` of the base");
        }
        String::new()
    }
}

/// Returns an example of a field in KDL, if there is one.
fn shown(field: &Field) -> Option<String> {
    match field.place {
        Place::Prop => Some(format!("{}={}", field.name, literal::text(Format::Kdl, field.example()?))),
        _ if field.name == "framework" => {
            Some("framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"".to_owned())
        }
        _ => None,
    }
}

/// Returns the description of an argument: its name if meaningful, otherwise "value".
fn argument(field: &Field) -> String {
    let plain = field.name == "name" || field.shape.slot() == field.name.to_uppercase();
    if field.name == "uri" {
        return "URI".to_owned();
    }
    if plain { field.name.to_owned() } else { "value".to_owned() }
}

/// Returns a sentence with its first letter in lower case, unless it begins with an acronym.
fn lower(sentence: &str) -> String {
    let mut rest = sentence.chars();
    match (rest.next(), rest.clone().next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            format!("{}{}", first.to_lowercase(), rest.as_str())
        }
        _ => sentence.to_owned(),
    }
}
