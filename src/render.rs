//! The report of a check: every finding once, in the order of files and places, and a printer for each reader.
pub mod github;
pub mod gitlab;
pub mod human;
pub mod json;
pub mod legible;
pub mod sarif;
pub mod short;

#[cfg(test)]
mod fixture;

use crate::terminal::TextStyle;
use legible::{Hidden, Legible, Shown};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Write};
use tfjob_lang::diagnostic::{Diagnostic, Severity};
use tfjob_lang::sources::{Position, Sources, Span};

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
    /// GitHub Actions workflow commands, shown as annotations of a change
    Github,
    /// GitLab Code Quality report
    Gitlab,
}

/// One diagnostic and the texts its spans stand in. Every printer reads this and nothing else.
#[derive(Debug, Clone, Copy)]
pub struct Finding<'a> {
    /// The problem.
    pub diagnostic: &'a Diagnostic,
    /// The texts.
    pub sources: &'a Sources,
    /// Where they hold what no reader may see.
    pub hidden: &'a Hidden,
}

/// Where words stand, as a person counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place<'a> {
    /// The name the text is shown under.
    pub file: &'a str,
    /// The first character.
    pub start: Position,
    /// One past the last character.
    pub end: Position,
}

impl<'a> Finding<'a> {
    /// Where `span` stands.
    #[must_use]
    pub fn place(&self, span: Span) -> Place<'a> {
        self.sources.find(span).map_or_else(nowhere, |source| Place {
            file: &source.name,
            start: source.position(span.start),
            end: source.position(span.end),
        })
    }

    /// Where the problem itself stands.
    #[must_use]
    pub fn main(&self) -> Place<'a> {
        self.place(self.diagnostic.span())
    }

    /// The name of the code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.diagnostic.code.name
    }

    /// How bad it is.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.diagnostic.code.severity
    }
}

/// The place of a finding of an analysis without a text.
const fn nowhere<'a>() -> Place<'a> {
    let start = Position { line: 1, column: 1, byte: 0 };
    Place { file: "", start, end: start }
}

/// How many findings there are of each kind, and in how many files they were looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Summary {
    /// Findings that refuse a spec.
    pub errors: usize,
    /// Findings that do not.
    pub warnings: usize,
    /// Good to know.
    pub notes: usize,
    /// Specs that were checked; those that they extend are not counted.
    pub files: usize,
}

/// Targets for which a spec was not checked, or only in part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unchecked {
    /// The spec.
    pub file: String,
    /// The names of the targets.
    pub targets: Vec<&'static str>,
    /// What must be fixed first, such as `strategy`; empty: all errors.
    pub until: Vec<String>,
    /// The same in one line, for a person.
    pub message: String,
}

impl fmt::Display for Unchecked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.message)
    }
}

/// All findings of a run.
#[derive(Debug, Default)]
pub struct Report<'a> {
    /// In the order of the batches, then of the places.
    pub findings: Vec<Finding<'a>>,
    /// The count of them.
    pub summary: Summary,
    /// What was not checked.
    pub unchecked: Vec<Unchecked>,
}

impl<'a> Report<'a> {
    /// Puts the findings in order. One that several specs share, since they extend the same file, stands once.
    #[must_use]
    pub fn new(legible: &'a Legible<'a>) -> Self {
        let mut seen = BTreeSet::new();
        let mut report = Self::default();
        report.summary.files = legible.iter().len();
        for Shown { sources, diagnostics, hidden } in legible.iter() {
            let mut sorted: Vec<_> = diagnostics.iter().collect();
            sorted.sort_by_key(|d| (d.span().start, d.code.severity));
            for diagnostic in sorted {
                let finding = Finding { diagnostic, sources, hidden };
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
            summary: Summary { files: self.summary.files, ..Summary::default() },
            unchecked: self.unchecked.clone(),
        };
        let loud = self.findings.iter().filter(|finding| finding.severity() != Severity::Note);
        loud.for_each(|finding| report.push(*finding));
        report
    }

    fn push(&mut self, finding: Finding<'a>) {
        match finding.severity() {
            Severity::Error => self.summary.errors += 1,
            Severity::Warning => self.summary.warnings += 1,
            Severity::Note => self.summary.notes += 1,
        }
        self.findings.push(finding);
    }

    /// Writes the report. Notes are for tools: people and the pages of a change see what is to be mended.
    ///
    /// # Errors
    /// Those of `out`.
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

/// The first sentence of a code's page, on one line; its name where the page has none.
#[must_use]
pub fn gist(code: &'static tfjob_lang::diagnostic::Code) -> String {
    let prose = code
        .page
        .split("\n\n")
        .map(str::trim)
        .find(|p| !p.is_empty() && !p.starts_with('#') && !p.starts_with("```"));
    let words = prose.map(|prose| prose.split_whitespace().collect::<Vec<_>>().join(" "));
    let sentence = |words: String| words.find(". ").map_or(words.clone(), |end| words[..=end].to_owned());
    words.map_or_else(|| code.name.to_owned(), sentence)
}

/// Writes `value` as JSON and ends the line.
fn write_json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fixture::{batch, two_files};

    #[test]
    fn a_finding_that_two_specs_share_stands_once() {
        let batches = [batch(), batch(), two_files()];
        let legible = Legible::of(&batches);
        let report = Report::new(&legible);
        assert_eq!(report.summary, Summary { errors: 2, warnings: 0, notes: 0, files: 3 });
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
