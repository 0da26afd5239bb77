//! Test data of the printers: labels in the same and in another file, a fix, and wide characters.
use super::legible::Legible;
use super::{Format, Report};
use crate::terminal::TextStyle;
use tfjob_driver::Batch;
use tfjob_lang::codes::{LOST_EXIT_CODE, UNKNOWN_ROLE};
use tfjob_lang::diagnostic::{Diagnostic, Fix};
use tfjob_lang::sources::{Format as Written, Sources, Span};

/// Returns one error: `wroker` on line 2.
pub fn batch() -> Batch {
    let mut sources = Sources::default();
    sources.add("job.tfjob.kdl", Written::Kdl, "job \"mnist\" {\n    role wroker\n}\n");
    let diagnostic = Diagnostic::new(&UNKNOWN_ROLE, Span::new(23, 29), "`wroker` is not a role")
        .help("roles are chief, worker, ps and evaluator")
        .fix(Fix::replace(Span::new(23, 29), "worker"));
    Batch { sources, diagnostics: vec![diagnostic] }
}

/// Returns one error with labels in two files, after wide characters.
pub fn two_files() -> Batch {
    let mut sources = Sources::default();
    let job = "extends \"base.tfjob.kdl\"\njob \"é€\u{1f600}\" {\n    role wroker\n}\n";
    sources.add("job dir/job.tfjob.kdl", Written::Kdl, job);
    let base =
        sources.add("base.tfjob.kdl", Written::Kdl, "job \"base\" {\n    framework \"tensorflow\"\n}\n");
    let start = sources.get(base).base();
    let find =
        |word: &str| Span::new(job.find(word).unwrap() as u32, (job.find(word).unwrap() + word.len()) as u32);
    let diagnostic = Diagnostic::new(&UNKNOWN_ROLE, find("wroker"), "`wroker` is not a role of {tensorflow}")
        .here("no such role")
        .label(find("\"é€\u{1f600}\""), "in this job")
        .label(Span::new(start + 17, start + 39), "the framework is chosen here");
    Batch { sources, diagnostics: vec![diagnostic] }
}

/// Returns these numbers of errors and warnings. The warnings are before the errors, each on a line of its own.
pub fn many(errors: u32, warnings: u32) -> Batch {
    let mut sources = Sources::default();
    sources.add("job.tfjob.kdl", Written::Kdl, "x\n".repeat((errors + warnings) as usize));
    let span = |line: u32| Span::new(2 * line, 2 * line + 1);
    let warning = |i| Diagnostic::new(&LOST_EXIT_CODE, span(i), format!("warning {}", i + 1));
    let error = |i| Diagnostic::new(&UNKNOWN_ROLE, span(warnings + i), format!("error {}", i + 1));
    let diagnostics = (0..warnings).map(warning).chain((0..errors).map(error)).collect();
    Batch { sources, diagnostics }
}

/// Returns the printed report, in plain style.
pub fn printed(batches: &[Batch], format: Format) -> String {
    let mut out = Vec::new();
    Report::new(&Legible::of(batches)).print(format, TextStyle::PLAIN, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}
