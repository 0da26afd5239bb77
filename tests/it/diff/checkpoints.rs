//! Notes about jobs that get the checkpoints of a removed job: nothing orders the deletion of the old job and the start of the other one.
use super::revisions::{committed, edit};
use super::{JOB, json};
use crate::program::{err, out, run};
use serde_json::Value;
use std::fs;

const PROJECT: &str = "project {\n    environment \"staging\" {}\n    environment \"prod\" {}\n}\n";

fn job(name: &str, checkpoints: &str) -> String {
    let named = JOB.replace("job \"a\"", &format!("job \"{name}\""));
    named.replace("    run", &format!("    checkpoints \"{checkpoints}\"\n    run"))
}

#[test]
fn a_renamed_job_with_the_same_checkpoints_is_named() {
    let dir = committed(&[("a.tfjob.kdl", &job("a", "gs://b/a"))]);
    fs::remove_file(dir.path().join("a.tfjob.kdl")).unwrap();
    // With a slash at the end, it is the same directory.
    for (checkpoints, is_told) in [("gs://b/a", true), ("gs://b/a/", true), ("gs://b/new", false)] {
        fs::write(dir.path().join("new.tfjob.kdl"), job("new", checkpoints)).unwrap();
        let said = run(dir.path(), &["diff", "HEAD"]);
        assert!(
            out(&said).contains("new job new ") && out(&said).contains("removed job a "),
            "{}",
            out(&said)
        );
        let note = "note: job new has the checkpoints of the removed job a: delete a first, or both may write to them\n";
        assert_eq!(err(&said).contains(note), is_told, "{}", err(&said));
    }
}

#[test]
fn a_job_that_gets_the_checkpoints_of_a_removed_job_is_named_once() {
    let dir = committed(&[
        ("tfjob.kdl", PROJECT),
        ("a.tfjob.kdl", &job("a", "gs://b/a")),
        ("b.tfjob.kdl", &job("b", "gs://b/b")),
    ]);
    fs::remove_file(dir.path().join("a.tfjob.kdl")).unwrap();
    assert_eq!(json(dir.path(), &["HEAD"])["notes"], Value::from(Vec::<&str>::new()));
    edit(dir.path(), "b.tfjob.kdl", "gs://b/b", "gs://b/a");
    let note = "job b in staging, prod has the checkpoints of the removed job a: delete a first, or both may write to them";
    assert_eq!(json(dir.path(), &["HEAD"])["notes"], Value::from(vec![note]));
    fs::rename(dir.path().join("b.tfjob.kdl"), dir.path().join("c.tfjob.kdl")).unwrap();
    edit(dir.path(), "c.tfjob.kdl", "job \"b\"", "job \"c\"");
    assert_eq!(json(dir.path(), &["HEAD"])["notes"], Value::from(vec![note.replace("job b", "job c")]));
}

/// Both environments may be the same cluster.
#[test]
fn a_renamed_environment_is_named() {
    let dir = committed(&[("tfjob.kdl", PROJECT), ("a.tfjob.kdl", &job("a", "gs://b/a"))]);
    edit(dir.path(), "tfjob.kdl", "\"prod\"", "\"live\"");
    let note = "job a in live has the checkpoints of the removed job a in prod: delete a first, or both may write to them";
    assert_eq!(json(dir.path(), &["HEAD"])["notes"], Value::from(vec![note]));
    // A job that is removed from one of two environments is no other job.
    let dir = committed(&[
        (
            "tfjob.kdl",
            "project {\n    environment \"x\" { specs \"a.tfjob.kdl\"; }\n    environment \"y\" { specs \"b.tfjob.kdl\"; }\n}\n",
        ),
        ("a.tfjob.kdl", &job("a", "gs://b/a")),
        ("b.tfjob.kdl", &job("b", "gs://b/b")),
    ]);
    edit(dir.path(), "tfjob.kdl", "\"x\" { specs \"a", "\"x\" { specs \"b");
    edit(dir.path(), "tfjob.kdl", "\"y\" { specs \"b", "\"y\" { specs \"a");
    assert_eq!(json(dir.path(), &["HEAD"])["notes"], Value::from(Vec::<&str>::new()));
}
