//! Groups the changes of artifacts for readers: by what the platform does with them, and by the value of the spec they come from.
use serde_json::Value;
use std::cmp::Reverse;
use tfjob_driver::difference::{TargetDifference, ValueChange, Version};
use tfjob_lang::sources::Span;
use tfjob_lang::target::{Effect, UpdateRule};

/// The changes that a platform handles in the same way.
pub struct Group<'c> {
    /// What the platform does.
    pub effect: Effect,
    /// Why.
    pub reason: &'static str,
    /// The changes.
    pub changes: Vec<Same<'c>>,
}

/// Changes of the same value of the spec, such as one image in the containers of several roles.
pub struct Same<'c> {
    /// The first change.
    pub first: &'c ValueChange,
    /// Number of further changes.
    pub more: usize,
}

impl Same<'_> {
    fn key(&self) -> (Option<(Version, Span)>, &Option<Value>, &Option<Value>) {
        (self.first.origin, &self.first.old, &self.first.new)
    }
}

/// Returns the changes of a target, those with the greatest effect first. Digests are omitted if another value differs.
pub fn of(target: &TargetDifference) -> Vec<Group<'_>> {
    let digests = target.target.updates().digests;
    let is_digest = |change: &&ValueChange| digests.contains(&change.pointer.as_str());
    let all = target.changes();
    let only_digests = all.iter().all(|change| is_digest(&change));
    let mut groups: Vec<Group<'_>> = Vec::new();
    for change in all.iter().filter(|change| only_digests || !is_digest(change)) {
        let UpdateRule { effect, reason, .. } = *change.rule;
        let index = groups.iter().position(|group| (group.effect, group.reason) == (effect, reason));
        let index = index.unwrap_or_else(|| {
            groups.push(Group { effect, reason, changes: Vec::new() });
            groups.len() - 1
        });
        let same = Same { first: change, more: 0 };
        let known = groups[index].changes.iter_mut().find(|known| {
            change.origin.is_some() && known.first.object == change.object && known.key() == same.key()
        });
        match known {
            Some(known) => known.more += 1,
            None => groups[index].changes.push(same),
        }
    }
    groups.sort_by_key(|group| Reverse(group.effect));
    groups
}
