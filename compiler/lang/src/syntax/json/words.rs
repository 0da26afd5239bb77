//! Words of JSON without double quotes: `true`, and the notations of other languages, such as `True` and `'a'`.
use super::{Read, Reader};
use crate::codes::SYNTAX;
use crate::diagnostic::{Diagnostic, Fix};
use crate::tree::Value;

impl Reader<'_> {
    /// Reads a value that is no string in double quotes, and no number.
    pub(super) fn word(&mut self) -> Read<Value> {
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let quoted = in_single_quotes(rest);
        let (value, write) = match (&rest[..length], quoted) {
            ("true", _) => (Value::Bool(true), None),
            ("false", _) => (Value::Bool(false), None),
            ("null", _) => (Value::Null, None),
            ("True" | "TRUE", _) => (Value::Bool(true), Some("true".to_owned())),
            ("False" | "FALSE", _) => (Value::Bool(false), Some("false".to_owned())),
            ("None" | "Null" | "NULL", _) => (Value::Null, Some("null".to_owned())),
            (_, Some(text)) => (Value::Text(text.to_owned()), Some(literal(text))),
            _ => return self.bare_text(),
        };
        self.at += quoted.map_or(length, |text| text.len() + 2);
        if let Some(write) = write {
            self.replaced(quoted.map_or(length, |text| text.len() + 2), &write, true);
        }
        Ok(value)
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
        let bare = &rest[..rest.find(|c| !is_plain(c)).unwrap_or(rest.len())];
        let (key, length) = match in_single_quotes(rest) {
            Some(key) => (key, key.len() + 2),
            None => (bare, bare.len()),
        };
        if key.is_empty() || !rest[length..].trim_start().starts_with(':') {
            return Err(self.unexpected("expected a key in double quotes"));
        }
        self.at += length;
        self.replaced(length, &literal(key), true);
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

/// Returns the content of a string in single quotes at the start of a text.
fn in_single_quotes(text: &str) -> Option<&str> {
    let line = text.strip_prefix('\'')?.lines().next()?;
    line.find('\'').map(|end| &line[..end])
}

fn literal(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
