//! Patched values that a scheduler reads. The check against a cluster file ignores these values, because it uses only the fields of
//! the spec, not its patches.
use super::value;
use serde_json::Value;
use tfjob_lang::cluster::demand::Uncounted;
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::{Job, Requirement};

/// Fields that are not searched: maps, because the user chooses their keys, and volumes, because their storage is not on a node.
const SKIPPED: [&str; 7] =
    ["annotations", "configuration", "env", "environment", "labels", "metadata", "volumes"];

/// Returns the patches of a target that set one of `keys`. Each patch is returned only once.
#[must_use]
pub fn uncounted(plan: &Plan, target: &str, keys: &[&'static str]) -> Vec<Uncounted> {
    let patches = plan.requirements.iter().filter_map(|required| match &required.requirement {
        Requirement::Job(Job::Patch { target: of, role, text }) if of == target => {
            Some((required.at, *role, text))
        }
        _ => None,
    });
    let found = patches.filter_map(|(at, role, text)| {
        let patch = value(text);
        let key = keys.iter().find(|key| sets(&patch, key))?;
        Some(Uncounted { role, key, at })
    });
    found.collect()
}

fn sets(patch: &Value, key: &str) -> bool {
    match patch {
        Value::Object(map) => map
            .iter()
            .any(|(name, value)| name == key || !SKIPPED.contains(&name.as_str()) && sets(value, key)),
        Value::Array(items) => items.iter().any(|item| sets(item, key)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}
