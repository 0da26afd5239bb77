//! Compares the artifacts of a job with the objects that a platform reports.
use super::artifacts::{self, ValueChange};
use super::values::{self, Difference};
use serde_json::Value;
use tfjob_lang::lowered::Lowered;
use tfjob_lang::target::{Documents, KnownValue, Updates};

/// The difference between the objects of a platform and the artifacts of a job.
#[derive(Debug, Clone, Default)]
pub struct LiveDifference {
    /// Values that differ. The old value is that of the platform.
    pub changes: Vec<ValueChange>,
    /// Objects of the artifacts that the platform did not report, such as `TFJob mnist`.
    pub missing: Vec<String>,
    /// Number of objects that were compared.
    pub compared: usize,
}

/// Compares artifacts with what a platform reports. Ignores values that the platform adds to each object ([`Updates::added`]).
/// `reported`: the answer of the platform.
///
/// # Errors
/// Returns why the answer cannot be compared, such as the error message that it contains.
pub fn compare(updates: &Updates, lowered: &Lowered, reported: &Value) -> Result<LiveDifference, String> {
    let objects = (updates.reported)(reported)?;
    let mut found = LiveDifference::default();
    for artifact in &lowered.artifacts {
        for document in &artifact.documents {
            let Some(name) = (updates.object)(&document.value) else { continue };
            let Some(live) = objects.iter().find(|live| is_same(updates, live, &document.value)) else {
                found.missing.push(name);
                continue;
            };
            found.compared += 1;
            let all = values::compare(live, &document.value).into_iter();
            let documents = Documents { live, wanted: &document.value };
            let left = all.filter(|one| !is_ignored(updates, &name, &documents, one));
            found
                .changes
                .extend(left.map(|one| artifacts::change(updates, &artifact.path, (document, lowered), one)));
        }
    }
    Ok(found)
}

/// Returns whether two documents describe the same object.
fn is_same(updates: &Updates, live: &Value, wanted: &Value) -> bool {
    (updates.object)(live) == (updates.object)(wanted)
        && updates.identity.iter().all(|pointer| match (live.pointer(pointer), wanted.pointer(pointer)) {
            (Some(live), Some(wanted)) => live == wanted,
            (_, _) => true,
        })
}

/// Returns whether a difference does not matter: the platform has added the value, or writes an equal value in another form.
fn is_ignored(updates: &Updates, object: &str, documents: &Documents<'_>, one: &Difference) -> bool {
    let known = |table: &[KnownValue], pointer: &str, value: &Value| {
        table.iter().any(|known| known.is_about(object, documents, pointer, value))
    };
    match (&one.old, &one.new) {
        (Some(live), None) => known(updates.added, &one.old_pointer, live),
        (Some(live), Some(wanted)) => (updates.equal)(&one.new_pointer, live, wanted),
        (None, Some(wanted)) => known(updates.omitted, &one.new_pointer, wanted),
        (None, None) => true,
    }
}
