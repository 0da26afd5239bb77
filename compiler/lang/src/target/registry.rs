//! The targets, and what may stand in a file for them.
use super::AnyTarget;
use crate::shape::Shape;

/// The targets that a program knows, with the shapes of the files for them. The crate of the targets makes one; whoever
/// analyzes a text is passed it.
#[derive(Clone, Copy)]
pub struct Registry {
    /// Every target, in the order that the command line lists them.
    pub targets: &'static [&'static dyn AnyTarget],
    /// What may stand in a job description, by [`crate::analysis::shape_of`].
    pub jobs: &'static Shape,
    /// What may stand in a cluster file, by [`crate::analysis::cluster_shape_of`]: made at the first call.
    pub clusters: fn() -> &'static Shape,
}

impl Registry {
    /// The target of that name.
    #[must_use]
    pub fn target(&self, name: &str) -> Option<&'static dyn AnyTarget> {
        self.targets.iter().copied().find(|target| target.name() == name)
    }
}
