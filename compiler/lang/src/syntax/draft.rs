//! A source text during repair. Byte ranges of the repaired text are mapped back to the original source.
use super::guard::span;
use crate::sources::{Source, Span};
use std::ops::Range;

/// A replacement of a byte range. An empty range means an insertion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    /// Byte range to replace.
    pub bytes: Range<usize>,
    /// Replacement.
    pub text: String,
}

impl Change {
    pub(super) fn new(bytes: Range<usize>, text: impl Into<String>) -> Self {
        Self { bytes, text: text.into() }
    }
}

/// A source after some changes.
#[derive(Debug, Clone)]
pub(super) struct Draft<'a> {
    source: &'a Source,
    /// The text after all changes so far.
    pub text: String,
    steps: Vec<Vec<Piece>>,
}

/// An applied change: its range in the new text, and its range in the old text.
#[derive(Debug, Clone)]
struct Piece {
    new: Range<usize>,
    old: Range<usize>,
}

impl<'a> Draft<'a> {
    /// Returns a draft without changes.
    pub(super) fn new(source: &'a Source) -> Self {
        Self { source, text: source.text.clone(), steps: Vec::new() }
    }

    /// Maps a byte range of the current text to a span of the source.
    pub(super) fn span(&self, bytes: Range<usize>) -> Span {
        let empty = bytes.is_empty();
        let (mut start, mut end) = (bytes.start, bytes.end);
        for step in self.steps.iter().rev() {
            (start, end) = (old_start(step, start), old_end(step, end));
        }
        let end = if empty { start } else { end.max(start) };
        span(self.source, start, end)
    }

    /// Replaces the bytes in `blanks` by spaces, and applies the changes. Skips a change that overlaps one of these bytes or an
    /// earlier change.
    pub(super) fn apply(&mut self, mut changes: Vec<Change>, blanks: Vec<Range<usize>>) {
        if changes.is_empty() && blanks.is_empty() {
            return;
        }
        let blanks = merged(blanks);
        let text = blanked(&self.text, &blanks);
        changes.sort_by_key(|change| (change.bytes.start, change.bytes.end));
        let mut out = String::with_capacity(text.len() + 16);
        let (mut step, mut at, mut next) = (Vec::new(), 0, 0);
        for change in changes {
            while blanks.get(next).is_some_and(|blank| blank.end <= change.bytes.start) {
                next += 1;
            }
            let hidden = blanks.get(next).is_some_and(|blank| blank.start < change.bytes.end);
            if hidden || change.bytes.start < at {
                continue;
            }
            out.push_str(&text[at..change.bytes.start]);
            let start = out.len();
            out.push_str(&change.text);
            at = change.bytes.end;
            step.push(Piece { new: start..out.len(), old: change.bytes });
        }
        out.push_str(&text[at..]);
        self.text = out;
        self.steps.push(step);
    }
}

fn blanked(text: &str, blanks: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for blank in blanks {
        out.push_str(&text[at..blank.start]);
        out.extend(std::iter::repeat_n(' ', blank.len()));
        at = blank.end;
    }
    out.push_str(&text[at..]);
    out
}

/// Returns the union of the ranges, sorted and without overlaps.
fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut out: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges.into_iter().filter(|range| !range.is_empty()) {
        match out.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            Some(_) | None => out.push(range),
        }
    }
    out
}

fn old_start(step: &[Piece], new: usize) -> usize {
    match step.partition_point(|piece| piece.new.start <= new).checked_sub(1) {
        Some(last) if new < step[last].new.end => step[last].old.start,
        Some(last) => step[last].old.end + (new - step[last].new.end),
        None => new,
    }
}

fn old_end(step: &[Piece], new: usize) -> usize {
    match step.partition_point(|piece| piece.new.start < new).checked_sub(1) {
        Some(last) if new < step[last].new.end => step[last].old.end,
        Some(last) => step[last].old.end + (new - step[last].new.end),
        None => new,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{Format, Sources};

    #[test]
    fn a_mended_text_leads_back_to_the_words_of_the_user() {
        let mut all = Sources::default();
        all.add("first", Format::Kdl, "xyz");
        let number = all.add("a", Format::Kdl, "image 16GiB, // note\n\"b\" }");
        let source = all.get(number);
        let mut draft = Draft::new(source);
        draft.apply(vec![Change::new(11..12, "")], vec![13..16, 16..20]);
        assert_eq!(draft.text, "image 16GiB        \n\"b\" }");
        draft.apply(
            vec![Change::new(6..11, "\"16GiB\""), Change::new(24..24, " }"), Change::new(8..9, "x")],
            vec![],
        );
        assert_eq!(draft.text, "image \"16GiB\"        \n\"b\"  }}");
        assert_eq!(source.slice(draft.span(6..13)), "16GiB");
        assert_eq!(source.slice(draft.span(22..25)), "\"b\"");
        assert_eq!(source.slice(draft.span(0..5)), "image");
        assert_eq!(draft.span(7..7), draft.span(6..6));
    }

    #[test]
    fn a_change_within_a_blank_is_not_made() {
        let mut all = Sources::default();
        let number = all.add("a", Format::Kdl, "a b c d");
        let mut draft = Draft::new(all.get(number));
        draft.apply(
            vec![Change::new(2..3, "xx"), Change::new(7..7, "!"), Change::new(3..3, "?")],
            vec![2..4, 3..5, 5..6],
        );
        assert_eq!(draft.text, "a     d!");
    }
}
