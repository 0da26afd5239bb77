//! All texts of one analysis. They share one offset space, so that a span needs only two numbers and no file.
use crate::secrets::Credentials;
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// Bytes `start..end` in the offset space of one [`Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Returns the span `start..end`.
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Returns the length in bytes.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    /// Returns whether the span is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns whether the span contains `other`.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns the smallest span that contains both spans.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// Format of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// KDL, version 2.
    Kdl,
    /// JSON.
    Json,
    /// YAML.
    Yaml,
    /// Setting from one `--set KEY=VALUE`.
    Set,
}

/// A text, and where the text begins in the offset space.
#[derive(Debug, Clone)]
pub struct Source {
    /// Display name: a path in the notation of the user, `-`, or `--set`.
    pub name: String,
    /// Content of the text.
    pub text: String,
    /// Format of the text.
    pub format: Format,
    base: u32,
    lines: Vec<u32>,
}

/// A position in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, in Unicode scalar values.
    pub column: u32,
    /// Byte offset in the file, from 0.
    pub byte: u32,
}

impl Source {
    /// Returns the offset at which the text begins.
    #[must_use]
    pub const fn base(&self) -> u32 {
        self.base
    }

    /// Returns the span of the whole text.
    #[must_use]
    pub fn span(&self) -> Span {
        Span::new(self.base, self.base + length(&self.text))
    }

    /// Converts `span` to a byte range in this text, clipped to the text.
    #[must_use]
    pub fn local(&self, span: Span) -> std::ops::Range<usize> {
        let top = self.text.len();
        let at = |offset: u32| (offset.saturating_sub(self.base) as usize).min(top);
        at(span.start)..at(span.end)
    }

    /// Returns the text at `span`.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(self.local(span)).unwrap_or_default()
    }

    /// Returns the position of an offset. A byte order mark is not counted as a column.
    #[must_use]
    pub fn position(&self, offset: u32) -> Position {
        let byte = offset.saturating_sub(self.base).min(length(&self.text));
        let line = self.lines.partition_point(|&start| start <= byte) - 1;
        let start = self.lines[line] as usize;
        let before = self.text.get(start..byte as usize).unwrap_or_default();
        let before = if start == 0 { before.trim_start_matches('\u{feff}') } else { before };
        Position { line: line as u32 + 1, column: before.chars().count() as u32 + 1, byte }
    }
}

fn length(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap_or(u32::MAX)
}

/// All texts of one analysis.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    texts: Vec<Source>,
    /// The cached credentials. A check needs them twice, and one search takes a sixth of the time of the check.
    credentials: OnceLock<Credentials>,
}

impl Sources {
    /// Adds a text. Returns the number of the text, for [`Sources::get`].
    pub fn add(&mut self, name: impl Into<String>, format: Format, text: impl Into<String>) -> usize {
        let base = self.texts.last().map_or(0, |last| last.base + length(&last.text) + 1);
        let text = text.into();
        let lines = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1))
            .collect();
        self.credentials = OnceLock::new();
        self.texts.push(Source { name: name.into(), text, format, base, lines });
        self.texts.len() - 1
    }

    /// Returns the text with this number.
    #[must_use]
    pub fn get(&self, number: usize) -> &Source {
        &self.texts[number]
    }

    /// Returns the credentials in all texts.
    #[must_use]
    pub fn credentials(&self) -> &Credentials {
        self.credentials.get_or_init(|| Credentials::of(self))
    }

    /// Returns all texts, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.texts.iter()
    }

    /// Returns whether `at` is in a base of the file that contains `own`. A declaration in a base is not reported as unused: other
    /// files that extend the base may use it, and these files are not part of this analysis.
    pub(crate) fn is_of_base(&self, own: Span, at: Span) -> bool {
        self.find(at).is_none_or(|source| {
            let same = self.find(own).is_some_and(|own| own.base() == source.base());
            !same && source.format != Format::Set
        })
    }

    /// Returns the text that contains `span`; `None` only if there are no texts.
    #[must_use]
    pub fn find(&self, span: Span) -> Option<&Source> {
        self.texts.get(self.texts.partition_point(|s| s.base <= span.start).checked_sub(1)?)
    }

    /// Returns the text at `span`.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.find(span).map_or("", |source| source.slice(span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_finds_its_file() {
        let mut all = Sources::default();
        let job = all.add("job.tfjob.kdl", Format::Kdl, "job \"a\"");
        let base = all.add("base.tfjob.kdl", Format::Kdl, "image \"x\"");
        let at = all.get(base).base();
        assert_eq!(all.slice(Span::new(at + 6, at + 9)), "\"x\"");
        assert_eq!(all.find(Span::new(3, 4)).map(|s| s.name.as_str()), Some("job.tfjob.kdl"));
        assert_eq!(all.get(job).span(), Span::new(0, 7));
    }

    #[test]
    fn credentials_are_those_of_all_texts() {
        let mut all = Sources::default();
        let job = all.add("job.tfjob.kdl", Format::Kdl, "env { API_TOKEN \"{param.k}\"; }");
        assert!(all.credentials().within(all.get(job)).is_empty());
        let set = all.add("--set", Format::Set, "param.k=a1b2c3d4");
        assert_eq!(all.credentials().within(all.get(set)), std::slice::from_ref(&(8..16)));
    }

    #[test]
    fn columns_count_unicode_scalar_values() {
        let mut all = Sources::default();
        let n = all.add("x", Format::Kdl, "a\néé \"x\"\n");
        let source = all.get(n);
        let x = source.text.find('"').unwrap() as u32;
        assert_eq!(source.position(x), Position { line: 2, column: 4, byte: x });
    }
}
