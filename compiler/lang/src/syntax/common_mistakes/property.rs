//! Reports mistakes in properties: `--steps=9`, `cpus = 2`, `cpus=`, and duplicate properties.
use super::Walk;
use crate::codes::{
    BARE_TEXT, COLON_AFTER_NAME, DUPLICATE_PROPERTY, EQUALS_SIGN, FLAG_PROPERTY, SQUARE_BRACKETS, SYNTAX,
};
use crate::diagnostic::Code;
use crate::syntax::draft::Change;
use crate::syntax::foreign_tokens::has_quote;
use crate::syntax::lexer::{Kind, Lexer, Token, is_blank};
use crate::syntax::literal::{kdl, quote, text_of};
use crate::syntax::words::{is_identifier, unquoted};

impl<'w> Walk<'w> {
    /// Handles an argument. If `=` follows, handles a property.
    pub(super) fn argument_or_property(&mut self, token: Token) {
        if self.begins_entry(token) {
            return self.run_on(token);
        }
        let hide = self.hide.take();
        let from = hide.unwrap_or(token.start);
        let flag = token.kind != Kind::Text && self.words(token).starts_with('-');
        if flag && self.unopened(token, from) {
            self.statement().fresh = false;
            return;
        }
        let mut ahead = self.lexer.clone();
        let next = if self.precedes_value(token) { None } else { next_word(&mut ahead) };
        let equals = next.filter(|t| t.kind == Kind::Equals);
        let end = match (equals, self.value_behind_colon(token)) {
            (Some(equals), _) if token.kind == Kind::Text && self.opens_block(equals) => {
                self.equals_before_block(token, equals, from)
            }
            (Some(equals), _) => self.property(token, equals, ahead, from),
            (None, Some(value)) => self.property_with_colon(token, value, from),
            (None, None) => self.value(token, from),
        };
        if let Some(start) = hide {
            self.out.blanks.push(start..end);
        }
        let statement = self.statement();
        statement.fresh = false;
        statement.spaced = false;
        statement.end = statement.end.max(end);
    }

