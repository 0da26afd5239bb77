//! Every target has the same layout: who knows one finds the way in all.
#![expect(clippy::unwrap_used, reason = "a test may")]

use std::collections::BTreeSet;
use std::path::Path;

/// What a target may have, each for one purpose (ARCHITECTURE, "The layout of a target").
const COMMON: [&str; 13] = [
    "options", "context", "means", "support", "rules", "lower", "schema", "patched", "merged", "reserve",
    "cluster", "view", "pasted",
];

/// What it must have.
const NEEDED: [&str; 5] = ["means", "support", "lower", "schema", "view"];

/// The areas of requirements, each a file of `support/`, or a folder as well where it is long.
const AREAS: [&str; 8] =
    ["job", "program", "identity", "resources", "network", "lifecycle", "placement", "storage"];

/// The folder of a target, or of one of its forms, and the subjects that it alone has.
const TARGETS: [(&str, &[&str]); 6] = [
    ("kubernetes", &["operator", "published", "queues"]),
    ("yarn", &["release", "text", "variables"]),
    ("local", &[]),
    ("spark", &["python", "settings", "text"]),
    ("dcos/marathon", &["hosts", "order"]),
    ("dcos/package", &["slot"]),
];

/// The modules of a folder: its files and folders without their ending.
fn modules(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let rust = entries.filter(|path| path.is_dir() || path.extension().is_some_and(|end| end == "rs"));
    rust.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect()
}

#[test]
fn every_target_has_the_same_layout() {
    let targets = Path::new(env!("CARGO_MANIFEST_DIR")).join("targets/src");
    for (target, own) in TARGETS {
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

#[test]
fn support_is_answered_by_area() {
    let targets = Path::new(env!("CARGO_MANIFEST_DIR")).join("targets/src");
    for (target, _) in TARGETS {
        let dispatch = std::fs::read_to_string(targets.join(target).join("support.rs")).unwrap();
        let found = modules(&targets.join(target).join("support"));
        for area in AREAS {
            let answers =
                dispatch.contains(&format!("fn {area}(")) && dispatch.contains(&format!("{area}::answer("));
            assert!(answers, "{target}: support.rs does not hand `{area}` to a file of that name");
        }
        let other: Vec<_> = found.iter().filter(|name| !AREAS.contains(&name.as_str())).collect();
        assert!(other.len() <= 3, "{target}: support/ has {other:?} beside the areas");
    }
}
