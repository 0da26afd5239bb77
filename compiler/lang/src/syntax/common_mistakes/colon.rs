//! Reports colons after names and between values: `count: 4`, `count : 4`, `param "lr": 0.1`, `role worker: {`.
use super::Walk;
use super::run_on::ends_line;
use crate::codes::COLON_AFTER_NAME;
use crate::syntax::draft::Change;
use crate::syntax::foreign_tokens::indent;
use crate::syntax::lexer::{Kind, Token};
use crate::syntax::literal::quote;
use crate::syntax::words::is_identifier;

const AS_IN_YAML: &str = "write values on the line of their name, and nested entries in braces, such as `env { LOG_LEVEL \"info\"; }`";

impl Walk<'_> {
    /// Repairs `count: 4`, `count:4`, `count : 4`, and `"count": 4`: removes the colon at `at`. The text between the colon and `end`
    /// becomes a value.
    pub(super) fn colon(&mut self, at: usize, end: usize) {
        if at + 1 == end && self.yaml_block(at) {
            return;
        }
        self.say(&COLON_AFTER_NAME, at..at + 1, "unexpected `:` after an entry name", |d| {
            d.help("write the name, a space, and the values, such as `deadline \"2h\"`")
        });
        let change = self.without_colon(at);
        self.fix("remove it", vec![change]);
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

    /// Returns the change that removes the colon at `at`, and the spaces before it.
    fn without_colon(&self, at: usize) -> Change {
        let from = self.text[..at].trim_end_matches([' ', '\t']).len();
        let blank = self.text[at + 1..].starts_with([' ', '\t', '\n', '\r']);
        Change::new(from..at + 1, if blank { "" } else { " " })
    }

    /// Returns whether a token after the name of an entry is a colon: alone, or directly after a string.
    pub(super) fn is_colon(&self, token: Token) -> bool {
        let words = self.words(token);
        let glued = self.statement.as_ref().is_some_and(|s| !s.spaced) && !words.starts_with("://");
        matches!(token.kind, Kind::Word | Kind::Odd) && (words == ":" || glued && words.starts_with(':'))
    }

    /// Repairs a colon after the name or a value of an entry, as in `count : 4` and `param "lr": 0.1`.
    pub(super) fn colon_behind(&mut self, token: Token) {
        let at = token.start;
        if self.statement().fresh {
            return self.colon(at, token.end);
        }
        if token.end == at + 1 && self.yaml_block(at) {
            return;
        }
        let change = self.without_colon(at);
        let help = "separate values with spaces, such as `param \"lr\" 0.1`";
        let fix = ("remove it", vec![change]);
        self.mistake(&COLON_AFTER_NAME, at..at + 1, "unexpected `:` after a value", help, fix);
        // An argument of a program may be a colon, and a list with colons may be a map.
        let own = self.statement.as_ref().is_some_and(|s| s.brackets > 0 || self.has_only_arguments(s));
        self.sure(!own);
        self.lexer.at = at + 1;
        let statement = self.statement();
        statement.end = at + 1;
        statement.spaced = true;
    }

    /// Repairs a name with a colon before a block, as in `role worker: {`. Returns `false` for other words.
    pub(super) fn name_before_block(&mut self, token: Token) -> bool {
        let words = self.words(token).to_owned();
        let Some(name) = words.strip_suffix(':').filter(|name| is_identifier(name)) else { return false };
        let quoted = quote(name);
        let mut ahead = self.lexer.clone();
        ahead.at = token.end;
        if ends_line(ahead.clone()) && self.yaml_block(token.end - 1) {
            return true;
        }
        if ahead.find(|next| next.kind != Kind::Blank).is_none_or(|next| next.kind != Kind::Open) {
            return false;
        }
        let message = format!("unexpected `:` after `{name}`");
        let help = format!("write the name in quotes before the block: `{quoted} {{ … }}`");
        let fix = ("quote it, and remove the `:`", vec![Change::new(token.range(), quoted)]);
        self.mistake(&COLON_AFTER_NAME, token.end - 1..token.end, message, &help, fix);
        true
    }

    /// Reports a colon at the end of a line above lines with deeper indentation, and skips these lines. Returns `false` if no such
    /// lines follow.
    fn yaml_block(&mut self, at: usize) -> bool {
        let bytes = at..at + 1;
        let Some(below) = self.block_below(bytes.end) else { return false };
        let message = "YAML block syntax (colon and indentation) is not supported in KDL";
        self.lose(&COLON_AFTER_NAME, bytes.clone(), bytes.end, message, AS_IN_YAML);
        self.out.changes.push(Change::new(bytes, ""));
        self.statement().end = below;
        self.lexer.at = below;
        true
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
}
