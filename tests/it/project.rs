//! The project file: `check` and `compile` without paths.
#![expect(clippy::unwrap_used, reason = "a test may")]

mod all_jobs;
#[cfg(unix)]
mod links;
mod out_and_specs;
mod reports;
mod shim;

use crate::program::{code, err, out, run};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const JOB: &str = r#"job "NAME" {
    framework "custom"
    image "example/a:1"
    run "train"
    role "worker" count=2 {
        resources cpus=1 memory="1GiB"
    }
    target "kubernetes"
    target "yarn"
}
"#;

const CLUSTER: &str = r#"cluster "small" target="kubernetes" {
    nodes "x" count=2 cpus=8 memory="32GiB"
}
"#;

const PROJECT: &str = r#"project {
    specs "jobs"
    out "rendered"
    environment "staging" {
        cluster "clusters/staging.cluster.kdl"
        set "role.worker.count=1"
    }
    environment "prod" {
        target "yarn" "kubernetes"
    }
}
"#;

fn write(dir: &Path, name: &str, text: &str) {
    let path = dir.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn project(text: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "tfjob.kdl", text);
    write(dir.path(), "clusters/staging.cluster.kdl", CLUSTER);
    for name in ["a", "b"] {
        write(dir.path(), &format!("jobs/{name}.tfjob.kdl"), &JOB.replace("NAME", name));
    }
    dir
}

/// Returns the files below a directory, without the scripts.
fn files(dir: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![dir.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(dir).unwrap().to_string_lossy().into_owned());
            }
        }
    }
    found.retain(|name| !name.ends_with(".sh"));
    found.sort();
    found
}

#[test]
fn each_environment_is_compiled_to_its_directory() {
    let dir = project(PROJECT);
    let check = run(dir.path(), &["check"]);
    assert_eq!((code(&check), out(&check), err(&check)), (0, "", ""));
    let compile = run(dir.path(), &["compile"]);
    assert_eq!((code(&compile), out(&compile)), (0, ""), "{}", err(&compile));
    assert!(err(&compile).ends_with("35 files, 35 changed\n"), "{}", err(&compile));
    let staging = fs::read_to_string(dir.path().join("rendered/staging/a/kubernetes/tfjob.yaml")).unwrap();
    let prod = fs::read_to_string(dir.path().join("rendered/prod/a/kubernetes/tfjob.yaml")).unwrap();
    assert!(staging.contains("replicas: 1") && prod.contains("replicas: 2"));
    assert_eq!(files(&dir.path().join("rendered")).len(), 11);
    assert!(dir.path().join("rendered/staging/a/kubernetes/submit.sh").exists());
    let again = run(dir.path(), &["compile"]);
    assert_eq!((code(&again), err(&again)), (0, "35 files up to date\n"));
    // The project file is found from a directory below it.
    let below = run(&dir.path().join("jobs"), &["compile", "--check"]);
    assert_eq!((code(&below), out(&below), err(&below)), (0, "", ""));
}

