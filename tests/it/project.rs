//! The project file: `check` and `compile` without paths.
#![expect(clippy::unwrap_used, reason = "a test may")]

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
    assert_eq!((code(&again), err(&again)), (0, "35 files, 0 changed\n"));
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
        (&empty, &["compile"], "create a project file `tfjob.kdl`"),
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
    assert!(out(&human).contains("(2 files checked)"), "{}", out(&human));
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
fn jobs_of_a_namespace_share_the_shim_until_none_needs_it() {
    let spec = |name: &str, more: &str| {
        format!(
            "job \"{name}\" {{\n    framework \"tensorflow\" version=\"2.15\"\n    image \"ml/a:1\"\n    run \"a\"\n    \
             role \"worker\" {{ resources cpus=1 memory=\"1GiB\" }}\n    {more}\n    target \"kubernetes\" {{ namespace \"1\" }}\n}}\n"
        )
    };
    let dir = project("project { specs \"jobs\"; out \"rendered\" }\n");
    let shim = "hadoop home=\"/opt/hadoop\" java=\"/opt/java\"; data \"d\" \"hdfs://default/d\"";
    write(dir.path(), "jobs/a.tfjob.kdl", &spec("a", shim));
    write(dir.path(), "jobs/b.tfjob.kdl", &spec("b", shim));
    let compile = run(dir.path(), &["compile"]);
    assert_eq!(code(&compile), 0, "{}", err(&compile));
    let rendered = dir.path().join("rendered");
    let shared = || files(&rendered).into_iter().filter(|name| name.starts_with("_shim")).collect::<Vec<_>>();
    assert_eq!(shared(), ["_shim/1/configmap.yaml", "_shim/1/kustomization.yaml"]);
    let why = "\na/kubernetes: tfjob-shim runs in each task, for `hadoop` (line 6)\n";
    assert!(err(&compile).contains(why), "{}", err(&compile));
    let map = fs::read_to_string(rendered.join("_shim/1/configmap.yaml")).unwrap();
    // Without quotes, the namespace would be a number, which the API server refuses.
    assert!(map.contains("  namespace: \"1\"\n"), "{map}");
    assert!(map.contains("immutable: true\nbinaryData:\n  tfjob-shim: |\n    "), "{map}");
    let job = fs::read_to_string(rendered.join("a/kubernetes/tfjob.yaml")).unwrap();
    let name = map.lines().find_map(|line| line.strip_prefix("  name: ")).unwrap();
    assert!(job.contains(&format!("name: {name}\n")), "{job}");

    write(dir.path(), "jobs/a.tfjob.kdl", &spec("a", ""));
    write(dir.path(), "jobs/b.tfjob.kdl", &spec("b", ""));
    let check = run(dir.path(), &["compile", "--check"]);
    assert!(out(&check).contains("obsolete: rendered/_shim/1/configmap.yaml"), "{}", out(&check));
    write(dir.path(), "rendered/_shim/README.md", "by hand");
    assert_eq!(code(&run(dir.path(), &["compile", "--prune"])), 0);
    assert_eq!(shared(), ["_shim/README.md"]);
}

#[test]
fn what_is_no_static_program_is_not_the_shim() {
    let dir = tempfile::tempdir().unwrap();
    let hadoop = "hadoop home=\"/opt/hadoop\" java=\"/opt/java\"\n    env { D \"{data.d}\"; }\n    data \"d\" \"hdfs://default/d\"";
    write(
        dir.path(),
        "a.tfjob.kdl",
        &crate::program::GOOD.replace("role \"worker\"", &format!("{hadoop}\n    role \"worker\"")),
    );
    write(dir.path(), "script", "#!/bin/sh\n");
    // A file next to the spec is not mounted into pods.
    write(dir.path(), "tfjob-shim", "#!/bin/sh\n");
    let compile = |shim: &str| {
        let words = ["compile", "a.tfjob.kdl", "--target", "kubernetes"];
        crate::program::tfjob(dir.path(), &words).env("TFJOB_SHIM", shim).output().unwrap()
    };
    let script = compile("script");
    assert_eq!(code(&script), 2);
    assert!(
        err(&script).ends_with("`script` cannot be the shim: it is not a static Linux program\n"),
        "{}",
        err(&script)
    );
    fs::write(dir.path().join("large"), [b"\x7fELF\x02\x01".as_slice(), &vec![0; 1 << 20]].concat()).unwrap();
    let large = compile("large");
    assert!(err(&large).contains("cannot be the shim: it has 1048582 bytes"), "{}", err(&large));
    assert!(!dir.path().join("out").exists());
}

#[test]
fn attributes_of_the_user_are_kept_and_a_changed_mode_is_named() {
    let dir = project(PROJECT);
    write(dir.path(), "rendered/.gitattributes", "*.bin filter=lfs\n");
    assert_eq!(code(&run(dir.path(), &["compile"])), 0);
    assert_eq!(fs::read_to_string(dir.path().join("rendered/.gitattributes")).unwrap(), "*.bin filter=lfs\n");
    let script = dir.path().join("rendered/prod/a/kubernetes/logs.sh");
    fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
    let check = run(dir.path(), &["compile", "--check"]);
    let told =
        "outdated: rendered/prod/a/kubernetes/logs.sh\nonly the permission to execute the file differs\n";
    assert_eq!((code(&check), out(&check)), (1, told));
}

#[test]
fn without_the_shim_nothing_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let text = crate::program::GOOD
        .replace("role \"worker\"", "hadoop home=\"/opt/hadoop\" java=\"/opt/java\"\n    data \"d\" \"hdfs://default/d\"\n    role \"worker\"");
    write(dir.path(), "a.tfjob.kdl", &text);
    let mut command =
        crate::program::tfjob(dir.path(), &["compile", "a.tfjob.kdl", "--target", "kubernetes"]);
    let compile = command.env("TFJOB_SHIM", "nowhere/tfjob-shim").output().unwrap();
    assert_eq!(code(&compile), 2, "{}", err(&compile));
    assert!(err(&compile).contains("cannot read `"), "{}", err(&compile));
    assert!(!dir.path().join("out").exists());
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
