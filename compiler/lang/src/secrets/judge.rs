//! Which words are credentials: those of a `secret`, and those under a name that says so.
use super::items::{Item, items};
use super::lex::{Kind, Manner, Token, tokens};
use super::names::{
    could_be_secret, holds_secrets, is_key, is_known, is_name, is_random, is_variable, names_credential,
    passwords,
};
use crate::diagnostic::nearest;
use std::ops::Range;

/// A text in a text in a text is read; more is not written by people.
const DEEPEST: usize = 2;

/// What an item says of those below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Below {
    /// Nothing.
    Open,
    /// They are names and values of a `secret`.
    Secret,
    /// They are the value of a name that says credential.
    Credential,
    /// All their words are a value.
    Value,
    /// They are a platform's own words, where `secret` has another meaning.
    Foreign,
}

/// Where credentials stand in the text, in any order.
pub(super) fn judge(text: &str, manner: Manner, depth: usize) -> Vec<Range<usize>> {
    let tokens = tokens(text, manner);
    let mut judge = Judge { text, manner, depth, manifest: false, found: Vec::new() };
    judge.flags(&tokens);
    tokens.iter().for_each(|token| judge.alone(token));
    let items = items(text, tokens);
    judge.named_values(&items);
    judge.manifest = items.iter().any(|item| {
        let words: Vec<_> = item.words().map(|token| judge.slice(token)).collect();
        item.pair && words == ["kind", "Secret"]
    });
    let mut below: Vec<(Below, bool)> = Vec::with_capacity(items.len());
    for item in &items {
        let (above, whole) = item.parent.map_or((Below::Open, false), |parent| below[parent]);
        // A line below a whole `secret` is only badly indented.
        let own = judge.item(item, above, item.indented && whole);
        below.push((own, judge.is_whole(item)));
    }
    judge.found
}

struct Judge<'t> {
    text: &'t str,
    manner: Manner,
    depth: usize,
    /// Whether a manifest of another system's secret was pasted.
    manifest: bool,
    found: Vec<Range<usize>>,
}

impl Item {
    /// All but the signs.
    fn words(&self) -> impl Iterator<Item = &Token> {
        self.tokens.iter().filter(|token| is_word(token))
    }
}

fn is_word(token: &Token) -> bool {
    matches!(token.kind, Kind::Text | Kind::Word)
}

/// Whether the words under this name of a `secret` say where the value is.
fn refers(key: &str) -> bool {
    const REFERS: [&str; 7] = ["from", "key", "at", "secret-name", "secretName", "optional", "defaultMode"];
    REFERS.contains(&key)
}

/// Whether it is `from` or `key` with a slip, and has a name for its value.
fn nearly_refers(key: &str, value: &str) -> bool {
    let near = nearest(key, ["from", "key"]).is_some() && key.len() > 2;
    near && is_name(value) && !is_random(value)
}

fn is_value_key(key: &str) -> bool {
    matches!(key, "value" | "default" | "val" | "stringValue" | "string-value")
}

/// Whether names and values follow it in a row.
fn lists_variables(word: &str) -> bool {
    const WORDS: [&str; 11] = [
        "env",
        "envs",
        "environment",
        "param",
        "params",
        "var",
        "vars",
        "variable",
        "variables",
        "set",
        "export",
    ];
    WORDS.contains(&word.trim_start_matches('-').to_lowercase().as_str())
}

/// `{param.lr}` and `$NAME` are no values.
fn is_reference(value: &str) -> bool {
    let inside = value.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    inside.is_some_and(is_name) || value.starts_with('$') || value.contains("$(") || value.contains("${")
}

