//! Specs in submodules: their files are in another repository, so they are not compared.
use super::JOB;
use super::revisions::{commit, committed, git};
use crate::program::{code, err, out, run};
use std::fs;
use tempfile::TempDir;

/// Returns a repository with a job and with a submodule that also has one, and the directory of the submodule's own repository.
fn repository() -> (TempDir, TempDir) {
    let module = committed(&[("b.tfjob.kdl", JOB)]);
    let dir = committed(&[("a.tfjob.kdl", &JOB.replace("job \"a\"", "job \"b\"")), ("lib.txt", "x")]);
    let path = module.path().to_str().unwrap();
    let added = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", path, "team"];
    assert!(git(dir.path(), &added).status.success());
    commit(dir.path(), "a submodule");
    (module, dir)
}

#[test]
fn a_submodule_with_specs_is_named() {
    let (_module, dir) = repository();
    assert_eq!(out(&run(dir.path(), &["diff", "HEAD..HEAD"])), "no difference in 1 job\n");
    fs::write(dir.path().join("team/b.tfjob.kdl"), JOB.replace("a:1", "a:2")).unwrap();
    commit(&dir.path().join("team"), "changed");
    commit(dir.path(), "another commit of the submodule");
    for range in ["HEAD~1..HEAD", "HEAD~1...HEAD", "HEAD"] {
        let said = run(dir.path(), &["diff", range]);
        assert!(
            err(&said).contains("note: the specs of the submodule team are not compared"),
            "{range}: {}",
            err(&said)
        );
        let said = run(dir.path(), &["diff", range, "--fail-on", "recreate"]);
        assert!(code(&said) == 2 && err(&said).contains("the submodule `team`"), "{range}: {}", err(&said));
    }
}

/// The files of the submodule are in the work tree, but not in the revision.
#[test]
fn the_jobs_of_a_submodule_are_not_new() {
    let (_module, dir) = repository();
    let project = "project {\n    specs \".\"\n    environment \"p\" {}\n    environment \"q\" {}\n}\n";
    for (args, jobs) in [(&["diff", "HEAD"][..], "1 job"), (&["diff", "HEAD", "team/b.tfjob.kdl"], "0 jobs")]
    {
        let said = run(dir.path(), args);
        assert_eq!((code(&said), out(&said)), (0, &*format!("no difference in {jobs}\n")), "{}", err(&said));
        assert!(err(&said).starts_with("note: the specs of the submodule team are not compared"));
    }
    fs::write(dir.path().join("tfjob.kdl"), project).unwrap();
    commit(dir.path(), "a project");
    for range in ["HEAD", "HEAD..HEAD"] {
        let said = run(dir.path(), &["diff", range]);
        assert_eq!((code(&said), out(&said)), (0, "no difference in 2 jobs\n"), "{}", err(&said));
    }
    // In the submodule, its specs are compared.
    fs::write(dir.path().join("team/b.tfjob.kdl"), JOB.replace("a:1", "a:2")).unwrap();
    let said = run(&dir.path().join("team"), &["diff", "HEAD"]);
    assert!(out(&said).ends_with("1 job differs: 1 recreate\n"), "{}{}", out(&said), err(&said));
}
