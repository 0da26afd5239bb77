//! Scripts next to the artifacts: `submit.sh`, `status.sh`, `logs.sh`, `update.sh`, and `delete.sh` contain the commands of the
//! job.
use super::commands::{self, Command};
use super::{Made, outputs};
use crate::files::{self, Output};
use std::path::Path;
use tfjob_lang::lowered::{Directory, Phase, Word};
use tfjob_targets::shell;

/// A script: its name, the phases of its commands, and its purpose.
type Script = (&'static str, &'static [Phase], &'static str);

/// The scripts of a job. If a phase has no commands, its script is not written.
const SCRIPTS: [Script; 5] = [
    ("submit.sh", &[Phase::Before, Phase::Submit], "Sets up and submits the job."),
    ("status.sh", &[Phase::Status], "Shows the state of the job."),
    ("logs.sh", &[Phase::Logs], "Shows the output of the tasks."),
    ("update.sh", &[Phase::Update], "Changes the running job to the compiled one."),
    (
        "delete.sh",
        &[Phase::After],
        "Deletes what the job has left. A running job is stopped. Can be repeated.",
    ),
];

/// The script that replaces `submit.sh` if the target has an artifact named `submit.sh`, which submits the job.
const SETUP: Script = (
    "setup.sh",
    &[Phase::Before],
    "Prepares the submission. Then run submit.sh in the directory of the spec.",
);

/// The start of each script, after its usage text: parses the arguments, and defines the functions that print and run commands.
const PRELUDE: &str = include_str!("scripts/prelude.sh");

/// The function that skips a command if the output of another command says so.
const UNLESS: &str = include_str!("scripts/unless.sh");

/// The function that runs a command if its own output tells whether to skip it.
const ATTEMPT: &str = include_str!("scripts/attempt.sh");

/// The commands that print which cluster `kubectl` uses.
const CONTEXT: &str = include_str!("scripts/context.sh");

/// Returns the scripts of a compiled spec for its first compiled target: their names and texts. `project`: the directory of the project
/// file. `cluster`: the cluster file. `out`: the output directory.
pub fn of_spec(
    (spec, cluster): (&Path, Option<&Path>),
    checked: &tfjob_driver::Checked,
    environment: Option<&str>,
    project: Option<&Path>,
    out: &Path,
) -> Vec<(String, String)> {
    let compiled = checked.compiled.iter().find_map(|(target, lowered)| Some((target, lowered.as_ref()?)));
    let (Some((target, lowered)), Some(plan)) = (compiled, &checked.plan) else { return Vec::new() };
    let folder = super::folder(environment, &plan.name.value, target.name());
    let origin = outputs::origin(project, spec);
    let cluster = cluster.map(|path| outputs::origin(project, path));
    let made = Made { folder, spec, origin, cluster, lowered, added: None };
    let scripts = all(out, &made).into_iter();
    scripts
        .map(|script| {
            let name = script.path.rsplit('/').next().unwrap_or_default().to_owned();
            (name, String::from_utf8_lossy(&script.bytes).into_owned())
        })
        .collect()
}

/// Returns the scripts of a job. `out`: the output directory.
pub fn all(out: &Path, made: &Made) -> Vec<Output> {
    let commands = commands::all(out, made, &[]);
    let to_spec = files::path_between(&out.join(&made.folder), files::home(made.spec));
    written(made)
        .into_iter()
        .map(|script| Output {
            path: format!("{}/{}", made.folder, script.0),
            bytes: text(script, made, &commands, &to_spec).into_bytes(),
            executable: true,
        })
        .collect()
}

/// Returns the names of the scripts of a job.
pub fn names(made: &Made) -> Vec<&'static str> {
    written(made).into_iter().map(|(name, ..)| name).collect()
}

/// Returns the scripts that a job has. A job that tfjob itself runs has none: `tfjob run` prints its state and its output.
fn written(made: &Made) -> Vec<Script> {
    let steps = &made.lowered.steps;
    if steps.iter().any(|step| step.argv.contains(&Word::Spec)) {
        return Vec::new();
    }
    let is_artifact = |name: &str| made.lowered.artifacts.iter().any(|artifact| artifact.path == name);
    let scripts = SCRIPTS.map(|script| if is_artifact(script.0) { SETUP } else { script });
    let has_commands = |phases: &[Phase]| steps.iter().any(|step| phases.contains(&step.phase));
    scripts.into_iter().filter(|(_, phases, _)| has_commands(phases)).collect()
}

