//! What DC/OS does if the document of a submitted job changes.
use serde_json::Value;
use tfjob_lang::target::{AddedValue, Effect, UpdateRule, Updates, is_empty, is_equal};

/// The updates of this target.
pub const UPDATES: Updates = Updates {
    rules: RULES,
    digests: &[],
    object,
    scopes: &[],
    reported,
    added: ADDED,
    equal: is_equal,
    omitted: is_empty,
};

/// The rules. The first one that matches decides.
const RULES: &[UpdateRule] = &[
    rule(
        "marathon.json",
        "/id",
        Effect::Recreate,
        "another ID is another group or app: the old one keeps running until it is removed",
    ),
    rule("marathon.json", "/apps", Effect::Restart, "Marathon starts added apps, and stops removed ones"),
    rule(
        "marathon.json",
        "**",
        Effect::Restart,
        "Marathon starts a deployment, which replaces the task of each changed app",
    ),
    rule(
        "options.json",
        "/service/name",
        Effect::Rejected,
        "Cosmos rejects an update with another service name",
    ),
    rule(
        "options.json",
        "**",
        Effect::Restart,
        "the scheduler of the package rolls out a new configuration, which restarts the tasks",
    ),
    rule("*", "**", Effect::Recreate, "the file is read when the job is submitted"),
];

const fn rule(file: &'static str, pointer: &'static str, effect: Effect, reason: &'static str) -> UpdateRule {
    UpdateRule { file, pointer, effect, reason }
}

/// Values that Marathon adds: defaults and the state of the apps.
const ADDED: &[AddedValue] = &[any("/version"), any("/apps/*/version"), any("/apps/*/versionInfo")];

const fn any(pointer: &'static str) -> AddedValue {
    AddedValue { object: "", pointer, value: None }
}

/// Returns the app or group of Marathon, or the options of the package.
fn reported(answer: &Value) -> Vec<Value> {
    let inner = ["app", "resolvedOptions", "userProvidedOptions"].iter().find_map(|key| answer.get(key));
    vec![inner.unwrap_or(answer).clone()]
}

/// Returns the ID of a Marathon app or group, or the name of the service of a package.
fn object(document: &Value) -> Option<String> {
    if let Some(id) = document.get("id").and_then(Value::as_str) {
        let kind = if document.get("apps").is_some() { "group" } else { "app" };
        return Some(format!("{kind} {id}"));
    }
    Some(format!("service {}", document.pointer("/service/name")?.as_str()?))
}
