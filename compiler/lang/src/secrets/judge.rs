//! Finds credentials in a text: values in a `secret`, and values with a name that suggests a credential.
mod inner;
mod lookup;
mod pieces;
mod secret;

use super::items::{Item, items};
use super::known::{passwords, services};
use super::lex::{Kind, Manner, Token, tokens};
use super::names::{Says, holds_params, holds_secrets, is_value_key, lists_variables, says, says_spaced};
use super::prescan::may_name;
use super::scrub::{KEYWORDS, unescaped};
use super::values::{Stands, is_credential, params};
use crate::sources::Format;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Maximum nesting depth of strings and command substitutions to search: a string in the text has depth 1, and a string in that
/// string has depth 2.
const DEEPEST: usize = 4;

/// How the children of an item are interpreted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Below {
    /// The children have no special meaning.
    Open,
    /// The children are names and values in a `secret`.
    Secret,
    /// The children are the value of a name that suggests a credential.
    Credential(Says),
    /// The children are parts of one value: all their words belong to this value.
    Value,
    /// The children are the fields of a platform's reference to a secret. All values except the name and key of the secret are
    /// masked.
    Reference,
    /// The children are platform-specific content, in which the word `secret` has another meaning.
    Foreign,
}

/// Result of the search in one text.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Byte ranges of the credentials, unsorted.
    pub at: Vec<Range<usize>>,
    /// Parameters that are used as credentials.
    pub params: BTreeSet<String>,
}

/// Finds the credentials in a text. `referred`: the parameters that are used as credentials.
pub(super) fn judge(text: &str, manner: Manner, referred: &BTreeSet<String>) -> Found {
    let named = !referred.is_empty() || may_name(text);
    let mut found = if named { within(text, manner, 0, referred) } else { Found::default() };
    // Access tokens of well-known services, and passwords in URIs, are recognizable in any file format.
    found.at.extend(services(text));
    found.at.extend(inner::defaults(text));
    found.at.extend(passwords(text, |c| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '\\')));
    found
}

pub(super) fn within(text: &str, manner: Manner, depth: usize, referred: &BTreeSet<String>) -> Found {
    let tokens = tokens(text, manner);
    let script = manner == Manner::Inner && text.contains(char::is_whitespace);
    let found = Found::default();
    let mut judge = Judge {
        text,
        manner,
        script,
        lines: text.contains('\n'),
        depth,
        referred,
        of_params: false,
        manifest: false,
        quoted: OnceCell::new(),
        found,
    };
    judge.flags(&tokens);
    judge.assigned(&tokens);
    judge.pieces(&tokens);
    tokens.iter().for_each(|token| judge.alone(token));
    let items = items(text, tokens, manner == Manner::Of(Format::Kdl));
    judge.named_values(&items);
    judge.manifest = items.iter().any(|item| {
        let words: Vec<_> = item.words().map(|token| judge.slice(token)).collect();
        item.pair && words == ["kind", "Secret"]
    });
    let mut below: Vec<(Below, bool, bool)> = Vec::with_capacity(items.len());
    let references = if manner == Manner::Inner { judge.references(&items) } else { BTreeSet::new() };
    for (number, item) in items.iter().enumerate() {
        let (above, whole, params) = item.parent.map_or((Below::Open, false, false), |parent| below[parent]);
        let of_params = item.words().next().is_some_and(|token| holds_params(judge.slice(token)));
        let params = params || of_params;
        judge.of_params = params;
        // An indented line after a complete `secret` is a new item with a wrong indentation, not a part of the `secret`.
        let own = if references.contains(&number) {
            judge.refer(item)
        } else {
            judge.item(item, above, item.indented && whole)
        };
        below.push((own, judge.is_whole(item), params));
    }
    judge.found
}

struct Judge<'t> {
    text: &'t str,
    manner: Manner,
    /// Whether the text is a shell script.
    script: bool,
    /// Whether the text has several lines.
    lines: bool,
    depth: usize,
    /// Parameters that are used as credentials.
    referred: &'t BTreeSet<String>,
    /// Whether the item is in a block of parameters.
    of_params: bool,
    /// Whether the text is a Secret manifest of another system.
    manifest: bool,
    /// For each text between two quotes, the number of its occurrences.
    quoted: OnceCell<BTreeMap<&'t str, usize>>,
    found: Found,
}

