//! Tests that the documented defaults are correct: writing a default value into a spec does not change the artifacts.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::program::{code, err, out, run};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tfjob_lang::shape::{Field, Preset, Shape};

/// A job with all blocks that have fields with defaults.
fn job() -> Value {
    let resources = json!({ "cpus": 1, "memory": "1GiB" });
    json!({ "job": {
        "name": "mnist",
        "framework": { "name": "tensorflow", "version": "2.15", "strategy": "parameter-server" },
        "image": { "name": "ml/mnist:1.0" },
        "data": { "train": { "uri": "pvc://train", "at": "/data" } },
        "checkpoints": { "uri": "pvc://models", "at": "/ckpt" },
        "start": {},
        "tensorboard": {},
        "run": ["python", "train.py"],
        "resources": resources,
        "role": {
            "chief": { "after": { "ps": {} } },
            "worker": {},
            "ps": {},
        },
        "helper": { "report": {} },
    } })
}

/// A field with a default, at a position of the job.
#[derive(Debug)]
struct Met {
    field: *const Field,
    path: String,
    default: Value,
}

/// Returns all fields with defaults in the blocks of the job. In a map with names that users choose, the name in the job stands
/// for all names.
fn defaults(shape: &Shape, here: &Value, at: &str, found: &mut Vec<Met>) {
    match shape {
        Shape::Object(object) => object.fields.iter().for_each(|field| of_field(field, here, at, found)),
        Shape::Keyed(keyed) => {
            for (name, value) in here.as_object().into_iter().flatten() {
                defaults(&keyed.item, value, &format!("{at}/{name}"), found);
            }
        }
        Shape::List(list) => {
            if let Some(first) = here.get(0) {
                defaults(&list.item, first, &format!("{at}/0"), found);
            }
        }
        Shape::Words(_)
        | Shape::Number(_)
        | Shape::Flag
        | Shape::Text(_)
        | Shape::NumberOr(..)
        | Shape::Scalar
        | Shape::Any => {}
    }
}

fn of_field(field: &Field, here: &Value, at: &str, found: &mut Vec<Met>) {
    let path = format!("{at}/{}", field.name);
    let default = match field.default {
        Some(Preset::Flag(flag)) => flag.into(),
        Some(Preset::Whole(number)) => number.into(),
        Some(Preset::Text(text)) => text.into(),
        None => {
            if let Some(inner) = here.get(field.name) {
                defaults(&field.shape, inner, &path, found);
            }
            return;
        }
    };
    found.push(Met { field, path, default });
}

/// Returns the number of fields with defaults in the schema. A shared object counts once.
fn declared(shape: &Shape, seen: &mut Vec<*const Field>, count: &mut usize) {
    match shape {
        Shape::Object(object) => {
            if seen.contains(&object.fields.as_ptr()) {
                return;
            }
            seen.push(object.fields.as_ptr());
            *count += object.fields.iter().filter(|field| field.default.is_some()).count();
            object.fields.iter().for_each(|field| declared(&field.shape, seen, count));
        }
        Shape::Keyed(keyed) => declared(&keyed.item, seen, count),
        Shape::List(list) => declared(&list.item, seen, count),
        Shape::Words(_)
        | Shape::Number(_)
        | Shape::Flag
        | Shape::Text(_)
        | Shape::NumberOr(..)
        | Shape::Scalar
        | Shape::Any => {}
    }
}

fn compiled(dir: &Path, job: &Value) -> String {
    fs::write(dir.join("a.tfjob.json"), job.to_string()).unwrap();
    let output = run(dir, &["compile", "a.tfjob.json", "--target", "kubernetes", "--stdout"]);
    assert_eq!(code(&output), 0, "{job}: {}", err(&output));
    // The digests are those of the spec, which contains the default.
    out(&output)
        .lines()
        .filter(|line| !line.contains("tfjob/spec-digest: ") && !line.contains("tfjob/task-digest: "))
        .map(|line| format!("{line}\n"))
        .collect()
}

#[test]
fn writing_a_default_changes_nothing() {
    let job = job();
    let mut found = Vec::new();
    defaults(&tfjob_targets::SHAPE, &job, "", &mut found);
    let mut count = 0;
    declared(&tfjob_targets::SHAPE, &mut Vec::new(), &mut count);
    let met: BTreeSet<*const Field> = found.iter().map(|met| met.field).collect();
    assert_eq!(met.len(), count, "the job has no block for a field with a default: {found:?}");
    let dir = tempfile::tempdir().unwrap();
    let without = compiled(dir.path(), &job);
    for Met { path, default, .. } in found {
        let (owner, name) = path.rsplit_once('/').unwrap();
        let mut with = job.clone();
        with.pointer_mut(owner).unwrap()[name] = default;
        assert_eq!(compiled(dir.path(), &with), without, "{path}");
    }
}
