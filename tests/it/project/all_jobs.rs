//! The script of docs/projects.md that submits all jobs of an environment, with a stand-in for `kubectl`.
use super::{PROJECT, project};
use crate::program::{code, err, run};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Records its calls. `get` prints a name for the files in `EXIST`, and a call with the text in `FAILS` fails.
const KUBECTL: &str = r#"#!/bin/sh
[ "$1" != config ] || exec echo test
echo "$(basename "$(dirname "$PWD")") $*" >>"$RAN"
case "$PWD $*" in *"$FAILS"*) echo refused >&2; exit 1 ;; esac
[ "$1" != get ] || case $EXIST in *"$3"*) echo tfjob.kubeflow.org/x ;; esac
"#;

/// Returns the script of the page.
fn script() -> String {
    let page = fs::read_to_string(crate::specs::root().join("docs/projects.md")).unwrap();
    let (_, rest) = page.split_once("To submit all jobs of an environment").unwrap();
    let (_, block) = rest.split_once("```sh\n").unwrap();
    block.split_once("```").unwrap().0.to_owned()
}

/// Runs the script in a compiled project. Returns its result and the jobs that it submitted.
fn submitted(dir: &Path, exist: &str, fails: &str) -> (Output, Vec<String>) {
    let ran = dir.join("ran");
    fs::write(&ran, "").unwrap();
    let path = format!("{}:{}", dir.join("tools").display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", &script()]).current_dir(dir).env("PATH", path);
    let done = shell.env("RAN", &ran).env("EXIST", exist).env("FAILS", fails).output().unwrap();
    let calls = fs::read_to_string(ran).unwrap();
    let created = calls.lines().filter_map(|line| line.strip_suffix(" create --filename tfjob.yaml"));
    (done, created.map(str::to_owned).collect())
}

#[test]
fn the_script_of_the_page_submits_the_jobs_that_do_not_exist() {
    let dir = project(PROJECT);
    assert_eq!(code(&run(dir.path(), &["compile"])), 0);
    fs::create_dir(dir.path().join("tools")).unwrap();
    crate::scripts::stand_in(&dir.path().join("tools/kubectl"), KUBECTL);
    for (exist, fails, exit, expected) in [
        ("", "none", 0, &["a", "b"][..]),
        // A running job is not changed.
        ("rendered/prod/a/kubernetes/tfjob.yaml", "none", 0, &["b"]),
        // If the cluster does not answer, no job counts as missing.
        ("", "get --filename", 1, &[]),
        // A failure stops the script, and is its result.
        ("", "/a/kubernetes create", 1, &["a"]),
        ("", "/b/kubernetes create", 1, &["a", "b"]),
    ] {
        let (done, jobs) = submitted(dir.path(), exist, fails);
        assert_eq!(
            (code(&done), jobs.as_slice()),
            (exit, expected.iter().map(|&job| job.to_owned()).collect::<Vec<_>>().as_slice()),
            "{exist} {fails}: {}",
            err(&done)
        );
        assert!(exit == 0 || err(&done).contains("refused"), "{}", err(&done));
    }
}
