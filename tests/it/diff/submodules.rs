//! Specs, base files, and cluster files in submodules, and other repositories below the directory, which are not compared.
use super::JOB;
use super::revisions::{commit, committed, git};
use crate::program::{code, err, out, run, tfjob};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Returns a repository with a job and with a submodule that also has one, and the directory of the submodule's own repository.
fn repository() -> (TempDir, TempDir) {
    let module = committed(&[("b.tfjob.kdl", JOB)]);
    let dir = committed(&[("a.tfjob.kdl", &JOB.replace("job \"a\"", "job \"b\"")), ("lib.txt", "x")]);
    add(dir.path(), module.path(), "team");
    commit(dir.path(), "a submodule");
    (module, dir)
}

fn add(dir: &Path, module: &Path, path: &str) {
    let module = module.to_str().unwrap();
    let added = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", module, path];
    assert!(git(dir, &added).status.success());
}

/// The report has no note, `--fail-on` knows all effects, and the summary is this one.
fn is_compared(dir: &Path, ranges: &[&str], summary: &str) {
    for range in ranges {
        let said = run(dir, &["diff", range]);
        let told = format!("{range}: {}{}", out(&said), err(&said));
        assert!(out(&said).ends_with(summary) && err(&said).is_empty(), "{told}");
        let said = run(dir, &["diff", range, "--fail-on", "recreate"]);
        assert_eq!(
            code(&said),
            i32::from(summary.contains("recreate") || summary.contains("removed")),
            "{told}"
        );
    }
}

#[test]
fn the_specs_of_a_submodule_are_compared() {
    let (_module, dir) = repository();
    let dir = dir.path();
    is_compared(dir, &["HEAD..HEAD", "HEAD"], "no difference in 2 jobs\n");
    is_compared(dir, &["HEAD~1..HEAD", "HEAD~1"], "1 job differs: 1 new\n");
    change(dir, |module| fs::write(module.join("b.tfjob.kdl"), JOB.replace("a:1", "a:2")).unwrap());
    is_compared(dir, &["HEAD~1..HEAD", "HEAD~1...HEAD", "HEAD~1"], "1 job differs: 1 recreate\n");
    is_compared(dir, &["HEAD"], "no difference in 2 jobs\n");
    // Not committed in the submodule.
    fs::write(dir.join("team/b.tfjob.kdl"), JOB.replace("a:1", "a:3")).unwrap();
    is_compared(dir, &["HEAD"], "1 job differs: 1 recreate\n");
    is_compared(dir, &["HEAD..HEAD"], "no difference in 2 jobs\n");
    let said = run(dir, &["diff", "HEAD", "team/b.tfjob.kdl"]);
    assert!(out(&said).ends_with("1 job differs: 1 recreate\n"), "{}{}", out(&said), err(&said));
    // Another submodule in the submodule.
    let inner = committed(&[("c.tfjob.kdl", &JOB.replace("job \"a\"", "job \"c\""))]);
    add(&dir.join("team"), inner.path(), "inner");
    change(dir, |_| ());
    is_compared(dir, &["HEAD", "HEAD..HEAD"], "no difference in 3 jobs\n");
    is_compared(dir, &["HEAD~1..HEAD"], "2 jobs differ: 1 recreate, 1 new\n");
}

