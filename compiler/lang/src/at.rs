//! Values with their span, and maps of named entries in source order.
use crate::sources::Span;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::Deref;

/// A value and its span. Equality, order, and hash ignore the span.
///
/// Only [`crate::tree::decode()`] can deserialize an `At`, through the protocol of `serde_spanned`. The schema of `At<T>` is
/// the schema of `T`.
#[derive(Clone, Copy)]
pub struct At<T> {
    /// Span of the value.
    pub span: Span,
    /// The value.
    pub value: T,
}

impl<T> At<T> {
    /// Returns a value with its span.
    pub const fn new(span: Span, value: T) -> Self {
        Self { span, value }
    }

    /// Returns the value converted by `change`, with the same span.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> At<U> {
        At { span: self.span, value: change(self.value) }
    }

    /// Returns a reference to the value, with the same span.
    pub const fn as_ref(&self) -> At<&T> {
        At { span: self.span, value: &self.value }
    }
}

impl<T> Deref for At<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: fmt::Debug> fmt::Debug for At<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)?;
        write!(f, "@{}..{}", self.span.start, self.span.end)
    }
}

impl<T: fmt::Display> fmt::Display for At<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl<T: PartialEq> PartialEq for At<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for At<T> {}

impl<T: PartialOrd> PartialOrd for At<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

impl<T: Ord> Ord for At<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value.cmp(&other.value)
    }
}

impl<T: Hash> Hash for At<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for At<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = serde_spanned::Spanned::<T>::deserialize(deserializer)?;
        let range = spanned.span();
        let bound = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Ok(Self { span: Span::new(bound(range.start), bound(range.end)), value: spanned.into_inner() })
    }
}

impl<T: JsonSchema> JsonSchema for At<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// A map of named entries with the spans of their names, in source order. Names are unique.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named<T>(pub Vec<(At<String>, T)>);

impl<T> Named<T> {
    /// Returns the entry with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&T> {
        self.0.iter().find(|(key, _)| key.value == name).map(|(_, thing)| thing)
    }

    /// Returns all entries, in source order.
    pub fn iter(&self) -> std::slice::Iter<'_, (At<String>, T)> {
        self.0.iter()
    }

    /// Returns the names, in source order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(key, _)| key.value.as_str())
    }

    /// Returns the number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'a, T> IntoIterator for &'a Named<T> {
    type Item = &'a (At<String>, T);
    type IntoIter = std::slice::Iter<'a, (At<String>, T)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Things<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Things<T> {
            type Value = Named<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map of named entries")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Named<T>, A::Error> {
                let mut all = Vec::with_capacity(map.size_hint().unwrap_or(0));
                while let Some(entry) = map.next_entry()? {
                    all.push(entry);
                }
                Ok(Named(all))
            }
        }

        deserializer.deserialize_map(Things(PhantomData))
    }
}

impl<T: JsonSchema> JsonSchema for Named<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Named_{}", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let item = generator.subschema_for::<T>();
        // A name must not be empty. The schema of a field may restrict the names further.
        let names = serde_json::json!({ "format": "filled-text" });
        schemars::json_schema!({ "type": "object", "additionalProperties": item, "propertyNames": names })
    }
}
