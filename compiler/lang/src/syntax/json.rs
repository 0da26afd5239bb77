//! Parses JSON to a tree. Every key and value has a span, keys are unique, and the depth is limited.
#[cfg(test)]
mod tests;
mod words;

use super::guard::{MAX_DEPTH, conflict, guard_text, keep_one, tell};
use super::literal::{json, text_of};
use crate::codes::{BAD_ESCAPE, BAD_NUMBER, DUPLICATE_KEY, FORBIDDEN_CHARACTER, SYNTAX, TOO_DEEP, UNCLOSED};
use crate::diagnostic::{Diagnostic, Fix};
use crate::escape::Escaped;
use crate::sources::{Source, Span};
use crate::tree::{Entry, Tree, Value};
use std::collections::BTreeMap;

/// Parses a JSON text. Returns `None` after a syntax error that cannot be repaired. An invalid value becomes a
/// [`Value::Hole`]. If a key occurs more than once, the first value is kept.
#[must_use]
pub fn read_json(source: &Source) -> (Option<Tree>, Vec<Diagnostic>) {
    if let Some(refused) = guard_text(source) {
        return (None, vec![refused]);
    }
    let mut reader = Reader { source, text: &source.text, at: 0, ended: 0, out: Vec::new() };
    if reader.text.starts_with('\u{feff}') {
        reader.at = '\u{feff}'.len_utf8();
    }
    let tree = reader.value(0).and_then(|tree| {
        reader.blanks();
        if reader.at == reader.text.len() {
            Ok(tree)
        } else {
            Err(reader.unexpected("remove it; a JSON file contains a single value"))
        }
    });
    match tree {
        Ok(tree) => (Some(tree), reader.out),
        Err(stop) => {
            if let Some(conflict) = conflict(source) {
                return (None, vec![conflict]);
            }
            reader.out.push(*stop);
            (None, reader.out)
        }
    }
}

struct Reader<'a> {
    source: &'a Source,
    text: &'a str,
    at: usize,
    /// End of the last value.
    ended: usize,
    out: Vec<Diagnostic>,
}

/// Help for a string after a string.
const QUOTE: &str = "separate values with a comma; write a quote inside a string as `\\\"`";

type Read<T> = Result<T, Box<Diagnostic>>;

