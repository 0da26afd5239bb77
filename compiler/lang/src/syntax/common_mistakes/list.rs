//! Repairs JSON-style lists such as `["a", "b"]`.
use super::Walk;
use crate::codes::{SQUARE_BRACKETS, SYNTAX};
use crate::syntax::draft::Change;
use crate::syntax::lexer::{Kind, Token};

impl Walk<'_> {
    pub(super) fn open_list(&mut self, token: Token) {
        let nested = self.statement().brackets > 0;
        if nested || !self.closes() {
            let message =
                if nested { "nested lists are not supported" } else { "expected a value, found `[`" };
            let help = "write a list as arguments, such as `run \"python\" \"train.py\"`";
            let code = if nested { &SQUARE_BRACKETS } else { &SYNTAX };
            self.lose(code, token.range(), token.start, message, help);
            return;
        }
        let help = "separate values with spaces, such as `run \"python\" \"train.py\"`";
        let gone = vec![Change::new(token.range(), "")];
        let fix = ("remove the brackets", gone);
        self.mistake(&SQUARE_BRACKETS, token.range(), "JSON-style list", help, fix);
        self.take_up();
        // After other values, the list may be meant as a single argument, as in `"--layers" [1, 2]`. The fix is then only a
        // suggestion.
        self.sure(self.statement.as_ref().is_some_and(|s| s.fresh));
        let statement = self.statement();
        statement.brackets = 1;
        statement.end = token.end;
        statement.spaced = true;
        statement.fresh = false;
    }

    /// Handles a comment to the end of a line in a list: removes the fix of the list. The help says how to write the lines.
    pub(super) fn list_with_comment(&mut self) {
        self.no_fix();
        if let Some(list) = self.absorbing().filter(|found| found.code == &SQUARE_BRACKETS) {
            let help = "remove the brackets and commas, and write ` \\` at the end of each line except the last one; a comment follows the `\\`: `\"--lr\" \"0.1\" \\ // why`";
            list.help = Some(help.to_owned());
        }
    }

    pub(super) fn close_list(&mut self, token: Token) {
        let glued =
            self.text[token.end..].starts_with(|c: char| !c.is_whitespace() && !matches!(c, ';' | '}'));
        self.absorb(vec![Change::new(token.range(), if glued { " " } else { "" })]);
        let statement = self.statement();
        statement.brackets = 0;
        statement.end = token.end;
        statement.spaced = true;
    }

    /// Returns whether a `]` follows before the node ends or its block begins.
    fn closes(&mut self) -> bool {
        if self.lexer.at < self.bracketless {
            return false;
        }
        let ends = |t: &Token| matches!(t.kind, Kind::Open | Kind::Close | Kind::Semicolon);
        let closes = |t: &Token| t.kind == Kind::Stray && &self.text[t.range()] == "]";
        let found = self.lexer.clone().find(|t| ends(t) || closes(t));
        if found.as_ref().is_some_and(closes) {
            return true;
        }
        self.bracketless = found.map_or(self.text.len(), |t| t.start);
        false
    }
}
