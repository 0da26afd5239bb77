//! Splits a text of any format into tokens. Never fails, not even for texts with syntax errors.
use crate::sources::Format;
use std::collections::BTreeMap;
use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Quoted string.
    Text,
    /// Unquoted word.
    Word,
    /// `{` or `[`.
    Open,
    /// `}` or `]`.
    Close,
    /// `=`.
    Equals,
    /// `:` between a name and its value.
    Colon,
    /// `,`.
    Comma,
    /// `;`.
    End,
    /// The `-` of a list item.
    Dash,
    /// End of a line.
    Line,
    /// Start of a comment.
    Comment,
}

#[derive(Debug, Clone)]
pub(super) struct Token {
    pub kind: Kind,
    /// Byte range in the text. For a string, without the quotes.
    pub at: Range<usize>,
}

/// How to tokenize a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// A complete text in this format.
    Of(Format),
    /// The content of a string: a script, or text in another format with escaped quotes.
    Inner,
}

pub(super) fn tokens(text: &str, manner: Manner) -> Vec<Token> {
    let mut lexer =
        Lexer { text, at: 0, manner, flow: 0, line: 0, unclosed: BTreeMap::new(), out: Vec::new() };
    while lexer.step() {}
    lexer.out
}

/// Returns the length of the expansion at the start of a text, `${…}` or `$(…)`. `None` if it does not end on the same line.
pub(super) fn expansion(text: &str) -> Option<usize> {
    // Maximum number of bytes to search. It limits the time for a long text.
    const LONGEST: usize = 512;
    let bytes = text.as_bytes();
    if !text.starts_with("${") && !text.starts_with("$(") {
        return None;
    }
    let mut open = Vec::new();
    for (at, b) in bytes.iter().enumerate().take(LONGEST).skip(1) {
        match b {
            b'(' => open.push(b')'),
            b'{' => open.push(b'}'),
            b'\n' => return None,
            _ if open.last() == Some(b) => {
                open.pop();
                if open.is_empty() {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    manner: Manner,
    /// Number of open braces and brackets.
    flow: usize,
    /// Cached end of the current line, so that the search for line ends takes linear time.
    line: usize,
    /// For each form of raw strings (number of quotes, number of hashes): the offset up to which the search for the closing
    /// quotes is known to fail. So no failed search is repeated.
    unclosed: BTreeMap<(usize, usize), usize>,
    out: Vec<Token>,
}

impl Lexer<'_> {
    /// Returns the end of the line that contains `from`.
    fn line_end(&mut self, from: usize) -> usize {
        if self.line < from || self.line == 0 {
            self.line = self.text[from..].find('\n').map_or(self.text.len(), |end| from + end);
        }
        self.line
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn push(&mut self, kind: Kind, at: Range<usize>, next: usize) {
        self.out.push(Token { kind, at });
        self.at = next;
    }

    fn mark(&mut self, kind: Kind, length: usize) {
        self.push(kind, self.at..self.at + length, self.at + length);
    }

    fn last(&self) -> Option<Kind> {
        self.out.last().map(|token| token.kind)
    }

    /// Returns whether a token can begin at the current position.
    fn is_start(&self) -> bool {
        self.at == 0
            || self.text[..self.at].ends_with(|c: char| c.is_whitespace() || "{}[]()=:,;<>|&!".contains(c))
    }

    /// Reads one token. Returns `false` at the end of the text.
    fn step(&mut self) -> bool {
        let yaml = self.manner == Manner::Of(Format::Yaml);
        let Some(c) = self.rest().chars().next() else { return false };
        let next = self.rest()[c.len_utf8()..].chars().next();
        let ends = next.is_none_or(char::is_whitespace);
        match c {
            '\n' => self.mark(Kind::Line, 1),
            c if c.is_whitespace() || "()\u{feff}".contains(c) => self.at += c.len_utf8(),
            '\\' if self.rest().starts_with("\\\"") => self.escaped(),
            // `\` before whitespace is a line continuation.
            '\\' if ends => self.continued(),
            '{' | '[' if !yaml || self.may_open() => {
                self.flow += 1;
                self.mark(Kind::Open, 1);
            }
            '}' | ']' if !yaml || self.flow > 0 => {
                self.flow = self.flow.saturating_sub(1);
                self.mark(Kind::Close, 1);
            }
            '=' => self.mark(Kind::Equals, 1),
            ',' if !yaml || self.flow > 0 => self.mark(Kind::Comma, 1),
            ';' if !yaml => self.mark(Kind::End, 1),
            // `&` separates the commands of a script, or the parameters of a URL.
            '&' if self.manner == Manner::Inner => self.mark(Kind::End, 1),
            ':' if ends || self.last() == Some(Kind::Text) => self.mark(Kind::Colon, 1),
            '-' if ends => self.mark(Kind::Dash, 1),
            '/' if self.is_start() && matches!(next, Some('/' | '*')) => self.mark(Kind::Comment, 2),
            '/' if self.is_start() && next == Some('-') => self.at += 2,
            '*' if next == Some('/') => self.at += 2,
            '#' if self.is_start() && (yaml || ends) => self.mark(Kind::Comment, 1),
            '#' if self.raw() => {}
            '"' => self.quoted(),
            '\'' | '`' if self.is_start() => self.foreign(c),
            '|' | '>' if yaml && self.flow == 0 && self.block() => {}
            _ => self.word(),
        }
        true
    }

    /// Returns whether a brace opens a YAML collection. Only a brace at the start of a value does.
    fn may_open(&self) -> bool {
        self.flow > 0
            || matches!(
                self.last(),
                None | Some(Kind::Colon | Kind::Dash | Kind::Line | Kind::Open | Kind::Comma)
            )
    }

    fn continued(&mut self) {
        let line = (self.line_end(self.at) + 1).min(self.text.len());
        let blank = self.text[self.at + 1..line].trim();
        self.at = if blank.is_empty() || blank.starts_with("//") { line } else { self.at + 1 };
    }

    /// Reads a string in escaped quotes, as in the content of another string: `\"text\"`.
    fn escaped(&mut self) {
        let start = self.at + 2;
        let line = self.line_end(start);
        match self.text[start..line].find("\\\"") {
            Some(end) => self.push(Kind::Text, start..start + end, start + end + 2),
            None => self.at = start,
        }
    }

    /// Reads a raw string: `#"text"#`. Returns `false` if there is none at the current position, or if it is not closed.
    fn raw(&mut self) -> bool {
        let hashes = self.rest().bytes().take_while(|b| *b == b'#').count();
        let after = &self.rest()[hashes..];
        let quotes = if after.starts_with("\"\"\"") { 3 } else { usize::from(after.starts_with('"')) };
        if quotes == 0 {
            return false;
        }
        let close = format!("{}{}", "\"".repeat(quotes), "#".repeat(hashes));
        let start = self.at + hashes + quotes;
        let top = if quotes == 3 { self.text.len() } else { self.line_end(start) };
        if self.unclosed.get(&(quotes, hashes)).is_some_and(|known| start < *known) {
            return false;
        }
        let Some(end) = self.text[start..top].find(&close).map(|end| start + end) else {
            self.unclosed.insert((quotes, hashes), top);
            return false;
        };
        self.push(Kind::Text, start..end, end + close.len());
        true
    }

    fn quoted(&mut self) {
        if self.rest().starts_with("\"\"\"") {
            let start = self.at + 3;
            match self.text[start..].find("\"\"\"").map(|end| start + end) {
                Some(end) => self.push(Kind::Text, start..end, end + 3),
                // An unclosed `"""` string extends to the end of the text. The next token begins directly after the quotes, so that
                // the content of the string is searched for names and values.
                None => self.push(Kind::Text, start..self.text.len(), start),
            }
            return;
        }
        let start = self.at + 1;
        let line = self.line_end(start);
        if let Some(end) = self.unescaped(start, line) {
            return self.push(Kind::Text, start..end, end + 1);
        }
        // A closing quote on a later line ends the string only if the characters after it can follow a string.
        let end = self.unescaped(start, self.text.len()).filter(|end| {
            let after = self.text[end + 1..].trim_start_matches([' ', '\t', '\r']);
            after.is_empty() || after.starts_with(['\n', '}', ']', ',', ';'])
        });
        match end {
            Some(end) => self.push(Kind::Text, start..end, end + 1),
            None => self.push(Kind::Text, start..line, line),
        }
    }

    /// Returns the first quote that is not escaped and not in an expansion such as `$(cat "FILE")`.
    fn unescaped(&self, start: usize, end: usize) -> Option<usize> {
        let bytes = &self.text.as_bytes()[..end];
        let mut at = start;
        while let Some(b) = bytes.get(at) {
            at += match b {
                b'"' => return Some(at),
                b'\\' => 2,
                b'$' if self.manner == Manner::Inner => expansion(&self.text[at..end]).unwrap_or(1),
                _ => 1,
            };
        }
        None
    }

    /// Reads a string in quotes of YAML or a shell. An apostrophe within a word is not a quote.
    fn foreign(&mut self, quote: char) {
        let start = self.at + 1;
        let line = self.line_end(start);
        match self.text[start..line].find(quote) {
            Some(end) => self.push(Kind::Text, start..start + end, start + end + 1),
            None => self.word(),
        }
    }

    /// Reads a YAML block scalar: the lines after `|` or `>` that are indented deeper than its key. They are one string, such as a
    /// script. Returns `false` if the text at the current position is not a block scalar.
    fn block(&mut self) -> bool {
        let end = self.line_end(self.at);
        let header = self.text[self.at + 1..end].split(" #").next().unwrap_or_default().trim_end();
        let value = matches!(self.last(), Some(Kind::Colon | Kind::Dash));
        if !value || !header.chars().all(|c| c.is_ascii_digit() || matches!(c, '+' | '-')) {
            return false;
        }
        let above = self.parent_indent();
        let (mut last, mut next) = (end, end);
        while let Some(rest) = self.text.get(next + 1..) {
            let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
            let blank = line.trim().is_empty();
            if !blank && line.len() - line.trim_start_matches(' ').len() <= above {
                break;
            }
            next += 1 + line.len();
            last = if blank { last } else { next };
        }
        let text = &self.text[end..last];
        let start = end + (text.len() - text.trim_start().len());
        if start < last {
            self.push(Kind::Text, start..end + text.trim_end().len(), last);
        } else {
            self.at = end;
        }
        true
    }

    /// Returns the column of the YAML key, or of the last `-` without a key, in the current line.
    fn parent_indent(&self) -> usize {
        let line = self.text[..self.at].rfind('\n').map_or(0, |end| end + 1);
        let text = &self.text[line..self.at];
        let mut column = text.len() - text.trim_start_matches(' ').len();
        while let Some(rest) = text[column..].strip_prefix("- ") {
            let inner = text.len() - rest.trim_start_matches(' ').len();
            if inner == text.len() {
                break;
            }
            column = inner;
        }
        column
    }

    fn word(&mut self) {
        let yaml = self.manner == Manner::Of(Format::Yaml);
        let start = self.at;
        let line = self.line_end(start);
        // An unquoted YAML value extends to the end of its line.
        let value = matches!(self.last(), Some(Kind::Colon | Kind::Dash));
        let plain = yaml && self.flow == 0 && value && !self.rest().starts_with(['|', '>', '&', '!', '*']);
        let words = self.text[start..line].trim_end();
        if plain && (self.last() == Some(Kind::Colon) || !words.contains(": ") && !words.ends_with(':')) {
            let end = words.find(" #").unwrap_or(words.len());
            return self.push(Kind::Word, start..start + end, start + end);
        }
        let mut end = self.text.len();
        let mut chars = self.text[start..line].char_indices().peekable();
        // Always consumes the first character, so that each step makes progress.
        let mut within = 0;
        while let Some((i, c)) = chars.next() {
            if self.manner == Manner::Inner && c == '$' && i >= within {
                within = expansion(&self.text[start + i..line]).map_or(0, |length| i + length);
            }
            if i < within {
                end = start + within;
                continue;
            }
            let after = chars.peek().map(|(_, c)| *c);
            let colon = c == ':' && after.is_none_or(char::is_whitespace);
            let brackets = if yaml && self.flow == 0 { "" } else { "{}[],;" };
            let stop = c.is_whitespace() || "\"=()".contains(c) || colon || brackets.contains(c);
            let escaped = c == '\\' && after == Some('"');
            let stop = stop || c == '&' && self.manner == Manner::Inner;
            if i > 0 && (stop || escaped) {
                end = start + i;
                break;
            }
            end = start + i + c.len_utf8();
        }
        self.push(Kind::Word, start..end, end);
    }
}
