//! The neutral tree: KDL, JSON and YAML become one spanned shape, keyed by the names of the spec's fields.
mod decode;

pub(crate) use decode::AS_WRITTEN;
pub use decode::{Misfit, decode};

use crate::sources::Span;

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// The words that wrote it: of a text its literal with the quotes, of a node the name up to its last word.
    pub span: Span,
    /// What it is.
    pub value: Value,
}

/// What a [`Tree`] can be.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `#null`.
    Null,
    /// `#true`, `#false`.
    Bool(bool),
    /// A whole number.
    Int(i128),
    /// Any other number, never infinite or NaN.
    Float(f64),
    /// Text, escapes resolved.
    Text(String),
    /// Values in order.
    List(Vec<Tree>),
    /// Fields or named things, in the order written, keys unique.
    Map(Vec<Entry>),
    /// Written, but not to be read; the fault has been told. In a map it stands under the field that was meant, or
    /// under an empty key where nobody knows. So no later stage calls that field missing.
    Hole,
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key, as the spec's field or the user's name.
    pub key: String,
    /// The words of the key; where a value has none (an argument), the value's span.
    pub key_span: Span,
    /// The value.
    pub tree: Tree,
}

impl Entry {
    /// Whether the value was written without its key: an argument of KDL, or a plain value of JSON or YAML.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.key_span == self.tree.span
    }
}

impl Tree {
    /// A map.
    #[must_use]
    pub const fn map(span: Span, entries: Vec<Entry>) -> Self {
        Self { span, value: Value::Map(entries) }
    }

    /// The entries, if it is a map; else none.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Map(entries) => entries,
            Value::Null
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Text(_)
            | Value::List(_)
            | Value::Hole => &[],
        }
    }

    /// The entries to change, if it is a map; else none.
    pub fn entries_mut(&mut self) -> &mut [Entry] {
        match &mut self.value {
            Value::Map(entries) => entries,
            Value::Null
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Text(_)
            | Value::List(_)
            | Value::Hole => &mut [],
        }
    }

    /// The value under `key`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.entries().iter().find(|e| e.key == key).map(|e| &e.tree)
    }

    /// The text, if it is one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            Value::Null
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::List(_)
            | Value::Map(_)
            | Value::Hole => None,
        }
    }

    /// The spans of all values.
    #[must_use]
    pub fn leaves(&self) -> Vec<Span> {
        match &self.value {
            Value::Map(entries) => entries.iter().flat_map(|e| e.tree.leaves()).collect(),
            Value::List(list) => list.iter().flat_map(Self::leaves).collect(),
            Value::Hole => Vec::new(),
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) => {
                vec![self.span]
            }
        }
    }
}
