//! Values that YARN adds to a submitted service: defaults, state, and what each component inherits from the service.
//!
//! Observed on Hadoop 3.4.2.
use serde_json::Value;
use tfjob_lang::target::{Documents, KnownValue};

/// Values that YARN adds.
pub const ADDED: &[KnownValue] = &[
    any("/id"),
    any("/state"),
    // The default of the queue; -1: unlimited.
    any("/lifetime"),
    json("/dependencies", "[]"),
    json("/kerberos_principal", "{}"),
    json("/quicklinks", "{}"),
    json("/configuration/env", "{}"),
    json("/configuration/files", "[]"),
    json("/configuration/files/*/properties", "{}"),
    any("/components/*/state"),
    any("/components/*/containers"),
    json("/components/*/decommissioned_instances", "[]"),
    json("/components/*/dependencies", "[]"),
    json("/components/*/quicklinks", "[]"),
    json("/components/*/run_privileged_container", "false"),
    json("/components/*/resource/additional", "{}"),
    json("/components/*/resource/additional/*/attributes", "{}"),
    json("/components/*/resource/additional/*/tags", "[]"),
    json("/components/*/placement_policy/constraints/*/node_attributes", "{}"),
    json("/components/*/placement_policy/constraints/*/node_partitions", "[]"),
    json("/components/*/placement_policy/constraints/*/target_tags", "[]"),
    KnownValue::when("", "/components/*/configuration/**", is_inherited),
];

const fn any(pointer: &'static str) -> KnownValue {
    KnownValue::any("", pointer)
}

const fn json(pointer: &'static str, value: &'static str) -> KnownValue {
    KnownValue::json("", pointer, value)
}

/// Returns whether a component has a part of its configuration from the configuration of the service, or whether the part is empty.
fn is_inherited(documents: &Documents<'_>, pointer: &str) -> bool {
    let below = pointer.splitn(4, '/').nth(3).and_then(|rest| rest.strip_prefix("configuration"));
    let Some((below, part)) = below.zip(documents.live.pointer(pointer)) else { return false };
    let all = documents.live.get("configuration").unwrap_or(&Value::Null);
    // The files of both are one list, in any order.
    if below.starts_with("/files/") {
        let files = all.get("files").and_then(Value::as_array);
        return files.is_some_and(|files| files.contains(part));
    }
    is_part(part, all.pointer(below).unwrap_or(&Value::Null))
}

/// Returns whether each value of a configuration is also in another one.
fn is_part(part: &Value, all: &Value) -> bool {
    match part {
        Value::Object(map) => map.iter().all(|(key, one)| is_part(one, all.get(key).unwrap_or(&Value::Null))),
        Value::Array(list) => list.iter().all(|one| all.as_array().is_some_and(|all| all.contains(one))),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => part == all,
    }
}
