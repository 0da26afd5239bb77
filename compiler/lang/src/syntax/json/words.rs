//! Words of JSON without double quotes: `true`, and the notations of other languages, such as `True` and `'a'`.
use super::{Read, Reader};
use crate::codes::SYNTAX;
use crate::diagnostic::{Diagnostic, Fix};
use crate::syntax::words::{has_foreign_escape, unquoted};
use crate::tree::Value;

impl Reader<'_> {
    /// Reads a value that is no string in double quotes, and no number.
    pub(super) fn word(&mut self) -> Read<Value> {
        let rest = &self.text[self.at..];
        if let Some(quoted) = in_single_quotes(rest) {
            return Ok(Value::Text(self.single_quoted(quoted)));
        }
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (value, write) = match &rest[..length] {
            "true" => (Value::Bool(true), None),
            "false" => (Value::Bool(false), None),
            "null" => (Value::Null, None),
            "True" | "TRUE" => (Value::Bool(true), Some("true")),
            "False" | "FALSE" => (Value::Bool(false), Some("false")),
            "None" | "Null" | "NULL" => (Value::Null, Some("null")),
            _ => return self.bare_text(),
        };
        self.at += length;
        if let Some(write) = write {
            self.replaced(length, write, true);
        }
        Ok(value)
    }

    /// Skips a string in single quotes at the current position, and returns its value, as in KDL: `\'` is a quote. A string with an
    /// escape of other languages, such as `'\n'` and `'\"'`, has only a suggestion.
    fn single_quoted(&mut self, quoted: &str) -> String {
        let value = unquoted(quoted);
        self.at += quoted.len();
        let has_escape =
            has_foreign_escape(quoted) || ["\\\"", "\\/"].iter().any(|escape| value.contains(escape));
        self.replaced(quoted.len(), &literal(&value), !has_escape);
        value
    }

    /// Reads a string without quotes. The fix is only a suggestion, because the string may be meant to be longer.
    fn bare_text(&mut self) -> Read<Value> {
        let rest = &self.text[self.at..];
        let length = rest.find([',', '}', ']', '\n', '\r']).unwrap_or(rest.len());
        let text = rest[..length].trim_end();
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':');
        if !text.starts_with(char::is_alphabetic) || !text.chars().all(is_plain) {
            let help =
                "expected an object, a list, a string in double quotes, a number, `true`, `false`, or `null`";
            return Err(self.unexpected(help));
        }
        self.at += text.len();
        self.replaced(text.len(), &literal(text), false);
        Ok(Value::Text(text.to_owned()))
    }

    /// Reads a key without double quotes, or in single quotes.
    pub(super) fn key_without_quotes(&mut self) -> Read<String> {
        let rest = &self.text[self.at..];
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        let quoted = in_single_quotes(rest);
        let key = quoted.unwrap_or(&rest[..rest.find(|c| !is_plain(c)).unwrap_or(rest.len())]);
        if matches!(key, "" | "''") || !rest[key.len()..].trim_start().starts_with(':') {
            return Err(self.unexpected("expected a key in double quotes"));
        }
        if quoted.is_some() {
            return Ok(self.single_quoted(key));
        }
        self.at += key.len();
        self.replaced(key.len(), &literal(key), true);
        Ok(key.to_owned())
    }

    /// Reports the last bytes, which another text replaces.
    fn replaced(&mut self, length: usize, write: &str, is_sure: bool) {
        let from = self.at - length;
        let at = self.span(from, self.at);
        let fact = format!("`{}` is not valid JSON", &self.text[from..self.at]);
        let told = Diagnostic::new(&SYNTAX, at, fact).help(format!("write `{write}`"));
        self.tell(told.fix(Fix::replace(at, write).if_sure(is_sure)));
    }
}

/// Returns the string in single quotes at the start of a text, with its quotes. It ends at the first quote without a backslash after which a
/// value or a key can end: `'it's'` is one string.
fn in_single_quotes(text: &str) -> Option<&str> {
    let line = text.lines().next().filter(|line| line.starts_with('\''))?;
    let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ':' | '}' | ']');
    let mut is_escaped = false;
    for (at, c) in line.char_indices().skip(1) {
        let after = &line[at + c.len_utf8()..];
        if c == '\'' && !is_escaped && after.chars().next().is_none_or(ends) {
            return Some(&line[..=at]);
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    None
}

fn literal(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
