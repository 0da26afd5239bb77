//! One typing mistake at each position of a valid spec causes at most one error, on its line, and no fix makes the spec worse.
use super::{Judged, fix_fault};
use crate::able;
use crate::pitfalls::on_all_cores;
use std::collections::BTreeSet;

const GOOD: &str = include_str!("../../../../../tests/it/planted/base.tfjob.kdl");

/// Kind of a mistake, the resulting spec, and the line of the mistake, counted from 0.
type Mistake = (&'static str, String, usize);

/// Returns the positions of a text in the spec, except in comments.
fn places(words: &str) -> Vec<usize> {
    let comment = |at: usize| {
        let line = GOOD[..at].rfind('\n').map_or(0, |i| i + 1);
        GOOD[line..at].contains("//") && !GOOD[line..at].contains("://")
    };
    GOOD.match_indices(words).map(|(at, _)| at).filter(|at| !comment(*at)).collect()
}

fn common_mistakes() -> Vec<Mistake> {
    let with = |what, range: std::ops::Range<usize>, words: &str| {
        let mut text = GOOD.to_owned();
        let line = text[..range.start].matches('\n').count();
        text.replace_range(range, words);
        (what, text, line)
    };
    let quotes = places("\"");
    let mut all: Vec<Mistake> = Vec::new();
    for pair in quotes.chunks_exact(2) {
        let (open, close) = (pair[0], pair[1]);
        let body = &GOOD[open + 1..close];
        // If the unclosed string contains the opening brace of its line, the structure of the rest is unknown.
        let line = &GOOD[close..close + GOOD[close..].find('\n').unwrap_or(0)];
        if !line.contains(" { ") {
            all.push(with("no opening quote", open..open + 1, ""));
            all.push(with("no closing quote", close..close + 1, ""));
        }
        all.push(with("smart quotes", open..close + 1, &format!("\u{201c}{body}\u{201d}")));
        all.push(with("single quotes", open..close + 1, &format!("'{body}'")));
        if !body.contains(' ') {
            all.push(with("no quotes", open..close + 1, body));
        }
    }
    for at in places(" {\n") {
        all.push(with("no opening brace", at..at + 2, ""));
    }
    for at in places("    }\n") {
        all.push(with("no closing brace", at..at + 6, "    \n"));
    }
    for at in places("=") {
        all.push(with("a colon for `=`", at..at + 1, ": "));
        all.push(with("blanks around `=`", at..at + 1, " = "));
    }
    all
}

#[test]
fn one_slip_is_one_error_on_its_line() {
    let common_mistakes = common_mistakes();
    let tried: Vec<_> =
        common_mistakes.iter().enumerate().filter(|(number, _)| able::tries(*number)).collect();
    let wrong = on_all_cores(&tried, |(_, (what, text, line))| {
        let mut wrong = Vec::new();
        let judged = Judged::of(text, "");
        let errors: Vec<_> = judged.findings.iter().filter(|d| d.is_error()).collect();
        let at = |d: &&tfjob_lang::diagnostic::Diagnostic| {
            judged.place(d).map_or(0, |range| text[..range.start].matches('\n').count())
        };
        let brace = what.contains("brace");
        if errors.len() > 1 || errors.iter().any(|d| !brace && at(d) != *line) {
            let told: Vec<_> =
                errors.iter().map(|d| format!("{} {}: {}", at(d) + 1, d.code.name, d.message)).collect();
            wrong.push(format!(
                "{what}: {}\n    {}",
                text.lines().nth(*line).unwrap_or_default().trim(),
                told.join("\n    ")
            ));
        }
        for finding in &judged.findings {
            for fix in &finding.fixes {
                wrong.extend(fix_fault(judged, finding, fix, "").map(|fault| format!("{what}: {fault}")));
            }
        }
        wrong
    });
    let wrong: BTreeSet<_> = wrong.into_iter().flatten().collect();
    assert!(common_mistakes.len() > 500, "the spec is not read");
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        common_mistakes.len(),
        wrong.into_iter().collect::<Vec<_>>().join("\n")
    );
}
