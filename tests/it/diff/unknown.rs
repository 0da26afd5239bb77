//! Old versions with errors: their jobs may be submitted, but they cannot be compared.
use super::revisions::{commit, committed, edit, git};
use super::{JOB, folder};
use crate::program::{code, err, out, run};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Each effect that `--fail-on` names: an unknown effect may be any of them.
const EFFECTS: [&str; 3] = ["restart", "recreate", "rejected"];

fn fails_on_all(dir: &Path, args: &[&str]) {
    for effect in EFFECTS {
        let said = run(dir, &[&["diff"], args, &["--fail-on", effect]].concat());
        assert_eq!(code(&said), 1, "{args:?} {effect}: {}{}", out(&said), err(&said));
    }
}

/// Returns a repository with the jobs `a` and `b`, and with an error in the spec of `a`.
fn faulty() -> TempDir {
    let faulty = JOB.replace("image", "imgae");
    committed(&[("a.tfjob.kdl", &faulty), ("b.tfjob.kdl", &JOB.replace("job \"a\"", "job \"b\""))])
}

/// The manifests of the job may be submitted, whatever happens to the spec.
#[test]
fn a_spec_with_errors_that_is_not_compiled_any_more_is_no_equal_version() {
    for (path, name, summary) in [
        (None, "", "no difference in 1 job; 1 removed spec had errors\n"),
        (Some("c.tfjob.kdl"), "c", "1 job differs: 1 new; 1 removed spec had errors\n"),
        (Some("team/a.tfjob.kdl"), "a", "1 job differs: 1 new; 1 removed spec had errors\n"),
    ] {
        let dir = faulty();
        fs::remove_file(dir.path().join("a.tfjob.kdl")).unwrap();
        if let Some(path) = path {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, JOB.replace("job \"a\"", &format!("job \"{name}\""))).unwrap();
        }
        let said = run(dir.path(), &["diff", "HEAD"]);
        assert!(code(&said) == 1 && out(&said).ends_with(summary), "{path:?}: {}", out(&said));
        let note = "note: a.tfjob.kdl has errors in HEAD, and the work tree does not compile it: its submitted jobs are not known\n";
        assert_eq!(err(&said), note);
        let markdown = run(dir.path(), &["diff", "HEAD", "--format", "markdown"]);
        assert!(out(&markdown).starts_with(&format!("### {summary}")), "{}", out(&markdown));
        let report = run(dir.path(), &["diff", "HEAD", "--format", "json"]);
        let report: Value = serde_json::from_str(out(&report)).unwrap();
        assert_eq!(report["notes"], Value::from(vec![note.trim_start_matches("note: ").trim_end()]));
        fails_on_all(dir.path(), &["HEAD"]);
        // A named spec may have been one with errors.
        for named in path.into_iter().flat_map(|path| [path, path.split('/').next().unwrap_or(path)]) {
            let said = run(dir.path(), &["diff", "HEAD", named]);
            let new = format!("new job {name} ({})\n\n1 job differs: 1 new\n", path.unwrap());
            assert_eq!((code(&said), out(&said)), (1, &*new), "{}", err(&said));
            let note = "note: a.tfjob.kdl has errors in HEAD, so it is not known whether it had one of the new jobs\n";
            assert_eq!(err(&said), note);
            fails_on_all(dir.path(), &["HEAD", named]);
        }
        // A named spec that is equal in both versions is compared alone.
        let said = run(dir.path(), &["diff", "HEAD", "b.tfjob.kdl", "--fail-on", "restart"]);
        assert_eq!((code(&said), out(&said)), (0, "no difference in 1 job\n"), "{}", err(&said));
    }
}