    /// Returns whether a string, a word, or the end of the line clearly follows a token. Faster than reading the next token.
    fn precedes_value(&self, token: Token) -> bool {
        let rest = self.text[token.end..].trim_start_matches([' ', '\t']);
        rest.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '"' | '\n' | '{' | '}'))
    }

    fn property(&mut self, key: Token, equals: Token, mut ahead: Lexer<'w>, from: usize) -> usize {
        let words = self.words(key).to_owned();
        if key.kind == Kind::Word && words.starts_with('-') && is_identifier(&words) {
            return self.flag(key, equals);
        }
        if key.kind == Kind::Foreign {
            self.requote(key, &words);
        } else if key.kind != Kind::Text && !(key.kind == Kind::Word && is_identifier(&words)) {
            return self.whole_word(key, equals);
        } else if key.kind == Kind::Text && self.literal(key).is_none() {
            let statement = self.statement();
            statement.lost = statement.lost.or(Some(from));
            return equals.end;
        }
        let mut value = next_word(&mut ahead);
        let after = value.map_or(equals.end, |t| t.start);
        self.lexer = ahead;
        if let Some(paren) = value.filter(|t| t.kind == Kind::ParenOpen && self.is_type(*t)) {
            if let Some(close) = self.lexer.clone().nth(1) {
                self.annotation(paren, close);
            }
            value = next_word(&mut self.lexer);
        }
        let comma = |t: &Token| t.kind == Kind::Word && self.text[t.start..].starts_with(',');
        let next = |t: &Token| t.start > equals.end && self.begins_property(*t);
        let Some(value) = value.filter(|t| !ends_line(t.kind) && !comma(t) && !next(t)) else {
            self.lexer.at = match value {
                Some(word) if next(&word) => equals.end,
                Some(word) => word.start,
                None => self.text.len(),
            };
            self.say(&SYNTAX, key.start..equals.end, format!("missing value after `{words}=`"), |d| d);
            self.drop_entry(from..equals.end);
            return equals.end;
        };
        self.blanks_around(key, equals, after);
        let repeated = self.repeated(key, &words, from);
        let end = self.property_value(value, from);
        if repeated {
            self.out.blanks.push(from..end);
        }
        end
    }

    /// Returns whether only spaces separate a `=` from a block.
    fn opens_block(&self, equals: Token) -> bool {
        let mut ahead = self.lexer.clone();
        ahead.at = equals.end;
        ahead.find(|next| next.kind != Kind::Blank).is_some_and(|next| next.kind == Kind::Open)
    }

    /// Repairs `role "ps" = {`: removes the `=`. Returns the end of the `=`.
    fn equals_before_block(&mut self, token: Token, equals: Token, from: usize) -> usize {
        self.value(token, from);
        let start = self.text[..equals.start].trim_end_matches(is_blank).len();
        let change = Change::new(start..equals.end, "");
        let help = "write the block directly after the values, such as `role \"worker\" { … }`";
        let fix = ("remove it", vec![change]);
        self.mistake(&EQUALS_SIGN, equals.range(), "unexpected `=` before a block", help, fix);
        self.lexer.at = equals.end;
        equals.end
    }

    /// Returns whether a token is a property name: `count=` directly followed by a value.
    pub(super) fn begins_property(&self, token: Token) -> bool {
        let name = token.kind == Kind::Word && is_identifier(self.words(token));
        name && self.text[token.end..]
            .strip_prefix('=')
            .is_some_and(|rest| !rest.starts_with(char::is_whitespace))
    }

    fn property_value(&mut self, value: Token, from: usize) -> usize {
        let first = self.text[value.start..].chars().next();
        if value.kind == Kind::OpenText {
            self.unclosed(value, from);
        } else if value.kind == Kind::Stray && first == Some('[') {
            let help = "write a single value; a list is an entry of a block, such as `{ codes 42 143 }`, not a property";
            self.lose(&SQUARE_BRACKETS, value.range(), from, "JSON-style list", help);
        } else if matches!(value.kind, Kind::Equals | Kind::ParenOpen | Kind::ParenClose | Kind::Stray) {
            let message = format!("expected a property value, found `{}`", self.words(value));
            self.lose(&SYNTAX, value.range(), from, message, "write strings in double quotes");
        } else if value.kind != Kind::Text && self.text[value.end..].starts_with('=') {
            let Joined { said, end, sure, .. } = self.join_words(value.start, value.start);
            let message = format!("unquoted string `{}`", &self.text[value.start..end]);
            let change = Change::new(value.start..end, quote(&said));
            self.lexer.at = end;
            let help = "write strings in double quotes";
            self.mistake(&BARE_TEXT, value.start..end, message, help, ("quote it", vec![change]));
            self.sure(sure);
            return end;
        } else {
            return self.value(value, from);
        }
        value.end
    }

    /// Repairs `cpus = 2`: removes the spaces around `=`. `value`: the start of the value.
    fn blanks_around(&mut self, key: Token, equals: Token, value: usize) {
        let blank = |words: &str| words.chars().all(is_blank);
        let (before, after) = (&self.text[key.end..equals.start], &self.text[equals.end..value]);
        if (!before.is_empty() || !after.is_empty()) && blank(before) && blank(after) {
            let change = Change::new(key.end..value, "=");
            let help = "write the property without spaces, such as `cpus=2`";
            let message = "spaces around the `=` of a property";
            self.mistake(&EQUALS_SIGN, equals.range(), message, help, ("remove the spaces", vec![change]));
        }
    }

    /// Returns the value after a property name with a colon: `2` in `cpus: 2` and `cpus : 2`.
    pub(super) fn value_behind_colon(&self, key: Token) -> Option<Token> {
        let words = self.words(key);
        matches!(key.kind, Kind::Word | Kind::Odd).then_some(())?;
        let mut ahead = self.lexer.clone();
        ahead.at = key.end;
        ahead.next().filter(|t| t.kind == Kind::Blank)?;
        let name = match words.strip_suffix(':') {
            Some(name) => name,
            None if self.statement.as_ref().is_some_and(|s| self.has_only_arguments(s)) => return None,
            None => {
                ahead.next().filter(|colon| self.words(*colon) == ":")?;
                ahead.next().filter(|t| t.kind == Kind::Blank)?;
                words
            }
        };
        let value = ahead.next()?;
        let due = matches!(
            value.kind,
            Kind::Text | Kind::Word | Kind::Odd | Kind::Keyword | Kind::Foreign | Kind::OldRaw | Kind::Spread
        );
        let named = is_identifier(name) && name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        (named && due && !self.words(value).starts_with(',')).then_some(value)
    }

    /// Repairs `cpus: 2` and `cpus : 2`: replaces the colon by `=`. Returns the end of the value.
    pub(super) fn property_with_colon(&mut self, key: Token, value: Token, from: usize) -> usize {
        let end = key.start + self.words(key).trim_end_matches(':').len();
        let colon = end + self.text[end..value.start].find(':').unwrap_or_default();
        let change = Change::new(end..value.start, "=");
        if self.statement().absorbs.is_some() {
            self.absorb(vec![change]);
        } else {
            self.say(&COLON_AFTER_NAME, colon..colon + 1, "unexpected `:` after a property name", |d| {
                d.help("write `=` between name and value, such as `cpus=2`")
            });
            self.fix("replace with `=`", vec![change]);
            self.take_up();
        }
        let name = Token { end, ..key };
        let words = self.words(name).to_owned();
        let repeated = self.repeated(name, &words, from);
        self.lexer.at = value.end;
        let end = self.property_value(value, from);
        if repeated {
            self.out.blanks.push(from..end);
        }
        end
    }

    /// Reports a property that the node already has, and returns `true` in this case. `from`: the start of the property.
    fn repeated(&mut self, key: Token, words: &str, from: usize) -> bool {
        if self.text[from..].starts_with("/-") || self.statement().lost.is_some() {
            return false;
        }
        let name = kdl::units(words).map_or_else(|_| words.to_owned(), |units| text_of(&units));
        let Some(first) = self.statement().keys.get(&name).cloned() else {
            self.statement().keys.insert(name, key.range());
            return false;
        };
        let first = self.draft.span(first);
        self.say(&DUPLICATE_PROPERTY, key.range(), format!("property `{name}` is set twice"), |d| {
            d.here("second value")
                .label(first, "first value")
                .help("remove one of them; KDL would silently keep the last one")
        });
        true
    }

    /// Repairs `--steps=9`, which KDL parses as a property with the name `--steps`. Returns the end of the argument.
    fn flag(&mut self, key: Token, equals: Token) -> usize {
        let name = self.words(key);
        let message = format!("`{name}=…` is parsed as a KDL property, not as an argument");
        let help = format!("quote the whole argument: `\"{name}=…\"`");
        self.quote_whole(&FLAG_PROPERTY, key, equals, message, &help)
    }

    /// Repairs `a/b=1`, which is meant as one string with `=`, not as a property. Returns the end of the argument.
    fn whole_word(&mut self, key: Token, equals: Token) -> usize {
        let message = format!("unquoted string `{}=…`", self.words(key));
        let help = "write strings in double quotes";
        self.quote_whole(&BARE_TEXT, key, equals, message, help)
    }

    /// Reports an argument such as `--steps=9`, and quotes key, `=`, and value as one string. If a comment follows the key, or a
    /// block follows `=`, there is no fix, and the rest of the line is skipped. Returns the end of the argument.
    fn quote_whole(
        &mut self,
        code: &'static Code,
        key: Token,
        equals: Token,
        message: String,
        help: &str,
    ) -> usize {
        let block = self.text[equals.end..].trim_start_matches(is_blank).starts_with('{')
            && !crate::syntax::foreign_tokens::is_reference(
                self.text[equals.end..].trim_start_matches(is_blank),
            );
        if block || !self.text[key.end..equals.start].chars().all(is_blank) {
            self.lexer.at = equals.end;
            self.lose(code, key.range(), key.start, message, help);
            return equals.end;
        }
        let Joined { said, end, sure, whole } = self.join_words(equals.end, key.start);
        let whole = if whole { quote(&said) } else { quote(&format!("{}={said}", self.words(key))) };
        self.lexer.at = end;
        let whole = self.as_pairs(&self.text[key.start..end]).unwrap_or(whole);
        let changes = vec![Change::new(key.start..end, whole)];
        self.mistake(code, key.start..end, message, help, ("quote the whole argument", changes));
        self.sure(sure && !self.is_of_pairs(&self.text[key.start..end]));
        end
    }

    /// Joins adjacent tokens, from the token at `at`, into one string, as a shell does. If quotes are among brackets or commas,
    /// as in `--x=["a","b"]`, they are part of the string. The result is then the source text from `start` on.
    fn join_words(&self, at: usize, start: usize) -> Joined {
        let mut lexer = self.lexer.clone();
        lexer.at = at;
        let (mut said, mut end) = (String::new(), at);
        let (mut quoted, mut grouped, mut marked) = (false, false, false);
        let in_list = self.statement.as_ref().is_some_and(|s| s.brackets > 0);
        for token in lexer {
            let words = self.words(token);
            if in_list && token.kind == Kind::Stray && words.starts_with(']') && !said.contains('[') {
                break;
            }
            quoted |= matches!(token.kind, Kind::Text | Kind::Foreign);
            let bare = !matches!(token.kind, Kind::Text | Kind::Foreign);
            marked |= bare && has_quote(words);
            grouped |= bare && words.contains(['[', ']', '(', ')', ',']);
            if token.kind == Kind::Text {
                said.push_str(&kdl::units(words).map_or_else(|_| words.to_owned(), |units| text_of(&units)));
            } else if token.kind == Kind::Foreign {
                said.push_str(&unquoted(words));
            } else if is_part(token.kind) {
                said.push_str(words);
            } else if !(token.kind == Kind::Blank && end == at) {
                break;
            }
            end = token.end;
        }
        if said.is_empty() {
            return Joined { said, end: at, sure: true, whole: false };
        }
        if quoted && grouped {
            let said = self.text[start..end].to_owned();
            return Joined { said, end, sure: false, whole: true };
        }
        let kept = said.trim_end_matches(',').len();
        let commas = said.len() - kept;
        let bare = self.text[at..end].ends_with(&",".repeat(commas));
        if bare && commas > 0 {
            said.truncate(kept);
            end -= commas;
        }
        let sure = !marked && !self.is_of_pairs(&said);
        Joined { said, end, sure, whole: false }
    }
}