impl<'t> Judge<'t> {
    fn slice(&self, token: &Token) -> &'t str {
        &self.text[token.at.clone()]
    }

    fn hide(&mut self, token: &Token) {
        const KEYWORDS: [&str; 7] = ["true", "false", "null", "#true", "#false", "#null", "|"];
        let words = self.slice(token).trim();
        let says = words.contains(|c: char| !matches!(c, '|' | '>' | '-' | '+'));
        if says && !KEYWORDS.contains(&words) && !is_reference(words) {
            self.found.push(token.at.clone());
        }
    }

    /// What is due there is a name: a value that was made by a machine stands in the wrong place.
    fn hide_key(&mut self, name: &str, value: &Token) {
        if name != "at" && is_key(self.slice(value)) {
            self.hide(value);
        }
    }

    fn hide_if_likely(&mut self, token: &Token) {
        let words = self.slice(token).trim();
        if could_be_secret(words) && !is_reference(words) && !words.contains('`') {
            self.hide(token);
        }
    }

    /// `--token` and its value, in a row or in a list.
    fn flags(&mut self, tokens: &[Token]) {
        let mut words = tokens.iter().filter(|token| is_word(token)).peekable();
        while let Some(flag) = words.next() {
            let name = self.slice(flag);
            if name.starts_with('-')
                && names_credential(name)
                && let Some(value) = words.peek()
            {
                self.hide_if_likely(value);
            }
        }
    }

    /// What a word is of itself, and what stands within its quotes.
    fn alone(&mut self, token: &Token) {
        if !is_word(token) {
            return;
        }
        let words = self.slice(token);
        if is_known(words) {
            self.found.push(token.at.clone());
        }
        let start = token.at.start;
        self.found.extend(passwords(words).into_iter().map(|at| start + at.start..start + at.end));
        if self.depth < DEEPEST && words.contains(['=', ':', '-']) && words.contains([' ', '=', ':', '\n']) {
            let inner = judge(words, Manner::Inner, self.depth + 1);
            self.found.extend(inner.into_iter().map(|at| start + at.start..start + at.end));
        }
    }

    /// `name: DB_PASSWORD` and `value: x` beside it, in either order.
    fn named_values(&mut self, items: &[Item]) {
        let mut fields: Vec<(&str, &Token)> = Vec::new();
        for item in items {
            let pairs = item.pairs();
            if let [key, value, ..] = item.plain().as_slice() {
                fields.push((self.slice(key).trim(), value));
            }
            fields.extend(pairs.iter().map(|(key, value)| (self.slice(key), *value)));
        }
        let is_name_key = |key: &str| matches!(key, "name" | "key" | "variable" | "var" | "env");
        for i in (0..fields.len()).filter(|i| is_value_key(fields[*i].0)) {
            let near = fields[i.saturating_sub(2)..fields.len().min(i + 3)].iter();
            if near.filter(|(key, _)| is_name_key(key)).any(|(_, name)| names_credential(self.slice(name))) {
                self.hide_if_likely(fields[i].1);
            }
        }
    }

    /// Judges one item; gives what it says of those below it.
    fn item(&mut self, item: &Item, above: Below, whole: bool) -> Below {
        if above == Below::Value && item.indented {
            item.words().for_each(|token| self.hide(token));
            return Below::Value;
        }
        let words = item.plain();
        let first = item.words().next().map_or("", |token| self.slice(token).trim());
        let credential = self.credential(item, &words);
        let of_secret = matches!(above, Below::Secret | Below::Value);
        let prose = self.manner == Manner::Inner && !self.text.contains('\n');
        let opens = holds_secrets(first) || self.manifest && first == "data" && item.pair;
        match above {
            Below::Foreign => Below::Foreign,
            _ if opens && !prose => self.secret(item, true),
            _ if of_secret && !whole => self.secret(item, false),
            _ if matches!(first, "patch" | "patches" | "volumes" | "volume") => Below::Foreign,
            Below::Credential => {
                if is_value_key(first) {
                    words.iter().skip(1).for_each(|token| self.hide_if_likely(token));
                } else if let ([only], false, false) = (words.as_slice(), item.pair, item.holds) {
                    self.hide_if_likely(only);
                }
                Below::Open
            }
            Below::Open | Below::Secret | Below::Value => match credential {
                true if self.is_block(item) => Below::Value,
                true => Below::Credential,
                false => Below::Open,
            },
        }
    }

    /// Whether the value stands on the lines below, in the way of YAML.
    fn is_block(&self, item: &Item) -> bool {
        let last = item.words().last().map(|token| self.slice(token));
        item.pair && last.is_some_and(|last| last.starts_with(['|', '>']) && last.len() <= 3)
    }

    fn is_whole(&self, item: &Item) -> bool {
        item.pairs().iter().any(|(key, _)| self.slice(key) == "from")
    }

    /// Hides what stands under a name that says credential; whether one does.
    fn credential(&mut self, item: &Item, words: &[&Token]) -> bool {
        let text = |token: &Token| self.slice(token).trim();
        let head = words.first().map_or("", |token| text(token));
        let pairs = item.pairs();
        let named = |token: &&&Token| names_credential(text(token));
        let mut hidden: Vec<&Token> = Vec::new();
        hidden.extend(pairs.iter().filter(|(key, _)| named(&key)).map(|(_, value)| *value));
        // In a text of words only a sign joins a name to its value.
        let joined = item.pair || self.manner != Manner::Inner;
        let mut says = names_credential(head) && !holds_secrets(head);
        if says && joined {
            hidden.extend(&words[1..]);
        }
        if lists_variables(head) && joined {
            let rest = words.iter().skip(1);
            hidden.extend(
                rest.clone().zip(rest.clone().skip(1)).filter(|(name, _)| named(name)).map(|(_, v)| *v),
            );
            says |= rest.clone().next().as_ref().is_some_and(named);
        }
        if says {
            hidden.extend(pairs.iter().filter(|(key, _)| is_value_key(text(key))).map(|(_, value)| *value));
        }
        hidden.retain(|token| !item.comment || token.kind == Kind::Text || item.pair || !pairs.is_empty());
        hidden.into_iter().for_each(|token| self.hide_if_likely(token));
        says
    }

    /// A `secret` node (`direct`) or what stands below one: all but names and where the value is kept.
    fn secret(&mut self, item: &Item, direct: bool) -> Below {
        let pairs = item.pairs();
        let mut words = item.plain();
        // `secret = "T"`: the first key is the word itself.
        let joined =
            pairs.first().is_some_and(|(key, _)| item.words().next().is_some_and(|word| word.at == key.at));
        if direct && joined {
            words.extend(pairs.first().map(|(_, value)| *value));
        } else if direct && !words.is_empty() {
            words.remove(0);
        }
        let keep = |token: &&Token| !item.comment || token.kind == Kind::Text;
        let from = self.is_whole(item);
        for (key, value) in &pairs {
            let name = self.slice(key);
            let text = self.slice(value);
            if direct && holds_secrets(name)
                || refers(name)
                || nearly_refers(name, text)
                || name == "name" && is_variable(text)
            {
                self.hide_key(name, value);
                continue;
            }
            if is_random(name) && !words.is_empty() {
                self.hide(key);
            }
            self.hide(value);
        }
        let Some(name) = words.first().copied() else { return Below::Secret };
        let called = self.slice(name).trim();
        let named = called == "name" && words.get(1).is_some_and(|value| is_variable(self.slice(value)));
        if !direct && named {
            return Below::Secret;
        }
        if !direct && refers(called) {
            words[1..].iter().for_each(|value| self.hide_key(called, value));
            return Below::Open;
        }
        let more = words.len() > 1 || !pairs.is_empty();
        let evident = is_variable(called) || names_credential(called);
        let legible = is_name(called)
            && (evident || from || item.holds || !direct && item.pair || more && !is_random(called));
        if !legible && (!is_value_key(called) || direct) && keep(&name) {
            self.hide(name);
        }
        words[1..].iter().filter(|token| keep(token)).for_each(|token| self.hide(token));
        let given = !direct && item.pair && words.len() > 1;
        if given || self.is_block(item) { Below::Value } else { Below::Secret }
    }
}

impl Item {
    /// `name=value`, where no `:` stands before it.
    fn pairs(&self) -> Vec<(&Token, &Token)> {
        self.split().1
    }

    /// The words that are no part of `name=value`.
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
