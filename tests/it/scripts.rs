//! Runs the scripts next to the artifacts, and compares their commands with those of `--steps json`. Stand-ins record the commands.
#![expect(clippy::unwrap_used, reason = "a test may")]

mod kueue;
mod yarn;

use crate::program::{code, err, out, tfjob};
use crate::steps::{JOB, JOBS, OWN};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::rc::Rc;
use tempfile::TempDir;

/// Records its directory, name, and arguments, prints the text in `SAYS`, and fails if it is the command with the number `FAILS`. The
/// question for the context of `kubectl` is no command of a step.
const TOOL: &str = r#"#!/bin/sh
[ "$*" != "config current-context" ] || exec echo test
printf '%s\0' "$(pwd -P)" "${0##*/}" "$@" >>"$RAN"
printf '\001' >>"$RAN"
printf '%s' "${SAYS:-}"
[ "$(tr -d -c '\001' <"$RAN" | wc -c)" -ne "${FAILS:-0}" ] || exit 3
"#;

/// A command: its directory, and its arguments.
type Ran = (PathBuf, Vec<String>);

/// Returns the phases of the commands of a script.
fn phases(script: &str) -> &'static [&'static str] {
    match script {
        "setup.sh" => &["setup"],
        "submit.sh" => &["setup", "submit"],
        "status.sh" => &["status"],
        "logs.sh" => &["logs"],
        "update.sh" => &["update"],
        "delete.sh" => &["delete"],
        _ => panic!("`{script}` is not a script of a job"),
    }
}

/// Returns the commands that a script runs. A command that tells on its own whether to skip it runs once; a dry run prints it twice.
fn once(mut commands: Vec<Ran>) -> Vec<Ran> {
    commands.dedup();
    commands
}

/// Creates a stand-in for a program. Another process writes it: a file that this process has open for writing cannot be run, and
/// processes that other tests start at that moment keep it open.
pub fn stand_in(path: &Path, text: &str) {
    let write = r#"printf %s "$1" >"$2" && chmod 755 "$2""#;
    let written = Command::new("/bin/sh").args(["-c", write, "sh", text]).arg(path).status().unwrap();
    assert!(written.success());
}

/// A compiled job.
struct Place {
    dir: Rc<TempDir>,
    job: Value,
}