#[test]
fn files_of_removed_jobs_and_environments_are_reported_and_pruned() {
    let dir = project(PROJECT);
    assert_eq!(code(&run(dir.path(), &["compile"])), 0);
    fs::remove_file(dir.path().join("jobs/b.tfjob.kdl")).unwrap();
    let without = PROJECT.replace("prod", "live");
    write(dir.path(), "tfjob.kdl", &without);
    write(dir.path(), "rendered/README.md", "by hand");
    write(dir.path(), "rendered/notes/of/me.md", "by hand");
    let check = run(dir.path(), &["compile", "--check"]);
    assert_eq!(code(&check), 1);
    let obsolete = |line: &&str| line.starts_with("obsolete: ") && !line.ends_with(".sh");
    let told: Vec<&str> = out(&check).lines().filter(obsolete).collect();
    assert!(out(&check).contains("obsolete: rendered/prod/b/yarn/submit.sh\n"), "{}", out(&check));
    assert_eq!(
        told,
        [
            "obsolete: rendered/prod/a/kubernetes/kustomization.yaml",
            "obsolete: rendered/prod/a/kubernetes/tfjob.yaml",
            "obsolete: rendered/prod/a/yarn/Yarnfile.json",
            "obsolete: rendered/prod/b/kubernetes/kustomization.yaml",
            "obsolete: rendered/prod/b/kubernetes/tfjob.yaml",
            "obsolete: rendered/prod/b/yarn/Yarnfile.json",
            "obsolete: rendered/staging/b/kubernetes/kustomization.yaml",
            "obsolete: rendered/staging/b/kubernetes/tfjob.yaml",
        ]
    );
    let kept = run(dir.path(), &["compile"]);
    assert!(err(&kept).contains("`tfjob compile --prune`"), "{}", err(&kept));
    let pruned = run(dir.path(), &["compile", "--prune"]);
    assert_eq!(code(&pruned), 0, "{}", err(&pruned));
    let told = |command: &str| {
        format!(
            "the objects of these manifests may still run; to delete them, run this command for each manifest (FILE): `{command}`\n"
        )
    };
    let delete = told("kubectl delete --ignore-not-found --filename FILE");
    assert!(err(&kept).contains(&delete), "{}", err(&kept));
    let delete = told("git show HEAD:./FILE | kubectl delete --ignore-not-found --filename -");
    assert!(err(&pruned).contains(&delete), "{}", err(&pruned));
    assert!(!err(&run(dir.path(), &["compile"])).contains("may still run"), "nothing is obsolete");
    assert_eq!(
        files(&dir.path().join("rendered")),
        [
            ".gitattributes",
            "README.md",
            "live/a/kubernetes/kustomization.yaml",
            "live/a/kubernetes/tfjob.yaml",
            "live/a/yarn/Yarnfile.json",
            "notes/of/me.md",
            "staging/a/kubernetes/kustomization.yaml",
            "staging/a/kubernetes/tfjob.yaml",
        ]
    );
    assert!(!dir.path().join("rendered/prod").exists(), "an empty directory is deleted");
}

#[test]
fn only_directories_that_tfjob_has_written_are_pruned() {
    let dir = project("project { specs \"jobs\"; out \"infra\" }\n");
    let local = JOB.replace("NAME", "b").replace("target \"yarn\"", "target \"local\"");
    write(dir.path(), "jobs/b.tfjob.kdl", &local);
    assert_eq!(code(&run(dir.path(), &["compile"])), 0);
    let infra = dir.path().join("infra");
    let kept = [
        "_shim/old/kustomization.yaml",
        "app/kubernetes/deploy.yaml",
        "docs/site/spark/tutorial.md",
        "prod/base/local/contract.json",
        "prod/base/yarn/run.sh",
    ];
    for name in kept {
        write(&infra, name, "#!/bin/sh\nresources: []\n");
    }
    fs::remove_file(dir.path().join("jobs/b.tfjob.kdl")).unwrap();
    // A file that the user has added to a directory of tfjob.
    write(&infra, "b/kubernetes/more/notes.md", "by hand");
    let pruned = run(dir.path(), &["compile", "--prune"]);
    assert_eq!(code(&pruned), 0, "{}", err(&pruned));
    let foreign = kept.iter().find(|name| !infra.join(name).exists());
    assert_eq!(foreign, None, "{}", err(&pruned));
    // The directory of `tfjob run` has neither scripts nor YAML.
    assert!(err(&pruned).contains("deleted infra/b/local/job.json\n"), "{}", err(&pruned));
    assert!(err(&pruned).contains("\ndeleted 9 files\n"), "{}", err(&pruned));
    assert!(!infra.join("b").exists(), "{}", err(&pruned));
    assert!(infra.join("a/kubernetes/tfjob.yaml").exists());
    let check = run(dir.path(), &["compile", "--check"]);
    assert_eq!((code(&check), out(&check)), (0, ""));
}

