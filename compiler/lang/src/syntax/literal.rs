//! String literals: the value of a literal, how to write one, and the source position of each character.
use super::lexer::is_forbidden;
use crate::sources::{Format, Source, Span};
use std::fmt::Write;
use std::ops::Range;

pub mod json;
pub mod kdl;
pub mod yaml;

/// One character of a literal, and the bytes in the source that stand for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// The character.
    pub says: char,
    /// Byte range, relative to the opening quote.
    pub bytes: Range<usize>,
}

/// An error in a literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Byte range of the error, relative to the opening quote.
    pub bytes: Range<usize>,
    /// Kind of the error.
    pub kind: FaultKind,
    /// Message of the diagnostic.
    pub message: String,
    /// Help of the diagnostic.
    pub help: String,
    /// Replacement for the byte range, if there is only one correction.
    pub instead: Option<String>,
}

/// The kinds of [`Fault`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// An invalid escape.
    Escape,
    /// Wrong layout of a multi-line string.
    Layout,
}

/// Joins the characters to a string.
#[must_use]
pub fn text_of(units: &[Unit]) -> String {
    units.iter().map(|unit| unit.says).collect()
}

/// Returns the source span of the byte range `decoded` in the value of a literal. `literal`: the span of the literal, with its
/// quotes. If the position is unknown, as in a folded YAML scalar, returns the whole literal.
#[must_use]
pub fn locate(source: &Source, literal: Span, decoded: Range<usize>) -> Span {
    Places::of(source, literal).at(decoded)
}

/// Source positions of all characters of one literal.
#[derive(Debug)]
pub struct Places {
    literal: Span,
    characters: Characters,
    /// Length of the value in bytes.
    length: usize,
}

/// Positions of the characters of a literal.
#[derive(Debug)]
enum Characters {
    Unknown,
    /// Each byte of the value stands for itself, after the quote.
    Verbatim,
    /// Offset of each character in the value, and its byte range in the literal.
    Each(Vec<(usize, Range<usize>)>),
}

impl Places {
    /// Parses the literal at a span that includes the quotes.
    #[must_use]
    pub fn of(source: &Source, literal: Span) -> Self {
        let words = source.slice(literal);
        if let Some(value) =
            kdl::verbatim(words).filter(|value| source.format == Format::Kdl && !value.is_empty())
        {
            return Self { literal, characters: Characters::Verbatim, length: value.len() };
        }
        let units = match source.format {
            Format::Kdl if foreign_quotes(words).is_some() => foreign_quotes(words).map(|quote| {
                let inner = &words[quote..words.len() - words.chars().next_back().map_or(0, char::len_utf8)];
                let moved =
                    |unit: Unit| Unit { bytes: unit.bytes.start + quote..unit.bytes.end + quote, ..unit };
                unquoted(inner, words.chars().next()).into_iter().map(moved).collect()
            }),
            Format::Kdl if is_rewritten(words) => None,
            Format::Kdl => kdl::units(words).ok(),
            Format::Json => json::units(words).ok(),
            Format::Yaml => yaml::units(words),
            Format::Set => Some(plain(words)),
        };
        // A forbidden character is removed from the value. An escape that stands for one is not.
        let is_removed = |unit: &Unit| {
            source.format == Format::Kdl
                && is_forbidden(unit.says)
                && unit.bytes.len() == unit.says.len_utf8()
        };
        let mut length = 0;
        let characters = units.map_or(Characters::Unknown, |units: Vec<Unit>| {
            let units = units.into_iter().filter(|unit| !is_removed(unit));
            let with_start = |unit: Unit| {
                let start = length;
                length += unit.says.len_utf8();
                (start, unit.bytes)
            };
            Characters::Each(units.map(with_start).collect())
        });
        Self { literal, characters, length }
    }

    /// Returns the span of the literal.
    #[must_use]
    pub const fn literal(&self) -> Span {
        self.literal
    }

