//! What Spark does if a file of a submitted job changes.
use serde_json::Value;
use tfjob_lang::target::{Effect, UpdateRule, Updates, is_equal};

/// The updates of this target.
pub const UPDATES: Updates = Updates {
    rules: RULES,
    removed: None,
    tools: &[],
    replacement: |_, _, _| None,
    evidence: "spark-submit has no command that changes an application.",
    digests: &[],
    object,
    owner: |_| None,
    is_deleted: |_| false,
    identity: &[],
    reported: |_| Err("Spark reports no job in the form in which it was submitted".to_owned()),
    added: &[],
    omitted: &[],
    equal: |_, live, wanted| is_equal(live, wanted),
    lacking: |_, _| Vec::new(),
    unreported: |_, _| None,
    staying: None,
};

/// The rules. The first one that matches decides.
const RULES: &[UpdateRule] = &[UpdateRule::new(
    "*",
    "**",
    Effect::Recreate,
    "a Spark application cannot be changed after it is submitted",
)];

/// Spark has no objects besides the application.
const fn object(_document: &Value) -> Option<String> {
    None
}
