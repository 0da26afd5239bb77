//! `tfjob diff` of a part of a repository: specs outside of a project, projects in subdirectories, and old versions with errors.
use super::revisions::{commit, committed};
use super::{JOB, json};
use crate::program::{code, err, out, run};
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

const PROJECT: &str = r#"project {
    specs "jobs"
    environment "x" {
        cluster "x.cluster.kdl"
    }
    environment "w" {
        specs "jobs/a.tfjob.kdl"
        cluster "w.cluster.kdl"
    }
}
"#;

const CLUSTER: &str =
    "cluster \"east\" target=\"kubernetes\" {\n    kubernetes {\n        priority \"high\"\n    }\n}\n";

/// Returns a repository with a project in a subdirectory, and a spec outside of it.
fn repository() -> TempDir {
    let named = |name: &str| JOB.replace("\"a\"", &format!("\"{name}\""));
    committed(&[
        ("sub/team/tfjob.kdl", PROJECT),
        ("sub/team/x.cluster.kdl", CLUSTER),
        ("sub/team/w.cluster.kdl", CLUSTER),
        ("sub/team/jobs/a.tfjob.kdl", JOB),
        ("sub/team/jobs/b.tfjob.kdl", &named("b")),
        ("other/x.tfjob.kdl", &named("x")),
    ])
}

fn edit(dir: &TempDir, name: &str, from: &str, to: &str) {
    let path = dir.path().join(name);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(path, text.replace(from, to)).unwrap();
}

/// The names of temporary directories are random, and equal specs must have equal names.
#[test]
fn a_spec_outside_of_the_project_has_its_path_in_the_repository() {
    let dir = repository();
    edit(&dir, "other/x.tfjob.kdl", "job \"x\"", "job \"xx\"");
    edit(&dir, "sub/team/jobs/a.tfjob.kdl", "a:1", "a:2");
    commit(dir.path(), "second");
    let team = dir.path().join("sub/team");
    for range in ["HEAD~1..HEAD", "HEAD~1"] {
        let spec = "../../other/x.tfjob.kdl";
        for format in ["human", "json", "markdown"] {
            let said = run(&team, &["diff", range, spec, "--env", "x", "--format", format]);
            let told = format!("{}{}", out(&said), err(&said));
            assert!(!told.contains("tfjob-diff-") && told.contains(spec), "{range}: {told}");
            assert!(!told.contains("removed") && !told.contains("added"), "{range}: {told}");
        }
        // Without `--env`, no environment has the spec.
        let said = run(&team, &["diff", range, spec]);
        assert_eq!((code(&said), out(&said)), (2, ""));
        assert!(err(&said).contains("no environment of the project file has these specs"), "{}", err(&said));
        // The specs of the project are compared in the environments that have them.
        let said = run(&team, &["diff", range, spec, "jobs/b.tfjob.kdl", "jobs/a.tfjob.kdl"]);
        assert_eq!(out(&said).matches("job a in ").count(), 2, "{}", out(&said));
        assert!(!out(&said).contains("job xx"), "{}", out(&said));
    }
}

/// The settings and cluster files of a project in a subdirectory are not compared.
#[test]
fn an_unused_project_file_is_named() {
    let dir = repository();
    edit(&dir, "sub/team/x.cluster.kdl", "high", "low");
    commit(dir.path(), "second");
    let note = "note: the project file sub/team/tfjob.kdl is not used: run `tfjob diff` in sub/team/\n";
    for args in [&["HEAD~1..HEAD"][..], &["HEAD~1"], &["HEAD~1..HEAD", "sub/team/jobs/a.tfjob.kdl"]] {
        let said = run(dir.path(), &[&["diff"], args].concat());
        assert_eq!((code(&said), err(&said)), (0, note), "{args:?}: {}", out(&said));
        // CI must not pass because of what is not compared.
        let said = run(dir.path(), &[&["diff", "--fail-on", "rejected"], args].concat());
        let why = "error: the project file `sub/team/tfjob.kdl` is not used, so `--fail-on` does not know all effects: run `tfjob \
                   diff` in `sub/team/`\n";
        assert_eq!((code(&said), out(&said), err(&said)), (2, "", why), "{args:?}");
    }
    let said = run(&dir.path().join("sub"), &["diff", ".", "../sub"]);
    assert!(err(&said).contains("the project file team/tfjob.kdl is not used"), "{}", err(&said));
    let other = run(dir.path(), &["diff", "HEAD~1..HEAD", "other/x.tfjob.kdl"]);
    assert_eq!(err(&other), "");
    for directory in ["sub/team", "sub/team/jobs"] {
        let said = run(&dir.path().join(directory), &["diff", "HEAD~1..HEAD"]);
        assert_eq!((code(&said), err(&said)), (1, ""), "{}", out(&said));
    }
    // Jobs of several projects may have the same name.
    fs::create_dir(dir.path().join("sub/second")).unwrap();
    fs::write(dir.path().join("sub/second/tfjob.kdl"), "project {\n    specs \".\"\n}\n").unwrap();
    fs::write(dir.path().join("sub/second/a.tfjob.kdl"), JOB).unwrap();
    let said = run(dir.path(), &["diff", "HEAD"]);
    let why = "error: cannot compare the work tree: it has errors without the project file `sub/second/tfjob.kdl`, which is not used: run \
               `tfjob diff` in `sub/second/`\n";
    assert!(code(&said) == 2 && err(&said).ends_with(why), "{}", err(&said));
}

