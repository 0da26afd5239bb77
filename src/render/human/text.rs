//! A text as miette reads it, without what must not be shown.
use crate::render::legible::Hidden;
use crate::terminal::plain;
use miette::{LabeledSpan, MietteSpanContents, SourceSpan, SpanContents};
use std::borrow::Cow;
use tfjob_lang::sources::{Source, Sources, Span};

/// A longer line is no line to draw: its finding is told without a snippet.
const LONGEST_LINE: usize = 1000;

/// A label over more lines is drawn on its first line alone.
const TALLEST: usize = 8;

/// A text as miette reads it: with our columns, without what a terminal would obey, and found by line table.
#[derive(Debug)]
pub(super) struct Text<'a> {
    pub source: &'a Source,
    shown: Cow<'a, str>,
}

impl<'a> Text<'a> {
    /// The text, with what must not be shown made illegible.
    pub fn of(source: &'a Source, sources: &Sources, hidden: &Hidden) -> Self {
        Self { source, shown: hidden.mask(source, sources, plain(&source.text)) }
    }

    /// The label with its span cut to what can be drawn; `None` on a line too long to draw.
    pub fn label(&self, span: Span, words: &str, primary: bool) -> Option<LabeledSpan> {
        let at = self.drawn(span);
        let (start, end) = (self.line_start(at.start), self.line_end(at.end));
        if self.shown[start..end].split('\n').any(|line| line.len() > LONGEST_LINE) {
            return None;
        }
        let words = (!words.is_empty()).then(|| plain(words).into_owned());
        let make = if primary { LabeledSpan::new_primary_with_span } else { LabeledSpan::new_with_span };
        Some(make(words, (at.start, at.len())))
    }

    /// The part of `span` that a snippet shows.
    fn drawn(&self, span: Span) -> std::ops::Range<usize> {
        let mut at = self.source.local(span);
        // The end of the text is on no line after a last line's end: the place is shown behind the last words.
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

    /// The first line's end at or behind `byte`, without it.
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
            // The end of a line belongs to it, so a span that ends behind it ends on it.
            let last = if end > start && self.shown.as_bytes()[end - 1] == b'\n' { end - 1 } else { end };
            end = (0..after).fold(self.line_end(last), |at, _| self.line_end((at + 1).min(top)));
            end = (end + 1).min(top);
        }
        let position = self.source.position(self.source.base() + start as u32);
        let data = &self.shown.as_bytes()[start..end];
        Ok(Box::new(MietteSpanContents::new_named(
            plain(&self.source.name).into_owned(),
            data,
            (start, end - start).into(),
            position.line as usize - 1,
            position.column as usize - 1,
            data.iter().filter(|b| **b == b'\n').count(),
        )))
    }
}
