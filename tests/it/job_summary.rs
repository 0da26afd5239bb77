//! The job summary of GitHub Actions, which `--format github` writes if there are more findings than annotations.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::program::{code, err, out, run, tfjob};
use std::fs;
use std::path::Path;
use std::process::Output;
use tempfile::TempDir;

/// Creates a directory with this number of faulty specs.
fn faulty(count: usize) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for i in 0..count {
        fs::write(dir.path().join(format!("a|{i}.tfjob.kdl")), "job \"a\" {\n    x = 3\n}\n").unwrap();
    }
    dir
}

/// Checks all specs of a directory in a step with this summary file.
fn step(dir: &Path, file: &str) -> Output {
    tfjob(dir, &["check", "--format", "github"]).env("GITHUB_STEP_SUMMARY", file).output().unwrap()
}

#[test]
fn all_findings_are_appended_if_github_would_drop_annotations() {
    let dir = faulty(12);
    let findings = out(&run(dir.path(), &["check", "--format", "short"])).lines().count();
    assert!(findings >= 12, "{findings}");
    fs::write(dir.path().join("summary.md"), "from another command\n\n").unwrap();
    let output = step(dir.path(), "summary.md");
    assert_eq!((code(&output), err(&output)), (1, ""));
    let commands = out(&output).lines().filter(|line| line.starts_with("::error ")).count();
    let lines =
        out(&output).lines().filter(|line| line.starts_with("a|") && line.contains(": error[")).count();
    assert_eq!((commands, lines), (10, findings - 10), "{}", out(&output));
    let text = fs::read_to_string(dir.path().join("summary.md")).unwrap();
    assert!(text.starts_with("from another command\n\n### tfjob\n"), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("| error | a\\|")).count(), findings, "{text}");
    assert!(!text.contains("Findings left out"), "{text}");
}

#[test]
fn annotations_that_github_shows_need_no_summary() {
    let dir = faulty(1);
    let output = step(dir.path(), "summary.md");
    assert_eq!((code(&output), err(&output)), (1, ""));
    assert!(!dir.path().join("summary.md").exists());
}

#[test]
fn a_full_summary_is_left_as_it_is() {
    let dir = faulty(12);
    let full = "x".repeat((1 << 20) - 100);
    fs::write(dir.path().join("summary.md"), &full).unwrap();
    assert_eq!(code(&step(dir.path(), "summary.md")), 1);
    assert!(fs::read_to_string(dir.path().join("summary.md")).unwrap() == full);
}

#[test]
fn a_summary_that_cannot_be_written_changes_neither_the_exit_code_nor_other_reports() {
    let dir = faulty(12);
    let mut check = tfjob(dir.path(), &["check", "--format", "github", "--sarif", "out.sarif"]);
    let output = check.env("GITHUB_STEP_SUMMARY", "missing/summary.md").output().unwrap();
    assert_eq!(code(&output), 1);
    let told = err(&output);
    assert!(told.starts_with("warning: cannot write the job summary to `missing/summary.md`: "), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(out(&output).contains("::error "), "{}", out(&output));
    assert!(dir.path().join("out.sarif").exists());
}
