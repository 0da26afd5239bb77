//! JSON, and the notation of YAML with brackets.
use super::{MAX_DEPTH, Pair, Value};
use crate::outline::Word;
use std::ops::Range;
use tfjob_lang::sources::Format;
use tfjob_lang::syntax::literal::{json, text_of, yaml};

/// Reads values from a part of a text.
pub struct Flow<'t> {
    text: &'t str,
    /// Offset of the next character.
    pub at: usize,
    end: usize,
    format: Format,
    comments: &'t mut Vec<Range<usize>>,
}

impl<'t> Flow<'t> {
    /// Creates a reader for the bytes `part` of a text.
    pub const fn new(
        text: &'t str,
        part: Range<usize>,
        format: Format,
        comments: &'t mut Vec<Range<usize>>,
    ) -> Self {
        Self { text, at: part.start, end: part.end, format, comments }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..self.end).unwrap_or_default()
    }

    /// Returns the next character that is not white space or in a comment.
    fn peek(&mut self) -> Option<char> {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start_matches(is_blank).len();
            let rest = self.rest();
            let apart =
                self.text.get(..self.at).is_none_or(|before| before.is_empty() || before.ends_with(is_blank));
            let length = if rest.starts_with('#') && apart || rest.starts_with("//") && self.is_json() {
                line_of(rest).len()
            } else if rest.starts_with("/*") && self.is_json() {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                return rest.chars().next();
            };
            self.comments.push(self.at..self.at + length);
            self.at += length;
        }
    }

    fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    /// Reads a value. `None` if there is none before the next `,`, `:`, or closing bracket.
    pub fn value(&mut self, depth: usize) -> Option<Value> {
        match self.peek()? {
            ',' | ':' | '}' | ']' => None,
            '{' | '[' if depth >= MAX_DEPTH => {
                self.at = self.end;
                None
            }
            '{' => Some(Value::Map(self.map(depth))),
            '[' => Some(Value::List(self.list(depth))),
            _ => Some(Value::Scalar(self.word())),
        }
    }

    fn map(&mut self, depth: usize) -> Vec<Pair> {
        self.at += 1;
        let mut pairs = Vec::new();
        while let Some(c) = self.peek() {
            match c {
                '}' => {
                    self.at += 1;
                    break;
                }
                ']' => break,
                ',' | ':' => self.at += 1,
                // A value without a key is skipped.
                '{' | '[' => drop(self.value(depth + 1)),
                _ => pairs.push(self.pair(depth)),
            }
        }
        pairs
    }

    fn pair(&mut self, depth: usize) -> Pair {
        let key = self.word();
        if self.peek() != Some(':') {
            return Pair { key, colon: None, value: None, closed: None };
        }
        let colon = self.at;
        self.at += 1;
        let value = self.value(depth + 1);
        let closed = value.as_ref().and_then(|_| closed(self.text, self.at));
        // A string on the next line that is followed by `:` is the next key: the value is not typed yet.
        let is_key = value.as_ref().and_then(Value::word).map(|word| word.bytes.start).filter(|start| {
            self.peek() == Some(':') && self.text.get(colon..*start).is_some_and(|gap| gap.contains('\n'))
        });
        if let Some(start) = is_key {
            self.at = start;
        }
        Pair { key, colon: Some(colon), value: value.filter(|_| is_key.is_none()), closed }
    }

    fn list(&mut self, depth: usize) -> Vec<Value> {
        self.at += 1;
        let mut items = Vec::new();
        while let Some(c) = self.peek() {
            match c {
                ']' => {
                    self.at += 1;
                    break;
                }
                '}' => break,
                ',' | ':' => self.at += 1,
                _ => items.extend(self.value(depth + 1)),
            }
        }
        items
    }

    /// Reads a string, a number, or a word.
    fn word(&mut self) -> Word {
        let rest = self.rest();
        let length = match rest.chars().next() {
            Some(quote @ ('"' | '\'')) => quoted_length(rest, quote),
            Some(_) | None => self.plain_length(rest),
        };
        let word = word(self.text, self.at..self.at + length, self.format);
        // If the word is empty, the next character is skipped.
        let least = rest.chars().next().map_or(0, char::len_utf8);
        self.at = word.bytes.end.max(self.at + least).min(self.end);
        word
    }

    /// Returns the length of a word without quotes.
    fn plain_length(&self, rest: &str) -> usize {
        let mut before = ' ';
        for (at, c) in rest.char_indices() {
            let after = rest[at + c.len_utf8()..].chars().next();
            let ends = match c {
                ',' | '[' | ']' | '{' | '}' | '\n' | '\r' => true,
                ':' => self.is_json() || after.is_none_or(|c| c.is_whitespace() || ",[]{}".contains(c)),
                '#' => before.is_whitespace(),
                ' ' | '\t' | '"' => self.is_json(),
                _ => false,
            };
            if ends && at > 0 {
                return rest[..at].trim_end_matches(is_blank).len();
            }
            before = c;
        }
        rest.trim_end_matches(is_blank).len()
    }
}

/// Returns whether a character separates words. A parser may refuse some of this white space, but not in the middle of a word.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// Returns the offset behind a value, if the value ends with a closing bracket.
pub fn closed(text: &str, end: usize) -> Option<usize> {
    text.get(..end).is_some_and(|before| before.ends_with(['}', ']'])).then_some(end)
}

/// Returns a text up to the end of its first line.
pub fn line_of(text: &str) -> &str {
    &text[..text.find(['\n', '\r']).unwrap_or(text.len())]
}

/// Returns the length of a string in quotes, from its first quote. An unterminated string extends to the end of its line.
pub fn quoted_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    let mut end = text.len();
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' | '\r' => {
                end = at;
                break;
            }
            _ if escaped => escaped = false,
            '\\' if quote == '"' => escaped = true,
            // `''` in single quotes is a quote.
            '\'' if quote == '\'' && text[at + 1..].starts_with('\'') => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text[..end].trim_end().len()
}

/// Returns the word at these bytes of a text.
pub fn word(text: &str, bytes: Range<usize>, format: Format) -> Word {
    let raw = text.get(bytes.clone()).unwrap_or_default();
    let quoted = raw.starts_with(['"', '\'']);
    if !quoted {
        return Word { bytes, text: raw.to_owned(), quoted };
    }
    // Only a terminated string has a value.
    let is_closed = raw.len() > 1 && raw.ends_with(['"', '\'']);
    let units = match format {
        _ if !is_closed => None,
        Format::Json => json::units(raw).ok(),
        Format::Yaml | Format::Kdl | Format::Set => yaml::units(raw),
    };
    Word { bytes, text: units.map_or_else(|| raw[1..].to_owned(), |units| text_of(&units)), quoted }
}
