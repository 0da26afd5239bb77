//! Builds a shape from a JSON Schema. Rejects keywords and forms that have no equivalent in [`Shape`]. A test builds every
//! schema, so that no such keyword gets into a release.
//!
//! The memory of the result is never freed. The released program does not build shapes: it contains the table from
//! [`super::table`].
use super::schema::{Options, generate, job_schema};
use super::{Choice, Field, Grammar, Keyed, List, Number, Object, Place, Preset, Shape};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;

/// Error: a schema has no equivalent shape. This is an internal error, which a test detects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsupported(String);

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unsupported {}

/// Returns whether a keyword of JSON Schema, or an `x-` keyword, is supported.
fn is_known(keyword: &str) -> bool {
    matches!(
        keyword,
        "$schema"
            | "$defs"
            | "$ref"
            | "title"
            | "description"
            | "default"
            | "type"
            | "format"
            | "properties"
            | "required"
            | "additionalProperties"
            | "propertyNames"
            | "items"
            | "pattern"
            | "minItems"
            | "minimum"
            | "maximum"
            | "oneOf"
            | "anyOf"
            | "enum"
            | "const"
            | "x-kdl"
            | "x-inherited"
    )
}

impl Shape {
    /// Returns the schema of a type in the form for [`Shape::from_schema`]: without references and `null`.
    #[must_use]
    pub fn schema_of<T: JsonSchema>() -> Value {
        generate::<T>(SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true))
    }

    /// Builds the shape of a job file with the `target` blocks of these targets. Each call leaks memory.
    ///
    /// # Errors
    /// Returns an error if the options of a target have no equivalent shape.
    pub fn job(targets: &[Options<'_>]) -> Result<Self, Unsupported> {
        Self::from_schema(&job_schema(targets))
    }

    /// Builds the shape of a schema, which may refer to its own `$defs`.
    ///
    /// # Errors
    /// Returns an error for recursive schemas, and for keywords or forms that have no equivalent shape.
    pub fn from_schema(schema: &Value) -> Result<Self, Unsupported> {
        Builder { defs: &schema["$defs"], built: BTreeMap::new() }.shape(schema)
    }
}

/// Leaks a string, so that it is `'static`.
fn keep(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

/// Leaks a list, so that it is `'static`.
fn keep_all<T>(all: Vec<T>) -> &'static [T] {
    Box::leak(all.into_boxed_slice())
}

/// Builds shapes. Each definition in `$defs` is built only once.
struct Builder<'s> {
    defs: &'s Value,
    /// Definitions built so far. `None` while a definition is being built.
    built: BTreeMap<&'s str, Option<Shape>>,
}

impl<'s> Builder<'s> {
    fn defined(&mut self, schema: &'s Value, reference: &'s str) -> Result<Shape, Unsupported> {
        let name = reference.strip_prefix("#/$defs/").unwrap_or(reference);
        match self.built.get(name) {
            Some(Some(shape)) => return Ok(*shape),
            Some(None) => return refuse(schema, "refers to itself"),
            None => {}
        }
        let Some(definition) = self.defs.get(name) else { return refuse(schema, "refers to nothing") };
        self.built.insert(name, None);
        let shape = self.shape(definition)?;
        self.built.insert(name, Some(shape));
        Ok(shape)
    }

    fn shape(&mut self, schema: &'s Value) -> Result<Shape, Unsupported> {
        let Value::Object(map) = schema else {
            return if schema == &Value::Bool(true) {
                Ok(Shape::Any)
            } else {
                refuse(schema, "not a schema")
            };
        };
        if let Some(word) = map.keys().find(|key| !is_known(key)) {
            return refuse(schema, &format!("`{word}` is not in the closed set"));
        }
        if let Some(Value::String(reference)) = map.get("$ref") {
            return self.defined(schema, reference);
        }
        if let Some(choices) = map.get("oneOf").or_else(|| map.get("enum")) {
            return words(schema, choices);
        }
        if let Some(Value::Array(both)) = map.get("anyOf") {
            let [number, other] = both.as_slice() else {
                return refuse(schema, "`anyOf` must be a number and a string");
            };
            return match (self.shape(number)?, self.shape(other)?) {
                (Shape::Number(number), other @ (Shape::Words(_) | Shape::Text(_))) => {
                    Ok(Shape::NumberOr(number, Box::leak(Box::new(other))))
                }
                _ => refuse(schema, "`anyOf` must be a number and a string"),
            };
        }
        match map.get("type") {
            None => Ok(Shape::Any),
            Some(Value::Array(_)) => Ok(Shape::Scalar),
            Some(Value::String(word)) => self.typed(schema, map, word),
            Some(_) => refuse(schema, "not a type of the closed set"),
        }
    }

