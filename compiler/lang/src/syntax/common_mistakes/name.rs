//! Reports mistakes in entry names: `count: 4`, `- item`, a number as the name, a name that needs quotes.
use super::{Statement, Walk};
use crate::codes::{BARE_TEXT, COLON_AFTER_NAME, COMMA, DASH_ITEM, SYNTAX, UNCLOSED};
use crate::syntax::draft::Change;
use crate::syntax::foreign_tokens::{has_quote, indent};
use crate::syntax::lexer::{Kind, Token};
use crate::syntax::literal::quote;
use crate::syntax::words::{Word, is_identifier, judge};
use std::ops::Range;

const AS_IN_YAML: &str = "write values on the line of their name, and nested entries in braces, such as `env { LOG_LEVEL \"info\"; }`";
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

    /// Repairs `count: 4`, `count:4`, and `"count": 4`: removes the colon at `at`. The text between the colon and `end` becomes a
    /// value.
    fn colon(&mut self, at: usize, end: usize) {
        let bytes = at..at + 1;
        if at + 1 == end
            && let Some(below) = self.block_below(end)
        {
            let message = "YAML block syntax (colon and indentation) is not supported in KDL";
            self.lose(&COLON_AFTER_NAME, bytes.clone(), at + 1, message, AS_IN_YAML);
            self.out.changes.push(Change::new(bytes, ""));
            self.statement().end = below;
            self.lexer.at = below;
            return;
        }
        self.say(&COLON_AFTER_NAME, bytes.clone(), "unexpected `:` after an entry name", |d| {
            d.help("write the name, a space, and the values, such as `deadline \"2h\"`")
        });
        let blank = self.text[at + 1..].starts_with([' ', '\t', '\n', '\r']);
        self.fix("remove it", vec![Change::new(bytes, if blank { "" } else { " " })]);
        // The entry may be half of a pair in the notation of other systems, or a Windows path. The fix is then only a suggestion.
        self.sure(!self.is_half_of_a_pair() && !self.text[at + 1..].starts_with('\\'));
        self.take_up();
        self.lexer.at = end;
        let statement = self.statement();
        statement.end = at + 1;
        statement.spaced = true;
        if at + 1 == end && self.flow(end) {
            return;
        }
        if at + 1 < end {
            let kind = if self.text[at + 1..].starts_with('#') { Kind::Keyword } else { Kind::Odd };
            self.argument_or_property(Token { kind, start: at + 1, end });
        }
    }

    /// Returns the end of the lines below `at` that have deeper indentation than the line of `at`. `None` if the line
    /// has more text after `at`.
    fn block_below(&self, at: usize) -> Option<usize> {
        let rest = &self.text[at..];
        let first = rest.find('\n')? + 1;
        rest[..first].trim().is_empty().then_some(())?;
        let line = self.text[..at].rfind('\n').map_or(0, |i| i + 1);
        let margin = indent(&self.text[line..]);
        let (mut next, mut last) = (at + first, None);
        for line in self.text[next..].split_inclusive('\n') {
            let words = line.trim();
            if !(words.is_empty() || indent(line) > margin) {
                break;
            }
            if !words.is_empty() {
                last = Some(next + line.trim_end().len());
            }
            next += line.len();
        }
        last
    }

    /// Repairs `resources: { cpus: 2, memory: "4GiB" }` on one line: removes braces and commas, and converts the pairs to
    /// properties. Returns `false` if no `{ … }` follows. `after_colon`: the offset after the colon.
    fn flow(&mut self, after_colon: usize) -> bool {
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
