//! Origins of the values of artifacts: spans in the spec, so that an error about an artifact can be reported in the spec.
use crate::sources::Span;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeStruct};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// JSON key of the span of a serialized [`Traced`] value. It contains NUL, so no spec can contain this key.
const MARK: &str = "\0from";

/// A value of an artifact, and the span of the field in the spec that requests this value.
#[derive(Debug, Clone, PartialEq)]
pub struct Traced<T>(pub T, pub Span);

impl<T: Serialize> Serialize for Traced<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Traced", 2)?;
        out.serialize_field(MARK, &(self.1.start, self.1.end))?;
        out.serialize_field("value", &self.0)?;
        out.end()
    }
}

/// A deserialized value has no origin.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Traced<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        T::deserialize(from).map(|value| Self(value, Span::default()))
    }
}

/// The schema is that of the value without its span. Patches are checked against this schema, and a patch contains no spans.
impl<T: JsonSchema> JsonSchema for Traced<T> {
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

/// Spans in the spec, by JSON pointer into a document. A map key and its value have the same pointer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origins(pub BTreeMap<String, Span>);

impl Origins {
    /// Returns the origin of the value at a pointer, or of its nearest ancestor with an origin.
    #[must_use]
    pub fn blame(&self, pointer: &str) -> Option<Span> {
        let mut rest = pointer;
        loop {
            if let Some(span) = self.0.get(rest) {
                return Some(*span);
            }
            rest = &rest[..rest.rfind('/')?];
        }
    }

    /// Returns the origins of the value at a pointer and of all its descendants.
    pub fn under(&self, pointer: &str) -> impl Iterator<Item = Span> {
        let all = self.0.range(pointer.to_owned()..).take_while(move |(at, _)| at.starts_with(pointer));
        all.filter(|(at, _)| matches!(at.as_bytes().get(pointer.len()), None | Some(b'/')))
            .map(|(_, span)| *span)
    }
}

/// A structured document as the platform reads it, with the origin of each value.
#[derive(Debug, Clone, Default)]
pub struct Document {
    /// Content.
    pub value: Value,
    /// Origins of its values.
    pub origins: Origins,
    /// Values that a patch removed.
    pub removed: Vec<Removed>,
    /// Values that a patch replaced.
    pub overridden: Vec<Overridden>,
    /// The list items of each patch that have another index in the document than in the patch. Key: span of the patch, and the
    /// pointer where the patch is merged. Value: the pointer of each such item in the patch, and its index in the document.
    pub patched: BTreeMap<(Span, String), BTreeMap<String, usize>>,
}

/// A value of the spec that a patch replaced.
#[derive(Debug, Clone)]
pub struct Overridden {
    /// JSON pointer of the value.
    pub pointer: String,
    /// Span of the replaced value, in the spec.
    pub words: Span,
    /// Span of the patch.
    pub patch: Span,
}

/// A value that a patch removed.
#[derive(Debug, Clone)]
pub struct Removed {
    /// JSON pointer of the value.
    pub pointer: String,
    /// Span of the removed value, or of a value inside it, in the spec.
    pub words: Span,
    /// Span of the patch.
    pub patch: Span,
}

impl Document {
    /// Serializes a typed artifact to a document with the origins of its values.
    ///
    /// # Panics
    /// Panics if a map key is not a string, or if a number is not finite. Artifact structs contain neither.
    #[must_use]
    pub fn new(artifact: &impl Serialize) -> Self {
        let raw = serde_json::to_value(artifact).expect("artifacts have string keys and finite numbers");
        let mut origins = BTreeMap::new();
        let value = strip(raw, &mut String::new(), &mut origins);
        Self { value, origins: Origins(origins), ..Self::default() }
    }
}

/// Escapes `key` as a segment of a JSON pointer.
#[must_use]
pub fn pointer_step(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Returns the key that a step of a JSON pointer stands for: the reverse of [`pointer_step`].
#[must_use]
pub fn pointer_key(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

fn strip(value: Value, at: &mut String, origins: &mut BTreeMap<String, Span>) -> Value {
    match value {
        Value::Object(mut map) if map.contains_key(MARK) => {
            let bound =
                |i: usize| map[MARK][i].as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or_default();
            origins.insert(at.clone(), Span::new(bound(0), bound(1)));
            strip(map.remove("value").unwrap_or_default(), at, origins)
        }
        Value::Object(map) => Value::Object(
            map.into_iter()
                .map(|(key, value)| {
                    let value = below(&key, value, at, origins);
                    (key, value)
                })
                .collect::<Map<_, _>>(),
        ),
        Value::Array(list) => Value::Array(
            list.into_iter().enumerate().map(|(i, v)| below(&i.to_string(), v, at, origins)).collect(),
        ),
        leaf => leaf,
    }
}

fn below(key: &str, value: Value, at: &mut String, origins: &mut BTreeMap<String, Span>) -> Value {
    let length = at.len();
    at.push('/');
    at.push_str(&pointer_step(key));
    let value = strip(value, at, origins);
    at.truncate(length);
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_its_origin() {
        let at = Span::new(3, 9);
        let doc = Document::new(&BTreeMap::from([("a/b", vec![Traced(1, at)])]));
        assert_eq!(doc.value, serde_json::json!({"a/b": [1]}));
        assert_eq!(doc.origins.blame("/a~1b/0/x"), Some(at));
        assert_eq!(doc.origins.blame("/a~1b"), None);
    }
}
