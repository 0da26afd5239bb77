//! The report of a check: all findings in the order of files and spans, and one printer per output format.
pub mod context;
pub mod github;
pub mod gitlab;
pub mod human;
pub mod json;
pub mod legible;
pub mod sarif;
pub mod short;

#[cfg(test)]
mod fixture;

use crate::files;
use crate::terminal::TextStyle;
use crate::texts;
use legible::{Hidden, Legible, Shown};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use tfjob_lang::codes::ALLOWED_FEATURE;
use tfjob_lang::diagnostic::{Diagnostic, Severity};
use tfjob_lang::sources::{Format as SourceFormat, Position, Source, Sources, Span};

/// Output formats of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Source snippets, for a terminal
    Human,
    /// One line per finding, for editors and grep
    Short,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// GitHub Actions: annotations of a pull request, and a job summary if there are too many of them
    Github,
    /// GitLab Code Quality report, shown in a merge request
    Gitlab,
}

/// One diagnostic with the texts that its spans refer to. The input of every printer.
#[derive(Debug, Clone, Copy)]
pub struct Finding<'a> {
    /// The diagnostic.
    pub diagnostic: &'a Diagnostic,
    /// Texts that the spans refer to.
    pub sources: &'a Sources,
    /// Environments that have the finding. Empty: all.
    pub environments: &'a [String],
    /// Credentials to mask in the texts.
    pub hidden: &'a Hidden,
}

/// A range in a file, with lines and columns that start at 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place<'a> {
    /// Name of the file, as reports show it.
    pub file: &'a str,
    /// Position of the first character.
    pub start: Position,
    /// Position after the last character.
    pub end: Position,
}

impl<'a> Finding<'a> {
    /// Returns the file and the positions of a span.
    #[must_use]
    pub fn place(&self, span: Span) -> Place<'a> {
        self.sources.find(span).map_or_else(nowhere, |source| Place {
            file: &source.name,
            start: source.position(span.start),
            end: source.position(span.end),
        })
    }

    /// Returns the file and the positions of the diagnostic.
    #[must_use]
    pub fn main(&self) -> Place<'a> {
        self.place(self.diagnostic.span())
    }

    /// Returns the name of the code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.diagnostic.code.name
    }

    /// Returns the severity.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.diagnostic.code.severity
    }
}

/// Returns the place of a span that is in no text: no file name, line 1, column 1.
const fn nowhere<'a>() -> Place<'a> {
    let start = Position { line: 1, column: 1, byte: 0 };
    Place { file: "", start, end: start }
}

/// Number of findings by severity, and number of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Summary {
    /// Number of errors.
    pub errors: usize,
    /// Number of warnings.
    pub warnings: usize,
    /// Number of notes.
    pub notes: usize,
    /// Number of specs, without their base files.
    pub files: usize,
    /// Number of environments of the project in which the specs are checked.
    #[serde(skip)]
    pub environments: usize,
}

/// Targets for which a spec was not checked, or not completely checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unchecked {
    /// Path of the spec.
    pub file: String,
    /// Names of the targets.
    pub targets: Vec<&'static str>,
    /// Fields that must be fixed first, such as `strategy`. Empty if all errors must be fixed first.
    pub until: Vec<String>,
    /// One line of text: which targets were not checked, and what to fix first.
    pub message: String,
}

impl fmt::Display for Unchecked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.message)
    }
}

/// All findings of a command.
#[derive(Debug, Default)]
pub struct Report<'a> {
    /// Findings in the order of the batches, then of their spans.
    pub findings: Vec<Finding<'a>>,
    /// Counts of the findings.
    pub summary: Summary,
    /// Targets that were not checked.
    pub unchecked: Vec<Unchecked>,
    /// Lines about what was not checked, without repetitions. Only the human format shows them, and only if there is a finding: an
    /// error is the cause of each line.
    pub incomplete: Vec<String>,
    /// The texts of project files, by name. The source of a setting has only white space in front of it.
    projects: BTreeMap<&'a str, Written<'a>>,
}

/// A text with what is masked in it.
#[derive(Debug, Clone, Copy)]
struct Written<'a> {
    source: &'a Source,
    sources: &'a Sources,
    hidden: &'a Hidden,
}

impl Written<'_> {
    /// Returns whether the text has a setting at its offsets, without escapes before it.
    fn contains(&self, setting: &Source) -> bool {
        let value = setting.text.trim_start();
        let at = setting.text.len() - value.len();
        setting.format == SourceFormat::Set
            && self.source.text.get(at..setting.text.len()).is_some_and(|own| own == value)
    }
}

