//! An error-tolerant lexer for KDL 2. It never fails, and every byte of the text is in exactly one token.
//!
//! Unquoted strings and foreign syntax (`hdfs://nn/x`, `/data`, `'a b'`, `${HOME}`, `# note`) are tokens of their own,
//! although KDL splits some of them differently. All of them are errors. A brace or comment mark within such a token must
//! not affect the rest of the text.
use super::foreign_tokens::{
    Ahead, is_reference, joins_lines, old_raw_length, open_text_length, spread_length,
};
use std::ops::Range;

/// Kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Spaces and tabs, and a byte order mark at the start of the text.
    Blank,
    /// One newline, of any of the eight kinds in KDL.
    Newline,
    /// Line comment, `// …`, without its newline.
    LineComment,
    /// Block comment, `/* … */`, including nested ones.
    BlockComment,
    /// `/-`.
    Slashdash,
    /// `{`.
    Open,
    /// `}`.
    Close,
    /// `(`.
    ParenOpen,
    /// `)`.
    ParenClose,
    /// `=`.
    Equals,
    /// `;`.
    Semicolon,
    /// Line continuation: `\` before the end of a line.
    Backslash,
    /// A terminated quoted string: raw or not, on one line or several.
    Text,
    /// `#true` and other words that begin with `#`.
    Keyword,
    /// A bare word or a number.
    Word,
    /// A bare word with characters that KDL does not allow in bare words: `/data/x`, `hdfs://nn/x`, `${HOME}`,
    /// `{data.train}/x`.
    Odd,
    /// A string in quotes of other languages: `'a b'`, and `'''` over several lines.
    Foreign,
    /// A raw string in the notation of KDL 1: `r"a"`.
    OldRaw,
    /// A string in single `"` quotes that spans several lines, as in other languages.
    Spread,
    /// A comment in the notation of other languages, from `#` to the end of the line.
    HashComment,
    /// An unterminated string. It extends to the end of its line, and over the next lines that may belong to it. A `"""`
    /// string extends to the end of the file.
    OpenText,
    /// An unterminated `/*`. It extends to the end of the file.
    OpenComment,
    /// A character that begins no KDL token: `[`, `]`, or a forbidden character.
    Stray,
}

impl Kind {
    /// Returns whether the token is a comment, terminated or not.
    #[must_use]
    pub const fn is_comment(self) -> bool {
        matches!(self, Self::LineComment | Self::BlockComment | Self::HashComment | Self::OpenComment)
    }
}

/// A token: its kind and byte range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Kind of the token.
    pub kind: Kind,
    /// Offset of the first byte.
    pub start: usize,
    /// Offset after the last byte.
    pub end: usize,
}