/// Files that all teams share.
#[test]
fn the_base_and_cluster_files_of_a_submodule_are_read() {
    let shared = committed(&[
        ("base.tfjob.kdl", &JOB.replace("    target \"yarn\"\n", "")),
        ("c.cluster.kdl", "cluster \"c\" target=\"kubernetes\" {}\n"),
    ]);
    let project =
        "project {\n    specs \"jobs\"\n    environment \"p\" { cluster \"shared/c.cluster.kdl\"; }\n}\n";
    let job = "extends \"../shared/base.tfjob.kdl\"\njob \"m\"\n";
    let dir = committed(&[("tfjob.kdl", project), ("jobs/m.tfjob.kdl", job)]);
    let dir = dir.path();
    add(dir, shared.path(), "shared");
    commit(dir, "a submodule");
    is_compared(dir, &["HEAD", "HEAD..HEAD"], "no difference in 1 job\n");
    let edit = |from: &str, to: &str, file: &str| {
        let path = dir.join("shared").join(file);
        fs::write(&path, fs::read_to_string(&path).unwrap().replace(from, to)).unwrap();
    };
    edit("a:1", "a:2", "base.tfjob.kdl");
    is_compared(dir, &["HEAD"], "1 job differs: 1 recreate\n");
    edit("{}", "{ kubernetes { priority \"high\"; }; }", "c.cluster.kdl");
    commit(&dir.join("shared"), "changed");
    commit(dir, "another commit of the submodule");
    is_compared(dir, &["HEAD~1", "HEAD~1..HEAD"], "1 job differs: 1 recreate\n");
    let said = run(dir, &["diff", "HEAD~1..HEAD"]);
    for (value, place) in
        [("\"example/a:2\"", "shared/base.tfjob.kdl:3"), ("\"high\"", "shared/c.cluster.kdl:1")]
    {
        assert!(out(&said).contains(&format!("{value}  ({place})")), "{}", out(&said));
    }
    // A hook has the variables of the outer repository.
    let git = dir.join(".git");
    let hook = tfjob(dir, &["diff", "HEAD"])
        .env("GIT_DIR", git)
        .env("GIT_INDEX_FILE", dir.join(".git/index"))
        .output();
    assert_eq!(out(&hook.unwrap()), "no difference in 1 job\n");
}

