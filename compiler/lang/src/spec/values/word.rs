//! A scalar of any type, in its original spelling.
use crate::tree::AS_WRITTEN;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use std::borrow::Cow;
use std::fmt;

/// Kind of a [`Word`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WordKind {
    /// String.
    Text,
    /// Integer.
    Int,
    /// Floating-point number.
    Float,
    /// Boolean.
    Flag,
}

/// A scalar: its type, and its original spelling. For example, `0.10` stays `0.10`.
///
/// Numbers in other notations (`0x10`, `1_000`) are converted to plain decimal numbers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Word {
    /// Type of the scalar.
    pub kind: WordKind,
    /// Original spelling. For a boolean, `true` or `false`.
    pub text: String,
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AsWritten;

        impl<'de> Visitor<'de> for AsWritten {
            type Value = Word;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string, a number, or a boolean")
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Word, D::Error> {
                let words = String::deserialize(deserializer)?;
                let mut rest = words.chars();
                let kind = match rest.next() {
                    Some('t') => WordKind::Text,
                    Some('i') => WordKind::Int,
                    Some('f') => WordKind::Float,
                    Some('b') => WordKind::Flag,
                    other => return Err(de::Error::custom(format!("no kind {other:?}"))),
                };
                Ok(Word { kind, text: rest.as_str().to_owned() })
            }
        }

        deserializer.deserialize_newtype_struct(AS_WRITTEN, AsWritten)
    }
}

impl JsonSchema for Word {
    fn schema_name() -> Cow<'static, str> {
        "Word".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "type": ["string", "number", "boolean"], "format": "text" })
    }
}
