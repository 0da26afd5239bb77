//! Findings with source snippets, rendered by miette. Labels are drawn in their own file; fixes are part of the help.
mod cuts;
mod text;

use super::{Finding, Place, Report, Summary, Written};
use crate::terminal::{TextStyle, plain};
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan};
use std::fmt;
use std::io::{self, Write};
use text::{Mark, Text};
use tfjob_lang::diagnostic::{Fix, Label, Severity};
use tfjob_lang::sources::Source;

/// Maximum number of findings that are shown, each with a snippet. More would take too long, because each snippet is rendered from
/// the whole text.
const MOST: usize = 50;

/// Writes the report; nothing if there is no finding.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub fn print(report: &Report, style: TextStyle, out: &mut dyn Write) -> io::Result<()> {
    let error = report.findings.iter().find(|finding| finding.severity() == Severity::Error);
    let Some(first) = error.or(report.findings.first()) else { return Ok(()) };
    let theme = if style.color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_links(false)
        .with_width(style.width)
        .tab_width(4)
        .with_word_separator(textwrap::WordSeparator::AsciiSpace)
        .with_word_splitter(textwrap::WordSplitter::NoHyphenation)
        .with_cause_chain();
    for finding in report.findings.iter().take(MOST) {
        for drawing in Drawing::all_of(finding, report, style.source_width) {
            let mut text = String::new();
            handler.render_report(&mut text, &drawing).map_err(io::Error::other)?;
            writeln!(out, "{}", text.trim_matches('\n'))?;
        }
        writeln!(out)?;
    }
    if let Some(more) = report.findings.len().checked_sub(MOST).filter(|more| *more > 0) {
        writeln!(out, "… and {more} more; `--format short` prints all, one per line\n")?;
    }
    for line in &report.incomplete {
        writeln!(out, "{}", plain(line))?;
    }
    writeln!(out, "{}", summary(report))?;
    writeln!(out, "for more about a code, run `tfjob explain {}`", first.code())
}

/// Returns the counts, such as `2 errors, 1 warning (3 specs in 2 environments checked)`.
fn summary(report: &Report) -> String {
    let count = report.summary;
    let several = count.files > 1 || count.environments > 1;
    let findings = [(count.errors, "error"), (count.warnings, "warning"), (count.notes, "note")];
    let findings: Vec<String> = findings.into_iter().filter(|(n, _)| *n > 0).map(counted).collect();
    findings.join(", ") + &if several { format!(" ({})", checked(&count)) } else { String::new() }
}

/// Returns what was checked: `3 specs in 2 environments checked`.
pub fn checked(summary: &Summary) -> String {
    let mut specs = counted((summary.files, "spec"));
    if summary.environments > 1 {
        specs.push_str(&format!(" in {}", counted((summary.environments, "environment"))));
    }
    specs + " checked"
}

fn counted((n, noun): (usize, &str)) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// One text with its labels: the unit that miette renders.
#[derive(Debug)]
struct Drawing<'a> {
    code: Option<String>,
    severity: miette::Severity,
    message: String,
    help: Option<String>,
    text: Option<Text<'a>>,
    labels: Vec<LabeledSpan>,
}

impl<'a> Drawing<'a> {
    /// Returns the drawing of the finding in its own file, then one drawing for each label in another file. Source lines are cut to
    /// `width` columns.
    fn all_of(finding: &Finding<'a>, report: &Report<'a>, width: usize) -> Vec<Self> {
        let diagnostic = finding.diagnostic;
        let mut home = Self::home(finding, report);
        let (mut marks, mut guests) = (Vec::new(), Vec::new());
        for (i, label) in diagnostic.labels.iter().enumerate() {
            let Some(text) = finding.sources.find(label.span) else { continue };
            let text = Self::text(text, finding, report);
            match &home.text {
                Some(own) if own.source.base() == text.source.base() => {
                    marks.push(text.mark(label.span, &label.text, i == 0));
                }
                _ => guests.push(Self::guest(text, label, width)),
            }
        }
        if !marks.iter().any(|mark| mark.primary) {
            home.tell(finding.main());
        }
        home.draw(marks, width);
        std::iter::once(home).chain(guests).collect()
    }

    fn draw(&mut self, marks: Vec<Mark>, width: usize) {
        if let Some(text) = &mut self.text {
            self.labels = text.cut(marks, width);
        }
    }

