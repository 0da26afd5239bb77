//! Texts of the spec in messages, and which texts are reported as unexpanded.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::program::{out, run};
use std::fs;

/// Returns the report about a job with these lines.
fn said(lines: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let job = format!(
        "job \"a\" {{\n    framework \"tensorflow\" version=\"2.15\"\n    image \"ml/a:1\"\n    {lines}\n    role \"worker\" {{ \
         resources cpus=1 memory=\"1GiB\"; }}\n}}\n"
    );
    fs::write(dir.path().join("a.tfjob.kdl"), job).unwrap();
    let target = ["check", "a.tfjob.kdl", "--target", "kubernetes", "--format", "short"];
    out(&run(dir.path(), &target)).to_owned()
}

#[test]
fn a_quote_has_no_backslash_in_a_message() {
    for (lines, fact) in [
        ("run \"x\"; code \"./my dir's\"", "invalid URI `./my dir's`"),
        ("run \"x\"; workdir \"it's\"", "`it's`"),
    ] {
        let said = said(lines);
        assert!(said.contains(fact) && !said.contains("\\'"), "{said}");
    }
}

#[test]
fn a_variable_of_one_letter_is_reported_if_the_job_sets_it() {
    for (word, env, whole) in [
        ("--a=$(A)", "A", Some("$(A)")),
        ("$A", "A", Some("$A")),
        ("$A/$N", "N", Some("$N")),
        ("$(A)", "B", None),
        ("$A", "AB", None),
        ("$$(A)", "A", None),
    ] {
        let said = said(&format!("run \"python\" \"/x.py\" \"{word}\"; env {{ {env} \"1\"; }}"));
        match whole {
            Some(whole) => {
                assert!(
                    said.contains(&format!("[unexpanded-syntax]: `{whole}` is not expanded here")),
                    "{said}"
                )
            }
            None => assert!(!said.contains("unexpanded-syntax"), "{said}"),
        }
    }
}
