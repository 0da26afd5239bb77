//! Compares the artifacts of two versions of a job for one target.
use super::values::{self, Difference, IN_TEXT, Step};
use serde_json::Value;
use std::collections::BTreeMap;
use tfjob_lang::lowered::{self, Artifact, Directory, Lowered, Phase, Word};
use tfjob_lang::origin::{Document, Origins};
use tfjob_lang::sources::Span;
use tfjob_lang::target::{Change, Effect, UpdateRule, Updates};

/// One of the two compared versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// The old version.
    Old,
    /// The new version.
    New,
}

/// A value of an artifact that differs.
#[derive(Debug, Clone)]
pub struct ValueChange {
    /// Path of the artifact, relative to the output directory of the job and target.
    pub file: String,
    /// The object of the platform that the document describes, such as `TFJob mnist`; otherwise, the path of the artifact.
    pub object: String,
    /// Path of the value in its document. Empty: the whole document or file.
    pub path: Vec<Step>,
    /// JSON pointer of the value in its document, in the version that has the value.
    pub pointer: String,
    /// The old value; `None` if the value is new.
    pub old: Option<Value>,
    /// The new value; `None` if the value was removed.
    pub new: Option<Value>,
    /// What the platform does with the change.
    pub rule: &'static UpdateRule,
    /// The version and the span of the spec that the value comes from.
    pub origin: Option<(Version, Span)>,
}

/// Returns the values that differ, in the order of the artifacts of the new version.
pub fn compare(updates: &Updates, old: &Lowered, new: &Lowered) -> Vec<ValueChange> {
    let mut found = Vec::new();
    for artifact in &new.artifacts {
        match old.artifacts.iter().find(|other| other.path == artifact.path) {
            Some(before) => found.extend(artifacts(updates, (before, old), (artifact, new))),
            None => found.push(file_change(updates, (None, Some(artifact)))),
        }
    }
    let gone = old.artifacts.iter().filter(|one| new.artifacts.iter().all(|other| other.path != one.path));
    found.extend(gone.map(|artifact| {
        let change = file_change(updates, (Some(artifact), None));
        ValueChange { rule: updates.removed.unwrap_or(change.rule), ..change }
    }));
    found.extend(commands(old, new));
    found
}

/// The effect of other commands before or at the submission.
const COMMANDS: UpdateRule = UpdateRule::new(
    "*",
    "**",
    Effect::Recreate,
    "the commands that prepare and submit the job change, such as the upload of its files",
);

/// Returns the change of the commands that prepare and submit the job. They contain, for example, the files to upload.
fn commands(old: &Lowered, new: &Lowered) -> Option<ValueChange> {
    // A command that only reads artifacts changes nothing besides them. Other commands create files, such as the archive of the code.
    let is_own = |job: &Lowered, step: &lowered::Step| {
        let is_artifact =
            |path: &str| job.artifacts.iter().chain(&job.companions).any(|artifact| artifact.path == path);
        let is_read = |word: &Word| match word {
            Word::Plain(_) | Word::Spec => false,
            Word::File { path, .. } => is_artifact(path),
            Word::Shared { .. } => true,
            Word::Encoded { path } => is_artifact(path),
        };
        matches!(step.phase, Phase::Before | Phase::Submit)
            && (step.directory == Directory::Spec || !step.argv.iter().any(is_read))
    };
    let text = |job: &Lowered| {
        let steps = job.steps.iter().filter(|step| is_own(job, step));
        Value::from(steps.map(|step| step.words("", "SPEC").join(" ")).collect::<Vec<_>>().join("\n"))
    };
    let (before, after) = (text(old), text(new));
    (before != after).then(|| ValueChange {
        file: "submit.sh".to_owned(),
        object: "commands".to_owned(),
        path: Vec::new(),
        pointer: String::new(),
        old: Some(before),
        new: Some(after),
        rule: &COMMANDS,
        origin: None,
    })
}

/// Returns the differences of two artifacts with the same path.
fn artifacts(updates: &Updates, old: (&Artifact, &Lowered), new: (&Artifact, &Lowered)) -> Vec<ValueChange> {
    let (before, after) = (&old.0.documents, &new.0.documents);
    let file = new.0.path.as_str();
    let all = |_: &Difference| true;
    if before.is_empty() || after.is_empty() {
        // The text of a JSON file is compared like a JSON document in a string.
        let text =
            |artifact: &Artifact| Document { value: artifact.text.as_str().into(), ..Document::default() };
        let (before, after) = (text(old.0), text(new.0));
        return objects(updates, file, (&before.value, Some((&before, old.1))), (&after, new.1), all);
    }
    let pairs = aligned(updates, before, after);
    let mut found = Vec::new();
    for (number, document) in after.iter().enumerate() {
        match pairs.get(&number).and_then(|at| before.get(*at)) {
            Some(other) => {
                let old = (&other.value, Some((other, old.1)));
                found.extend(objects(updates, file, old, (document, new.1), all));
            }
            None => found.push(object_change(updates, file, (None, Some(document)))),
        }
    }
    let left = before.iter().enumerate().filter(|(at, _)| pairs.values().all(|other| other != at));
    found.extend(left.map(|(_, document)| object_change(updates, file, (Some(document), None))));
    found
}

/// Returns the index of the old version of each document that has one: of the same object; otherwise of the next object of the same
/// kind, whose name changes.
fn aligned(updates: &Updates, before: &[Document], after: &[Document]) -> BTreeMap<usize, usize> {
    let mut pairs = BTreeMap::new();
    align(&mut pairs, (before, after), |document| (updates.object)(&document.value));
    align(&mut pairs, (before, after), |document| document.value.get("kind").map(Value::to_string));
    pairs
}

