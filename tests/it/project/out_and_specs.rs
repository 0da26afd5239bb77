//! Output directories that are refused, and `specs` that select no job.
use super::{PROJECT, files, project, write};
use crate::program::{code, err, out, run};
use std::fs;

#[test]
fn an_output_directory_that_spark_submit_refuses_is_an_error() {
    let spark = |out: &str, target: &str| {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), "tfjob.kdl", &format!("project {{\n    out \"{out}\"\n}}\n"));
        let job = "job \"a\" {\n    framework \"tensorflow\" version=\"2.15\"\n    run \"python\" \"/a.py\"\n    role \"worker\" { \
                   resources cpus=1 memory=\"1GiB\"; }\n    target \"spark\" { master \"yarn\"; }\n}\n";
        let yarn = job.replace("\"spark\" { master \"yarn\"; }", "\"yarn\"");
        write(dir.path(), "a.tfjob.kdl", if target == "spark" { job } else { &yarn });
        dir
    };
    for (path, culprit) in [("ü", "ü"), ("it's", "'"), ("a,b", ","), ("x/[y]", "[")] {
        let dir = spark(path, "spark");
        for words in [&["check"][..], &["compile", "--check"]] {
            let output = run(dir.path(), &[words, &["--format", "short"]].concat());
            let text = format!("{}{}", out(&output), err(&output));
            assert_eq!(code(&output), 1, "{path}: {text}");
            let fact = format!(
                "output directory `{path}`, because spark-submit cannot handle `{culprit}` in a path"
            );
            assert!(text.contains("tfjob.kdl:2:9") && text.contains(&fact), "{text}");
        }
        assert_eq!(code(&run(dir.path(), &["compile", "--out", "other"])), 0);
        let yarn = spark(path, "yarn");
        assert_eq!((code(&run(yarn.path(), &["check"])), code(&run(yarn.path(), &["compile"]))), (0, 0));
    }
    let dir = spark("a b/c_d-e.f", "spark");
    assert_eq!(code(&run(dir.path(), &["check"])), 0);
}

#[cfg(unix)]
#[test]
fn a_glob_below_a_linked_directory_names_the_link() {
    let dir = project(&PROJECT.replace("specs \"jobs\"", "specs \"jobs\" \"linked/a.tfjob.kdl\" \"linked\""));
    std::os::unix::fs::symlink("jobs", dir.path().join("linked")).unwrap();
    let said = run(dir.path(), &["check"]);
    assert_eq!(code(&said), 1);
    assert_eq!(
        out(&said).matches("`linked` is a link to a directory, which `specs` does not follow").count(),
        2,
        "{}",
        out(&said)
    );
}

#[test]
fn a_project_without_specs_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "tfjob.kdl", "project {\n}\n");
    for command in ["check", "compile"] {
        let said = run(dir.path(), &[command]);
        assert_eq!(code(&said), 2, "{}", err(&said));
        assert!(err(&said).contains("in the project directory `.`"), "{}", err(&said));
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_written_into_the_directory_of_git_or_deleted_there() {
    let dir = project(&PROJECT.replace("\"rendered\"", "\"link\""));
    fs::create_dir_all(dir.path().join(".git/hooks")).unwrap();
    std::os::unix::fs::symlink(".git", dir.path().join("link")).unwrap();
    for words in [&["compile"][..], &["compile", "-o", ".git"], &["compile", "-o", "x/../.GIT/hooks/y"]] {
        let said = run(dir.path(), words);
        assert!(
            code(&said) == 2 && err(&said).contains("inside the directory `.git`"),
            "{words:?} {}",
            err(&said)
        );
    }
    assert_eq!(files(&dir.path().join(".git")), [""; 0]);
    // Another tool may have copied artifacts there.
    fs::remove_file(dir.path().join("link")).unwrap();
    assert_eq!(code(&run(dir.path(), &["compile"])), 0);
    fs::rename(dir.path().join("link/prod"), dir.path().join("link/.git")).unwrap();
    let before = files(&dir.path().join("link/.git"));
    assert_eq!(code(&run(dir.path(), &["compile", "--prune"])), 0);
    assert_eq!((files(&dir.path().join("link/.git")), before.is_empty()), (before, false));
}

#[test]
fn an_output_that_cannot_be_read_is_not_missing() {
    let dir = project(PROJECT);
    assert_eq!(code(&run(dir.path(), &["compile"])), 0);
    let path = dir.path().join("rendered/prod/a/kubernetes/tfjob.yaml");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
        // The administrator can read each file.
        if fs::read(&path).is_err() {
            let check = run(dir.path(), &["compile", "--check"]);
            assert_eq!(code(&check), 2);
            assert!(
                err(&check).contains("cannot read") && !out(&check).contains("missing"),
                "{}",
                err(&check)
            );
        }
    }
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    let check = run(dir.path(), &["compile", "--check"]);
    let told = "outdated: rendered/prod/a/kubernetes/tfjob.yaml\na directory, which tfjob does not replace; delete the directory\n";
    assert!(
        code(&check) == 1 && out(&check).contains(told) && !out(&check).contains("missing"),
        "{}",
        out(&check)
    );
    let prune = run(dir.path(), &["compile", "--prune", "jobs/a.tfjob.kdl"]);
    assert!(code(&prune) == 2 && err(&prune).contains("run it without paths"), "{}", err(&prune));
}
