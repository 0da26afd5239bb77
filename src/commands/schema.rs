//! `tfjob schema`: prints the JSON Schema of a job, cluster, or project file, with the options of all targets.
use crate::args::{Schema, SchemaOf};
use crate::outcome::{Failure, Outcome};
use std::io::Write;
use tfjob_lang::analysis::options;
use tfjob_lang::shape::{project_schema, published_cluster_schema, published_schema};

/// Runs the command.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub fn run(args: &Schema, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let options = options(tfjob_targets::ALL);
    let targets: Vec<&str> = tfjob_targets::ALL.iter().map(|target| target.name()).collect();
    let schema = match args.of {
        SchemaOf::Job => published_schema(&options),
        SchemaOf::Cluster => published_cluster_schema(&options),
        SchemaOf::Project => project_schema(&targets),
    };
    let text = serde_json::to_string_pretty(&schema).expect("a JSON value can be printed");
    writeln!(out, "{text}")?;
    Ok(Outcome::Clean)
}
