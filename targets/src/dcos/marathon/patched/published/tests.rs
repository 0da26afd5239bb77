//! Compares the table of types with the schema that Marathon 1.7 published, and with the structs of `schema.rs` for an app.
use super::{APP, GROUP};
use crate::dcos::marathon::schema;
use crate::patch::published::{Kind, Object};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use tfjob_lang::shape::Shape;

/// Keys that the schema of Marathon 1.7 lacks, each with the RAML file that defines it and, where known, the version that added
/// it.
const SINCE: [&str; 10] = [
    "check",                                  // check.raml, 1.8
    "container.linuxInfo",                    // linux.raml, 1.8 and 1.9
    "container.volumes[].external.options.*", // label.raml
    "container.volumes[].external.shared",    // volumes.raml, 1.8.222
    "container.volumes[].secret",             // volumes.raml, 1.5
    "executorResources.",                     // resources.raml: the schema has them next to `properties`
    "healthChecks[].command.value",           // healthCheck.raml: the schema has it below `items`
    "resourceLimits",                         // resources.raml, 1.10
    "role",                                   // app.raml, 1.9
    "tty",                                    // app.raml, 1.5
];

/// Keys for which the RAML files allow more values than the schema, or say more about the values. First element: line of the table.
/// Second element: line of the schema, or empty if the schema has none.
const WIDER: [(&str, &str); 5] = [
    ("container.volumes[].persistent.constraints[][] string", ""),
    ("constraints[][] string", ""),
    ("container.docker.network string", "container.docker.network BRIDGE|HOST|NONE|USER"),
    ("networks[].labels.* string", ""),
    ("portDefinitions[].protocol tcp|udp|udp,tcp", "portDefinitions[].protocol tcp|udp"),
];

/// Collects the keys of a type in the format of `targets/conformance/types`.
fn keys(kind: Kind, at: &str, out: &mut BTreeSet<String>) {
    let object = |object: &Object, out: &mut BTreeSet<String>| {
        for field in object.fields {
            let below = if at.is_empty() { field.name.to_owned() } else { format!("{at}.{}", field.name) };
            keys(field.kind, &below, out);
        }
    };
    let word = match kind {
        Kind::Object(_) | Kind::Map(_) => "object".to_owned(),
        Kind::List(_) => "array".to_owned(),
        Kind::Words(words) => {
            words.0.iter().copied().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join("|")
        }
        Kind::Text => "string".to_owned(),
        Kind::Boolean => "boolean".to_owned(),
        Kind::Int32 | Kind::Int64 => "integer".to_owned(),
        Kind::Number => "number".to_owned(),
        Kind::Any => "any".to_owned(),
        Kind::Quantity | Kind::IntOrText => unreachable!("Marathon has no such type"),
    };
    if !at.is_empty() {
        out.insert(format!("{at} {word}"));
    }
    match kind {
        Kind::Object(of) => object(of, out),
        Kind::Map(item) => keys(*item, &format!("{at}.*"), out),
        Kind::List(list) => keys(list.item, &format!("{at}[]"), out),
        _ => {}
    }
}

#[test]
fn the_table_has_the_keys_of_the_schema_and_no_others() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas/marathon.keys.txt");
    let text = std::fs::read_to_string(file).expect("a file");
    let mut told: BTreeSet<String> = text.lines().map(str::to_owned).collect();
    assert!(told.len() > 150);
    let mut ours = BTreeSet::new();
    keys(Kind::Object(&APP), "", &mut ours);
    // If the table allows any value for a key, it lists no keys below that key, because a rule checks the value.
    let free: Vec<String> =
        ours.iter().filter_map(|line| line.strip_suffix(" any")).map(str::to_owned).collect();
    told.retain(|line| {
        !free.iter().any(|at| {
            line.strip_prefix(at.as_str())
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
        })
    });
    ours.retain(|line| !line.ends_with(" any") || SINCE.iter().any(|key| line.starts_with(key)));
    let mut met: BTreeSet<&str> = BTreeSet::new();
    ours.retain(|line| {
        let since = SINCE.iter().find(|key| {
            line.strip_prefix(**key).is_some_and(|rest| key.ends_with('.') || rest.starts_with([' ', '.']))
        });
        met.extend(since);
        since.is_none()
    });
    assert_eq!(met.len(), SINCE.len(), "a key of `SINCE` is not in the table: {met:?}");
    for (wider, schema) in WIDER {
        assert!(ours.remove(wider), "{wider}");
        assert!(schema.is_empty() || told.remove(schema), "{schema}");
    }
    let (refused, invented): (Vec<_>, Vec<_>) =
        (told.difference(&ours).collect(), ours.difference(&told).collect());
    assert!(refused.is_empty() && invented.is_empty(), "refused: {refused:#?}\ninvented: {invented:#?}");
}

/// Collects the properties of a schema that are missing in the table.
fn missing(schema: &Value, kind: Kind, at: &str, out: &mut Vec<String>) {
    for choice in ["anyOf", "oneOf"] {
        for schema in schema[choice].as_array().into_iter().flatten() {
            missing(schema, kind, at, out);
        }
    }
    match kind {
        Kind::Object(object) => {
            for (key, below) in schema["properties"].as_object().into_iter().flatten() {
                match object.field(key) {
                    Some(field) => missing(below, field.kind, &format!("{at}.{key}"), out),
                    None => out.push(format!("{at}.{key}")),
                }
            }
        }
        Kind::Map(item) => missing(&schema["additionalProperties"], *item, at, out),
        Kind::List(list) => missing(&schema["items"], list.item, at, out),
        _ => {}
    }
}

#[test]
fn the_table_has_every_key_that_the_apps_of_a_job_have() {
    let mut out = Vec::new();
    missing(&Shape::schema_of::<schema::Group>(), Kind::Object(&GROUP), "", &mut out);
    assert!(out.is_empty(), "{out:#?}");
    missing(&Shape::schema_of::<schema::Group>(), Kind::Object(&APP), "", &mut out);
    assert_eq!(out, [".apps"], "the schema has properties");
}
