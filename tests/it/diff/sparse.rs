//! Specs that the sparse checkout excludes: nobody has removed their jobs.
use super::revisions::{commit, committed, git};
use super::{JOB, json};
use crate::program::{code, err, out, run};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const PROJECT: &str =
    "project {\n    specs \"jobs\"\n    environment \"x\" {}\n    environment \"y\" {}\n}\n";

const REMEDY: &str = "run `git sparse-checkout disable`, or compare two commits";

fn named(name: &str) -> String {
    JOB.replace("job \"a\"", &format!("job \"{name}\""))
}

/// Returns a repository with the jobs `a`, `b`, `c`, and, only in the second commit, `new`.
fn repository(more: &[(&str, &str)]) -> TempDir {
    let (b, c) = (named("b"), named("c"));
    let own = [("jobs/a.tfjob.kdl", JOB), ("jobs/more/b.tfjob.kdl", &b), ("jobs/more/c.tfjob.kdl", &c)];
    let dir = committed(&[&own[..], more].concat());
    fs::create_dir(dir.path().join("jobs/new")).unwrap();
    fs::write(dir.path().join("jobs/new/new.tfjob.kdl"), named("new")).unwrap();
    commit(dir.path(), "a new job");
    dir
}

fn exclude(dir: &Path, patterns: &[&str]) {
    let args = [&["sparse-checkout", "set", "--no-cone", "/*"], patterns].concat();
    assert!(git(dir, &args).status.success());
}

/// The report has the summary and only the note about the excluded specs, and `--fail-on` fails because of them.
fn expect(dir: &Path, args: &[&str], summary: &str, fact: &str) {
    let said = run(dir, &[&["diff"], args].concat());
    assert_eq!((code(&said), out(&said)), (0, summary), "{args:?}: {}", err(&said));
    let note = format!("the sparse checkout excludes {fact}: {REMEDY}");
    assert_eq!(err(&said), format!("note: {note}\n"), "{args:?}");
    assert_eq!(json(dir, args)["notes"], Value::from(vec![note]));
    for effect in ["restart", "recreate", "rejected"] {
        let said = run(dir, &[&["diff"], args, &["--fail-on", effect]].concat());
        assert_eq!((code(&said), out(&said)), (2, ""), "{args:?}");
        assert!(err(&said).ends_with(&format!("so `--fail-on` does not know all effects: {REMEDY}\n")));
    }
}

#[test]
fn an_excluded_spec_is_not_removed() {
    let b = "jobs/more/b.tfjob.kdl, which is not compared";
    for (more, none, two) in [
        (&[][..], "no difference in 0 jobs\n", "no difference in 3 jobs\n"),
        (&[("tfjob.kdl", PROJECT)], "no difference in 0 jobs\n", "no difference in 6 jobs\n"),
    ] {
        let dir = repository(more);
        exclude(dir.path(), &["!/jobs/more/b.tfjob.kdl"]);
        expect(dir.path(), &["HEAD"], two, b);
        expect(dir.path(), &["HEAD", "jobs/more/b.tfjob.kdl"], none, b);
        if !more.is_empty() {
            expect(&dir.path().join("jobs"), &["HEAD"], two, b);
            expect(dir.path(), &["HEAD", "--env", "x"], "no difference in 3 jobs\n", b);
        }
        // Other specs, and two commits, are compared completely.
        for args in [&["HEAD", "jobs/a.tfjob.kdl"][..], &["HEAD..HEAD"]] {
            let said = run(dir.path(), &[&["diff", "--fail-on", "restart"], args].concat());
            assert_eq!((code(&said), err(&said)), (0, ""), "{args:?}");
        }
        // A removed spec is removed, and an excluded one of the same directory is not.
        exclude(dir.path(), &["!/jobs/more/"]);
        let both = "jobs/more/b.tfjob.kdl and 1 more spec, which are not compared";
        let rest = if more.is_empty() { "no difference in 2 jobs\n" } else { "no difference in 4 jobs\n" };
        expect(dir.path(), &["HEAD"], rest, both);
        expect(dir.path(), &["HEAD", "jobs/more/b.tfjob.kdl", "jobs/more/c.tfjob.kdl"], none, both);
        fs::remove_file(dir.path().join("jobs/a.tfjob.kdl")).unwrap();
        let said = run(dir.path(), &["diff", "HEAD"]);
        let removed = out(&said).lines().filter(|line| line.starts_with("removed job "));
        assert!(removed.clone().all(|line| line.starts_with("removed job a ")), "{}", out(&said));
        assert_eq!(removed.count(), if more.is_empty() { 1 } else { 2 });
    }
}

/// The old version does not have the spec, so it may be a new job.
#[test]
fn an_excluded_new_spec_is_named() {
    let dir = repository(&[("tfjob.kdl", PROJECT)]);
    exclude(dir.path(), &["!/jobs/new/"]);
    let fact = "jobs/new/new.tfjob.kdl, which is not compared";
    expect(dir.path(), &["HEAD~1"], "no difference in 6 jobs\n", fact);
    expect(dir.path(), &["HEAD"], "no difference in 6 jobs\n", fact);
    let said = run(dir.path(), &["diff", "HEAD~1", "jobs/a.tfjob.kdl", "--fail-on", "restart"]);
    assert_eq!((code(&said), err(&said)), (0, ""));
}

/// The work tree compiles the spec as soon as it is checked out.
#[test]
fn an_excluded_spec_with_errors_is_not_lost() {
    let faulty = named("faulty").replace("image", "imgae");
    let dir = repository(&[("jobs/faulty.tfjob.kdl", &faulty)]);
    exclude(dir.path(), &["!/jobs/faulty.tfjob.kdl"]);
    expect(
        dir.path(),
        &["HEAD"],
        "no difference in 4 jobs\n",
        "jobs/faulty.tfjob.kdl, which is not compared",
    );
}

#[test]
fn excluded_specs_are_no_last_removed_jobs() {
    let dir = repository(&[]);
    exclude(dir.path(), &["!/jobs/"]);
    let fact = "jobs/a.tfjob.kdl and 3 more specs, which are not compared";
    expect(dir.path(), &["HEAD"], "no difference in 0 jobs\n", fact);
    expect(dir.path(), &["HEAD~1"], "no difference in 0 jobs\n", fact);
}