/// A link in the work tree may lead to a repository of the user that others must not see.
#[cfg(unix)]
#[test]
fn a_link_is_no_submodule() {
    let private = committed(&[("base.tfjob.kdl", JOB)]);
    let dir = committed(&[("m.tfjob.kdl", "extends \"shared/base.tfjob.kdl\"\njob \"m\"\n")]);
    let dir = dir.path();
    let head = git(private.path(), &["rev-parse", "HEAD"]);
    let module = format!("160000,{},shared", out(&head).trim());
    assert!(git(dir, &["update-index", "--add", "--cacheinfo", &module]).status.success());
    assert!(git(dir, &["commit", "--quiet", "--message", "a submodule"]).status.success());
    std::os::unix::fs::symlink(private.path(), dir.join("shared")).unwrap();
    let said = run(dir, &["diff", "HEAD..HEAD"]);
    let told = "cannot compare HEAD: it has errors, and files of the submodule `shared`, such as a base file, cannot be read: run `git \
                submodule update --init --recursive`\n";
    assert!(code(&said) == 2 && err(&said).ends_with(told), "{}{}", out(&said), err(&said));
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
    let note = "the submodule team is not checked out, and its specs, if any, are not compared: run `git submodule update --init --recursive`\n";
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
fn the_commits_of_a_submodule_decide_which_specs_it_has() {
    let (_module, dir) = repository();
    let dir = dir.path();
    change(dir, without_specs);
    is_compared(dir, &["HEAD~1..HEAD", "HEAD~1"], "1 job differs: 1 removed\n");
    is_compared(dir, &["HEAD~2..HEAD", "HEAD"], "no difference in 1 job\n");
    is_compared(dir, &["HEAD~2..HEAD~1"], "1 job differs: 1 new\n");
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

/// The other jobs are compared.
#[test]
fn a_damaged_submodule_is_named() {
    let (_module, dir) = repository();
    let dir = dir.path();
    change(dir, without_specs);
    let note =
        "the specs of the submodule team, if any, are not compared: fetch its whole history; `git` failed: ";
    let git_file = dir.join("team/.git");
    let kept = fs::read(&git_file).unwrap();
    for damage in [
        |path: &Path| fs::write(path, "gitdir: ../nowhere\n").unwrap(),
        |path: &Path| fs::write(path, "damaged\n").unwrap(),
        |path: &Path| fs::remove_file(path).and_then(|()| fs::create_dir(path)).unwrap(),
    ] {
        damage(&git_file);
        expect(dir, &[("HEAD~1..HEAD", note), ("HEAD~1", note), ("HEAD", note), ("HEAD..HEAD", "")]);
    }
    fs::remove_dir(&git_file).and_then(|()| fs::write(&git_file, kept)).unwrap();
    // Git knows the commit, but an object is missing, such as in a partial clone without its remote.
    let object = git(&dir.join("team"), &["rev-parse", "HEAD~1:b.tfjob.kdl"]);
    let object = String::from_utf8(object.stdout).unwrap();
    let objects = dir.join(".git/modules/team/objects").join(&object[..2]).join(object[2..].trim_end());
    fs::remove_file(objects).unwrap();
    let note = "the specs of the submodule team, if any, are not compared: fetch its whole history; `git` cannot read the object ";
    expect(dir, &[("HEAD~1..HEAD", note), ("HEAD~1", note), ("HEAD", "")]);
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

/// A project has the specs of its submodules, and a submodule has its own ones.
#[test]
fn a_project_has_the_specs_of_its_submodules() {
    let (_module, dir) = repository();
    let project = "project {\n    specs \"*.tfjob.kdl\" \"team\"\n    environment \"p\" {}\n    environment \"q\" {}\n}\n";
    fs::write(dir.path().join("tfjob.kdl"), project).unwrap();
    commit(dir.path(), "a project");
    is_compared(dir.path(), &["HEAD", "HEAD..HEAD"], "no difference in 4 jobs\n");
    fs::write(dir.path().join("team/b.tfjob.kdl"), JOB.replace("a:1", "a:2")).unwrap();
    is_compared(dir.path(), &["HEAD"], "2 jobs differ: 2 recreate\n");
    is_compared(&dir.path().join("team"), &["HEAD"], "1 job differs: 1 recreate\n");
}

/// Both versions may have the same errors, which are not those of the specs.
#[test]
fn a_submodule_that_cannot_be_read_is_named_as_the_cause_of_errors() {
    let (_module, dir) = repository();
    let dir = dir.path();
    assert!(git(dir, &["tag", "first", "HEAD~1"]).status.success());
    let fix = "cannot compare: fix the errors in HEAD first\n";
    let base = "cannot compare HEAD: it has errors, and files of the submodule `team`, such as a base file, cannot be read: run `git submodule \
                update --init --recursive`\n";
    let job = JOB.replace("job \"a\"", "job \"c\"");
    let project = |more: &str| format!("project {{\n    specs \"*.tfjob.kdl\"{more}\n}}\n");
    let cluster = project("\n    environment \"p\" { cluster \"team/c.cluster.kdl\"; }");
    for (text, project, told) in [
        ("extends \"team/b.tfjob.kdl\"\njob \"c\"\n", project(""), base),
        (&job, project(" \"team\""), base),
        (&job, cluster, base),
        (&job.replace("image", "imgae"), project(""), fix),
    ] {
        assert!(git(dir, &["submodule", "--quiet", "deinit", "--force", "team"]).status.success());
        fs::write(dir.join("c.tfjob.kdl"), text).unwrap();
        fs::write(dir.join("tfjob.kdl"), &project).unwrap();
        commit(dir, "other files");
        for range in ["first..HEAD", "HEAD..HEAD"] {
            let said = run(dir, &["diff", range]);
            assert!(code(&said) == 2 && err(&said).ends_with(told), "{range} {project}: {}", err(&said));
        }
    }
}

/// The old version has no errors, but its submodule is not known.
#[test]
fn an_old_version_without_its_submodule_says_so() {
    let (_module, dir) = repository();
    let dir = dir.path();
    fs::write(dir.join("c.tfjob.kdl"), "extends \"team/b.tfjob.kdl\"\njob \"c\"\n").unwrap();
    commit(dir, "a spec with a base in the submodule");
    assert!(git(dir, &["rm", "--quiet", "team"]).status.success());
    fs::write(dir.join("c.tfjob.kdl"), JOB.replace("job \"a\"", "job \"c\"")).unwrap();
    commit(dir, "without the submodule");
    let note = "note: c.tfjob.kdl has errors in HEAD~1 without the files of the submodule team: compared as if it did not exist there\n";
    for range in ["HEAD~1..HEAD", "HEAD~1"] {
        let said = run(dir, &["diff", range]);
        assert!(code(&said) == 1 && err(&said).starts_with(note), "{range}: {}{}", out(&said), err(&said));
    }
}
