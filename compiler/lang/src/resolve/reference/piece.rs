//! Splits text into literal parts and references.
use std::ops::Range;

/// A part of a text, before references are resolved.
pub(super) enum Piece {
    /// Literal text, with `{{` replaced by `{`.
    Text(String),
    /// A reference, including its braces.
    Reference(Range<usize>),
    /// A brace that does not start a reference.
    Open(Range<usize>),
}

/// Splits a text into pieces. `{{` is a literal brace. `{…}` is a reference if it contains only letters, digits, `.`, `-`,
/// and `_`.
pub(super) fn split(text: &str) -> Vec<Piece> {
    let (mut pieces, mut plain, mut at) = (Vec::new(), String::new(), 0);
    while let Some(found) = text[at..].find('{') {
        let open = at + found;
        plain.push_str(&text[at..open]);
        if text[open + 1..].starts_with('{') {
            plain.push('{');
            at = open + 2;
            continue;
        }
        pieces.push(Piece::Text(std::mem::take(&mut plain)));
        let body = &text[open + 1..];
        let end = body.find(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '-' | '_')));
        if let Some(end) = end.filter(|&end| end > 0 && body[end..].starts_with('}')) {
            at = open + 1 + end + 1;
            pieces.push(Piece::Reference(open..at));
        } else {
            at = open + 1;
            pieces.push(Piece::Open(open..at));
        }
    }
    plain.push_str(&text[at..]);
    pieces.push(Piece::Text(plain));
    pieces
}
