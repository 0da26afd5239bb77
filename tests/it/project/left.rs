//! What `compile` says about the objects of obsolete manifests, and what `compile --check` says to do.
use super::tampered::with_shim;
use super::{PROJECT, project, write};
use crate::program::{code, err, out, run};
use std::fs;
use tempfile::TempDir;

const SELECT: &str =
    "to delete them, select the context of their cluster (`kubectl config use-context`), and run:\n";

const DELETE: &str = "kubectl delete --ignore-not-found";

#[test]
fn the_objects_of_each_environment_have_their_commands() {
    let dir = with_shim();
    let shim = fs::read_to_string(dir.path().join("rendered/prod/_shim/default/configmap.yaml")).unwrap();
    let shim = shim.lines().find_map(|line| line.strip_prefix("  name: ")).unwrap();
    write(dir.path(), "rendered/prod/a/kubernetes/notes.txt", "by hand");
    fs::remove_file(dir.path().join("jobs/a.tfjob.kdl")).unwrap();
    for prune in [false, true] {
        let told = run(dir.path(), &["compile", if prune { "--prune" } else { "--steps=human" }]);
        assert_eq!(code(&told), 0, "{}", err(&told));
        let mut expected = String::new();
        for environment in ["prod", "staging"] {
            let command = |file: &str, object: &str| match prune {
                false => format!("  {DELETE} --filename rendered/{environment}/{file}.yaml\n"),
                true => format!("  {DELETE} --namespace default {object}\n"),
            };
            expected +=
                &format!("objects of these manifests may still run in environment {environment}; {SELECT}");
            expected += &command("a/kubernetes/configmap", "configmap/a-tfjob");
            expected += &command("a/kubernetes/tfjob", "tfjob/a");
            expected += &format!(
                "these ConfigMaps contain the shim for all jobs of their namespace in environment {environment}; after these jobs have \
                 finished, delete them in the same context:\n"
            );
            expected += &command("_shim/default/configmap", &format!("configmap/{shim}"));
        }
        assert!(err(&told).contains(&expected), "{}\n{expected}", err(&told));
        assert_eq!(err(&told).matches("kubectl delete").count(), 6, "{}", err(&told));
    }
}

/// No commit must have the deleted files: the commands name the objects that they contained.
#[test]
fn deleted_manifests_of_any_content_are_named() {
    let dir = with_shim();
    let secret = "rendered/prod/a/kubernetes/secret.yaml";
    let of = |name: &str| format!("kind: Secret\napiVersion: v1\nmetadata: {{name: {name}}}\n");
    for (text, line) in [
        (&*of("one"), format!("  {DELETE} secret/one\n")),
        (&*format!("{}---\n{}", of("one"), of("\"two\"")), format!("  {DELETE} secret/one secret/two\n")),
        (&*of("'a b; c'"), format!("  {DELETE} 'secret/a b; c'\n")),
        ("kind: Secret\n", format!("  # {secret}: contains no object with a name\n")),
        ("a: [", format!("  # {secret}: contains no object with a name\n")),
    ] {
        write(dir.path(), secret, text);
        let told = run(dir.path(), &["compile", "--prune"]);
        assert!(err(&told).contains(&format!("deleted {secret}\n")), "{}", err(&told));
        assert!(err(&told).contains(&line), "{}", err(&told));
    }
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

/// A manifest that is not read, such as one with a link in its place.
#[cfg(unix)]
#[test]
fn a_manifest_that_cannot_be_read_is_named() {
    let dir = with_shim();
    let secret = "rendered/prod/a/kubernetes/secret.yaml";
    std::os::unix::fs::symlink("tfjob.yaml", dir.path().join(secret)).unwrap();
    let told = run(dir.path(), &["compile", "--prune"]);
    let line = format!("  # {secret}: cannot be read, so its objects are not known\n");
    assert!(
        err(&told).contains(&format!("deleted {secret}\n")) && err(&told).contains(&line),
        "{}",
        err(&told)
    );
}

/// Compiles a project with a job, and deletes its spec.
fn without_its_spec(job: &str) -> TempDir {
    let dir = project(PROJECT);
    write(dir.path(), "jobs/a.tfjob.kdl", job);
    let compile = run(dir.path(), &["compile"]);
    assert_eq!(code(&compile), 0, "{}", err(&compile));
    fs::remove_file(dir.path().join("jobs/a.tfjob.kdl")).unwrap();
    dir
}

/// Argo CD deletes the objects of removed manifests, except hooks.
#[test]
fn objects_that_argo_cd_deletes_have_no_command() {
    // The ConfigMap of a job with a shim contains the variable.
    let text = "env { NOTE \"do not set argocd.argoproj.io/sync-wave: here\"; D \"{data.d}\"; }\n    data \"d\" \"hdfs://default/d\"\n    \
                hadoop home=\"/opt/hadoop\" java=\"/opt/java\"\n    ";
    let annotation = "annotations { \"argocd.argoproj.io/sync-wave\" \"2\"; }";
    for (option, text, is_pruned) in [
        ("argocd", "", true),
        ("argocd", &*text.replace("sync-wave", "hook-delete-policy"), true),
        ("argocd hook=\"PostSync\"", "", false),
        ("namespace \"ml\"", "", false),
        ("namespace \"ml\"", text, false),
        // A wave of the TFJob only, without a digest in its name.
        (annotation, text, false),
    ] {
        let job = super::JOB.replace("NAME", "a").replace("run ", &format!("{text}run "));
        let dir =
            without_its_spec(&job.replace("\"kubernetes\"", &format!("\"kubernetes\" {{ {option}; }}")));
        let name = |environment: &str| {
            let manifest = dir.path().join(format!("rendered/{environment}/a/kubernetes/tfjob.yaml"));
            let text = fs::read_to_string(manifest).unwrap();
            text.lines().find_map(|line| line.strip_prefix("  name: ")).unwrap().to_owned()
        };
        let lines = ["prod", "staging"].map(|environment| {
            let (name, place) = (name(environment), format!("rendered/{environment}/a/kubernetes"));
            format!(
                "  configmap/{name}-tfjob ({place}/configmap.yaml)\n  tfjob/{name} ({place}/tfjob.yaml)\n"
            )
        });
        let title = "Argo CD deletes these objects, if it has created them and its application prunes:\n";
        // As long as the manifests exist, Argo CD deletes nothing.
        for (args, before) in
            [(&["compile"][..], "after you have deleted the obsolete files, "), (&["compile", "--prune"], "")]
        {
            let told = run(dir.path(), args);
            let listed = format!("\n{before}{title}{}", lines.concat());
            assert_eq!(err(&told).contains(&listed), is_pruned, "{}{listed}", err(&told));
            let of_job = |line: &&str| line.contains("kubectl delete") && !line.contains("shim");
            assert_eq!(err(&told).lines().any(|line| of_job(&line)), !is_pruned, "{}", err(&told));
        }
    }
}