impl<'a> Report<'a> {
    /// Creates the report of a command. A finding in a base file of several specs is included once.
    #[must_use]
    pub fn new(legible: &'a Legible<'a>) -> Self {
        let mut seen = BTreeSet::new();
        let mut report = Self::default();
        report.summary.files = legible.iter().len();
        for Shown { sources, diagnostics, environments, hidden } in legible.iter() {
            let files = sources.iter().filter(|source| files::is_project(Path::new(&source.name)));
            let written = files.filter(|source| source.format != SourceFormat::Set);
            let written = written.map(|source| (source.name.as_str(), Written { source, sources, hidden }));
            report.projects.extend(written);
            let mut sorted: Vec<_> = diagnostics.iter().zip(environments).collect();
            sorted.sort_by_key(|(d, _)| (d.span().start, d.code.severity));
            for (diagnostic, environments) in sorted {
                let finding = Finding { diagnostic, sources, environments, hidden };
                if seen.insert((finding.main(), finding.code(), diagnostic.message.as_str())) {
                    report.push(finding);
                }
            }
        }
        report
    }

    fn without_notes(&self) -> Self {
        let mut report = Self {
            findings: Vec::new(),
            summary: Summary { errors: 0, warnings: 0, notes: 0, ..self.summary },
            unchecked: self.unchecked.clone(),
            incomplete: self.incomplete.clone(),
            projects: self.projects.clone(),
        };
        let loud = self.findings.iter().filter(|finding| finding.severity() != Severity::Note);
        loud.for_each(|finding| report.push(*finding));
        report
    }

    /// Returns whether `--deny-warnings` fails: whether there is a warning that no `allow` accepts.
    #[must_use]
    pub fn has_unaccepted_warnings(&self) -> bool {
        let accepted = |finding: &Finding| finding.code() == ALLOWED_FEATURE.name;
        self.findings.iter().any(|finding| finding.severity() == Severity::Warning && !accepted(finding))
    }

    /// Removes all findings that are not errors. The counts stay.
    pub fn keep_errors(&mut self) {
        self.findings.retain(|finding| finding.severity() == Severity::Error);
    }

    fn push(&mut self, finding: Finding<'a>) {
        match finding.severity() {
            Severity::Error => self.summary.errors += 1,
            Severity::Warning => self.summary.warnings += 1,
            Severity::Note => self.summary.notes += 1,
        }
        self.findings.push(finding);
    }

    /// Returns the job summary of GitHub Actions, in at most `room` bytes of Markdown; `None` if GitHub shows all findings as
    /// annotations.
    #[must_use]
    pub fn job_summary(&self, room: usize) -> Option<String> {
        github::job_summary(&self.without_notes(), room)
    }

    /// Writes the report. Only JSON and SARIF include notes.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn print(&self, format: Format, style: TextStyle, out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Human => human::print(&self.without_notes(), style, out),
            Format::Short => short::print(&self.without_notes(), out),
            Format::Json => json::print(self, out),
            Format::Sarif => sarif::print(self, out),
            Format::Github => github::print(&self.without_notes(), out),
            Format::Gitlab => gitlab::print(&self.without_notes(), out),
        }
    }
}

/// Returns the first sentence of the page of a code, on one line; the name of the code if the page has no text.
#[must_use]
pub fn gist(code: &'static tfjob_lang::diagnostic::Code) -> String {
    let prose = texts::page(code)
        .split("\n\n")
        .map(str::trim)
        .find(|p| !p.is_empty() && !p.starts_with('#') && !p.starts_with("```"));
    let words = prose.map(|prose| prose.split_whitespace().collect::<Vec<_>>().join(" "));
    let sentence = |words: String| words.find(". ").map_or(words.clone(), |end| words[..=end].to_owned());
    words.map_or_else(|| code.name.to_owned(), sentence)
}

/// Writes `value` as JSON, followed by a newline.
fn write_json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fixture::{batch, two_files};

    #[test]
    fn a_finding_that_two_specs_share_is_reported_once() {
        let batches = [batch(), batch(), two_files()];
        let legible = Legible::of(&batches);
        let report = Report::new(&legible);
        assert_eq!(report.summary, Summary { errors: 2, files: 3, ..Summary::default() });
    }

    #[test]
    fn findings_stand_in_the_order_of_their_places() {
        let mut one = batch();
        let mut early = one.diagnostics[0].clone();
        early.labels[0].span = Span::new(0, 3);
        one.diagnostics.push(early);
        let batches = [one];
        let legible = Legible::of(&batches);
        let starts: Vec<_> = Report::new(&legible).findings.iter().map(|f| f.main().start.byte).collect();
        assert_eq!(starts, [0, 23]);
    }
}