/// Makes a schema refuse all fields that it does not describe.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(entries) => {
            entries.values_mut().for_each(close);
            if entries.contains_key("properties") && entries.get("type") == Some(&"object".into()) {
                entries.insert("additionalProperties".to_owned(), false.into());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Compiles a spec, and returns the first job of the printed JSON. `None` if the target refuses the job.
fn compiled(dir: &Path, spec: &str, target: &str, out_dir: &str) -> Option<Value> {
    let words = ["compile", spec, "--target", target, "-o", out_dir, "--steps", "json"];
    let compiled = tfjob(dir, &words).output().unwrap();
    if code(&compiled) != 0 {
        return None;
    }
    assert!(!err(&compiled).contains("Next steps"), "{}", err(&compiled));
    let printed: Value = serde_json::from_str(out(&compiled)).unwrap();
    let mut schema: Value = serde_json::from_str(include_str!("../../schemas/steps.schema.json")).unwrap();
    close(&mut schema);
    let schema = jsonschema::validator_for(&schema).unwrap();
    let faults: Vec<_> = schema.iter_errors(&printed).collect();
    assert!(faults.is_empty(), "{faults:?}");
    Some(printed["jobs"][0].clone())
}

impl Place {
    fn new(spec: &str, out_dir: &str, target: &str, lines: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().join(spec).parent().unwrap().to_path_buf();
        for file in OWN {
            fs::create_dir_all(home.join(file).parent().unwrap()).unwrap();
            fs::write(home.join(file), "{}").unwrap();
        }
        fs::write(dir.path().join(spec), format!("{JOB}{lines}\n}}\n")).unwrap();
        let job = compiled(dir.path(), spec, target, out_dir).unwrap();
        Self { dir: Rc::new(dir), job }
    }

    fn scripts(&self) -> Vec<String> {
        self.job["scripts"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
    }

    fn path(&self, script: &str) -> String {
        format!("{}/{script}", self.job["output"].as_str().unwrap())
    }

    /// Returns the commands of a script, with those that tell whether a command is to be skipped. `test` is part of the shell.
    fn expected(&self, script: &str) -> Vec<Ran> {
        let words = |value: &Value| -> Vec<String> {
            value.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
        };
        let at = |path: &str| fs::canonicalize(self.dir.path().join(path)).unwrap();
        let mut all = Vec::new();
        for step in self.job["steps"].as_array().unwrap() {
            let mut argv = words(&step["argv"]);
            if !phases(script).contains(&step["phase"].as_str().unwrap()) || argv[0] == "test" {
                continue;
            }
            if let Some(skip) = step.get("skip_if") {
                all.push((at(self.job["output"].as_str().unwrap()), words(&skip["argv"])));
            }
            argv[0] = argv[0].rsplit('/').next().unwrap().to_owned();
            all.push((at(step["directory"].as_str().unwrap()), argv));
        }
        all
    }

    /// Creates a stand-in for each program.
    fn tools(&self) -> PathBuf {
        let tools = self.dir.path().join("tools");
        fs::create_dir_all(&tools).unwrap();
        let all = self.scripts().into_iter().flat_map(|script| self.expected(&script));
        for program in all.map(|(_, argv)| argv[0].clone()).collect::<BTreeSet<_>>() {
            let path = tools.join(program);
            if !path.exists() {
                stand_in(&path, TOOL);
            }
        }
        tools
    }

    /// Runs a command with the stand-ins, and returns the commands that it ran.
    fn run(&self, words: &[&str], env: &[(&str, &str)]) -> (Output, Vec<Ran>) {
        let record = self.dir.path().join("ran");
        fs::write(&record, "").unwrap();
        let path = format!("{}:{}", self.tools().display(), std::env::var("PATH").unwrap());
        let mut shell = Command::new("/bin/sh");
        shell.args(words).current_dir(self.dir.path()).env("PATH", path).env("RAN", &record);
        let done = shell.envs(env.iter().copied()).output().unwrap();
        let text = fs::read_to_string(&record).unwrap();
        let commands = text.split_terminator('\u{1}').map(|command| {
            let mut words = command.split_terminator('\0').map(str::to_owned);
            (PathBuf::from(words.next().unwrap()), words.collect())
        });
        (done, commands.collect())
    }
}

/// Positions of the specs and the output directories, also with characters that a shell interprets.
const PLACES: [(&str, &str); 3] =
    [("a.tfjob.kdl", "out"), ("jobs/a.tfjob.kdl", "out"), ("-it's a $(dir)/a.tfjob.kdl", "-o\"ut *\n/deep")];

#[test]
fn scripts_run_the_steps_in_order_and_a_dry_run_prints_them() {
    let mut names = BTreeSet::new();
    for (target, lines, _) in JOBS {
        for (spec, out_dir) in PLACES {
            let place = Place::new(&format!("./{spec}"), &format!("./{out_dir}"), target, lines);
            for script in place.scripts() {
                let (path, expected) = (place.path(&script), place.expected(&script));
                assert!(!expected.is_empty(), "{target}: {script}");
                let (done, ran) = place.run(&[&path], &[]);
                assert!(done.status.success(), "{target}: {script}: {}", err(&done));
                assert_eq!(ran, once(expected.clone()), "{target}: {script}");
                let (dry, ran) = place.run(&[&path, "--dry-run"], &[]);
                assert_eq!((code(&dry), err(&dry), ran), (0, "", Vec::new()), "{target}: {script}");
                let (done, ran) = place.run(&["-ec", out(&dry)], &[]);
                assert!(done.status.success(), "{target}: {script}: {}", err(&done));
                assert_eq!(ran, expected, "{target}: {script}:\n{}", out(&dry));
                names.insert(script);
            }
        }
    }
    let all = ["delete.sh", "logs.sh", "setup.sh", "status.sh", "submit.sh", "update.sh"];
    assert_eq!(names.into_iter().collect::<Vec<_>>(), all);
}

/// Includes Spark on Kubernetes and the package of DC/OS.
#[test]
fn scripts_of_all_examples_print_their_steps() {
    let dir = Rc::new(tempfile::tempdir().unwrap());
    let copied = Command::new("cp").args(["-r", "examples"]).arg(dir.path()).status().unwrap();
    assert!(copied.success());
    let listed = Command::new("git").args(["ls-files", "examples/*.tfjob.kdl"]).output().unwrap();
    for spec in out(&listed).lines() {
        fs::write(dir.path().join(spec).parent().unwrap().join("tfjob-shim"), "").unwrap();
    }
    let mut kinds = BTreeSet::new();
    for spec in out(&listed).lines() {
        for target in ["yarn", "kubernetes", "dcos", "spark"] {
            let Some(job) = compiled(dir.path(), spec, target, "out") else { continue };
            let place = Place { dir: dir.clone(), job };
            for script in place.scripts() {
                let (dry, _) = place.run(&[&place.path(&script), "--dry-run"], &[]);
                let (done, ran) = place.run(&["-ec", out(&dry)], &[]);
                assert_eq!(ran, shown(place.expected(&script)), "{spec}: {target}: {script}: {}", err(&done));
                kinds.extend(ran.into_iter().map(|(_, argv)| format!("{target}: {}", argv[0])));
            }
        }
    }
    assert!(kinds.contains("spark: kubectl") && kinds.contains("yarn: hdfs"), "{kinds:?}");
}

/// Returns the commands as a dry run shows them: without the shell program that checks the output of a command.
fn shown(commands: Vec<Ran>) -> Vec<Ran> {
    let mut all: Vec<Ran> = Vec::new();
    for (place, argv) in commands {
        let checked = argv[0] == "sh" && argv.get(4).is_some_and(|program| program == "kubectl");
        let command = (place, if checked { argv[4..].to_vec() } else { argv });
        if !checked || all.last() != Some(&command) {
            all.push(command);
        }
    }
    all
}

#[test]
fn a_script_stops_at_the_first_failure() {
    for (target, lines, _) in JOBS {
        let place = Place::new("a.tfjob.kdl", "out", target, lines);
        let checks: Vec<Ran> =
            place.job["steps"].as_array().unwrap().iter().fold(Vec::new(), |mut all, step| {
                if let Some(skip) = step.get("skip_if") {
                    let argv =
                        skip["argv"].as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned());
                    all.push((
                        fs::canonicalize(place.dir.path().join("out/mnist").join(target)).unwrap(),
                        argv.collect(),
                    ));
                }
                all
            });
        for script in place.scripts() {
            let expected = once(place.expected(&script));
            for (number, command) in (1..).zip(&expected).filter(|(_, command)| !checks.contains(command)) {
                let (done, ran) = place.run(&[&place.path(&script)], &[("FAILS", &number.to_string())]);
                assert_eq!(code(&done), 3, "{target}: {script}: {command:?}");
                assert_eq!(ran, expected[..number], "{target}: {script}");
                let told = format!(
                    "{script}: the last command failed with exit code 3; the commands after it have not run\n{script}: the failed \
                     command "
                );
                assert!(err(&done).contains(&told), "{}", err(&done));
            }
        }
    }
}

#[test]
fn a_second_deletion_succeeds() {
    for (target, lines, gone, left) in [
        ("yarn", JOBS[0].1, " Service mnist not found\n", "hdfs"),
        ("dcos", JOBS[3].1, "Error: Group '/mnist' does not exist", ""),
    ] {
        let place = Place::new("a.tfjob.kdl", "out", target, lines);
        let (done, ran) = place.run(&[&place.path("delete.sh")], &[("SAYS", gone)]);
        assert!(done.status.success(), "{}", err(&done));
        let ran: Vec<&str> = ran.iter().skip(1).map(|(_, argv)| argv[0].as_str()).collect();
        assert_eq!(ran.join(" "), left, "{target}");
        assert!(
            err(&done).contains("skipped: ") && err(&done).contains(" (already done)\n"),
            "{}",
            err(&done)
        );
    }
}

#[test]
fn a_missing_shim_stops_the_script_before_it_changes_the_cluster() {
    let place = Place::new("a.tfjob.kdl", "out", "yarn", JOBS[0].1);
    fs::remove_file(place.dir.path().join("tfjob-shim")).unwrap();
    let (done, ran) = place.run(&[&place.path("submit.sh")], &[]);
    assert_eq!((code(&done), ran), (1, Vec::new()), "{}", err(&done));
    assert!(err(&done).contains("test -f tfjob-shim"), "{}", err(&done));
}

#[test]
fn help_and_wrong_arguments_run_nothing() {
    for (target, words, _) in JOBS.into_iter().filter(|(target, ..)| *target != "local") {
        help_runs_nothing(target, words);
    }
}

fn help_runs_nothing(target: &str, lines: &str) {
    let place = Place::new("a.tfjob.kdl", "out", target, lines);
    let artifact = (target == "spark").then(|| "submit.sh".to_owned());
    for script in place.scripts().into_iter().chain(artifact) {
        let path = place.path(&script);
        let (help, ran) = place.run(&[&path, "--help"], &[]);
        assert_eq!((code(&help), ran), (0, Vec::new()));
        assert!(out(&help).starts_with(&format!("usage: {script} [--dry-run]\n")), "{}", out(&help));
        for words in [&["--dry-rnu"][..], &["--dry-run", "x"], &["-"], &[""], &["", ""], &["--dry-run", ""]] {
            let (done, ran) = place.run(&[&[path.as_str()], words].concat(), &[]);
            assert_eq!((code(&done), ran), (2, Vec::new()), "{script} {words:?}");
            assert_eq!(err(&done), out(&help));
        }
    }
}

fn read(place: &Place) -> Vec<(String, String)> {
    let text = |script: &String| fs::read_to_string(place.dir.path().join(place.path(script))).unwrap();
    place.scripts().into_iter().map(|script| (text(&script), script)).collect()
}

#[test]
fn scripts_are_the_same_on_each_machine() {
    for (target, lines, _) in JOBS {
        let make = || Place::new("jobs/a.tfjob.kdl", "out", target, lines);
        let (one, two) = (make(), make());
        assert_eq!(read(&one), read(&two), "{target}");
        let own = one.dir.path().to_string_lossy().into_owned();
        assert!(read(&one).iter().all(|(text, _)| !text.contains(&own)), "{target}");
    }
}

/// The answers are those of kubectl 1.36.
#[test]
fn a_missing_secret_is_an_error_but_a_missing_right_to_read_it_is_not() {
    let lines = r#"secret "USER" from="registry" key="user"; secret "TOKEN" from="store" key="token""#;
    let place = Place::new("a.tfjob.kdl", "out", "kubernetes", lines);
    for (answer, skipped) in [
        (
            r#"Error from server (Forbidden): secrets \"$5\" is forbidden: User \"ada\" cannot get resource \"secrets\" in API group \"\""#,
            true,
        ),
        (r#"Error from server (NotFound): secrets \"$5\" not found"#, false),
        (
            "Error from server (InternalError): an error on the server has prevented the request from succeeding",
            false,
        ),
    ] {
        place.tools();
        let text = format!("{TOOL}case \"$*\" in *'get secret'*) echo \"{answer}\" >&2; exit 1 ;; esac\n");
        stand_in(&place.dir.path().join("tools/kubectl"), &text);
        let (done, ran) = place.run(&[&place.path("submit.sh")], &[]);
        let created = ran.iter().any(|(_, argv)| argv[1..3] == ["create", "--filename"]);
        assert_eq!((code(&done), created), if skipped { (0, true) } else { (1, false) }, "{}", err(&done));
        let notes = err(&done).matches("(this user may not read Secrets; ").count();
        assert_eq!(notes, if skipped { 2 } else { 0 }, "{}", err(&done));
        let purpose =
            "submit.sh: the failed command checks that this Secret of the job exists; create it with";
        assert_eq!(err(&done).contains(purpose), !skipped, "{}", err(&done));
    }
}

/// A path of the program's own machine is not in the output, and the local target needs no scripts.
#[test]
fn the_steps_of_a_local_job_repeat_the_arguments_and_have_no_scripts() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("src")).unwrap();
    fs::write(dir.path().join("a.tfjob.kdl"), format!("{JOB}code \"./src\"\n}}\n")).unwrap();
    let words =
        ["compile", "a.tfjob.kdl", "--target", "local", "--steps", "json", "--set", "role.worker.count=1"];
    let compiled = tfjob(dir.path(), &words).output().unwrap();
    let printed: Value = serde_json::from_str(out(&compiled)).unwrap();
    let argv = ["tfjob", "run", "a.tfjob.kdl", "--set", "role.worker.count=1"];
    assert_eq!(printed["jobs"][0]["steps"][0]["argv"], serde_json::json!(argv));
    assert_eq!(printed["jobs"][0]["steps"][0]["directory"], ".");
    assert_eq!(printed["jobs"][0]["scripts"], serde_json::json!([]));
    let listed = |path: &Path| {
        fs::read_dir(path).unwrap().flatten().map(|entry| entry.file_name()).collect::<Vec<_>>()
    };
    assert!(
        !listed(&dir.path().join("out/mnist/local"))
            .iter()
            .any(|name| name.to_string_lossy().ends_with(".sh"))
    );
}
