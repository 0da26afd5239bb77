//! A value of any scalar kind, as it was written.
use crate::tree::AS_WRITTEN;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use std::borrow::Cow;
use std::fmt;

/// What kind of scalar a [`Word`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WordKind {
    /// Text.
    Text,
    /// A whole number.
    Int,
    /// Another number.
    Float,
    /// `#true` or `#false`.
    Flag,
}

/// A scalar: its kind, and its text as it was written (`0.10` stays `0.10`).
///
/// A number not written in plain decimal (`0x10`, `1_000`) is given in plain decimal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Word {
    /// What kind of scalar.
    pub kind: WordKind,
    /// The text; `true` or `false` of a flag.
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
                f.write_str("text, a number or a flag")
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
