//! `tfjob completions`: what a shell needs to complete the command line.
use crate::args::{Completions, Line};
use crate::outcome::{Failure, Outcome};
use clap::CommandFactory;
use std::io::Write;

/// Runs the command.
///
/// # Errors
/// Where nothing can be written.
pub fn run(args: &Completions, out: &mut dyn Write) -> Result<Outcome, Failure> {
    // The generator takes no failed write, so it gets a buffer.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Line::command(), "tfjob", &mut script);
    out.write_all(&script)?;
    Ok(Outcome::Clean)
}
