//! `tfjob schema`: the JSON Schema of a job file, with the words of every target.
use crate::outcome::{Failure, Outcome};
use std::io::Write;
use tfjob_lang::shape::job_schema;

/// Runs the command.
///
/// # Errors
/// Where nothing can be written.
pub fn run(out: &mut dyn Write) -> Result<Outcome, Failure> {
    let options: Vec<_> = tfjob_targets::ALL
        .iter()
        .map(|target| {
            let (job, role) = target.schemas();
            (target.name(), job, role)
        })
        .collect();
    let text = serde_json::to_string_pretty(&job_schema(&options)).expect("a JSON value can be printed");
    writeln!(out, "{text}")?;
    Ok(Outcome::Clean)
}
