//! Settings of an environment: `set "role.worker.count=8"`. The fields are those of the specs of the project.
use super::context::Context;
use super::example;
use super::insert::Draft;
use super::item::Item;
use super::names::{Name, distinct};
use crate::outline::Outline;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tfjob_driver::Checked;
use tfjob_driver::files::is_spec;
use tfjob_lang::merge::{Next, next};
use tfjob_lang::secrets::{self, Scrubber};
use tfjob_lang::shape::Shape;
use tfjob_lang::tree::{Tree, Value};

/// Maximum number of specs whose fields are offered.
const MAX_SPECS: usize = 20;

/// Returns the settings that the text before the cursor may begin, each up to its next name or its value.
pub fn names(context: &Context<'_>) -> Vec<Name> {
    let registry = *context.session.host.driver().registry();
    let typed = typed(context);
    let mut found = Vec::new();
    for path in specs(context) {
        let again;
        let checked = match context.session.last(&path).map(|results| &results.checked) {
            Some(checked) if !checked.is_empty() => checked,
            Some(_) | None => {
                again = context.session.checked_again(&path);
                &again
            }
        };
        let scrubber = secrets::scrubber(checked.iter().map(|one| &one.batch.sources));
        for tree in checked.iter().filter_map(|one: &Checked| one.tree.as_ref()) {
            let all = next(tree, registry.jobs, &typed).into_iter();
            found.extend(all.flat_map(|next| continued(&typed, next, &path, &scrubber)));
        }
    }
    distinct(found)
}

/// Returns the text before the cursor with escapes resolved: a key with dots is in quotes.
fn typed(context: &Context<'_>) -> String {
    let typed = context.typed();
    // A raw string has no escapes.
    if !typed.contains('\\') || context.word().starts_with('#') {
        return typed.to_owned();
    }
    let outline = Outline::of(&format!("set \"{typed}\""));
    let word = outline.nodes.first().and_then(|node| node.arguments().next());
    word.map_or_else(|| typed.to_owned(), |word| word.text.clone())
}

/// Lets an item that ends with `.` or `=` replace only its part of a closed string: `role.` in place of `ro.` in `"ro.worker.count=4"`.
pub fn before_rest(context: &Context<'_>, mut item: Item) -> Item {
    let (Some('"'), true) = (context.closed_quote(), item.range == context.cursor.word) else { return item };
    let Some(draft) = item.draft.plain.strip_prefix('"').and_then(|text| text.strip_suffix('"')) else {
        return item;
    };
    let rest = context.document.text.get(context.byte..item.range.end - 1).unwrap_or_default();
    // The next part of the key, if the rest is not in the middle of a quoted name.
    let mark = rest.find(['.', '=', '\\']).filter(|at| draft.ends_with(&rest[*at..=*at]));
    if let Some(mark) = mark {
        item.range = item.range.start + 1..context.byte + mark + 1;
        item.filter = item.filter.map(|filter| filter.trim_start_matches('"').to_owned());
        item.draft = Draft::of(draft);
    }
    item
}

/// Returns whether a typed character may be followed by another name or a value of a setting.
#[must_use]
pub fn continues(context: &Context<'_>) -> bool {
    context.in_string() && context.cursor.field(context.root).is_some_and(|field| field.has_settings())
}

/// Returns the paths of the specs in the directory of the project file.
fn specs(context: &Context<'_>) -> BTreeSet<PathBuf> {
    let Some(root) = context.document.path.parent().filter(|root| root.is_absolute()) else {
        return BTreeSet::new();
    };
    let is_own = |path: &&PathBuf| path.starts_with(root) && is_spec(&path.to_string_lossy());
    context.session.paths().filter(is_own).take(MAX_SPECS).cloned().collect()
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
                scrubber.find(value).is_empty() && secrets::in_value(name, value).is_empty()
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
