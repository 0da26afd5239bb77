//! The repository `examples/gitops`: its files are up to date, and its CI script accepts and refuses pull requests.
#![expect(clippy::unwrap_used, reason = "a test may")]

mod plugin;
mod replaced;
mod submodules;

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

/// The clusters of all environments run the same jobs at the same time.
#[test]
fn the_environments_write_to_different_checkpoints() {
    let said = run(&example(), &["compile", "--list"]);
    let manifests = out(&said).lines().filter(|path| path.ends_with("/tfjob.yaml"));
    let mut places: Vec<String> = manifests
        .flat_map(|path| {
            let text = fs::read_to_string(example().join(path)).unwrap();
            let places = text.lines().filter_map(|line| line.trim().strip_prefix("- --checkpoints="));
            places.map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    let count = places.len();
    places.sort();
    places.dedup();
    assert_eq!((count, places.len()), (6, 6), "{places:?}");
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

    /// Runs a program in a directory of the repository, with tfjob in `PATH`.
    fn run(&self, directory: &str, program: &str, args: &[&str], variables: &[(&str, &str)]) -> Output {
        let tfjob = Path::new(env!("CARGO_BIN_EXE_tfjob")).parent().unwrap();
        let path = format!("{}:{}", tfjob.display(), std::env::var("PATH").unwrap());
        let mut command = Command::new(program);
        command.args(args).current_dir(self.0.path().join(directory)).env("PATH", path);
        command.env("TFJOB_SHIM", program::shim()).envs(variables.iter().copied());
        command.stdin(Stdio::null()).output().unwrap()
    }

    /// Runs the CI script against `base`, and returns its result and the comment.
    fn check_against(&self, base: &str, replace: bool) -> (Output, String) {
        let script = self.0.path().join("ci/check");
        let replace = replace.to_string();
        // The path of the comment is relative to the current directory, not to the root.
        let args = [base, "comment.md"];
        let done = self.run(".git", &script.to_string_lossy(), &args, &[("REPLACE_JOBS", &replace)]);
        (done, fs::read_to_string(self.0.path().join(".git/comment.md")).unwrap_or_default())
    }

    fn check(&self, replace: bool) -> (Output, String) {
        self.check_against("main", replace)
    }

    /// Runs the script of the plugin for Argo CD in a directory.
    fn plugin(&self, directory: &str, environment: Option<&str>) -> Output {
        let text = fs::read_to_string(example().join("argocd/plugin/plugin.yaml")).unwrap();
        let (_, block) = text.split_once("    - |\n").unwrap();
        let script: Vec<&str> = block.lines().map(|line| line.strip_prefix("      ").unwrap()).collect();
        let variable = environment.map(|name| ("ARGOCD_ENV_TFJOB_ENV", name));
        self.run(directory, "sh", &["-c", &script.join("\n")], variable.as_slice())
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

/// Two changes can be right on their own and wrong together, without a conflict: only a check of the merged branch finds it.
#[test]
fn changes_that_are_wrong_together_are_refused_after_the_merge() {
    let repository = Repository::new();
    repository.branch("image");
    repository.edit("bases/training.tfjob.kdl", "2.15.1", "2.15.2");
    repository.compile();
    repository.commit("another image");
    repository.branch("new-job");
    let job = fs::read_to_string(example().join("jobs/mnist.tfjob.kdl")).unwrap();
    fs::write(repository.0.path().join("jobs/fashion.tfjob.kdl"), job.replace("mnist", "fashion")).unwrap();
    repository.compile();
    repository.commit("a new job");
    let merged = || repository.run(".", "ci/check", &[], &[]);
    assert_eq!(code(&merged()), 0, "{}", err(&merged()));
    repository.git(&["merge", "--quiet", "--no-edit", "image"]);
    assert_eq!(code(&merged()), 1);
    assert!(
        out(&merged()).contains("outdated: rendered/east/fashion/kubernetes/tfjob.yaml"),
        "{}",
        out(&merged())
    );
}

/// docs/gitops.md names these commands.
#[test]
fn conflicts_in_rendered_files_are_resolved_by_compiling() {
    let repository = Repository::new();
    for (branch, from, to) in [("image", "2.15.1", "2.15.2"), ("epochs", "\"epochs\" 20", "\"epochs\" 30")] {
        repository.branch(branch);
        repository.edit("bases/training.tfjob.kdl", from, to);
        repository.compile();
        repository.commit(branch);
    }
    let merge = ["-c", "user.name=a", "-c", "user.email=a@b", "merge", "--quiet", "image"];
    assert_eq!(code(&repository.run(".", "git", &merge, &[])), 1);
    repository.git(&["checkout", "--ours", "bases"]);
    repository.edit("bases/training.tfjob.kdl", "2.15.1", "2.15.2");
    repository.compile();
    repository.commit("merged");
    let merged = repository.run(".", "ci/check", &[], &[]);
    assert_eq!(code(&merged), 0, "{}{}", out(&merged), err(&merged));
}

#[test]
fn a_job_that_would_be_changed_in_place_is_refused() {
    let repository = Repository::new();
    repository.branch("hook");
    repository.edit(
        "jobs/mnist.tfjob.kdl",
        "job \"mnist\" {",
        "job \"mnist\" {\n    target \"kubernetes\" { argocd hook=\"PostSync\"; }",
    );
    repository.compile();
    repository.commit("a hook has no digest in its name");
    let (done, comment) = repository.check(true);
    assert_eq!(code(&done), 0, "{}{comment}", err(&done));
    repository.branch("in-place");
    for cluster in ["east", "staging", "west"] {
        repository.edit(&format!("clusters/{cluster}.cluster.kdl"), "        argocd\n", "");
    }
    // The end of a name such as a date is no digest.
    repository.edit("jobs/ctr.tfjob.kdl", "job \"ctr\"", "job \"ctr-20261130\"");
    // An own sync wave of the TFJob, or a text with its name, prepares no job for Argo CD.
    repository.edit(
        "jobs/mnist.tfjob.kdl",
        "job \"mnist\" {",
        "job \"mnist\" {\n    description \"argocd.argoproj.io/hook: PreSync\"",
    );
    let own =
        "    target \"kubernetes\" {\n        annotations { \"argocd.argoproj.io/sync-wave\" \"2\"; }\n    }";
    repository.edit("jobs/ctr.tfjob.kdl", "-20261130\" {\n", &format!("-20261130\" {{\n{own}\n"));
    repository.compile();
    repository.commit("without argocd");
    let (done, comment) = repository.check(true);
    assert_eq!(code(&done), 1, "{}", out(&done));
    assert!(comment.contains("add argocd to the spec or the cluster file"), "{comment}");
    let mut jobs: Vec<&str> = err(&done).lines().filter(|line| line.starts_with("rendered/")).collect();
    // The script lists files in the order of the directory.
    jobs.sort_unstable();
    let of = |cluster: &str| {
        ["ctr-20261130", "mnist"].map(|job| format!("rendered/{cluster}/{job}/kubernetes/tfjob.yaml"))
    };
    assert_eq!(jobs, ["east", "staging", "west"].map(of).concat(), "{}", err(&done));
}

/// A repository may contain manifests of other tools.
#[test]
fn manifests_that_tfjob_has_not_written_are_accepted() {
    let repository = Repository::new();
    repository.branch("others");
    for name in ["legacy/tfjob.yaml", "a b/x/tfjob.yaml"] {
        let path = repository.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "kind: TFJob\nmetadata:\n  annotations:\n    x: '# Generated by tfjob from x'\n")
            .unwrap();
    }
    repository.commit("manifests of another tool");
    let (done, comment) = repository.check(false);
    assert_eq!(code(&done), 0, "{}{comment}", err(&done));
    let manifest = fs::read_to_string(repository.0.path().join("rendered/east/mnist/kubernetes/tfjob.yaml"));
    fs::write(repository.0.path().join("a b/x/tfjob.yaml"), manifest.unwrap()).unwrap();
    repository.commit("a copy of a manifest of tfjob");
    let (done, comment) = repository.check(true);
    assert!(code(&done) == 1 && comment.contains("outside of the output directory"), "{comment}");
    assert!(err(&done).contains("a b/x/tfjob.yaml\n"), "{}", err(&done));
}

/// The script reads the output directory from the project.
#[test]
fn the_output_directory_may_have_another_name() {
    let repository = Repository::new();
    repository.edit("tfjob.kdl", "out \"rendered\"", "out \"manifests\"");
    repository.compile();
    fs::remove_dir_all(repository.0.path().join("rendered")).unwrap();
    repository.commit("another directory");
    assert_eq!(code(&repository.check(false).0), 0);
    // The applications of Argo CD have paths in the old directory.
    repository.branch("moved");
    repository.edit("tfjob.kdl", "out \"manifests\"", "out \"moved\"");
    repository.compile();
    repository.commit("both directories");
    let (done, comment) = repository.check(true);
    assert!(code(&done) == 1 && comment.contains("outside of the output directory"), "{comment}");
    fs::remove_dir_all(repository.0.path().join("manifests")).unwrap();
    repository.commit("a third directory");
    let (done, comment) = repository.check(false);
    assert!(
        code(&done) == 1 && comment.contains("deletes or moves the manifests"),
        "{comment}{}",
        err(&done)
    );
    let (done, comment) = repository.check(true);
    assert_eq!(code(&done), 0, "{comment}{}", err(&done));
    repository.branch("in-place");
    repository.edit("clusters/west.cluster.kdl", "        argocd\n", "");
    repository.compile();
    repository.commit("without argocd");
    let (done, _) = repository.check(true);
    assert_eq!(code(&done), 1, "{}", out(&done));
    assert_eq!(err(&done).matches("manifests/west/").count(), 2, "{}", err(&done));
    // Without a job for Argo CD, nothing is checked.
    repository.branch("none");
    let project = "project {\n    specs \"jobs\"\n    environment \"east\" { target \"local\"; }\n}\n";
    fs::write(repository.0.path().join("tfjob.kdl"), project).unwrap();
    repository.compile();
    repository.commit("for this machine");
    let (done, comment) = repository.check(true);
    assert!(
        code(&done) == 1 && comment.starts_with("### No job is for Kubernetes\n"),
        "{comment}{}",
        err(&done)
    );
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

/// The manifests of a job are submitted, although its spec has errors.
#[test]
fn a_job_that_cannot_be_compared_needs_a_label() {
    let repository = Repository::new();
    repository.branch("faulty");
    repository.edit("jobs/mnist.tfjob.kdl", "count=2", "cuont=2");
    // More names after those of the manifests than a pipe holds.
    for number in 0..1000 {
        fs::write(repository.0.path().join(format!("z{number:0>200}")), "").unwrap();
    }
    repository.commit("an error");
    repository.branch("repaired");
    repository.git(&["merge", "--quiet", "faulty"]);
    repository.edit("jobs/mnist.tfjob.kdl", "cuont=2", "count=3");
    repository.compile();
    repository.commit("without the error");
    let (done, comment) = repository.check_against("faulty", false);
    assert_eq!(code(&done), 1, "{comment}");
    assert!(comment.contains("has errors in") && comment.contains("add the label replace-jobs"), "{comment}");
    let (done, comment) = repository.check_against("faulty", true);
    assert_eq!(code(&done), 0, "{}{comment}", err(&done));
}

#[test]
fn the_first_change_of_a_repository_is_accepted() {
    let repository = Repository::new();
    repository.git(&["checkout", "--quiet", "--orphan", "empty"]);
    repository.git(&["rm", "-r", "--quiet", "--cached", "."]);
    repository.git(&["commit", "--quiet", "--allow-empty", "--message", "nothing"]);
    repository.git(&["checkout", "--quiet", "-b", "first"]);
    repository.commit("the example");
    let (done, comment) = repository.check_against("empty", false);
    assert_eq!(code(&done), 0, "{}{comment}", err(&done));
    assert!(comment.starts_with("### 6 jobs differ: 6 new\n"), "{comment}");
}

#[test]
fn a_check_that_cannot_compare_replaces_the_comment_and_explains_its_arguments() {
    let repository = Repository::new();
    repository.check(false);
    let (done, comment) = repository.check_against("origin/main", true);
    assert_eq!(code(&done), 1, "{comment}");
    assert!(comment.starts_with("### The change cannot be compared with origin/main\n"), "{comment}");
    for args in [&["main"][..], &["", "comment.md"], &["main", ""], &["main", "a", "b"]] {
        let done = repository.run(".", "ci/check", args, &[]);
        assert_eq!((code(&done), err(&done)), (2, "usage: ci/check [BASE COMMENT]\n"), "{args:?}");
    }
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
