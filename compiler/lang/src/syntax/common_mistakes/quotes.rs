//! Quotes that do not pair: a text that its line does not close, and words that nothing opened.
use super::Walk;
use crate::codes::UNCLOSED;
use crate::syntax::lexer::{Kind, Token, is_newline};

impl Walk<'_> {
    /// The text before the current word and where its entry begins, where the quotes of the line do not pair.
    pub(super) fn runaway(&self) -> Option<(usize, Token)> {
        let statement = self.statement.as_ref()?;
        let before = statement.text.filter(|(_, text)| text.end == statement.end)?;
        self.lacks_quote(statement.end).then_some(before)
    }

    /// Whether a text opens on the line behind `at` and is not closed there.
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
            "`\\\"` is a quote within the text; a backslash is written `\\\\`"
        } else if words.starts_with('#') {
            "a raw text ends at `\"#` on its own line; one over several lines stands between `#\"\"\"` and `\"\"\"#`"
        } else {
            "a text ends at `\"` on its own line; one over several lines stands between `\"\"\"`"
        };
        let bytes = token.start..token.start + line;
        self.lose(&UNCLOSED, bytes, from, "this text is not closed on its line", help);
        let statement = self.statement();
        statement.end = statement.end.max(token.end);
    }

    /// Tells bare words before a quote that closes them and that nothing opened, with what follows on the line.
    pub(super) fn unopened(&mut self, token: Token, from: usize) -> bool {
        let Some(end) = self.late_quote(token) else { return false };
        let words = &self.text[token.start..end];
        let (fact, help) = (format!("`{words}` has no opening quote"), format!("write `\"{words}\"`"));
        self.lose(&UNCLOSED, token.start..end, from, fact, &help);
        true
    }

    /// The end of the bare words from `token` on, where a quote closes them without a blank and the quotes of the line
    /// do not pair.
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
