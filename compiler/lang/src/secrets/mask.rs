//! Masks with the length of the masked text, so that positions in the text stay valid.
use std::ops::Range;

/// Replaces the text in each of the ranges by the result of `mask` for this text. The ranges may overlap, and need no order.
#[must_use]
pub fn replaced(text: &str, mut ranges: Vec<Range<usize>>, mask: fn(&str) -> String) -> String {
    ranges.sort_by_key(|range| range.start);
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for range in ranges {
        let start = range.start.max(at);
        if let (Some(before), Some(value)) = (text.get(at..start), text.get(start..range.end)) {
            out.push_str(before);
            out.push_str(&mask(value));
            at = range.end;
        }
    }
    out.push_str(&text[at..]);
    out
}

/// Returns a mask that has the length of the text in bytes. Line breaks and tabs are kept.
#[must_use]
pub fn stars(words: &str) -> String {
    let star = |c: char| match c {
        '\n' | '\r' | '\t' => c.to_string(),
        other => "*".repeat(other.len_utf8()),
    };
    words.chars().map(star).collect()
}