    /// Returns the text of a source. That of a setting of a project file is the whole file.
    fn text(source: &'a Source, finding: &Finding<'a>, report: &Report<'a>) -> Text<'a> {
        match report.projects.get(source.name.as_str()).filter(|file| file.contains(source)) {
            Some(Written { source: file, sources, hidden }) => {
                Text::of(file, sources, hidden).with_spans_of(source)
            }
            None => Text::of(source, finding.sources, finding.hidden),
        }
    }

    fn home(finding: &Finding<'a>, report: &Report<'a>) -> Self {
        let severity = finding.severity();
        Self {
            code: Some(format!("{}[{}]", severity.word(), finding.code())),
            severity: match severity {
                Severity::Error => miette::Severity::Error,
                Severity::Warning => miette::Severity::Warning,
                Severity::Note => miette::Severity::Advice,
            },
            message: plain(&finding.diagnostic.message).into_owned(),
            help: help(finding),
            text: finding
                .sources
                .find(finding.diagnostic.span())
                .map(|source| Self::text(source, finding, report)),
            labels: Vec::new(),
        }
    }

    fn guest(text: Text<'a>, label: &Label, width: usize) -> Self {
        let marks = vec![text.mark(label.span, "", true)];
        let mut guest = Self {
            code: None,
            severity: miette::Severity::Advice,
            message: plain(&label.text).into_owned(),
            help: None,
            labels: Vec::new(),
            text: Some(text),
        };
        guest.draw(marks, width);
        guest
    }

    /// Appends the position to the message, for a finding without a snippet.
    fn tell(&mut self, place: Place) {
        let file = place.file.replace(['\n', '\r'], " ");
        let (file, line, column) = (plain(&file), place.start.line, place.start.column);
        self.message.push_str(&format!(" ({file}:{line}:{column})"));
    }
}

/// Returns the help text and the titles of the fixes. `None` if there are none.
fn help(finding: &Finding) -> Option<String> {
    let diagnostic = finding.diagnostic;
    let kind = |fix: &Fix| if fix.is_automatic() { "fix" } else { "suggestion" };
    let fixes = diagnostic.fixes.iter().filter(|fix| !fix.is_in_help);
    let fixes = fixes.map(|fix| format!("{}: {}", kind(fix), fix.title));
    let mut lines: Vec<_> = diagnostic.help.iter().cloned().chain(fixes).collect();
    if let (None, Some(first)) = (&diagnostic.help, diagnostic.fixes.first()) {
        // miette prints `help:` before this line, so the line needs no label such as `fix:`.
        lines[0] = if first.is_automatic() {
            format!("{} (`--fix` does this)", first.title)
        } else {
            first.title.clone()
        };
    }
    (!lines.is_empty()).then(|| plain(&lines.join("\n")).into_owned())
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Drawing<'_> {}

impl miette::Diagnostic for Drawing<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.code.as_ref().map(|code| Box::new(code) as _)
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as _)
    }

    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        self.text.as_ref().map(|text| text as _)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        (!self.labels.is_empty()).then(|| Box::new(self.labels.iter().cloned()) as _)
    }
}

#[cfg(test)]
mod tests {
    use crate::render::Format;
    use crate::render::fixture::{batch, printed, two_files};
    use tfjob_driver::Batch;
    use tfjob_lang::codes::SYNTAX;
    use tfjob_lang::diagnostic::Diagnostic;
    use tfjob_lang::sources::{Format as Written, Sources, Span};

    fn one(text: &str, span: Span) -> String {
        let mut sources = Sources::default();
        sources.add("a.tfjob.kdl", Written::Kdl, text);
        printed(
            &[Batch { sources, diagnostics: vec![Diagnostic::new(&SYNTAX, span, "a fact")] }],
            Format::Human,
        )
    }