/// Adds the pairs of documents with the same key that have no pair yet.
fn align(
    pairs: &mut BTreeMap<usize, usize>,
    (before, after): (&[Document], &[Document]),
    key: impl Fn(&Document) -> Option<String>,
) {
    for (number, document) in after.iter().enumerate() {
        if pairs.contains_key(&number) {
            continue;
        }
        let mut free = before.iter().enumerate().filter(|(at, _)| pairs.values().all(|other| other != at));
        if let Some((at, _)) = free.find(|(_, old)| key(old) == key(document)) {
            pairs.insert(number, at);
        }
    }
}

/// Returns the change of a document that only one version has.
fn object_change(
    updates: &Updates,
    file: &str,
    (old, new): (Option<&Document>, Option<&Document>),
) -> ValueChange {
    let value = |document: Option<&Document>| document.map(|document| document.value.clone());
    let rule = updates.rule(file, "", kind_of(old.is_some(), new.is_some()));
    let name = new.or(old).and_then(|document| (updates.object)(&document.value));
    ValueChange {
        file: file.to_owned(),
        object: name.unwrap_or_else(|| file.to_owned()),
        path: Vec::new(),
        pointer: String::new(),
        old: value(old),
        new: value(new),
        rule: if new.is_none() { updates.removed.unwrap_or(rule) } else { rule },
        origin: None,
    }
}

/// Returns the differences of an object, an old one and that of the new version. `keeps`: returns whether a difference matters.
/// `compiled`: the document that contains the old object, if it is that of a version.
pub fn objects(
    updates: &Updates,
    file: &str,
    (before, compiled): (&Value, Option<(&Document, &Lowered)>),
    (after, new): (&Document, &Lowered),
    keeps: impl Fn(&Difference) -> bool,
) -> Vec<ValueChange> {
    let of_old = |one: &Difference| {
        let (document, job) = compiled?;
        Some((Version::Old, blame(job, &document.origins, &one.old_pointer)?))
    };
    let all = values::compare(before, &after.value);
    // The values of another object replace nothing: they have the effect of its new name.
    let identity = all.iter().find(|one| updates.identity.contains(&rule_pointer(one)));
    let renamed = identity.map(|one| updates.rule(file, rule_pointer(one), Change::Replaced));
    let replaced = (updates.replacement)(new, before, &after.value).or(renamed);
    let change = |one: Difference| {
        let origin = if one.new.is_none() { of_old(&one) } else { None };
        let change = change(updates, file, (after, new), one);
        ValueChange { origin: origin.or(change.origin), rule: replaced.unwrap_or(change.rule), ..change }
    };
    all.into_iter().filter(keeps).map(change).collect()
}

/// Returns a difference as the change of an artifact. A value that the new version does not have has no origin.
fn change(
    updates: &Updates,
    file: &str,
    (document, job): (&Document, &Lowered),
    one: Difference,
) -> ValueChange {
    let is_new = one.new.is_some();
    let origin = if is_new { blame(job, &document.origins, &first_change(&one)) } else { None };
    ValueChange {
        file: file.to_owned(),
        object: (updates.object)(&document.value).unwrap_or_else(|| file.to_owned()),
        origin: origin.map(|span| (Version::New, span)),
        rule: updates.rule(file, rule_pointer(&one), kind_of(one.old.is_some(), is_new)),
        pointer: if is_new { one.new_pointer } else { one.old_pointer },
        path: one.path,
        old: one.old,
        new: one.new,
    }
}

/// Returns the kind of a change. `old`, `new`: whether the version has the value, object, or file.
const fn kind_of(old: bool, new: bool) -> Change {
    match (old, new) {
        (false, _) => Change::Added,
        (true, false) => Change::Removed,
        (true, true) => Change::Replaced,
    }
}

/// Returns the pointer of a value; in a list such as a command, that of the first item that differs.
fn first_change(one: &Difference) -> String {
    let (Some(Value::Array(old)), Some(Value::Array(new))) = (&one.old, &one.new) else {
        return one.new_pointer.clone();
    };
    let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    if same < new.len() { format!("{}/{same}", one.new_pointer) } else { one.new_pointer.clone() }
}

/// Returns the pointer by which a rule is chosen: that of the string, for a value of a document in a string.
fn rule_pointer(one: &Difference) -> &str {
    let pointer = if one.new.is_some() { &one.new_pointer } else { &one.old_pointer };
    pointer.split(IN_TEXT).next().unwrap_or_default()
}

/// Returns the span of the spec that a value comes from. A value of a document in a string may be one of the job contract.
fn blame(job: &Lowered, origins: &Origins, pointer: &str) -> Option<Span> {
    // A list or an object comes from the same place as its first value.
    let blame =
        |origins: &Origins, pointer: &str| origins.under(pointer).next().or_else(|| origins.blame(pointer));
    match (pointer.split_once(IN_TEXT), &job.contract) {
        (Some((_, within)), Some((_, contract))) => blame(contract, within),
        (Some((text, _)), None) => blame(origins, text),
        (None, _) => blame(origins, pointer),
    }
}

/// Returns the change of a whole file.
fn file_change(updates: &Updates, (old, new): (Option<&Artifact>, Option<&Artifact>)) -> ValueChange {
    let file = new.or(old).map(|artifact| artifact.path.clone()).unwrap_or_default();
    let text = |artifact: &Artifact| Value::from(artifact.text.as_str());
    ValueChange {
        object: file.clone(),
        path: Vec::new(),
        pointer: String::new(),
        old: old.map(text),
        new: new.map(text),
        rule: updates.rule(&file, "", kind_of(old.is_some(), new.is_some())),
        origin: None,
        file,
    }
}
