//! JSON Schema of the keywords that spec and contract share, generated from their tables.
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::marker::PhantomData;
use tfjob_contract::Keywords;

/// Provides the JSON Schema of an enum `T` of the contract crate, which does not depend on schemars. Use: `#[schemars(with =
/// "At<Keyword<T>>")]`.
#[derive(Debug, Clone, Copy)]
pub struct Keyword<T>(PhantomData<T>);

impl<T: Keywords> JsonSchema for Keyword<T> {
    fn schema_name() -> Cow<'static, str> {
        T::NAME.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let entry = |entry: &tfjob_contract::Entry<T>| json!({ "type": "string", "const": entry.keyword, "description": entry.about });
        let entries: Vec<Value> = T::ENTRIES.iter().map(entry).collect();
        schemars::json_schema!({ "oneOf": entries, "description": T::ABOUT })
    }
}
