//! `patch`: YAML or JSON of the user. tfjob checks it against the schema of an artifact, and then merges it into the artifact.
mod check;
mod images;
mod merge;
mod merged;
pub mod published;
mod unchecked;
mod uncounted;

pub use check::{Place, Rule, Rules, check};
pub use images::images;
pub use merge::apply;
pub use merged::Merged;
pub use unchecked::unchecked;
pub use uncounted::uncounted;

use crate::codes::{BAD_PATCH, PATCH_OVERRIDES};
use serde_json::{Map, Number, Value};
use tfjob_lang::diagnostic::{Diagnostic, nearest};
use tfjob_lang::sources::{Format, Sources, Span};
use tfjob_lang::syntax::{read_json, read_yaml};
use tfjob_lang::tree::{self, Tree};

/// A rule of a platform for single values. Takes a path, such as `spec.containers[0].image`, and the value. Returns the fault, if
/// any. The message shows the fault after the path.
pub type Fits = fn(&str, &Value) -> Option<&'static str>;

/// Returns all faults in a patch of an object with this schema. The schema comes from [`tfjob_lang::shape::Shape::schema_of`], so
/// it has no `$ref`. Each message begins with `target`. `fits`: further rule of the platform for each value.
#[must_use]
pub fn judge(target: &str, schema: &Value, fits: Fits, text: &str, at: Span) -> Vec<Diagnostic> {
    let fault =
        |fact: &str| Diagnostic::new(&BAD_PATCH, at, format!("{target}: {fact}")).here("in this patch");
    let patch = match read(text) {
        Ok(patch) => patch,
        Err(why) => return vec![fault(&format!("the patch is not valid YAML or JSON: {why}"))],
    };
    if !patch.is_object() {
        return vec![
            fault("the patch is not a map").help("write `key: value` lines, as in the generated file"),
        ];
    }
    let mut faults = Vec::new();
    walk(schema, &patch, "", &mut faults);
    if faults.is_empty() {
        each(&patch, "", &mut |path, value| {
            let fault = fits(path, value).map(|fault| (format!("`{path}` {fault}"), String::new()));
            faults.extend(fault);
        });
    }
    faults
        .into_iter()
        .map(|(fact, help)| {
            let found = fault(&fact);
            if help.is_empty() { found } else { found.help(help) }
        })
        .collect()
}

/// Returns the value of a patch, or null if the patch is empty or invalid.
#[must_use]
pub fn value(text: &str) -> Value {
    read(text).unwrap_or(Value::Null)
}

fn read(text: &str) -> Result<Value, String> {
    let mut sources = Sources::default();
    let number = sources.add("patch", Format::Yaml, text);
    let source = sources.get(number);
    // JSON is tried first, because YAML forbids tabs as indentation, but JSON allows them. A brace can begin both JSON and YAML.
    if let (Some(tree), found) = read_json(source)
        && found.is_empty()
    {
        return json(&tree);
    }
    let (tree, found) = read_yaml(source);
    match (tree, found.into_iter().find(Diagnostic::is_error)) {
        (Some(tree), None) => json(&tree),
        (_, fault) => Err(fault.map_or_else(|| "it is empty".to_owned(), |fault| fault.message)),
    }
}

fn json(tree: &Tree) -> Result<Value, String> {
    Ok(match &tree.value {
        tree::Value::Null | tree::Value::Hole => Value::Null,
        tree::Value::Bool(flag) => Value::Bool(*flag),
        tree::Value::Int(whole) => {
            Value::Number(Number::from_i128(*whole).ok_or_else(|| format!("`{whole}` is too large"))?)
        }
        tree::Value::Float(float) => Value::from(*float),
        tree::Value::Text(text) => Value::String(text.clone()),
        tree::Value::List(items) => Value::Array(items.iter().map(json).collect::<Result<_, _>>()?),
        tree::Value::Map(entries) => {
            let pairs = entries.iter().map(|entry| Ok((entry.key.clone(), json(&entry.tree)?)));
            Value::Object(pairs.collect::<Result<_, String>>()?)
        }
    })
}

/// Message and help of each fault. An empty help is not shown.
type Faults = Vec<(String, String)>;

