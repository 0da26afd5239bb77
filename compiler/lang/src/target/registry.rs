//! The registered targets, and the shapes of job, cluster, and project files.
use super::AnyTarget;
use crate::shape::Shape;

/// The targets of a program, and the shapes of job, cluster, and project files with the options of these targets. The `targets` crate
/// builds the registry, and callers pass it to the analysis.
#[derive(Clone, Copy)]
pub struct Registry {
    /// All targets, in display order.
    pub targets: &'static [&'static dyn AnyTarget],
    /// Shape of a job spec, from [`crate::analysis::shape_of`].
    pub jobs: &'static Shape,
    /// Returns the shape of a cluster file, from [`crate::analysis::cluster_shape_of`]. The shape is built at the first
    /// call.
    pub clusters: fn() -> &'static Shape,
    /// Returns the shape of a project file, from [`crate::project::shape_of`]. The shape is built at the first call.
    pub projects: fn() -> &'static Shape,
}

impl Registry {
    /// Returns the target with this name.
    #[must_use]
    pub fn target(&self, name: &str) -> Option<&'static dyn AnyTarget> {
        self.targets.iter().copied().find(|target| target.name() == name)
    }
}