    /// Returns the source span of a byte range of the value. See [`locate`].
    #[must_use]
    pub fn at(&self, decoded: Range<usize>) -> Span {
        let offset = |byte: usize| self.literal.start + u32::try_from(byte).unwrap_or(u32::MAX);
        let bytes = match &self.characters {
            Characters::Unknown => None,
            Characters::Verbatim => {
                let end = decoded.end.max(decoded.start);
                (end <= self.length).then_some(decoded.start + 1..end + 1)
            }
            Characters::Each(units) => place(units, self.length, decoded),
        };
        bytes.map_or(self.literal, |bytes| Span::new(offset(bytes.start), offset(bytes.end)))
    }
}

/// Returns whether a word is invalid KDL that tfjob repairs by rewriting it, as with `'a'`, `$HOME`, and `--x="a b"`. The source
/// positions of the characters in the rewritten value are unknown.
fn is_rewritten(words: &str) -> bool {
    let quoted = words.trim_start_matches('#').starts_with('"');
    !quoted && words.contains(['"', '$', '\'', '`', '\u{2018}', '\u{201c}', '\u{201e}', '\u{ab}'])
}

/// Returns the length of the opening quote of a string in the quotes of another language, such as `'a b'`; `None` for any other
/// word. The content of such a string has no escapes.
fn foreign_quotes(words: &str) -> Option<usize> {
    let pairs = [
        ('\'', '\''),
        ('`', '`'),
        ('\u{2018}', '\u{2019}'),
        ('\u{201c}', '\u{201d}'),
        ('\u{201e}', '\u{201d}'),
        ('\u{ab}', '\u{bb}'),
    ];
    let first = words.chars().next()?;
    let close = pairs.iter().find(|(open, _)| *open == first)?.1;
    (words.ends_with(close) && words.chars().nth(1).is_some()).then(|| first.len_utf8())
}

/// Returns a literal without its closing quote, if it has one.
fn without_quote(literal: &str, quote: char) -> &str {
    literal.strip_suffix(quote).filter(|rest| !rest.is_empty()).unwrap_or(literal)
}

/// Returns the characters of a string in the quotes of another language, without these. In all of them, `\'` stands for a single quote.
pub(super) fn unquoted(inner: &str, opening: Option<char>) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::with_capacity(inner.len());
    for unit in plain(inner) {
        match units.last_mut() {
            Some(sign) if opening == Some('\'') && sign.says == '\\' && unit.says == '\'' => {
                *sign = Unit { says: '\'', bytes: sign.bytes.start..unit.bytes.end };
            }
            Some(_) | None => units.push(unit),
        }
    }
    units
}

/// Returns the characters of a literal that has no quotes and no escapes.
pub(super) fn plain(words: &str) -> Vec<Unit> {
    words.char_indices().map(|(at, says)| Unit { says, bytes: at..at + says.len_utf8() }).collect()
}

fn place(units: &[(usize, Range<usize>)], length: usize, decoded: Range<usize>) -> Option<Range<usize>> {
    let begins = |at: usize| units.binary_search_by_key(&at, |(start, _)| *start).ok();
    let last = units.last().map(|(_, bytes)| bytes.end);
    let start = match begins(decoded.start) {
        Some(unit) => units[unit].1.start,
        None => last.filter(|_| decoded.start == length)?,
    };
    let end = match decoded.end {
        _ if decoded.is_empty() => start,
        end if end == length => last?,
        end => units[begins(end)?.checked_sub(1)?].1.end,
    };
    (start <= end).then_some(start..end)
}

