//! Errors about files that the repository has, but the work tree does not. Their help is to check the files out, not to delete the project
//! file.
use super::kept::git;
use super::write;
use crate::program::{GOOD, code, out, run};

const CLUSTER: &str =
    "cluster \"c\" target=\"kubernetes\" {\n    kubernetes {\n        namespace \"ml\"\n    }\n}\n";

/// Returns the report of a project whose specs are in `team/jobs`, and whose cluster file is in `team`, after some commands.
fn told(specs: &str, cluster: &str, commands: &[&[&str]]) -> String {
    let dir = tempfile::tempdir().unwrap();
    let project = format!(
        "project {{\n    specs \"{specs}\"\n    environment \"prod\" {{\n        cluster \"{cluster}\"\n    }}\n}}\n"
    );
    write(dir.path(), "tfjob.kdl", &project);
    write(dir.path(), "c.cluster.kdl", CLUSTER);
    write(dir.path(), "team/c.cluster.kdl", CLUSTER);
    write(dir.path(), "team/jobs/a.tfjob.kdl", GOOD);
    git(dir.path(), &["init", "--quiet"]);
    git(dir.path(), &["add", "--all"]);
    git(dir.path(), &["commit", "--quiet", "--message", "a"]);
    commands.iter().for_each(|command| git(dir.path(), command));
    let said = run(dir.path(), &["check"]);
    assert_eq!(code(&said), 1, "{}", out(&said));
    let text: Vec<&str> = out(&said).split_whitespace().collect();
    text.join(" ")
}

#[test]
fn the_help_names_what_is_not_checked_out() {
    let module = "160000,0123456789012345678901234567890123456789,team";
    let without_module: &[&[&str]] =
        &[&["rm", "--quiet", "-r", "team"], &["update-index", "--add", "--cacheinfo", module]];
    let sparse: &[&[&str]] = &[&["sparse-checkout", "set", "--no-cone", "/*", "!/team/"]];
    let deleted: &[&[&str]] = &[&["rm", "--quiet", "-r", "team"]];
    let (own, other) = ("c.cluster.kdl", "team/c.cluster.kdl");
    let of_module = "the submodule `team` is not checked out: run `git submodule update --init --recursive`";
    let of_file = "the sparse checkout excludes the file: run `git sparse-checkout disable`";
    let of_files = "if the sparse checkout excludes the files, run `git sparse-checkout disable`; otherwise, correct the path";
    let last = "after the last job, delete the project file and its output directory, too";
    for (specs, cluster, commands, help) in [
        ("team", own, without_module, of_module),
        ("team/jobs/*.tfjob.kdl", own, without_module, of_module),
        ("team/jobs/a.tfjob.kdl", other, without_module, of_module),
        ("team/jobs/a.tfjob.kdl", own, sparse, of_file),
        ("team", own, sparse, of_files),
        ("team/**/*.tfjob.kdl", own, sparse, of_files),
        ("team", own, deleted, last),
    ] {
        let text = told(specs, cluster, commands);
        assert!(text.contains("no spec matches") && text.contains(help), "{specs} {help}: {text}");
        assert_eq!(text.contains(last), help == last, "{specs}: {text}");
        assert_eq!(text.contains("there is no cluster file"), cluster == other, "{specs}: {text}");
        assert!(!text.contains("write the path of a `*.cluster.kdl` file"), "{specs}: {text}");
    }
}
