//! Compares the artifacts of a job with the objects that a platform reports.
use super::artifacts::{self, ValueChange};
use super::values::Difference;
use serde_json::Value;
use tfjob_lang::digest;
use tfjob_lang::lowered::{Artifact, Lowered};
use tfjob_lang::origin::pointer_step;
use tfjob_lang::target::{Change, Documents, Effect, KnownValue, Lack, Updates};

/// The difference between the objects of a platform and the artifacts of a job.
#[derive(Debug, Clone, Default)]
pub struct LiveDifference {
    /// Values that differ. The old value is that of the platform.
    pub changes: Vec<ValueChange>,
    /// Objects that only one of both has.
    pub objects: Objects,
    /// Number of objects that were compared.
    pub compared: usize,
    /// Submitted values that the platform does not report, so that a difference may remain unknown.
    pub unreported: Vec<String>,
}

/// Objects of a job that only the artifacts or only the platform has. Empty if artifacts are compared with artifacts.
#[derive(Debug, Clone, Default)]
pub struct Objects {
    /// Objects of the artifacts that the platform did not report, such as `TFJob mnist`.
    pub missing: Vec<String>,
    /// Reported objects of the job that the artifacts do not contain, such as those of another version.
    pub others: Vec<String>,
    /// Reported objects of the job that the platform is deleting.
    pub deleted: Vec<String>,
    /// The greatest effect of these objects: that of their file. `None` if there are none.
    pub effect: Option<Effect>,
}

impl Objects {
    /// Returns what a user does about these objects.
    #[must_use]
    pub const fn action(&self) -> &'static str {
        if !self.deleted.is_empty() {
            return "wait until the objects are deleted, then compare again";
        }
        match (self.missing.is_empty(), self.others.is_empty()) {
            (true, true) => "no change",
            (false, true) => "submit the missing objects",
            (true, false) => "delete the objects that are not in the spec",
            (false, false) => "delete the objects that are not in the spec, then submit the missing ones",
        }
    }
}

/// Compares artifacts with what a platform reports. If the platform reports another version of an object instead, with another name,
/// compares with this version. Ignores values that the platform adds to each object ([`Updates::added`]).
/// `job`: name of the job. `reported`: the answer of the platform.
///
/// # Errors
/// Returns why the answer cannot be compared, such as the error message that it contains.
pub fn compare(
    updates: &Updates,
    (job, lowered): (&str, &Lowered),
    reported: &Value,
) -> Result<LiveDifference, String> {
    let objects = (updates.reported)(reported)?;
    let mut found = LiveDifference::default();
    for artifact in &lowered.artifacts {
        for document in &artifact.documents {
            let Some(name) = (updates.object)(&document.value) else { continue };
            let same = objects.iter().find(|live| is_same(updates, live, &document.value));
            if same.is_none() {
                found.objects.missing.push(name.clone());
                found.objects.effect = found.objects.effect.max(Some(effect(updates, artifact)));
            }
            if let Some(live) = same.filter(|live| (updates.is_deleted)(live)) {
                found.objects.deleted.extend((updates.object)(live));
                found.objects.effect = found.objects.effect.max(Some(effect(updates, artifact)));
            }
            let live = same.or_else(|| version(updates, job, &objects, &document.value));
            let Some(live) = live else { continue };
            found.compared += 1;
            found.unreported.extend((updates.unreported)(live, &document.value));
            let documents = Documents { live, wanted: &document.value };
            let staying = |change: ValueChange| of_cluster(updates, documents.live, change);
            let live = &without_added(updates, &name, documents);
            let keeps = |one: &Difference| !is_ignored(updates, &name, &documents, one);
            let new = (document, lowered);
            let changes = artifacts::objects(updates, &artifact.path, (live, None), new, keeps);
            found.changes.extend(changes.into_iter().map(staying));
        }
    }
    for Other { index, name, effect } in others(updates, (job, lowered), &objects) {
        let is_deleted = (updates.is_deleted)(&objects[index]);
        let list = if is_deleted { &mut found.objects.deleted } else { &mut found.objects.others };
        list.push(name);
        found.objects.effect = found.objects.effect.max(Some(effect));
    }
    for Lack { object, is_deleted } in (updates.lacking)(lowered, &objects) {
        let list = if is_deleted { &mut found.objects.deleted } else { &mut found.objects.missing };
        list.push(object);
        found.objects.effect = found.objects.effect.max(Some(Effect::InPlace));
    }
    Ok(found)
}

