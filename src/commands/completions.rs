//! `tfjob completions`: prints shell completions.
use crate::args::{self, Completions};
use crate::outcome::{Failure, Outcome};
use std::io::Write;

/// Runs the command.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub fn run(args: &Completions, out: &mut dyn Write) -> Result<Outcome, Failure> {
    // The generator panics if a write fails, so it writes to a buffer.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::command(), "tfjob", &mut script);
    out.write_all(&script)?;
    Ok(Outcome::Clean)
}