#[cfg(unix)]
#[test]
fn an_output_directory_outside_of_the_project_through_a_link_is_refused() {
    use std::os::unix::fs::symlink;
    let (dir, outside) = (project(PROJECT), tempfile::tempdir().unwrap());
    let kept = outside.path().join("prod/db/kubernetes/tfjob.yaml");
    write(outside.path(), "prod/db/kubernetes/tfjob.yaml", "# Generated by tfjob from db.tfjob.kdl.\n");
    let link = dir.path().join("rendered");
    for (end, why) in [(outside.path(), "outside of the project directory"), (Path::new("none"), "missing")] {
        let _ = fs::remove_file(&link);
        symlink(end, &link).unwrap();
        for args in [
            &["compile"][..],
            &["compile", "--prune"],
            &["compile", "--check"],
            &["compile", "--out", "rendered/x"],
            &["compile", "jobs/a.tfjob.kdl", "--out", "./rendered"],
        ] {
            let output = run(dir.path(), args);
            assert_eq!(code(&output), 2, "{args:?}: {}", err(&output));
            assert!(
                err(&output).contains("a symbolic link leads to ") && err(&output).contains(why),
                "{}",
                err(&output)
            );
        }
    }
    assert!(
        kept.exists()
            && fs::read_dir(outside.path()).unwrap().count() == 1
            && !dir.path().join("none").exists()
    );
    // A path on the command line names the directory itself.
    let named = run(dir.path(), &["compile", "--out", outside.path().to_str().unwrap()]);
    assert_eq!(code(&named), 0, "{}", err(&named));
    fs::create_dir(dir.path().join("real")).unwrap();
    fs::remove_file(&link).unwrap();
    symlink("real", &link).unwrap();
    let inside = run(dir.path(), &["compile", "--prune"]);
    assert_eq!(code(&inside), 0, "{}", err(&inside));
}

#[test]
fn an_environment_can_be_selected_and_used_for_one_spec() {
    let dir = project(PROJECT);
    let one = run(dir.path(), &["compile", "jobs/a.tfjob.kdl", "--env", "staging"]);
    assert_eq!(code(&one), 0, "{}", err(&one));
    assert_eq!(
        files(&dir.path().join("rendered")),
        ["staging/a/kubernetes/kustomization.yaml", "staging/a/kubernetes/tfjob.yaml"]
    );
    let plain = run(dir.path(), &["compile", "jobs/a.tfjob.kdl", "--target", "yarn"]);
    assert_eq!(code(&plain), 0, "{}", err(&plain));
    assert_eq!(files(&dir.path().join("out")), ["a/yarn/Yarnfile.json"]);
    let elsewhere = tempfile::tempdir().unwrap();
    let path = dir.path().join("tfjob.kdl");
    let named = run(elsewhere.path(), &["compile", path.to_str().unwrap(), "--check"]);
    assert_eq!(code(&named), 1);
    assert!(out(&named).contains("missing: "), "{}", out(&named));
}

#[test]
fn arguments_that_do_not_fit_the_project_are_refused() {
    let dir = project(PROJECT);
    let empty = tempfile::tempdir().unwrap();
    for (folder, args, fact) in [
        (&dir, &["check", "--env", "live"][..], "has no environment `live`; it has staging, prod"),
        (&dir, &["compile", "--cluster", "clusters/staging.cluster.kdl"], "`--cluster` cannot be used"),
        (
            &dir,
            &["check", "tfjob.kdl", "--cluster", "clusters/staging.cluster.kdl"],
            "`--cluster` cannot be used",
        ),
        (&dir, &["compile", "--prune", "--env", "prod"], "`--prune` needs all specs"),
        (&empty, &["compile"], "no spec (`*.tfjob.kdl`, `.json`, or `.yaml`) in `.`"),
        (&empty, &["check", "--env", "prod"], "no project file `tfjob.kdl`"),
        (&dir, &["compile", "jobs", "--prune"], "`--prune` needs a project file"),
    ] {
        let output = run(folder.path(), args);
        assert_eq!(code(&output), 2, "{args:?}: {}", err(&output));
        assert!(err(&output).contains(fact), "{args:?}: {}", err(&output));
    }
    assert!(!dir.path().join("rendered").exists());
}

