//! Tests of published jobs, rewritten as specs: each compiles for its platform, names its source, and has a row in the table.

use crate::specs;
use std::collections::BTreeSet;
use std::path::PathBuf;
use tfjob_lang::diagnostic::{Diagnostic, Severity};
use tfjob_targets::ALL;

/// Directory of the specs, relative to the root.
const FOLDER: &str = "targets/conformance/published";

/// Start of the first line of a spec; the source follows.
const SOURCE: &str = "// Source: ";

/// Returns the sorted specs of the directory: name without extension, and text.
fn published() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(specs::root().join(FOLDER)).expect("the directory is readable").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if let Some(stem) = name.strip_suffix(".tfjob.kdl") {
            found.push((stem.to_owned(), std::fs::read_to_string(entry.path()).expect("readable")));
        }
    }
    found.sort();
    found
}

/// Returns the README of the directory.
fn readme() -> String {
    let path: PathBuf = specs::root().join(FOLDER).join("README.md");
    std::fs::read_to_string(path).expect("the directory has a README")
}

#[test]
fn each_published_job_compiles_for_its_target() {
    for (stem, text) in published() {
        let analysis = specs::text_at(&format!("{FOLDER}/{stem}.tfjob.kdl"), &text);
        let errors = |found: &[Diagnostic]| {
            let bad = found.iter().filter(|d| d.code.severity == Severity::Error);
            bad.map(|d| format!("{}: {}", d.code.name, d.message)).collect::<Vec<_>>()
        };
        assert_eq!(errors(&analysis.diagnostics), [""; 0], "{stem}");
        let plan = analysis.plan.as_ref().expect("a spec without an error has a plan");
        let named: Vec<&str> = plan.targets.keys().map(String::as_str).collect();
        let target = ALL.iter().find(|target| named == [target.name()]);
        let target = target.unwrap_or_else(|| panic!("{stem} names {named:?} instead of one target"));
        assert!(stem.starts_with(&format!("{}-", target.name())), "{stem} is for {}", target.name());
        let compiled = analysis.compile(*target);
        assert_eq!(errors(&compiled.diagnostics), [""; 0], "{stem}");
        assert!(compiled.lowered.is_some_and(|lowered| !lowered.artifacts.is_empty()), "{stem}");
    }
}

#[test]
fn each_names_its_source_first() {
    for (stem, text) in published() {
        let first = text.lines().next().unwrap_or_default();
        let source = first.strip_prefix(SOURCE).unwrap_or_else(|| panic!("{stem} starts with `{first}`"));
        let (place, what) = source
            .rsplit_once(": ")
            .unwrap_or_else(|| panic!("{stem}: `{source}` is not `SOURCE: DESCRIPTION`"));
        assert!(place.contains('/') || place.contains('"'), "{stem}: `{place}` is not a source");
        assert!(what.ends_with('.') && what.len() > 20, "{stem}: `{what}` is not a description");
    }
}

#[test]
fn the_table_has_a_row_for_each_and_no_other() {
    let text = readme();
    let rows = text.lines().filter_map(|line| line.strip_prefix("| [")?.split_once("](")?.1.split_once(')'));
    let listed: Vec<String> = rows.map(|(file, _)| file.to_owned()).collect();
    let unique: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(listed.len(), unique.len(), "the table has a duplicate row");
    let there: BTreeSet<String> =
        published().into_iter().map(|(stem, _)| format!("{stem}.tfjob.kdl")).collect();
    assert_eq!(unique, there);
    assert!(there.len() >= 24, "only {} jobs", there.len());
    assert!(text.lines().count() < 200, "the README has more than 200 lines");
}
