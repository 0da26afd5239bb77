//! Reports an entry that follows the previous one without a separator: `run "a" \` above `deadline "2h"`, `run "a" user "me"`,
//! `A "1", B "2"`.
use super::{Statement, Walk};
use crate::codes::{COMMA, SYNTAX};
use crate::diagnostic::{Edit, Fix};
use crate::syntax::draft::Change;
use crate::syntax::lexer::{Kind, Lexer, Token, is_blank};
use crate::syntax::literal::quote;
use crate::syntax::names::{ARGUMENTS, ENTRIES, NAMING, PAIRS};
use crate::syntax::words::is_identifier;
use std::ops::Range;

impl Walk<'_> {
    /// Returns the name of a node without quotes.
    pub(super) fn name_of(&self, statement: &Statement) -> &str {
        self.text[statement.name.clone()].trim_matches('"').trim_end_matches(':')
    }

    /// Returns whether the scan is inside the block of an entry that has only arguments, as in `run {"a": 1}`.
    pub(super) fn in_arguments(&self) -> bool {
        self.blocks.iter().any(|block| self.has_only_arguments(&block.owner))
    }

    /// Returns whether a node has only arguments, as `run` has.
    pub(super) fn has_only_arguments(&self, statement: &Statement) -> bool {
        ARGUMENTS.contains(&self.name_of(statement))
    }

    /// Returns whether a bare word among the values of a node is the name of an entry. Only a word after other values, or at
    /// the start of a continued line, can be such a name.
    pub(super) fn begins_entry(&self, token: Token) -> bool {
        let Some(statement) = &self.statement else { return false };
        let read = self.hide.is_none() && statement.hide.is_none() && statement.brackets == 0;
        let name = self.words(token).trim_end_matches(':');
        if !read || token.kind != Kind::Word || !ENTRIES.contains(&name) {
            return false;
        }
        let behind = self.text[token.end..].trim_start_matches(is_blank);
        let property = behind.starts_with('=') || self.words(token).ends_with(':');
        self.joined(statement, token) || !statement.fresh && !property
    }

    /// Returns whether only spaces, newlines, and a comment separate the token from the last line continuation `\`.
    fn joined(&self, statement: &Statement, token: Token) -> bool {
        let line = statement.joined.as_ref().map(|sign| &self.text[sign.end..token.start]);
        line.is_some_and(|between| {
            // KDL permits a comment between the `\` and the end of its line.
            let rest = between.trim_start_matches(is_blank);
            let rest = if rest.starts_with("//") || rest.starts_with('#') {
                rest.trim_start_matches(|c| c != '\n' && c != '\r')
            } else {
                rest
            };
            rest.chars().all(|c| is_blank(c) || c == '\n' || c == '\r')
        })
    }

    /// Reports an entry name among the values of another entry. There are two fixes, both only suggestions: one ends the other
    /// entry before the name, one quotes the name.
    pub(super) fn run_on(&mut self, token: Token) {
        let Some(statement) = self.statement.take() else { return };
        let name = self.words(token).trim_end_matches(':').to_owned();
        let owner = self.name_of(&statement).to_owned();
        let joined = statement.joined.clone().filter(|_| self.joined(&statement, token));
        let end = match &joined {
            Some(sign) => {
                let before = self.text[..sign.start].trim_end_matches(is_blank).len();
                Change::new(before..sign.end, "")
            }
            None => Change::new(statement.end..statement.end, ";"),
        };
        let quoted = Change::new(token.range(), quote(self.words(token)));
        self.statement = Some(statement);
        let cause =
            if joined.is_some() { "the previous line ends with `\\`" } else { "there is no `;` before it" };
        let fact = format!("`{name}` looks like a new entry, but {cause}");
        let separate = match &joined {
            Some(_) => "remove the `\\` at the end of the previous line".to_owned(),
            None => format!("end `{owner}` with a new line or `;`"),
        };
        self.say(&SYNTAX, token.range(), fact, |d| {
            d.here(format!("parsed as an argument of `{owner}`")).help(format!(
                "{separate}; or, if `{name}` is an argument of `{owner}`, quote it: `\"{name}\"`"
            ))
        });
        let alone = joined.is_none() && ends_line(self.lexer.clone());
        let (made, other) = if alone { (quoted, end) } else { (end, quoted) };
        let titles = ["end the previous entry", "quote it"];
        let (first, second) = if alone { (titles[1], titles[0]) } else { (titles[0], titles[1]) };
        self.fix(first, vec![made]);
        let other = Edit { span: self.draft.span(other.bytes), text: other.text };
        if let Some(last) = self.out.diagnostics.last_mut().filter(|_| self.told) {
            last.fixes.push(Fix::of(second, vec![other]));
        }
        self.only_suggest();
        if alone {
            let statement = self.statement();
            (statement.end, statement.spaced, statement.fresh) = (token.end, false, false);
        } else {
            self.end();
            self.ended = None;
            self.name(token);
        }
    }

    /// Returns whether the scan is directly inside a block of pairs, such as that of `env`.
    fn is_in_pairs(&self) -> bool {
        self.blocks.last().is_some_and(|block| PAIRS.contains(&self.name_of(&block.owner)))
    }

    /// Returns whether the entry may be half of a pair in the notation of other systems, as in
    /// `env { name: LR, value: 0.1 }`.
    pub(super) fn is_half_of_a_pair(&self) -> bool {
        let own = self.statement.as_ref().is_some_and(|own| NAMING.contains(&self.name_of(own)));
        own && self.is_in_pairs()
    }

    /// Replaces a comma by `;` between two entries in a block of pairs, as in `env { A "1", B "2" }`, or in a block in the notation of
    /// JSON, as in `target "name" { queue: "a", user: "b" }` and `resources { cpus 4, memory "1GiB" }`. Returns `false` for other commas.
    pub(super) fn comma_between_pairs(&mut self, comma: Range<usize>) -> bool {
        if !(self.is_in_pairs() || self.is_in_json_block(comma.end))
            || self.statement().fresh
            || self.statement().brackets > 0
            || !self.pair_follows(comma.end)
        {
            return false;
        }
        let help = "separate entries on one line with `;`";
        let fix = ("replace with `;`", vec![Change::new(comma.clone(), ";")]);
        self.mistake(&COMMA, comma.clone(), "unexpected comma between entries", help, fix);
        self.sure(!self.is_half_of_a_pair());
        self.lexer.at = comma.end;
        self.end();
        self.ended = None;
        true
    }

    /// Returns whether the values of the entry are arguments or values of variables. Amounts, for example, have no references.
    pub(super) fn takes_references(&self) -> bool {
        self.in_arguments()
            || self
                .statement
                .as_ref()
                .is_some_and(|own| self.has_only_arguments(own) || PAIRS.contains(&self.name_of(own)))
            || self.is_in_pairs()
    }

    /// Returns whether a value of a pair seems to contain further pairs, as in `A=1,B=2`.
    pub(super) fn is_of_pairs(&self, value: &str) -> bool {
        let is_pair = |part: &str| part.contains(['=', ':']) && !part.contains("://");
        let takes_all = self.statement.as_ref().is_some_and(|s| self.has_only_arguments(s));
        !takes_all && value.split(',').skip(1).any(is_pair)
    }

    /// Returns the entries that a value with further pairs probably means: `"1"; B "2"` for `1,B=2` in a block of pairs. `None` for other
    /// values.
    pub(super) fn as_pairs(&self, value: &str) -> Option<String> {
        let (first, rest) =
            value.split_once(',').filter(|_| self.is_in_pairs() && self.is_of_pairs(value))?;
        let text =
            |value: &str| quote(value.strip_prefix('"').and_then(|v| v.strip_suffix('"')).unwrap_or(value));
        let pair = |part: &str| {
            let (name, value) = part.split_once(['=', ':'])?;
            is_identifier(name).then(|| format!("; {name} {}", text(value)))
        };
        rest.split(',').map(pair).try_fold(text(first), |all, pair| Some(all + &pair?))
    }

    /// Returns whether the node is on the line of the brace that opens its block, and has a colon or `=` after its name, or a name
    /// without quotes after the comma that ends at `comma`.
    fn is_in_json_block(&self, comma: usize) -> bool {
        let (Some(statement), Some(block)) = (&self.statement, self.blocks.last()) else { return false };
        let name = &self.text[statement.name.clone()];
        let after = self.text[statement.name.end..].trim_start_matches(is_blank);
        let is_line = !self.text[block.owner.end..statement.start].contains('\n');
        let mut lexer = self.lexer.clone();
        lexer.at = comma;
        let next = lexer.find(|token| token.kind != Kind::Blank).filter(|next| next.kind == Kind::Word);
        let is_name = next.is_some_and(|next| is_identifier(self.words(next)));
        is_line
            && (name.ends_with(':')
                || after.starts_with([':', '='])
                || is_name && !self.has_only_arguments(statement))
    }

    /// Returns whether a name and a value follow `at` before the next comma or the end of the line.
    fn pair_follows(&self, at: usize) -> bool {
        let mut lexer = self.lexer.clone();
        lexer.at = at;
        let value = |kind| {
            matches!(kind, Kind::Text | Kind::Word | Kind::Odd | Kind::Keyword | Kind::Foreign | Kind::OldRaw)
        };
        let mut words = lexer.filter(|token| !matches!(token.kind, Kind::Blank | Kind::BlockComment));
        let Some(name) = words.next().filter(|name| value(name.kind)) else { return false };
        let name = self.words(name).trim_end_matches(',');
        let pair = name.split_once(':').is_some_and(|(_, value)| !value.is_empty());
        let mut next = words.skip_while(|token| token.kind == Kind::Equals);
        pair || next.next().is_some_and(|token| value(token.kind) && !self.words(token).starts_with(','))
    }
}

/// Returns whether only spaces and comments follow on the line.
pub(super) fn ends_line(mut lexer: Lexer<'_>) -> bool {
    let next = lexer.find(|token| !(token.kind == Kind::Blank || token.kind.is_comment()));
    next.is_none_or(|token| matches!(token.kind, Kind::Newline | Kind::Semicolon | Kind::Close))
}