/// Adjacent tokens that a shell reads as one word.
struct Joined {
    said: String,
    end: usize,
    /// Whether the tokens can mean only this word.
    sure: bool,
    /// Whether `said` is the source text including the name and the quotes.
    whole: bool,
}

/// Returns the next token after any spaces, comments, and line continuations.
fn next_word(lexer: &mut Lexer) -> Option<Token> {
    let mut joined = false;
    lexer.find(|token| {
        let skipped = matches!(token.kind, Kind::Blank | Kind::BlockComment | Kind::Backslash)
            || joined && matches!(token.kind, Kind::Newline | Kind::LineComment | Kind::HashComment);
        joined = token.kind == Kind::Backslash || joined && token.kind != Kind::Newline && skipped;
        !skipped
    })
}

/// Returns whether a shell would join the token to the previous one.
const fn is_part(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Word
            | Kind::Odd
            | Kind::Keyword
            | Kind::OldRaw
            | Kind::Equals
            | Kind::ParenOpen
            | Kind::ParenClose
            | Kind::Stray
    )
}

const fn ends_line(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Newline
            | Kind::Semicolon
            | Kind::Open
            | Kind::Close
            | Kind::LineComment
            | Kind::HashComment
            | Kind::OpenComment
            | Kind::Slashdash
    )
}
