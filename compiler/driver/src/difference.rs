//! The difference between two versions of a job: the fields of the spec, and the values of the artifacts of each target, each with
//! what the platform does with the change.
mod artifacts;
mod fields;
mod live;
mod values;

pub use artifacts::{ValueChange, Version};
pub use fields::FieldChange;
pub use live::{LiveDifference, Objects, compare as compare_live, obsolete};
pub use values::{Step, document};

use crate::{Checked, Target};
use tfjob_lang::lowered::Lowered;
use tfjob_lang::target::Effect;

/// The differences between two versions of a job.
#[derive(Debug, Clone, Default)]
pub struct JobDifference {
    /// Fields of the spec, in the order of the new version; then removed fields.
    pub fields: Vec<FieldChange>,
    /// The targets of both versions, with their changes, in the order of the new version.
    pub targets: Vec<TargetDifference>,
}

/// The differences between two versions of the artifacts of one target.
#[derive(Debug, Clone)]
pub struct TargetDifference {
    /// The target.
    pub target: Target,
    /// What happens to the artifacts as a whole.
    pub state: State,
    /// Objects that only the artifacts or only the platform has, if they are compared with what the platform reports.
    pub objects: Objects,
}

/// What happens to the artifacts of a target.
#[derive(Debug, Clone)]
pub enum State {
    /// Only the new version has this target.
    Added,
    /// Only the old version has this target. A job that was submitted keeps running until it is deleted.
    Removed,
    /// The artifacts of the old version are not known, because it has errors.
    Unknown,
    /// Both versions have this target. Empty if all artifacts are equal.
    Changed(Vec<ValueChange>),
}

impl TargetDifference {
    /// Returns the difference between two versions of artifacts.
    fn new(target: Target, state: State) -> Self {
        Self { target, state, objects: Objects::default() }
    }

    /// Returns the changes of values; none for a target that only one version has.
    #[must_use]
    pub fn changes(&self) -> &[ValueChange] {
        match &self.state {
            State::Changed(changes) => changes,
            State::Added | State::Removed | State::Unknown => &[],
        }
    }

    /// Returns the effect of all changes together: the greatest one. A submitted job of a removed target must be deleted, and perhaps
    /// one whose artifacts are not known. `None` if no artifact changes, or if only the new version has this target.
    #[must_use]
    pub fn effect(&self) -> Option<Effect> {
        let of_state = match &self.state {
            State::Added => None,
            State::Removed | State::Unknown => Some(Effect::Recreate),
            State::Changed(changes) => changes.iter().map(|change| change.rule.effect).max(),
        };
        of_state.max(self.objects.effect)
    }

    /// Returns what happens to a submitted job, if it is not what the greatest effect says: a tool such as Argo CD applies the change
    /// that has this effect, or only objects have it.
    #[must_use]
    pub fn action(&self) -> Option<&'static str> {
        let greatest = self.effect()?;
        if !self.objects.deleted.is_empty() {
            return Some(self.objects.action());
        }
        let mut changes = self.changes().iter().filter(|change| change.rule.effect == greatest).peekable();
        if changes.peek().is_none() {
            return self.objects.effect.map(|_| self.objects.action());
        }
        // A tool that replaces the TFJob also creates and deletes its other objects.
        let mut actions = changes.filter_map(|change| change.rule.action);
        let action = actions.next()?;
        actions.all(|other| other == action).then_some(action)
    }
}

impl JobDifference {
    /// Compares two versions of a job. Both must have been checked with artifacts. A target of which a version has no artifacts,
    /// because it has errors, counts as a target that this version does not have.
    #[must_use]
    pub fn of(old: &Checked, new: &Checked) -> Self {
        let mut fields = match (&old.tree, &new.tree) {
            (Some(old), Some(new)) => fields::compare(old, new),
            (None, _) | (_, None) => Vec::new(),
        };
        if let (Some(old), Some(new)) = (&old.plan, &new.plan) {
            fields::add_spelled(old, new, &mut fields);
        }
        let mut targets: Vec<TargetDifference> =
            lowered(new).map(|(target, lowered)| target_difference(target, old, lowered)).collect();
        let removed = lowered(old).filter(|(target, _)| find(new, *target).is_none());
        targets.extend(removed.map(|(target, _)| TargetDifference::new(target, State::Removed)));
        Self { fields, targets }
    }

    /// Marks the targets of a job as unknown: its old version has errors that prevent its artifacts.
    #[must_use]
    pub fn without_old_artifacts(mut self) -> Self {
        self.targets.iter_mut().for_each(|target| target.state = State::Unknown);
        self
    }

    /// Returns whether neither a field nor an artifact differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let same = |target: &TargetDifference| {
            matches!(&target.state, State::Changed(all) if all.is_empty()) && target.objects.effect.is_none()
        };
        self.fields.is_empty() && self.targets.iter().all(same)
    }
}

fn target_difference(target: Target, old: &Checked, new: &Lowered) -> TargetDifference {
    let state = find(old, target)
        .map_or(State::Added, |old| State::Changed(artifacts::compare(&target.updates(), old, new)));
    TargetDifference::new(target, state)
}

fn lowered(checked: &Checked) -> impl Iterator<Item = (Target, &Lowered)> {
    checked.compiled.iter().filter_map(|(target, lowered)| Some((*target, lowered.as_ref()?)))
}

fn find(checked: &Checked, target: Target) -> Option<&Lowered> {
    lowered(checked).find(|(other, _)| other.name() == target.name()).map(|(_, lowered)| lowered)
}
