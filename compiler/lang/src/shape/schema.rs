//! JSON Schemas of job and cluster files.
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// Options of one target: its name, and the schemas of its options in a job and in a role, from
/// [`Shape::schema_of`](super::Shape::schema_of).
pub type Options<'a> = (&'a str, Value, Value);

/// Returns the JSON Schema of a job file for editors. A field that a base file may set is required only in a file without
/// `extends`.
#[must_use]
pub fn published_schema(targets: &[Options<'_>]) -> Value {
    let mut schema = job_schema(targets);
    let required = schema["$defs"]["Job"].as_object_mut().and_then(|job| job.remove("required"));
    schema["if"] = json!({ "not": { "required": ["extends"] } });
    schema["then"] = json!({ "properties": { "job": { "type": "object", "required": required } } });
    with_plain(&mut schema);
    schema
}

/// Returns the JSON Schema of a cluster file for editors.
#[must_use]
pub fn published_cluster_schema(targets: &[Options<'_>]) -> Value {
    let mut schema = cluster_schema(targets);
    with_plain(&mut schema);
    schema
}

/// If an object has exactly one KDL argument and no other required field, the plain value of the argument is valid in place of the
/// object ([`super::normalize`]). Extends the schemas of these objects accordingly.
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

/// Returns the JSON Schema from which the shape of a job is built, with the `target` blocks of `targets`.
#[must_use]
pub fn job_schema(targets: &[Options<'_>]) -> Value {
    let mut schema = generate::<crate::spec::File>(SchemaSettings::draft2020_12());
    let mut field = |of: &str| schema["$defs"][of]["properties"]["target"].take();
    let (mut job, mut role) = (field("Job"), field("Role"));
    add_targets(&mut job, targets.iter().map(|(name, job, _)| (*name, job)));
    add_targets(&mut role, targets.iter().map(|(name, _, role)| (*name, role)));
    schema["$defs"]["Job"]["properties"]["target"] = job;
    schema["$defs"]["Role"]["properties"]["target"] = role;
    schema
}

/// Returns the JSON Schema of a cluster file, with a block for each of `targets`.
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
        block["description"] =
            json!(format!("Default options of `target \"{name}\"` for each job on the cluster."));
        block["x-kdl"] = json!("child");
        cluster["properties"][*name] = block;
    }
    schema
}

/// Returns the JSON Schema of a project file, for editors and for its shape.
#[must_use]
pub fn project_schema(targets: &[&str]) -> Value {
    let mut schema = generate::<crate::project::File>(SchemaSettings::draft2020_12());
    schema["$defs"]["Environment"]["properties"]["target"]["items"] =
        json!({ "type": "string", "enum": targets });
    schema
}

pub(super) fn generate<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let mut schema = Value::from(settings.into_generator().into_root_schema_for::<T>());
    without_null(&mut schema);
    schema
}

/// Adds the options of each target under its name.
fn add_targets<'a>(field: &mut Value, targets: impl Iterator<Item = (&'a str, &'a Value)>) {
    let properties: Map<String, Value> =
        targets.map(|(name, schema)| (name.to_owned(), schema.clone())).collect();
    field["properties"] = Value::Object(properties);
    field["additionalProperties"] = json!(false);
}

/// Removes `null` from the schema, because a spec omits a field instead of setting it to null.
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