/// The artifacts of an environment are unknown if its cluster file has errors; they may be those of a submitted job.
#[test]
fn a_faulty_cluster_file_hides_only_its_environment() {
    let dir = repository();
    let team = dir.path().join("sub/team");
    edit(&dir, "sub/team/x.cluster.kdl", "cluster \"east\"", "clutser \"east\"");
    commit(dir.path(), "faulty");
    edit(&dir, "sub/team/x.cluster.kdl", "clutser \"east\"", "cluster \"east\"");
    edit(&dir, "sub/team/jobs/a.tfjob.kdl", "a:1", "a:2");
    commit(dir.path(), "repaired");
    let report = json(&team, &["HEAD~1..HEAD"]);
    let note =
        "the cluster file of environment x has errors in HEAD~1: the artifacts of its jobs are not compared";
    assert_eq!(report["notes"], Value::from(vec![note]));
    let states: Vec<_> = report["jobs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|job| {
            let fields: Vec<_> = job["fields"]
                .as_array()
                .unwrap()
                .iter()
                .map(|field| field["path"].as_str().unwrap())
                .collect();
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let target = &job["targets"][0];
            [
                text(&job["job"]),
                text(&job["environment"]),
                text(&target["state"]),
                text(&target["effect"]),
                fields.join(","),
            ]
        })
        .collect();
    let job = |name: &str, environment: &str, state: &str, fields: &str| {
        [name, environment, state, "recreate", fields].map(str::to_owned)
    };
    assert_eq!(
        states,
        [job("a", "x", "unknown", "image"), job("b", "x", "unknown", ""), job("a", "w", "changed", "image")]
    );
    for least in ["restart", "recreate"] {
        let said = run(&team, &["diff", "HEAD~1..HEAD", "--env", "x", "--fail-on", least]);
        assert_eq!(code(&said), 1, "{}", out(&said));
        assert!(out(&said).contains("kubernetes: not compared, because the old version has errors\n"));
    }
    // An error of the project file hides all jobs.
    edit(&dir, "sub/team/tfjob.kdl", "specs \"jobs\"", "spesc \"jobs\"");
    commit(dir.path(), "faulty");
    edit(&dir, "sub/team/tfjob.kdl", "spesc \"jobs\"", "specs \"jobs\"");
    let said = run(&team, &["diff", "HEAD"]);
    let note = "note: HEAD has errors in its project file: compared as if it had no jobs\n";
    assert_eq!(err(&said), note);
}

/// A name in a comment must not be a link, a mention, or HTML.
#[test]
fn names_in_notes_are_code_in_markdown() {
    let name = "<img src=x> @octocat [a](http:b) **b** `c`|d";
    let file = format!("{name}.tfjob.kdl");
    let dir = committed(&[
        (&file, &JOB.replace("count", "cuont")),
        ("b.tfjob.kdl", &JOB.replace("\"a\"", "\"b\"")),
    ]);
    fs::write(dir.path().join(&file), JOB).unwrap();
    let said = run(dir.path(), &["diff", "HEAD", "--format", "markdown"]);
    let expected =
        format!("Note: `` {file} `` has errors in `HEAD`: compared as if it did not exist there\n");
    assert!(out(&said).contains(&expected), "{}", out(&said));
    let note = format!("note: {file} has errors in HEAD: compared as if it did not exist there\n");
    assert_eq!(err(&said), note);
}

