//! Entries of a block that is being read. If a key has several values, the first is kept. A later value replaces only a hole,
//! which stands for an unparsable value.
use crate::sources::Span;
use crate::syntax::{NodeEntry, Scalar};
use crate::tree::{Entry, Tree, Value};

/// Converts a KDL value to a tree.
pub(super) fn scalar(entry: &NodeEntry) -> Tree {
    let value = match &entry.value {
        Scalar::Null => Value::Null,
        Scalar::Bool(flag) => Value::Bool(*flag),
        Scalar::Int(number) => Value::Int(*number),
        Scalar::Float(number) => Value::Float(*number),
        Scalar::Text(text) => Value::Text(text.clone()),
    };
    Tree { span: entry.span, value }
}

/// Returns a hole, which stands for an unparsable value.
pub(super) const fn hole(span: Span) -> Tree {
    Tree { span, value: Value::Hole }
}

/// Sets a key, unless the key already has a value other than a hole.
pub(super) fn put(entries: &mut Vec<Entry>, key: &str, key_span: Span, tree: Tree) {
    match entries.iter_mut().find(|entry| entry.key == key) {
        Some(entry) if entry.tree.value == Value::Hole => {
            *entry = Entry { key: key.to_owned(), key_span, tree }
        }
        Some(_) => {}
        None => entries.push(Entry { key: key.to_owned(), key_span, tree }),
    }
}

/// Returns the span of `key`, if the key has a value other than a hole.
pub(super) fn given(entries: &[Entry], key: &str) -> Option<Span> {
    entries
        .iter()
        .find(|entry| entry.key == key && entry.tree.value != Value::Hole)
        .map(|entry| entry.key_span)
}

/// Returns the value of a key.
pub(super) fn value_of<'e>(entries: &'e mut [Entry], key: &str) -> Option<&'e mut Value> {
    entries.iter_mut().find(|entry| entry.key == key).map(|entry| &mut entry.tree.value)
}
