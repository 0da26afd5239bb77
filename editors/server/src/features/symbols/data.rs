//! Symbols of a JSON or YAML document.
use super::{View, kind, shortened};
use crate::data::{Data, Pair, Value};
use lsp_types::{DocumentSymbol, SymbolKind};
use std::ops::Range;
use tfjob_lang::shape::{Object, Shape};
use tfjob_lang::sources::Format;

/// What the keys of an object are.
#[derive(Clone, Copy)]
enum Keys<'s> {
    /// Fields of an object of the language; `None` for unknown fields.
    Fields(Option<&'s Object>),
    /// Names of the entries of a field, such as roles: the name of the field, and the shape of an entry.
    Names(&'s str, &'s Shape),
}

/// Returns the symbols of a document, nested as in its text.
pub(super) fn symbols(view: &View<'_>, format: Format, root: Option<&Object>) -> Vec<DocumentSymbol> {
    let data = Data::of(&view.document.text, format);
    pairs(view, data.root.as_ref(), Keys::Fields(root))
}

fn pairs(view: &View<'_>, value: Option<&Value>, keys: Keys<'_>) -> Vec<DocumentSymbol> {
    let pairs = value.map(Value::pairs).unwrap_or_default();
    pairs.iter().filter(|pair| !pair.key.text.is_empty()).map(|pair| symbol(view, pair, keys)).collect()
}

#[expect(deprecated, reason = "LSP has a field that is replaced by tags")]
fn symbol(view: &View<'_>, pair: &Pair, keys: Keys<'_>) -> DocumentSymbol {
    let key = pair.key.text.as_str();
    let (kind, inner) = match keys {
        Keys::Names(field, item) => (kind(field, false), Keys::Fields(item.object())),
        Keys::Fields(object) => {
            let field = object.and_then(|object| object.field(key));
            let inner = match field.map(|field| (field.name, &field.shape)) {
                Some((name, Shape::Keyed(keyed))) => Keys::Names(name, &keyed.item),
                Some((_, shape)) => Keys::Fields(shape.object()),
                None => Keys::Fields(None),
            };
            let has_block = pair.value.as_ref().is_some_and(|value| value.word().is_none());
            let group = matches!(inner, Keys::Names(..));
            (if group { SymbolKind::STRUCT } else { kind(key, has_block) }, inner)
        }
    };
    let detail = detail(view, pair);
    let children = pairs(view, pair.value.as_ref(), inner);
    DocumentSymbol {
        name: view.shown(&pair.key).to_owned(),
        detail: Some(detail).filter(|detail| !detail.is_empty()),
        kind,
        tags: None,
        deprecated: None,
        range: view.document.range(extent(pair)),
        selection_range: view.document.range(pair.key.bytes.clone()),
        children: Some(children).filter(|children| !children.is_empty()),
    }
}

/// Returns a scalar or a list as written; for an object, the value of its field `count`, otherwise of `name`.
fn detail(view: &View<'_>, pair: &Pair) -> String {
    let Some(value) = &pair.value else { return String::new() };
    let raw = |bytes: Range<usize>| shortened(view.masked.get(bytes).unwrap_or_default());
    match value {
        Value::Scalar(word) => raw(word.bytes.clone()),
        Value::List(_) => end_of(value).map_or_else(String::new, |end| {
            let start = start_of(value).unwrap_or(end);
            raw(start..end)
        }),
        Value::Map(_) => {
            let count =
                value.get("count").and_then(Value::word).map(|word| format!("count={}", view.shown(word)));
            let name = || value.get("name").and_then(Value::word).map(|word| view.shown(word).to_owned());
            count.or_else(name).unwrap_or_default()
        }
    }
}

/// Returns the bytes from a key to the end of its value.
pub(in crate::features) fn extent(pair: &Pair) -> Range<usize> {
    let ends = [pair.value.as_ref().and_then(end_of), pair.closed, pair.colon.map(|colon| colon + 1)];
    let end = ends.into_iter().flatten().max().unwrap_or_default();
    pair.key.bytes.start..end.max(pair.key.bytes.end)
}

fn end_of(value: &Value) -> Option<usize> {
    match value {
        Value::Scalar(word) => Some(word.bytes.end),
        Value::List(items) => items.iter().rev().find_map(end_of),
        Value::Map(pairs) => pairs.last().map(|pair| extent(pair).end),
    }
}

fn start_of(value: &Value) -> Option<usize> {
    match value {
        Value::Scalar(word) => Some(word.bytes.start),
        Value::List(items) => items.iter().find_map(start_of),
        Value::Map(pairs) => pairs.first().map(|pair| pair.key.bytes.start),
    }
}

/// Calls a function with the bytes of each pair and scalar, the outer ones first.
pub(in crate::features) fn visit(value: &Value, call: &mut impl FnMut(Range<usize>)) {
    match value {
        Value::Scalar(word) => call(word.bytes.clone()),
        Value::List(items) => items.iter().for_each(|item| visit(item, call)),
        Value::Map(pairs) => {
            for pair in pairs {
                call(extent(pair));
                call(pair.key.bytes.clone());
                pair.value.iter().for_each(|value| visit(value, call));
            }
        }
    }
}