/// Nothing is compiled, so no effect is known.
#[test]
fn a_changed_job_without_a_target_is_unknown() {
    let job = JOB.replace("    target \"yarn\"\n", "").replace("    target \"kubernetes\"\n", "");
    assert!(!job.contains("target"), "{job}");
    let dir = folder(&[("o.tfjob.kdl", &job), ("n.tfjob.kdl", &job.replace("a:1", "a:2"))]);
    fails_on_all(dir.path(), &["o.tfjob.kdl", "n.tfjob.kdl"]);
    let said = run(dir.path(), &["diff", "o.tfjob.kdl", "n.tfjob.kdl"]);
    let note = "note: the effects on these jobs without a target are unknown: a; set `--target`, or add a `target` block\n";
    assert_eq!(err(&said), note);
    let args = ["diff", "o.tfjob.kdl", "n.tfjob.kdl", "--target", "yarn", "--fail-on", "rejected"];
    assert_eq!((code(&run(dir.path(), &args)), err(&run(dir.path(), &args))), (0, ""));
}

#[test]
fn directories_with_errors_are_unknown() {
    let faulty = JOB.replace("image", "imgae");
    let b = JOB.replace("job \"a\"", "job \"b\"");
    let dir = folder(&[("o/a.tfjob.kdl", &faulty), ("o/b.tfjob.kdl", &b), ("n/b.tfjob.kdl", &b)]);
    fails_on_all(dir.path(), &["o", "n"]);
}

#[test]
fn a_repaired_spec_or_cluster_file_has_an_unknown_effect() {
    let dir = faulty();
    edit(dir.path(), "a.tfjob.kdl", "imgae", "image");
    fails_on_all(dir.path(), &["HEAD"]);
    fails_on_all(dir.path(), &["HEAD", "a.tfjob.kdl"]);
    let project = "project {\n    environment \"x\" { cluster \"x.cluster.kdl\"; }\n}\n";
    let cluster = "clutser \"x\" target=\"kubernetes\" {}\n";
    let job = JOB.replace("    target \"yarn\"\n", "");
    let dir = committed(&[("tfjob.kdl", project), ("x.cluster.kdl", cluster), ("a.tfjob.kdl", &job)]);
    edit(dir.path(), "x.cluster.kdl", "clutser", "cluster");
    fails_on_all(dir.path(), &["HEAD"]);
    fs::rename(dir.path().join("a.tfjob.kdl"), dir.path().join("b.tfjob.kdl")).unwrap();
    fails_on_all(dir.path(), &["HEAD", "b.tfjob.kdl"]);
    let said = run(dir.path(), &["diff", "HEAD", "b.tfjob.kdl"]);
    assert!(
        err(&said).starts_with("note: the cluster file of environment x has errors in HEAD"),
        "{}",
        err(&said)
    );
}

/// A version that cannot be read may have jobs. One without specs has none.
#[test]
fn only_a_version_without_specs_has_no_jobs() {
    let dir = committed(&[("README.md", "")]);
    fs::write(dir.path().join("a.tfjob.kdl"), JOB).unwrap();
    let said = run(dir.path(), &["diff", "HEAD", "--fail-on", "restart"]);
    assert_eq!((code(&said), out(&said)), (0, "new job a (a.tfjob.kdl)\n\n1 job differs: 1 new\n"));
    // The project file names a missing cluster file.
    fs::write(
        dir.path().join("tfjob.kdl"),
        "project {\n    environment \"x\" { cluster \"no.cluster.kdl\"; }\n}\n",
    )
    .unwrap();
    commit(dir.path(), "a missing cluster file");
    assert!(git(dir.path(), &["rm", "--quiet", "tfjob.kdl"]).status.success());
    fails_on_all(dir.path(), &["HEAD"]);
    fs::rename(dir.path().join("a.tfjob.kdl"), dir.path().join("b.tfjob.kdl")).unwrap();
    fails_on_all(dir.path(), &["HEAD", "b.tfjob.kdl"]);
    // The other way: the first version still has no specs.
    let said = run(dir.path(), &["diff", "HEAD~1", "b.tfjob.kdl", "--fail-on", "restart"]);
    assert_eq!((code(&said), err(&said)), (0, ""));
}
