//! Where each value of an artifact came from, so that an engine's complaint lands on the user's words.
use crate::sources::Span;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeStruct};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A NUL is in no text of ours, so no user can write this key.
const MARK: &str = "\0from";

/// A value on its way out that remembers the words which asked for it. Artifact structs hold these.
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

/// Of a value that is read back nobody knows the words.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Traced<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        T::deserialize(from).map(|value| Self(value, Span::default()))
    }
}

/// A patch is checked against the schema of the value; the words behind it are no part of what the platform reads.
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

/// JSON pointer into a document, and the words behind it. The pointers of a map key's value and of the key are the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origins(pub BTreeMap<String, Span>);

impl Origins {
    /// The words behind a pointer, or behind the nearest thing that holds it.
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

    /// The words behind a pointer and behind all below it.
    pub fn under(&self, pointer: &str) -> impl Iterator<Item = Span> {
        let all = self.0.range(pointer.to_owned()..).take_while(move |(at, _)| at.starts_with(pointer));
        all.filter(|(at, _)| matches!(at.as_bytes().get(pointer.len()), None | Some(b'/')))
            .map(|(_, span)| *span)
    }
}

/// A structured document as the platform reads it, and where each value came from.
#[derive(Debug, Clone, Default)]
pub struct Document {
    /// The value.
    pub value: Value,
    /// The words behind it.
    pub origins: Origins,
    /// What a patch took out again.
    pub removed: Vec<Removed>,
    /// What a patch set anew.
    pub overridden: Vec<Overridden>,
    /// Each patch by the pointer that it was merged at: its items that have another number in the document, by their pointers.
    pub patched: BTreeMap<(Span, String), BTreeMap<String, usize>>,
}

/// A value that the spec set, and a patch after it.
#[derive(Debug, Clone)]
pub struct Overridden {
    /// Where it stands.
    pub pointer: String,
    /// The line that set it first.
    pub words: Span,
    /// The patch.
    pub patch: Span,
}

/// What a patch took out of a document.
#[derive(Debug, Clone)]
pub struct Removed {
    /// Where it stood.
    pub pointer: String,
    /// The words that had asked for it, or for something below it.
    pub words: Span,
    /// The patch.
    pub patch: Span,
}

impl Document {
    /// The only way from a typed artifact to a value.
    ///
    /// # Panics
    /// Never for structs of ours: their keys are text.
    #[must_use]
    pub fn new(artifact: &impl Serialize) -> Self {
        let raw = serde_json::to_value(artifact).expect("artifacts have text keys and finite numbers");
        let mut origins = BTreeMap::new();
        let value = strip(raw, &mut String::new(), &mut origins);
        Self { value, origins: Origins(origins), ..Self::default() }
    }
}

/// `key` as one step of a JSON pointer.
#[must_use]
pub fn pointer_step(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
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
    fn a_value_remembers_its_words() {
        let at = Span::new(3, 9);
        let doc = Document::new(&BTreeMap::from([("a/b", vec![Traced(1, at)])]));
        assert_eq!(doc.value, serde_json::json!({"a/b": [1]}));
        assert_eq!(doc.origins.blame("/a~1b/0/x"), Some(at));
        assert_eq!(doc.origins.blame("/a~1b"), None);
    }
}
