//! Output files of specs that the repository has, but the work tree does not.
use super::tampered::with_shim;
use super::write;
use crate::program::{code, err, out, run, tfjob};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// Some of the files of the job that is not checked out.
const FILES: [&str; 3] =
    ["prod/a/kubernetes/tfjob.yaml", "prod/a/yarn/Yarnfile.json", "prod/_shim/default/configmap.yaml"];

pub(super) fn git(dir: &Path, args: &[&str]) {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(args).current_dir(dir);
    let done = git.env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap();
    assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// Returns a repository with a compiled project. The only job with a shim is in `jobs/more`.
fn repository() -> TempDir {
    let dir = with_shim();
    let text = fs::read_to_string(dir.path().join("jobs/a.tfjob.kdl")).unwrap();
    fs::remove_file(dir.path().join("jobs/a.tfjob.kdl")).unwrap();
    write(dir.path(), "jobs/more/a.tfjob.kdl", &text);
    assert_eq!(code(&run(dir.path(), &["compile"])), 0);
    git(dir.path(), &["init", "--quiet"]);
    git(dir.path(), &["add", "--all"]);
    git(dir.path(), &["commit", "--quiet", "--message", "a"]);
    assert_eq!(code(&run(dir.path(), &["compile", "--check"])), 0);
    dir
}

fn sparse(dir: &Path) {
    git(dir, &["sparse-checkout", "set", "--no-cone", "/*", "!/jobs/more/"]);
}

fn submodule(dir: &Path) {
    git(dir, &["rm", "--quiet", "-r", "jobs/more"]);
    let module = "160000,0123456789012345678901234567890123456789,jobs/more";
    git(dir, &["update-index", "--add", "--cacheinfo", module]);
}

/// `jobs` is a submodule that is checked out, and its submodule `more` is not.
fn nested(dir: &Path) {
    git(dir, &["rm", "--quiet", "-r", "jobs/more"]);
    git(dir, &["rm", "--quiet", "-r", "--cached", "--ignore-unmatch", "jobs"]);
    let jobs = dir.join("jobs");
    fs::create_dir_all(&jobs).unwrap();
    git(&jobs, &["init", "--quiet"]);
    git(&jobs, &["add", "--all"]);
    git(
        &jobs,
        &["update-index", "--add", "--cacheinfo", "160000,0123456789012345678901234567890123456789,more"],
    );
    git(&jobs, &["commit", "--quiet", "--message", "a"]);
    let head = Command::new("git").args(["rev-parse", "HEAD"]).current_dir(&jobs).output().unwrap();
    git(dir, &["update-index", "--add", "--cacheinfo", &format!("160000,{},jobs", out(&head).trim())]);
}

/// The repository of the submodule `jobs/more` is gone.
fn damaged(dir: &Path) {
    submodule(dir);
    fs::create_dir_all(dir.join("jobs/more")).unwrap();
    fs::write(dir.join("jobs/more/.git"), "gitdir: ../../nowhere\n").unwrap();
}

fn exist(dir: &Path) -> bool {
    FILES.iter().all(|file| dir.join("rendered").join(file).exists())
}

/// The report of `compile --check` has the files as not compiled, with the reason once.
fn is_not_compiled(check: &Output, why: &str) {
    let told = out(check);
    assert!(code(check) == 1 && told.matches(why).count() == 1, "{told}{}", err(check));
    for file in FILES {
        assert!(told.contains(&format!("not compiled: rendered/{file}\n")), "{told}");
    }
    assert!(!told.contains("obsolete: ") && !told.contains("prune"), "{told}");
}

#[test]
fn the_output_of_a_spec_that_is_not_checked_out_is_kept() {
    type Edit = fn(&Path);
    let of_submodule = "`jobs/more/a.tfjob.kdl` may exist, but is not compiled: the submodule `jobs/more` is not checked out; to compile it, \
                        run `git submodule update --init --recursive`\n";
    let edits: [(Edit, &str); 4] = [
        (
            sparse,
            "`jobs/more/a.tfjob.kdl` exists, but is not compiled: the sparse checkout excludes it; to compile it, run `git \
             sparse-checkout disable`\n",
        ),
        (submodule, of_submodule),
        (nested, of_submodule),
        (
            damaged,
            "`jobs/more/a.tfjob.kdl` may exist, but is not compiled: `git` cannot read the submodule `jobs/more`; to see why, run `git \
             submodule status`\n",
        ),
    ];
    for (edit, why) in edits {
        let dir = repository();
        edit(dir.path());
        is_not_compiled(&run(dir.path(), &["compile", "--check", "--quiet"]), why);
        let json = run(dir.path(), &["compile", "--check", "--quiet", "--format", "json"]);
        assert!(
            out(&json).contains("its spec is not checked out") && out(&json).contains(why.trim()),
            "{}",
            out(&json)
        );
        for args in [&["compile"][..], &["compile", "--prune"]] {
            let told = run(dir.path(), args);
            assert_eq!(err(&told).matches(why).count(), 1, "{}", err(&told));
            let is_quiet = |word| !err(&told).contains(word);
            assert!(is_quiet("kubectl delete") && is_quiet("--prune") && exist(dir.path()), "{}", err(&told));
        }
    }
}

#[test]
fn the_output_of_a_spec_that_is_gone_is_obsolete() {
    let dir = with_shim();
    git(dir.path(), &["init", "--quiet"]);
    git(dir.path(), &["add", "--all"]);
    fs::remove_file(dir.path().join("jobs/a.tfjob.kdl")).unwrap();
    let told = run(dir.path(), &["compile", "--check", "--quiet"]);
    assert!(out(&told).contains("obsolete: ") && !out(&told).contains("not compiled"), "{}", out(&told));
}

/// Without `git`, a spec that is not checked out looks like one that is gone.
#[test]
fn an_error_of_git_deletes_no_files() {
    let cause =
        "cannot tell whether the specs of obsolete files exist in the repository, but are not checked out: ";
    type Break = fn(&Path, &mut Command);
    let breaks: [(Break, &str); 3] = [
        // A container runs as another user than the owner of the repository.
        (
            |_, tfjob| {
                tfjob.env("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
            },
            "`git` failed: fatal: detected dubious ownership in repository at",
        ),
        (
            |_, tfjob| {
                tfjob.env("PATH", "");
            },
            "cannot run `git`: ",
        ),
        (|dir, _| fs::write(dir.join(".git/index"), "x").unwrap(), "`git` failed: "),
    ];
    for (break_git, why) in breaks {
        let dir = repository();
        sparse(dir.path());
        let changed = "rendered/prod/b/kubernetes/tfjob.yaml";
        fs::remove_file(dir.path().join(changed)).unwrap();
        let run = |args: &[&str]| {
            let mut command = tfjob(dir.path(), args);
            break_git(dir.path(), &mut command);
            command.output().unwrap()
        };
        let prune = run(&["compile", "--prune"]);
        assert_eq!(code(&prune), 2, "{}", err(&prune));
        assert!(err(&prune).starts_with(&format!("error: {cause}{why}")), "{}", err(&prune));
        assert!(exist(dir.path()) && !dir.path().join(changed).exists());
        is_not_compiled(&run(&["compile", "--check", "--quiet"]), &format!("{cause}{why}"));
        let json = run(&["compile", "--check", "--quiet", "--format", "json"]);
        let fact = "the output file is not compared: its spec does not exist, or is not checked out";
        assert!(out(&json).contains(fact) && out(&json).contains(why), "{}", out(&json));
        let compile = run(&["compile"]);
        assert_eq!((code(&compile), err(&compile).matches(why).count()), (0, 1), "{}", err(&compile));
        assert!(err(&compile).contains("not compiled, kept: rendered/prod/a/kubernetes/tfjob.yaml\n"));
        assert!(!err(&compile).contains("kubectl delete"), "{}", err(&compile));
    }
}

/// Outside of a repository, all specs are in the directory, so the program `git` is not needed.
#[test]
fn without_a_repository_git_is_not_needed() {
    let dir = with_shim();
    fs::remove_file(dir.path().join("jobs/a.tfjob.kdl")).unwrap();
    // An empty directory is no repository.
    fs::create_dir(dir.path().join(".git")).unwrap();
    let told = tfjob(dir.path(), &["compile", "--prune"]).env("PATH", "").output().unwrap();
    assert!(code(&told) == 0 && err(&told).contains("kubectl delete"), "{}", err(&told));
    assert!(!dir.path().join("rendered/prod/a").exists());
}
