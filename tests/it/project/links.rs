//! Symbolic links and files of other programs in the output directory, and links in the place of the files that a project reads.
use super::{PROJECT, project, write};
use crate::program::{code, err, out, run};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use tempfile::TempDir;

const SECRET: &str = "GITHUB_TOKEN=abc123def456";

/// Returns a compiled project, and a directory outside of it with a file that nothing may print.
fn compiled() -> (TempDir, TempDir) {
    let (dir, outside) = (project(PROJECT), tempfile::tempdir().unwrap());
    assert_eq!(code(&run(dir.path(), &["compile"])), 0);
    write(outside.path(), "environ", SECRET);
    (dir, outside)
}

/// Runs `compile --check` in each format, and returns the output of the human format.
fn check(dir: &Path) -> (i32, String) {
    for format in ["short", "json", "sarif", "github", "gitlab"] {
        let told = run(dir, &["compile", "--check", "--format", format]);
        assert!(
            !format!("{}{}", out(&told), err(&told)).contains("abc123def456"),
            "{format}: {}",
            out(&told)
        );
    }
    let told = run(dir, &["compile", "--check"]);
    assert!(!out(&told).contains("abc123def456"), "{}", out(&told));
    (code(&told), out(&told).to_owned())
}

#[test]
fn a_link_in_the_place_of_an_output_is_reported_and_not_read() {
    let (dir, outside) = compiled();
    let script = dir.path().join("rendered/prod/a/kubernetes/logs.sh");
    let text = fs::read(&script).unwrap();
    fs::remove_file(&script).unwrap();
    symlink(outside.path().join("environ"), &script).unwrap();
    let told = "outdated: rendered/prod/a/kubernetes/logs.sh\na symbolic link, which tfjob neither follows nor replaces; delete the link\n";
    assert_eq!(check(dir.path()), (1, told.to_owned()));
    let short = run(dir.path(), &["compile", "--check", "--format", "short"]);
    let told = "rendered/prod/a/kubernetes/logs.sh:1:1: error[outdated-output]: the output path is a symbolic link, which tfjob neither follows nor replaces\n";
    assert_eq!(out(&short), told);
    // A link to the same contents is a link too.
    fs::write(outside.path().join("environ"), &text).unwrap();
    assert_eq!(check(dir.path()).0, 1);
    for args in [&["compile"][..], &["compile", "--prune"]] {
        let refused = run(dir.path(), args);
        assert_eq!(code(&refused), 2, "{}", err(&refused));
        assert!(
            err(&refused).contains("the path is a symbolic link; delete it, and run"),
            "{}",
            err(&refused)
        );
    }
    assert_eq!(fs::read(outside.path().join("environ")).unwrap(), text);
}

#[test]
fn attributes_behind_a_link_are_reported_and_not_read() {
    let (dir, outside) = compiled();
    let attributes = dir.path().join("rendered/.gitattributes");
    let text = fs::read(&attributes).unwrap();
    fs::remove_file(&attributes).unwrap();
    symlink(outside.path().join("environ"), &attributes).unwrap();
    let told = "outdated: rendered/.gitattributes\na symbolic link, which tfjob neither follows nor replaces; delete the link\n";
    for contents in [SECRET.as_bytes(), &text] {
        fs::write(outside.path().join("environ"), contents).unwrap();
        assert_eq!(check(dir.path()), (1, told.to_owned()));
        assert_eq!(code(&run(dir.path(), &["compile"])), 2);
    }
}

#[test]
fn a_link_in_the_place_of_a_directory_is_reported_once() {
    let (dir, outside) = compiled();
    for place in ["rendered/prod/a/kubernetes", "rendered/prod/a", "rendered/prod"] {
        let moved = outside.path().join(place.replace('/', "-"));
        // The link leads to the same files.
        assert!(
            std::process::Command::new("mv")
                .arg(dir.path().join(place))
                .arg(&moved)
                .status()
                .unwrap()
                .success()
        );
        symlink(&moved, dir.path().join(place)).unwrap();
        let told = format!(
            "outdated: {place}\na symbolic link, which tfjob neither follows nor replaces; delete the link\n"
        );
        assert_eq!(check(dir.path()), (1, told));
        let refused = run(dir.path(), &["compile"]);
        assert_eq!(code(&refused), 2, "{}", err(&refused));
        assert!(err(&refused).contains("cannot write below a symbolic link"), "{}", err(&refused));
    }
}

#[test]
fn an_added_link_is_obsolete_and_pruned_without_its_target() {
    let (dir, outside) = compiled();
    let job = dir.path().join("rendered/prod/a/kubernetes");
    symlink(outside.path(), job.join("sub")).unwrap();
    symlink(outside.path().join("environ"), job.join("extra.yaml")).unwrap();
    symlink("/none", dir.path().join("rendered/prod/b/kubernetes/extra.yaml")).unwrap();
    fs::remove_file(dir.path().join("jobs/b.tfjob.kdl")).unwrap();
    let (code_, told) = check(dir.path());
    assert_eq!(code_, 1);
    for name in ["a/kubernetes/sub", "a/kubernetes/extra.yaml", "b/kubernetes/extra.yaml"] {
        assert!(told.contains(&format!("obsolete: rendered/prod/{name}\n")), "{told}");
    }
    assert_eq!(code(&run(dir.path(), &["compile", "--prune"])), 0);
    assert_eq!(check(dir.path()), (0, String::new()));
    assert!(!dir.path().join("rendered/prod/b").exists() && job.join("tfjob.yaml").exists());
    assert_eq!(fs::read_to_string(outside.path().join("environ")).unwrap(), SECRET);
}