    #[test]
    fn a_label_in_another_file_is_drawn_in_that_file() {
        insta::assert_snapshot!(printed(&[batch(), two_files()], Format::Human), @r#"
        error[unknown-role]

          × `wroker` is not a role
           ╭─[job.tfjob.kdl:2:10]
         1 │ job "mnist" {
         2 │     role wroker
           ·          ──────
         3 │ }
           ╰────
          help: roles are chief, worker, ps and evaluator
                fix: replace with `worker`

        error[unknown-role]

          × `wroker` is not a role of {tensorflow}
           ╭─[job dir/job.tfjob.kdl:3:10]
         1 │ extends "base.tfjob.kdl"
         2 │ job "é€😀" {
           ·     ───┬──
           ·        ╰── in this job
         3 │     role wroker
           ·          ───┬──
           ·             ╰── no such role
         4 │ }
           ╰────
          ☞ the framework is chosen here
           ╭─[base.tfjob.kdl:2:5]
         1 │ job "base" {
         2 │     framework "tensorflow"
           ·     ──────────────────────
         3 │ }
           ╰────

        2 errors (2 specs checked)
        for more about a code, run `tfjob explain unknown-role`
        "#);
    }

    #[test]
    fn the_end_of_the_text_can_be_shown() {
        insta::assert_snapshot!(one("job \"a\" {\n    image \"b\"\n", Span::new(24, 24)), @r#"
        error[syntax]

          × a fact
           ╭─[a.tfjob.kdl:2:14]
         1 │ job "a" {
         2 │     image "b"
           ·              ▲
           ╰────

        1 error
        for more about a code, run `tfjob explain syntax`
        "#);
        insta::assert_snapshot!(one("", Span::new(0, 0)), @r#"
        error[syntax]

          × a fact
           ╭─[a.tfjob.kdl:1:1]
           ╰────

        1 error
        for more about a code, run `tfjob explain syntax`
        "#);
    }

    #[test]
    fn a_tall_label_is_drawn_on_its_first_line() {
        let text = format!("job \"a\" {{\n{}}}\n", "    image \"b\"\n".repeat(20));
        insta::assert_snapshot!(one(&text, Span::new(0, text.len() as u32 - 1)), @r#"
        error[syntax]

          × a fact
           ╭─[a.tfjob.kdl:1:1]
         1 │ job "a" {
           · ─────────
         2 │     image "b"
           ╰────

        1 error
        for more about a code, run `tfjob explain syntax`
        "#);
    }

    #[test]
    fn a_long_line_is_cut() {
        let text = format!("job \"{}\"\n", "a".repeat(5000));
        insta::assert_snapshot!(one(&text, Span::new(4, 8)), @r#"
        error[syntax]

          × a fact
           ╭─[a.tfjob.kdl:1:5]
         1 │ job "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…
           ·     ────
           ╰────

        1 error
        for more about a code, run `tfjob explain syntax`
        "#);
    }

    #[test]
    fn a_secret_is_not_shown_by_any_finding() {
        let mut sources = Sources::default();
        let text = "env {\n    PASSWORD \"hünter2\"; x\n}\n";
        sources.add("a.tfjob.kdl", Written::Kdl, text);
        let at = |words: &str| {
            let start = text.find(words).unwrap() as u32;
            Span::new(start, start + words.len() as u32)
        };
        let diagnostics = vec![
            Diagnostic::new(&tfjob_lang::codes::LITERAL_SECRET, at("\"hünter2\""), "a credential"),
            Diagnostic::new(&SYNTAX, at("x"), "a fact"),
        ];
        let shown = printed(&[Batch { sources, diagnostics }], Format::Human);
        assert!(!shown.contains("nter") && shown.matches("PASSWORD \"********\"; x").count() == 2, "{shown}");
    }

    #[test]
    fn control_characters_are_replaced() {
        let shown = one("job \"\u{1b}[2J\u{202e}\rx\"\r\n", Span::new(4, 5));
        assert!(!shown.contains(['\u{1b}', '\u{202e}', '\r']), "{shown}");
    }

    #[test]
    fn at_most_fifty_are_shown_and_the_rest_is_counted() {
        let mut many = batch();
        let one = many.diagnostics[0].clone();
        many.diagnostics =
            (0..60).map(|i| Diagnostic { message: format!("fact {i}"), ..one.clone() }).collect();
        let shown = printed(&[many], Format::Human);
        assert_eq!(shown.matches("error[unknown-role]").count(), 50);
        assert!(
            shown.contains("… and 10 more; `--format short` prints all, one per line\n\n60 errors\n"),
            "{shown}"
        );
    }

    #[test]
    fn a_clean_report_is_silent() {
        assert_eq!(printed(&[Batch::default()], Format::Human), "");
    }
}
