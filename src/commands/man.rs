//! `tfjob man`: prints the manual page of the program or of one command.
use crate::args::{Line, Man};
use crate::outcome::{Failure, Outcome};
use clap::CommandFactory;
use std::io::Write;

/// Runs the command.
///
/// # Errors
/// Returns an error if the command is unknown, or standard output cannot be written.
pub fn run(args: &Man, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let mut line = Line::command();
    line.build();
    let page = match &args.command {
        None => line,
        Some(name) => {
            let command = line.find_subcommand(name);
            let command = command.ok_or_else(|| Failure::new(format!("unknown command `{name}`")))?.clone();
            let title = format!("tfjob-{name}");
            command.display_name(title)
        }
    };
    clap_mangen::Man::new(page).render(out)?;
    Ok(Outcome::Clean)
}
