//! Compares the artifacts of two versions of a job for one target.
use super::values::{self, Difference, IN_TEXT, Step};
use serde_json::Value;
use tfjob_lang::lowered::{self, Artifact, Directory, Lowered, Phase, Word};
use tfjob_lang::origin::{Document, Origins};
use tfjob_lang::sources::Span;
use tfjob_lang::target::{Effect, UpdateRule, Updates};

/// One of the two compared versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
            None => found.push(whole(updates, (None, Some(artifact)))),
        }
    }
    let gone = old.artifacts.iter().filter(|one| new.artifacts.iter().all(|other| other.path != one.path));
    found.extend(gone.map(|artifact| {
        let change = whole(updates, (Some(artifact), None));
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
    // A command that only reads artifacts changes nothing besides them.
    let is_own = |step: &&lowered::Step| {
        let is_literal = |word: &Word| matches!(word, Word::Plain(_) | Word::Spec);
        matches!(step.phase, Phase::Before | Phase::Submit)
            && (step.directory == Directory::Spec || step.argv.iter().all(is_literal))
    };
    let text = |job: &Lowered| {
        let steps = job.steps.iter().filter(is_own);
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
    if before.is_empty() || before.len() != after.len() {
        // The text of a JSON file is compared like a JSON document in a string.
        let text =
            |artifact: &Artifact| Document { value: artifact.text.as_str().into(), ..Document::default() };
        return documents(updates, &new.0.path, (&text(old.0), old.1), (&text(new.0), new.1));
    }
    let pairs = before.iter().zip(after);
    let all = pairs.map(|(before, after)| documents(updates, &new.0.path, (before, old.1), (after, new.1)));
    all.flatten().collect()
}

/// Returns the differences of two documents.
fn documents(
    updates: &Updates,
    file: &str,
    (before, old): (&Document, &Lowered),
    (after, new): (&Document, &Lowered),
) -> Vec<ValueChange> {
    let of_old = |one: &Difference| Some((Version::Old, blame(old, &before.origins, &one.old_pointer)?));
    let all = values::compare(&before.value, &after.value);
    // The values of another object replace nothing: they have the effect of its new name.
    let identity = all.iter().find(|one| updates.identity.contains(&rule_pointer(one)));
    let renamed = identity.map(|one| updates.rule(file, rule_pointer(one), true));
    let change = |one: Difference| {
        let origin = if one.new.is_none() { of_old(&one) } else { None };
        let change = change(updates, file, (after, new), one);
        ValueChange { origin: origin.or(change.origin), rule: renamed.unwrap_or(change.rule), ..change }
    };
    all.into_iter().map(change).collect()
}

/// Returns a difference as the change of an artifact. A value that the new version does not have has no origin.
pub fn change(
    updates: &Updates,
    file: &str,
    (document, job): (&Document, &Lowered),
    one: Difference,
) -> ValueChange {
    let is_new = one.new.is_some();
    let origin = if is_new { blame(job, &document.origins, &one.new_pointer) } else { None };
    ValueChange {
        file: file.to_owned(),
        object: (updates.object)(&document.value).unwrap_or_else(|| file.to_owned()),
        origin: origin.map(|span| (Version::New, span)),
        rule: updates.rule(file, rule_pointer(&one), one.old.is_some() && is_new),
        pointer: if is_new { one.new_pointer } else { one.old_pointer },
        path: one.path,
        old: one.old,
        new: one.new,
    }
}

/// Returns the pointer by which a rule is chosen: that of the string, for a value of a document in a string.
fn rule_pointer(one: &Difference) -> &str {
    let pointer = if one.new.is_some() { &one.new_pointer } else { &one.old_pointer };
    pointer.split(IN_TEXT).next().unwrap_or_default()
}

/// Returns the span of the spec that a value comes from. A value of a document in a string may be one of the job contract.
fn blame(job: &Lowered, origins: &Origins, pointer: &str) -> Option<Span> {
    match (pointer.split_once(IN_TEXT), &job.contract) {
        (Some((_, within)), Some((_, contract))) => contract.blame(within),
        (Some((text, _)), None) => origins.blame(text),
        (None, _) => origins.blame(pointer),
    }
}

/// Returns the change of a whole file.
fn whole(updates: &Updates, (old, new): (Option<&Artifact>, Option<&Artifact>)) -> ValueChange {
    let file = new.or(old).map(|artifact| artifact.path.clone()).unwrap_or_default();
    let text = |artifact: &Artifact| Value::from(artifact.text.as_str());
    ValueChange {
        object: file.clone(),
        path: Vec::new(),
        pointer: String::new(),
        old: old.map(text),
        new: new.map(text),
        rule: updates.rule(&file, "", false),
        origin: None,
        file,
    }
}
