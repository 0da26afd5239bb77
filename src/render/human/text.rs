//! Source text for miette, with control characters and secrets masked.
use super::cuts::Cuts;
use crate::render::legible::Hidden;
use crate::terminal::plain;
use miette::{LabeledSpan, MietteSpanContents, SourceSpan, SpanContents};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use tfjob_lang::sources::{Source, Sources, Span};

/// Maximum number of lines of a label. A label over more lines is drawn only on its first line.
const TALLEST: usize = 8;

/// Columns that miette prints before a source line: the line number and a bar.
const GUTTER: usize = 8;

/// Source text for miette. Control characters and secrets are masked, and long lines are cut.
#[derive(Debug)]
pub(super) struct Text<'a> {
    pub source: &'a Source,
    shown: Cow<'a, str>,
    cuts: Cuts,
}

/// A range of the source to mark, with the text of its label.
#[derive(Debug)]
pub(super) struct Mark {
    at: Range<usize>,
    words: Option<String>,
    pub primary: bool,
}

impl<'a> Text<'a> {
    /// Returns the text with control characters and secrets masked.
    pub fn of(source: &'a Source, sources: &Sources, hidden: &Hidden) -> Self {
        Self { source, shown: hidden.mask(source, sources, plain(&source.text)), cuts: Cuts::default() }
    }

    /// Returns the text with the spans of another source, which has the same length up to its end.
    pub fn with_spans_of(self, source: &'a Source) -> Self {
        Self { source, ..self }
    }

    /// Returns the label, with its span limited to the part that a snippet shows.
    pub fn mark(&self, span: Span, words: &str, primary: bool) -> Mark {
        let words = (!words.is_empty()).then(|| plain(words).into_owned());
        Mark { at: self.drawn(span), words, primary }
    }

    /// Cuts lines longer than `width` columns around the marks, and returns the marks as labels of the cut text.
    pub fn cut(&mut self, marks: Vec<Mark>, width: usize) -> Vec<LabeledSpan> {
        let ranges: Vec<_> = marks.iter().map(|mark| mark.at.clone()).collect();
        let lines = ranges.iter().flat_map(|at| self.snippet(at)).collect::<BTreeSet<_>>();
        for (start, end) in lines {
            self.cuts.cut(&self.shown, start..end, &ranges, width.saturating_sub(GUTTER));
        }
        if let Some(text) = self.cuts.apply(&self.shown) {
            self.shown = Cow::Owned(text);
        }
        let label = |mark: Mark| {
            let (start, end) = (self.cuts.to_shown(mark.at.start), self.cuts.to_shown(mark.at.end));
            let make =
                if mark.primary { LabeledSpan::new_primary_with_span } else { LabeledSpan::new_with_span };
            make(mark.words, (start, end.saturating_sub(start)))
        };
        marks.into_iter().map(label).collect()
    }

    /// Returns the start and the end of each line of a mark, and of one line of context before and after.
    fn snippet(&self, at: &Range<usize>) -> Vec<(usize, usize)> {
        let mut start = self.line_start(self.line_start(at.start).saturating_sub(1));
        let last = (self.line_end(at.end) + 1).min(self.shown.len());
        let mut lines = Vec::new();
        while start <= last {
            let end = self.line_end(start);
            lines.push((start, end));
            start = end + 1;
        }
        lines
    }

    /// Returns the part of `span` that a snippet shows.
    fn drawn(&self, span: Span) -> std::ops::Range<usize> {
        let mut at = self.source.local(span);
        // The position after the last newline is on no line, so it is shown after the last character.
        if at.is_empty() && at.start == self.shown.len() {
            at.start = self.shown.trim_end().len();
            at.end = at.start;
        }
        if self.shown.get(at.clone()).is_some_and(|words| words.lines().count() > TALLEST) {
            at.end = self.line_end(at.start);
        }
        at
    }

    fn line_start(&self, byte: usize) -> usize {
        self.shown.as_bytes()[..byte].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1)
    }

    /// Returns the end of the line at `byte`, without the newline.
    fn line_end(&self, byte: usize) -> usize {
        let rest = &self.shown.as_bytes()[byte..];
        rest.iter().position(|b| *b == b'\n').map_or(self.shown.len(), |i| byte + i)
    }
}

impl miette::SourceCode for Text<'_> {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, miette::MietteError> {
        let top = self.shown.len();
        let mut start = span.offset().min(top);
        let mut end = (span.offset() + span.len()).clamp(start, top);
        if before + after > 0 {
            start = (0..before).fold(self.line_start(start), |at, _| self.line_start(at.saturating_sub(1)));
            // A newline belongs to the line before it, so a span that ends after a newline ends on that line.
            let last = if end > start && self.shown.as_bytes()[end - 1] == b'\n' { end - 1 } else { end };
            end = (0..after).fold(self.line_end(last), |at, _| self.line_end((at + 1).min(top)));
            end = (end + 1).min(top);
        }
        let position = self.source.position(self.source.base() + self.cuts.to_source(start) as u32);
        let data = &self.shown.as_bytes()[start..end];
        Ok(Box::new(MietteSpanContents::new_named(
            plain(&self.source.name.replace(['\n', '\r'], " ")).into_owned(),
            data,
            (start, end - start).into(),
            position.line as usize - 1,
            position.column as usize - 1,
            data.iter().filter(|b| **b == b'\n').count(),
        )))
    }
}
