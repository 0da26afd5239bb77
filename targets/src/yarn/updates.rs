//! What YARN does if the Yarnfile of a submitted job changes.
use serde_json::Value;
use tfjob_lang::target::{AddedValue, Effect, UpdateRule, Updates, is_empty, is_equal};

/// The updates of this target.
pub const UPDATES: Updates = Updates {
    rules: RULES,
    digests: &[],
    object,
    scopes: &[],
    reported: |service| vec![service.clone()],
    added: ADDED,
    equal: is_equal,
    omitted: is_empty,
};

/// The rules. The first one that matches decides.
const RULES: &[UpdateRule] = &[
    rule(
        "Yarnfile.json",
        "/name",
        Effect::Recreate,
        "another name is another service: the old one keeps running until it is destroyed",
    ),
    rule(
        "Yarnfile.json",
        "/lifetime",
        Effect::InPlace,
        "`yarn app -updateLifetime` changes the lifetime of a running service, from the time of the command",
    ),
    rule(
        "Yarnfile.json",
        "/components/*/number_of_containers",
        Effect::Recreate,
        "YARN can change the number of containers of a running service, but the tasks keep the old list of peers",
    ),
    rule("*", "**", Effect::Recreate, "YARN cannot change this in a running service"),
];

const fn rule(file: &'static str, pointer: &'static str, effect: Effect, reason: &'static str) -> UpdateRule {
    UpdateRule { file, pointer, effect, reason }
}

/// Values that YARN adds: defaults and the state of the service.
const ADDED: &[AddedValue] = &[
    any("/id"),
    any("/state"),
    any("/launch_time"),
    any("/uri"),
    any("/components/*/state"),
    any("/components/*/containers"),
];

const fn any(pointer: &'static str) -> AddedValue {
    AddedValue { object: "", pointer, value: None }
}

/// Returns the name of the service.
fn object(document: &Value) -> Option<String> {
    Some(format!("service {}", document.get("name")?.as_str()?))
}
