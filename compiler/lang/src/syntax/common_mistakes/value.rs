//! Reports mistakes in values: bare strings, `true`, `'a b'`, `16GiB`, unknown escapes.
use super::Walk;
use super::rewritten::{raw_text, spread_text};
use crate::codes::{
    BAD_ESCAPE, BAD_NUMBER, BARE_KEYWORD, BARE_TEXT, BARE_URI, BARE_VARIABLE, COMMA, EQUALS_SIGN,
    FORBIDDEN_CHARACTER, KDL_VERSION_1, MULTI_LINE_TEXT, SYNTAX, UNCLOSED, WRONG_QUOTES,
};
use crate::syntax::draft::Change;
use crate::syntax::foreign_tokens::{TRIPLE, has_quote, is_operator};
use crate::syntax::lexer::{Kind, Token, is_newline};
use crate::syntax::literal::{self, FaultKind, quote, text_of};
use crate::syntax::names::ENTRIES;
use crate::syntax::words::{Word, has_default, has_foreign_escape, judge, keyword, requoted};
use std::ops::Range;

const QUOTED: &str = "write strings in double quotes";

const MULTI_LINE: &str =
    "use `\"\"\"`: the string starts on the next line and ends on the line before the closing `\"\"\"`";

impl Walk<'_> {
    /// Handles a token after the name of a node.
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
                "unexpected value after a block",
                "write all values before the block",
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
        } else if self.is_colon(token) && self.hide.is_none() {
            self.colon_behind(token);
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
            let message = format!("expected a value, found `{}`", self.words(token));
            self.lose(&SYNTAX, token.range(), token.start, message, QUOTED);
        } else {
            self.argument_or_property(token);
        }
    }

    fn after_block(&mut self, token: Token) {
        let end = self.statement().end;
        let line = vec![Change::new(end..end, "\n")];
        // A token that cannot begin a node gets its own error later, so no error is reported here.
        let is_comma = self.words(token).starts_with(',');
        if is_comma || matches!(token.kind, Kind::ParenClose | Kind::Equals | Kind::Stray) {
            self.out.changes.extend(line);
        } else {
            self.say(&SYNTAX, token.range(), "expected a new line or `;` after `}`", |d| {
                d.help("start the next entry on a new line or after `;`")
            });
            self.fix("start a new line", line);
            self.sure(!self.begins_property(token));
        }
        self.end();
        self.between(token);
    }

    fn glued(&mut self, token: Token) {
        let fresh = self.statement().fresh;
        let words = self.words(token).to_owned();
        let help = "separate values with spaces";
        if fresh && matches!(token.kind, Kind::Text | Kind::Keyword | Kind::Foreign) {
            self.say(&SYNTAX, token.range(), format!("missing space before {words}"), |d| d.help(help));
            self.fix("insert a space", vec![Change::new(token.start..token.start, " ")]);
            self.spaced();
            self.entry(token);
        } else if let Some((from, text)) = self.runaway() {
            let help =
                "close the string where it should end; without a closing quote, it extends to the next quote";
            self.lose(&UNCLOSED, text.range(), from, "missing quote on this line", help);
            self.statement().end = token.end;
        } else {
            let from = self.statement().end;
            let quoted = self.text[..token.start].ends_with('"');
            let help = if quoted {
                "`\"` ends the string: write a quote inside a string as `\\\"`, or separate the values with a space"
            } else {
                help
            };
            self.lose(&SYNTAX, token.range(), from, format!("missing space before `{words}`"), help);
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
            "unexpected comma between values",
            "separate values with spaces",
            ("remove it", vec![change]),
        );
        self.take_up();
        self.lexer.at = bytes.end;
        let statement = self.statement();
        statement.end = bytes.end;
        statement.spaced = true;
    }

    /// Repairs `count = 4`: removes the `=`.
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
                format!("unexpected `=` after `{name}`"),
                &format!("write the value after the name: `{name} …`"),
            );
            return;
        }
        let rest = if self.text[value..].starts_with('{') { ("block", "{ … }") } else { ("values", "…") };
        self.say(&EQUALS_SIGN, token.range(), format!("unexpected `=` after `{name}`"), |d| {
            d.help(format!("write the name, a space, and the {}: `{name} {}`", rest.0, rest.1))
        });
        let gap = self.text[end..token.start].chars().all(crate::syntax::lexer::is_blank);
        let from = if gap { end } else { token.start };
        self.fix("remove it", vec![Change::new(from..value, " ")]);
        self.sure(!self.is_half_of_a_pair());
        self.take_up();
        self.lexer.at = value;
        self.spaced();
    }

    /// Checks the value of the entry that begins at `from`. Repairs the value, or drops the entry. Returns the end of the
    /// value.
    pub(super) fn value(&mut self, token: Token, from: usize) -> usize {
        let words = self.words(token).to_owned();
        if token.kind == Kind::Text {
            self.statement().text = Some((from, token));
            if self.literal(token).is_none() {
                self.drop_entry(from..token.end);
            }
        } else if token.kind == Kind::Keyword {
            self.keyword(token, &words, from);
        } else if token.kind == Kind::Foreign && words.starts_with(TRIPLE) {
            self.triple_quotes(token, from);
        } else if matches!(token.kind, Kind::Foreign | Kind::OldRaw | Kind::Spread) {
            self.requote(token, &words);
        } else {
            return self.bare(token, from);
        }
        token.end
    }

    /// Converts a string in quotes of another language, or of KDL 1, to KDL 2.
    pub(super) fn requote(&mut self, token: Token, words: &str) {
        if words.starts_with(TRIPLE) {
            return self.triple_quotes(token, token.start);
        }
        let change = |with: String| vec![Change::new(token.range(), with)];
        if token.kind == Kind::Spread {
            let line = self.text[..token.start].rsplit(is_newline).next().unwrap_or_default();
            let margin = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
            let message = "multi-line string in single `\"`";
            let fix = ("use `\"\"\"`", change(spread_text(words, margin)));
            self.mistake(&MULTI_LINE_TEXT, token.range(), message, MULTI_LINE, fix);
        } else if token.kind == Kind::OldRaw {
            let (message, help) = ("KDL 1 raw string", "in KDL 2, write a raw string as `#\"…\"#`");
            self.mistake(
                &KDL_VERSION_1,
                token.range(),
                message,
                help,
                ("convert to KDL 2", change(raw_text(words))),
            );
        } else {
            let message = format!("{words} uses quotes that KDL does not support");
            self.mistake(
                &WRONG_QUOTES,
                token.range(),
                message,
                QUOTED,
                ("use double quotes", change(requoted(words))),
            );
            // The fix is uncertain for backticks, because a shell executes their content; for mixed quotes, because they are
            // ambiguous; and for `'\n'`, which is a newline in some languages.
            let mixed = !words.starts_with('\'') && words.contains('"');
            self.sure(!(words.starts_with('`') || mixed || has_foreign_escape(words)));
        }
    }

    fn keyword(&mut self, token: Token, words: &str, from: usize) {
        let change = |with: String| vec![Change::new(token.range(), with)];
        if matches!(words, "#true" | "#false" | "#null") {
        } else if matches!(words, "#inf" | "#-inf" | "#nan") {
            self.say(
                &BAD_NUMBER,
                token.range(),
                format!("`{words}` is not allowed: numbers must be finite"),
                |d| d,
            );
            self.drop_entry(from..token.end);
        } else if let Some(known) = keyword(&words[1..]) {
            self.mistake(
                &BARE_KEYWORD,
                token.range(),
                format!("`{words}` is not a KDL keyword"),
                &format!("write `{known}`"),
                ("use the KDL keyword", change(known.to_owned())),
            );
        } else {
            let message = format!("unquoted string `{words}`");
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
        if self.unopened(token, from) || self.name_before_block(token) {
            return token.end;
        }
        let change = |with: String| vec![Change::new(token.range(), with)];
        let plain = || change(quote(&words));
        let text = || format!("unquoted string `{words}`");
        let bytes = token.range();
        match judge(&words) {
            number @ (Word::Number | Word::OddNumber(_) | Word::TooLarge) => self.number(token, number, from),
            Word::Keyword(known) => {
                let help = &format!("write `{known}`");
                let message = format!("`{words}` is not a KDL keyword");
                self.mistake(
                    &BARE_KEYWORD,
                    bytes,
                    message,
                    help,
                    ("use the KDL keyword", change(known.to_owned())),
                );
            }
            Word::Uri => self.mistake(
                &BARE_URI,
                bytes,
                text(),
                "write it in double quotes: without quotes, everything after `//` is a comment",
                ("quote it", plain()),
            ),
            Word::Variable(reference) => {
                let help = format!("shell variables are not expanded here; write `{}`", quote(&reference));
                self.mistake(
                    &BARE_VARIABLE,
                    bytes,
                    text(),
                    &help,
                    ("use the reference", change(quote(&reference))),
                );
                self.sure(!has_default(&words) && self.takes_references());
            }
            Word::Text if words.starts_with(TRIPLE) => self.triple_quotes(token, from),
            Word::Text => self.bare_text(token, &words),
        }
        let listed = self.statement().brackets > 0 && ENTRIES.contains(&words.trim_end_matches(':'));
        // In `run`, a shell operator would be an argument.
        let is_dash = with_hyphens(&words).is_some() && !words.starts_with("––");
        let is_certain = !(has_quote(&words) || listed || is_operator(&words) || is_dash);
        self.sure(is_certain && !self.is_of_pairs(&words));
        token.end
    }

    fn bare_text(&mut self, token: Token, words: &str) {
        let message = format!("unquoted string `{words}`");
        let change = |with: String| vec![Change::new(token.range(), with)];
        let Some(hyphens) = with_hyphens(words).map(|hyphens| quote(&hyphens)) else {
            let changes = change(self.as_pairs(words).unwrap_or_else(|| quote(words)));
            return self.mistake(&BARE_TEXT, token.range(), message, QUOTED, ("quote it", changes));
        };
        let help = format!("write `{hyphens}`: options begin with hyphens, not with dashes");
        let fix = ("write hyphens, and quote it", change(hyphens));
        self.mistake(&BARE_TEXT, token.range(), message, &help, fix);
    }

    /// Reports a string between `'''`, or an opening `'''`. `from`: the start of its entry.
    pub(super) fn triple_quotes(&mut self, token: Token, from: usize) {
        let words = self.words(token);
        let line = words.find(is_newline).unwrap_or(words.len());
        let is_line = token.kind == Kind::Foreign && line == words.len();
        let (bytes, help) = (token.start..token.start + line, if is_line { QUOTED } else { MULTI_LINE });
        self.lose(&WRONG_QUOTES, bytes, from, "`'''` does not start a string in KDL", help);
        let statement = self.statement();
        statement.end = statement.end.max(token.end);
    }

    fn number(&mut self, token: Token, number: Word, from: usize) {
        let message = format!("`{}` is not a valid KDL number", self.words(token));
        let bytes = token.range();
        if let Word::OddNumber(Some(digits)) = number {
            let help = "write digits on both sides of the decimal point";
            let change = Change::new(token.range(), digits);
            self.mistake(&BAD_NUMBER, bytes, message, help, ("add the missing digit", vec![change]));
            // Arguments of programs are strings, so `.5` and `0.5` are different arguments. The fix is then only a suggestion.
            if self.statement.as_ref().is_some_and(|s| self.text[s.start..].starts_with("run")) {
                self.only_suggest();
            }
        } else if number == Word::TooLarge {
            self.say(&BAD_NUMBER, bytes, "number out of range", |d| {
                d.help("use at most 38 digits before the decimal point, at most 38 after it, and a value below 1.8e308")
            });
            self.drop_entry(from..token.end);
        } else if number != Word::Number {
            self.say(&BAD_NUMBER, bytes, message, |d| {
                d.help("group digits with `_`, such as `1_000`; separate values with spaces")
            });
            self.drop_entry(from..token.end);
        }
    }

    /// Returns the value of a quoted string. Reports an invalid string; returns `None` if it cannot be repaired.
    pub(super) fn literal(&mut self, token: Token) -> Option<String> {
        let words = self.words(token);
        if let Some(value) = literal::kdl::verbatim(words) {
            return Some(value.to_owned());
        }
        let fault = match literal::kdl::units(words) {
            Ok(units) => {
                let Some(nul) = units.iter().find(|unit| unit.says == '\0') else {
                    return Some(text_of(&units));
                };
                let bytes = token.start + nul.bytes.start..token.start + nul.bytes.end;
                self.say(&FORBIDDEN_CHARACTER, bytes, "NUL character in a string", |d| {
                    d.help("remove it; arguments and environment variables cannot contain NUL")
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
        self.fix("correct the string", changes);
        // Other backslashes of the string are valid escapes, as in `"\d\n"`, so their meaning is uncertain.
        self.sure(repaired.sure);
        Some(repaired.text)
    }
}

/// Returns an option with hyphens in place of the dashes into which word processors change them: `--x` for `––x`, `—x`, and `–x`. `None`
/// for a word without dashes at its start.
fn with_hyphens(words: &str) -> Option<String> {
    let name = words.trim_start_matches(['–', '—']);
    let is_option = name.len() < words.len() && name.starts_with(|c: char| c.is_ascii_alphabetic());
    let hyphens = if name.chars().nth(1).is_none_or(|second| second == '=') { "-" } else { "--" };
    is_option.then(|| format!("{hyphens}{name}"))
}