/// An environment may be added or removed.
#[test]
fn an_environment_may_exist_in_only_one_version() {
    let dir = repository();
    let team = dir.path().join("sub/team");
    let environment = "    environment \"w\" {\n        specs \"jobs/a.tfjob.kdl\"\n        cluster \"w.cluster.kdl\"\n    }\n";
    edit(&dir, "sub/team/tfjob.kdl", environment, "");
    commit(dir.path(), "without w");
    for (range, title) in [("HEAD~1..HEAD", "removed job a in w "), ("HEAD..HEAD~1", "new job a in w ")] {
        for environments in [&["--env", "w"][..], &["--env", "x", "--env", "w"]] {
            let said = run(&team, &[&["diff", range][..], environments].concat());
            assert_eq!((code(&said), err(&said)), (1, ""), "{environments:?}: {}", out(&said));
            assert!(out(&said).starts_with(title), "{}", out(&said));
            assert!(out(&said).contains("1 job differs: 1 "), "{}", out(&said));
        }
        let said = run(&team, &["diff", range, "--env", "x", "--env", "none"]);
        assert!(code(&said) == 2 && err(&said).contains(" has the environment `none`"), "{}", err(&said));
    }
}

/// The old version of a moved spec has another path, also if only the new path is named.
#[test]
fn a_moved_spec_is_compared_if_only_its_new_path_is_named() {
    let project =
        "project {\n    specs \"jobs\" \"teams\"\n    environment \"x\" {}\n    environment \"y\" {}\n}\n";
    let dir = committed(&[
        ("tfjob.kdl", project),
        ("jobs/a.tfjob.kdl", JOB),
        ("jobs/b.tfjob.kdl", &JOB.replace("job \"a\"", "job \"b\"")),
        ("jobs/faulty.tfjob.kdl", &JOB.replace("job \"a\"", "job \"faulty\"").replace("image", "imgae")),
        ("teams/README.md", ""),
        ("teams/own.tfjob.kdl", &JOB.replace("job \"a\"", "job \"own\"")),
    ]);
    fs::remove_file(dir.path().join("jobs/faulty.tfjob.kdl")).unwrap();
    fs::rename(dir.path().join("jobs/a.tfjob.kdl"), dir.path().join("teams/a.tfjob.kdl")).unwrap();
    for args in [&["teams"][..], &["teams/a.tfjob.kdl"]] {
        let said = run(dir.path(), &[&["diff", "HEAD"], args, &["--fail-on", "restart"]].concat());
        assert!(code(&said) == 0 && out(&said).starts_with("no difference in "), "{args:?}: {}", out(&said));
    }
    edit(&dir, "teams/a.tfjob.kdl", "count=2", "count=3");
    for args in [&["teams"][..], &["teams/a.tfjob.kdl"], &["teams/a.tfjob.kdl", "--env", "y"]] {
        let said = run(dir.path(), &[&["diff", "HEAD"], args, &["--fail-on", "recreate"]].concat());
        let jobs =
            if args.len() == 1 { "2 jobs differ: 2 recreate\n" } else { "1 job differs: 1 recreate\n" };
        assert!(code(&said) == 1 && out(&said).ends_with(jobs), "{args:?}: {}{}", out(&said), err(&said));
        assert!(
            out(&said).contains("  role.worker.count: 2 -> 3  (teams/a.tfjob.kdl:8)\n"),
            "{}",
            out(&said)
        );
    }
    // A new job is new, and a directory without specs in the old version had none.
    commit(dir.path(), "without errors");
    fs::create_dir(dir.path().join("teams/new")).unwrap();
    fs::write(dir.path().join("teams/new/n.tfjob.kdl"), JOB.replace("job \"a\"", "job \"n\"")).unwrap();
    let said = run(dir.path(), &["diff", "HEAD", "teams/new", "--fail-on", "restart"]);
    assert!(
        code(&said) == 0 && out(&said).ends_with("2 jobs differ: 2 new\n"),
        "{}{}",
        out(&said),
        err(&said)
    );
    // The old version does not have this environment.
    edit(&dir, "tfjob.kdl", "\"y\" {}", "\"y\" {}\n    environment \"z\" {}");
    let said = run(dir.path(), &["diff", "HEAD", "teams/new", "--env", "z", "--fail-on", "restart"]);
    assert_eq!((code(&said), err(&said)), (0, ""));
}