/// Returns a change with the rule for a value that stays when the artifacts are submitted again, if it is one. Rules about tools, and
/// about changes with another effect than in place, have precedence.
fn of_cluster(updates: &Updates, live: &Value, change: ValueChange) -> ValueChange {
    let rule = change.rule;
    let is_own = change.new.is_none() && rule.action.is_none() && rule.effect == Effect::InPlace;
    let staying = updates.staying.filter(|staying| is_own && (staying.stays)(live, &change.pointer));
    ValueChange { rule: staying.map_or(rule, |staying| staying.rule), ..change }
}

/// Returns the indexes of the objects that belong to the job, but that its artifacts do not contain, such as those of another version.
#[must_use]
pub fn obsolete(updates: &Updates, job: (&str, &Lowered), objects: &[Value]) -> Vec<usize> {
    others(updates, job, objects).into_iter().map(|other| other.index).collect()
}

/// Returns the effect of submitting an object of the file that is missing, or that the platform is deleting.
fn effect(updates: &Updates, artifact: &Artifact) -> Effect {
    updates.rule(&artifact.path, "", Change::Added).effect
}

/// Returns the reported object of the same job and kind as an object of the artifacts. `None` if there are several.
fn version<'o>(updates: &Updates, job: &str, objects: &'o [Value], wanted: &Value) -> Option<&'o Value> {
    let own = Part::of(updates, job, wanted)?;
    let mut found = objects.iter().filter(|live| Part::of(updates, job, live).as_ref() == Some(&own));
    found.next().filter(|_| found.next().is_none())
}

/// An object that belongs to a job, but that its artifacts do not contain.
struct Other {
    index: usize,
    name: String,
    effect: Effect,
}

/// Returns the objects that belong to the job, but that its artifacts do not contain.
fn others(updates: &Updates, (job, lowered): (&str, &Lowered), objects: &[Value]) -> Vec<Other> {
    let documents = || {
        let files = lowered.artifacts.iter();
        files.flat_map(|artifact| artifact.documents.iter().map(move |document| (artifact, &document.value)))
    };
    let own: Vec<_> =
        documents().filter_map(|(file, wanted)| Some((file, Part::of(updates, job, wanted)?))).collect();
    let other = |(index, live): (usize, &Value)| {
        let part = Part::of(updates, job, live)?;
        let is_own = documents().any(|(_, wanted)| is_same(updates, live, wanted));
        let mut same_kind = own.iter().filter(|(_, own)| own.kind == part.kind).peekable();
        let effect = if same_kind.peek().is_some() {
            let (file, part) = same_kind.find(|(_, own)| *own == part)?;
            // The other objects of a version do nothing without the first one, such as a ConfigMap without its TFJob.
            let runs = own.first().is_some_and(|(_, first)| first == part);
            if runs { effect(updates, file) } else { Effect::InPlace }
        } else {
            // The objects of a file that the spec does not have: those of another job have a longer name.
            let is_near = own.iter().any(|(_, own)| own.namespace == part.namespace);
            (is_near && part.suffix.len() == 1).then_some(Effect::InPlace)?
        };
        Some(Other { index, name: (updates.object)(live).filter(|_| !is_own)?, effect })
    };
    objects.iter().enumerate().filter_map(other).collect()
}

