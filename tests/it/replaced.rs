//! `argocd` of the target `kubernetes`: names with a digest, sync waves, and hooks.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::program::{code, err, out, run};
use std::fs;

const JOB: &str = r#"job "NAME" {
    framework "tensorflow" version="2.15" strategy="multi-worker-mirrored"
    image "example/a:1"
    run "train" "{job}" "{addresses.worker}"
    role "worker" count=2 {
        resources cpus=1 memory="1GiB"
    }
    keep "failed"
    target "kubernetes" {
        OPTION
    }
}
"#;

fn spec(name: &str, option: &str) -> String {
    JOB.replace("NAME", name).replace("OPTION", option)
}

/// Returns the exit code, the manifests, and the errors.
fn compiled(text: &str) -> (i32, String, String) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.tfjob.kdl"), text).unwrap();
    let said = run(dir.path(), &["compile", "--quiet", "--stdout", "--target", "kubernetes", "a.tfjob.kdl"]);
    (code(&said), out(&said).to_owned(), err(&said).to_owned())
}

/// Returns the name of the TFJob.
fn name(manifests: &str) -> &str {
    manifests.lines().find_map(|line| line.strip_prefix("  name: ")).unwrap()
}

#[test]
fn all_names_of_a_job_have_the_same_digest() {
    let (code, made, _) = compiled(&spec("mnist", "argocd"));
    assert_eq!(code, 0);
    let own = name(&made);
    // A new version of tfjob keeps the names, so that Argo CD does not start finished jobs again.
    assert_eq!(own, "mnist-5d4c1113");
    let digest = own.strip_prefix("mnist-").unwrap();
    assert!(digest.len() == 8 && digest.chars().all(|c| c.is_ascii_hexdigit()), "{own}");
    assert!(made.contains(&format!("tfjob/task-digest: sha256:{digest}")), "{made}");
    assert!(made.contains(&format!("{own}-worker-0.")), "addresses: {made}");
    assert!(made.contains(&format!("name: {own}-tfjob\n")), "{made}");
    // What the program sees, and what people search for, stays the same.
    assert!(made.contains("app.kubernetes.io/part-of: mnist\n") && made.contains("- mnist\n"), "{made}");
    assert!(made.contains("argocd.argoproj.io/sync-wave: \"-1\"\n"), "{made}");
}

#[test]
fn without_the_option_nothing_changes() {
    let (_, made, _) = compiled(&spec("mnist", ""));
    assert!(name(&made) == "mnist" && !made.contains("argocd") && !made.contains("ConfigMap"), "{made}");
}

#[test]
fn only_a_change_of_the_job_changes_the_name() {
    let first = spec("mnist", "argocd");
    let of = |text: &str| name(&compiled(text).1).to_owned();
    let before = of(&first);
    for same in ["    // A comment.\n    keep", "    keep"] {
        assert_eq!(of(&first.replace("    keep", same)), before);
    }
    // No task sees these fields.
    for field in ["description \"x\"", "tensorboard logs=\"gs://logs/a\""] {
        assert_eq!(of(&first.replace("    keep", &format!("    {field}\n    keep"))), before, "{field}");
    }
    for (from, to) in [("a:1", "a:2"), ("count=2", "count=3"), ("argocd", "argocd; priority \"high\"")] {
        assert_ne!(of(&first.replace(from, to)), before, "{to}");
    }
}

#[test]
fn waves_and_hooks_are_annotations() {
    let (_, made, _) = compiled(&spec("mnist", "argocd wave=5"));
    assert!(made.contains("sync-wave: \"5\"") && made.contains("sync-wave: \"4\""), "{made}");
    let (_, made, _) = compiled(&spec("mnist", "argocd wave=-32768"));
    assert!(made.contains("sync-wave: \"-32769\""), "{made}");
    let (_, made, _) = compiled(&spec("mnist", "argocd hook=\"PostSync\""));
    assert_eq!(name(&made), "mnist");
    assert!(made.contains("argocd.argoproj.io/hook: PostSync\n"), "{made}");
    assert!(made.contains("argocd.argoproj.io/hook-delete-policy: BeforeHookCreation\n"), "{made}");
    assert!(!made.contains("sync-wave"), "{made}");
    // The ConfigMap that the shim reads exists before the hook runs, and is as new as the hook.
    let shim = spec("mnist", "argocd hook=\"PreSync\"; shim path=\"/opt/tfjob-shim\"").replace(
        "keep",
        "restart \"on-failure\" limit=3\n    allow \"restart\" on=\"kubernetes\" because=\"x\"\n    keep",
    );
    let (code, made, told) = compiled(&shim);
    assert_eq!(code, 0, "{told}");
    assert_eq!(made.matches("argocd.argoproj.io/hook: PreSync").count(), 2, "{made}");
    assert!(made.contains("argocd.argoproj.io/sync-wave: \"-1\""), "{made}");
}

#[test]
fn a_job_that_deletes_itself_is_refused() {
    let text = spec("mnist", "argocd").replace("keep \"failed\"", "keep \"failed\" for=\"1h\"");
    let (code, _, told) = compiled(&text);
    assert_eq!(code, 1);
    assert!(told.contains("creates it again") && told.contains("remove `for`"), "{told}");
    // A hook is created again at each synchronization anyway.
    assert_eq!(compiled(&text.replace("argocd", "argocd hook=\"Sync\"")).0, 0);
}

#[test]
fn a_long_name_has_no_room_for_the_digest() {
    let long = "a".repeat(50);
    assert_eq!(compiled(&spec(&long, "")).0, 0);
    let (code, _, told) = compiled(&spec(&long, "argocd"));
    assert_eq!(code, 1);
    assert!(told.contains("shorten the job name to at most 45 characters"), "{told}");
    assert_eq!(compiled(&spec(&"a".repeat(45), "argocd")).0, 0);
}
