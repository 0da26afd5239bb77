//! `tfjob man`: prints the manual page of the program or of one command, or writes all pages.
use crate::args::{self, Man};
use crate::files::{self, Output};
use crate::outcome::{Failure, Outcome};
use clap::Command;
use std::io::{self, Write};

/// Runs the command.
///
/// # Errors
/// Returns an error if the command is unknown, or the output cannot be written.
pub fn run(args: &Man, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let mut line = args::command();
    line.build();
    if let Some(folder) = &args.out {
        files::write_all(folder, &pages(&line)?)?;
        return Ok(Outcome::Clean);
    }
    let page = match &args.command {
        None => line,
        Some(name) => {
            let command = line.find_subcommand(name);
            titled(command.ok_or_else(|| Failure::new(format!("unknown command `{name}`")))?)
        }
    };
    clap_mangen::Man::new(page).render(out)?;
    Ok(Outcome::Clean)
}

fn titled(command: &Command) -> Command {
    command.clone().display_name(format!("tfjob-{}", command.get_name()))
}

/// Returns the page of the program and of each visible command.
fn pages(line: &Command) -> io::Result<Vec<Output>> {
    let commands =
        line.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help");
    let all = std::iter::once(("tfjob".to_owned(), line.clone()))
        .chain(commands.map(|command| (format!("tfjob-{}", command.get_name()), titled(command))));
    all.map(|(name, command)| {
        let mut bytes = Vec::new();
        clap_mangen::Man::new(command).render(&mut bytes)?;
        Ok(Output { path: format!("{name}.1"), bytes, executable: false })
    })
    .collect()
}
