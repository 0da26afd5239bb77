//! Settings of an environment: `set "role.worker.count=8"`. The fields are those of the specs of the project.
use super::context::Context;
use super::example;
use super::insert::Draft;
use super::item::Item;
use super::names::{Name, distinct};
use crate::features::setting::specs_without;
use std::path::Path;
use tfjob_driver::Checked;
use tfjob_lang::merge::{Next, next};
use tfjob_lang::secrets::{self, Scrubber};
use tfjob_lang::shape::Shape;
use tfjob_lang::syntax::literal::quote;
use tfjob_lang::tree::{Tree, Value};

/// Returns the settings that the text before the cursor may begin, each up to its next name or its value.
pub fn names(context: &Context<'_>) -> Vec<Name> {
    let registry = *context.session.host.driver().registry();
    let typed = &context.decoded();
    let mut found = Vec::new();
    let (document, word) = (context.document, context.cursor.word.clone());
    // The last check has the value of the setting itself, if that is valid.
    for (path, checked) in specs_without(context.session, document, &context.cursor.path, word) {
        let scrubber = secrets::scrubber(checked.iter().map(|one| &one.batch.sources));
        for tree in checked.iter().filter_map(|one: &Checked| one.tree.as_ref()) {
            let all = next(tree, registry.jobs, typed).into_iter();
            found.extend(all.flat_map(|next| continued(typed, next, &path, &scrubber)));
        }
    }
    distinct(found)
}

/// Returns whether a typed character may be followed by another name or a value of a setting.
#[must_use]
pub fn continues(context: &Context<'_>) -> bool {
    context.in_string() && context.cursor.field(context.root).is_some_and(|field| field.has_settings())
}

/// Lets the item of a setting replace only the part up to its next mark, so that the rest of the setting stays: `role.` at the cursor in
/// `"ro|le.worker.count=4"`. Its filter text is as the setting is written, also with escapes, because an editor compares the two.
#[must_use]
pub fn in_place(context: &Context<'_>, name: &str, mut item: Item) -> Item {
    let document = &context.document.text;
    let before = document.get(item.range.start..context.byte).unwrap_or_default();
    let Some(rest) = name.strip_prefix(context.decoded().as_str()) else { return item };
    let rest = quote(rest);
    let rest = &rest[1..rest.len() - 1];
    if before.contains(['\\', '#']) {
        item.filter = Some(format!("{before}{rest}"));
    }
    let after = document.get(context.byte..context.cursor.word.end).unwrap_or_default();
    let next = after.find(['.', '=', '"', '\\']).filter(|at| name.ends_with(&after[*at..=*at]));
    if let (Some(at), Some('"')) = (next, context.closed_quote()) {
        item.range = item.range.start + 1..context.byte + at + 1;
        let new = quote(name);
        item.draft = Draft::of(&new[1..new.len() - 1]);
        item.filter = item.filter.map(|filter| filter.trim_start_matches('"').to_owned());
    }
    item
}

/// Returns the texts of a setting that ends with its next name or value.
fn continued(typed: &str, next: Next, spec: &Path, scrubber: &Scrubber) -> Vec<Name> {
    match next {
        Next::Name { name, about, has_value, has_names } => {
            let start = &typed[..last(typed, '.').map_or(0, |at| at + 1)];
            let marks = [("=", has_value), (".", has_names)].into_iter().filter(|(_, has)| *has);
            let text = |(mark, _)| Name {
                about: about.to_owned(),
                ..Name::new(format!("{start}{name}{mark}"), if mark == "." { "…" } else { "" })
            };
            marks.map(text).collect()
        }
        Next::Value { shape, current } => {
            let Some(end) = last(typed, '=') else { return Vec::new() };
            let (key, start) = (&typed[..end], &typed[..=end]);
            let mut names = choices(&shape);
            let file = spec.file_name().unwrap_or_default().to_string_lossy();
            let is_safe = |value: &String| {
                let name = key.rsplit('.').next().unwrap_or_default();
                let is_open = scrubber.find(value).is_empty() && secrets::in_value(name, value).is_empty();
                is_open && !value.is_empty()
            };
            if let Some(value) = current.as_ref().and_then(plain).filter(is_safe) {
                names.push(Name { is_guess: true, ..Name::new(value, format!("value of {file}")) });
            } else if names.is_empty() {
                let example = example::value(None, &shape, None);
                names.push(Name { is_guess: true, ..Name::new(example, "example") });
            }
            names.retain(|name| !name.text.is_empty());
            names.iter_mut().for_each(|name| name.text.insert_str(0, start));
            names
        }
    }
}

/// Returns the values of a shape with few values.
fn choices(shape: &Shape) -> Vec<Name> {
    match shape {
        Shape::Words(choices) => {
            let name = |choice: &tfjob_lang::shape::Choice| Name {
                about: choice.doc.to_owned(),
                ..Name::new(choice.word, "")
            };
            choices.iter().map(name).collect()
        }
        Shape::Flag => vec![Name::new("true", ""), Name::new("false", "")],
        Shape::NumberOr(_, other) => choices(other),
        Shape::Object(_)
        | Shape::Keyed(_)
        | Shape::List(_)
        | Shape::Number(_)
        | Shape::Text(_)
        | Shape::Scalar
        | Shape::Any => Vec::new(),
    }
}

/// Returns a value as it is written in a setting. `None` for a block, and for a text of several lines.
fn plain(tree: &Tree) -> Option<String> {
    match &tree.value {
        Value::Text(text) if !text.contains('\n') => Some(text.clone()),
        Value::Int(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Text(_) | Value::Null | Value::List(_) | Value::Map(_) | Value::Hole => None,
    }
}

/// Returns the offset of a mark outside of quotes: of the last dot, but of the first `=`, because a value may contain it.
fn last(text: &str, mark: char) -> Option<usize> {
    let mut quoted = false;
    let outside = text.char_indices().filter(|(_, c)| {
        quoted ^= *c == '"';
        !quoted && *c == mark
    });
    let mut outside = outside.map(|(at, _)| at);
    if mark == '=' { outside.next() } else { outside.last() }
}
