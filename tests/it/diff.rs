//! `tfjob diff`: two specs, Git revisions, and what a platform reports.
#![expect(clippy::unwrap_used, reason = "a test may")]

mod argocd;
mod checkpoints;
mod live;
mod marathon;
mod masks;
mod moved;
mod revisions;
mod scope;
mod selected;
mod sparse;
mod submodules;
#[cfg(target_os = "linux")]
mod temporary;
mod unknown;

use crate::program::{code, err, out, run};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const JOB: &str = r#"job "a" {
    framework "custom"
    image "example/a:1"
    run "train" "--steps=10"
    env {
        MODE "fast"
    }
    role "worker" count=2 {
        resources cpus=1 memory="1GiB"
    }
    target "kubernetes"
    target "yarn"
}
"#;

fn folder(texts: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in texts {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

/// Compares `JOB` with an edited version, and returns the report with the exit code.
fn edited(from: &str, to: &str, more: &[&str]) -> (i32, String) {
    assert!(JOB.contains(from), "{from}");
    compared(JOB, &JOB.replace(from, to), more)
}

fn compared(old: &str, new: &str, more: &[&str]) -> (i32, String) {
    let dir = folder(&[("old.tfjob.kdl", old), ("new.tfjob.kdl", new)]);
    let said = run(dir.path(), &[&["diff", "old.tfjob.kdl", "new.tfjob.kdl"], more].concat());
    assert_eq!(err(&said), "");
    (code(&said), out(&said).to_owned())
}

/// Returns the JSON report, which the schema accepts.
fn json(dir: &Path, args: &[&str]) -> Value {
    let said = run(dir, &[&["diff", "--format", "json"], args].concat());
    let report: Value = serde_json::from_str(out(&said)).unwrap_or_else(|e| panic!("{e}: {}", err(&said)));
    let schema: Value = serde_json::from_str(include_str!("../../schemas/diff.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let wrong: Vec<String> = schema.iter_errors(&report).map(|error| error.to_string()).collect();
    assert_eq!(wrong, [""; 0]);
    assert_eq!(report["jobs"].as_array().unwrap().is_empty(), code(&said) == 0);
    report
}

#[test]
fn equal_jobs_have_no_difference() {
    let (code, told) = compared(JOB, &JOB.replace("    image", "    // comment\n\n    image"), &[]);
    assert_eq!((code, told.as_str()), (0, "no difference in 1 job\n"));
}

#[test]
fn each_field_is_reported_with_its_line_and_its_values() {
    let (code, told) = edited("count=2", "count=3", &["--target", "kubernetes"]);
    assert_eq!(code, 1);
    assert_eq!(
        told,
        "job a (new.tfjob.kdl)\n  role.worker.count: 2 -> 3  (new.tfjob.kdl:8)\n  kubernetes: delete the old job, then submit the new one\n    \
         recreate: running Pods keep the old list of peers if the operator adds Pods, and the job fails if it removes a running Pod\n      \
         TFJob a spec.tfReplicaSpecs.Worker.replicas: 2 -> 3  (new.tfjob.kdl:8)\n\n1 job differs: 1 recreate\n"
    );
    let (_, told) = edited("        MODE \"fast\"\n", "        KIND \"x\"\n", &["--target", "yarn"]);
    assert!(told.contains("\n  env.KIND: (unset) -> \"x\"  (new.tfjob.kdl:6)\n"), "{told}");
    assert!(told.contains("\n  env.MODE: \"fast\" -> (unset)  (old.tfjob.kdl:6)\n"), "{told}");
}

#[test]
fn a_change_without_effect_on_the_artifacts_is_told() {
    let (code, told) = edited("memory=\"1GiB\"", "memory=\"1024MiB\"", &[]);
    assert!(told.contains("yarn: no change\n") && told.contains("kubernetes: no change\n"), "{told}");
    assert_eq!(code, 1);
}

#[test]
fn targets_may_come_and_go() {
    let (_, told) = edited("    target \"yarn\"\n", "", &[]);
    assert!(told.contains("yarn: no longer a target; if it was submitted, it runs until"), "{told}");
    let (_, told) = edited("    target \"yarn\"\n", "    target \"yarn\"\n    target \"local\"\n", &[]);
    assert!(told.contains("local: new target\n"), "{told}");
}

#[test]
fn a_renamed_job_is_one_job() {
    let (_, told) = edited("job \"a\"", "job \"b\"", &["--target", "kubernetes"]);
    assert!(told.starts_with("job b, before a (new.tfjob.kdl)\n"), "{told}");
    assert!(told.contains("another name is another object"), "{told}");
    // What changes besides has no other effect: it is part of the other object.
    let (_, told) = compared(
        JOB,
        &JOB.replace("job \"a\"", "job \"b\"").replace("a:1", "a:2"),
        &["--target", "kubernetes"],
    );
    assert!(
        told.contains("image: \"example/a:1\"") && told.matches("\n    recreate: ").count() == 1,
        "{told}"
    );
}

#[test]
fn jobs_of_directories_are_matched_by_path_and_by_name() {
    let job = |name: &str, image: &str| JOB.replace("\"a\"", &format!("\"{name}\"")).replace("a:1", image);
    let dir = folder(&[
        ("old/x.tfjob.kdl", &job("x", "a:1")),
        ("old/moved.tfjob.kdl", &job("y", "a:1")),
        ("old/gone.tfjob.kdl", &job("gone", "a:1")),
        ("new/x.tfjob.kdl", &job("x", "a:2")),
        ("new/y.tfjob.kdl", &job("y", "a:2")),
        ("new/z.tfjob.kdl", &job("z", "a:2")),
    ]);
    let report = json(dir.path(), &["old", "new"]);
    let jobs = report["jobs"].as_array().unwrap().iter();
    let told: Vec<_> =
        jobs.map(|job| (job["spec"].as_str().unwrap(), job["state"].as_str().unwrap())).collect();
    let expected = [
        ("x.tfjob.kdl", "changed"),
        ("y.tfjob.kdl", "changed"),
        ("z.tfjob.kdl", "added"),
        ("gone.tfjob.kdl", "removed"),
    ];
    assert_eq!(told, expected);
}

#[test]
fn values_of_one_origin_are_told_once() {
    let two = JOB.replace("    role", "    role \"ps\" { resources cpus=1 memory=\"1GiB\" }\n    role");
    let (_, told) = compared(&two, &two.replace("a:1", "a:2"), &["--target", "kubernetes"]);
    assert!(told.contains("image and 1 more: \"example/a:1\" -> \"example/a:2\""), "{told}");
    assert!(!told.contains("digest"), "{told}");
}

#[test]
fn long_values_are_cut_around_their_difference() {
    let long = format!("--steps={}", "x".repeat(300));
    let (_, told) = edited("--steps=10", &long, &["--target", "yarn"]);
    assert!(told.lines().all(|line| line.chars().count() < 320), "{told}");
    let (old, new) = (format!("{long}1y"), format!("{long}2y"));
    let (_, told) =
        compared(&JOB.replace("--steps=10", &old), &JOB.replace("--steps=10", &new), &["--target", "yarn"]);
    assert!(told.contains("…") && told.contains("1y") && told.contains("2y"), "{told}");
}

#[test]
fn credentials_are_masked_in_each_format() {
    let (old, new) = (
        "    env {\n",
        "    env {\n        AWS_SECRET_ACCESS_KEY \"wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY\"\n",
    );
    for format in ["human", "json", "markdown"] {
        let dir = folder(&[("old.tfjob.kdl", JOB), ("new.tfjob.kdl", &JOB.replace(old, new))]);
        for versions in [["old.tfjob.kdl", "new.tfjob.kdl"], ["new.tfjob.kdl", "old.tfjob.kdl"]] {
            let said = run(dir.path(), &[&["diff", "--format", format], &versions[..]].concat());
            let all = format!("{}{}", out(&said), err(&said));
            assert!(!all.contains("wJalrXUtnFEMI"), "{format}: {all}");
        }
    }
}

#[test]
fn errors_of_the_new_version_end_the_command() {
    let dir = folder(&[("old.tfjob.kdl", JOB), ("new.tfjob.kdl", &JOB.replace("count=2", "cuont=2"))]);
    let said = run(dir.path(), &["diff", "old.tfjob.kdl", "new.tfjob.kdl"]);
    assert_eq!((code(&said), out(&said)), (2, ""));
    assert!(err(&said).contains("unknown property `cuont`"), "{}", err(&said));
    assert!(
        err(&said).ends_with("error: cannot compare: fix the errors in new.tfjob.kdl first\n"),
        "{}",
        err(&said)
    );
    // The other way round, the user has named the faulty version, too.
    let said = run(dir.path(), &["diff", "new.tfjob.kdl", "old.tfjob.kdl"]);
    assert_eq!((code(&said), out(&said)), (2, ""));
    assert!(
        err(&said).contains("unknown property `cuont`")
            && err(&said).ends_with("error: cannot compare: fix the errors in new.tfjob.kdl first\n"),
        "{}",
        err(&said)
    );
}

#[test]
fn wrong_arguments_are_explained() {
    let dir = folder(&[("a.tfjob.kdl", JOB)]);
    for (args, told) in [
        (&["a.tfjob.kdl"][..], "compares two versions: add the new version"),
        (&["a.tfjob.kdl", "a.tfjob.kdl", "b"], "compares two versions: remove `b`"),
        (&["a.tfjob.kdl", "missing.tfjob.kdl"], "cannot read `missing.tfjob.kdl`"),
        (&["a.tfjob.kdl", "a.tfjob.kdl", "--live", "x"], "`--live` compares one spec"),
    ] {
        let said = run(dir.path(), &[&["diff"], args].concat());
        assert_eq!(code(&said), 2, "{args:?}");
        assert!(err(&said).contains(told), "{args:?}: {}", err(&said));
    }
}

#[test]
fn a_markdown_comment_has_a_table() {
    let (_, told) =
        edited("\"--steps=10\"", "\"a|b`c\"", &["--format", "markdown", "--target", "kubernetes"]);
    assert!(told.starts_with("### 1 job differs: 1 recreate\n\n#### Job `a` (`new.tfjob.kdl`)\n"), "{told}");
    let rows = told.lines().filter(|line| line.starts_with('|'));
    let cells = |line: &str| line.replace("\\|", "").matches('|').count();
    assert!(rows.map(cells).all(|count| count == 4 || count == 6), "{told}");
}

#[test]
fn only_effects_on_submitted_jobs_may_fail() {
    let labels = "        resources cpus=1 memory=\"1GiB\"\n    }\n";
    let more = format!("{labels}    description \"x\"\n");
    for (least, small, large) in [("restart", 0, 1), ("recreate", 0, 1), ("rejected", 0, 0)] {
        let args = ["--target", "kubernetes", "--fail-on", least];
        assert_eq!(edited(labels, &more, &args).0, small, "{least}");
        assert_eq!(edited("a:1", "a:2", &args).0, large, "{least}");
    }
}

/// A value is masked before it is cut, because a part of a credential may not be recognized.
#[test]
fn a_part_of_a_credential_is_masked() {
    let secret = "hunter2Passw0rdX9";
    for before in 0..80 {
        let run = format!("\"{}\" \"--password={secret}\"", "x".repeat(before));
        let (old, new) = (
            JOB.replace("\"--steps=10\"", &run),
            JOB.replace("\"--steps=10\"", &format!("{run} \"--more\"")),
        );
        for format in ["human", "json", "markdown"] {
            let (_, told) = compared(&old, &new, &["--format", format]);
            assert!(
                !told.contains("hunter") && !told.contains("Passw") && !told.contains("w0rd"),
                "{before}: {told}"
            );
        }
    }
}

#[test]
fn a_credential_that_is_a_word_breaks_no_json() {
    for word in ["recreate", "object", "changed", "kubernetes"] {
        let set = |value: &str| JOB.replace("MODE \"fast\"", &format!("DB_PASSWORD \"{value}\""));
        let dir = folder(&[("old.tfjob.kdl", &set("another-w0rd")), ("new.tfjob.kdl", &set(word))]);
        let report = json(dir.path(), &["old.tfjob.kdl", "new.tfjob.kdl"]);
        assert_eq!(report["jobs"][0]["targets"][0]["state"], "changed", "{word}: {report}");
    }
}

#[test]
fn removed_jobs_and_targets_fail_like_recreated_ones() {
    let dir = folder(&[
        ("old/a.tfjob.kdl", JOB),
        ("old/b.tfjob.kdl", &JOB.replace("\"a\"", "\"b\"")),
        ("new/a.tfjob.kdl", JOB),
    ]);
    for (least, wanted) in [("recreate", 1), ("rejected", 0)] {
        let said = run(dir.path(), &["diff", "old", "new", "--fail-on", least]);
        assert_eq!(code(&said), wanted, "{least}: {}", out(&said));
    }
    assert_eq!(edited("    target \"yarn\"\n", "", &["--fail-on", "recreate"]).0, 1);
    let said = run(dir.path(), &["diff", "new", "old", "--fail-on", "restart"]);
    assert_eq!(code(&said), 0, "a new job stops nothing: {}", out(&said));
}

#[test]
fn a_job_in_another_file_is_the_job_of_that_name() {
    let job = |name: &str| JOB.replace("\"a\"", &format!("\"{name}\""));
    let dir = folder(&[
        ("old/a.tfjob.kdl", &job("m")),
        ("new/a.tfjob.kdl", &job("m2")),
        ("new/b.tfjob.kdl", &job("m")),
    ]);
    let told = out(&run(dir.path(), &["diff", "old", "new"])).to_owned();
    assert_eq!(told, "new job m2 (a.tfjob.kdl)\n\n1 job differs: 1 new\n");
}

#[test]
fn the_first_environments_change_no_job() {
    let project = |environments: &str| format!("project {{\n    specs \"*.tfjob.kdl\"\n{environments}}}\n");
    let dir = folder(&[
        ("old/tfjob.kdl", &project("")),
        ("old/a.tfjob.kdl", JOB),
        ("new/tfjob.kdl", &project("    environment \"prod\" {}\n    environment \"test\" {}\n")),
        ("new/a.tfjob.kdl", JOB),
    ]);
    assert_eq!(out(&run(dir.path(), &["diff", "old", "new"])), "no difference in 2 jobs\n");
}

#[test]
fn a_comment_has_a_maximum_length() {
    let env = |value: &str| -> String { (0..60).map(|n| format!("        V{n} \"{value}\"\n")).collect() };
    let mut texts = Vec::new();
    for number in 0..40 {
        for (folder, value) in [("old", "1"), ("new", "2")] {
            let job = JOB
                .replace("\"a\"", &format!("\"j{number}\""))
                .replace("        MODE \"fast\"\n", &env(value));
            texts.push((format!("{folder}/j{number}.tfjob.kdl"), job));
        }
    }
    let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let said = run(folder(&texts).path(), &["diff", "old", "new", "--format", "markdown"]);
    assert!(
        out(&said).len() < 61_000 && out(&said).ends_with(" more sections, which `tfjob diff` prints\n\n"),
        "{}",
        out(&said).len()
    );
}

/// The archive of the code is in no artifact of YARN, but the submission uploads it.
#[test]
fn other_commands_are_a_change() {
    let job = |uri: &str| JOB.replace("    run", &format!("    code \"{uri}\"\n    run"));
    let (code, told) = compared(&job("./a"), &job("./b"), &["--target", "yarn", "--fail-on", "recreate"]);
    assert!(code == 1 && told.contains("the commands that prepare and submit the job change"), "{told}");
    // A command that reads an artifact is no other command, if there is another artifact.
    let board = JOB.replace("    run", "    tensorboard logs=\"gs://logs/a\"\n    run");
    let (_, told) = compared(&board, JOB, &["--target", "kubernetes"]);
    assert!(!told.contains("commands"), "{told}");
}
