//! What `compile` says about the objects of obsolete manifests, and what `compile --check` says to do.
use super::tampered::with_shim;
use super::{PROJECT, project, write};
use crate::program::{code, err, out, run};
use std::fs;
use std::path::Path;
use std::process::Command;

const SELECT: &str =
    "to delete them, select the context of their cluster (`kubectl config use-context`), and run:\n";

fn git(dir: &Path, args: &[&str]) {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(args).current_dir(dir);
    let done = git.env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap();
    assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn the_objects_of_each_environment_have_their_commands() {
    let dir = with_shim();
    write(dir.path(), "rendered/prod/a/kubernetes/notes.txt", "by hand");
    git(dir.path(), &["init", "--quiet"]);
    git(dir.path(), &["add", "--all"]);
    git(dir.path(), &["commit", "--quiet", "--message", "a"]);
    fs::remove_file(dir.path().join("jobs/a.tfjob.kdl")).unwrap();
    for (prune, before, after) in [
        ("--steps=human", "kubectl delete --ignore-not-found --filename ", ""),
        ("--prune", "git show HEAD:./", " | kubectl delete --ignore-not-found --filename -"),
    ] {
        let told = run(dir.path(), &["compile", prune]);
        assert_eq!(code(&told), 0, "{}", err(&told));
        let mut expected = String::new();
        for environment in ["prod", "staging"] {
            let command = |file: &str| format!("  {before}rendered/{environment}/{file}.yaml{after}\n");
            expected +=
                &format!("objects of these manifests may still run in environment {environment}; {SELECT}");
            expected += &command("a/kubernetes/configmap");
            expected += &command("a/kubernetes/tfjob");
            expected += &format!(
                "these ConfigMaps contain the shim for all jobs of their namespace in environment {environment}; after these jobs have \
                 finished, delete them in the same context:\n"
            );
            expected += &command("_shim/default/configmap");
        }
        assert!(err(&told).contains(&expected), "{}\n{expected}", err(&told));
        assert_eq!(err(&told).matches("kubectl delete").count(), 6, "{}", err(&told));
    }
}

/// The content of a file that the last commit does not have is lost.
#[test]
fn only_committed_manifests_have_a_command() {
    let dir = with_shim();
    let git = |args: &[&str]| git(dir.path(), args);
    // Without a repository or a commit, no command can read a deleted file.
    for is_repository in [false, true] {
        if is_repository {
            git(&["init", "--quiet"]);
        }
        write(dir.path(), "rendered/prod/a/kubernetes/secret.yaml", "kind: Secret\n");
        let told = run(dir.path(), &["compile", "--prune"]);
        assert!(err(&told).contains("deleted rendered/prod/a/kubernetes/secret.yaml\n"), "{}", err(&told));
        assert!(!err(&told).contains("git show"), "{}", err(&told));
        let by_name = "no commit has these files, so delete the objects by their names:\n  rendered/prod/a/kubernetes/secret.yaml\n";
        assert!(err(&told).contains(by_name), "{}", err(&told));
    }
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "a"]);
    write(dir.path(), "rendered/prod/a/kubernetes/secret.yaml", "kind: Secret\n");
    write(dir.path(), "rendered/staging/a/kubernetes/secret.yaml", "kind: Secret\n");
    git(&["add", "rendered/staging/a/kubernetes/secret.yaml"]);
    let told = run(dir.path(), &["compile", "--prune"]);
    assert!(err(&told).contains("deleted rendered/prod/a/kubernetes/secret.yaml\n"), "{}", err(&told));
    assert!(!err(&told).contains("git show"), "{}", err(&told));
    fs::remove_file(dir.path().join("jobs/a.tfjob.kdl")).unwrap();
    let told = run(dir.path(), &["compile", "--prune"]);
    assert_eq!(err(&told).matches("git show HEAD:./rendered/").count(), 6, "{}", err(&told));
}

#[test]
fn a_check_ends_with_what_to_do() {
    let commit = "and commit the changes\n";
    let write_ = format!("run `tfjob compile`, {commit}");
    let prune = format!("run `tfjob compile --prune`, which also deletes the obsolete files, {commit}");
    let foreign = "delete the files that tfjob has not generated, or move them out of the directory of the environment; `--prune` \
                   keeps them\n";
    let dir = project(PROJECT);
    let check = |args: &[&str], expected: &str| {
        for format in ["human", "short"] {
            for quiet in ["--quiet", "--color=never"] {
                let told =
                    run(dir.path(), &[&["compile", "--check", "--format", format, quiet], args].concat());
                assert_eq!(code(&told), i32::from(!expected.is_empty()), "{}{}", out(&told), err(&told));
                let text = if format == "human" { out(&told) } else { err(&told) };
                let silent = format == "short" && quiet == "--quiet";
                assert!(text.ends_with(if silent { "" } else { expected }), "{args:?} {format}: {text}");
                assert!(text.matches("run `tfjob compile").count() <= 1, "{args:?} {format}: {text}");
            }
        }
    };
    check(&[], &write_);
    assert_eq!(code(&run(dir.path(), &["compile"])), 0);
    check(&[], "");
    fs::remove_file(dir.path().join("jobs/b.tfjob.kdl")).unwrap();
    check(&[], &prune);
    fs::remove_file(dir.path().join("rendered/prod/a/kubernetes/logs.sh")).unwrap();
    check(&[], &prune);
    check(&["tfjob.kdl"], &prune.replace("--prune`", "--prune tfjob.kdl`"));
    check(&["--env", "prod"], &write_.replace("compile`", "compile` with the same options"));
    write(dir.path(), "rendered/prod/a/kubernetes/more.txt", "");
    let both = format!("run `tfjob compile` with the same options, delete the obsolete files, {commit}");
    check(&["--env", "prod"], &both);
    assert_eq!(code(&run(dir.path(), &["compile", "--prune"])), 0);
    write(dir.path(), "rendered/prod/a/pod.yaml", "");
    check(&[], foreign);
    fs::write(dir.path().join("rendered/prod/a/kubernetes/logs.sh"), "").unwrap();
    check(&[], &format!("{write_}{foreign}"));
}

/// Argo CD deletes the objects of removed manifests, except hooks.
#[test]
fn objects_that_argo_cd_deletes_have_no_command() {
    for (option, is_pruned) in
        [("argocd", true), ("argocd hook=\"PostSync\"", false), ("namespace \"ml\"", false)]
    {
        let dir = project(PROJECT);
        let job = super::JOB.replace("NAME", "a");
        write(
            dir.path(),
            "jobs/a.tfjob.kdl",
            &job.replace("\"kubernetes\"", &format!("\"kubernetes\" {{ {option}; }}")),
        );
        let compile = run(dir.path(), &["compile"]);
        assert_eq!(code(&compile), 0, "{}", err(&compile));
        git(dir.path(), &["init", "--quiet"]);
        git(dir.path(), &["add", "--all"]);
        git(dir.path(), &["commit", "--quiet", "--message", "a"]);
        fs::remove_file(dir.path().join("jobs/a.tfjob.kdl")).unwrap();
        for args in [&["compile"][..], &["compile", "--prune"]] {
            let told = run(dir.path(), args);
            let line = "Argo CD deletes the objects of these manifests, if the application prunes:\n";
            assert_eq!(err(&told).matches(line).count(), usize::from(is_pruned), "{}", err(&told));
            assert_eq!(err(&told).contains("kubectl delete"), !is_pruned, "{}", err(&told));
        }
    }
}
