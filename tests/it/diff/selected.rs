//! Which specs and environments `tfjob diff` compares, and how its report names them.
use super::{JOB, folder, json};
use crate::program::{code, err, out, run, tfjob};
use std::fs;

fn named(name: &str) -> String {
    JOB.replace("\"a\"", &format!("\"{name}\""))
}

const PROJECT: &str = r#"project {
    environment "x" {
        specs "jobs/a.tfjob.kdl"
        set "role.worker.count=1"
    }
    environment "y" {
        specs "jobs/b.tfjob.kdl"
    }
}
"#;

/// As with the other commands, a named spec is compared without the project file, unless `--env` selects an environment.
#[test]
fn a_named_spec_is_that_of_the_file() {
    let dir = folder(&[
        ("tfjob.kdl", PROJECT),
        ("jobs/a.tfjob.kdl", &named("a")),
        ("jobs/b.tfjob.kdl", &named("b")),
        ("old.tfjob.kdl", &named("a").replace("count=2", "count=4")),
    ]);
    let said = run(dir.path(), &["diff", "old.tfjob.kdl", "jobs/a.tfjob.kdl", "--target", "yarn"]);
    assert!(out(&said).contains("role.worker.count: 4 -> 2"), "{}{}", out(&said), err(&said));
    let args = ["diff", "old.tfjob.kdl", "jobs/a.tfjob.kdl", "--env", "x", "--target", "yarn"];
    let said = run(dir.path(), &args);
    assert_eq!(out(&said), "no difference in 1 job\n", "{}", err(&said));
}

#[test]
fn a_spec_is_compared_only_in_its_environments() {
    let dir = super::revisions::committed(&[
        ("tfjob.kdl", PROJECT),
        ("jobs/a.tfjob.kdl", &named("a")),
        ("jobs/b.tfjob.kdl", &named("b")),
    ]);
    fs::write(dir.path().join("jobs/a.tfjob.kdl"), named("a").replace("a:1", "a:2")).unwrap();
    let said = run(dir.path(), &["diff", "HEAD", "jobs/a.tfjob.kdl"]);
    assert!(out(&said).starts_with("job a in x ") && out(&said).contains("1 job differs"), "{}", out(&said));
}

/// A value that moves to the cluster file changes nothing, and another default of the cluster file is a field with its place.
#[test]
fn defaults_of_a_cluster_file_are_fields() {
    let cluster = |options: &str| {
        format!(
            "cluster \"east\" target=\"kubernetes\" {{\n    kubernetes {{\n        {options}\n    }}\n}}\n"
        )
    };
    let project = "project {\n    environment \"east\" {\n        cluster \"east.cluster.kdl\"\n    }\n}\n";
    let job = |option: &str| {
        JOB.replace(
            "    target \"kubernetes\"\n    target \"yarn\"\n",
            &format!("    target \"kubernetes\" {{ {option}; }}\n"),
        )
    };
    let dir = folder(&[
        ("old/tfjob.kdl", project),
        ("old/east.cluster.kdl", &cluster("priority \"low\"")),
        ("old/a.tfjob.kdl", &job("argocd")),
        ("moved/tfjob.kdl", project),
        ("moved/east.cluster.kdl", &cluster("priority \"low\"\n        argocd")),
        ("moved/a.tfjob.kdl", &job("namespace \"default\"").replace("{ namespace \"default\"; }", "")),
        ("other/tfjob.kdl", project),
        ("other/east.cluster.kdl", &cluster("priority \"high\"")),
        ("other/a.tfjob.kdl", &job("argocd")),
    ]);
    let said = run(dir.path(), &["diff", "old", "moved"]);
    assert_eq!(out(&said), "no difference in 1 job\n", "{}", err(&said));
    let said = run(dir.path(), &["diff", "old", "other"]);
    assert!(
        out(&said).contains("  target.kubernetes.priority: \"low\" -> \"high\"  (east.cluster.kdl:3)\n"),
        "{}{}",
        out(&said),
        err(&said)
    );
    fs::write(dir.path().join("other/a.tfjob.kdl"), job("namespace \"default\"")).unwrap();
    let said = run(dir.path(), &["diff", "old", "other"]);
    assert!(out(&said).contains("  target.kubernetes.argocd: {} -> (unset)"), "{}", out(&said));
}

/// The same field has the same name in a spec and in a setting.
#[test]
fn settings_and_orders_are_fields() {
    let old = JOB.replace("    env {\n", "    param \"lr\" 1\n    env {\n        LR \"{param.lr}\"\n");
    let dir = folder(&[
        ("old/a.tfjob.kdl", &old),
        ("old/tfjob.kdl", "project {\n    environment \"p\" {}\n}\n"),
        ("new/a.tfjob.kdl", &old),
        ("new/tfjob.kdl", "project {\n    environment \"p\" {\n        set \"param.lr=2\"\n    }\n}\n"),
    ]);
    let said = run(dir.path(), &["diff", "old", "new"]);
    assert!(out(&said).contains("  param.lr: 1 -> 2  (tfjob.kdl:3)\n"), "{}{}", out(&said), err(&said));
    let dir = folder(&[
        ("old.tfjob.kdl", &old),
        (
            "new.tfjob.kdl",
            &old.replace(
                "        LR \"{param.lr}\"\n        MODE \"fast\"\n",
                "        MODE \"fast\"\n        LR \"{param.lr}\"\n",
            ),
        ),
        ("float.tfjob.kdl", &old.replace("\"lr\" 1", "\"lr\" 1.0")),
    ]);
    let said = run(dir.path(), &["diff", "old.tfjob.kdl", "new.tfjob.kdl"]);
    assert!(out(&said).contains("  env: order LR, MODE -> order MODE, LR"), "{}", out(&said));
    let said = run(dir.path(), &["diff", "old.tfjob.kdl", "float.tfjob.kdl"]);
    assert!(out(&said).contains("  param.lr: 1 -> 1.0  (float.tfjob.kdl:5)"), "{}", out(&said));
}

