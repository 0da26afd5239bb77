//! Writes the published types of a platform, as printed by its engine, as the constant table of the targets.
pub mod patches;

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// All types of a platform.
#[derive(Debug, Deserialize)]
pub struct Types {
    types: BTreeMap<String, Vec<Field>>,
}

#[derive(Debug, Deserialize)]
struct Field {
    name: String,
    required: bool,
    kind: Kind,
}

#[derive(Debug, Deserialize)]
struct Kind {
    is: String,
    #[serde(default)]
    object: String,
    item: Option<Box<Kind>>,
    #[serde(default)]
    r#enum: Vec<String>,
    #[serde(default)]
    keys: Vec<String>,
}

/// Writes the table of one platform.
///
/// # Errors
/// The engine prints an unknown kind.
pub fn table(target: &str, json: &str) -> Result<String, String> {
    let Types { types } = serde_json::from_str(json).map_err(|e| e.to_string())?;
    let mut out =
        format!("// Written by `targets/conformance/types {target}` from what the platform publishes.\n");
    for (name, fields) in &types {
        let constant = constant(name);
        let _ = write!(
            out,
            "pub(super) static {constant}: Object = Object {{\n    name: {name:?},\n    fields: &[\n"
        );
        for field in fields {
            let call = if field.required { "required" } else { "field" };
            let _ = writeln!(out, "        {call}({:?}, {}),", field.name, kind(&field.kind)?);
        }
        out.push_str("    ],\n};\n");
    }
    Ok(out)
}

fn kind(kind: &Kind) -> Result<String, String> {
    let item = || kind.item.as_deref().map_or_else(|| Ok("Text".to_owned()), self::kind);
    Ok(match kind.is.as_str() {
        "object" => format!("Kind::Object(&{})", constant(&kind.object)),
        "map" => format!("Kind::Map(&{})", item()?),
        "list" => format!("Kind::List(&List {{ item: {}, keys: &{:?} }})", item()?, kind.keys),
        "string" if kind.r#enum.is_empty() => "Text".to_owned(),
        "string" => format!("Kind::Words(&Words(&{:?}))", kind.r#enum),
        "boolean" => "Boolean".to_owned(),
        "int32" => "Int32".to_owned(),
        "int64" => "Int64".to_owned(),
        "quantity" => "Quantity".to_owned(),
        "int-or-string" => "IntOrText".to_owned(),
        "number" => "Number".to_owned(),
        "any" => "Any".to_owned(),
        other => return Err(format!("no kind `{other}`")),
    })
}

/// Returns the name of the constant of a type: `POD_SPEC` for `PodSpec`.
fn constant(name: &str) -> String {
    let mut out = String::new();
    let letters: Vec<char> = name.chars().collect();
    for (at, letter) in letters.iter().enumerate() {
        let after_small = at > 0 && letters[at - 1].is_ascii_lowercase();
        if letter.is_ascii_uppercase() && after_small {
            out.push('_');
        }
        out.push(if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '_' });
    }
    out
}
