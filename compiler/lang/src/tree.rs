//! The neutral tree: one structure with spans for KDL, JSON, and YAML. Its keys are the field names of the spec.
mod decode;

pub(crate) use decode::AS_WRITTEN;
pub use decode::{Misfit, decode};

use crate::sources::Span;

/// A value and its span.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// Span of the value. For a string, it includes the quotes; for a node, it reaches from the name to the last token.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// Value of a [`Tree`].
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `#null`.
    Null,
    /// `#true`, `#false`.
    Bool(bool),
    /// Integer.
    Int(i128),
    /// Floating-point number. Never infinite or NaN.
    Float(f64),
    /// String, with escapes resolved.
    Text(String),
    /// List.
    List(Vec<Tree>),
    /// Fields or named entries, in source order. Their keys are unique.
    Map(Vec<Entry>),
    /// Invalid value, for which an error is already reported. In a map, its key is the intended field, or empty if that is
    /// unknown. Later stages then do not report the field as missing.
    Hole,
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Key: the name of a field or of a named entry.
    pub key: String,
    /// Span of the key. An argument has no key; for an argument, the span of the value.
    pub key_span: Span,
    /// The value.
    pub tree: Tree,
}

impl Entry {
    /// Returns whether the value was written without its key: an argument of KDL, or a plain value of JSON or YAML.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.key_span == self.tree.span
    }
}

impl Tree {
    /// Returns a tree with a map.
    #[must_use]
    pub const fn map(span: Span, entries: Vec<Entry>) -> Self {
        Self { span, value: Value::Map(entries) }
    }

    /// Returns the entries of a map. Empty for any other value.
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

    /// Returns the entries of a map for modification. Empty for any other value.
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

    /// Returns the value with the key `key`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.entries().iter().find(|e| e.key == key).map(|e| &e.tree)
    }

    /// Returns the string, if the value is a string.
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

    /// Returns the spans of all scalars in the tree.
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
