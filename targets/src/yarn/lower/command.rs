//! The launch command of an instance. It prepares the container, and then replaces bash by the program.
use crate::yarn::support::storage::SCRATCH;
use crate::yarn::text;
use tfjob_contract::{KEPT, SUBMISSION, Value};

/// File name of the job contract.
pub const CONTRACT: &str = "tfjob-contract.json";

/// Name of a subdirectory of the working directory. Its files remain when a process restarts in the same container.
pub const KEPT_IN: &str = "tfjob-kept";

/// The processes of a container to which the NodeManager sends SIGTERM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sigterm {
    /// All processes of the process group, which includes the program.
    Group,
    /// Only the first process, as in Docker.
    First,
}

/// The launch command of an instance.
#[derive(Debug, Clone, Default)]
pub struct Command {
    /// Environment variables that the command exports.
    pub exports: Vec<(String, Value)>,
    /// Whether the command creates an empty scratch directory.
    pub scratch: bool,
    /// Whether the command exports a variable that identifies this submission of the job.
    pub submission: bool,
    /// Whether the command exports the path of the directory [`KEPT_IN`].
    pub kept: bool,
    /// Shell lines that run after the exports and before the program.
    pub before: Vec<String>,
    /// Working directory of the program.
    pub workdir: Option<Value>,
    /// The program and its arguments.
    pub argv: Vec<Value>,
    /// `Some` if bash must wait for the program, to change its exit code. The value says to which processes the NodeManager sends
    /// SIGTERM.
    pub waits: Option<Sigterm>,
    /// Whether the command always exits with 0. Set for a helper, because a helper must neither end the job nor make it fail.
    pub settles: bool,
}

impl Command {
    /// Returns the command as shell source, before it is quoted for YARN.
    #[must_use]
    pub fn source(&self) -> String {
        let mut steps = Vec::new();
        if self.submission {
            // A container ID has the form `container_[eEPOCH_]CLUSTER_APPLICATION_ATTEMPT_CONTAINER` (`ContainerId.toString`).
            // This line keeps the part up to APPLICATION, which is the same in all containers of an application.
            steps.push(format!("{SUBMISSION}=${{CONTAINER_ID%_*_*}}"));
            steps.push(format!("{SUBMISSION}=${{{SUBMISSION}#container_}}"));
            steps.push(format!("export {SUBMISSION}=${{{SUBMISSION}#e*_}}"));
        }
        if self.kept {
            steps.push(format!("export {KEPT}=\"$WORK_DIR\"/{KEPT_IN} && mkdir -p \"${KEPT}\""));
        }
        if self.scratch {
            let folder = format!("\"$WORK_DIR\"/{SCRATCH}");
            steps.push(format!("rm -rf {folder}"));
            steps.push(format!("mkdir {folder}"));
        }
        // The exports may change `WORK_DIR` and `PATH`. The generated lines above, and `cd`, need the values that YARN sets, so
        // they come before the exports. The lines in `before` and the program get the exported values.
        let workdir = self.workdir.as_ref().map(|path| format!("cd {}", text::value(path)));
        steps.extend(workdir);
        if !self.exports.is_empty() {
            let all = self.exports.iter().map(|(name, value)| format!(" {name}={}", text::value(value)));
            steps.push(format!("export{}", all.collect::<String>()));
        }
        steps.extend(self.before.iter().map(|line| format!("{{ {line}; }}")));
        let words = self.argv.iter().map(|word| format!(" {}", text::value(word)));
        steps.push(format!("exec{}", words.collect::<String>()));
        let once = steps.join(" && ");
        match self.waits {
            Some(sigterm) => waiting(&once, sigterm, self.settles),
            None => once,
        }
    }

    /// Returns the launch command as the Yarnfile contains it.
    #[must_use]
    pub fn launch(&self) -> String {
        text::in_double_quotes(&self.source())
    }
}

/// Wraps a command so that bash waits for it, and replaces the exit codes 137 and 143 by 1. After these codes, the NodeManager does
/// not restart a process, because it assumes that it has killed the process itself. But the OOM killer also causes 137. Bash
/// forwards SIGTERM only if the program does not get it directly: a second SIGTERM could interrupt a program that saves its state.
/// `settles`: whether the command always exits with 0 instead.
fn waiting(once: &str, sigterm: Sigterm, settles: bool) -> String {
    let pass = match sigterm {
        Sigterm::Group => ":",
        Sigterm::First => "\"kill -TERM $p\"",
    };
    let end = if settles { "exit 0" } else { "case $c in 137|143) c=1 ;; esac; exit $c" };
    format!(
        "{{ {once} & p=$!; trap {pass} TERM; wait $p; c=$?; \
         while kill -0 $p 2>/dev/null; do wait $p; c=$?; done; {end}; }}"
    )
}

#[cfg(test)]
mod tests {
    use super::{Command, Sigterm};
    use tfjob_contract::{Piece, Value};

    fn words(words: &[&str]) -> Vec<Value> {
        words.iter().map(|w| vec![Piece::Text((*w).to_owned())]).collect()
    }

    #[test]
    fn the_program_replaces_bash() {
        let command = Command { argv: words(&["python", "my train.py"]), ..Command::default() };
        assert_eq!(command.launch(), "exec python 'my train.py'");
    }

    #[test]
    fn lines_that_use_variables_of_the_container_come_before_the_exports() {
        let command = Command {
            exports: vec![("PATH".to_owned(), vec![Piece::Text("/my bin".to_owned())])],
            scratch: true,
            submission: false,
            kept: false,
            workdir: Some(vec![Piece::Env("WORK_DIR".to_owned()), Piece::Text("/code".to_owned())]),
            before: vec!["[ -n \"$A\" ] || A=b".to_owned()],
            argv: words(&["./run"]),
            waits: None,
            settles: false,
        };
        assert_eq!(
            command.source(),
            "rm -rf \"$WORK_DIR\"/scratch && mkdir \"$WORK_DIR\"/scratch && cd \"$WORK_DIR\"/code \
             && export PATH='/my bin' && { [ -n \"$A\" ] || A=b; } && exec ./run"
        );
    }

    #[test]
    fn bash_waits_for_a_command_that_restarts_in_place() {
        let command = Command { argv: words(&["./run"]), waits: Some(Sigterm::First), ..Command::default() };
        assert!(command.launch().starts_with(r"{ exec ./run & p=\$!; trap \"), "{}", command.launch());
    }
}