/// Lists and objects come from the line of their first value, and a command from its first argument that differs.
#[test]
fn each_value_has_its_place() {
    let old = JOB.replace("\"--steps=10\"", "\"--a\" \\\n        \"--b\"");
    let new = old.replace("--b", "--c").replace("        MODE", "        KIND \"x\"\n        MODE");
    let dir = folder(&[("old.tfjob.kdl", &old), ("new.tfjob.kdl", &new)]);
    let report = json(dir.path(), &["old.tfjob.kdl", "new.tfjob.kdl", "--target", "kubernetes"]);
    let changes = report["jobs"][0]["targets"][0]["changes"].as_array().unwrap();
    for (end, line) in [("env[KIND]", 7), ("command", 5)] {
        let change = changes.iter().find(|change| change["path"].as_str().unwrap().ends_with(end));
        let change = change.unwrap_or_else(|| panic!("{end}: {report}"));
        assert_eq!(change["place"]["line"], line, "{end}: {report}");
    }
}

/// The name of a file must not look like another line of the report, and JSON has no invisible characters.
#[test]
fn a_name_is_one_line() {
    let dir = folder(&[
        ("old.tfjob.kdl", JOB),
        ("x\n\nno difference\n\u{9b}\u{202e}.tfjob.kdl", &JOB.replace("a:1", "a:2")),
    ]);
    let new = "x\n\nno difference\n\u{9b}\u{202e}.tfjob.kdl";
    let said = run(dir.path(), &["diff", "old.tfjob.kdl", new]);
    assert!(out(&said).lines().all(|line| line != "no difference"), "{}", out(&said));
    let said = run(dir.path(), &["diff", "old.tfjob.kdl", new, "--format", "json"]);
    assert!(out(&said).contains("\\u009b") && out(&said).contains("\\u202e"), "{}", out(&said));
    assert!(!out(&said).contains('\u{9b}') && !out(&said).contains('\u{202e}'), "{}", out(&said));
    json(dir.path(), &["old.tfjob.kdl", new]);
}

/// Deleting the last spec removes its job.
#[test]
fn the_last_job_is_removed() {
    let dir = super::revisions::committed(&[("jobs/a.tfjob.kdl", JOB)]);
    fs::remove_dir_all(dir.path().join("jobs")).unwrap();
    let said = run(dir.path(), &["diff", "HEAD"]);
    assert!(out(&said).starts_with("removed job a (jobs/a.tfjob.kdl): "), "{}{}", out(&said), err(&said));
}

/// Without a Git repository, the bases of a project are also found from a subdirectory.
#[test]
fn a_project_without_git_is_one_directory() {
    let base = JOB.replace("    image \"example/a:1\"\n", "");
    let derived = "extends \"../bases/base.tfjob.kdl\"\njob \"a\" {\n    image \"example/a:1\"\n}\n";
    let dir = folder(&[
        ("tfjob.kdl", "project {\n    specs \"jobs\"\n}\n"),
        ("bases/base.tfjob.kdl", &base),
        ("jobs/a.tfjob.kdl", derived),
    ]);
    let said = run(&dir.path().join("jobs"), &["check"]);
    assert_eq!(code(&said), 0, "{}{}", out(&said), err(&said));
}

#[test]
fn a_missing_file_is_no_range() {
    let dir = folder(&[("new.tfjob.kdl", JOB)]);
    let said = run(dir.path(), &["diff", "../missing.tfjob.kdl", "new.tfjob.kdl"]);
    assert_eq!(code(&said), 2);
    assert_eq!(err(&said), "error: cannot read `../missing.tfjob.kdl`: no such file\n");
}

/// A directory with the specs of a revision is deleted at a signal, and no later command finds it.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_leaves_no_specs() {
    let texts: Vec<(String, String)> =
        (0..400).map(|n| (format!("jobs/j{n}.tfjob.kdl"), named(&format!("j{n}")))).collect();
    let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let dir = super::revisions::committed(&texts);
    let temporary = tempfile::tempdir().unwrap();
    let left = || fs::read_dir(temporary.path()).unwrap().count();
    for signal in ["INT", "TERM", "HUP"] {
        let mut child = tfjob(dir.path(), &["diff", "HEAD"]).env("TMPDIR", temporary.path()).spawn().unwrap();
        while left() == 0 {
            assert!(child.try_wait().unwrap().is_none(), "the program ended before the signal");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let kill = std::process::Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        assert!(!child.wait().unwrap().success(), "{signal}");
        assert_eq!(left(), 0, "{signal}");
    }
}
