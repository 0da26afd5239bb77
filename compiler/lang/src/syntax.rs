//! Parsers of KDL, JSON, and YAML. The only module that uses the kdl crate.
//!
//! KDL becomes [`Node`]s, which [`crate::shape`] converts to a [`crate::tree::Tree`]. JSON and YAML become a `Tree`
//! directly, because their values have keys.
//!
//! Passes over a KDL text: `guard` rejects texts that are too large or too deeply nested, and `foreign` rejects other formats.
//! `braces` closes unclosed constructs. `common_mistakes` scans the tokens of `lexer`. It reports and repairs mistakes, and removes
//! comments and elements disabled by `/-`. `plain` parses the repaired text; if `plain` does not support the text, the kdl crate
//! parses it. `draft` maps spans to the source.
use crate::sources::Span;

mod braces;
mod common_mistakes;
mod draft;
pub(crate) mod foreign;
mod foreign_tokens;
pub mod guard;
#[cfg(test)]
mod hostile;
pub mod json;
pub mod lexer;
pub mod literal;
pub(crate) mod names;
mod plain;
#[cfg(test)]
mod random;
mod read;
#[cfg(test)]
mod referee;
mod root;
mod words;
pub mod yaml;

pub use json::read_json;
pub use read::{Kdl, read_kdl};
pub use root::has_root;
pub use yaml::read_yaml;
#[cfg(test)]
pub(crate) use {random::*, referee::*};

/// A KDL node, independent of the types of the kdl crate.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Name of the node.
    pub name: String,
    /// Span of the name.
    pub name_span: Span,
    /// Span from the name to the last token before the terminator, including the children.
    pub span: Span,
    /// Arguments and properties, in source order.
    pub entries: Vec<NodeEntry>,
    /// Nodes in the block. `None` if there is no block.
    pub children: Option<Vec<Node>>,
}

impl Node {
    /// Returns the property with this name.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&NodeEntry> {
        self.entries.iter().find(|entry| entry.key.as_ref().is_some_and(|(key, _)| key == name))
    }
}

/// One argument or property of a node. `key` is `None` for an argument.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeEntry {
    /// Name of the property, and the span of this name.
    pub key: Option<(String, Span)>,
    /// The value of the argument or property.
    pub value: Scalar,
    /// Span of the value.
    pub span: Span,
    /// Whether the value is an unquoted string.
    pub bare: bool,
}

/// A KDL value.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    /// Null: `#null`.
    Null,
    /// A boolean: `#true` or `#false`.
    Bool(bool),
    /// Integer.
    Int(i128),
    /// Floating-point number. Never infinite or NaN.
    Float(f64),
    /// String, with escapes resolved.
    Text(String),
}
