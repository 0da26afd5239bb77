//! Detects a shell as the first process of a task. A shell does not forward SIGTERM to its child process.
use super::{Command, Part, Template};
use crate::resolve::shell;

const SHELLS: [&str; 7] = ["ash", "bash", "busybox", "dash", "ksh", "sh", "zsh"];
const SCRIPTS: [&str; 4] = [".bash", ".ksh", ".sh", ".zsh"];
/// Programs with a `run` command that counts as a shell: it starts the program as a child process and waits for it
/// (`conda/cli/main_run.py`: `subprocess.run`).
const CONDA: [&str; 3] = ["conda", "mamba", "micromamba"];

impl Command {
    /// Returns whether the command is a shell or a shell script, according to its arguments. As the first process of a container,
    /// a shell ignores SIGTERM unless it has a trap (`pid_namespaces(7)`), and its child process never gets the signal.
    #[must_use]
    pub fn begins_with_shell(&self) -> bool {
        let Self::Run(argv) = self else { return true };
        let words: Vec<&str> = argv.iter().map(ending).collect();
        let at = shell::program(&words);
        let Some(name) = words.get(at).map(|word| word.rsplit('/').next().unwrap_or_default()) else {
            return false;
        };
        SHELLS.contains(&name)
            || SCRIPTS.iter().any(|suffix| name.ends_with(suffix))
            || CONDA.contains(&name) && words.get(at + 1) == Some(&"run")
    }
}

/// Returns the literal text at the end of an argument, such as the file name in `{code}/run.sh`.
fn ending(argument: &Template) -> &str {
    match argument.parts.last() {
        Some(Part::Text(text)) => text,
        Some(Part::Data(..) | Part::Task(..)) | None => "",
    }
}