/// Checks a value against a schema. `null` removes a key, so it is valid for every optional key.
fn walk(schema: &Value, patch: &Value, at: &str, faults: &mut Faults) {
    for choice in ["anyOf", "oneOf"] {
        if let Some(choices) = schema[choice].as_array() {
            if choices.iter().all(|choice| choice.get("const").is_some()) {
                let words = choices.iter().map(|choice| choice["const"].clone()).collect();
                return word(words, patch, at, faults);
            }
            let fits = |schema: &Value| {
                let mut faults = Faults::new();
                walk(schema, patch, at, &mut faults);
                faults
            };
            let mut best = choices.iter().map(fits).min_by_key(Vec::len).unwrap_or_default();
            faults.append(&mut best);
            return;
        }
    }
    if !of_type(&schema["type"], patch) {
        let fact = format!("{} takes {}, not {}", place(at), types(&schema["type"]), kind(patch));
        faults.push((fact, String::new()));
        return;
    }
    if beyond(schema, patch) {
        let range = match (&schema["minimum"], &schema["maximum"]) {
            (least, Value::Null) => format!("write at least {least}"),
            (least, most) => format!("write a number from {least} to {most}"),
        };
        faults.push((format!("{} cannot be {patch}", place(at)), range));
    }
    let words = schema["enum"].as_array().cloned().unwrap_or_default();
    word(words.into_iter().chain(schema.get("const").cloned()).collect(), patch, at, faults);
    match patch {
        Value::Object(map) => keys(schema, map, at, faults),
        Value::Array(list) => {
            for (number, item) in list.iter().enumerate() {
                walk(&schema["items"], item, &format!("{at}[{number}]"), faults);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Visits every leaf value with its path. `null`, which removes a value, and empty lists count as leaves.
fn each(value: &Value, at: &str, visit: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                each(value, &format!("{at}.{key}"), visit);
            }
        }
        Value::Array(list) if !list.is_empty() => {
            for (number, value) in list.iter().enumerate() {
                each(value, &format!("{at}[{number}]"), visit);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            visit(at.trim_start_matches('.'), value);
        }
    }
}

/// Returns whether a number is outside the range that the schema allows.
fn beyond(schema: &Value, patch: &Value) -> bool {
    patch.as_f64().is_some_and(|number| {
        let below = schema["minimum"].as_f64().is_some_and(|least| number < least);
        below || schema["maximum"].as_f64().is_some_and(|most| number > most)
    })
}

fn place(at: &str) -> String {
    if at.is_empty() { "the patch".to_owned() } else { format!("`{}`", at.trim_start_matches('.')) }
}

/// Checks that a value is one of `words`. If `words` is empty, any value is valid.
fn word(words: Vec<Value>, patch: &Value, at: &str, faults: &mut Faults) {
    if !words.is_empty() && !words.contains(patch) {
        let known = words.iter().map(|w| format!("`{}`", w.as_str().unwrap_or_default())).collect::<Vec<_>>();
        faults
            .push((format!("{} cannot be {patch}", place(at)), format!("write one of {}", known.join(", "))));
    }
}

fn keys(schema: &Value, map: &Map<String, Value>, at: &str, faults: &mut Faults) {
    let none = Map::new();
    let known = schema["properties"].as_object().unwrap_or(&none);
    let required = |key: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|r| r == key));
    for (key, value) in map {
        let below = format!("{at}.{key}");
        match known.get(key).or(Some(&schema["additionalProperties"]).filter(|other| other.is_object())) {
            Some(_) if value.is_null() && !required(key) => {}
            Some(_) if value.is_null() => {
                faults
                    .push((format!("`{}` cannot be removed", below.trim_start_matches('.')), String::new()));
            }
            Some(schema) => walk(schema, value, &below, faults),
            None if schema["additionalProperties"] == false || !known.is_empty() => {
                let near = nearest(key, known.keys().map(String::as_str));
                let help = match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => {
                        format!(
                            "use one of the keys {}",
                            known.keys().cloned().collect::<Vec<_>>().join(", ")
                        )
                    }
                };
                faults.push((format!("unknown key `{}`", below.trim_start_matches('.')), help));
            }
            None => {}
        }
    }
}

fn of_type(wanted: &Value, value: &Value) -> bool {
    match wanted {
        Value::String(word) => match word.as_str() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            _ => true,
        },
        Value::Array(all) => all.iter().any(|one| of_type(one, value)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => true,
    }
}

