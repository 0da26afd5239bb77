//! Specs in submodules and in other repositories below the directory: they are not compared.
use super::JOB;
use super::revisions::{commit, committed, git};
use crate::program::{code, err, out, run};
use std::fs;
use std::path::Path;
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

/// Commits a change of the files in the submodule, and the commit of the submodule.
fn change(dir: &Path, edit: fn(&Path)) {
    edit(&dir.join("team"));
    commit(&dir.join("team"), "changed");
    commit(dir, "another commit of the submodule");
}

fn without_specs(module: &Path) {
    fs::remove_file(module.join("b.tfjob.kdl")).unwrap();
    fs::write(module.join("lib.txt"), "y").unwrap();
}

/// The note about each range, and the reason why `--fail-on` fails. An empty note: all jobs are compared.
fn expect(dir: &Path, ranges: &[(&str, &str)]) {
    for (range, note) in ranges {
        let said = run(dir, &["diff", range]);
        assert_eq!(out(&said), "no difference in 1 job\n", "{range}: {}", err(&said));
        let start = if note.is_empty() { String::new() } else { format!("note: {note}") };
        assert!(
            err(&said).starts_with(&start) && err(&said).is_empty() == note.is_empty(),
            "{range}: {}",
            err(&said)
        );
        let said = run(dir, &["diff", range, "--fail-on", "recreate"]);
        let expected = if note.is_empty() { 0 } else { 2 };
        assert!(code(&said) == expected, "{range}: {}{}", out(&said), err(&said));
        assert_eq!(
            err(&said).contains("so `--fail-on` does not know all effects"),
            expected == 2,
            "{}",
            err(&said)
        );
    }
}

/// `actions/checkout` does not check out submodules by default.
#[test]
fn a_changed_submodule_that_is_not_checked_out_is_named() {
    let (_module, dir) = repository();
    change(dir.path(), |module| fs::write(module.join("b.tfjob.kdl"), JOB.replace("a:1", "a:2")).unwrap());
    assert!(git(dir.path(), &["submodule", "--quiet", "deinit", "--force", "team"]).status.success());
    let note = "the submodule team is not checked out, and its specs, if any, are not compared: run `git submodule update --init`\n";
    // `HEAD~2` has no submodule.
    let changed = ["HEAD~1..HEAD", "HEAD~1", "HEAD~2..HEAD", "HEAD~2"].map(|range| (range, note));
    expect(dir.path(), &[&changed[..], &[("HEAD", ""), ("HEAD..HEAD", "")]].concat());
}

#[test]
fn a_removed_submodule_is_named() {
    let (_module, dir) = repository();
    assert!(git(dir.path(), &["rm", "--quiet", "team"]).status.success());
    commit(dir.path(), "without the submodule");
    let note = "the submodule team is removed, and its specs, if any, are not compared: ";
    expect(dir.path(), &[("HEAD~1..HEAD", note), ("HEAD~1", note), ("HEAD~2", ""), ("HEAD", "")]);
}

/// The work tree has only the specs of one of the commits.
#[test]
fn the_commits_of_a_submodule_decide_whether_it_has_specs() {
    let (_module, dir) = repository();
    change(dir.path(), without_specs);
    let note = "the specs of the submodule team are not compared: run `tfjob diff` in the submodule\n";
    expect(dir.path(), &[("HEAD~1..HEAD", note), ("HEAD~1", note), ("HEAD~2..HEAD", ""), ("HEAD", "")]);
    change(dir.path(), |module| fs::write(module.join("lib.txt"), "z").unwrap());
    expect(dir.path(), &[("HEAD~1..HEAD", ""), ("HEAD~1", ""), ("HEAD~2", note)]);
}

#[test]
fn a_clone_of_a_submodule_without_the_old_commit_is_named() {
    let (_module, dir) = repository();
    change(dir.path(), without_specs);
    let shallow = tempfile::tempdir().unwrap();
    let url = format!("file://{}", dir.path().join("team").display());
    let clone = ["-c", "protocol.file.allow=always", "clone", "--quiet", "--depth", "1", &url, "team"];
    assert!(git(shallow.path(), &clone).status.success());
    fs::remove_dir_all(dir.path().join("team")).unwrap();
    fs::rename(shallow.path().join("team"), dir.path().join("team")).unwrap();
    let note =
        "the specs of the submodule team, if any, are not compared: fetch its whole history; `git` failed: ";
    expect(dir.path(), &[("HEAD~1..HEAD", note), ("HEAD~1", note), ("HEAD", "")]);
}

/// A clone below the directory that is no submodule.
#[test]
fn a_nested_repository_with_specs_is_named() {
    let dir = committed(&[("a.tfjob.kdl", JOB)]);
    let nested = committed(&[("jobs/b.tfjob.kdl", &JOB.replace("job \"a\"", "job \"b\""))]);
    fs::rename(nested.path(), dir.path().join("vendor")).unwrap();
    let note =
        "vendor is another repository or work tree, and its specs are not compared: run `tfjob diff` in it\n";
    expect(dir.path(), &[("HEAD", note), ("HEAD..HEAD", "")]);
    let said = run(dir.path(), &["diff", "HEAD", "vendor/jobs/b.tfjob.kdl"]);
    assert_eq!((code(&said), out(&said)), (0, "no difference in 0 jobs\n"), "{}", err(&said));
    assert_eq!(err(&said), format!("note: {note}"));
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

/// A revision has no files of submodules, so a spec of it may lack its base.
#[test]
fn a_base_in_a_submodule_is_named_as_the_cause_of_errors() {
    let (_module, dir) = repository();
    assert!(git(dir.path(), &["tag", "first", "HEAD~1"]).status.success());
    let fix = "cannot compare: fix the errors in HEAD first\n";
    let base = "cannot compare HEAD: it has errors; files of the repository `team`, such as a base file, are not read\n";
    for (text, told) in [
        ("extends \"team/b.tfjob.kdl\"\njob \"c\"\n", base),
        (&JOB.replace("job \"a\"", "job \"c\"").replace("image", "imgae"), fix),
    ] {
        fs::write(dir.path().join("c.tfjob.kdl"), text).unwrap();
        commit(dir.path(), "another spec");
        let said = run(dir.path(), &["diff", "first..HEAD"]);
        assert!(code(&said) == 2 && err(&said).ends_with(told), "{}", err(&said));
    }
}
