//! Tests of fixes and suggestions in texts with parts of entries that `/-` disables.
use super::fixed::{common_mistakes, job, read};
use super::*;
use crate::diagnostic::Fix;
use crate::shape::EXAMPLES;

/// Returns a text with a disabled part at the end of each line that is the header of an entry without a block.
fn with_disabled(text: &str, disabled: &str) -> String {
    let line = |line: &str| {
        let is_header = line.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '"');
        if is_header { format!("{line} {disabled}\n") } else { format!("{line}\n") }
    };
    text.lines().map(line).collect()
}

fn syntax_errors(analysis: &Analysis) -> usize {
    let is_syntax = |d: &&Diagnostic| matches!(d.code.name, "syntax" | "unbalanced-braces" | "unclosed");
    analysis.diagnostics.iter().filter(is_syntax).count()
}

fn after(fix: &Fix, text: &str, analysis: &Analysis) -> String {
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        let source = analysis.sources.find(edit.span).unwrap();
        text.replace_range(source.local(edit.span), &edit.text);
    }
    text
}

#[test]
fn no_fix_of_an_entry_with_a_disabled_part_causes_a_syntax_error() {
    let missing = ["role \"evaluator\" count=1", "role \"evaluator\" cpus=1", "role \"evaluator\" limit=3"];
    let blocks =
        ["tensorboard", "helper \"nb\"", "restart \"on-failure\" codes=42", "placement spread=\"host\""];
    let missing = missing.iter().chain(&blocks).map(|line| format!("\n    {line}"));
    let slipped = EXAMPLES.iter().flat_map(|(_, example)| common_mistakes(example).into_iter().step_by(7));
    let mut tried = 0;
    for lines in missing.chain(slipped) {
        for disabled in ["/-min=1", "/-\"x\"", "/- { a 1 }", "/-min=1 /* why */ // x"] {
            let text = with_disabled(&job(false, &lines), disabled);
            let analysis = read(&text, Format::Kdl);
            let before = syntax_errors(&analysis);
            for fix in analysis.diagnostics.iter().flat_map(|d| &d.fixes) {
                tried += 1;
                let new = after(fix, &text, &analysis);
                let left = syntax_errors(&read(&new, Format::Kdl));
                assert!(left <= before, "{text}\n-> by `{}` ->\n{new}", fix.title);
            }
        }
    }
    assert!(tried > 300, "{tried}");
}
