//! Compares the options with the keys of the package's schema, which the program `targets/conformance/types` writes.
use super::Options;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use tfjob_lang::shape::Shape;

/// Returns the first schema of an `anyOf` that is not `null`, if any.
fn some(choices: &[Value]) -> Option<&Value> {
    choices.iter().find(|choice| choice["type"] != "null")
}

/// Collects the keys of tfjob's schema in the format of `targets/conformance/types`.
fn keys(schema: &Value, at: &str, out: &mut BTreeSet<String>) {
    if let Some(choices) = schema["anyOf"].as_array() {
        return keys(some(choices).expect("a type"), at, out);
    }
    let of = |list: &Value, key: Option<&str>| -> BTreeSet<String> {
        let words = list.as_array().into_iter().flatten();
        words.filter_map(|word| key.map_or(word, |key| &word[key]).as_str()).map(str::to_owned).collect()
    };
    let words: BTreeSet<String> =
        of(&schema["enum"], None).into_iter().chain(of(&schema["oneOf"], Some("const"))).collect();
    let kind = match &schema["type"] {
        Value::Array(kinds) => some(kinds).and_then(Value::as_str),
        kind => kind.as_str(),
    };
    let kind = kind.unwrap_or("any").to_owned();
    let kind = if words.is_empty() { kind } else { words.into_iter().collect::<Vec<_>>().join("|") };
    if !at.is_empty() {
        out.insert(format!("{at} {kind}"));
    }
    for (key, below) in schema["properties"].as_object().into_iter().flatten() {
        let at = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
        keys(below, &at, out);
    }
}

#[test]
fn the_options_have_the_keys_and_enum_values_of_the_schema() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas/beta-tensorflow.keys.txt");
    let text = std::fs::read_to_string(file).expect("a file");
    let told: BTreeSet<String> = text.lines().map(str::to_owned).collect();
    assert!(told.len() > 50);
    let mut ours = BTreeSet::new();
    keys(&Shape::schema_of::<Options>(), "", &mut ours);
    let (refused, invented): (Vec<_>, Vec<_>) =
        (told.difference(&ours).collect(), ours.difference(&told).collect());
    assert!(refused.is_empty() && invented.is_empty(), "refused: {refused:#?}\ninvented: {invented:#?}");
}
