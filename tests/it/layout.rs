//! Tests that all targets have the same layout of modules.
#![expect(clippy::unwrap_used, reason = "a test may")]

use std::collections::BTreeSet;
use std::path::Path;

/// Modules that a target may have (ARCHITECTURE, "The layout of a target").
const COMMON: [&str; 14] = [
    "options",
    "context",
    "mechanism",
    "support",
    "rules",
    "lower",
    "schema",
    "patched",
    "merged",
    "reserve",
    "cluster",
    "view",
    "updates",
    "pasted",
];

/// Modules that a target must have.
const NEEDED: [&str; 5] = ["mechanism", "support", "lower", "schema", "view"];

/// Areas of requirements: a file of `support/`, and a directory if the file is long.
const AREAS: [&str; 8] =
    ["job", "program", "identity", "resources", "network", "lifecycle", "placement", "storage"];

/// For each target or form of a target: its directory, the modules that only this target has, and the modules that the areas of
/// its support share.
const TARGETS: [(&str, &[&str], &[&str]); 6] = [
    ("kubernetes", &["operator", "published", "queues"], &[]),
    ("yarn", &["release", "text", "variables"], &[]),
    ("local", &[], &[]),
    ("spark", &["python", "settings", "text"], &["mount_paths", "shared"]),
    ("dcos/marathon", &["hosts", "order"], &["constraint", "mounts", "variables"]),
    ("dcos/package", &["slot"], &[]),
];

/// Returns the modules of a directory: its files and directories without extensions.
fn modules(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let rust = entries.filter(|path| path.is_dir() || path.extension().is_some_and(|end| end == "rs"));
    rust.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect()
}

#[test]
fn every_target_has_the_same_layout() {
    let targets = Path::new(env!("CARGO_MANIFEST_DIR")).join("targets/src");
    let rows: BTreeSet<&str> = TARGETS.iter().map(|(folder, ..)| folder.split('/').next().unwrap()).collect();
    assert_eq!(
        rows,
        tfjob_targets::ALL.iter().map(|target| target.name()).collect(),
        "a row for each target"
    );
    for (target, own, _) in TARGETS {
        let found = modules(&targets.join(target));
        let known: BTreeSet<String> = COMMON.iter().chain(own).map(|&name| name.to_owned()).collect();
        assert_eq!(
            found.difference(&known).collect::<Vec<_>>(),
            Vec::<&String>::new(),
            "unknown in {target}"
        );
        let missing: Vec<_> = NEEDED.iter().chain(own).filter(|&&name| !found.contains(name)).collect();
        assert_eq!(missing, Vec::<&&str>::new(), "missing in {target}");
    }
}

/// The support of an area is in the file of that name of the target, or of `pod`.
#[test]
fn support_is_organized_by_area() {
    let targets = Path::new(env!("CARGO_MANIFEST_DIR")).join("targets/src");
    let pods = modules(&targets.join("pod/support"));
    for (target, _, shared) in TARGETS {
        let dispatch = std::fs::read_to_string(targets.join(target).join("support.rs")).unwrap();
        let own = modules(&targets.join(target).join("support"));
        // A missing area does not compile, or is unsupported as a whole.
        let answered = AREAS.iter().filter(|area| dispatch.contains(&format!("fn {area}(")));
        for &area in answered {
            let by_pods = dispatch.contains(&format!("pod::support::{area}::support("));
            let by_own = !by_pods && dispatch.contains(&format!("{area}::support("));
            assert!(by_own && own.contains(area) || by_pods && pods.contains(area), "{target}: {area}");
        }
        let known: BTreeSet<String> = AREAS.iter().chain(shared).map(|&name| name.to_owned()).collect();
        assert_eq!(own.difference(&known).collect::<Vec<_>>(), Vec::<&String>::new(), "unknown in {target}");
    }
}
