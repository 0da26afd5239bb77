//! Groups the changes of artifacts for readers: by what the platform does with them, and by the value of the spec they come from.
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use tfjob_driver::difference::{TargetDifference, ValueChange};
use tfjob_lang::target::{Effect, UpdateRule};

/// The changes that a platform handles in the same way.
pub struct Group<'c> {
    /// What the platform does.
    pub effect: Effect,
    /// Why.
    pub reason: &'static str,
    /// The changes.
    pub changes: Vec<Equal<'c>>,
}

/// Changes of the same value of the spec, such as one image in the containers of several roles.
pub struct Equal<'c> {
    /// The first change.
    pub first: &'c ValueChange,
    /// Number of further changes.
    pub more: usize,
}

/// Returns the changes of a target, those with the greatest effect first. Digests, and names that contain a digest, are omitted if
/// another value with the same effect or a greater one differs.
pub fn of(target: &TargetDifference) -> Vec<Group<'_>> {
    let updates = target.target.updates();
    let is_digest = |change: &&ValueChange| {
        let pointer = change.pointer.as_str();
        updates.digests.contains(&pointer) || change.rule.implied.contains(&pointer)
    };
    let all = target.changes();
    // A digest says nothing besides a value with the same effect.
    let greatest = all.iter().filter(|change| !is_digest(change)).map(|change| change.rule.effect).max();
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known: BTreeMap<_, usize> = BTreeMap::new();
    for change in all.iter().filter(|change| !is_digest(change) || Some(change.rule.effect) > greatest) {
        let UpdateRule { effect, reason, .. } = *change.rule;
        let index = groups.iter().position(|group| (group.effect, group.reason) == (effect, reason));
        let index = index.unwrap_or_else(|| {
            groups.push(Group { effect, reason, changes: Vec::new() });
            groups.len() - 1
        });
        let changes = &mut groups[index].changes;
        // Values without an origin are not grouped.
        let text = |value: &Option<Value>| value.as_ref().map(Value::to_string);
        let key = change
            .origin
            .map(|origin| (index, origin, change.object.as_str(), text(&change.old), text(&change.new)));
        let next = changes.len();
        match key.map(|key| *known.entry(key).or_insert(next)) {
            Some(at) if at < next => changes[at].more += 1,
            Some(_) | None => changes.push(Equal { first: change, more: 0 }),
        }
    }
    groups.sort_by_key(|group| Reverse(group.effect));
    groups
}
