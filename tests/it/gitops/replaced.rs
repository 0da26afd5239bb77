//! Changes that replace manifests which are not those of their specs: the platforms have these manifests, and `tfjob diff` compares specs.
use super::Repository;
use crate::program::{code, err, out};
use std::fs;

/// A job with a shim, whose arguments are in its ConfigMap.
pub const JOB: &str = r#"extends "../bases/training.tfjob.kdl"

job "click" {
    description "first"
    data "train" "gs://example-datasets/click"
    checkpoints "gs://example-models/click"
    tensorboard
    env {
        B "2"
        A "1"
    }
    restart "on-failure" limit=3
    allow "restart" on="kubernetes" because="the checkpoints are enough"
    role "worker" count=2 {
        resources cpus=4 memory="16GiB" gpus=1
    }
}
"#;

const DIRECTORY: &str = "rendered/east/click/kubernetes";

fn repository() -> Repository {
    let repository = Repository::new();
    fs::write(repository.0.path().join("jobs/click.tfjob.kdl"), JOB).unwrap();
    repository.compile();
    repository.commit("a job with a shim");
    repository
}

/// Starts the branch `name` from `start`, with a change of the specs and the new manifests.
fn change(repository: &Repository, (name, start): (&str, &str), edits: &[(&str, &str, &str)]) {
    repository.git(&["checkout", "--quiet", "-b", name, start]);
    for (file, from, to) in edits {
        repository.edit(file, from, to);
    }
    repository.compile();
    repository.commit(name);
}

/// Starts the branch `name` from `main`, with a change of a manifest by hand: an edit, a new file, or a deleted one.
fn by_hand(repository: &Repository, name: &str, (file, from, to): (&str, &str, &str)) {
    repository.branch(name);
    let file = format!("{DIRECTORY}/{file}");
    match (from, to) {
        ("", "") => fs::remove_file(repository.0.path().join(file)).unwrap(),
        ("", text) => fs::write(repository.0.path().join(file), text).unwrap(),
        (from, to) => repository.edit(&file, from, to),
    }
    repository.commit("by hand");
}

/// Without the label, each later change would apply the values of the specs to running jobs.
#[test]
fn a_change_that_replaces_manifests_needs_a_label() {
    let repository = repository();
    // Neither value changes the name of the job.
    let description = ("jobs/click.tfjob.kdl", "first", "second");
    let comment_only = ("jobs/mnist.tfjob.kdl", "job \"mnist\" {", "// A comment.\njob \"mnist\" {");
    for (number, (file, from, to)) in [
        ("tfjob.yaml", "replicas: 2", "replicas: 3"),
        ("configmap.yaml", "--epochs=20", "--epochs=40"),
        ("tensorboard.yaml", "memory: ", "memory: 1"),
        ("kustomization.yaml", "- tensorboard.yaml\n", ""),
        ("tfjob.yaml", "", ""),
        ("secret.yaml", "", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n"),
    ]
    .into_iter()
    .enumerate()
    {
        let base = format!("hand-{number}");
        by_hand(&repository, &base, (file, from, to));
        for (edit, name) in [(description, "same-job"), (comment_only, "other-job")] {
            change(&repository, (&format!("{name}-{number}"), &base), &[edit]);
            let (done, comment) = repository.check_against(&base, false);
            assert_eq!(code(&done), 1, "{file} {name}: {comment}{}", err(&done));
            let listed = format!(":\n\n- `{DIRECTORY}/{file}`\n\n");
            assert!(comment.contains("#### Replaced manifests\n") && comment.contains(&listed), "{comment}");
            let reason = "This change replaces manifests that are not those of their specs. If it may stop submitted jobs, add the label";
            assert!(comment.contains(reason) && err(&done).contains(reason), "{comment}");
            let (done, comment) = repository.check_against(&base, true);
            assert_eq!(code(&done), 0, "{comment}{}", err(&done));
            assert!(comment.contains(&listed) && !comment.contains("add the label"), "{comment}");
        }
    }
    let worktrees = repository.run(".", "git", &["worktree", "list"], &[]);
    assert_eq!(out(&worktrees).lines().count(), 1, "{}", out(&worktrees));
}

/// GitHub refuses a comment of more than 65,536 characters, of which the report about the specs may have 60,000.
#[test]
fn a_list_of_many_replaced_manifests_is_cut() {
    let repository = repository();
    repository.branch("many");
    for number in 10..70 {
        let file = format!("{DIRECTORY}/{number}{}.yaml", "x".repeat(100));
        fs::write(repository.0.path().join(file), "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n")
            .unwrap();
    }
    repository.commit("by hand");
    change(&repository, ("second", "many"), &[("jobs/click.tfjob.kdl", "first", "second")]);
    let (done, comment) = repository.check_against("many", false);
    assert_eq!(code(&done), 1, "{comment}{}", err(&done));
    let listed = comment.matches("x.yaml`\n").count();
    assert!(
        (20..40).contains(&listed) && comment.contains(&format!("`\n- and {} more\n\n", 60 - listed)),
        "{comment}"
    );
}

/// Scripts are for people, and a change that its specs explain is in the report.
#[test]
fn other_differences_of_manifests_need_no_label() {
    let repository = repository();
    by_hand(&repository, "script", ("logs.sh", "set -", "# By hand.\nset -"));
    change(&repository, ("second", "script"), &[("jobs/click.tfjob.kdl", "first", "second")]);
    let (done, comment) = repository.check_against("script", false);
    assert!(code(&done) == 0 && !comment.contains("- `rendered/"), "{comment}{}", err(&done));
    // A changed order changes the job, and its manifest is that of its spec.
    change(
        &repository,
        ("order", "main"),
        &[(
            "jobs/click.tfjob.kdl",
            "        B \"2\"\n        A \"1\"\n",
            "        A \"1\"\n        B \"2\"\n",
        )],
    );
    let (done, comment) = repository.check(true);
    assert!(code(&done) == 0 && comment.contains("order B, A"), "{comment}{}", err(&done));
    assert!(!comment.contains("- `rendered/"), "{comment}");
    // Only the path in the first line of the manifests changes.
    repository.git(&["checkout", "--quiet", "main"]);
    repository.git(&["mv", "jobs", "teams"]);
    change(&repository, ("moved", "main"), &[("tfjob.kdl", "specs \"jobs\"", "specs \"teams\"")]);
    let (done, comment) = repository.check(false);
    assert!(code(&done) == 0 && !comment.contains("- `rendered/"), "{comment}{}", err(&done));
}