impl Reader<'_> {
    fn span(&self, from: usize, to: usize) -> Span {
        let base = self.source.base();
        Span::new(base + from as u32, base + to as u32)
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// Skips whitespace and comments. Comments are reported.
    fn blanks(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
            let rest = &self.text[self.at..];
            let length = if rest.starts_with("//") || rest.starts_with('#') {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                return;
            };
            let at = self.span(self.at, self.at + length);
            let told = Diagnostic::new(&SYNTAX, at, "comments are not allowed in JSON");
            let told = told.help("remove it, or write the spec in KDL or YAML");
            // The fix is only a suggestion, because it would delete the comment.
            self.tell(told.suggest(Fix::edit("remove it", at, "")));
            self.at += length;
        }
    }

    fn tell(&mut self, problem: Diagnostic) {
        tell(&mut self.out, problem);
    }

    /// Returns whether `end` follows the comma at `from`. If so, reports the comma as trailing.
    fn last_comma(&mut self, from: usize, end: char) -> bool {
        self.blanks();
        let ends = self.peek() == Some(end);
        if ends {
            let at = self.span(from, from + 1);
            let told = Diagnostic::new(&SYNTAX, at, "trailing comma");
            self.tell(told.help("remove the comma after the last value").fix(Fix::edit("remove it", at, "")));
        }
        ends
    }

    /// Skips a comma, or reports a missing one.
    fn comma(&mut self, help: &str) -> Read<()> {
        if self.closes(',') {
            return Ok(());
        }
        if !matches!(self.peek(), Some('"' | '{' | '[' | '-' | '0'..='9')) {
            return Err(self.unexpected(help));
        }
        let at = self.span(self.ended, self.ended);
        let told = Diagnostic::new(&SYNTAX, at, "missing comma between values");
        // Two strings without a space between them may be one string with quotes.
        let is_apart = self.ended < self.at;
        let help = if is_apart { help } else { QUOTE };
        self.tell(told.help(help).fix(Fix::edit("insert a comma", at, ",").if_sure(is_apart)));
        Ok(())
    }

    /// Returns the error for an unexpected character, or for the end of the text.
    fn unexpected(&self, help: &str) -> Box<Diagnostic> {
        let (found, end) = self.peek().map_or_else(
            || ("unexpected end of file".to_owned(), self.at),
            |c| (format!("unexpected `{}`", c.escaped()), self.at + c.len_utf8()),
        );
        Box::new(Diagnostic::new(&SYNTAX, self.span(self.at, end), found).help(help))
    }

    fn value(&mut self, depth: usize) -> Read<Tree> {
        self.blanks();
        let from = self.at;
        if depth > MAX_DEPTH {
            let fact = format!("values are nested more than {MAX_DEPTH} levels deep");
            return Err(Box::new(Diagnostic::new(&TOO_DEEP, self.span(from, from + 1), fact)));
        }
        let value = match self.peek() {
            Some('{') => Value::Map(self.object(depth)?),
            Some('[') => Value::List(self.array(depth)?),
            Some('"') => self.string()?.map_or(Value::Hole, Value::Text),
            Some('-' | '0'..='9') => self.number(),
            Some(_) | None => self.word()?,
        };
        self.ended = self.at;
        Ok(Tree { span: self.span(from, self.at), value })
    }

    fn object(&mut self, depth: usize) -> Read<Vec<Entry>> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut seen: BTreeMap<String, Span> = BTreeMap::new();
        self.at += 1;
        self.blanks();
        if self.closes('}') {
            return Ok(entries);
        }
        loop {
            self.blanks();
            let from = self.at;
            let key = match self.peek() {
                Some('"') => self.string()?,
                Some(_) | None => Some(self.key_without_quotes()?),
            };
            let key_span = self.span(from, self.at);
            self.blanks();
            if !self.closes(':') {
                return Err(self.unexpected("expected `:` between key and value"));
            }
            let tree = self.value(depth + 1)?;
            if let Some(first) = key.as_ref().and_then(|key| seen.get(key)).copied() {
                let fact = format!("duplicate key `{}`", key.unwrap_or_default());
                let told = Diagnostic::new(&DUPLICATE_KEY, key_span, fact).here("repeated here");
                self.tell(told.label(first, "first occurrence").help(keep_one(&tree)));
            } else if let Some(key) = key {
                seen.insert(key.clone(), key_span);
                entries.push(Entry { key, key_span, tree });
            }
            self.blanks();
            if self.closes('}') {
                return Ok(entries);
            }
            let comma = self.at;
            if self.peek() == Some('"') && !self.is_key() {
                return Err(self.unexpected(QUOTE));
            }
            self.comma("expected `,` or `}` after a value of an object")?;
            if self.last_comma(comma, '}') {
                self.at += 1;
                return Ok(entries);
            }
        }
    }

    fn array(&mut self, depth: usize) -> Read<Vec<Tree>> {
        let mut items = Vec::new();
        self.at += 1;
        self.blanks();
        if self.closes(']') {
            return Ok(items);
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.blanks();
            if self.closes(']') {
                return Ok(items);
            }
            let comma = self.at;
            self.comma("expected `,` or `]` after a list item")?;
            if self.last_comma(comma, ']') {
                self.at += 1;
                return Ok(items);
            }
        }
    }

    /// Skips `mark` and returns `true`, if `mark` is the next character.
    fn closes(&mut self, mark: char) -> bool {
        let here = self.peek() == Some(mark);
        self.at += usize::from(here);
        here
    }

    /// Returns the end of the string at the current position. `None` if it does not end on its line.
    fn string_end(&self) -> Option<usize> {
        let mut escaped = false;
        for (i, c) in self.text[self.at + 1..].char_indices() {
            match c {
                '"' if !escaped => return Some(self.at + 1 + i + 1),
                '\n' => break,
                c => escaped = c == '\\' && !escaped,
            }
        }
        None
    }

    /// Returns whether a colon follows the string at the current position.
    fn is_key(&self) -> bool {
        self.string_end().is_none_or(|end| self.text[end..].trim_start().starts_with(':'))
    }

    /// Parses a string. Reports an invalid string, and returns `None` for it.
    fn string(&mut self) -> Read<Option<String>> {
        let from = self.at;
        if let Some(end) = self.string_end() {
            self.at = end;
            return Ok(self.literal(from));
        }
        let line = self.text[from..].lines().next().unwrap_or_default();
        let at = self.span(from, from + line.len());
        Err(Box::new(
            Diagnostic::new(&UNCLOSED, at, "unterminated string").help("close the string with `\"`"),
        ))
    }

    /// Returns the value of the string between `from` and the current position.
    fn literal(&mut self, from: usize) -> Option<String> {
        let told = match json::units(&self.text[from..self.at]) {
            Ok(units) => {
                let Some(nul) = units.iter().find(|unit| unit.says == '\0') else {
                    return Some(text_of(&units));
                };
                let at = self.span(from + nul.bytes.start, from + nul.bytes.end);
                Diagnostic::new(&FORBIDDEN_CHARACTER, at, "NUL character in a string")
                    .help("remove it; arguments and environment variables cannot contain NUL")
            }
            Err(fault) => {
                let at = self.span(from + fault.bytes.start, from + fault.bytes.end);
                Diagnostic::new(&BAD_ESCAPE, at, fault.message).help(fault.help)
            }
        };
        self.tell(told);
        None
    }

    fn number(&mut self) -> Value {
        let from = self.at;
        let rest = &self.text[from..];
        let length = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '+' | '-'))
            .unwrap_or(rest.len());
        let words = &rest[..length];
        self.at += length;
        // serde_json checks the grammar of the number.
        let fact = match serde_json::from_str::<serde_json::Number>(words) {
            Err(_) => format!("`{words}` is not a valid JSON number"),
            Ok(number) => {
                let float = words.contains(['.', 'e', 'E']);
                let whole = if float { None } else { words.parse().ok().map(Value::Int) };
                let finite = number.as_f64().filter(|n| float && n.is_finite()).map(Value::Float);
                match whole.or(finite) {
                    Some(value) => return value,
                    None => format!("`{words}` is out of range"),
                }
            }
        };
        let told = Diagnostic::new(&BAD_NUMBER, self.span(from, self.at), fact);
        self.tell(told.help("write a number such as `12`, `-3`, or `0.5`, or a string in double quotes"));
        Value::Hole
    }
}
