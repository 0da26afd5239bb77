//! Compares the table of settings with the `ConfigEntry` objects of Spark. The command `targets/conformance/types spark` reads
//! these objects and writes `entries.json`.
use super::super::rules::pod::{OLDEST, SINCE};
use super::amount;
use super::kind::Kind;
use super::table::KNOWN;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Reads `entries.json`. If `UPDATE=1` is set and the known keys have changed, writes all known keys to the file, without values.
/// Run `targets/conformance/types spark --write` to add the values.
fn recorded() -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/spark/settings/entries.json");
    let mut recorded: Value =
        serde_json::from_str(&std::fs::read_to_string(&file).expect("a file")).expect("JSON");
    let keys: Vec<&str> = KNOWN.iter().map(|(name, _)| *name).collect();
    let has: Vec<&String> = recorded["entries"].as_object().expect("entries").keys().collect();
    if has != keys && std::env::var_os("UPDATE").is_some() {
        recorded["entries"] = keys.iter().map(|key| (key.to_string(), Value::Null)).collect();
        std::fs::write(&file, recorded.to_string()).expect("written");
    }
    let required: Vec<&String> = recorded["entries"].as_object().expect("entries").keys().collect();
    assert_eq!(required, keys);
    recorded
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Returns whether tfjob refuses a value on purpose, although the `ConfigEntry` of Spark accepts it. Such a value exceeds a bound
/// of the Spark code that uses the value, or has spaces around it, which some Spark code does not trim.
fn is_bounded(kind: Kind, value: &str) -> bool {
    let beyond = |n: Option<i64>, least: i64, most: i64| n.is_some_and(|n| n < least || n > most);
    value.trim() != value
        || match kind {
            Kind::Bytes(unit, least, most) => beyond(unit.read(value), least, most),
            Kind::Time(unit, least, most) => beyond(unit.read(value), least, most),
            Kind::Number(least, most) => beyond(value.parse().ok(), least.into(), most.into()),
            Kind::Port => beyond(value.parse().ok(), 1024, 65_535),
            // Java parses `1d` and `NaN` as numbers, but tfjob accepts neither as a share (a number from 0 to 1).
            Kind::Share => {
                value.parse::<f64>().is_ok_and(|n| !(0.0..=1.0).contains(&n)) || value.ends_with('d')
            }
            Kind::Ratio => matches!(value, "Infinity") || value.ends_with('d'),
            Kind::Flag | Kind::Exact(_) | Kind::Zone => false,
            // For these types, the `ConfigEntry` accepts any string, or not only Spark but also Java must accept the value. So
            // tfjob may refuse a value that the `ConfigEntry` accepts.
            Kind::Heap(_)
            | Kind::Words(_)
            | Kind::Period(_)
            | Kind::Coordinates
            | Kind::Exclusions
            | Kind::Classes
            | Kind::PodPrefix
            | Kind::Name
            | Kind::Cores
            | Kind::Host
            | Kind::Address
            | Kind::Addresses
            | Kind::Place
            | Kind::File
            | Kind::Text => true,
        }
}

#[test]
fn the_table_takes_what_the_entries_of_spark_take() {
    let recorded = recorded();
    let mut wrong: BTreeMap<&str, Value> = BTreeMap::new();
    for (key, kind) in KNOWN.iter().filter(|(key, _)| recorded["entries"][key].get("refused").is_some()) {
        // The `ConfigEntry` of these settings accepts any string. Other code of Spark parses their values as amounts.
        let text = ["spark.rpc.askTimeout", "spark.rpc.lookupTimeout", "spark.executor.logs.rolling.maxSize"];
        let refused = texts(&recorded["entries"][key]["refused"]);
        let values = texts(&recorded["values"]).into_iter().chain(texts(&recorded["more"][key]));
        let accepted = |value: &&str| kind.fault(value).is_none();
        let (silent, mut strict): (Vec<&str>, Vec<&str>) =
            values.filter(|value| accepted(value) == refused.contains(value)).partition(accepted);
        strict.retain(|value| !is_bounded(*kind, value) && !text.contains(key));
        if !silent.is_empty() || !strict.is_empty() {
            wrong.insert(key, json!({ "kind": format!("{kind:?}"), "silent": silent, "strict": strict }));
        }
    }
    let lines: Vec<String> = wrong.iter().map(|(key, what)| format!("{key}: {what}")).collect();
    assert!(lines.is_empty(), "{}", lines.join("\n"));
}

#[test]
fn units_and_defaults_are_those_of_the_entries() {
    let recorded = recorded();
    for (key, kind) in KNOWN {
        let entry = &recorded["entries"][key];
        let number = |whole: &str| entry[whole].as_str().and_then(|n| n.parse::<i64>().ok());
        match kind {
            Kind::Bytes(unit, ..) => assert_eq!(unit.read("1g"), number("1g"), "{key}"),
            Kind::Time(unit, ..) if entry["refused"] != json!([]) => {
                assert_eq!(unit.read("1d"), number("1d"), "{key}");
            }
            Kind::Heap(_) => assert_eq!(amount::heap("1g"), number("1g"), "{key}"),
            _ => {}
        }
        // Spark may show a default as `<undefined>`, as `<value of KEY>`, or as an empty string.
        let default = entry["default"].as_str().unwrap_or_default();
        let is_value = !default.is_empty() && !default.starts_with('<');
        assert!(!is_value || kind.fault(default).is_none(), "{key}");
    }
}

/// Only the two settings below have no `ConfigEntry` that declares their type. Spark reads them only by their names.
#[test]
fn all_others_are_entries_of_spark() {
    let recorded = recorded();
    let undeclared = KNOWN.iter().filter(|(key, _)| recorded["entries"][key].get("refused").is_none());
    let undeclared: Vec<&str> = undeclared.map(|(key, _)| *key).collect();
    assert_eq!(undeclared, ["spark.local.dir", "spark.port.maxRetries"]);
}

#[test]
fn settings_that_an_older_release_ignores_are_those_of_the_entries() {
    let recorded = recorded();
    let release = |text: &str| {
        let mut parts = text.split('.').map(|part| part.parse::<u32>().expect("a number"));
        (parts.next().expect("major"), parts.next().expect("minor"))
    };
    let of =
        |key: &str| recorded["entries"][key]["since"].as_str().filter(|text| !text.is_empty()).map(release);
    let keys = KNOWN.iter().map(|(key, _)| *key);
    let newer: Vec<_> =
        keys.filter_map(|key| Some((key, of(key)?))).filter(|(_, since)| *since > OLDEST).collect();
    let written: Vec<_> = SINCE.into_iter().filter(|(name, _)| !name.ends_with('.')).collect();
    assert_eq!(newer, written);
}