/// Returns `text` as a quoted KDL string on one line.
#[must_use]
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if is_forbidden(c) || super::lexer::is_newline(c) => {
                write!(out, "\\u{{{:x}}}", u32::from(c)).expect("writing to a String cannot fail");
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::Sources;

    fn located(format: Format, before: &str, literal: &str, decoded: Range<usize>) -> String {
        let mut all = Sources::default();
        all.add("first", Format::Kdl, "xyz");
        let number = all.add("a", format, format!("{before}{literal}\n"));
        let source = all.get(number);
        let start = source.base() + before.len() as u32;
        let span = locate(source, Span::new(start, start + literal.len() as u32), decoded);
        source.slice(span).to_owned()
    }

    #[test]
    fn a_place_in_a_text_is_found_in_its_literal() {
        assert_eq!(located(Format::Kdl, "run ", "\"a {x}\"", 2..5), "{x}");
        assert_eq!(located(Format::Kdl, "run ", "\"\\t\\u{e9}\\\n   {x}\"", 3..6), "{x}");
        assert_eq!(located(Format::Kdl, "run ", "##\"a\\{x}\"##", 2..5), "{x}");
        assert_eq!(located(Format::Kdl, "run ", "\"\"\"\n    a\n\n      {x}\\n\n    \"\"\"", 5..8), "{x}");
        assert_eq!(located(Format::Kdl, "run ", "{x}/y", 0..3), "{x}");
        assert_eq!(located(Format::Kdl, "run ", "'a{x}'", 1..4), "{x}");
        // The value is `a`, U+202E, and `{x}`: the first U+202E is removed, and the escape is not.
        assert_eq!(located(Format::Kdl, "run ", "\"\u{202e}a\\u{202e}{x}\"", 4..7), "{x}");
        assert_eq!(located(Format::Kdl, "run ", "'\u{202e}a{x}'", 1..4), "{x}");
        assert_eq!(located(Format::Kdl, "run ", "\u{201c}a{x}\u{201d}", 1..4), "{x}");
        assert_eq!(located(Format::Json, "", "\"\\u00e9\\ud83d\\ude00{x}\"", 6..9), "{x}");
        assert_eq!(located(Format::Yaml, "a: ", "'it''s {x}'", 5..8), "{x}");
        assert_eq!(located(Format::Yaml, "a: ", "\"\\x41\\\"{x}\"", 2..5), "{x}");
        assert_eq!(located(Format::Yaml, "a: ", "b/{x}", 2..5), "{x}");
        assert_eq!(located(Format::Set, "run=", "b/{x}", 2..5), "{x}");
    }

    #[test]
    fn what_cannot_be_told_is_the_whole_literal() {
        assert_eq!(located(Format::Kdl, "run ", "\"abc\"", 2..9), "\"abc\"");
        assert_eq!(located(Format::Kdl, "run ", "\"\\q{x}\"", 1..4), "\"\\q{x}\"");
        assert_eq!(located(Format::Kdl, "run ", "--x='a{x}'", 1..4), "--x='a{x}'");
        assert_eq!(located(Format::Yaml, "a: ", "|\n  b {x}", 2..5), "|\n  b {x}");
    }

    #[test]
    fn an_escaped_quote_is_one_character_of_a_string_in_single_quotes() {
        assert_eq!(located(Format::Kdl, "run ", r"'\'{x}'", 1..4), "{x}");
        assert_eq!(located(Format::Kdl, "run ", r"'\'{x}'", 0..1), r"\'");
    }

    #[test]
    fn an_empty_range_is_a_place_between_two_characters() {
        assert_eq!(located(Format::Kdl, "run ", "\"abc\"", 3..3), "");
    }

    #[test]
    fn an_unterminated_literal_ends_with_the_text() {
        for literal in ["\"", "\"é", "\"a😀", "'é", "'"] {
            let wanted = literal[1..].to_owned();
            if literal.starts_with('"') {
                assert_eq!(
                    json::units(literal).map(|units| text_of(&units)),
                    Ok(wanted.clone()),
                    "{literal}"
                );
            }
            assert_eq!(yaml::units(literal).map(|units| text_of(&units)), Some(wanted), "{literal}");
        }
    }

    #[test]
    fn what_is_quoted_reads_back() {
        for text in ["", "a\"b\\c", "\u{7}\u{2028}\r\n\t\u{85}", "é😀", "\u{202e}\u{7f}"] {
            let literal = quote(text);
            assert_eq!(kdl::units(&literal).map(|units| text_of(&units)), Ok(text.to_owned()));
            assert!(!literal.chars().any(|c| is_forbidden(c) || super::super::lexer::is_newline(c)));
        }
    }
}
