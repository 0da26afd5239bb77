//! What YARN does if the Yarnfile of a submitted job changes.
//!
//! `targets/conformance/live` applies each kind of change, except the removal of the lifetime, to a running service with the REST API of
//! Hadoop 3.4.2.
mod known;

use serde_json::Value;
use tfjob_lang::target::{Change, Effect, UpdateRule, Updates, is_equal};

/// The updates of this target.
pub const UPDATES: Updates = Updates {
    rules: RULES,
    removed: None,
    tools: &[],
    replacement: |_, _, _| None,
    evidence: "Observed on Hadoop 3.4.2 (`targets/conformance/live`), except the removal of `lifetime`.",
    digests: &[],
    object,
    owner: |_| None,
    is_deleted: |_| false,
    identity: &["/name"],
    reported,
    added: known::ADDED,
    omitted: &[],
    equal,
    lacking: |_, _| Vec::new(),
    unreported,
    staying: None,
};

/// The rules. The first one that matches decides.
const RULES: &[UpdateRule] = &[
    // YARN has no command that renames a service.
    UpdateRule::new(
        "Yarnfile.json",
        "/name",
        Effect::Recreate,
        "another name is another service: the old one keeps running until it is destroyed",
    ),
    // The command needs a number of seconds. It refuses -1: the time of the end would be in the past.
    UpdateRule::new(
        "Yarnfile.json",
        "/lifetime",
        Effect::Recreate,
        "YARN has no command that removes the lifetime of a running service: YARN stops the service at its end",
    )
    .only(Change::Removed),
    UpdateRule::new(
        "Yarnfile.json",
        "/lifetime",
        Effect::InPlace,
        "`yarn app -updateLifetime` changes the lifetime of a running service, from the time of the command",
    ),
    // `PUT /app/v1/services/NAME/components/COMPONENT` keeps the containers that remain.
    UpdateRule::new(
        "Yarnfile.json",
        "/components/*/number_of_containers",
        Effect::Recreate,
        "YARN can change the number of containers of a running service, but the tasks keep the old list of peers",
    ),
    // `PUT /app/v1/services/NAME` answers 204, or 200 if the lifetime is set. `yarn app -upgrade` needs another `version` of the
    // service, and `yarn.service.upgrade.enabled`, which is false by default: it answers "Service upgrade is disabled".
    UpdateRule::new(
        "Yarnfile.json",
        "**",
        Effect::Recreate,
        "the REST API of YARN accepts the change in a running service, but ignores it",
    ),
    UpdateRule::new("*", "**", Effect::Recreate, "the file is read when the service is submitted"),
];

/// Returns the service.
///
/// # Errors
/// Returns the message with which YARN refuses a request, or the state of a service that does not run.
fn reported(answer: &Value) -> Result<Vec<Value>, String> {
    let text = |pointer: &str| answer.pointer(pointer).and_then(Value::as_str);
    let components = answer.get("components").and_then(Value::as_array);
    if components.is_some_and(|all| !all.is_empty()) {
        return Ok(vec![answer.clone()]);
    }
    if let Some(message) = text("/RemoteException/message").or_else(|| text("/diagnostics")) {
        return Err(format!("YARN reports an error: {message}"));
    }
    // Observed in the states ACCEPTED and STOPPED: the answer has the name and an empty list of components.
    match (text("/name"), text("/state")) {
        (Some(name), Some(state)) => Err(format!(
            "service {name} is in state {state}: YARN reports its components only while its application master runs"
        )),
        (_, _) => Ok(vec![answer.clone()]),
    }
}

/// Returns whether two values are equal. YARN reports the remaining lifetime in seconds, and replaces `${USER}` in links.
fn equal(pointer: &str, live: &Value, wanted: &Value) -> bool {
    if is_equal(live, wanted) {
        return true;
    }
    if pointer == "/lifetime" {
        return matches!((live.as_i64(), wanted.as_i64()), (Some(left), Some(all)) if (0..all).contains(&left));
    }
    match (live.as_str(), wanted.as_str()) {
        (Some(live), Some(wanted)) if pointer.starts_with("/quicklinks/") => {
            let parts = wanted.split_once("${USER}");
            parts.is_some_and(|(before, after)| {
                let rest = live.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
                rest.is_some_and(|user| !user.is_empty() && !user.contains(['.', '/', ':']))
            })
        }
        (_, _) => false,
    }
}

/// Returns what a remaining lifetime does not tell.
fn unreported(live: &Value, wanted: &Value) -> Option<String> {
    let seconds = |service: &Value| service.get("lifetime").and_then(Value::as_i64);
    let (left, all) = (seconds(live)?, seconds(wanted)?);
    (0..all).contains(&left).then(|| {
        format!(
            "YARN stops the service in {left} s, and does not report its whole lifetime: a shorter `deadline` of the submitted service \
             is not found"
        )
    })
}

/// Returns the name of the service.
fn object(document: &Value) -> Option<String> {
    Some(format!("service {}", document.get("name")?.as_str()?))
}
