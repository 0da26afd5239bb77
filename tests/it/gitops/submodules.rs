//! The CI script with specs, base files, and cluster files in submodules: their manifests are in the outer repository.
use super::Repository;
use super::replaced::JOB;
use crate::program::{code, err, out};
use std::fs;

/// Returns a repository with these files.
fn module(files: &[(&str, &str)]) -> Repository {
    let module = Repository(tempfile::tempdir().unwrap());
    for (name, text) in files {
        fs::write(module.0.path().join(name), text).unwrap();
    }
    module.git(&["init", "--quiet", "--initial-branch", "main"]);
    module.commit("the files");
    module
}

fn add(repository: &Repository, module: &Repository, path: &str) {
    let url = module.0.path().to_string_lossy();
    let allow = ["-c", "protocol.file.allow=always"];
    repository.git(&[&allow[..], &["submodule", "--quiet", "add", &url, path]].concat());
}

fn read(name: &str) -> String {
    fs::read_to_string(super::example().join(name)).unwrap()
}

/// Returns a spec without a base.
fn spec() -> String {
    let (_, fields) = JOB.split_once("first\"\n").unwrap();
    let (fields, _) = fields.split_once("    tensorboard\n").unwrap();
    let role = "    role \"worker\" count=2 { resources cpus=4 memory=\"16GiB\"; }\n";
    read("bases/training.tfjob.kdl")
        .replace("job \"training\" {\n", &format!("job \"click\" {{\n{fields}{role}"))
}

#[test]
fn another_commit_of_a_submodule_with_specs_is_compared() {
    let module = module(&[("click.tfjob.kdl", &spec())]);
    let repository = Repository::new();
    add(&repository, &module, "jobs/team");
    repository.compile();
    repository.commit("a submodule");
    repository.branch("bump");
    repository.edit("jobs/team/click.tfjob.kdl", "count=2", "count=3");
    repository.git(&["-C", "jobs/team", "commit", "--quiet", "--all", "--message", "more workers"]);
    repository.compile();
    repository.commit("another commit of the submodule");
    let (done, comment) = repository.check(false);
    let reason =
        "This change stops submitted jobs. If it may stop submitted jobs, add the label replace-jobs.";
    assert!(code(&done) == 1 && comment.contains(reason), "{comment}{}{}", out(&done), err(&done));
    assert!(comment.starts_with("### 2 jobs differ: 2 recreate\n"), "{comment}");
    let (done, comment) = repository.check(true);
    assert!(code(&done) == 0 && !comment.contains("- `rendered/"), "{comment}{}", err(&done));
}

/// The base files and the cluster files are those of all teams, and the specs those of one.
#[test]
fn a_change_that_changes_no_job_of_a_submodule_is_accepted() {
    let cluster = read("clusters/east.cluster.kdl");
    let shared =
        module(&[("training.tfjob.kdl", &read("bases/training.tfjob.kdl")), ("east.cluster.kdl", &cluster)]);
    let team = module(&[("click.tfjob.kdl", &spec())]);
    let repository = Repository::new();
    add(&repository, &shared, "shared files");
    add(&repository, &team, "team");
    repository.edit("jobs/mnist.tfjob.kdl", "../bases/", "../shared files/");
    repository.edit("tfjob.kdl", "clusters/east", "shared files/east");
    repository.edit("tfjob.kdl", "specs \"jobs\"", "specs \"jobs\" \"team\"");
    repository.compile();
    repository.commit("submodules");
    repository.branch("text");
    fs::write(repository.0.path().join("README.md"), "another text\n").unwrap();
    repository.commit("only a text");
    let (done, comment) = repository.check(false);
    assert_eq!(
        (code(&done), &*comment),
        (0, "### no difference in 9 jobs\n\n"),
        "{}{}",
        out(&done),
        err(&done)
    );
    // A manifest that is not that of its spec is found in these jobs, too.
    repository.git(&["checkout", "--quiet", "main"]);
    repository.edit("rendered/east/click/kubernetes/tfjob.yaml", "replicas: 2", "replicas: 3");
    repository.commit("by hand");
    repository.branch("replaces");
    repository.compile();
    repository.commit("with the manifest of the spec");
    let (done, comment) = repository.check(false);
    assert!(
        code(&done) == 1 && comment.contains("- `rendered/east/click/kubernetes/tfjob.yaml`\n"),
        "{comment}{}",
        err(&done)
    );
    let worktrees = repository.run(".", "git", &["worktree", "list"], &[]);
    assert_eq!(out(&worktrees).lines().count(), 1, "{}", out(&worktrees));
}

/// A manifest of the target branch that is not that of its spec, which is in a submodule of a submodule.
#[test]
fn a_replaced_manifest_of_a_nested_submodule_needs_the_label() {
    let inner = module(&[("click.tfjob.kdl", &spec()), (".gitattributes", "*.kdl export-ignore\n")]);
    let outer = module(&[("README.md", "")]);
    add(&outer, &inner, "inner");
    outer.commit("a submodule");
    let repository = Repository::new();
    add(&repository, &outer, "jobs/team");
    let update =
        ["-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init", "--recursive"];
    repository.git(&update);
    repository.compile();
    let manifest = "rendered/east/click/kubernetes/tfjob.yaml";
    repository.edit(manifest, "replicas: 2", "replicas: 3");
    repository.commit("a manifest that is edited by hand");
    repository.branch("repair");
    repository.compile();
    repository.commit("the manifest of the spec");
    let (done, comment) = repository.check(false);
    let reason = "This change replaces manifests that are not those of their specs.";
    assert!(code(&done) == 1 && comment.contains(reason), "{comment}{}{}", out(&done), err(&done));
    assert!(comment.contains(&format!("- `{manifest}`")), "{comment}");
}

#[test]
fn manifests_that_are_left_in_a_submodule_are_refused() {
    let old = module(&[("tfjob.yaml", "# Generated by tfjob 0.1.0 from a.tfjob.kdl.\n")]);
    let repository = Repository::new();
    add(&repository, &old, "old");
    repository.commit("manifests in a submodule");
    let (done, comment) = repository.check(true);
    let reason = "Manifests are outside of the output directory: delete them";
    assert!(code(&done) == 1 && comment.contains(reason), "{comment}{}{}", out(&done), err(&done));
}

/// The script compares only the manifests of its own repository.
#[test]
fn an_output_directory_in_a_submodule_is_refused() {
    let manifests = module(&[("README.md", "")]);
    let repository = Repository::new();
    repository.git(&["rm", "--quiet", "-r", "rendered"]);
    add(&repository, &manifests, "rendered");
    repository.commit("manifests in a submodule");
    repository.branch("change");
    repository.compile();
    repository.git(&["-C", "rendered", "add", "--all"]);
    repository.git(&["-C", "rendered", "commit", "--quiet", "--message", "manifests"]);
    repository.commit("another commit of the submodule");
    let (done, comment) = repository.check(true);
    let reason = "Rendered files are not in this repository, but ignored or in a submodule: commit them here";
    assert!(code(&done) == 1 && comment.contains(reason), "{comment}{}{}", out(&done), err(&done));
}
