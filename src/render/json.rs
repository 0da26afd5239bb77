//! JSON report: one object with all findings. Its structure is a stable interface.
use super::{Finding, Place, Report, Summary, Unchecked, write_json};
use serde::Serialize;
use std::io::{self, Write};
use tfjob_lang::diagnostic::{Edit, Fix, Label};
use tfjob_lang::sources::Position;

#[derive(Serialize)]
struct Output<'a> {
    diagnostics: Vec<Entry<'a>>,
    summary: Summary,
    unchecked: &'a [Unchecked],
}

#[derive(Serialize)]
struct Entry<'a> {
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    file: &'a str,
    start: Position,
    end: Position,
    /// Environments of the project that have the finding. Empty if all have it, or if no environment is checked.
    environments: &'a [String],
    /// The first label is the span of the diagnostic.
    labels: Vec<Words<'a>>,
    help: Option<&'a str>,
    /// Always null: the pages of the codes are not published yet.
    url: Option<&'a str>,
    fixes: Vec<Change<'a>>,
}

/// A place in a file, and the text for it: the message of a label, or the replacement text of an edit.
#[derive(Serialize)]
struct Words<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    text: &'a str,
}

#[derive(Serialize)]
struct Change<'a> {
    title: &'a str,
    /// `automatic`: the change is applied by `--fix`. `suggestion`: the change is never applied.
    applicability: &'static str,
    edits: Vec<Words<'a>>,
}

/// Writes the report.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub fn print(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let diagnostics = report.findings.iter().map(entry).collect();
    write_json(&Output { diagnostics, summary: report.summary, unchecked: &report.unchecked }, out)
}

fn entry<'a>(finding: &Finding<'a>) -> Entry<'a> {
    let Place { file, start, end } = finding.main();
    let diagnostic = finding.diagnostic;
    let label = |l: &'a Label| Words { place: finding.place(l.span), text: &l.text };
    let edit = |e: &'a Edit| Words { place: finding.place(e.span), text: &e.text };
    let change = |f: &'a Fix| Change {
        title: &f.title,
        applicability: f.applicability.word(),
        edits: f.edits.iter().map(edit).collect(),
    };
    Entry {
        code: finding.code(),
        severity: finding.severity().word(),
        message: &diagnostic.message,
        file,
        start,
        end,
        environments: finding.environments,
        labels: diagnostic.labels.iter().map(label).collect(),
        help: diagnostic.help.as_deref(),
        url: None,
        fixes: diagnostic.fixes.iter().filter(|fix| !fix.edits.is_empty()).map(change).collect(),
    }
}

#[cfg(test)]
mod tests {
    use crate::render::Format;
    use crate::render::fixture::{batch, printed, two_files};
    use serde_json::{Value, json};

    #[test]
    fn the_structure_is_stable() {
        let found: Value = serde_json::from_str(&printed(&[batch()], Format::Json)).unwrap();
        let (start, end) =
            (json!({"line": 2, "column": 10, "byte": 23}), json!({"line": 2, "column": 16, "byte": 29}));
        let words = |text| json!({"file": "job.tfjob.kdl", "start": start, "end": end, "text": text});
        let diagnostic = json!({
            "code": "unknown-role", "severity": "error", "message": "`wroker` is not a role",
            "file": "job.tfjob.kdl", "start": start, "end": end, "environments": [],
            "labels": [words("")],
            "help": "roles are chief, worker, ps and evaluator", "url": null,
            "fixes": [{"title": "replace with `worker`", "applicability": "automatic", "edits": [words("worker")]}]
        });
        let summary = json!({"errors": 1, "warnings": 0, "notes": 0, "files": 1});
        assert_eq!(found, json!({"diagnostics": [diagnostic], "summary": summary, "unchecked": []}));
    }

    #[test]
    fn a_label_names_its_own_file() {
        let found: Value = serde_json::from_str(&printed(&[two_files()], Format::Json)).unwrap();
        let labels = &found["diagnostics"][0]["labels"];
        assert_eq!(labels[0]["text"], "no such role");
        assert_eq!(labels[2]["file"], "base.tfjob.kdl");
        assert_eq!(labels[2]["start"], json!({"line": 2, "column": 5, "byte": 17}));
    }
}
