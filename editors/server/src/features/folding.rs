//! Folding of blocks, comments, and strings over several lines.
use super::symbols::data::visit;
use crate::data::Data;
use crate::documents::Document;
use crate::outline::{Node, Word};
use crate::session::Session;
use lsp_types::{FoldingRange, FoldingRangeKind, Uri};
use std::ops::Range;
use tfjob_lang::sources::Format;

/// Returns the ranges of lines that can be folded.
pub fn folding(session: &Session<'_>, uri: &Uri) -> Option<Vec<FoldingRange>> {
    let document = session.document(uri)?;
    let mut folds = Folds { document, out: Vec::new() };
    match document.format() {
        Format::Kdl => {
            let outline = document.outline();
            folds.nodes(&outline.nodes);
            folds.comments(&outline.comments);
        }
        format @ (Format::Json | Format::Yaml | Format::Set) => {
            let data = Data::of(&document.text, format);
            let mut add = |range: Range<usize>| {
                // A line that begins with the closing bracket stays visible, as in KDL.
                let line = document.text[..range.end].rsplit('\n').next().unwrap_or_default();
                let closes = u32::from(line.trim_start().starts_with(['}', ']']));
                folds.add(folds.line(range.start), folds.line(range.end).saturating_sub(closes), None);
            };
            data.root.iter().for_each(|root| visit(root, &mut add));
            folds.comments(&data.comments);
        }
    }
    folds.out.sort_by_key(|fold| (fold.start_line, std::cmp::Reverse(fold.end_line)));
    // If two blocks begin on the same line, only the outer one can be folded.
    folds.out.dedup_by_key(|fold| fold.start_line);
    Some(nested(folds.out))
}

/// Removes each range that overlaps an earlier one in part, as in a text with errors. `folds`: sorted by their first lines.
fn nested(mut folds: Vec<FoldingRange>) -> Vec<FoldingRange> {
    let mut ends: Vec<u32> = Vec::new();
    folds.retain(|fold| {
        while ends.pop_if(|end| *end < fold.start_line).is_some() {}
        let is_inside = ends.last().is_none_or(|end| fold.end_line <= *end);
        ends.extend(is_inside.then_some(fold.end_line));
        is_inside
    });
    folds
}

struct Folds<'d> {
    document: &'d Document,
    out: Vec<FoldingRange>,
}

impl Folds<'_> {
    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            let before = self.out.len();
            let words = node.entries.iter().filter_map(|entry| entry.value.as_ref());
            words.for_each(|word| self.word(word));
            if let Some(block) = &node.block {
                let line =
                    if block.closed { self.line(block.bytes.end).saturating_sub(1) } else { self.last() };
                self.add(self.line(block.bytes.start), line, None);
            } else if self.out.len() == before {
                // Arguments on several lines.
                self.add(self.line(node.bytes.start), self.line(node.bytes.end), None);
            }
            self.nodes(node.nodes());
        }
    }

    fn word(&mut self, word: &Word) {
        let (start, end) = (self.line(word.bytes.start), self.line(word.bytes.end));
        self.add(start, end.saturating_sub(1), None);
    }

    /// Adds block comments, and groups of line comments on consecutive lines.
    fn comments(&mut self, comments: &[Range<usize>]) {
        let mut group: Option<(u32, u32)> = None;
        for comment in comments {
            let (start, end) = (self.line(comment.start), self.line(comment.end));
            group = match group {
                Some((first, last)) if start == last + 1 && self.begins_line(comment.start) => {
                    Some((first, end))
                }
                before => {
                    self.comment(before);
                    Some((start, end))
                }
            };
        }
        self.comment(group);
    }

    fn comment(&mut self, group: Option<(u32, u32)>) {
        if let Some((start, end)) = group {
            self.add(start, end, Some(FoldingRangeKind::Comment));
        }
    }

    /// Returns whether only white space is before an offset on its line.
    fn begins_line(&self, byte: usize) -> bool {
        let start = self.document.lines.start(self.line(byte));
        self.document.text.get(start..byte).is_some_and(|before| before.trim_start().is_empty())
    }

    fn add(&mut self, start: u32, end: u32, kind: Option<FoldingRangeKind>) {
        if start < end {
            let range = FoldingRange { start_line: start, end_line: end, kind, ..FoldingRange::default() };
            self.out.push(range);
        }
    }

    fn line(&self, byte: usize) -> u32 {
        self.document.lines.line(byte)
    }

    fn last(&self) -> u32 {
        self.line(self.document.text.trim_end().len())
    }
}