#[test]
fn what_no_job_generates_in_an_environment_is_reported_and_kept() {
    let (dir, outside) = compiled();
    let rendered = dir.path().join("rendered");
    for name in [
        "prod/evil/kubernetes/pod.yaml",
        "prod/evil/kubernetes/service.yaml",
        "prod/a/spark/pod.yaml",
        "prod/a/overlay/kustomization.yaml",
        "prod/a/overlay/deep/pod.yaml",
        "prod/a/pod.yaml",
        "prod/_shim/evil/pod.yaml",
        "prod/_shim/.gitattributes",
        "prod/_shim/kustomization.yaml",
        "prod/_shim/pod.yaml",
        // These are not in a directory that a tool deploys.
        "prod/kustomization.yaml",
        "notes/of/me/kubernetes.md",
        "README.md",
    ] {
        write(&rendered, name, "kind: Pod\n");
    }
    symlink(outside.path(), rendered.join("prod/linked")).unwrap();
    symlink(outside.path(), rendered.join("prod/a/linked")).unwrap();
    symlink(outside.path(), rendered.join("prod/_shim/linked")).unwrap();
    let foreign = [
        "_shim/.gitattributes",
        "_shim/evil",
        "_shim/kustomization.yaml",
        "_shim/linked",
        "_shim/pod.yaml",
        "a/linked",
        "a/overlay",
        "a/pod.yaml",
        "a/spark",
        "evil",
        "linked",
    ];
    let told = |before: &str| -> String {
        foreign.iter().map(|name| format!("{before}: rendered/prod/{name}\n")).collect()
    };
    let todo = "delete the files that tfjob has not generated, or move them out of the directory of the environment; `--prune` keeps them\n";
    assert_eq!(check(dir.path()), (1, told("not generated by tfjob") + todo));
    let short = run(dir.path(), &["compile", "--check", "--format", "short"]);
    let first = "rendered/prod/evil/kubernetes/pod.yaml:1:1: error[outdated-output]: `rendered/prod/evil` is not generated by tfjob, but a tool that deploys the environment may use it\n";
    assert!(out(&short).contains(first), "{}", out(&short));
    let pruned = run(dir.path(), &["compile", "--prune"]);
    assert_eq!(code(&pruned), 0, "{}", err(&pruned));
    assert!(err(&pruned).starts_with(&told("not generated by tfjob, kept")), "{}", err(&pruned));
    assert!(
        err(&pruned).contains("\n`tfjob compile --check` fails until you delete these files"),
        "{}",
        err(&pruned)
    );
    assert!(rendered.join("prod/evil/kubernetes/pod.yaml").exists());
    // A file next to those of the job is deleted, also if the job is gone. Only the other directory stays.
    fs::remove_file(dir.path().join("jobs/a.tfjob.kdl")).unwrap();
    assert_eq!(code(&run(dir.path(), &["compile", "--prune"])), 0);
    let (_, told) = check(dir.path());
    assert!(told.contains("not generated by tfjob: rendered/prod/a\n"), "{told}");
    // One environment alone does not decide about the files of the others.
    let one = run(dir.path(), &["compile", "--check", "--env", "prod"]);
    assert_eq!((code(&one), out(&one)), (0, ""));
}

#[test]
fn a_file_of_the_project_outside_of_the_repository_is_not_read() {
    for place in ["jobs/a.tfjob.kdl", "clusters/staging.cluster.kdl", "tfjob.kdl"] {
        let (dir, outside) = compiled();
        fs::create_dir(dir.path().join(".git")).unwrap();
        fs::remove_file(dir.path().join(place)).unwrap();
        symlink(outside.path().join("environ"), dir.path().join(place)).unwrap();
        for args in [&["check"][..], &["compile", "--check"], &["check", "--format", "json"]] {
            let told = run(dir.path(), args);
            let all = format!("{}{}", out(&told), err(&told));
            assert_eq!(code(&told), 2, "{place}: {all}");
            assert!(all.contains("a symbolic link leads to") && !all.contains("abc123"), "{place}: {all}");
        }
        // A link inside the repository is followed.
        fs::remove_file(dir.path().join(place)).unwrap();
        let text = match place {
            "tfjob.kdl" => PROJECT.to_owned(),
            "jobs/a.tfjob.kdl" => super::JOB.replace("NAME", "a"),
            _ => super::CLUSTER.to_owned(),
        };
        write(dir.path(), "store/text", &text);
        symlink(dir.path().join("store/text"), dir.path().join(place)).unwrap();
        let told = run(dir.path(), &["check"]);
        assert_eq!(code(&told), 0, "{place}: {}{}", out(&told), err(&told));
    }
}
