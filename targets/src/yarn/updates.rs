//! What YARN does if the Yarnfile of a submitted job changes.
use serde_json::Value;
use tfjob_lang::target::{Effect, UpdateRule, Updates};

/// The updates of this target.
pub const UPDATES: Updates = Updates { rules: RULES, digests: &[], object };

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

/// Returns the name of the service.
fn object(document: &Value) -> Option<String> {
    Some(format!("service {}", document.get("name")?.as_str()?))
}
