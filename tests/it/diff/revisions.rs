//! `tfjob diff` of Git revisions.
use super::{JOB, folder, json};
use crate::program::{code, err, out, run, tfjob};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const PROJECT: &str = r#"project {
    specs "jobs"
    environment "staging" {
        set "role.worker.count=1"
    }
    environment "prod" {}
}
"#;

const DERIVED: &str = "extends \"../bases/base.tfjob.kdl\"\njob \"a\" {\n    image \"example/a:1\"\n}\n";

pub fn git(dir: &Path, args: &[&str]) -> Output {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(args).current_dir(dir);
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").stdin(Stdio::null()).output().unwrap()
}

pub fn commit(dir: &Path, message: &str) {
    git(dir, &["add", "--all"]);
    let done = git(dir, &["commit", "--quiet", "--message", message]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// Returns a repository with one commit of these files.
pub fn committed(texts: &[(&str, &str)]) -> TempDir {
    let dir = folder(texts);
    git(dir.path(), &["init", "--quiet", "--initial-branch", "main"]);
    commit(dir.path(), "first");
    dir
}

/// Returns a repository with a project, a base, and a derived job, and the branch `main` of its first commit.
fn repository() -> TempDir {
    let base = JOB.replace("    image \"example/a:1\"\n", "");
    let dir =
        folder(&[("tfjob.kdl", PROJECT), ("bases/base.tfjob.kdl", &base), ("jobs/a.tfjob.kdl", DERIVED)]);
    git(dir.path(), &["init", "--quiet", "--initial-branch", "main"]);
    commit(dir.path(), "first");
    git(dir.path(), &["checkout", "--quiet", "-b", "change"]);
    dir
}

pub fn edit(dir: &Path, name: &str, from: &str, to: &str) {
    let text = fs::read_to_string(dir.join(name)).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(dir.join(name), text.replace(from, to)).unwrap();
}

#[test]
fn a_revision_is_compared_with_the_work_tree() {
    let dir = repository();
    assert_eq!(out(&run(dir.path(), &["diff", "main"])), "no difference in 2 jobs\n");
    edit(dir.path(), "bases/base.tfjob.kdl", "cpus=1", "cpus=2");
    let said = run(dir.path(), &["diff", "main"]);
    assert_eq!((code(&said), err(&said)), (1, ""));
    let told = out(&said);
    assert!(told.contains("job a in staging (jobs/a.tfjob.kdl)\n"), "{told}");
    assert!(told.contains("  role.worker.resources.cpus: 1 -> 2  (bases/base.tfjob.kdl:8)\n"), "{told}");
    assert!(told.ends_with("2 jobs differ: 2 recreate\n"), "{told}");
}

#[test]
fn two_revisions_are_compared_from_any_directory() {
    let dir = repository();
    edit(dir.path(), "jobs/a.tfjob.kdl", "a:1", "a:2");
    commit(dir.path(), "second");
    // Not committed, so it is not compared.
    edit(dir.path(), "jobs/a.tfjob.kdl", "a:2", "a:3");
    let top = run(dir.path(), &["diff", "main..HEAD"]);
    assert!(
        out(&top).contains("image: \"example/a:1\" -> \"example/a:2\"  (jobs/a.tfjob.kdl:3)"),
        "{}",
        out(&top)
    );
    for args in [&["diff", "main.."][..], &["diff", "main...change"], &["diff", "main..HEAD", "a.tfjob.kdl"]]
    {
        let below = run(&dir.path().join("jobs"), args);
        assert_eq!((code(&below), out(&below)), (1, out(&top)), "{args:?}: {}", err(&below));
    }
    let prod = json(dir.path(), &["main..", "--env", "prod"]);
    assert_eq!(prod["jobs"].as_array().unwrap().len(), 1);
    assert_eq!((&prod["old"], &prod["new"]), (&"main".into(), &"HEAD".into()));
}

#[test]
fn a_branch_is_compared_from_its_start() {
    let dir = repository();
    edit(dir.path(), "jobs/a.tfjob.kdl", "a:1", "a:2");
    commit(dir.path(), "second");
    git(dir.path(), &["checkout", "--quiet", "main"]);
    edit(dir.path(), "bases/base.tfjob.kdl", "cpus=1", "cpus=2");
    commit(dir.path(), "third");
    let two = run(dir.path(), &["diff", "main..change"]);
    assert!(out(&two).contains("cpus: 2 -> 1"), "{}", out(&two));
    let three = run(dir.path(), &["diff", "main...change"]);
    assert!(!out(&three).contains("cpus") && out(&three).contains("a:2"), "{}", out(&three));
}

#[test]
fn new_and_removed_specs_are_jobs() {
    let dir = repository();
    fs::write(dir.path().join("jobs/b.tfjob.kdl"), JOB.replace("\"a\"", "\"b\"")).unwrap();
    fs::remove_file(dir.path().join("jobs/a.tfjob.kdl")).unwrap();
    commit(dir.path(), "second");
    let said = run(dir.path(), &["diff", "main..", "--env", "prod"]);
    assert!(out(&said).contains("new job b in prod"), "{}", out(&said));
    assert!(
        out(&said).contains("removed job a in prod (jobs/a.tfjob.kdl): if it was submitted, it runs until")
    );
    assert!(out(&said).ends_with("2 jobs differ: 1 new, 1 removed\n"), "{}", out(&said));
}

#[test]
fn nothing_in_the_repository_changes() {
    let dir = repository();
    edit(dir.path(), "jobs/a.tfjob.kdl", "a:1", "a:2");
    git(dir.path(), &["add", "--all"]);
    edit(dir.path(), "jobs/a.tfjob.kdl", "a:2", "a:3");
    let index = fs::read(dir.path().join(".git/index")).unwrap();
    run(dir.path(), &["diff", "main"]);
    assert_eq!(fs::read(dir.path().join(".git/index")).unwrap(), index);
    assert!(fs::read_to_string(dir.path().join("jobs/a.tfjob.kdl")).unwrap().contains("a:3"));
}

#[test]
fn a_faulty_old_version_is_no_error() {
    let dir = repository();
    edit(dir.path(), "jobs/a.tfjob.kdl", "image", "imgae");
    commit(dir.path(), "second");
    edit(dir.path(), "jobs/a.tfjob.kdl", "imgae", "image");
    commit(dir.path(), "third");
    let said = run(dir.path(), &["diff", "HEAD~1..", "--env", "prod"]);
    assert_eq!(
        (code(&said), out(&said)),
        (1, "new job a in prod (jobs/a.tfjob.kdl)\n\n1 job differs: 1 new\n")
    );
    assert_eq!(
        err(&said),
        "note: jobs/a.tfjob.kdl has errors in HEAD~1: compared as if it did not exist there\n"
    );
    // The job may have been submitted before.
    let said = run(dir.path(), &["diff", "HEAD~1..", "--env", "prod", "--fail-on", "recreate"]);
    assert_eq!(code(&said), 1, "{}", out(&said));
    let said = run(dir.path(), &["diff", "HEAD..HEAD~1"]);
    assert_eq!((code(&said), out(&said)), (2, ""));
    // Files are named as in the repository.
    assert!(err(&said).contains("[jobs/a.tfjob.kdl:3:5]"), "{}", err(&said));
}

/// The message about a branch with the name of a file names this revision.
#[test]
fn a_branch_may_have_the_name_of_a_spec() {
    let dir = repository();
    git(dir.path(), &["branch", "a.tfjob.kdl"]);
    let said = run(dir.path(), &["diff", "refs/heads/a.tfjob.kdl"]);
    assert_eq!((code(&said), out(&said)), (0, "no difference in 2 jobs\n"), "{}", err(&said));
}

#[test]
fn unknown_revisions_and_missing_repositories_are_explained() {
    let dir = repository();
    for (args, told) in [
        (&["diff", "nope"][..], "`nope` is neither a file nor a Git revision"),
        (&["diff", "no\npe"], "`no?pe` is neither a file nor a Git revision"),
        (&["diff", "nope.."], "`nope` is neither a file nor a Git revision"),
        (&["diff", "--", "--upload-pack=x"], "`--upload-pack=x` is neither a file nor a Git revision"),
        (&["diff", "main", "--cluster", "x"], "`--cluster` cannot be used with Git revisions"),
    ] {
        let said = run(dir.path(), args);
        assert_eq!(code(&said), 2, "{args:?}");
        assert!(err(&said).contains(told), "{args:?}: {}", err(&said));
    }
    let outside = folder(&[("a.tfjob.kdl", JOB)]);
    let said = tfjob(outside.path(), &["diff", "main"]).env("GIT_CEILING_DIRECTORIES", "/").output().unwrap();
    let why = "error: `main` is not a file, and there is no Git revision of this name: `git` failed: fatal: not a git repository";
    assert!(code(&said) == 2 && err(&said).starts_with(why), "{}", err(&said));
    let said = tfjob(dir.path(), &["diff", "main"]).env("PATH", "").output().unwrap();
    assert!(code(&said) == 2 && err(&said).contains("cannot run `git`"), "{}", err(&said));
}

#[test]
fn specs_of_the_command_line_are_those_of_the_revision() {
    let dir = repository();
    edit(dir.path(), "jobs/a.tfjob.kdl", "a:1", "a:2");
    let absolute = dir.path().join("jobs/a.tfjob.kdl");
    for path in ["jobs/a.tfjob.kdl", "./jobs/../jobs/a.tfjob.kdl", &absolute.to_string_lossy()] {
        let said = run(dir.path(), &["diff", "main", path, "--env", "prod"]);
        assert!(out(&said).contains("a:1"), "{path}: {}{}", out(&said), err(&said));
    }
    fs::create_dir(dir.path().join("docs")).unwrap();
    for (path, told) in [
        ("jobs/b.tfjob.kdl", "`jobs/b.tfjob.kdl` exists neither in main nor in the work tree"),
        ("change", "; to compare two revisions, write `main..change`"),
        ("../other.tfjob.kdl", "is outside of the repository of `main`"),
        ("/etc/passwd", "is outside of the repository of `main`"),
    ] {
        let said = run(dir.path(), &["diff", "main", path]);
        assert_eq!((code(&said), out(&said)), (2, ""), "{path}");
        assert!(err(&said).contains(told), "{path}: {}", err(&said));
    }
    for (range, path, told) in [
        ("main..change", "docs", "error: `docs` has no specs in main and in change\n"),
        (
            "main...change",
            "other",
            "error: `other` exists neither in the merge base of main and change nor in change\n",
        ),
    ] {
        let said = run(dir.path(), &["diff", range, path]);
        assert_eq!((code(&said), err(&said)), (2, told));
    }
}

/// A revision without specs, such as the first commit of a repository, has no jobs.
#[test]
fn the_first_jobs_are_new() {
    let dir = folder(&[("README.md", "")]);
    git(dir.path(), &["init", "--quiet", "--initial-branch", "main"]);
    commit(dir.path(), "first");
    fs::write(dir.path().join("a.tfjob.kdl"), JOB).unwrap();
    let said = run(dir.path(), &["diff", "main"]);
    assert_eq!(
        (code(&said), out(&said)),
        (1, "new job a (a.tfjob.kdl)\n\n1 job differs: 1 new\n"),
        "{}",
        err(&said)
    );
    let note = err(&said);
    assert!(note.starts_with("note: compared as if main had no jobs: no spec"), "{note}");
    assert!(note.contains(" in `.`") && !note.contains("/tmp"), "{note}");
}

/// A pull request may change the files by which Git starts programs.
#[test]
fn no_program_of_the_repository_is_started() {
    let dir = repository();
    let mark = dir.path().join("started");
    let script = format!("#!/bin/sh\ntouch '{}'\ncat\n", mark.display());
    fs::create_dir(dir.path().join("hooks")).unwrap();
    for name in ["post-index-change", "post-checkout", "filter"] {
        let path = dir.path().join("hooks").join(name);
        fs::write(&path, &script).unwrap();
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    let hooks = dir.path().join("hooks");
    let filter = hooks.join("filter").display().to_string();
    fs::write(dir.path().join(".gitattributes"), "*.kdl filter=x\n").unwrap();
    for (key, value) in [
        ("core.hooksPath", hooks.display().to_string()),
        ("filter.x.smudge", filter.clone()),
        ("core.fsmonitor", filter),
    ] {
        git(dir.path(), &["config", key, &value]);
    }
    commit(dir.path(), "second");
    let _ = fs::remove_file(&mark);
    for range in ["main..HEAD", "main"] {
        let said = run(dir.path(), &["diff", range]);
        assert_eq!((code(&said), out(&said)), (0, "no difference in 2 jobs\n"), "{}", err(&said));
    }
    // The spec of a manifest does not exist, so `compile` reads the index.
    assert_eq!(code(&run(dir.path(), &["compile"])), 0);
    fs::write(dir.path().join("jobs/b.tfjob.kdl"), JOB.replace("\"a\"", "\"b\"")).unwrap();
    fs::remove_file(dir.path().join("jobs/a.tfjob.kdl")).unwrap();
    let said = run(dir.path(), &["compile", "--prune"]);
    assert!(code(&said) == 0 && err(&said).contains("deleted "), "{}", err(&said));
    assert!(!mark.exists(), "a program was started");
}

/// A link in the repository is a spec, also if its target has another name. A link out of it is none.
#[cfg(unix)]
#[test]
fn links_in_the_repository_are_followed() {
    use std::os::unix::fs::symlink;
    let dir = repository();
    fs::rename(dir.path().join("jobs/a.tfjob.kdl"), dir.path().join("jobs/a.txt")).unwrap();
    symlink("a.txt", dir.path().join("jobs/a.link")).unwrap();
    symlink("a.link", dir.path().join("jobs/a.tfjob.kdl")).unwrap();
    symlink("/etc/passwd", dir.path().join("jobs/b.tfjob.kdl")).unwrap();
    commit(dir.path(), "second");
    fs::remove_file(dir.path().join("jobs/b.tfjob.kdl")).unwrap();
    for args in [&["diff", "HEAD"][..], &["diff", "main..HEAD"]] {
        let said = run(dir.path(), args);
        assert_eq!((code(&said), out(&said)), (0, "no difference in 2 jobs\n"), "{}", err(&said));
    }
}

#[test]
fn bases_in_json_are_read() {
    let dir = repository();
    let base = "{\"job\": {\"name\": \"base\", \"framework\": {\"name\": \"custom\"}, \"image\": \"example/a:1\", \"run\": [\"a\"], \
                \"resources\": {\"cpus\": 1, \"memory\": \"1GiB\"}, \"role\": {\"worker\": {\"count\": 2}}, \"target\": {\"yarn\": {}}}}";
    fs::write(dir.path().join("bases/common.tfjob.json"), base).unwrap();
    fs::write(dir.path().join("jobs/b.tfjob.kdl"), "extends \"../bases/common.tfjob.json\"\njob \"b\"\n")
        .unwrap();
    commit(dir.path(), "second");
    edit(dir.path(), "bases/common.tfjob.json", "a:1", "a:2");
    let said = run(dir.path(), &["diff", "HEAD", "--env", "prod"]);
    assert!(
        out(&said).contains("image: \"example/a:1\" -> \"example/a:2\"  (bases/common.tfjob.json:1)"),
        "{}{}",
        out(&said),
        err(&said)
    );
}

/// A spec that an ignore file excludes is not compiled, so its job is removed.
#[test]
fn an_ignored_spec_is_a_removed_job() {
    let dir = repository();
    fs::write(dir.path().join("jobs/.gitignore"), "a.tfjob.kdl\n").unwrap();
    fs::write(dir.path().join("jobs/b.tfjob.kdl"), JOB.replace("\"a\"", "\"b\"")).unwrap();
    commit(dir.path(), "second");
    for range in ["main..HEAD", "main"] {
        let said = run(dir.path(), &["diff", range, "--env", "prod"]);
        assert!(out(&said).contains("removed job a in prod"), "{range}: {}", out(&said));
    }
    assert_eq!(code(&run(dir.path(), &["diff", "HEAD"])), 0);
}

/// CI systems clone without the history, unless they are told otherwise.
#[test]
fn a_shallow_clone_is_explained() {
    let dir = repository();
    edit(dir.path(), "jobs/a.tfjob.kdl", "a:1", "a:2");
    commit(dir.path(), "second");
    let clone = tempfile::tempdir().unwrap();
    let url = format!("file://{}", dir.path().display());
    git(clone.path(), &["clone", "--quiet", "--depth", "1", "--branch", "change", &url, "clone"]);
    let clone = clone.path().join("clone");
    let said = run(&clone, &["diff", "origin/main...HEAD"]);
    assert_eq!(code(&said), 2);
    assert!(err(&said).contains("this clone is shallow: fetch the whole history"), "{}", err(&said));
    git(&clone, &["fetch", "--quiet", "--depth", "1", "origin", "main"]);
    let said = run(&clone, &["diff", "FETCH_HEAD...HEAD"]);
    assert!(err(&said).contains("have no commit in common; a shallow clone may lack it"), "{}", err(&said));
}
