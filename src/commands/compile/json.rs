//! `--steps json`: the commands of all jobs as JSON, for pipelines. `schemas/steps.schema.json` is the schema.
use super::{Made, commands, scripts};
use crate::files;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;
use tfjob_lang::lowered::{Directory, Phase};

/// Version of the format. It increases when a field changes its meaning or is removed.
const VERSION: u32 = 1;

/// Prints the commands of all jobs. `folder`: the output directory.
///
/// # Errors
/// Returns an error if the output cannot be written.
pub fn print(folder: &Path, made: &[Made], sets: &[String], out: &mut dyn Write) -> io::Result<()> {
    let jobs: Vec<Value> = made.iter().map(|one| job(folder, one, sets)).collect();
    writeln!(out, "{:#}", json!({ "version": VERSION, "jobs": jobs }))
}

fn job(folder: &Path, made: &Made, sets: &[String]) -> Value {
    let mut names = made.folder.rsplit('/');
    let (target, name, environment) = (names.next(), names.next(), names.next());
    let output = folder.join(&made.folder);
    let steps = commands::all(folder, made, sets).into_iter().map(|command| {
        let directory = match command.directory {
            Directory::Output => &output,
            Directory::Spec => files::home(made.spec),
        };
        let mut step = json!({
            "phase": phase(command.phase),
            "directory": directory.to_string_lossy(),
            "argv": command.argv,
            "purpose": command.why,
        });
        if let Some(skip) = command.skip {
            step["skip_if"] = json!({ "argv": skip.argv, "output": skip.output, "reason": skip.reason });
        }
        step
    });
    json!({
        "job": name,
        "environment": environment,
        "target": target,
        "spec": made.spec.to_string_lossy(),
        "output": output.to_string_lossy(),
        "scripts": scripts::names(made),
        "steps": steps.collect::<Vec<_>>(),
    })
}

const fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Before => "setup",
        Phase::Submit => "submit",
        Phase::Status => "status",
        Phase::Logs => "logs",
        Phase::Update => "update",
        Phase::After => "delete",
    }
}