/// Which part of a job an object is, the same for all versions of the job. Labels do not decide, because specs can set them.
#[derive(PartialEq)]
struct Part {
    kind: String,
    namespace: String,
    /// The name without the name of the job and without a digest.
    suffix: Vec<String>,
}

impl Part {
    /// Returns the part of the job that an object is. `None` if it belongs to another job.
    fn of(updates: &Updates, job: &str, document: &Value) -> Option<Self> {
        let [owner, namespace] = (updates.owner)(document)?;
        let object = (updates.object)(document)?;
        let (kind, name) = object.split_once(' ')?;
        let mut steps = name.strip_prefix(job)?.split('-');
        let ends = steps.next()?.is_empty();
        let suffix = steps.filter(|step| !digest::is_short(step)).map(str::to_owned).collect();
        // The name of another job may end like a digest.
        let is_other = owner.len() > job.len() && owner.starts_with(job) && name.starts_with(&owner);
        (ends && !is_other).then(|| Self { kind: kind.to_owned(), namespace, suffix })
    }
}

/// Returns whether two documents describe the same object.
fn is_same(updates: &Updates, live: &Value, wanted: &Value) -> bool {
    (updates.object)(live) == (updates.object)(wanted)
        && updates.identity.iter().all(|pointer| match (live.pointer(pointer), wanted.pointer(pointer)) {
            (Some(live), Some(wanted)) => live == wanted,
            (None, _) | (_, None) => true,
        })
}

/// Returns the reported object without the values that the platform has added to maps. A map that the artifact does not have, such as
/// annotations of tools, would be one value with all its keys.
fn without_added(updates: &Updates, object: &str, documents: Documents<'_>) -> Value {
    let mut live = documents.live.clone();
    Added { updates, object, documents }.clean(&mut String::new(), Some(documents.wanted), &mut live);
    live
}

/// Finds the values that the platform has added to an object.
struct Added<'a> {
    updates: &'a Updates,
    object: &'a str,
    documents: Documents<'a>,
}

impl Added<'_> {
    fn clean(&self, pointer: &mut String, wanted: Option<&Value>, live: &mut Value) {
        let Value::Object(map) = live else { return };
        map.retain(|key, value| {
            let length = pointer.len();
            pointer.push('/');
            pointer.push_str(&pointer_step(key));
            let wanted = wanted.and_then(|wanted| wanted.get(key));
            let is_added = wanted.is_none() && self.has(pointer, value);
            let is_map = value.as_object().is_some_and(|map| !map.is_empty());
            self.clean(pointer, wanted, value);
            let is_emptied = is_map && value.as_object().is_some_and(serde_json::Map::is_empty);
            pointer.truncate(length);
            !is_added && (wanted.is_some() || !is_emptied)
        });
    }

    /// Returns whether the platform has added a value.
    fn has(&self, pointer: &str, value: &Value) -> bool {
        let is_about = |known: &KnownValue| known.is_about(self.object, &self.documents, pointer, value);
        is_unset(value) || self.updates.added.iter().any(is_about)
    }
}

/// Returns whether a value of a platform is unset: a platform may write `null` instead of omitting the value.
fn is_unset(value: &Value) -> bool {
    value.is_null()
}

/// Returns whether a difference does not matter: the platform has added the value, or writes an equal value in another form.
fn is_ignored(updates: &Updates, object: &str, documents: &Documents<'_>, one: &Difference) -> bool {
    let known = |table: &[KnownValue], pointer: &str, value: &Value| {
        table.iter().any(|known| known.is_about(object, documents, pointer, value))
    };
    match (&one.old, &one.new) {
        // `without_added` removes nothing from lists.
        (Some(live), None) if is_unset(live) => true,
        (Some(live), None) => known(updates.added, &one.old_pointer, live),
        (Some(live), Some(wanted)) => (updates.equal)(&one.new_pointer, live, wanted),
        (None, Some(wanted)) => known(updates.omitted, &one.new_pointer, wanted),
        (None, None) => true,
    }
}
