//! What bash starts for an instance: preparations, then the program in bash's place.
use crate::yarn::support::storage::SCRATCH;
use crate::yarn::text;
use tfjob_contract::{KEPT, SUBMISSION, Value};

/// The contract's name among the generated files.
pub const CONTRACT: &str = "tfjob-contract.json";

/// The folder that stays between starts in one container, in the container's own.
pub const KEPT_IN: &str = "tfjob-kept";

/// Which processes of a container a node manager sends SIGTERM to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sigterm {
    /// The whole process group, the program included.
    Group,
    /// The first process alone, as Docker does.
    First,
}

/// What an instance starts.
#[derive(Debug, Clone, Default)]
pub struct Command {
    /// Variables that the command sets.
    pub exports: Vec<(String, Value)>,
    /// Whether there is an empty folder of its own.
    pub scratch: bool,
    /// Whether the program is told which submission of the job this is.
    pub submission: bool,
    /// Whether a later start in the same container must know that it is one.
    pub kept: bool,
    /// Lines that go before the program and after all variables.
    pub before: Vec<String>,
    /// Where the program starts.
    pub workdir: Option<Value>,
    /// The program and its words.
    pub argv: Vec<Value>,
    /// How SIGTERM reaches the program, where bash stays to read how it ends.
    pub again: Option<Sigterm>,
    /// Whether its end is always a success to the engine: no failure of a helper ends the job, or makes it a failure.
    pub settles: bool,
}

impl Command {
    /// The words for bash, before they are quoted for the engine.
    #[must_use]
    pub fn source(&self) -> String {
        let mut steps = Vec::new();
        if self.submission {
            // All containers of an application have its number, after the count of restarts of the resource manager and before the
            // attempt and the number of the container (`ContainerId.toString`).
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
        // `WORK_DIR` and `PATH` may be among the exports: what needs them has been done.
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
        match self.again {
            Some(sigterm) => again(&once, sigterm, self.settles),
            None => once,
        }
    }

    /// The launch command as it stands in the Yarnfile.
    #[must_use]
    pub fn launch(&self) -> String {
        text::in_double_quotes(&self.source())
    }
}

/// A node manager starts nothing again that ended with 137 or 143, as if it had killed it itself: a task that the
/// kernel killed for its memory is one of these. So bash stays and tells them apart. It passes SIGTERM on only where the
/// program does not get it anyway: a second one would interrupt a program that saves on the first.
fn again(once: &str, sigterm: Sigterm, settles: bool) -> String {
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
    fn a_program_takes_the_place_of_bash() {
        let command = Command { argv: words(&["python", "my train.py"]), ..Command::default() };
        assert_eq!(command.launch(), "exec python 'my train.py'");
    }

    #[test]
    fn what_needs_the_container_s_own_variables_comes_before_the_exports() {
        let command = Command {
            exports: vec![("PATH".to_owned(), vec![Piece::Text("/my bin".to_owned())])],
            scratch: true,
            submission: false,
            kept: false,
            workdir: Some(vec![Piece::Env("WORK_DIR".to_owned()), Piece::Text("/code".to_owned())]),
            before: vec!["[ -n \"$A\" ] || A=b".to_owned()],
            argv: words(&["./run"]),
            again: None,
            settles: false,
        };
        assert_eq!(
            command.source(),
            "rm -rf \"$WORK_DIR\"/scratch && mkdir \"$WORK_DIR\"/scratch && cd \"$WORK_DIR\"/code \
             && export PATH='/my bin' && { [ -n \"$A\" ] || A=b; } && exec ./run"
        );
    }

    #[test]
    fn a_command_that_is_started_again_keeps_bash() {
        let command = Command { argv: words(&["./run"]), again: Some(Sigterm::First), ..Command::default() };
        assert!(command.launch().starts_with(r"{ exec ./run & p=\$!; trap \"), "{}", command.launch());
    }
}
