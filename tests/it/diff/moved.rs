//! Named specs whose jobs are in other specs of the new version: they are not removed.
use super::JOB;
use super::revisions::{commit, committed, edit, git};
use crate::program::{code, err, out, run};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const PROJECT: &str =
    "project {\n    specs \"jobs\"\n    environment \"x\" {}\n    environment \"y\" {}\n}\n";

/// Returns repositories with the jobs `a` and `b`, without and with a project.
fn repositories() -> [TempDir; 2] {
    let b = JOB.replace("job \"a\"", "job \"b\"");
    let specs = [("jobs/a.tfjob.kdl", JOB), ("jobs/b.tfjob.kdl", &b)];
    [&[][..], &[("tfjob.kdl", PROJECT)]].map(|more| committed(&[&specs[..], more].concat()))
}

fn moved(dir: &Path, from: &str, to: &str) {
    fs::create_dir_all(dir.join(to).parent().unwrap()).unwrap();
    fs::rename(dir.join(from), dir.join(to)).unwrap();
}

/// The arguments of the work tree, and of two commits.
fn ranges(dir: &Path) -> [&'static str; 2] {
    commit(dir, "moved");
    ["HEAD~1", "HEAD~1..HEAD"]
}

/// The report of the named specs has no removed and no new job, and ends with the summary.
fn expect(dir: &Path, named: &[&str], effects: &str) {
    for range in ranges(dir) {
        let said = run(dir, &[&["diff", range], named].concat());
        let told = format!("{range} {named:?}: {}{}", out(&said), err(&said));
        assert!(out(&said).ends_with(effects) && err(&said).is_empty(), "{told}");
        assert!(!out(&said).contains("removed job") && !out(&said).contains("new job"), "{told}");
        let is_equal = effects.starts_with("no difference");
        assert_eq!(code(&said), i32::from(!is_equal), "{told}");
        let said = run(dir, &[&["diff", range, "--fail-on", "recreate"], named].concat());
        assert_eq!(code(&said), i32::from(!is_equal), "{told}");
    }
    git(dir, &["reset", "--quiet", "--hard", "HEAD~1"]);
}

#[test]
fn a_moved_job_is_compared_if_only_its_old_path_is_named() {
    for (dir, count) in repositories().iter().zip([1, 2]) {
        let dir = dir.path();
        let one = if count == 1 { "no difference in 1 job\n" } else { "no difference in 2 jobs\n" };
        let two = if count == 1 { "no difference in 2 jobs\n" } else { "no difference in 4 jobs\n" };
        moved(dir, "jobs/a.tfjob.kdl", "jobs/sub/a.tfjob.kdl");
        expect(dir, &["jobs/a.tfjob.kdl"], one);
        moved(dir, "jobs/a.tfjob.kdl", "jobs/sub/a.tfjob.kdl");
        expect(dir, &["jobs/a.tfjob.kdl", "jobs/b.tfjob.kdl"], two);
        moved(dir, "jobs/a.tfjob.kdl", "jobs/sub/other.tfjob.kdl");
        edit(dir, "jobs/sub/other.tfjob.kdl", "count=2", "count=3");
        let differ = if count == 1 { "1 job differs: 1 recreate\n" } else { "2 jobs differ: 2 recreate\n" };
        expect(dir, &["jobs/a.tfjob.kdl"], differ);
        // Two specs exchange their jobs.
        for named in [&["jobs/a.tfjob.kdl"][..], &["jobs/b.tfjob.kdl", "jobs/a.tfjob.kdl"]] {
            moved(dir, "jobs/a.tfjob.kdl", "jobs/c.tfjob.kdl");
            moved(dir, "jobs/b.tfjob.kdl", "jobs/a.tfjob.kdl");
            moved(dir, "jobs/c.tfjob.kdl", "jobs/b.tfjob.kdl");
            expect(dir, named, two);
        }
    }
}

/// A spec with errors may have the job.
#[test]
fn a_job_that_may_be_in_a_spec_with_errors_is_unknown() {
    for dir in repositories() {
        let dir = dir.path();
        edit(dir, "jobs/b.tfjob.kdl", "image", "imgae");
        fs::remove_file(dir.join("jobs/a.tfjob.kdl")).unwrap();
        let said = run(dir, &["diff", "HEAD", "jobs/a.tfjob.kdl"]);
        assert!(code(&said) == 1 && out(&said).starts_with("removed job a "), "{}", out(&said));
        let note = "note: jobs/b.tfjob.kdl has errors in the work tree, so it is not known whether it has one of the old jobs\n";
        assert_eq!(err(&said), note);
        for effect in ["restart", "recreate", "rejected"] {
            let said = run(dir, &["diff", "HEAD", "jobs/a.tfjob.kdl", "--fail-on", effect]);
            assert_eq!(code(&said), 1, "{effect}: {}", err(&said));
        }
    }
}

/// Errors of the project file and of a cluster file hide the job, so it is not removed.
#[test]
fn errors_of_the_project_of_a_moved_job_are_errors() {
    let project = PROJECT.replace("environment \"x\" {}", "environment \"x\" { cluster \"x.cluster.kdl\"; }");
    let cluster = "cluster \"x\" target=\"kubernetes\" {}\n";
    let job = JOB.replace("    target \"yarn\"\n", "");
    for (file, from) in [("tfjob.kdl", "specs \"jobs\""), ("x.cluster.kdl", "target")] {
        let dir =
            committed(&[("tfjob.kdl", &project), ("x.cluster.kdl", cluster), ("jobs/a.tfjob.kdl", &job)]);
        moved(dir.path(), "jobs/a.tfjob.kdl", "jobs/sub/a.tfjob.kdl");
        edit(dir.path(), file, from, &from.replace('e', "3"));
        let said = run(dir.path(), &["diff", "HEAD", "jobs/a.tfjob.kdl"]);
        assert_eq!((code(&said), out(&said)), (2, ""), "{file}");
        let told = "cannot compare: fix the errors in the work tree first\n";
        assert!(err(&said).contains(file) && err(&said).ends_with(told), "{file}: {}", err(&said));
    }
}
