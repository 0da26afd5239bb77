//! `tfjob init`: first specs that are clean, and offer nothing that is not.
#![expect(clippy::unwrap_used, reason = "a test may")]
#[path = "shared/program.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod program;

use program::{code, out, run};
use std::fs;
use tfjob_lang::spec::StrategyName;

#[test]
fn a_first_spec_is_clean_and_overwrites_nothing() {
    let dir = tempfile::tempdir().unwrap();
    for args in [&["init"][..], &["init", "My Job"], &["init", "c.tfjob.kdl"]] {
        assert_eq!(code(&run(dir.path(), args)), 0, "{args:?}");
        assert_eq!(code(&run(dir.path(), args)), 2, "{args:?}");
    }
    let mut names: Vec<_> =
        fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["My Job.tfjob.kdl", "c.tfjob.kdl", "job.tfjob.kdl"]);
    let output = run(dir.path(), &["check", "--format", "short"]);
    assert_eq!((code(&output), out(&output)), (0, ""));
    assert_eq!(code(&run(dir.path(), &["fmt", "--check"])), 0);
}

#[test]
fn every_strategy_has_a_first_spec_and_so_has_what_its_comments_offer() {
    let dir = tempfile::tempdir().unwrap();
    for strategy in StrategyName::ALL.map(StrategyName::word) {
        let name = &strategy[..5];
        let file = dir.path().join(format!("{name}.tfjob.kdl"));
        assert_eq!(code(&run(dir.path(), &["init", name, "--strategy", strategy])), 0);
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(&format!("strategy=\"{strategy}\"")), "{text}");
        let offered = |line: &str| match line.trim_start().strip_prefix("// ") {
            Some(words) if words.starts_with(|c: char| c.is_ascii_lowercase()) => format!("{words}\n"),
            // An offer stands behind what it takes the place of.
            _ => format!("{line}\n"),
        };
        let both: String = text.lines().map(offered).collect();
        let small = "        resources cpus=2 memory=\"4GiB\"\nresources cpus=4";
        fs::write(dir.path().join("offers.tfjob.kdl"), both.replace(small, "resources cpus=4")).unwrap();
        let spec = format!("{name}.tfjob.kdl");
        let output = run(dir.path(), &["check", "--format", "short", &spec]);
        assert_eq!((code(&output), out(&output)), (0, ""), "{text}");
        assert_eq!(code(&run(dir.path(), &["fmt", "--check", &spec])), 0);
        for (name, target) in [(name, "kubernetes"), ("offers", "yarn")] {
            let output = run(dir.path(), &["check", &format!("{name}.tfjob.kdl"), "--target", target]);
            assert_eq!(code(&output), 0, "{}{both}", out(&output));
        }
    }
}
