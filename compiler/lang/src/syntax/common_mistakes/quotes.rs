//! Reports unpaired quotes: strings without a closing or an opening quote.
use super::Walk;
use crate::codes::UNCLOSED;
use crate::syntax::lexer::{Kind, Token, is_newline};

impl Walk<'_> {
    /// If a quote is missing on the line, returns the string before the current token, and the offset of the entry with this
    /// string.
    pub(super) fn runaway(&self) -> Option<(usize, Token)> {
        let statement = self.statement.as_ref()?;
        let before = statement.text.filter(|(_, text)| text.end == statement.end)?;
        self.lacks_quote(statement.end).then_some(before)
    }

    /// Returns whether an unterminated string begins after `at` on the same line.
    fn lacks_quote(&self, at: usize) -> bool {
        let mut lexer = self.lexer.clone();
        lexer.at = at;
        let ends = |token: &Token| token.kind == Kind::Newline;
        lexer.take_while(|token| !ends(token)).any(|token| token.kind == Kind::OpenText)
    }

    pub(super) fn unclosed(&mut self, token: Token, from: usize) {
        let words = self.words(token);
        let escaped = words.ends_with("\\\"");
        let line = words.find(is_newline).unwrap_or(words.len());
        let help = if escaped {
            "`\\\"` is an escaped quote inside the string; write a backslash as `\\\\`"
        } else if words.starts_with('#') {
            "close the raw string with `\"#` on the same line; for several lines, use `#\"\"\"` and `\"\"\"#`"
        } else {
            "close the string with `\"` on the same line; for several lines, use `\"\"\"`"
        };
        let bytes = token.start..token.start + line;
        self.lose(&UNCLOSED, bytes, from, "unterminated string", help);
        let statement = self.statement();
        statement.end = statement.end.max(token.end);
    }

    /// Reports bare words that have a closing quote but no opening quote, and skips the rest of the line. Returns `false` for other
    /// words.
    pub(super) fn unopened(&mut self, token: Token, from: usize) -> bool {
        let Some(end) = self.late_quote(token) else { return false };
        let words = &self.text[token.start..end];
        let fact = format!("missing opening quote before `{words}`");
        // The quote of a number may be too much: an editor adds a second one.
        let help = match words.parse::<f64>() {
            Ok(_) => format!("remove the quote; or write `\"{words}\"` if the value is a string"),
            Err(_) => format!("write `\"{words}\"`"),
        };
        self.lose(&UNCLOSED, token.start..end, from, fact, &help);
        true
    }

    /// Returns the end of the bare words from `token` on, if a quote directly follows them and the line has an
    /// unpaired quote.
    fn late_quote(&mut self, token: Token) -> Option<usize> {
        if token.start < self.quoteless {
            return None;
        }
        let flag = self.words(token).starts_with('-');
        let mut lexer = self.lexer.clone();
        lexer.at = token.start;
        let (mut end, mut glued) = (token.start, false);
        for next in lexer {
            let sign = next.kind == Kind::Equals && flag;
            let bare = sign || matches!(next.kind, Kind::Word | Kind::Odd | Kind::Keyword);
            if matches!(next.kind, Kind::Text | Kind::OpenText) && glued && self.lacks_quote(end) {
                return Some(end);
            }
            if !(bare || next.kind == Kind::Blank) {
                break;
            }
            glued = bare && !sign;
            end = next.end;
        }
        self.quoteless = end;
        None
    }
}