/// Returns the text of a script. `to_spec`: path of the directory of the spec, relative to that of the script.
fn text((name, phases, purpose): Script, made: &Made, commands: &[Command], to_spec: &str) -> String {
    let usage = format!(
        "usage: {name} [--dry-run]\n\n{purpose}\nJob and target: {}\n\nEach command is printed before it runs. The script \
         stops at the first command that fails.\n\n  --dry-run  print the commands, and run none of them\n  --help     print this \
         text",
        outputs::one_line(&made.folder)
    );
    let mut text = format!("#!/bin/sh\n{}set -eu\nusage={}\n{PRELUDE}", made.header(), shell::quote(&usage));
    let own: Vec<&Command> = commands.iter().filter(|command| phases.contains(&command.phase)).collect();
    if own.iter().any(|command| command.skip.is_some()) {
        text.push_str(UNLESS);
    }
    if own.iter().any(|command| decides_itself(command)) {
        text.push_str(ATTEMPT);
    }
    let changes = phases.iter().any(|phase| matches!(phase, Phase::Before | Phase::Submit | Phase::After));
    if changes && own.iter().any(|command| command.argv.first().is_some_and(|program| program == "kubectl")) {
        text.push_str(CONTEXT);
    }
    for command in own {
        text.push('\n');
        push(&mut text, &format!("purpose={}\n", shell::quote(&outputs::one_line(&command.why))));
        if let Some(skip) = &command.skip {
            let words = [skip.reason, &skip.output].map(shell::quote).join(" ");
            let itself = decides_itself(command);
            let function = if itself { "attempt" } else { "unless" };
            let argv = match skip.argv.as_slice() {
                [sh, option, program, name, rest @ ..] if itself && sh == "sh" && option == "-c" => {
                    push(&mut text, &check(program, name));
                    rest
                }
                argv => argv,
            };
            push(&mut text, &format!("{function} {words} {}\n", join(argv)));
            if itself {
                continue;
            }
        }
        let directory = match command.directory {
            Directory::Output => ".",
            Directory::Spec => to_spec,
        };
        push(&mut text, &format!("run {} {}\n", shell::quote(directory), join(&command.argv)));
    }
    text
}

/// Returns the function for a command that a shell program checks: so the script prints only the command, which people can read.
fn check(program: &str, name: &str) -> String {
    let program = join(&["sh", "-c", program, name].map(str::to_owned));
    format!("checked() {{\n    {program} \"$@\"\n}}\ncheck=checked\n")
}

/// Returns whether the output of the command itself tells whether to skip it, so that one run is enough.
fn decides_itself(command: &Command) -> bool {
    matches!(command.directory, Directory::Output)
        && command.skip.as_ref().is_some_and(|skip| skip.argv == command.argv)
}

/// Appends a command. A command with `$` or a backtick gets a comment for ShellCheck: they are not expanded in single quotes,
/// because another shell expands them or they are literal.
fn push(text: &mut String, line: &str) {
    if line.contains(['$', '`']) {
        text.push_str("# shellcheck disable=SC2016\n");
    }
    text.push_str(line);
}

