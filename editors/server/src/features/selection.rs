//! Selection ranges: from a word to its string, its entry, its block, and the file.
use super::symbols::data::visit;
use crate::data::Data;
use crate::documents::Document;
use crate::outline::{Node, Outline, Word};
use crate::session::Session;
use lsp_types::{Position, SelectionRange, Uri};
use std::ops::Range;
use tfjob_lang::sources::Format;

/// Returns the ranges around each position, the smallest one first.
pub fn selection(session: &Session<'_>, uri: &Uri, positions: &[Position]) -> Option<Vec<SelectionRange>> {
    let document = session.document(uri)?;
    let empty = Outline::default();
    let (outline, data) = match document.format() {
        Format::Kdl => (document.outline(), Data::default()),
        format @ (Format::Json | Format::Yaml | Format::Set) => (&empty, Data::of(&document.text, format)),
    };
    let mut ranges: Vec<Range<usize>> = outline.comments.iter().chain(&data.comments).cloned().collect();
    data.root.iter().for_each(|root| visit(root, &mut |range| ranges.push(range)));
    let names = session.mentions(document);
    let spans = names.iter().flat_map(|one| [Some(one.span), one.word]).flatten();
    ranges.extend(spans.map(|span| span.start as usize..span.end as usize));
    ranges.sort_by_key(|range| range.start);
    let mut next = ranges.into_iter().peekable();
    // The offsets are read in order, each with the number of its position: there may be thousands of cursors.
    let mut offsets: Vec<(usize, usize)> = positions.iter().map(|one| document.byte(*one)).zip(0..).collect();
    offsets.sort_unstable();
    let mut around: Vec<Range<usize>> = Vec::new();
    let mut selected = Vec::new();
    for (byte, number) in offsets {
        around.retain(|range| touches(range, byte));
        while let Some(range) = next.next_if(|range| range.start <= byte) {
            around.extend(touches(&range, byte).then_some(range));
        }
        let mut all = around.clone();
        all.push(0..document.text.len());
        nodes(&document.text, &outline.nodes, byte, &mut all);
        selected.push((number, nested(document, all, byte)));
    }
    selected.sort_by_key(|(number, _)| *number);
    Some(selected.into_iter().map(|(_, range)| range).collect())
}

/// Returns the ranges around an offset, each with the next larger one. Ranges that are not nested are left out.
fn nested(document: &Document, mut all: Vec<Range<usize>>, byte: usize) -> SelectionRange {
    // From the outermost to the innermost: each range must contain the next one.
    all.sort_by_key(|range| (std::cmp::Reverse(range.len()), range.start));
    all.dedup();
    let mut selected: Option<SelectionRange> = None;
    let mut outer = 0..usize::MAX;
    for range in all {
        if outer.start <= range.start && range.end <= outer.end {
            let parent = selected.take().map(Box::new);
            selected = Some(SelectionRange { range: document.range(range.clone()), parent });
            outer = range;
        }
    }
    selected.unwrap_or_else(|| SelectionRange { range: document.range(byte..byte), parent: None })
}

fn touches(range: &Range<usize>, byte: usize) -> bool {
    range.start <= byte && byte <= range.end
}

/// Returns the first item at an offset. The items are in order of the text.
fn first<T>(all: &[T], byte: usize, bytes: impl Fn(&T) -> &Range<usize>) -> Option<&T> {
    let number = all.partition_point(|one| bytes(one).end < byte);
    all.get(number).filter(|one| touches(bytes(one), byte))
}

/// Adds the ranges of the nodes around an offset.
fn nodes(text: &str, nodes: &[Node], byte: usize, out: &mut Vec<Range<usize>>) {
    let Some(node) = first(nodes, byte, |node| &node.bytes) else { return };
    out.push(node.bytes.clone());
    if touches(&node.name.bytes, byte) {
        word(text, &node.name, byte, out);
        return;
    }
    if let Some(block) =
        node.block.as_ref().filter(|block| block.bytes.start < byte && byte < block.bytes.end)
    {
        out.push(block.bytes.clone());
        let end = block.bytes.end - usize::from(block.closed);
        let content = trimmed(text, block.bytes.start + 1..end);
        out.extend(touches(&content, byte).then_some(content));
        self::nodes(text, &block.nodes, byte, out);
        return;
    }
    let Some(entry) = first(&node.entries, byte, |entry| &entry.bytes) else { return };
    out.push(entry.bytes.clone());
    let words = entry.name.iter().chain(&entry.value).filter(|word| touches(&word.bytes, byte));
    words.for_each(|found| word(text, found, byte, out));
}

/// Adds the range of a word, and that of the text between its quotes.
fn word(text: &str, word: &Word, byte: usize, out: &mut Vec<Range<usize>>) {
    out.push(word.bytes.clone());
    if word.quoted {
        let raw = text.get(word.bytes.clone()).unwrap_or_default();
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let quote = if raw[hashes..].starts_with("\"\"\"") { "\"\"\"" } else { "\"" };
        let start = hashes + quote.len();
        let closing = format!("{quote}{}", "#".repeat(hashes));
        let end =
            raw.get(start..).and_then(|rest| rest.strip_suffix(&closing)).map(|inner| start + inner.len());
        let inner = word.bytes.start + start..word.bytes.start + end.unwrap_or(raw.len());
        out.extend((inner.start < inner.end && touches(&inner, byte)).then_some(inner));
    }
}

/// Returns a range without white space at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = text.get(range.clone()).unwrap_or_default();
    let start = range.start + inner.len() - inner.trim_start().len();
    start..(start + inner.trim().len())
}
