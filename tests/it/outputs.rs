//! The output files of `compile`: which are written, compared, and listed.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::program::{code, err, out, run};
use crate::specs;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A valid job with a warning.
fn job(name: &str) -> String {
    let lines = "target \"kubernetes\"\n    env { OUT \"$HOME/x\"; }\n    run";
    JOB.replace("NAME", name).replace("run", lines)
}

const JOB: &str = r#"job "NAME" {
    framework "custom"
    image "example/a:1"
    run "train"
    role "worker" count=2 { resources cpus=1 memory="1GiB"; }
}
"#;

fn write(dir: &Path, name: &str, text: &str) {
    let path = dir.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Returns a project with two environments and the job `a`.
fn project() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let text = "project {\n    specs \"jobs\"\n    environment \"staging\" { set \"role.worker.count=1\"; }\n    environment \"prod\"\n}\n";
    write(dir.path(), "tfjob.kdl", text);
    write(dir.path(), "jobs/a.tfjob.kdl", &job("a"));
    dir
}

#[test]
fn without_a_project_the_current_directory_is_checked_and_compiled() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "a.tfjob.kdl", &job("a"));
    assert_eq!(code(&run(dir.path(), &["check"])), 0);
    let compiled = run(dir.path(), &["compile"]);
    assert_eq!(code(&compiled), 0, "{}", err(&compiled));
    assert!(dir.path().join("out").is_dir());
    // The output is not read as a spec, so that a second run changes nothing.
    let again = run(dir.path(), &["compile"]);
    assert_eq!(code(&again), 0, "{}", err(&again));
    assert!(
        !err(&again).contains("wrote ") && err(&again).ends_with("files up to date\n"),
        "{}",
        err(&again)
    );
}

#[test]
fn show_uses_the_settings_of_an_environment() {
    let dir = project();
    let tasks = |args: &[&str]| {
        let shown = run(dir.path(), &[&["show", "jobs/a.tfjob.kdl", "--task", "worker:1"], args].concat());
        (code(&shown), err(&shown).to_owned())
    };
    assert_eq!(tasks(&["--env", "prod"]).0, 0, "{}", tasks(&["--env", "prod"]).1);
    let (code, told) = tasks(&["--env", "staging"]);
    assert!(code == 2 && told.contains("the last task is `worker:0`"), "{told}");
    assert_eq!(tasks(&["--env", "staging", "--set", "role.worker.count=2"]).0, 0);
    assert!(tasks(&["--env", "live"]).1.contains("has no environment `live`; it has staging, prod"));
}

#[test]
fn stale_files_are_reported_in_each_format() {
    let dir = project();
    assert_eq!(code(&run(dir.path(), &["compile"])), 0);
    let check = |format: &str| run(dir.path(), &["compile", "--check", "--format", format]);
    // `tfjob check` reports the warning, so that a pipeline with both shows it once.
    assert_eq!((code(&check("human")), out(&check("human")), err(&check("human"))), (0, "", ""));
    let (short, json) = (check("short"), check("json"));
    assert_eq!((code(&short), out(&short), err(&short)), (0, "", ""));
    let found: Value = serde_json::from_str(out(&json)).unwrap();
    assert_eq!((&found["summary"]["errors"], &found["summary"]["files"]), (&0.into(), &1.into()));
    let manifest = dir.path().join("out/prod/a/kubernetes/tfjob.yaml");
    let text = fs::read_to_string(&manifest).unwrap();
    let line = 1 + text.lines().position(|line| line.contains("replicas: 2")).unwrap();
    fs::write(&manifest, text.replace("replicas: 2", "replicas: 3")).unwrap();
    write(dir.path(), "out/prod/a/kubernetes/old.yaml", "a: 1\n");
    fs::remove_file(dir.path().join("out/staging/a/kubernetes/submit.sh")).unwrap();
    let short = check("short");
    let expected = [
        "out/staging/a/kubernetes/submit.sh:1:1: error[outdated-output]: the output file is missing\n".to_owned(),
        format!(
            "out/prod/a/kubernetes/tfjob.yaml:{line}:1: error[outdated-output]: the output file differs from the output of the spec\n"
        ),
        "out/prod/a/kubernetes/old.yaml:1:1: error[outdated-output]: the output file is no longer generated\n".to_owned(),
    ];
    let todo = "run `tfjob compile --prune`, which also deletes the obsolete files, and commit the changes\n";
    assert_eq!((code(&short), out(&short), err(&short)), (1, expected.concat().as_str(), todo));
    for format in ["json", "sarif", "github", "gitlab"] {
        let told = check(format);
        assert_eq!(code(&told), 1, "{format}: {}", err(&told));
        let places = out(&told).matches("out/prod/a/kubernetes/tfjob.yaml").count();
        assert!(places > 0 && out(&told).contains("outdated-output"), "{format}: {}", out(&told));
        assert!(!out(&told).contains("unexpanded-syntax"), "{format}: {}", out(&told));
    }
    // The position is that of the line in the file. A file belongs to one environment.
    let found: Value = serde_json::from_str(out(&check("json"))).unwrap();
    let places: Vec<_> = found["diagnostics"].as_array().unwrap().iter().collect();
    let byte = text.lines().take(line - 1).map(|line| line.len() + 1).sum::<usize>();
    assert_eq!(places[1]["start"], serde_json::json!({"line": line, "column": 1, "byte": byte}));
    let environments: Vec<_> =
        places.iter().map(|place| place["environments"][0].as_str().unwrap()).collect();
    assert_eq!(environments, ["staging", "prod", "prod"]);
    let one = run(dir.path(), &["compile", "--check", "--format", "json", "--env", "prod"]);
    let found: Value = serde_json::from_str(out(&one)).unwrap();
    assert_eq!(found["diagnostics"][0]["environments"], serde_json::json!([]));
    // An error of a spec is in the same report.
    write(dir.path(), "jobs/a.tfjob.kdl", &job("a").replace("cpus", "cqus"));
    let told = check("short");
    assert!(code(&told) == 1 && out(&told).contains("jobs/a.tfjob.kdl:7:"), "{}{}", out(&told), err(&told));
    assert_eq!(code(&run(dir.path(), &["compile", "--format", "json"])), 2);
}

