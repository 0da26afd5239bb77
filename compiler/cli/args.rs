//! The words of the command line.
use crate::render::Format;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// One typed job description, checked and compiled for the clusters that train it.
///
/// Exit codes: 0 clean, 1 a spec has errors, 2 wrong use or the disk failed.
#[derive(Debug, Parser)]
#[command(name = "tfjob", version, disable_help_subcommand = true, max_term_width = 100)]
pub struct Line {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Writes how long each stage took to standard error, one JSON object a line.
    #[arg(long, global = true)]
    pub timings: bool,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Shows every error of every spec, each once.
    Check(Check),
    /// Says what a word means: a code of an error, for example.
    Explain(Explain),
    /// Makes a first spec.
    Init(Init),
    /// Prints the completions of a shell.
    #[command(hide = true)]
    Completions(Completions),
    /// Prints a manual page.
    #[command(hide = true)]
    Man(Man),
}

/// Shows every error of every spec, each once.
#[derive(Debug, Args)]
pub struct Check {
    /// Specs, folders of specs (their ignore rules are kept), or `-` for standard input; without, the current folder.
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// How to write the report.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Writes the report to this file too, as SARIF.
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Mends what has one right answer, in the files themselves, and reports what is left.
    #[arg(long)]
    pub fix: bool,
}

/// Says what a word means.
#[derive(Debug, Args)]
pub struct Explain {
    /// The code of an error, as it stands in the brackets of a report.
    pub word: String,
}

/// Makes a first spec.
#[derive(Debug, Args)]
pub struct Init {
    /// The file, with or without `.tfjob.kdl`; the job gets its name.
    #[arg(default_value = "job")]
    pub name: PathBuf,
}

/// Prints the completions of a shell.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Prints a manual page.
#[derive(Debug, Args)]
pub struct Man {
    /// The command it is about; without, the whole.
    pub command: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_words_do_not_contradict_each_other() {
        Line::command().debug_assert();
    }
}
