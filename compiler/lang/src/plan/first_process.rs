//! Whether the first process of a task is a shell, which forwards no signal to what it runs.
use super::{Command, Part, Template};
use crate::resolve::shell;

const SHELLS: [&str; 7] = ["ash", "bash", "busybox", "dash", "ksh", "sh", "zsh"];
const SCRIPTS: [&str; 4] = [".bash", ".ksh", ".sh", ".zsh"];
/// `conda run` waits for the program as a shell does (`conda/cli/main_run.py`: `subprocess.run`).
const CONDA: [&str; 3] = ["conda", "mamba", "micromamba"];

impl Command {
    /// Whether the task begins with a shell or a script of one, as far as its arguments tell. As the first process of a container it
    /// ignores SIGTERM unless it has a trap (`pid_namespaces(7)`), and its program never gets the signal.
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

/// The text at the end of an argument: the name of a file in `{code}/run.sh`.
fn ending(argument: &Template) -> &str {
    match argument.parts.last() {
        Some(Part::Text(text)) => text,
        Some(Part::Data(..) | Part::Task(..)) | None => "",
    }
}
