//! Schema to shape: a keyword or a form outside the closed set is refused, and a test builds every schema.
//!
//! What is built here lives as long as the process. The shipped program builds nothing: it holds the table that
//! [`super::table`] wrote.
use super::{Choice, Field, Grammar, Keyed, List, Number, Object, Place, Preset, Shape};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt;

/// A schema holds what no shape can say: a bug of ours, found by the first test that builds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsupported(String);

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unsupported {}

/// The options of one target: its name, what a job may say to it, and what a role may. Each is a schema by
/// [`Shape::schema_of`].
pub type Options<'a> = (&'a str, Value, Value);

/// The JSON Schema of a job file as editors read it: what a base may give is required of a file that extends none.
#[must_use]
pub fn published_schema(targets: &[Options<'_>]) -> Value {
    let mut schema = job_schema(targets);
    let required = schema["$defs"]["Job"].as_object_mut().and_then(|job| job.remove("required"));
    schema["if"] = json!({ "not": { "required": ["extends"] } });
    schema["then"] = json!({ "properties": { "job": { "type": "object", "required": required } } });
    with_plain(&mut schema);
    schema
}

/// The JSON Schema of a cluster file as editors read it.
#[must_use]
pub fn published_cluster_schema(targets: &[Options<'_>]) -> Value {
    let mut schema = cluster_schema(targets);
    with_plain(&mut schema);
    schema
}

/// Accepts the plain value, too, wherever it is a whole object: where KDL takes exactly one argument, and no other field is
/// required ([`super::normalize`]).
fn with_plain(schema: &mut Value) {
    match schema {
        Value::Object(map) => map.values_mut().for_each(with_plain),
        Value::Array(list) => list.iter_mut().for_each(with_plain),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return,
    }
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    let mut arguments = properties.iter().filter(|(_, field)| field["x-kdl"] == "arg");
    let (Some((name, argument)), None) = (arguments.next(), arguments.next()) else { return };
    let mut required = schema["required"].as_array().into_iter().flatten();
    if required.any(|other| other != name) {
        return;
    }
    let mut plain = argument.clone();
    if let Value::Object(plain) = &mut plain {
        plain.remove("x-kdl");
    }
    let mut object = schema.take();
    let mut both = Map::new();
    for key in ["description", "x-kdl", "x-inherited"] {
        if let Some(value) = object.as_object_mut().and_then(|object| object.remove(key)) {
            both.insert(key.to_owned(), value);
        }
    }
    both.insert("anyOf".to_owned(), json!([plain, object]));
    *schema = Value::Object(both);
}

/// The JSON Schema that the shape of a job is built from. Its `target` blocks are those of `targets`.
#[must_use]
pub fn job_schema(targets: &[Options<'_>]) -> Value {
    let mut schema = generate::<crate::spec::File>(SchemaSettings::draft2020_12());
    let mut field = |of: &str| schema["$defs"][of]["properties"]["target"].take();
    let (mut job, mut role) = (field("Job"), field("Role"));
    hang(&mut job, targets.iter().map(|(name, job, _)| (*name, job)));
    hang(&mut role, targets.iter().map(|(name, _, role)| (*name, role)));
    schema["$defs"]["Job"]["properties"]["target"] = job;
    schema["$defs"]["Role"]["properties"]["target"] = role;
    schema
}

/// The JSON Schema of a cluster file. The words of each of `targets` stand in a block of its name.
#[must_use]
pub fn cluster_schema(targets: &[Options<'_>]) -> Value {
    let mut schema = generate::<crate::cluster::File>(SchemaSettings::draft2020_12());
    let cluster = &mut schema["$defs"]["Cluster"];
    cluster["additionalProperties"] = json!(false);
    let names: Vec<&str> = targets.iter().map(|(name, ..)| *name).collect();
    let target = &mut cluster["properties"]["target"];
    *target = json!({
        "description": target["description"],
        "type": "string",
        "enum": names,
        "x-kdl": target["x-kdl"],
    });
    for (name, job, _) in targets {
        let mut block = job.clone();
        block["description"] = json!(format!("Defaults of `target \"{name}\"` for each job on the cluster."));
        block["x-kdl"] = json!("child");
        cluster["properties"][*name] = block;
    }
    schema
}

fn generate<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let mut schema = Value::from(settings.into_generator().into_root_schema_for::<T>());
    without_null(&mut schema);
    schema
}

/// Hangs the options of each target under its name.
fn hang<'a>(field: &mut Value, targets: impl Iterator<Item = (&'a str, &'a Value)>) {
    let properties: Map<String, Value> =
        targets.map(|(name, schema)| (name.to_owned(), schema.clone())).collect();
    field["properties"] = Value::Object(properties);
    field["additionalProperties"] = json!(false);
}

/// `null` says nothing that leaving a field out does not say: the language does not have it.
fn without_null(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            if let Some(Value::Array(types)) = map.get_mut("type") {
                types.retain(|word| word != "null");
                if let [only] = types.as_slice() {
                    map["type"] = only.clone();
                }
            }
            if let Some(Value::Array(any)) = map.get_mut("anyOf") {
                any.retain(|schema| schema["type"] != "null");
                if let [Value::Object(only)] = any.as_slice() {
                    let only = only.clone();
                    map.remove("anyOf");
                    for (key, value) in only {
                        map.entry(key).or_insert(value);
                    }
                }
            }
            map.values_mut().for_each(without_null);
        }
        Value::Array(list) => list.iter_mut().for_each(without_null),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Whether a keyword of JSON Schema, or of ours, has a meaning here; others are refused.
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
    /// The schema of a type, in the form that [`Shape::from_schema`] reads: nothing by reference, no `null`.
    #[must_use]
    pub fn schema_of<T: JsonSchema>() -> Value {
        generate::<T>(SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true))
    }

    /// The shape of a job file with the `target` blocks of these targets. Build it once and keep it.
    ///
    /// # Errors
    /// Where a target's options are not in the closed set.
    pub fn job(targets: &[Options<'_>]) -> Result<Self, Unsupported> {
        Self::from_schema(&job_schema(targets))
    }

    /// The shape that a schema describes. It may refer to its own `$defs`.
    ///
    /// # Errors
    /// Where it uses a keyword or a form outside the closed set, or refers to itself.
    pub fn from_schema(schema: &Value) -> Result<Self, Unsupported> {
        Builder { defs: &schema["$defs"], built: BTreeMap::new() }.shape(schema)
    }
}

/// Text for as long as the process lives.
fn keep(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

/// Values for as long as the process lives.
fn keep_all<T>(all: Vec<T>) -> &'static [T] {
    Box::leak(all.into_boxed_slice())
}

/// Builds each definition once.
struct Builder<'s> {
    defs: &'s Value,
    /// What was built; `None` while it is being built.
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
                return refuse(schema, "`anyOf` is a number and a text");
            };
            return match (self.shape(number)?, self.shape(other)?) {
                (Shape::Number(number), other @ (Shape::Words(_) | Shape::Text(_))) => {
                    Ok(Shape::NumberOr(number, Box::leak(Box::new(other))))
                }
                _ => refuse(schema, "`anyOf` is a number and a text"),
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
        // A pattern only repeats a part of the format's grammar, for other readers of the schema.
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
        _ => refuse(schema, "choices are words"),
    }
}

/// A whole number's ends: those of the schema, else those of the type that it will be read into.
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
        return refuse(schema, &format!("`{name}` does not stand in KDL like that"));
    }
    let default = match schema.get("default") {
        None => None,
        Some(Value::Object(map)) if map.is_empty() => None,
        Some(Value::Array(list)) if list.is_empty() => None,
        Some(Value::Bool(flag)) => Some(Preset::Flag(*flag)),
        Some(Value::String(text)) => Some(Preset::Text(keep(text.clone()))),
        Some(Value::Number(number)) if number.is_i64() => number.as_i64().map(Preset::Whole),
        Some(_) => return refuse(schema, "a default is a flag, a whole number or text"),
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