    fn typed(
        &mut self,
        schema: &'s Value,
        map: &'s Map<String, Value>,
        word: &str,
    ) -> Result<Shape, Unsupported> {
        match word {
            "object" => self.object(schema),
            "array" => Ok(Shape::List(Box::leak(Box::new(List {
                item: map.get("items").map_or(Ok(Shape::Any), |items| self.shape(items))?,
                min: map.get("minItems").and_then(Value::as_u64).unwrap_or(0) as usize,
            })))),
            "boolean" => Ok(Shape::Flag),
            "integer" => Ok(Shape::Number(whole(map))),
            "number" => Ok(Shape::Number(Number::Real {
                min: map.get("minimum").and_then(Value::as_f64),
                max: map.get("maximum").and_then(Value::as_f64),
                cores: schema["format"] == "cores",
            })),
            "string" => text(schema),
            _ => refuse(schema, "not a type of the closed set"),
        }
    }

    fn object(&mut self, schema: &'s Value) -> Result<Shape, Unsupported> {
        let extra = &schema["additionalProperties"];
        let Some(properties) = schema["properties"].as_object() else {
            if extra == &Value::Bool(false) {
                return Ok(object(doc(schema), Vec::new(), false));
            }
            let keys = match schema["propertyNames"]["format"].as_str() {
                None => Grammar::Text,
                Some(format) => Grammar::of(format).map_or_else(|| refuse(schema, "unknown format"), Ok)?,
            };
            let item = if extra.is_null() { Shape::Any } else { self.shape(extra)? };
            return Ok(Shape::Keyed(Box::leak(Box::new(Keyed { keys, item }))));
        };
        let list = schema["required"].as_array().into_iter().flatten();
        let required: Vec<&str> = list.filter_map(Value::as_str).collect();
        let mut fields = Vec::with_capacity(properties.len());
        for (name, schema) in properties {
            let shape = self.shape(schema)?;
            fields.push(field(name, schema, shape, required.contains(&name.as_str()))?);
        }
        Ok(object(doc(schema), fields, extra != &Value::Bool(false)))
    }
}

fn refuse<T>(schema: &Value, why: &str) -> Result<T, Unsupported> {
    let shown: String = schema.to_string().chars().take(300).collect();
    Err(Unsupported(format!("{why}: {shown}")))
}

fn object(doc: &'static str, fields: Vec<Field>, open: bool) -> Shape {
    Shape::Object(Box::leak(Box::new(Object { doc, fields: keep_all(fields), open })))
}

fn doc(schema: &Value) -> &'static str {
    let text = schema["description"].as_str().unwrap_or_default();
    let lines: Vec<String> = text.split("\n\n").map(|paragraph| paragraph.replace('\n', " ")).collect();
    keep(lines.join("\n\n"))
}

fn text(schema: &Value) -> Result<Shape, Unsupported> {
    if let Some(word) = schema["const"].as_str() {
        return Ok(Shape::Words(keep_all(vec![Choice { word: keep(word.to_owned()), doc: doc(schema) }])));
    }
    match schema["format"].as_str() {
        // A pattern without a format is rejected. Next to a format, a pattern is ignored: it repeats a part of the grammar for
        // validators that do not know the format.
        None if schema["pattern"].is_string() => refuse(schema, "a pattern without a format"),
        None => Ok(Shape::Text(Grammar::Text)),
        Some(format) => {
            Grammar::of(format).map_or_else(|| refuse(schema, "unknown format"), |g| Ok(Shape::Text(g)))
        }
    }
}

