//! Entries that the block at the cursor inherits: those of base files, and in a role those of the job.
use super::context::Context;
use super::example::Example;
use super::names::{Name, distinct};
use crate::cursor::tree_at;
use crate::features::actions::convert;
use std::path::Path;
use tfjob_driver::Checked;
use tfjob_lang::merge;
use tfjob_lang::secrets::{self, Scrubber};
use tfjob_lang::shape::{Field, Place, Shape};
use tfjob_lang::sources::{Format, Source, Span};
use tfjob_lang::spec;
use tfjob_lang::tree::{Tree, Value};

/// An entry that a new entry at the cursor replaces or extends.
pub struct Inherited<'c> {
    /// The value of the entry.
    tree: &'c Tree,
    /// The text with the entry.
    source: &'c Source,
    /// Finds the credentials in all texts of the spec.
    scrubber: &'c Scrubber,
    /// Whether the entry is a default of the job.
    is_default: bool,
}

/// Returns the entry of this field that the block at the cursor inherits.
pub fn entry<'c>(context: &'c Context<'_>, field: &Field) -> Option<Inherited<'c>> {
    let root = context.root.object()?;
    let is_default = context.cursor.path.len() == 2
        && context.role().is_some_and(|(kind, _)| spec::is_default(field.name, kind));
    let scrubber = context.session.last(&context.document.path)?.scrubber();
    context.merged().find_map(|(checked, tree)| {
        let find = |block: &'c Tree| block.entries().iter().find(|entry| entry.key == field.name);
        let block = tree_at(tree, root, &context.cursor.path);
        if let Some(entry) = block.and_then(find)
            && let Some(source) = base_of(context, checked, entry.key_span)
        {
            return Some(Inherited { tree: &entry.tree, source, scrubber, is_default: false });
        }
        let entry = tree.get("job").filter(|_| is_default).and_then(find)?;
        let source = checked.batch.sources.find(entry.key_span)?;
        Some(Inherited { tree: &entry.tree, source, scrubber, is_default: true })
    })
}

/// Returns the names of the roles or helpers that only base files declare. `block`: `role` or `helper`.
pub fn names(context: &Context<'_>, block: &str) -> Vec<Name> {
    let mut names = Vec::new();
    for (checked, tree) in context.merged() {
        for entry in tree.get("job").and_then(|job| job.get(block)).map_or(&[][..], Tree::entries) {
            if let Some(source) = base_of(context, checked, entry.key_span) {
                names.push(Name::new(&entry.key, format!("{block} of {}", file_name(source))));
            }
        }
    }
    distinct(names)
}

/// Returns the base file that contains a span. `None` for the document itself, and for a setting.
fn base_of<'c>(context: &Context<'_>, checked: &'c Checked, span: Span) -> Option<&'c Source> {
    let is_base =
        |source: &&Source| source.format != Format::Set && Path::new(&source.name) != context.document.path;
    checked.batch.sources.find(span).filter(is_base)
}

fn file_name(source: &Source) -> String {
    Path::new(&source.name).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

impl Inherited<'_> {
    /// Returns what a new entry does with the inherited one, for the description of the field.
    pub fn about(&self, field: &Field) -> String {
        let (from, is_repeated) = match self.is_default {
            true => ("the job".to_owned(), "the job"),
            false => (format!("`{}`", file_name(self.source)), "the base"),
        };
        if merge::is_replaced(field) {
            format!("Entirely replaces the `{}` of {from}.", field.name)
        } else if field.place == Place::List {
            format!("Is added to the entries of {from}.")
        } else {
            format!(
                "Is merged with the entries of {from}; an entry with the same name overrides that of {is_repeated}."
            )
        }
    }

    /// Returns the inherited values for placeholders. `None` if a new entry does not replace the inherited one, or if the values
    /// contain a credential or several lines.
    pub fn example(&self, field: &Field) -> Option<Example> {
        if !merge::is_replaced(field) || !self.is_safe(field.name, self.tree) {
            return None;
        }
        let mut example = Example { is_complete: true, ..Example::default() };
        match (&self.tree.value, &field.shape) {
            (Value::List(items), _) => example.arguments = items.iter().map(word).collect::<Option<_>>()?,
            (Value::Map(entries), Shape::Object(object)) => {
                let arguments = object.at(Place::Arg);
                example.arguments = arguments.map_while(|field| word(self.tree.get(field.name)?)).collect();
                let properties = object.at(Place::Prop);
                example.properties = properties
                    .filter_map(|field| Some((field.name.to_owned(), word(self.tree.get(field.name)?)?)))
                    .collect();
                if entries.iter().any(|entry| object.nodes().any(|node| node.name == entry.key)) {
                    example.block = Some(convert::nodes(self.source, self.tree, &field.shape)?);
                }
            }
            (_, _) => example.arguments = vec![word(self.tree)?],
        }
        Some(example)
    }

    fn is_safe(&self, key: &str, tree: &Tree) -> bool {
        match &tree.value {
            Value::Text(text) => {
                let hidden = !self.scrubber.find(text).is_empty() || !secrets::in_value(key, text).is_empty();
                !hidden && !text.contains('\n')
            }
            Value::List(items) => items.iter().all(|item| self.is_safe(key, item)),
            Value::Map(entries) => entries.iter().all(|entry| self.is_safe(&entry.key, &entry.tree)),
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) => {
                self.source.span().contains(tree.span)
            }
            Value::Hole => false,
        }
    }
}

/// Returns a single value as text.
fn word(tree: &Tree) -> Option<String> {
    match &tree.value {
        Value::Text(text) => Some(text.clone()),
        Value::Int(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::List(_) | Value::Map(_) | Value::Hole => None,
    }
}
