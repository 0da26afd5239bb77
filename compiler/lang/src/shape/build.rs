//! Schema to shape, once: a keyword or a form outside the closed set is refused, and a test builds every schema.
use super::{Choice, Field, Grammar, Keyed, List, Number, Object, Place, Shape};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
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

/// The JSON Schema of a job file, which is published and which the shape of a job is built from. Its `target` blocks
/// are those of `targets`.
#[must_use]
pub fn job_schema(targets: &[Options<'_>]) -> Value {
    let mut schema = Shape::schema_of::<crate::spec::File>();
    let job = &mut schema["properties"]["job"]["properties"];
    hang(&mut job["target"], targets.iter().map(|(name, job, _)| (*name, job)));
    for roles in ["role", "helper"] {
        let role = &mut job[roles]["additionalProperties"]["properties"];
        hang(&mut role["target"], targets.iter().map(|(name, _, role)| (*name, role)));
    }
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

/// What each keyword is for; others are refused.
const KEYWORDS: &[&str] = &[
    "$schema",
    "title",
    "description",
    "default",
    "type",
    "format",
    "properties",
    "required",
    "additionalProperties",
    "propertyNames",
    "items",
    "minItems",
    "minimum",
    "maximum",
    "oneOf",
    "anyOf",
    "enum",
    "const",
    "x-kdl",
    "x-inherited",
];

impl Shape {
    /// The schema of a type, in the form that [`Shape::from_schema`] reads: nothing by reference, no `null`.
    #[must_use]
    pub fn schema_of<T: JsonSchema>() -> Value {
        let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
        let mut schema = Value::from(settings.into_generator().into_root_schema_for::<T>());
        without_null(&mut schema);
        schema
    }

    /// The shape of a job file with the `target` blocks of these targets. Build it once and keep it.
    ///
    /// # Errors
    /// Where a target's options are not in the closed set.
    pub fn job(targets: &[Options<'_>]) -> Result<Self, Unsupported> {
        Self::from_schema(&job_schema(targets))
    }

    /// The shape that a schema describes.
    ///
    /// # Errors
    /// Where it uses a keyword or a form outside the closed set.
    pub fn from_schema(schema: &Value) -> Result<Self, Unsupported> {
        let Value::Object(map) = schema else {
            return if schema == &Value::Bool(true) { Ok(Self::Any) } else { refuse(schema, "not a schema") };
        };
        if let Some(word) = map.keys().find(|key| !KEYWORDS.contains(&key.as_str())) {
            return refuse(schema, &format!("`{word}` is not in the closed set"));
        }
        if let Some(choices) = map.get("oneOf").or_else(|| map.get("enum")) {
            return words(schema, choices);
        }
        if let Some(Value::Array(both)) = map.get("anyOf") {
            let [number, other] = both.as_slice() else {
                return refuse(schema, "`anyOf` is a number and a text");
            };
            return match (Self::from_schema(number)?, Self::from_schema(other)?) {
                (Self::Number(number), other @ (Self::Words(_) | Self::Text(_))) => {
                    Ok(Self::NumberOr(number, Box::new(other)))
                }
                _ => refuse(schema, "`anyOf` is a number and a text"),
            };
        }
        match &map.get("type") {
            None => Ok(Self::Any),
            Some(Value::Array(_)) => Ok(Self::Scalar),
            Some(Value::String(word)) => match word.as_str() {
                "object" => object(schema),
                "array" => Ok(Self::List(Box::new(List {
                    item: map.get("items").map_or(Ok(Self::Any), Self::from_schema)?,
                    min: map.get("minItems").and_then(Value::as_u64).unwrap_or(0) as usize,
                }))),
                "boolean" => Ok(Self::Flag),
                "integer" => Ok(Self::Number(whole(map))),
                "number" => Ok(Self::Number(Number::Real {
                    min: map.get("minimum").and_then(Value::as_f64),
                    max: map.get("maximum").and_then(Value::as_f64),
                    cores: schema["format"] == "cores",
                })),
                "string" => text(schema),
                _ => refuse(schema, "not a type of the closed set"),
            },
            Some(_) => refuse(schema, "not a type of the closed set"),
        }
    }
}

fn refuse<T>(schema: &Value, why: &str) -> Result<T, Unsupported> {
    let shown: String = schema.to_string().chars().take(300).collect();
    Err(Unsupported(format!("{why}: {shown}")))
}

fn doc(schema: &Value) -> String {
    let text = schema["description"].as_str().unwrap_or_default();
    let lines: Vec<String> = text.split("\n\n").map(|paragraph| paragraph.replace('\n', " ")).collect();
    lines.join("\n\n")
}

fn text(schema: &Value) -> Result<Shape, Unsupported> {
    if let Some(word) = schema["const"].as_str() {
        return Ok(Shape::Words(vec![Choice { word: word.to_owned(), doc: doc(schema) }]));
    }
    match schema["format"].as_str() {
        None => Ok(Shape::Text(Grammar::Text)),
        Some(format) => {
            Grammar::of(format).map_or_else(|| refuse(schema, "unknown format"), |g| Ok(Shape::Text(g)))
        }
    }
}

fn words(schema: &Value, choices: &Value) -> Result<Shape, Unsupported> {
    let choice = |choice: &Value| {
        let word = choice["const"].as_str().or_else(|| choice.as_str())?;
        Some(Choice { word: word.to_owned(), doc: doc(choice) })
    };
    let all: Option<Vec<Choice>> = choices.as_array().into_iter().flatten().map(choice).collect();
    match all {
        Some(all) if !all.is_empty() => Ok(Shape::Words(all)),
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

fn object(schema: &Value) -> Result<Shape, Unsupported> {
    let extra = &schema["additionalProperties"];
    let Some(properties) = schema["properties"].as_object() else {
        let keys = match schema["propertyNames"]["format"].as_str() {
            None => Grammar::Text,
            Some(format) => Grammar::of(format).map_or_else(|| refuse(schema, "unknown format"), Ok)?,
        };
        if extra == &Value::Bool(false) {
            return Ok(Shape::Object(Object { doc: doc(schema), fields: Vec::new(), open: false }));
        }
        let item = if extra.is_null() { Shape::Any } else { Shape::from_schema(extra)? };
        return Ok(Shape::Keyed(Box::new(Keyed { keys, item })));
    };
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let fields =
        properties.iter().map(|(name, schema)| field(name, schema, required.contains(&name.as_str())));
    Ok(Shape::Object(Object {
        doc: doc(schema),
        fields: fields.collect::<Result<_, _>>()?,
        open: extra != &Value::Bool(false),
    }))
}

fn field(name: &str, schema: &Value, required: bool) -> Result<Field, Unsupported> {
    let shape = Shape::from_schema(schema)?;
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
    let default = schema.get("default").filter(|value| **value != json!({}) && **value != json!([]));
    Ok(Field {
        name: name.to_owned(),
        doc: doc(schema),
        place,
        shape,
        required: required && default.is_none(),
        default: default.cloned(),
        inherited: schema["x-inherited"] != false,
    })
}