#[test]
fn errors_of_the_project_file_are_at_their_lines() {
    for (old, new, place, fact) in [
        ("specs \"jobs\"", "specs \"jobs\" \"none\"", "2:18", "no spec matches `none`"),
        ("specs \"jobs\"", "specs \"a{\"", "2:11", "invalid glob"),
        ("specs \"jobs\"", "specs \"../jobs\"", "2:11", "not a path inside the project"),
        ("out \"rendered\"", "out \"/tmp/x\"", "3:9", "not a path inside the project"),
        ("specs \"jobs\"", "specs \"jobs\" \"!jobs/*.kdl\"", "2:18", "no job is left"),
        ("specs \"jobs\"", "specs \"clusters\"", "2:11", "`specs` has no job, only cluster files"),
        ("out \"rendered\"", "out \"a\\nb\"", "3:9", "`a\\nb` contains a control character"),
        ("out \"rendered\"", "out \".git\"", "3:9", "`.git` is inside the directory of the Git repository"),
        ("out \"rendered\"", "out \"./.GIT/hooks/x\"", "3:9", "inside the directory of the Git repository"),
        ("staging.cluster", "live.cluster", "5:17", "there is no cluster file"),
        ("count=1", "count", "6:13", "has no value"),
        ("\"yarn\"", "\"yran\"", "9:16", "yarn"),
        ("environment \"prod\"", "environment \"Prod\"", "8:17", "Prod"),
        ("set ", "sets ", "6:9", "set"),
    ] {
        let dir = project(&PROJECT.replacen(old, new, 1));
        for command in ["check", "compile"] {
            let output = run(dir.path(), &[command]);
            let text = format!("{}{}", out(&output), err(&output));
            assert_eq!(code(&output), 1, "{new}: {text}");
            assert!(text.contains(&format!("tfjob.kdl:{place}")) && text.contains(fact), "{new}: {text}");
        }
        assert!(!dir.path().join("rendered").exists(), "{new}");
    }
}

#[test]
fn a_finding_of_several_environments_is_reported_once() {
    let dir = project(PROJECT);
    write(dir.path(), "jobs/a.tfjob.kdl", &JOB.replace("NAME", "a").replace("cpus", "cqus"));
    let human = run(dir.path(), &["check"]);
    assert!(out(&human).contains("(2 specs in 2 environments checked)"), "{}", out(&human));
    let output = run(dir.path(), &["check", "--format", "short"]);
    assert_eq!(code(&output), 1);
    assert_eq!(
        out(&output).lines().filter(|line| line.contains("unknown-property")).count(),
        1,
        "{}",
        out(&output)
    );
}

#[test]
fn a_changed_mode_is_named() {
    let dir = project(PROJECT);
    assert_eq!(code(&run(dir.path(), &["compile"])), 0);
    let script = dir.path().join("rendered/prod/a/kubernetes/logs.sh");
    fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
    let check = run(dir.path(), &["compile", "--check"]);
    let told =
        "outdated: rendered/prod/a/kubernetes/logs.sh\nonly the permission to execute the file differs\n";
    assert_eq!((code(&check), out(&check)), (1, told));
}

#[test]
fn an_error_of_a_setting_is_reported_in_the_project_file() {
    let dir = project(&PROJECT.replace("count=1", "count=x"));
    let said = run(dir.path(), &["check", "--env", "staging", "--format", "short"]);
    assert!(out(&said).contains("tfjob.kdl:6:32: error[wrong-type]"), "{}{}", out(&said), err(&said));
    // A `--set` of the command line is applied after those of the environment.
    let said = run(dir.path(), &["check", "--env", "staging", "--set", "image=:", "--format", "short"]);
    assert!(out(&said).contains("--set:1:7: error[bad-value]"), "{}", out(&said));
}
