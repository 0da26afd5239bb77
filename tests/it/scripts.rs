//! Runs the scripts next to the artifacts, and compares their commands with those of `--steps json`. Stand-ins record the commands.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::program::{code, err, out, tfjob};
use crate::steps::{JOB, JOBS, OWN};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::rc::Rc;
use tempfile::TempDir;

/// Records its directory, name, and arguments, prints the text in `SAYS`, and fails if it is the command with the number `FAILS`.
const TOOL: &str = r#"#!/bin/sh
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

/// Creates a stand-in for a program. Another process writes it: a file that this process has open for writing cannot be run, and
/// processes that other tests start at that moment keep it open.
fn stand_in(path: &Path) {
    if !path.exists() {
        let write = r#"printf %s "$1" >"$2" && chmod 755 "$2""#;
        let written = Command::new("/bin/sh").args(["-c", write, "sh", TOOL]).arg(path).status().unwrap();
        assert!(written.success());
    }
}

/// A compiled job.
struct Place {
    dir: Rc<TempDir>,
    job: Value,
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
    let schema: Value = serde_json::from_str(include_str!("../../schemas/steps.schema.json")).unwrap();
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
            if let Some(done) = step.get("done_if") {
                all.push((at(self.job["output"].as_str().unwrap()), words(&done["argv"])));
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
            stand_in(&tools.join(program));
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
                assert_eq!(ran, expected, "{target}: {script}");
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
                assert_eq!(ran, place.expected(&script), "{spec}: {target}: {script}: {}", err(&done));
                kinds.extend(ran.into_iter().map(|(_, argv)| format!("{target}: {}", argv[0])));
            }
        }
    }
    assert!(kinds.contains("spark: kubectl") && kinds.contains("yarn: hdfs"), "{kinds:?}");
}

#[test]
fn a_script_stops_at_the_first_failure() {
    for (target, lines, _) in JOBS {
        let place = Place::new("a.tfjob.kdl", "out", target, lines);
        let checks: Vec<Ran> =
            place.job["steps"].as_array().unwrap().iter().fold(Vec::new(), |mut all, step| {
                if let Some(done) = step.get("done_if") {
                    let argv =
                        done["argv"].as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned());
                    all.push((
                        fs::canonicalize(place.dir.path().join("out/mnist").join(target)).unwrap(),
                        argv.collect(),
                    ));
                }
                all
            });
        for script in place.scripts() {
            let expected = place.expected(&script);
            for (number, command) in (1..).zip(&expected).filter(|(_, command)| !checks.contains(command)) {
                let (done, ran) = place.run(&[&place.path(&script)], &[("FAILS", &number.to_string())]);
                assert_eq!(code(&done), 3, "{target}: {script}: {command:?}");
                assert_eq!(ran, expected[..number], "{target}: {script}");
                let told = format!(
                    "{script}: the last command failed with exit code 3; the commands after it have not run\n"
                );
                assert!(err(&done).ends_with(&told), "{}", err(&done));
            }
        }
    }
}

#[test]
fn a_second_deletion_succeeds() {
    for (target, lines, gone, left) in [
        ("yarn", JOBS[0].1, "\n Service mnist not found\n", "hdfs"),
        ("dcos", JOBS[3].1, "Error: Group '/mnist' does not exist", ""),
    ] {
        let place = Place::new("a.tfjob.kdl", "out", target, lines);
        let (done, ran) = place.run(&[&place.path("delete.sh")], &[("SAYS", gone)]);
        assert!(done.status.success(), "{}", err(&done));
        let ran: Vec<&str> = ran.iter().skip(1).map(|(_, argv)| argv[0].as_str()).collect();
        assert_eq!(ran.join(" "), left, "{target}");
        assert!(err(&done).contains("already done: "), "{}", err(&done));
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
    let place = Place::new("a.tfjob.kdl", "out", "dcos", JOBS[3].1);
    for script in place.scripts() {
        let path = place.path(&script);
        let (help, ran) = place.run(&[&path, "--help"], &[]);
        assert_eq!((code(&help), ran), (0, Vec::new()));
        assert!(out(&help).starts_with(&format!("usage: {script} [--dry-run]\n")), "{}", out(&help));
        for words in [&["--dry-rnu"][..], &["--dry-run", "x"], &["-"]] {
            let (done, ran) = place.run(&[&[path.as_str()], words].concat(), &[]);
            assert_eq!((code(&done), ran), (2, Vec::new()));
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

/// Output of `yarn application -list`, Hadoop 3.4.2.
const LIST: &str = "Total number of applications (application-types: [yarn-service], states: [] and tags: []):4
                Application-Id\t    Application-Name\t    Application-Type\t      User\t     Queue\t             State
application_1700000000000_9999\t               mnist\t        yarn-service\t       ada\t   default\t          FINISHED
application_1700000000000_10000\t               mnist\t        yarn-service\t       ada\t   default\t           RUNNING
application_1600000000000_20000\t               mnist\t        yarn-service\t       ada\t   default\t           RUNNING
application_1700000000000_10001\t             mnist-2\t        yarn-service\t       ada\t   default\t           RUNNING
";

/// `yarn logs` needs the ID of the application, which only the list tells.
#[test]
fn logs_are_those_of_the_newest_application_of_the_job() {
    for (target, lines, kind) in [("yarn", JOBS[0].1, "yarn-service"), ("spark", JOBS[4].1, "SPARK")] {
        let place = Place::new("a.tfjob.kdl", "out", target, lines);
        let tools = place.tools();
        fs::remove_file(tools.join("sh")).unwrap();
        let logs = |list: &str| {
            let mut shell = Command::new("/bin/sh");
            let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
            shell.arg(place.path("logs.sh")).current_dir(place.dir.path()).env("PATH", path);
            shell.env("RAN", place.dir.path().join("ran")).env("SAYS", list).output().unwrap()
        };
        stand_in(&tools.join("yarn"));
        let found = logs(LIST);
        assert!(found.status.success(), "{}", err(&found));
        let ran = fs::read_to_string(place.dir.path().join("ran")).unwrap();
        let ran: Vec<String> = ran
            .split_terminator('\u{1}')
            .map(|command| command.split_terminator('\0').skip(1).collect::<Vec<_>>().join(" "))
            .collect();
        let list = format!("yarn application -list -appStates ALL -appTypes {kind}");
        assert_eq!(ran, [list.as_str(), "yarn logs -applicationId application_1700000000000_10000"]);
        let none = logs("Total number of applications: 0\n");
        assert_eq!(code(&none), 1);
        assert!(err(&none).contains("YARN lists no application of type"), "{}", err(&none));
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