fn join(words: &[String]) -> String {
    shell::join(words.iter().map(String::as_str))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::all;
    use crate::commands::compile::Made;
    use std::path::Path;
    use std::process::Command;
    use tfjob_lang::lowered::{ALREADY_DONE, Artifact, Lowered, Phase, Step, Word};

    /// Arguments that a shell would change if they were not quoted, or that a program could take for something else.
    const HOSTILE: [&str; 15] = [
        "",
        "a b",
        " a ",
        "it's",
        "''",
        "\"",
        "-n",
        "--",
        "a\nb",
        "\n",
        "$HOME",
        "$(echo x)`echo x`",
        "\\",
        "*",
        "é;&|<>#~!",
    ];

    /// Prints each argument in brackets.
    const TOOL: &str = "#!/bin/sh\nfor word in \"$@\"; do printf '[%s]' \"$word\"; done\n";

    fn made<'a>(lowered: &'a Lowered, spec: &'a Path) -> Made<'a> {
        let (folder, origin) = ("mnist/yarn".to_owned(), "it's\na $(spec).tfjob.kdl".to_owned());
        Made { folder, spec, origin, cluster: None, lowered, added: None }
    }

    /// Writes the scripts of these steps, and returns the standard output of one of them.
    fn ran(dir: &Path, steps: Vec<Step>, script: &str, words: &[&str]) -> String {
        let lowered = Lowered { steps, ..Lowered::default() };
        let (home, out, tools) = (dir.join("it's a\n-home"), dir.join("-o ut"), dir.join("tools"));
        for folder in [&home, &tools, &out.join("mnist/yarn")] {
            std::fs::create_dir_all(folder).unwrap();
        }
        for output in all(&out, &made(&lowered, &home.join("a.tfjob.kdl"))) {
            assert!(output.executable);
            std::fs::write(out.join(output.path), output.bytes).unwrap();
        }
        // Another process writes the program: a file that this process has open for writing cannot be run.
        let write = r#"printf %s "$1" >"$2" && chmod 755 "$2""#;
        let written =
            Command::new("sh").args(["-c", write, "sh", TOOL]).arg(tools.join("tool")).status().unwrap();
        assert!(written.success());
        let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
        // The path of the script begins with a hyphen.
        let mut shell = Command::new("sh");
        shell.args(["--", &format!("-o ut/mnist/yarn/{script}")]).args(words).current_dir(dir);
        let done = shell.env("PATH", path).env("CDPATH", "/").output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    }

    fn steps() -> Vec<Step> {
        let step = |phase| Step::new(phase, &[&["tool"], &HOSTILE[..]].concat(), "a\nb $(touch x)");
        let gone = ["tool", "it's", "$gone"];
        vec![
            step(Phase::Submit),
            step(Phase::Status).in_spec_directory(),
            step(Phase::After).skip_if(&gone, "[$gone]", ALREADY_DONE),
            step(Phase::Logs).skip_if(&gone, "[nothing]", ALREADY_DONE),
        ]
    }

    #[test]
    fn hostile_arguments_and_directories_reach_the_programs_unchanged() {
        let dir = tempfile::tempdir().unwrap();
        let words: String = HOSTILE.iter().map(|word| format!("[{word}]")).collect();
        assert_eq!(ran(dir.path(), steps(), "submit.sh", &[]), words);
        assert_eq!(ran(dir.path(), steps(), "status.sh", &[]), words);
        // `skip_if` applies to the command of `delete.sh`, but not to that of `logs.sh`.
        assert_eq!(ran(dir.path(), steps(), "delete.sh", &[]), "");
        assert_eq!(ran(dir.path(), steps(), "logs.sh", &[]), words);
    }

    #[test]
    fn what_a_dry_run_prints_is_a_script_that_does_the_same() {
        let dir = tempfile::tempdir().unwrap();
        for script in ["submit.sh", "status.sh", "logs.sh", "delete.sh"] {
            let printed = ran(dir.path(), steps(), script, &["--dry-run"]);
            let path = format!("{}:{}", dir.path().join("tools").display(), std::env::var("PATH").unwrap());
            let mut shell = Command::new("sh");
            let done =
                shell.args(["-ec", &printed]).env("PATH", path).current_dir(dir.path()).output().unwrap();
            let done = String::from_utf8(done.stdout).unwrap();
            assert_eq!(done, ran(dir.path(), steps(), script, &[]), "{printed}");
        }
    }

    /// A `kubectl` for tests: `config` prints the file `context`, if it exists. Other calls are recorded in `calls`; `get` fails.
    const KUBECTL: &str = "#!/bin/sh\nif [ \"$1\" = config ]; then exec cat context; fi\necho \"$*\" >>calls\nif [ \"$1\" = \
                           get ]; then\n    echo \"Error ($2)\" >&2\n    exit 1\nfi\n";

    /// Runs `submit.sh` with this command of `kubectl`. Returns the exit code, standard error, and the calls.
    fn with_kubectl(context: Option<&str>, words: &[&str], dry_run: bool) -> (Option<i32>, String, String) {
        let dir = tempfile::tempdir().unwrap();
        let argv = [&["kubectl"], words].concat();
        let steps = vec![
            Step::new(Phase::Before, &argv, "").skip_if(&argv, "(Forbidden)", "no right"),
            Step::new(Phase::Status, &["kubectl"], ""),
        ];
        let lowered = Lowered { steps, ..Lowered::default() };
        let place = dir.path().join("mnist/yarn");
        std::fs::create_dir_all(&place).unwrap();
        for output in all(dir.path(), &made(&lowered, &dir.path().join("a.tfjob.kdl"))) {
            let is_status = output.path.ends_with("status.sh");
            assert_eq!(is_status, !String::from_utf8_lossy(&output.bytes).contains("current-context"));
            std::fs::write(dir.path().join(output.path), output.bytes).unwrap();
        }
        if let Some(context) = context {
            std::fs::write(place.join("context"), context).unwrap();
        }
        let write = r#"printf %s "$1" >"$2" && chmod 755 "$2""#;
        let kubectl = place.join("kubectl");
        assert!(
            Command::new("sh").args(["-c", write, "sh", KUBECTL]).arg(kubectl).status().unwrap().success()
        );
        let path = format!("{}:{}", place.display(), std::env::var("PATH").unwrap());
        let mut shell = Command::new("sh");
        shell.arg(place.join("submit.sh")).args(dry_run.then_some("--dry-run")).env("PATH", path);
        let done = shell.output().unwrap();
        let calls = std::fs::read_to_string(place.join("calls")).unwrap_or_default();
        (done.status.code(), String::from_utf8(done.stderr).unwrap(), calls)
    }

    #[test]
    fn a_script_that_changes_a_cluster_prints_the_context_of_kubectl() {
        let (code, told, _) = with_kubectl(Some("prod\n"), &["create"], false);
        assert_eq!((code, told.lines().next()), (Some(0), Some("submit.sh: context of kubectl: prod")));
        let (code, told, calls) = with_kubectl(None, &["create"], false);
        assert_eq!(
            (code, told.lines().next()),
            (Some(0), Some("submit.sh: context of kubectl: none is set"))
        );
        assert_eq!(calls, "create\n");
        let (code, told, calls) = with_kubectl(Some("prod\n"), &["create"], true);
        assert_eq!((code, told, calls), (Some(0), String::new(), String::new()));
    }

    #[test]
    fn a_command_that_decides_itself_whether_to_skip_it_runs_once() {
        let (code, told, calls) = with_kubectl(None, &["get", "Forbidden"], false);
        assert_eq!((code, calls), (Some(0), "get Forbidden\n".to_owned()));
        assert!(told.ends_with("skipped: kubectl get Forbidden (no right)\n"), "{told}");
        let (code, told, calls) = with_kubectl(None, &["get", "NotFound"], false);
        assert_eq!((code, calls), (Some(1), "get NotFound\n".to_owned()));
        assert!(
            told.contains("Error (NotFound)\nsubmit.sh: the last command failed with exit code 1"),
            "{told}"
        );
    }

    #[test]
    fn an_artifact_keeps_its_name_and_a_job_that_tfjob_runs_has_no_scripts() {
        let names = |steps: Vec<Step>, artifact: &str| {
            let (path, text) = (artifact.to_owned(), String::new());
            let artifacts = vec![Artifact { path, text, executable: true, documents: Vec::new() }];
            let lowered = Lowered { steps, artifacts, ..Lowered::default() };
            super::names(&made(&lowered, Path::new("a.tfjob.kdl"))).join(" ")
        };
        let submit = || Step::new(Phase::Submit, &["submit"], "");
        let both = || vec![Step::new(Phase::Before, &["upload"], ""), submit()];
        assert_eq!(names(both(), "a.json"), "submit.sh");
        assert_eq!(names(both(), "submit.sh"), "setup.sh");
        assert_eq!(names(vec![submit()], "submit.sh"), "");
        assert_eq!(names(vec![submit().with([Word::Spec])], "a.json"), "");
    }
}
