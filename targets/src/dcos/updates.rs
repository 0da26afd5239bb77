//! What DC/OS does if the document of a submitted job changes.
//!
//! Not observed: neither Marathon nor Cosmos runs in the tests. The rules follow what is known of Marathon's deployments and of updates
//! with Cosmos.
mod known;

use serde_json::Value;
use std::collections::BTreeSet;
use tfjob_lang::target::{Effect, UpdateRule, Updates, is_equal};

/// The updates of this target.
pub const UPDATES: Updates = Updates {
    rules: RULES,
    removed: None,
    tools: &[],
    replacement: |_, _, _| None,
    evidence: "Not observed: neither Marathon nor Cosmos runs in the tests.",
    digests: &[],
    object,
    owner: |_| None,
    is_deleted: |_| false,
    identity: &["/id", "/service/name"],
    reported,
    added: known::ADDED,
    omitted: known::OMITTED,
    equal,
    lacking: |_, _| Vec::new(),
    unreported: |_, _| None,
    staying: None,
};

/// Why a job in the other form does not replace the submitted one.
const OTHER_FORM: &str = "a group of Marathon and a service of the package are different jobs: the old one keeps running until it is removed";

/// The rules. The first one that matches decides. A rule without a pointer is about a whole file, which only one version has.
const RULES: &[UpdateRule] = &[
    UpdateRule::new("marathon.json", "", Effect::Recreate, OTHER_FORM),
    UpdateRule::new("options.json", "", Effect::Recreate, OTHER_FORM),
    UpdateRule::new(
        "marathon.json",
        "/id",
        Effect::Recreate,
        "another ID is another group or app: the old one keeps running until it is removed",
    ),
    UpdateRule::new(
        "marathon.json",
        "/apps/*",
        Effect::Restart,
        "Marathon starts added apps, and stops removed ones",
    ),
    UpdateRule::new(
        "marathon.json",
        "**",
        Effect::Restart,
        "Marathon starts a deployment, which replaces the task of each changed app",
    ),
    UpdateRule::new(
        "options.json",
        "/service/name",
        Effect::Rejected,
        "Cosmos rejects an update with another service name",
    ),
    UpdateRule::new(
        "options.json",
        "**",
        Effect::Restart,
        "the scheduler of the package rolls out a new configuration, which restarts the tasks",
    ),
    UpdateRule::new("*", "**", Effect::Recreate, "the file is read when the job is submitted"),
];

/// Returns the app or group of Marathon, or the options of the package as the user set them.
///
/// # Errors
/// Returns the message with which Marathon or Cosmos refuses a request.
fn reported(answer: &Value) -> Result<Vec<Value>, String> {
    if let Some(inner) = ["app", "userProvidedOptions"].iter().find_map(|key| answer.get(key)) {
        return Ok(vec![inner.clone()]);
    }
    match answer.get("message").and_then(Value::as_str) {
        Some(message) if object(answer).is_none() => Err(format!("DC/OS reports an error: {message}")),
        Some(_) | None => Ok(vec![answer.clone()]),
    }
}

/// Returns whether two values are equal. Marathon keeps the apps of a group and the dependencies of an app as sets.
fn equal(pointer: &str, live: &Value, wanted: &Value) -> bool {
    let names = |value: &Value| {
        let list = value.as_array()?;
        list.iter().map(|name| name.as_str().map(str::to_owned)).collect::<Option<BTreeSet<_>>>()
    };
    let is_set = pointer == "/apps" || pointer.ends_with("/dependencies");
    is_equal(live, wanted) || is_set && names(live).is_some() && names(live) == names(wanted)
}

/// Returns the ID of a Marathon app or group, or the name of the service of a package.
fn object(document: &Value) -> Option<String> {
    if let Some(id) = document.get("id").and_then(Value::as_str) {
        let kind = if document.get("apps").is_some() { "group" } else { "app" };
        return Some(format!("{kind} {id}"));
    }
    Some(format!("service {}", document.pointer("/service/name")?.as_str()?))
}
