//! The update rules of a target, so that `targets/conformance/live` can check that each is observed.
use serde_json::{Value, json};
use tfjob_lang::target::Updates;

/// Returns the rules, then the values that the platform adds to an object.
pub fn lines(updates: &Updates) -> Vec<Value> {
    let rules = updates
        .rules
        .iter()
        .map(|rule| json!({ "rule": { "file": rule.file, "pointer": rule.pointer, "reason": rule.reason } }));
    let added = updates
        .added
        .iter()
        .map(|value| json!({ "added": { "object": value.object, "pointer": value.pointer } }));
    rules.chain(added).collect()
}
