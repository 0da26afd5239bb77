//! What a local run does if the job changes.
use serde_json::Value;
use tfjob_lang::target::{Effect, UpdateRule, Updates, is_equal};

/// The updates of this target.
pub const UPDATES: Updates = Updates {
    rules: RULES,
    removed: None,
    tools: &[],
    replacement: |_, _, _| None,
    evidence: "`tfjob run` reads the spec once.",
    digests: &[],
    object,
    owner: |_| None,
    is_deleted: |_| false,
    identity: &[],
    reported: |_| Err("a local run has no platform that reports it: `tfjob run` prints its state".to_owned()),
    added: &[],
    omitted: &[],
    equal: |_, live, wanted| is_equal(live, wanted),
    lacking: |_, _| Vec::new(),
    unreported: |_, _| None,
    staying: None,
};

/// The rules. The first one that matches decides.
const RULES: &[UpdateRule] =
    &[UpdateRule::new("*", "**", Effect::Recreate, "`tfjob run` reads the job when it starts")];

/// A local run has no objects.
const fn object(_document: &Value) -> Option<String> {
    None
}
