//! Terminal output for each code: `snapshots/errors/<code>.snap`, from the first faulty spec of the page. `.ci/update` rewrites
//! them.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::page::{Block, SET, blocks};
use crate::pages;
use std::fs;
use std::path::Path;
use std::process::Command;
use tfjob_lang::diagnostic::Code;

/// Returns the files of the first block that shows the code, the checked file last. Blocks with a `--set` are skipped.
fn files(code: &Code) -> Option<Vec<Block>> {
    let own = format!("[{}]: ", code.name);
    let mut files = Vec::new();
    for block in blocks(pages::of(code)).ok()? {
        if block.name == SET {
            return None;
        }
        let (beside, shows) = (block.beside, block.notes.iter().any(|note| note.words.contains(&own)));
        files.push(block);
        if shows && !beside {
            return Some(files);
        }
        if !beside {
            files.pop();
        }
    }
    None
}

/// Returns the output of `check` for the last file.
fn shown(files: &[Block]) -> String {
    let dir = tempfile::tempdir().unwrap();
    for file in files {
        fs::write(dir.path().join(&file.name), &file.text).unwrap();
    }
    let last = files.last().unwrap();
    let mut check = Command::new(env!("CARGO_BIN_EXE_tfjob"));
    check.current_dir(dir.path()).arg("check").arg(&last.name);
    if let Some(target) = &last.target {
        check.args(["--target", target]);
    }
    let output = check.output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    // The line with the targets that accept the spec is not part of a warning.
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter(|line| !line.starts_with("compiles for ")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_terminal_output_of_each_code_is_unchanged() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots/errors"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for code in tfjob_lang::codes::ALL.iter().chain(tfjob_targets::codes::ALL) {
            if let Some(files) = files(code) {
                insta::assert_snapshot!(code.name, shown(&files));
            }
        }
    });
}
