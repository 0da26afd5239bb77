//! The report as JSON. `schemas/diff.schema.json` is the schema.
use super::human::target_line;
use super::{Compared, Comparison, masks, values};
use crate::terminal::escaped_json;
use serde_json::{Value, json};
use std::io::{self, Write};
use tfjob_driver::difference::{FieldChange, State, TargetDifference, ValueChange, Version};
use tfjob_lang::sources::Span;

/// Version of the format. It increases when a field changes its meaning or is removed.
const VERSION: u32 = 1;

/// Prints one JSON object.
pub fn print(all: &Comparison<'_>, out: &mut dyn Write) -> io::Result<()> {
    let jobs: Vec<Value> = all.jobs.iter().map(|one| job(all, one)).collect();
    let (old, new) = (all.text(&all.old.name), all.text(&all.new.name));
    let report = json!({ "version": VERSION, "old": old, "new": new, "notes": all.notes(str::to_owned), "jobs": jobs });
    writeln!(out, "{}", escaped_json(&format!("{report:#}")))
}

fn job(all: &Comparison<'_>, one: &Compared<'_>) -> Value {
    let (state, _) = one.kind().names();
    let objects =
        |names: Vec<&String>| -> Vec<String> { names.into_iter().map(|name| all.text(name)).collect() };
    let fields: Vec<Value> = one.difference.fields.iter().map(|change| field(all, one, change)).collect();
    let targets: Vec<Value> = one.difference.targets.iter().map(|found| target(all, one, found)).collect();
    json!({
        "job": all.text(&one.job().name),
        "environment": one.job().environment.as_ref().map(|name| all.text(name)),
        "spec": all.text(&one.job().spec),
        "state": state,
        "missing": objects(one.missing()),
        "others": objects(one.others()),
        "deleted": objects(one.deleted()),
        "fields": fields,
        "targets": targets,
    })
}

fn field(all: &Comparison<'_>, job: &Compared<'_>, change: &FieldChange) -> Value {
    let (old, new) = masks::field(all, change);
    let side = |version, text: Option<String>, value: &Option<(String, Span)>| {
        let (text, (_, span)) = (text?, value.as_ref()?);
        Some(json!({ "value": text, "place": place(all, job, (version, *span)) }))
    };
    let (old, new) = (side(Version::Old, old, &change.old), side(Version::New, new, &change.new));
    json!({ "path": all.text(&change.path), "old": old, "new": new })
}

fn target(all: &Comparison<'_>, job: &Compared<'_>, found: &TargetDifference) -> Value {
    let state = match &found.state {
        State::Added => "added",
        State::Removed => "removed",
        State::Unknown => "unknown",
        State::Changed(changes) if changes.is_empty() && found.objects.effect.is_none() => "unchanged",
        State::Changed(_) => "changed",
    };
    let changes: Vec<Value> = found.changes().iter().map(|change| value(all, job, change)).collect();
    json!({
        "target": found.target.name(),
        "state": state,
        "effect": found.effect().map(tfjob_lang::target::Effect::name),
        "action": target_line(found),
        "changes": changes,
    })
}

fn value(all: &Comparison<'_>, job: &Compared<'_>, change: &ValueChange) -> Value {
    let (old, new) = masks::value(all, change);
    // A masked value is a string.
    let side = |text: Option<String>, value: &Option<Value>| match (text, value) {
        (Some(text), Some(value)) => {
            let own = value.to_string();
            Some(if text == own { value.clone() } else { Value::from(text) })
        }
        (text, _) => text.map(Value::from),
    };
    let mut report = json!({
        "file": change.file,
        "object": all.text(&change.object),
        "path": all.text(&values::path(&change.path)),
        "pointer": all.text(&change.pointer),
        "effect": change.rule.effect.name(),
        "reason": change.rule.reason,
        "place": change.origin.map(|at| place(all, job, at)),
    });
    for (key, side) in [("old", side(old, &change.old)), ("new", side(new, &change.new))] {
        if let Some(side) = side {
            report[key] = side;
        }
    }
    report
}

/// Returns the version, file, and line of a span.
fn place(all: &Comparison<'_>, job: &Compared<'_>, at: (Version, Span)) -> Value {
    let version = match at.0 {
        Version::Old => "old",
        Version::New => "new",
    };
    let Some((file, line)) = all.place(job, at) else { return Value::Null };
    json!({ "version": version, "file": file, "line": line })
}
