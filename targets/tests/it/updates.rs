//! The tables of what platforms do with a change of a submitted job. `targets/conformance/live` observes the real platforms.
use std::path::{Path, PathBuf};
use tfjob_lang::target::{Change, Effect, Known, UpdateRule, Updates};
use tfjob_targets::ALL;

fn tables() -> impl Iterator<Item = (&'static str, Updates)> {
    ALL.iter().map(|target| (target.name(), target.updates()))
}

/// Returns a file and a pointer that the rule is about.
fn sample(rule: &UpdateRule) -> (&'static str, String) {
    let file = if rule.file == "*" { "another.file" } else { rule.file };
    (file, rule.pointer.replace("**", "x/y").replace('*', "x"))
}

#[test]
fn the_last_rule_matches_all_changes() {
    for (target, updates) in tables() {
        let last = updates.rules.last().expect("a table has rules");
        assert_eq!((last.file, last.pointer, last.only), ("*", "**", None), "{target}");
        for pointer in ["", "/a", "/a/b"] {
            assert!(
                !updates.rule("any.file", pointer, Change::Added).reason.is_empty(),
                "{target} {pointer}"
            );
        }
    }
}

#[test]
fn no_rule_is_shadowed_by_an_earlier_one() {
    for (target, updates) in tables() {
        for rule in updates.rules {
            let (file, pointer) = sample(rule);
            let first = updates.rule(file, &pointer, rule.only.unwrap_or(Change::Replaced));
            assert!(std::ptr::eq(first, rule), "{target}: {first:?} hides {rule:?}");
        }
    }
}

#[test]
fn each_rule_is_about_an_artifact_of_the_snapshots() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../snapshots");
    let folders = std::fs::read_dir(root).expect("the snapshots are readable").flatten();
    let folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
    for (target, updates) in tables() {
        let read = |folder: &PathBuf| std::fs::read_to_string(folder.join(format!("{target}.snap"))).ok();
        let texts: Vec<String> = folders.iter().filter_map(read).collect();
        for rule in updates.rules.iter().filter(|rule| rule.file != "*") {
            let heading = format!("--- {}", rule.file);
            let exists = texts.iter().any(|text| text.lines().any(|line| line.starts_with(&heading)));
            assert!(exists, "{target}: no snapshot contains {}", rule.file);
        }
    }
}

#[test]
fn a_rule_about_one_way_of_a_change_ignores_the_others() {
    let rule = |target: &str, file, pointer, change| {
        let updates = tables().find(|(name, _)| *name == target).expect("the target exists").1;
        updates.rule(file, pointer, change).effect
    };
    let queue = "/spec/runPolicy/schedulingPolicy/queue";
    assert_eq!(rule("kubernetes", "tfjob.yaml", queue, Change::Replaced), Effect::Rejected);
    for change in [Change::Added, Change::Removed] {
        assert_eq!(rule("kubernetes", "tfjob.yaml", queue, change), Effect::Recreate);
    }
    for change in [Change::Added, Change::Replaced] {
        assert_eq!(rule("yarn", "Yarnfile.json", "/lifetime", change), Effect::InPlace);
    }
    assert_eq!(rule("yarn", "Yarnfile.json", "/lifetime", Change::Removed), Effect::Recreate);
}

/// A group of Marathon and a service of the package do not replace each other.
#[test]
fn the_other_form_of_a_job_is_another_job() {
    let updates = tables().find(|(target, _)| *target == "dcos").expect("DC/OS is a target").1;
    for file in ["marathon.json", "options.json"] {
        assert_eq!(updates.rule(file, "", Change::Added).effect, Effect::Recreate, "{file}");
        assert_eq!(updates.rule(file, "/apps/x/cmd", Change::Replaced).effect, Effect::Restart, "{file}");
    }
}

#[test]
fn known_values_are_json() {
    for (target, updates) in tables() {
        for known in updates.added.iter().chain(updates.omitted) {
            if let Known::Json(text) = known.value {
                assert!(serde_json::from_str::<serde_json::Value>(text).is_ok(), "{target}: {known:?}");
            }
        }
    }
}