fn types(wanted: &Value) -> String {
    match wanted {
        Value::Array(all) => all.iter().map(types).collect::<Vec<_>>().join(" or "),
        Value::String(word) => match word.as_str() {
            "object" => "a map".to_owned(),
            "array" => "a list".to_owned(),
            "string" => "a string".to_owned(),
            "boolean" => "a boolean".to_owned(),
            "integer" => "an integer".to_owned(),
            _ => "a number".to_owned(),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => "any value".to_owned(),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(number) if number.is_f64() => "a decimal number",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "a map",
    }
}

#[cfg(test)]
mod tests {
    use super::{apply, judge};
    use schemars::JsonSchema;
    use serde_json::json;
    use tfjob_lang::origin::Document;
    use tfjob_lang::shape::Shape;
    use tfjob_lang::sources::Span;

    #[derive(JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct App {
        id: String,
        cpus: Option<f64>,
        ports: Vec<Port>,
        labels: std::collections::BTreeMap<String, String>,
        mode: Option<Mode>,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    enum Mode {
        /// One.
        Slow,
        /// Other.
        Fast,
    }

    #[derive(JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Port {
        name: String,
        number: u16,
    }

    fn odd_label(path: &str, value: &serde_json::Value) -> Option<&'static str> {
        (path == "labels.odd" && value == "even").then_some("is odd")
    }

    fn faults(text: &str) -> Vec<String> {
        let schema = Shape::schema_of::<App>();
        judge("x", &schema, odd_label, text, Span::default()).into_iter().map(|d| d.message).collect()
    }

    #[test]
    fn a_patch_that_fits_is_clean_in_yaml_and_json() {
        for text in
            ["cpus: 0.5", "{\"cpus\": 2}", "cpus: null", "labels: {a: b}", "ports: [{name: a, number: 1}]"]
        {
            assert_eq!(faults(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn each_fault_is_reported() {
        for (text, fault) in [
            ("cpu: 1", "x: unknown key `cpu`"),
            ("ports: [{nam: a}]", "x: unknown key `ports[0].nam`"),
            ("cpus: much", "x: `cpus` takes a number, not a string"),
            ("labels: {a: 1}", "x: `labels.a` takes a string, not a number"),
            ("id: null", "x: `id` cannot be removed"),
            ("ports: [{number: -1}]", "x: `ports[0].number` cannot be -1"),
            ("ports: [{number: 70000}]", "x: `ports[0].number` cannot be 70000"),
            ("labels: {odd: even}", "x: `labels.odd` is odd"),
            ("mode: fast", "x: `mode` cannot be \"fast\""),
            ("- a", "x: the patch is not a map"),
        ] {
            assert_eq!(faults(text), [fault], "{text}");
        }
        for (text, why) in [
            ("mode: yes", "`yes` is ambiguous in YAML"),
            ("id: a\nid: b", "duplicate key `id`"),
            ("{\"cpus\": 340282366920938463463}", "`340282366920938463463` is too large"),
        ] {
            assert_eq!(faults(text), [format!("x: the patch is not valid YAML or JSON: {why}")], "{text}");
        }
        assert!(faults("a: [")[0].starts_with("x: the patch is not valid YAML or JSON: "));
    }

    #[test]
    fn maps_are_merged_and_items_are_matched_by_name() {
        let at = Span::new(1, 2);
        let mut document = Document::new(&json!({
            "id": "a", "cpus": 1, "ports": [{"name": "a", "number": 1}, {"name": "b", "number": 2}], "words": [1, 2]
        }));
        let text = "cpus: null\nports: [{name: b, number: 3}, {name: c, number: 4}]\nwords: [3]\nnew: {a: 1, b: null}";
        apply(&mut document, "", text, at);
        let expected = json!({
            "id": "a", "ports": [{"name": "a", "number": 1}, {"name": "b", "number": 3}, {"name": "c", "number": 4}],
            "words": [3], "new": {"a": 1}
        });
        assert_eq!(document.value, expected);
        assert_eq!(document.origins.blame("/ports/1/number"), Some(at));
        assert_eq!(document.origins.blame("/new/a"), Some(at));
        assert_eq!(document.origins.blame("/ports/0/number"), None);
    }

    #[test]
    fn mounts_are_matched_by_path_and_repeated_values_keep_their_origin() {
        let (ours, at) = (Span::new(1, 2), Span::new(3, 4));
        let mut document = Document::new(&json!({ "volumeMounts": [{"name": "v", "mountPath": "/v"}] }));
        document.origins.0.insert("/volumeMounts/0/name".to_owned(), ours);
        let mount = |name: &str, path: &str| json!({"name": name, "mountPath": path});
        let text = "volumeMounts: [{name: v, mountPath: /v, readOnly: true}, {name: v, mountPath: /w}]";
        apply(&mut document, "", text, at);
        let first = json!({"name": "v", "mountPath": "/v", "readOnly": true});
        assert_eq!(document.value["volumeMounts"], json!([first, mount("v", "/w")]));
        assert_eq!(document.origins.blame("/volumeMounts/0/name"), Some(ours));
        assert_eq!(document.origins.blame("/volumeMounts/0/readOnly"), Some(at));
        assert_eq!(document.origins.blame("/volumeMounts/1/name"), Some(at));
    }

    #[test]
    fn twenty_thousand_items_are_merged_in_seconds() {
        let list =
            |from: usize| (from..from + 20_000).map(|n| json!({"name": format!("V{n}"), "value": "a"}));
        let mut document = Document::new(&json!({ "env": list(0).collect::<Vec<_>>() }));
        let patch = json!({ "env": list(10_000).collect::<Vec<_>>() }).to_string();
        let begin = std::time::Instant::now();
        apply(&mut document, "", &patch, Span::new(1, 2));
        assert_eq!(document.value["env"].as_array().map(Vec::len), Some(30_000));
        assert!(begin.elapsed().as_secs() < 5, "{:?}", begin.elapsed());
    }
}
