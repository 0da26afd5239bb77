//! Text to syntax. The only room that knows kdl, its guard, its repair and its quirks.
//!
//! KDL becomes [`Node`]s, which [`crate::shape`] turns into a [`crate::tree::Tree`] by the spec's shape; JSON and
//! YAML become a `Tree` at once, since their keys say what KDL's places say.
//!
//! The way of a KDL text: `guard` refuses what is too much, `foreign` what is another format; `braces` closes what is open; `slips` walks over the tokens
//! of `lexer`, tells what is wrong and how to mend it, and takes out comments and what `/-` hides; the mended text is
//! read by `plain`, or by kdl where anything in it is unusual, and `draft` leads every span back to the words of the user.
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

/// A KDL node, without kdl's types.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The name.
    pub name: String,
    /// The words of the name.
    pub name_span: Span,
    /// From the name to the last word before the terminator, children included.
    pub span: Span,
    /// Arguments and properties, in order.
    pub entries: Vec<NodeEntry>,
    /// The nodes between the braces; `None` without braces.
    pub children: Option<Vec<Node>>,
}

impl Node {
    /// The property of that name.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&NodeEntry> {
        self.entries.iter().find(|entry| entry.key.as_ref().is_some_and(|(key, _)| key == name))
    }
}

/// One argument (`key` is `None`) or property of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeEntry {
    /// The property's name and its words.
    pub key: Option<(String, Span)>,
    /// The value.
    pub value: Scalar,
    /// The words of the value alone.
    pub span: Span,
    /// Whether the text was written without quotes.
    pub bare: bool,
}

/// What KDL writes as a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
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
}
