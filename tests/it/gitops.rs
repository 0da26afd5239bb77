//! The repository `examples/gitops`: its files are up to date, and its CI script accepts and refuses pull requests.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::program::{self, code, err, out, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/gitops")
}

#[test]
fn the_rendered_files_are_those_of_the_specs() {
    let said = run(&example(), &["compile", "--check"]);
    assert_eq!((code(&said), out(&said)), (0, ""), "{}", err(&said));
    let said = run(&example(), &["check", "--deny-warnings"]);
    assert_eq!((code(&said), out(&said)), (0, ""), "{}", err(&said));
}

/// A clone of the example with the branch `main`.
struct Repository(TempDir);

impl Repository {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let copied = Command::new("cp").arg("-r").arg(example().join(".")).arg(dir.path()).status().unwrap();
        assert!(copied.success());
        let this = Self(dir);
        this.git(&["init", "--quiet", "--initial-branch", "main"]);
        this.commit("the example");
        this
    }

    fn git(&self, args: &[&str]) {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(args).current_dir(self.0.path());
        let done = git.env("GIT_CONFIG_GLOBAL", "/dev/null").stdin(Stdio::null()).output().unwrap();
        assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", message]);
    }

    /// Starts a branch from `main`.
    fn branch(&self, name: &str) {
        self.git(&["checkout", "--quiet", "-b", name, "main"]);
    }

    fn edit(&self, name: &str, from: &str, to: &str) {
        let path = self.0.path().join(name);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{name}: {from}");
        fs::write(path, text.replace(from, to)).unwrap();
    }

    fn compile(&self) {
        let said = run(self.0.path(), &["compile", "--quiet", "--prune"]);
        assert_eq!(code(&said), 0, "{}", err(&said));
    }

    /// Runs the CI script, and returns its result and the comment.
    fn check(&self, replace: bool) -> (Output, String) {
        let program = Path::new(env!("CARGO_BIN_EXE_tfjob")).parent().unwrap();
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
        let comment = self.0.path().join(".git/comment.md");
        let mut script = Command::new("ci/check");
        script.args(["main", &comment.to_string_lossy()]).current_dir(self.0.path()).env("PATH", path);
        script.env("REPLACE_JOBS", replace.to_string()).env("TFJOB_SHIM", program::shim());
        let done = script.stdin(Stdio::null()).output().unwrap();
        (done, fs::read_to_string(comment).unwrap_or_default())
    }
}

#[test]
fn a_new_job_is_accepted() {
    let repository = Repository::new();
    repository.branch("new-job");
    let job = fs::read_to_string(example().join("jobs/mnist.tfjob.kdl")).unwrap();
    fs::write(repository.0.path().join("jobs/fashion.tfjob.kdl"), job.replace("mnist", "fashion")).unwrap();
    repository.compile();
    repository.commit("a new job");
    let (done, comment) = repository.check(false);
    assert_eq!(code(&done), 0, "{}{}", out(&done), err(&done));
    assert!(
        comment.starts_with("### 3 jobs differ: 3 new\n\n#### New job `fashion` in `staging`, `east`, `west` (`jobs/fashion.tfjob.kdl`)"),
        "{comment}"
    );
}

#[test]
fn outdated_files_are_refused() {
    let repository = Repository::new();
    repository.branch("outdated");
    repository.edit("jobs/mnist.tfjob.kdl", "count=2", "count=3");
    repository.commit("without the rendered files");
    let (done, comment) = repository.check(false);
    assert_eq!(code(&done), 1, "{}", err(&done));
    assert!(comment.starts_with("### The rendered files are not those of the specs"), "{comment}");
    assert!(out(&done).contains("outdated: rendered/east/mnist/kubernetes/tfjob.yaml"), "{}", out(&done));
}

#[test]
fn a_change_of_submitted_jobs_needs_a_label() {
    let repository = Repository::new();
    repository.branch("image");
    repository.edit("bases/training.tfjob.kdl", "2.15.1", "2.15.2");
    repository.compile();
    repository.commit("another image");
    let (done, comment) = repository.check(false);
    assert_eq!(code(&done), 1, "{}", out(&done));
    assert!(err(&done).contains("add the label replace-jobs"), "{}", err(&done));
    assert!(
        comment.contains("### 6 jobs differ: 6 recreate\n") && comment.contains("replace-jobs"),
        "{comment}"
    );
    let (done, comment) = repository.check(true);
    assert_eq!(code(&done), 0, "{}{}", out(&done), err(&done));
    assert!(comment.contains("| `image` |") && !comment.contains("replace-jobs"), "{comment}");
}

#[test]
fn an_error_in_a_spec_is_refused() {
    let repository = Repository::new();
    repository.branch("error");
    repository.edit("jobs/mnist.tfjob.kdl", "count=2", "cuont=2");
    repository.commit("an error");
    let (done, _) = repository.check(true);
    assert_eq!(code(&done), 1);
    assert!(out(&done).contains("unknown property `cuont`"), "{}", out(&done));
}

/// The digest in the name of a TFJob does not depend on tfjob, so that an upgrade starts no finished job again.
#[test]
fn the_name_of_a_job_depends_only_on_its_spec() {
    let repository = Repository::new();
    let name = |path: &str| {
        let text = fs::read_to_string(repository.0.path().join(path)).unwrap();
        text.lines().find_map(|line| line.strip_prefix("  name: ").map(str::to_owned)).unwrap()
    };
    let manifest = "rendered/east/mnist/kubernetes/tfjob.yaml";
    let (before, other) = (name(manifest), name("rendered/east/ctr/kubernetes/tfjob.yaml"));
    repository.edit("jobs/mnist.tfjob.kdl", "job \"mnist\" {", "// A comment.\n\njob \"mnist\" {");
    repository.compile();
    assert_eq!(name(manifest), before);
    repository.edit("jobs/mnist.tfjob.kdl", "cpus=4", "cpus=2");
    repository.compile();
    assert_ne!(name(manifest), before);
    assert_eq!(name("rendered/east/ctr/kubernetes/tfjob.yaml"), other);
}
