//! Which specs and environments `tfjob diff` compares, and how its report names them.
use super::{JOB, folder, json};
use crate::program::{code, err, out, run};
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
    // The fields of a helper have no order, whatever its name is.
    for name in ["dato", "data", "files", "env"] {
        let helper = |fields: &str| {
            old.replace("    role ", &format!("    helper \"{name}\" {{ {fields} }}\n    role "))
        };
        let [image, run_, amounts] = ["image \"a:1\";", "run \"/a\";", "resources cpus=1 memory=\"1GiB\";"];
        fs::write(dir.path().join("first.tfjob.kdl"), helper(&format!("{image} {run_} {amounts}"))).unwrap();
        fs::write(dir.path().join("last.tfjob.kdl"), helper(&format!("{amounts} {run_} {image}"))).unwrap();
        let said = run(dir.path(), &["diff", "first.tfjob.kdl", "last.tfjob.kdl", "--target", "kubernetes"]);
        assert_eq!((code(&said), out(&said)), (0, "no difference in 1 job\n"), "{name}: {}", err(&said));
    }
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
    // Of a list, the first item that differs.
    let fields = report["jobs"][0]["fields"].as_array().unwrap();
    let run = fields.iter().find(|field| field["path"] == "run").unwrap_or_else(|| panic!("{report}"));
    assert_eq!(run["new"]["place"]["line"], 5, "{report}");
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

/// A directory without specs has no jobs only if the other version has some. A missing file or directory is an error.
#[test]
fn a_wrong_path_is_no_removed_job() {
    let dir = super::revisions::committed(&[("a.tfjob.kdl", JOB), ("docs/a.md", "")]);
    fs::write(dir.path().join("a.tfjob.kdl"), JOB.replace("a:1", "a:2")).unwrap();
    fs::create_dir(dir.path().join("empty")).unwrap();
    for (range, place) in [("HEAD", "`.`"), ("HEAD...HEAD", "`docs`")] {
        let said = run(&dir.path().join("docs"), &["diff", range]);
        assert_eq!((code(&said), out(&said)), (2, ""), "{range}: {}", err(&said));
        assert!(err(&said).contains("no spec (`") && err(&said).contains(place), "{range}: {}", err(&said));
    }
    for old in ["a.tfjob.kdl", "."] {
        for new in ["none", "none/b.tfjob.kdl", "empty/b.tfjob.kdl"] {
            let said = run(dir.path(), &["diff", old, new]);
            assert_eq!((code(&said), out(&said)), (2, ""), "{old} {new}: {}", err(&said));
            assert!(err(&said).contains(&format!("cannot read `{new}`")), "{old} {new}: {}", err(&said));
        }
        let said = run(dir.path(), &["diff", old, "empty"]);
        assert!(out(&said).starts_with("removed job a"), "{old}: {}{}", out(&said), err(&said));
        let said = run(dir.path(), &["diff", "empty", old]);
        assert!(out(&said).starts_with("new job a"), "{old}: {}{}", out(&said), err(&said));
        let said = run(dir.path(), &["diff", "none", old]);
        assert_eq!((code(&said), out(&said)), (2, ""), "{old}: {}", err(&said));
    }
    let said = run(dir.path(), &["diff", "empty", "docs"]);
    assert!(code(&said) == 2 && err(&said).contains("no spec ("), "{}{}", out(&said), err(&said));
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
    // From another directory, the project file may be that of another user, such as one in the directory for temporary files.
    let spec = dir.path().join("jobs/a.tfjob.kdl");
    let said = run(folder(&[]).path(), &["check", "--format", "short", &spec.to_string_lossy()]);
    assert!(code(&said) == 1 && out(&said).contains("outside the project directory"), "{}", out(&said));
}

#[test]
fn a_missing_file_is_no_range() {
    let dir = folder(&[("new.tfjob.kdl", JOB)]);
    let said = run(dir.path(), &["diff", "../missing.tfjob.kdl", "new.tfjob.kdl"]);
    assert_eq!(code(&said), 2);
    assert_eq!(err(&said), "error: cannot read `../missing.tfjob.kdl`: no such file\n");
}