/// A job with a contract, which contains two credentials.
const CONTRACT: &str = r#"job "a" {
    framework "tensorflow" version="2.15" strategy="mirrored"
    image "example/a:1"
    env { DB_PASSWORD "hunter2xyz"; COLOR "blue-grey"; }
    start timeout="5m"
    target "kubernetes"
    target "yarn" { dns-domain "example.com"; }
    run "train"
    role "worker" count=1 { resources cpus=1 memory="1GiB"; }
    helper "nb" {
        run "j" "--token" "opensesame77" "--out" "plain-value"
        resources cpus=1 memory="1GiB"
        after "worker" when="started"
    }
}
"#;

#[test]
fn check_masks_credentials_in_the_job_contract() {
    let edits: [&[(&str, &str)]; 4] = [
        &[
            ("DB_PASSWORD \"hunter2xyz\"; ", ""),
            (" \"--token\" \"opensesame77\" \"--out\" \"plain-value\"", ""),
        ],
        &[("hunter2xyz", "swordfish88"), ("opensesame77", "changed99x"), ("blue-grey", "deep-red")],
        &[("DB_PASSWORD \"hunter2xyz\"", "B \"1\""), ("--token", "--rate")],
        &[("hunter2xyz", "swordfish88")],
    ];
    for edits in edits {
        let dir = project();
        write(dir.path(), "jobs/a.tfjob.kdl", CONTRACT);
        let compiled = run(dir.path(), &["compile"]);
        assert_eq!(code(&compiled), 0, "{}", err(&compiled));
        for file in ["kubernetes/configmap.yaml", "yarn/Yarnfile.json"] {
            let contract = fs::read_to_string(dir.path().join("out/prod/a").join(file)).unwrap();
            assert!(contract.contains("hunter2xyz") && contract.contains("opensesame77"), "{contract}");
        }
        let text = edits.iter().fold(CONTRACT.to_owned(), |text, (old, new)| text.replace(old, new));
        write(dir.path(), "jobs/a.tfjob.kdl", &text);
        let told = run(dir.path(), &["compile", "--check"]);
        assert_eq!(code(&told), 1, "{edits:?}: {}{}", out(&told), err(&told));
        for file in ["kubernetes/configmap.yaml", "yarn/Yarnfile.json"] {
            assert!(
                out(&told).contains(&format!("outdated: out/prod/a/{file}")),
                "{edits:?}: {}",
                out(&told)
            );
        }
        for value in ["hunter2xyz", "opensesame77", "swordfish88", "changed99x"] {
            assert!(!out(&told).contains(value), "{edits:?}: {value}: {}", out(&told));
        }
        let ordinary = edits.iter().any(|(_, new)| *new == "deep-red");
        assert_eq!(out(&told).contains("\"text\": \"deep-red\""), ordinary, "{edits:?}: {}", out(&told));
    }
}

/// Returns the commands of the hook `tfjob-rendered`, in the file for pre-commit and in the documentation.
fn hooks() -> [String; 2] {
    [".pre-commit-hooks.yaml", "docs/projects.md"].map(|file| {
        let text = fs::read_to_string(specs::root().join(file)).unwrap();
        let hook = text.rsplit_once("id: tfjob-rendered\n").unwrap().1;
        let entry = hook.lines().find_map(|line| line.trim().strip_prefix("entry: ")).unwrap();
        entry.to_owned()
    })
}

#[test]
fn the_hook_refuses_rendered_files_that_git_does_not_track() {
    let [entry, documented] = hooks();
    assert_eq!(entry, documented);
    let dir = project();
    // The name of a job may contain no space, but that of an output directory may.
    let text = fs::read_to_string(dir.path().join("tfjob.kdl")).unwrap();
    write(dir.path(), "tfjob.kdl", &text.replace("specs", "out \"it's out\"\n    specs"));
    let program = Path::new(env!("CARGO_BIN_EXE_tfjob")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let shell = |script: &str| {
        let mut shell = Command::new("/bin/sh");
        let done = shell.args(["-c", script]).current_dir(dir.path()).env("PATH", &path).output().unwrap();
        (code(&done), format!("{}{}", out(&done), err(&done)))
    };
    let hook = |args: &str| shell(&format!("{entry} {args}"));
    assert_eq!(shell("git init --quiet && tfjob compile --quiet && git add tfjob.kdl jobs").0, 0);
    let (code, told) = hook("");
    assert_ne!(code, 0, "{told}");
    assert!(
        told.contains("it's out/prod/a/kubernetes/tfjob.yaml' did not match any file(s) known to git"),
        "{told}"
    );
    assert!(told.contains("Did you forget to 'git add'?"), "{told}");
    assert_eq!(shell("git add .").0, 0);
    for args in ["", "tfjob.kdl"] {
        assert_eq!(hook(args), (0, String::new()));
    }
    let listed = shell("tfjob compile --list");
    assert!(listed.1.lines().any(|line| line == "it's out/.gitattributes"), "{}", listed.1);
    write(dir.path(), "jobs/b.tfjob.kdl", &job("b"));
    let (code, told) = hook("");
    assert!(code == 1 && told.contains("missing: it's out/prod/b/kubernetes/tfjob.yaml"), "{told}");
}
