//! Slips in a value: bare text, `true`, `'a b'`, `16GiB`, an escape that KDL does not know.
use super::Walk;
use super::rewritten::{raw_text, spread_text};
use crate::codes::{
    BAD_ESCAPE, BAD_NUMBER, BARE_KEYWORD, BARE_TEXT, BARE_URI, BARE_VARIABLE, COMMA, EQUALS_SIGN,
    FORBIDDEN_CHARACTER, KDL_VERSION_1, MULTI_LINE_TEXT, SYNTAX, UNCLOSED, WRONG_QUOTES,
};
use crate::syntax::draft::Change;
use crate::syntax::foreign_tokens::has_quote;
use crate::syntax::lexer::{Kind, Token, is_newline};
use crate::syntax::literal::{self, FaultKind, quote, text_of};
use crate::syntax::names::ENTRIES;
use crate::syntax::words::{Word, has_default, judge, keyword, requoted};
use std::ops::Range;

const QUOTED: &str = "text is written in double quotes";

impl Walk<'_> {
    /// A word on the line of a node, after its name.
    pub(super) fn entry(&mut self, token: Token) {
        if self.statement().lost.is_some() {
            self.statement().end = token.end;
            return;
        }
        if self.statement().block {
            self.after_block(token);
            return;
        }
        if self.statement().hidden_block {
            self.lose(
                &SYNTAX,
                token.range(),
                token.start,
                "a value after a block",
                "values stand before the blocks",
            );
            return;
        }
        let first = self.text[token.start..].chars().next();
        if first == Some(',') && token.kind == Kind::Word {
            self.comma(token);
        } else if token.kind == Kind::Stray && first == Some(']') && self.statement().brackets > 0 {
            self.close_list(token);
        } else if token.kind == Kind::ParenClose && self.statement().group == Some(token.start) {
            let statement = self.statement();
            (statement.end, statement.spaced, statement.fresh) = (token.end, true, false);
        } else if token.kind == Kind::Equals && self.statement().fresh {
            self.equals_after_name(token);
        } else if !self.statement().spaced {
            self.glued(token);
        } else if token.kind == Kind::ParenOpen {
            self.parenthesis(token, token.start);
        } else if token.kind == Kind::Stray && first == Some('[') {
            self.open_list(token);
        } else if token.kind == Kind::OpenText {
            let from = self.hide.take().unwrap_or(token.start);
            self.unclosed(token, from);
        } else if matches!(token.kind, Kind::Equals | Kind::ParenClose | Kind::Stray) {
            let message = format!("`{}` where a value is due", self.words(token));
            self.lose(&SYNTAX, token.range(), token.start, message, QUOTED);
        } else {
            self.argument_or_property(token);
        }
    }

    fn after_block(&mut self, token: Token) {
        let end = self.statement().end;
        let line = vec![Change::new(end..end, "\n")];
        // What cannot begin a node is told as such, and once.
        if matches!(token.kind, Kind::ParenClose | Kind::Equals | Kind::Stray) {
            self.out.changes.extend(line);
        } else {
            self.say(&SYNTAX, token.range(), "a node that begins on the line of a `}`", |d| {
                d.help("a node ends with a new line or `;`")
            });
            self.fix("begin a new line", line);
        }
        self.end();
        self.between(token);
    }

    fn glued(&mut self, token: Token) {
        let fresh = self.statement().fresh;
        let words = self.words(token).to_owned();
        let help = "values are divided by blanks";
        if fresh && matches!(token.kind, Kind::Text | Kind::Keyword | Kind::Foreign) {
            self.say(&SYNTAX, token.range(), format!("no blank before {words}"), |d| d.help(help));
            self.fix("insert a blank", vec![Change::new(token.start..token.start, " ")]);
            self.spaced();
            self.entry(token);
        } else if let Some((from, text)) = self.runaway() {
            let help =
                "each `\"` that opens a text needs one that closes it: this text goes on to the next quote";
            self.lose(&UNCLOSED, text.range(), from, "a quote is missing on this line", help);
            self.statement().end = token.end;
        } else {
            let from = self.statement().end;
            let quoted = self.text[..token.start].ends_with('"');
            let help = if quoted {
                "a `\"` within a text ends it: write `\\\"`, or the whole text as `#\"…\"#`; values are divided by blanks"
            } else {
                help
            };
            self.lose(&SYNTAX, token.range(), from, format!("no blank before `{words}`"), help);
        }
    }

    fn comma(&mut self, token: Token) {
        let words = self.words(token);
        let commas = words.len() - words.trim_start_matches(',').len();
        let bytes = token.start..token.start + commas;
        if self.comma_between_pairs(bytes.clone()) {
            return;
        }
        let blank = self.text[bytes.end..].starts_with([' ', '\t', '\n', '\r', ';', '}', ']']);
        let change = Change::new(bytes.clone(), if blank || bytes.end == self.text.len() { "" } else { " " });
        self.mistake(
            &COMMA,
            bytes.clone(),
            "a comma between values",
            "values are divided by blanks",
            ("remove it", vec![change]),
        );
        self.take_up();
        self.lexer.at = bytes.end;
        let statement = self.statement();
        statement.end = bytes.end;
        statement.spaced = true;
    }

    /// `count = 4`: the sign goes.
    fn equals_after_name(&mut self, token: Token) {
        let end = self.statement().end;
        let rest = &self.text[token.start..];
        let value = token.start + (rest.len() - rest.trim_start_matches(['=', ' ', '\t']).len());
        let name = self.text[self.statement().start..end].to_owned();
        if self.text[value..].is_empty() || self.text[value..].starts_with(['\n', '\r', ';', '}']) {
            self.lose(
                &EQUALS_SIGN,
                token.range(),
                token.start,
                "`=` after the name of a node",
                "write the value",
            );
            return;
        }
        let rest = if self.text[value..].starts_with('{') { ("block", "{ … }") } else { ("values", "…") };
        self.say(&EQUALS_SIGN, token.range(), "`=` after the name of a node", |d| {
            d.help(format!("a node is its name, a blank and its {}: `{name} {}`", rest.0, rest.1))
        });
        let gap = self.text[end..token.start].chars().all(crate::syntax::lexer::is_blank);
        let from = if gap { end } else { token.start };
        self.fix("remove it", vec![Change::new(from..value, " ")]);
        self.sure(!self.is_half_of_a_pair());
        self.take_up();
        self.lexer.at = value;
        self.spaced();
    }

    /// Judges a value, mends it or drops the entry that begins at `from`. Gives the end of the value.
    pub(super) fn value(&mut self, token: Token, from: usize) -> usize {
        let words = self.words(token).to_owned();
        if token.kind == Kind::Text {
            self.statement().text = Some((from, token));
            if self.literal(token).is_none() {
                self.drop_entry(from..token.end);
            }
        } else if token.kind == Kind::Keyword {
            self.keyword(token, &words, from);
        } else if matches!(token.kind, Kind::Foreign | Kind::OldRaw | Kind::Spread) {
            self.requote(token, &words);
        } else {
            return self.bare(token, from);
        }
        token.end
    }

    /// A text in the quotes of another language or version.
    pub(super) fn requote(&mut self, token: Token, words: &str) {
        let change = |with: String| vec![Change::new(token.range(), with)];
        if token.kind == Kind::Spread {
            let line = self.text[..token.start].rsplit(is_newline).next().unwrap_or_default();
            let margin = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
            let message = "a text over several lines between single `\"`";
            let help = "it begins on the line after `\"\"\"`, and ends on the line before another `\"\"\"`";
            let fix = ("write it so", change(spread_text(words, margin)));
            self.mistake(&MULTI_LINE_TEXT, token.range(), message, help, fix);
        } else if token.kind == Kind::OldRaw {
            let (message, help) = ("a raw text as KDL 1 writes it", "a raw text is `#\"…\"#`");
            self.mistake(
                &KDL_VERSION_1,
                token.range(),
                message,
                help,
                ("write it for KDL 2", change(raw_text(words))),
            );
        } else {
            let message = format!("{words} is not in the quotes of KDL");
            self.mistake(
                &WRONG_QUOTES,
                token.range(),
                message,
                QUOTED,
                ("write double quotes", change(requoted(words))),
            );
            // A shell replaces what stands between backticks, and mixed quotes have two readings.
            let mixed = !words.starts_with('\'') && words.contains('"');
            self.sure(!(words.starts_with('`') || mixed));
        }
    }

    fn keyword(&mut self, token: Token, words: &str, from: usize) {
        let change = |with: String| vec![Change::new(token.range(), with)];
        if matches!(words, "#true" | "#false" | "#null") {
        } else if matches!(words, "#inf" | "#-inf" | "#nan") {
            self.say(&BAD_NUMBER, token.range(), format!("`{words}` is not a finite number"), |d| d);
            self.drop_entry(from..token.end);
        } else if let Some(known) = keyword(&words[1..]) {
            self.mistake(
                &BARE_KEYWORD,
                token.range(),
                format!("`{words}` is not a keyword of KDL"),
                "the keywords are `#true`, `#false` and `#null`",
                ("write the keyword", change(known.to_owned())),
            );
        } else {
            let message = format!("`{words}` is text without quotes");
            self.mistake(&BARE_TEXT, token.range(), message, QUOTED, ("quote it", change(quote(words))));
        }
    }

    fn bare(&mut self, token: Token, from: usize) -> usize {
        let words = self.words(token);
        let mut length = words.trim_end_matches(',').len();
        if self.statement.as_ref().is_some_and(|s| s.brackets > 0) {
            length = words.find(',').unwrap_or(length);
        }
        let token = Token { end: token.start + length, ..token };
        let words = self.words(token).to_owned();
        self.lexer.at = token.end;
        if self.unopened(token, from) {
            return token.end;
        }
        let change = |with: String| vec![Change::new(token.range(), with)];
        let plain = || change(quote(&words));
        let text = format!("`{words}` is text without quotes");
        let bytes = token.range();
        match judge(&words) {
            number @ (Word::Number | Word::OddNumber(_) | Word::TooLarge) => self.number(token, number, from),
            Word::Keyword(known) => {
                let help = "the keywords are `#true`, `#false` and `#null`";
                let message = format!("`{words}` is not a keyword of KDL");
                self.mistake(
                    &BARE_KEYWORD,
                    bytes,
                    message,
                    help,
                    ("write the keyword", change(known.to_owned())),
                );
            }
            Word::Uri => self.mistake(
                &BARE_URI,
                bytes,
                text,
                "unquoted, all after `//` is a comment",
                ("quote it", plain()),
            ),
            Word::Variable(reference) => {
                let help =
                    format!("no shell reads this; a variable of the container is `{}`", quote(&reference));
                self.mistake(
                    &BARE_VARIABLE,
                    bytes,
                    text,
                    &help,
                    ("write the reference", change(quote(&reference))),
                );
                self.sure(!has_default(&words));
            }
            Word::Text => self.mistake(&BARE_TEXT, bytes, text, QUOTED, ("quote it", plain())),
        }
        let listed = self.statement().brackets > 0 && ENTRIES.contains(&words.trim_end_matches(':'));
        self.sure(!(has_quote(&words) || listed));
        token.end
    }

    fn number(&mut self, token: Token, number: Word, from: usize) {
        let message = format!("`{}` is not a number of KDL", self.words(token));
        let bytes = token.range();
        if let Word::OddNumber(Some(digits)) = number {
            let help = "a number has digits on both sides of its point";
            let change = Change::new(token.range(), digits);
            self.mistake(&BAD_NUMBER, bytes, message, help, ("write the digits", vec![change]));
            // An argument of a program is a text, and `.5` is another one than `0.5`.
            if self.statement.as_ref().is_some_and(|s| self.text[s.start..].starts_with("run")) {
                self.only_suggest();
            }
        } else if number == Word::TooLarge {
            self.say(&BAD_NUMBER, bytes, "a number that is too large", |d| {
                d.help(
                    "a number has up to 38 digits before and after its point, and a float is below 1.8e308",
                )
            });
            self.drop_entry(from..token.end);
        } else if number != Word::Number {
            self.say(&BAD_NUMBER, bytes, message, |d| {
                d.help("digits may be grouped by `_`; values are divided by blanks")
            });
            self.drop_entry(from..token.end);
        }
    }

    /// What a quoted text says; `None` if it says nothing and cannot be mended, which was told.
    pub(super) fn literal(&mut self, token: Token) -> Option<String> {
        let words = self.words(token);
        let fault = match literal::kdl::units(words) {
            Ok(units) => {
                let Some(nul) = units.iter().find(|unit| unit.says == '\0') else {
                    return Some(text_of(&units));
                };
                let bytes = token.start + nul.bytes.start..token.start + nul.bytes.end;
                self.say(&FORBIDDEN_CHARACTER, bytes, "a NUL character in a text", |d| {
                    d.help("no program can be given one")
                });
                return None;
            }
            Err(fault) => fault,
        };
        let repaired = literal::kdl::repaired(words);
        let code = match fault.kind {
            FaultKind::Escape => &BAD_ESCAPE,
            FaultKind::Layout => &MULTI_LINE_TEXT,
        };
        let there = |bytes: Range<usize>| token.start + bytes.start..token.start + bytes.end;
        self.say(code, there(fault.bytes), fault.message, |d| d.help(fault.help));
        let repaired = repaired?;
        let changes =
            repaired.changes.into_iter().map(|(bytes, with)| Change::new(there(bytes), with)).collect();
        self.fix("write what was meant", changes);
        Some(repaired.text)
    }
}
