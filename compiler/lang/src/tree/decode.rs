//! Deserializes a tree into any type that implements `Deserialize`, with spans for [`crate::at::At`]. Borrows strings.
use super::{Entry, Tree, Value};
use crate::sources::{Sources, Span};
use serde::de::value::{BorrowedStrDeserializer, SeqDeserializer, StringDeserializer};
use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_spanned::de::{SpannedDeserializer, is_spanned};
use std::fmt;

/// Name of the newtype that gets the original spelling of a scalar as a string. The first character of this string is the type:
/// `t` string, `i` integer, `f` floating-point number, `b` boolean.
pub(crate) const AS_WRITTEN: &str = "$tfjob::as-written";

/// Error: the tree does not match the type. After the validation by [`crate::shape`], this is an internal error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misfit(String);

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misfit {}

impl de::Error for Misfit {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// Deserializes a `T` from a tree. `sources`: needed by types that keep the original spelling of numbers.
///
/// # Errors
/// Returns an error if the tree does not match the type. [`crate::shape`] has already reported the mismatch to the user.
pub fn decode<'de, T: Deserialize<'de>>(tree: &'de Tree, sources: &'de Sources) -> Result<T, Misfit> {
    T::deserialize(Reader { tree, sources })
}

/// Deserializer for one value of the tree.
#[derive(Clone, Copy)]
struct Reader<'de> {
    tree: &'de Tree,
    sources: &'de Sources,
}

const fn range(span: Span) -> std::ops::Range<usize> {
    span.start as usize..span.end as usize
}

impl<'de> IntoDeserializer<'de, Misfit> for Reader<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl Reader<'_> {
    fn as_written(self) -> Option<String> {
        let number = |kind: char, printed: String| {
            let written = self.sources.slice(self.tree.span);
            let decimal = written.parse::<f64>().is_ok();
            if decimal { format!("{kind}{written}") } else { format!("{kind}{printed}") }
        };
        match &self.tree.value {
            Value::Text(text) => Some(format!("t{text}")),
            Value::Int(n) => Some(number('i', n.to_string())),
            Value::Float(n) => Some(number('f', format!("{n:?}"))),
            Value::Bool(b) => Some(format!("b{b}")),
            Value::Null | Value::List(_) | Value::Map(_) | Value::Hole => None,
        }
    }
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match &self.tree.value {
            Value::Null | Value::Hole => visitor.visit_unit(),
            Value::Bool(b) => visitor.visit_bool(*b),
            Value::Int(n) => match (u64::try_from(*n), i64::try_from(*n)) {
                (Ok(n), _) => visitor.visit_u64(n),
                (_, Ok(n)) => visitor.visit_i64(n),
                _ => visitor.visit_i128(*n),
            },
            Value::Float(n) => visitor.visit_f64(*n),
            Value::Text(text) => visitor.visit_borrowed_str(text),
            Value::List(items) => {
                let items = items.iter().map(|tree| Reader { tree, sources: self.sources });
                SeqDeserializer::new(items).deserialize_any(visitor)
            }
            Value::Map(entries) => {
                visitor.visit_map(Fields { rest: entries.iter(), value: None, sources: self.sources })
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.tree.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        if name != AS_WRITTEN {
            return visitor.visit_newtype_struct(self);
        }
        let words = self.as_written().ok_or_else(|| de::Error::custom("not a scalar"))?;
        visitor.visit_newtype_struct(StringDeserializer::new(words))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        if is_spanned(name) {
            return visitor.visit_map(SpannedDeserializer::new(self, range(self.tree.span)));
        }
        self.deserialize_any(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        let word = self.tree.text().ok_or_else(|| de::Error::custom("not a keyword"))?;
        visitor.visit_enum(BorrowedStrDeserializer::<Misfit>::new(word))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq
        tuple tuple_struct map identifier ignored_any
    }
}

/// The entries of a map, without the holes, which stand for invalid values.
struct Fields<'de> {
    rest: std::slice::Iter<'de, Entry>,
    value: Option<&'de Tree>,
    sources: &'de Sources,
}

impl<'de> MapAccess<'de> for Fields<'de> {
    type Error = Misfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Misfit> {
        let Some(entry) = self.rest.find(|entry| entry.tree.value != Value::Hole) else { return Ok(None) };
        self.value = Some(&entry.tree);
        seed.deserialize(Key(entry)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Misfit> {
        let tree = self.value.take().ok_or_else(|| de::Error::custom("a value before its key"))?;
        seed.deserialize(Reader { tree, sources: self.sources })
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// A key with its span.
#[derive(Clone, Copy)]
struct Key<'de>(&'de Entry);

impl<'de> IntoDeserializer<'de, Misfit> for Key<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Key<'de> {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_borrowed_str(&self.0.key)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        if is_spanned(name) {
            return visitor.visit_map(SpannedDeserializer::new(self, range(self.0.key_span)));
        }
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
