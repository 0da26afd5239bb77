//! The commands of a job, as scripts and pipelines run them: each with the directory in which it runs. They depend only on the job
//! and on the relative position of the directories, so they are the same on each machine.
use super::{Made, next_steps};
use crate::files::{self, SHIM};
use std::path::Path;
use tfjob_lang::lowered::{Directory, Phase, Skip, Step, Word};

/// A command of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// When to run the command.
    pub phase: Phase,
    /// Directory in which the command runs.
    pub directory: Directory,
    /// Arguments. Paths are relative to `directory`.
    pub argv: Vec<String>,
    /// Purpose of the command.
    pub why: String,
    /// When to skip the command.
    pub skip: Option<Skip>,
}

/// Returns the commands of a job, by phase and in order. `out`: the output directory. `sets`: the `--set` arguments.
pub fn all(out: &Path, made: &Made, sets: &[String]) -> Vec<Command> {
    let folder = files::path_between(files::home(made.spec), &out.join(&made.folder));
    let spec = made.spec.file_name().unwrap_or_default().to_string_lossy();
    let steps = &made.lowered.steps;
    // This check comes first, so that a missing shim is found before any command changes the cluster.
    let check = steps.iter().any(next_steps::reads_shim).then(|| Command {
        phase: Phase::Before,
        directory: Directory::Spec,
        argv: ["test", "-f", SHIM].map(str::to_owned).into(),
        why: format!(
            "checks that `{SHIM}` is in the directory of the spec; copy it there: it is next to the program `tfjob` (with pip, in \
             the `bin` directory of the environment), and in each release of tfjob"
        ),
        skip: None,
    });
    let own = steps.iter().map(|step| Command {
        phase: step.phase,
        directory: step.directory,
        argv: argv(step, &folder, &spec, sets),
        why: step.why.clone(),
        skip: step.skip.clone(),
    });
    let mut commands: Vec<Command> = check.into_iter().chain(own).collect();
    commands.sort_by_key(|command| command.phase);
    commands
}

fn argv(step: &Step, folder: &str, spec: &str, sets: &[String]) -> Vec<String> {
    let mut words = match step.directory {
        Directory::Output => step.words("", spec),
        Directory::Spec => step.words(folder, spec),
    };
    // A command that reads the spec needs the `--set` arguments of this compilation.
    if step.argv.contains(&Word::Spec) {
        words.extend(sets.iter().flat_map(|set| ["--set".to_owned(), set.clone()]));
    }
    words
}