impl Item {
    /// Returns the words and strings of the item.
    fn words(&self) -> impl Iterator<Item = &Token> {
        self.tokens.iter().filter(|token| is_word(token))
    }
}

fn is_word(token: &Token) -> bool {
    matches!(token.kind, Kind::Text | Kind::Word)
}

impl<'t> Judge<'t> {
    fn slice(&self, token: &Token) -> &'t str {
        &self.text[token.at.clone()]
    }

    /// Returns the kind of credential that a name suggests, if any.
    fn says(&self, name: &Token) -> Option<Says> {
        let words = self.slice(name).trim();
        let param = self.of_params && self.referred.contains(words);
        let escaped = || words.contains('\\').then(|| says(&unescaped(words))).flatten();
        self.of_name(name, words).or_else(escaped).or_else(|| param.then_some(Says::Password))
    }

    /// Returns the kind of credential that a name suggests. Only in a string of a spec, a name may have spaces.
    fn of_name(&self, name: &Token, words: &str) -> Option<Says> {
        let is_string = name.kind == Kind::Text && matches!(self.manner, Manner::Of(_));
        if is_string { says_spaced(words) } else { says(words) }
    }

    fn hide(&mut self, token: &Token) {
        const LITERALS: [&str; 7] = ["true", "false", "null", "#true", "#false", "#null", "|"];
        let words = self.slice(token).trim();
        let known = words.contains(|c: char| !matches!(c, '|' | '>' | '-' | '+'));
        if known && !LITERALS.contains(&words) && !KEYWORDS.contains(&words) {
            let end = if self.script { self.word_end(token.at.end) } else { token.at.end };
            // After a string in JSON, only brackets follow.
            let closes = self.text[token.at.end..end].bytes().all(|b| b"\"'\\]}".contains(&b));
            self.found.at.push(token.at.start..if closes { token.at.end } else { end });
        }
    }

    /// Returns the end of a shell word that continues after a quote or separator, as in `'a'\''b'` and `a,b`.
    fn word_end(&self, from: usize) -> usize {
        // Maximum number of bytes to search. It limits the time for a text without spaces.
        const LONGEST: usize = 4096;
        let text = &self.text.as_bytes()[..self.text.floor_char_boundary(from + LONGEST)];
        let (mut at, mut open) = (from, 0_usize);
        while let Some(b) = text.get(at).filter(|b| !b.is_ascii_whitespace() && !b";&|".contains(b)) {
            // A `)` without a `(` in the word ends a substitution such as `$(login --password PASSWORD)`.
            match b {
                b'(' => open += 1,
                b')' if open == 0 => break,
                b')' => open -= 1,
                _ => {}
            }
            let quote = matches!(b, b'\'' | b'"') && at > from;
            let close = || text[at + 1..].iter().take_while(|b| **b != b'\n').position(|other| other == b);
            at += 1 + quote.then(close).flatten().map_or(0, |close| close + 1);
        }
        at
    }

    /// Returns the context of a value. In a script, a single-quoted value is not expanded.
    fn stands(&self, token: &Token) -> Stands {
        let quoted = self.text[..token.at.start].ends_with('\'');
        if self.script && !quoted { Stands::Script } else { Stands::Named }
    }

    fn hide_if_likely(&mut self, says: Says, token: &Token) {
        let stands = self.stands(token);
        self.hide_if(says, token, stands);
    }

    fn hide_if(&mut self, says: Says, token: &Token, stands: Stands) {
        let words = self.slice(token).trim();
        self.found.params.extend(params(words));
        let command = self.script && self.text[..token.at.start].ends_with('`');
        if !command && !self.is_lookup(token) && is_credential(says, words, stands) {
            self.hide(token);
        }
    }

    /// Finds the values of flags such as `--token`, on one line or in a list.
    fn flags(&mut self, tokens: &[Token]) {
        for (i, flag) in tokens.iter().enumerate().filter(|(_, token)| is_word(token)) {
            if !self.slice(flag).starts_with('-') {
                continue;
            }
            let Some(says) = self.says(flag) else { continue };
            let listed = matches!(self.manner, Manner::Of(Format::Json | Format::Yaml));
            let line = tokens[i + 1..].iter().take_while(|token| !is_word(token)).any(|token| {
                !listed
                    && matches!(token.kind, Kind::Line | Kind::End | Kind::Open | Kind::Close | Kind::Comment)
            });
            let Some(value) = tokens[i + 1..].iter().find(|token| is_word(token)) else { continue };
            // On the next line, and after a comma in program code, only a string can be the value of the flag.
            let comma = self.manner == Manner::Inner && tokens[i + 1].kind == Kind::Comma;
            if (line || comma) && value.kind != Kind::Text {
                continue;
            }
            let stands = if self.stands(value) == Stands::Script { Stands::Script } else { Stands::Behind };
            self.hide_if(says, value, stands);
        }
    }

    /// Finds the values in pairs such as `name: DB_PASSWORD` and `value: x`, in either order.
    fn named_values(&mut self, items: &[Item]) {
        let mut fields: Vec<(&str, &Token, usize)> = Vec::new();
        for (number, item) in items.iter().enumerate() {
            if let [key, value, ..] = item.plain().as_slice() {
                fields.push((self.slice(key).trim(), value, number));
            }
            fields.extend(item.pairs().iter().map(|(key, value)| (self.slice(key), *value, number)));
        }
        self.keys_of_users(&fields);
        let is_name_key = |key: &str| matches!(key, "name" | "key" | "variable" | "var" | "env");
        let beside = |a: usize, b: usize| {
            a == b
                || items[a].parent == items[b].parent
                || items[a].parent == Some(b)
                || items[b].parent == Some(a)
        };
        for i in (0..fields.len()).filter(|i| is_value_key(fields[*i].0)) {
            let near = &fields[i.saturating_sub(2)..fields.len().min(i + 3)];
            let names = || near.iter().filter(|(key, ..)| is_name_key(key));
            let own = names().any(|(.., number)| beside(*number, fields[i].2));
            let said = names()
                .filter(|(.., number)| !own || beside(*number, fields[i].2))
                .find_map(|(_, name, _)| self.says(name));
            if let Some(says) = said {
                self.hide_if_likely(says, fields[i].1);
            }
        }
    }

    /// Checks one item. Returns how its children are interpreted. `above`: how the children of its parent are interpreted. `whole`:
    /// whether the item is indented below a complete `secret`.
    fn item(&mut self, item: &Item, above: Below, whole: bool) -> Below {
        if above == Below::Value && item.indented {
            item.words().for_each(|token| self.hide(token));
            return Below::Value;
        }
        let words = item.plain();
        let first = item.words().next().map_or("", |token| self.slice(token).trim());
        let credential = self.credential(item, &words);
        let of_secret = matches!(above, Below::Secret | Below::Value);
        // In a script, `secret` begins a block only in YAML or before a brace, and not in a comment.
        let prose =
            self.manner == Manner::Inner && (!self.lines || item.comment || !(item.pair || item.holds));
        let opens = holds_secrets(first) || self.manifest && first == "data" && item.pair;
        match above {
            Below::Foreign => Below::Foreign,
            Below::Reference => self.reference(item),
            _ if opens && !prose => self.secret(item, true),
            _ if of_secret && !whole => self.secret(item, false),
            _ if matches!(first, "patch" | "patches" | "volumes" | "volume") => Below::Foreign,
            Below::Credential(says) => {
                if is_value_key(first) {
                    words.iter().skip(1).for_each(|token| self.hide_if_likely(says, token));
                } else if let ([only], false, false) = (words.as_slice(), item.pair, item.holds) {
                    self.hide_if_likely(says, only);
                }
                Below::Open
            }
            // In a script, an indented line belongs to the line before it only after `NAME:`, as in YAML, or in braces.
            _ if self.manner == Manner::Inner && !item.pair && !item.holds => Below::Open,
            Below::Open | Below::Secret | Below::Value => match credential {
                Some(says) if says != Says::Login && self.is_block(item) => Below::Value,
                // In a script, if the value of `NAME:` is on the same line, the next lines contain no further values.
                Some(_) if self.manner == Manner::Inner && item.pair && words.len() > 1 => Below::Open,
                Some(says) => Below::Credential(says),
                None => Below::Open,
            },
        }
    }

    /// Returns whether the value is a YAML block scalar.
    fn is_block(&self, item: &Item) -> bool {
        let last = item.words().last().map(|token| self.slice(token));
        item.pair && last.is_some_and(|last| last.starts_with(['|', '>']) && last.len() <= 3)
    }

    fn is_whole(&self, item: &Item) -> bool {
        item.pairs().iter().any(|(key, _)| self.slice(key) == "from")
    }

    /// Returns whether a comment begins with the verb "pass" and its object, as in "Pass the path of the data: …". Such a
    /// comment contains no password.
    fn begins_with_verb(&self, item: &Item) -> bool {
        let [verb, object, ..] = item.tokens.as_slice() else { return false };
        let verb = self.slice(verb).trim();
        item.comment && object.kind == Kind::Word && matches!(verb, "Pass" | "pass")
    }

    /// Returns whether the words after a name and a `:` are a sentence of a message, as in `echo 'password: see the vault'`.
    fn is_prose(&self, words: &[&Token]) -> bool {
        let plain = |token: &&Token| self.slice(token).bytes().all(|b| b.is_ascii_lowercase());
        self.manner == Manner::Inner && !self.lines && words.len() > 1 && words.iter().all(plain)
    }

    /// Masks the value if the name of the item suggests a credential. Returns the kind of credential.
    fn credential(&mut self, item: &Item, words: &[&Token]) -> Option<Says> {
        let text = |token: &Token| self.slice(token).trim();
        let head = words.first().map_or("", |token| text(token));
        let pairs = item.pairs();
        let mut hidden: Vec<(Says, &Token)> = Vec::new();
        let given = pairs.iter().filter(|(key, value)| !self.is_empty_variable(key, value));
        let said_of = |key: &Token, value| self.says(key).or_else(|| self.says_argument(key, value));
        hidden.extend(given.filter_map(|(key, value)| Some((said_of(key, value)?, *value))));
        hidden.extend(self.nested_pairs(item));
        // In prose, a name and a value belong together only if a sign such as `=` or `:` joins them.
        let joined = item.pair || self.manner != Manner::Inner;
        let mut said = words.first().and_then(|head| self.says(head)).filter(|_| !holds_secrets(head));
        said = said.filter(|_| !self.begins_with_verb(item));
        // In `password rotation: monthly`, the sign does not join the name and the values.
        let follows = item.tokens.get(1).is_some_and(|sign| matches!(sign.kind, Kind::Colon | Kind::Equals));
        let direct = joined
            && (follows || self.manner != Manner::Inner)
            && !self.is_prose(words.get(1..).unwrap_or_default());
        if let Some(says) = said.filter(|_| direct) {
            hidden.extend(words[1..].iter().map(|value| (says, *value)));
        }
        if lists_variables(head) && joined {
            let rest = words.get(1..).unwrap_or_default();
            let rows = rest.iter().zip(rest.iter().skip(1));
            hidden.extend(rows.filter_map(|(name, value)| Some((self.says(name)?, *value))));
            said = said.or_else(|| self.says(rest.first()?));
        }
        if let Some(says) = said {
            let values = pairs.iter().filter(|(key, _)| is_value_key(text(key)));
            hidden.extend(values.map(|(_, value)| (says, *value)));
        }
        // In a comment of a script, a lower-case word is a placeholder for a value: `# PASSWORD=changeme`.
        let plain = |token: &Token| {
            self.manner == Manner::Inner && text(token).bytes().all(|b| b.is_ascii_lowercase())
        };
        let joined = item.pair || !pairs.is_empty();
        hidden.retain(|(_, token)| !item.comment || token.kind == Kind::Text || joined && !plain(token));
        hidden.into_iter().for_each(|(says, token)| self.hide_if_likely(says, token));
        said
    }
}

impl Item {
    /// Returns the `name=value` pairs that have no `:` before them.
    fn pairs(&self) -> Vec<(&Token, &Token)> {
        self.split().1
    }

    /// Returns the words outside of `name=value` pairs.
    fn plain(&self) -> Vec<&Token> {
        self.split().0
    }

    fn split(&self) -> (Vec<&Token>, Vec<(&Token, &Token)>) {
        let (mut plain, mut pairs) = (Vec::new(), Vec::new());
        let (mut i, mut colon) = (0, false);
        while let Some(token) = self.tokens.get(i) {
            colon |= token.kind == Kind::Colon;
            match self.tokens.get(i..i + 3) {
                Some([key, sign, value])
                    if !colon && is_word(key) && sign.kind == Kind::Equals && is_word(value) =>
                {
                    pairs.push((key, value));
                    i += 3;
                    continue;
                }
                _ if is_word(token) => plain.push(token),
                _ => {}
            }
            i += 1;
        }
        (plain, pairs)
    }
}
