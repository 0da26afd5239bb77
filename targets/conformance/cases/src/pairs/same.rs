//! Two forms of the same job must compile to the same artifacts or be refused with the same codes: defaults of the job written in
//! each role, and half of the fields moved to a base.
use super::array;
use super::document::{self, Row};
use super::factors;
use super::gate::Gate;
use crate::specs::DRIVER;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeSet;
use tfjob_driver::{Analysis, Loaded, Request};
use tfjob_lang::shape::Object;
use tfjob_lang::sources::Format;
use tfjob_lang::target::AnyTarget;
use tfjob_targets::SHAPE;

/// Name of the base.
const BASE: &str = "base.tfjob.json";

/// Returns the rows of the array with a form that compiles differently, with the difference. `most` rows are tried; some of them
/// contain a value that is refused alone.
///
/// # Errors
/// The target refuses the plain job.
pub fn differences(target: &'static dyn AnyTarget, seed: u64, most: usize) -> Result<Vec<String>, String> {
    let factors = factors::of(target.name());
    let mut gate = Gate::new(target, &factors);
    super::plain(&mut gate)?;
    let (levels, refused) = super::alone(&mut gate);
    let mut rows = array::cover(&mut gate, levels, seed, most).rows;
    let accepted = rows.clone();
    for (one, row) in refused.iter().zip(accepted.iter().cycle()) {
        let mut row: Row = row.clone();
        row[one.cell.0] = Some(one.cell.1);
        rows.push(row);
    }
    let mut told = Vec::new();
    for row in &rows {
        let whole = document::of(target.name(), &factors, row);
        let seen = outcome(target, &whole, None);
        let (rest, base) = halves(&whole);
        for (how, form) in [
            ("with the job's defaults in each role", outcome(target, &in_roles(&whole), None)),
            ("with half of it in a base file", outcome(target, &rest, Some(&base))),
        ] {
            // If a base and a spec have different commands, or `env` and `secret` of the same variable, the spec wins. With two errors,
            // another one may be reported.
            let refused = |outcome: &Outcome| matches!(outcome, Outcome::Refused(_));
            let two = matches!(&seen, Outcome::Refused(codes) if codes.contains("conflicting-commands"));
            let either = two || sets_twice(&whole) || (refused(&form) && refused(&seen));
            if form != seen && !either {
                told.push(format!("{}: {how}:\n{}\n{whole:#}", target.name(), apart(&seen, &form)));
            }
        }
    }
    Ok(told)
}

/// Whether the job sets a variable by `env` and by `secret`.
fn sets_twice(whole: &Json) -> bool {
    let names = |block: &str| whole["job"][block].as_object().into_iter().flat_map(Map::keys);
    names("env").any(|name| names("secret").any(|other| other == name))
}

/// Result of a spec: the codes of its errors, or its files.
#[derive(PartialEq, Eq)]
enum Outcome {
    Refused(BTreeSet<&'static str>),
    Made(Vec<(String, String)>),
}

fn outcome(target: &'static dyn AnyTarget, spec: &Json, base: Option<&Json>) -> Outcome {
    let analysis = analyzed(spec, base);
    let compiled = analysis.compile(target);
    let told = analysis.diagnostics.iter().chain(&compiled.diagnostics);
    let errors: BTreeSet<_> = told.filter(|d| d.is_error()).map(|d| d.code.name).collect();
    match compiled.lowered.filter(|_| errors.is_empty()) {
        Some(lowered) => {
            Outcome::Made(lowered.artifacts.into_iter().map(|file| (file.path, file.text)).collect())
        }
        None => Outcome::Refused(errors),
    }
}

fn analyzed(spec: &Json, base: Option<&Json>) -> Analysis {
    let load = |_: &str, to: &str| {
        let text = base.filter(|_| to == BASE).map(|base| format!("{base:#}"));
        let text = text.ok_or_else(|| format!("no `{to}`"))?;
        Ok(Loaded { name: to.to_owned(), text, format: Format::Json })
    };
    DRIVER.analyze(&Request::new("same.tfjob.json", &format!("{spec:#}")).load(&load))
}

/// Returns the first line where two results differ.
fn apart(one: &Outcome, other: &Outcome) -> String {
    match (one, other) {
        (Outcome::Made(one), Outcome::Made(other)) => {
            let lines = |files: &[(String, String)]| -> Vec<String> {
                files
                    .iter()
                    .flat_map(|(path, text)| text.lines().map(move |l| format!("{path}: {l}")))
                    .collect()
            };
            let (one, other) = (lines(one), lines(other));
            let first = one.iter().zip(&other).find(|(a, b)| a != b);
            first.map_or_else(|| "one has more lines".to_owned(), |(a, b)| format!("  {a}\n  {b}"))
        }
        _ => format!("  {}\n  {}", words(one), words(other)),
    }
}

fn words(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Refused(codes) => format!("refused: {codes:?}"),
        Outcome::Made(files) => format!("{} files", files.len()),
    }
}

/// The fields of a role.
fn of_role(kind: &str) -> Vec<&'static str> {
    let job = SHAPE.find(&[("job", None)]).and_then(|field| field.shape.object().copied());
    let named = job.iter().flat_map(|job: &Object| job.fields).find(|field| field.name == kind);
    let object = named.and_then(|field| field.shape.object());
    object.iter().flat_map(|object| object.fields).map(|field| field.name).collect()
}

/// Returns the job with its defaults copied into each role, if no role sets them.
fn in_roles(whole: &Json) -> Json {
    let mut moved = whole.clone();
    let Some(job) = moved["job"].as_object_mut() else { return moved };
    let kinds = ["role", "helper"];
    let fields: Vec<Vec<&str>> = kinds.iter().map(|kind| of_role(kind)).collect();
    let own: BTreeSet<String> = kinds
        .iter()
        .filter_map(|kind| job.get(*kind)?.as_object())
        .flat_map(|roles| roles.values().filter_map(Json::as_object).flat_map(Map::keys).cloned())
        .collect();
    let is_moved = |key: &&String| {
        let everywhere = fields.iter().all(|fields| fields.contains(&key.as_str()));
        everywhere && key.as_str() != "target" && !own.contains(*key)
    };
    let keys: Vec<String> = job.keys().filter(is_moved).cloned().collect();
    for key in keys {
        let Some(value) = job.shift_remove(&key) else { continue };
        for kind in kinds {
            let roles = job.get_mut(kind).and_then(Json::as_object_mut);
            for role in roles.into_iter().flat_map(|roles| roles.values_mut()) {
                role[&key] = value.clone();
            }
        }
    }
    moved
}

/// Moves every second field of the job to a base; the other fields stay in a spec that extends it. `shell` stays with `run`: in a
/// spec, one of them replaces the other of its base, so the merged job would have fewer fields than the plain one.
fn halves(whole: &Json) -> (Json, Json) {
    let (mut rest, mut base) = (Map::new(), Map::new());
    let fields = whole["job"].as_object().into_iter().flatten();
    for (number, (key, value)) in fields.enumerate() {
        let in_base = match key.as_str() {
            "name" => false,
            "shell" if rest.contains_key("run") => false,
            "shell" if base.contains_key("run") => true,
            _ => number % 2 == 1,
        };
        let half = if in_base { &mut base } else { &mut rest };
        half.insert(key.clone(), value.clone());
    }
    (json!({ "extends": BASE, "job": rest }), json!({ "job": base }))
}