impl Token {
    /// Returns the byte range of the token.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// Returns whether the character is a newline in KDL.
#[must_use]
pub const fn is_newline(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Returns whether the character is a space in KDL.
#[must_use]
pub const fn is_blank(c: char) -> bool {
    matches!(
        c,
        '\t' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

/// Returns whether KDL forbids the character. A byte order mark is allowed only at the start of a file.
#[must_use]
pub const fn is_forbidden(c: char) -> bool {
    matches!(
        c,
        '\0'..='\u{8}'
            | '\u{e}'..='\u{1f}'
            | '\u{7f}'
            | '\u{200e}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}'
    )
}

/// For each ASCII character, whether a bare word may contain it.
const ASCII_WORD: [bool; 128] = {
    let mut all = [false; 128];
    let mut c = 0_u8;
    while c < 128 {
        all[c as usize] = allows(c as char);
        c += 1;
    }
    all
};

/// Returns whether a bare word may contain the character.
#[must_use]
pub const fn is_word(c: char) -> bool {
    if c.is_ascii() { ASCII_WORD[c as usize] } else { allows(c) }
}

const fn allows(c: char) -> bool {
    !(is_newline(c)
        || is_blank(c)
        || is_forbidden(c)
        || matches!(c, '\\' | '/' | '(' | ')' | '{' | '}' | '[' | ']' | ';' | '"' | '#' | '='))
}

/// Returns all tokens of a text, without gaps.
#[must_use]
pub fn lex(text: &str) -> Vec<Token> {
    Lexer::new(text).collect()
}

/// Iterator over the tokens of a text. `at` can be set to another offset.
#[derive(Debug, Clone)]
pub struct Lexer<'a> {
    ahead: Ahead<'a>,
    /// Offset of the next token. Always at a character boundary.
    pub at: usize,
}

impl<'a> Lexer<'a> {
    /// Returns a lexer at the start of `text`.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Self { ahead: Ahead::new(text), at: 0 }
    }

    fn token(&mut self, rest: &str, first: char) -> (Kind, usize) {
        match first {
            '\u{feff}' if self.at == 0 => (Kind::Blank, first.len_utf8()),
            c if is_newline(c) => (Kind::Newline, newline_length(rest)),
            c if is_blank(c) => (Kind::Blank, run(rest, is_blank)),
            '/' if rest.starts_with("//") => (Kind::LineComment, run(rest, |c| !is_newline(c))),
            '/' if rest.starts_with("/*") => block_comment(rest),
            '/' if rest.starts_with("/-") => (Kind::Slashdash, 2),
            '{' if is_reference(rest) => (Kind::Odd, self.ahead.foreign_token(self.at)),
            '{' => (Kind::Open, 1),
            '}' => (Kind::Close, 1),
            '(' => (Kind::ParenOpen, 1),
            ')' => (Kind::ParenClose, 1),
            '=' => (Kind::Equals, 1),
            ';' => (Kind::Semicolon, 1),
            '\\' if joins_lines(rest) => (Kind::Backslash, 1),
            '"' => self.text(rest, 0),
            '#' => self.hash(rest),
            '/' | '\\' => (Kind::Odd, self.ahead.foreign_token(self.at)),
            c if is_word(c) => self.word(rest),
            c => (Kind::Stray, c.len_utf8()),
        }
    }

    fn word(&mut self, rest: &str) -> (Kind, usize) {
        if let Some(length) = self.ahead.foreign(self.at) {
            return (Kind::Foreign, length);
        }
        if let Some(length) = old_raw_length(rest) {
            return (Kind::OldRaw, length);
        }
        let plain = run(rest, is_word);
        let odd = self.ahead.foreign_token(self.at);
        if odd > plain { (Kind::Odd, odd) } else { (Kind::Word, plain) }
    }

    /// Reads a quoted string. An unterminated one includes the next lines that may belong to it, so that these lines are
    /// not repaired.
    fn text(&self, rest: &str, hashes: usize) -> (Kind, usize) {
        let (kind, length) = text_literal(rest, hashes);
        let many = rest[hashes..].starts_with("\"\"\"");
        if kind == Kind::OpenText && !many {
            return (kind, length + self.ahead.inside(self.at, self.at + length));
        }
        (kind, length)
    }

    fn hash(&self, rest: &str) -> (Kind, usize) {
        let hashes = run(rest, |c| c == '#');
        if rest[hashes..].starts_with('"') {
            return self.text(rest, hashes);
        }
        let length = hashes + run(&rest[hashes..], is_word);
        let known = matches!(&rest[..length], "#true" | "#false" | "#null" | "#inf" | "#-inf" | "#nan");
        let opens_line = || {
            self.ahead.text[..self.at].trim_end_matches(is_blank).chars().next_back().is_none_or(is_newline)
        };
        if length == hashes || (!known && opens_line()) {
            return (Kind::HashComment, run(rest, |c| !is_newline(c)));
        }
        (Kind::Keyword, length)
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let rest = &self.ahead.text[self.at..];
        let (kind, length) = self.token(rest, rest.chars().next()?);
        let token = Token { kind, start: self.at, end: self.at + length };
        self.at = token.end;
        Some(token)
    }
}

/// Returns the length in bytes of the characters at the start of `rest` that are `wanted`.
pub(super) fn run(rest: &str, wanted: impl Fn(char) -> bool) -> usize {
    rest.find(|c| !wanted(c)).unwrap_or(rest.len())
}

/// Returns the length in bytes of the newline at the start of `rest`. Returns 0 if there is none.
#[must_use]
pub fn newline_length(rest: &str) -> usize {
    match rest.chars().next() {
        Some('\r') if rest.starts_with("\r\n") => 2,
        Some(c) if is_newline(c) => c.len_utf8(),
        Some(_) | None => 0,
    }
}

/// Returns the kind and length in bytes of the block comment at the start of `rest`.
pub(super) fn block_comment(rest: &str) -> (Kind, usize) {
    let bytes = rest.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    while at < bytes.len() {
        match &bytes[at..] {
            [b'/', b'*', ..] => {
                depth += 1;
                at += 2;
            }
            [b'*', b'/', ..] => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return (Kind::BlockComment, at);
                }
            }
            _ => at += 1,
        }
    }
    (Kind::OpenComment, rest.len())
}

/// Returns the kind and length in bytes of the quoted string at the start of `rest`, which begins with this number of `#`.
pub(super) fn text_literal(rest: &str, hashes: usize) -> (Kind, usize) {
    let many = rest[hashes..].starts_with("\"\"\"");
    let quotes = if many { 3 } else { 1 };
    let mut at = hashes + quotes;
    while let Some(c) = rest[at..].chars().next() {
        if c == '"' && closes(&rest.as_bytes()[at..], quotes, hashes) {
            return (Kind::Text, at + quotes + hashes);
        }
        if !many && is_newline(c) {
            match spread_length(rest, at).filter(|_| hashes == 0) {
                Some(length) => return (Kind::Spread, length),
                None => break,
            }
        }
        at += c.len_utf8();
        if hashes == 0 && c == '\\' {
            at += escape_length(&rest[at..]);
        }
    }
    let end = if many { at } else { open_text_length(&rest[..at], hashes + quotes) };
    (Kind::OpenText, end)
}

fn closes(bytes: &[u8], quotes: usize, hashes: usize) -> bool {
    bytes.len() >= quotes + hashes
        && bytes[..quotes].iter().all(|b| *b == b'"')
        && bytes[quotes..quotes + hashes].iter().all(|b| *b == b'#')
}

/// Returns the length in bytes of the part of an escape after the backslash: all whitespace, or one character.
#[must_use]
pub fn escape_length(rest: &str) -> usize {
    match run(rest, |c| is_blank(c) || is_newline(c)) {
        0 => rest.chars().next().map_or(0, char::len_utf8),
        blanks => blanks,
    }
}

#[cfg(test)]
mod tests;