fn words(schema: &Value, choices: &Value) -> Result<Shape, Unsupported> {
    let choice = |choice: &Value| {
        let word = choice["const"].as_str().or_else(|| choice.as_str())?;
        Some(Choice { word: keep(word.to_owned()), doc: doc(choice) })
    };
    let all: Option<Vec<Choice>> = choices.as_array().into_iter().flatten().map(choice).collect();
    match all {
        Some(all) if !all.is_empty() => Ok(Shape::Words(keep_all(all))),
        _ => refuse(schema, "choices must be strings"),
    }
}

/// Returns the bounds of an integer from the schema. Bounds that the schema lacks are those of the integer type.
fn whole(schema: &Map<String, Value>) -> Number {
    let (least, greatest) = match schema.get("format").and_then(Value::as_str) {
        Some("uint8") => (0, i128::from(u8::MAX)),
        Some("uint16") => (0, i128::from(u16::MAX)),
        Some("uint32") => (0, i128::from(u32::MAX)),
        Some("uint64" | "uint") => (0, i128::from(u64::MAX)),
        Some("int32") => (i128::from(i32::MIN), i128::from(i32::MAX)),
        _ => (i128::from(i64::MIN), i128::from(i64::MAX)),
    };
    let end = |key: &str| schema.get(key).and_then(Value::as_i64).map(i128::from);
    Number::Whole { min: end("minimum").unwrap_or(least), max: end("maximum").unwrap_or(greatest) }
}

fn field(name: &str, schema: &Value, shape: Shape, required: bool) -> Result<Field, Unsupported> {
    let place = match schema["x-kdl"].as_str() {
        Some("arg") => Place::Arg,
        Some("prop") => Place::Prop,
        Some("args") => Place::Args,
        Some("named") => Place::Named,
        Some("pairs") => Place::Pairs,
        Some("list") => Place::List,
        Some("targets") => Place::Targets,
        None | Some("child") => Place::Child,
        Some(_) => return refuse(schema, "unknown place"),
    };
    let fits = match (place, &shape) {
        (Place::Arg | Place::Prop, shape) => shape.is_scalar(),
        (Place::Args, Shape::List(list)) => list.item.is_scalar(),
        (Place::Child, shape) => shape.is_scalar() || shape.object().is_some() || schema["x-kdl"].is_null(),
        (Place::Named, Shape::Keyed(keyed)) => keyed.item.is_scalar() || keyed.item.object().is_some(),
        (Place::Pairs, Shape::Keyed(keyed)) => keyed.item.is_scalar(),
        (Place::List, Shape::List(list)) => list.item.is_scalar() || list.item.object().is_some(),
        (Place::Targets, Shape::Object(targets)) => targets.fields.iter().all(|f| f.shape.object().is_some()),
        (Place::Args | Place::Named | Place::Pairs | Place::List | Place::Targets, _) => false,
    };
    if !fits {
        return refuse(schema, &format!("`{name}` has no such form in KDL"));
    }
    let default = match schema.get("default") {
        None => None,
        Some(Value::Object(map)) if map.is_empty() => None,
        Some(Value::Array(list)) if list.is_empty() => None,
        Some(Value::Bool(flag)) => Some(Preset::Flag(*flag)),
        Some(Value::String(text)) => Some(Preset::Text(keep(text.clone()))),
        Some(Value::Number(number)) if number.is_i64() => number.as_i64().map(Preset::Whole),
        Some(_) => return refuse(schema, "a default must be a boolean, an integer, or a string"),
    };
    Ok(Field {
        name: keep(name.to_owned()),
        doc: doc(schema),
        place,
        shape,
        required: required && default.is_none(),
        default,
        inherited: schema["x-inherited"] != false,
    })
}

#[cfg(test)]
mod tests;
