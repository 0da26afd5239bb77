//! Reports parentheses: type annotations `(u8)5`, and grouped values `("a" "b")`.
use super::Walk;
use crate::codes::{SYNTAX, TYPE_ANNOTATION};
use crate::syntax::draft::Change;
use crate::syntax::lexer::{Kind, Token};

/// Reserved type names of KDL, and type names of other languages.
const TYPES: &[&str] = &[
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "isize",
    "usize",
    "f32",
    "f64",
    "decimal",
    "decimal64",
    "decimal128",
    "date-time",
    "time",
    "date",
    "duration",
    "currency",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "url",
    "uuid",
    "regex",
    "base64",
    "string",
    "str",
    "text",
    "number",
    "int",
    "integer",
    "float",
    "double",
    "bool",
    "boolean",
];

impl Walk<'_> {
    /// Handles `(` before a name, or before the value of the entry that begins at `from`.
    pub(super) fn parenthesis(&mut self, token: Token, from: usize) {
        let inner = |kind| matches!(kind, Kind::Blank | Kind::Word | Kind::Odd | Kind::Text | Kind::Keyword);
        let close =
            self.lexer.clone().take(32).find(|t| !inner(t.kind)).filter(|t| t.kind == Kind::ParenClose);
        match close {
            Some(close) if self.is_type(token) => self.annotation(token, close),
            Some(close) if self.statement.is_some() && close.start > token.end => self.group(token, close),
            Some(close) if self.statement.is_none() => {
                self.annotation(token, close);
                self.only_suggest();
            }
            None if self.statement.is_none() => self.name(token),
            Some(_) | None => {
                let help = "write values without parentheses, and strings in double quotes";
                self.lose(&SYNTAX, token.range(), from, "expected a value, found `(`", help);
            }
        }
    }

    /// Returns whether `(` begins a type annotation, because a value or name directly follows the `)`.
    pub(super) fn is_type(&self, open: Token) -> bool {
        let Some((name, rest)) = self.text[open.end..].split_once(')') else { return false };
        let ends = |c: char| c.is_whitespace() || matches!(c, ';' | '}' | '{' | ')' | ',' | ']');
        TYPES.contains(&name) && rest.chars().next().is_some_and(|c| !ends(c))
    }

    pub(super) fn annotation(&mut self, token: Token, close: Token) {
        let rest = &self.text[close.end..];
        let end = close.end + (rest.len() - rest.trim_start_matches([' ', '\t']).len());
        let words = &self.text[token.start..close.end];
        let message = format!("type annotation `{words}` is not supported");
        self.say(&TYPE_ANNOTATION, token.start..close.end, message, |d| {
            d.help("remove it; the type of each value is fixed")
        });
        self.fix("remove it", vec![Change::new(token.start..end, "")]);
        self.lexer.at = end;
    }

    /// Repairs `("a" "b")`, which KDL parses as a type annotation.
    fn group(&mut self, token: Token, close: Token) {
        let message = format!("unexpected parentheses: `{}`", &self.text[token.start..close.end]);
        let help = "separate values with spaces, such as `run \"python\" \"train.py\"`";
        let glued = |c: char| !c.is_whitespace() && !matches!(c, ';' | '}');
        let blank = if self.text[close.end..].starts_with(glued) { " " } else { "" };
        let sides = [Change::new(token.range(), ""), Change::new(close.range(), blank)];
        self.mistake(
            &SYNTAX,
            token.start..close.end,
            message,
            help,
            ("remove the parentheses", sides.into()),
        );
        self.take_up();
        self.sure(false);
        let statement = self.statement();
        (statement.group, statement.end, statement.spaced) = (Some(close.start), token.end, true);
    }
}
