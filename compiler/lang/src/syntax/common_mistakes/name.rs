//! Reports mistakes in entry names: `count: 4`, `- item`, a number as the name, a name that needs quotes.
use super::{Statement, Walk};
use crate::codes::{BARE_TEXT, COMMA, DASH_ITEM, SYNTAX, UNCLOSED, WRONG_QUOTES};
use crate::syntax::draft::Change;
use crate::syntax::foreign_tokens::{TRIPLE, has_quote};
use crate::syntax::lexer::{Kind, Token};
use crate::syntax::literal::quote;
use crate::syntax::names::PAIRS;
use crate::syntax::words::{Word, is_identifier, judge};
use std::ops::Range;

const BEGINS_WITH_NAME: &str = "start an entry with its name, such as `image \"REPOSITORY:TAG\"`";

/// Content of `{ name: value, … }`: the names with their values, the commas after values, and the closing brace.
type Pairs = (Vec<(Token, Token)>, Vec<Range<usize>>, Token);

impl Walk<'_> {
    /// Handles a token that begins a node.
    pub(super) fn name(&mut self, token: Token) {
        let words = self.words(token).to_owned();
        let commas = words.len() - words.trim_start_matches(',').len();
        if commas > 0 && token.kind == Kind::Word {
            let bytes = token.start..token.start + commas;
            self.say(&COMMA, bytes.clone(), "unexpected comma between entries", |d| {
                d.help("separate entries with a new line or `;`")
            });
            self.fix("remove it", vec![Change::new(bytes, "")]);
            self.lexer.at = token.start + commas;
            return;
        }
        if self.property_on_new_line(token) {
            return;
        }
        let hide = self.hide.take();
        self.statement = Some(Statement {
            start: token.start,
            end: token.end,
            name: token.range(),
            hide,
            fresh: true,
            ..Default::default()
        });
        if token.kind == Kind::Text {
            self.quoted_name(token);
        } else if matches!(token.kind, Kind::Word | Kind::Odd) {
            self.bare_name(token, &words);
        } else if token.kind == Kind::Foreign && words.starts_with(TRIPLE) {
            self.triple_quotes(token, token.start);
            self.lose_name(&WRONG_QUOTES, token.range(), "", "");
        } else if matches!(token.kind, Kind::Foreign | Kind::OldRaw | Kind::Spread) {
            self.requote(token, &words);
        } else if token.kind == Kind::OpenText {
            self.unclosed(token, token.start);
            self.lose_name(&UNCLOSED, token.range(), "", "");
        } else {
            let message = format!("expected an entry name, found `{words}`");
            self.lose_name(&SYNTAX, token.range(), message, BEGINS_WITH_NAME);
        }
    }

    fn quoted_name(&mut self, token: Token) {
        if self.literal(token).is_none() {
            let statement = self.statement();
            statement.nameless = true;
            statement.lost = Some(token.start);
            statement.hide = statement.hide.or(Some(token.start));
            return;
        }
        let after = self.text[token.end..].strip_prefix(':');
        if after.is_some_and(|rest| !rest.starts_with("//")) {
            let end = self.lexer.clone().next().map_or(token.end + 1, |next| next.end);
            self.colon(token.end, end);
        }
    }

    fn bare_name(&mut self, token: Token, words: &str) {
        if words == "-" {
            let help = "write a list as arguments on one line, such as `run \"python\" \"train.py\"`";
            self.lose_name(&DASH_ITEM, token.range(), "YAML-style list item", help);
            return;
        }
        let head = words.split(':').next().unwrap_or_default();
        let rest = words.get(head.len() + 1..);
        if is_identifier(head)
            && head.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && rest.is_some_and(|rest| !rest.starts_with("//"))
        {
            self.colon(token.start + head.len(), token.end);
            return;
        }
        match judge(words) {
            Word::Number | Word::OddNumber(_) | Word::TooLarge | Word::Keyword(_) => {
                let message = format!("expected an entry name, found `{words}`");
                self.lose_name(&SYNTAX, token.range(), message, BEGINS_WITH_NAME);
            }
            Word::Uri | Word::Variable(_) | Word::Text => {
                if !(token.kind == Kind::Word && is_identifier(words)) {
                    self.mistake(
                        &BARE_TEXT,
                        token.range(),
                        format!("unquoted name `{words}`"),
                        "quote names with characters other than letters, digits, `-`, `_`, and `.`",
                        ("quote it", vec![Change::new(token.range(), quote(words))]),
                    );
                    self.sure(!has_quote(words));
                }
            }
        }
    }

    /// Repairs `resources: { cpus: 2, memory: "4GiB" }` on one line: removes braces and commas, and converts the pairs to
    /// properties. Returns `false` if no `{ … }` follows, or if it is a block of pairs. `after_colon`: the offset after the colon.
    pub(super) fn flow(&mut self, after_colon: usize) -> bool {
        if self.statement.as_ref().is_some_and(|own| PAIRS.contains(&self.name_of(own))) {
            return false;
        }
        let Some((pairs, commas, close)) = self.pairs(after_colon) else { return false };
        let first = pairs.first().map_or(close.start, |(key, _)| key.start);
        let open = after_colon..first;
        let last = self.text[..close.start].trim_end_matches([' ', '\t', ',']).len().max(first);
        let between = commas.into_iter().filter(|comma| comma.end <= last);
        let gone = between.map(|comma| Change::new(comma.start..comma.end, ""));
        let ends = [Change::new(open, " "), Change::new(last..close.end, "")];
        self.absorb(ends.into_iter().chain(gone).collect());
        for (key, value) in pairs {
            let value = Token { end: value.start + self.words(value).trim_end_matches(',').len(), ..value };
            self.property_with_colon(key, value, key.start);
        }
        self.lexer.at = close.end;
        let statement = self.statement();
        statement.fresh = false;
        statement.spaced = true;
        statement.end = close.end;
        true
    }

    /// Returns the pairs between braces on one line, the commas after values, and the closing brace.
    fn pairs(&self, from: usize) -> Option<Pairs> {
        let mut lexer = self.lexer.clone();
        lexer.at = from;
        let mut words = lexer.filter(|token| token.kind != Kind::Blank);
        words.next().filter(|open| open.kind == Kind::Open)?;
        let (mut pairs, mut commas) = (Vec::new(), Vec::new());
        loop {
            let key = words.next()?;
            if key.kind == Kind::Close {
                return (!pairs.is_empty()).then_some((pairs, commas, key));
            }
            let comma = self.words(key).bytes().all(|b| b == b',');
            if comma && key.kind == Kind::Word && !pairs.is_empty() {
                commas.push(key.range());
                continue;
            }
            let value = self.value_behind_colon(key)?;
            words.next().filter(|next| next.start == value.start)?;
            let bare = value.start + self.words(value).trim_end_matches(',').len();
            if value.kind == Kind::Word && bare < value.end {
                commas.push(bare..value.end);
            }
            pairs.push((key, value));
        }
    }
}
