//! Compares the artifacts of a job with the objects that a platform reports.
use super::artifacts::{self, ValueChange};
use super::values::Difference;
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
    /// Reported objects of the job that the artifacts do not contain, such as those of another version.
    pub others: Vec<String>,
    /// Number of objects that were compared.
    pub compared: usize,
}

/// Compares artifacts with what a platform reports. If the platform reports another version of an object instead, with another name,
/// compares with this version. Ignores values that the platform adds to each object ([`Updates::added`]).
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
            let same = objects.iter().find(|live| is_same(updates, live, &document.value));
            if same.is_none() {
                found.missing.push(name.clone());
            }
            let Some(live) = same.or_else(|| version(updates, &objects, &document.value)) else { continue };
            found.compared += 1;
            let documents = Documents { live, wanted: &document.value };
            let keeps = |one: &Difference| !is_ignored(updates, &name, &documents, one);
            let new = (document, lowered);
            found.changes.extend(artifacts::objects(updates, &artifact.path, (live, None), new, keeps));
        }
    }
    found.others = others(updates, lowered, &objects);
    Ok(found)
}

/// Returns the reported object of the same job and kind as an object of the artifacts. `None` if there are several.
fn version<'o>(updates: &Updates, objects: &'o [Value], wanted: &Value) -> Option<&'o Value> {
    let owner = (updates.owner)(wanted)?;
    let is_version = |live: &&Value| {
        live.get("kind") == wanted.get("kind") && (updates.owner)(live).as_ref() == Some(&owner)
    };
    let mut found = objects.iter().filter(is_version);
    found.next().filter(|_| found.next().is_none())
}

/// Returns the names of the reported objects that belong to the job, but that its artifacts do not contain.
fn others(updates: &Updates, lowered: &Lowered, objects: &[Value]) -> Vec<String> {
    let documents = || lowered.artifacts.iter().flat_map(|artifact| &artifact.documents);
    let owners: Vec<_> = documents().filter_map(|document| (updates.owner)(&document.value)).collect();
    let is_other = |live: &&Value| {
        (updates.owner)(live).is_some_and(|owner| owners.contains(&owner))
            && !documents().any(|document| is_same(updates, live, &document.value))
    };
    objects.iter().filter(is_other).filter_map(updates.object).collect()
}

/// Returns whether two documents describe the same object.
fn is_same(updates: &Updates, live: &Value, wanted: &Value) -> bool {
    (updates.object)(live) == (updates.object)(wanted)
        && updates.identity.iter().all(|pointer| match (live.pointer(pointer), wanted.pointer(pointer)) {
            (Some(live), Some(wanted)) => live == wanted,
            (None, _) | (_, None) => true,
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
