//! `tfjob schema`: prints the JSON Schema of a job file or a cluster file, with the options of all targets.
use crate::args::{Schema, SchemaOf};
use crate::outcome::{Failure, Outcome};
use std::io::Write;
use tfjob_lang::analysis::options;
use tfjob_lang::shape::{published_cluster_schema, published_schema};

/// Runs the command.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub fn run(args: &Schema, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let options = options(tfjob_targets::ALL);
    let schema = match args.of {
        SchemaOf::Job => published_schema(&options),
        SchemaOf::Cluster => published_cluster_schema(&options),
    };
    let text = serde_json::to_string_pretty(&schema).expect("a JSON value can be printed");
    writeln!(out, "{text}")?;
    Ok(Outcome::Clean)
}
