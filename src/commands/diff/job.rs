//! A job of one of the two versions.
use crate::files;
use std::path::Path;
use tfjob_driver::Checked;
use tfjob_driver::difference::JobDifference;
use tfjob_lang::sources::Span;

/// A compiled job of one version.
pub struct Job {
    /// Environment of the project file.
    pub environment: Option<String>,
    /// Path of the spec, relative to the root of its version.
    pub spec: String,
    /// Name of the job.
    pub name: String,
    /// The result of the check.
    pub checked: Checked,
    /// Whether the cluster file has errors, so that the job has no artifacts.
    pub has_faulty_cluster: bool,
}

impl Job {
    /// Returns where the job writes its checkpoints, without a slash at the end.
    pub fn checkpoints(&self) -> Option<String> {
        let place = &self.checked.plan.as_ref()?.storage.checkpoints.as_ref()?.uri.value;
        Some(place.to_string().trim_end_matches('/').to_owned())
    }

    /// Returns the difference between this old version and the new version of the job.
    pub fn difference(&self, new: &Self) -> JobDifference {
        let mut found = JobDifference::of(&self.checked, &new.checked);
        if !self.has_faulty_cluster {
            return found;
        }
        // The defaults of the old cluster file are not known, either.
        let is_default = |span: Span| {
            let source = new.checked.batch.sources.find(span);
            source.is_some_and(|source| files::is_cluster(Path::new(&source.name)))
        };
        found.fields.retain(|field| {
            field.old.is_some() || !field.new.as_ref().is_some_and(|(_, span)| is_default(*span))
        });
        found.without_old_artifacts()
    }
}
