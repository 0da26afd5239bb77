//! Finds the credentials in a `secret`: all values except its name and reference.
use super::super::items::Item;
use super::super::lex::{Kind, Manner, Token};
use super::super::names::{
    holds_secrets, is_key, is_name, is_no_secret_name, is_random, is_value_key, is_variable,
    names_credential, refers, refers_by_fields,
};
use super::{Below, Judge};
use crate::diagnostic::nearest;
use crate::sources::Format;
use std::collections::{BTreeMap, BTreeSet};

/// Returns whether a pair with a wrong key is probably a reference: the key is a misspelled `from` or `key`, or `env` with a
/// variable. In each case, the value must have the form of a name.
fn nearly_refers(key: &str, value: &str) -> bool {
    let near = nearest(key, ["from", "key"]).is_some() && key.len() > 2;
    let variable = key == "env" && value.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    (near || variable) && is_name(value) && !is_random(value)
}

impl Judge<'_> {
    /// Masks the value of a reference if the value looks generated and not like a name.
    fn hide_key(&mut self, name: &str, value: &Token) {
        let text = self.slice(value);
        let unnamed = name == "from" && is_no_secret_name(text);
        if name != "at" && (is_key(text) || is_digest(text) || unnamed) {
            self.hide(value);
        }
    }

    /// Returns the indices of the items of a platform manifest that reference secrets. Such an item is `source: PATH` in an entry
    /// of `secrets`, or `secret: NAME`. In `secret: NAME`, NAME must be an entry of `secrets`, unless the item is in `pullConfig`.
    pub(super) fn references(&self, items: &[Item]) -> BTreeSet<usize> {
        let first = |item: &Item| item.words().next().map_or("", |token| self.slice(token).trim());
        let above = |item: &Item| item.parent.map(|parent| &items[parent]);
        let fields = |name: &'static str| {
            items
                .iter()
                .enumerate()
                .filter(move |(_, item)| item.pair && item.words().count() == 2 && first(item) == name)
        };
        let (mut names, mut found) = (BTreeSet::new(), BTreeSet::new());
        for (number, item) in fields("source") {
            let Some(entry) = above(item) else { continue };
            if above(entry).is_some_and(|list| first(list) == "secrets") {
                names.insert(first(entry));
                found.insert(number);
            }
        }
        let named = |item: &Item| {
            above(item).is_some_and(|above| first(above) == "pullConfig")
                || item.words().nth(1).is_some_and(|token| names.contains(self.slice(token).trim()))
        };
        found.extend(fields("secret").filter(|(_, item)| named(item)).map(|(number, _)| number));
        found
    }

    /// Checks an item with the name or path of a secret. Masks a value that looks generated.
    pub(super) fn refer(&mut self, item: &Item) -> Below {
        item.words().skip(1).for_each(|value| self.hide_key("name", value));
        Below::Open
    }

    /// Checks one field of a platform's reference to a secret. Masks the values of all fields other than `name`, `key`, and
    /// `optional`.
    pub(super) fn reference(&mut self, item: &Item) -> Below {
        let mut words = item.words();
        let name = words.next().map_or("", |token| self.slice(token).trim().trim_start_matches("- "));
        let (nested, known) = (refers_by_fields(name), matches!(name, "name" | "key" | "optional"));
        for value in words {
            if known { self.hide_key(name, value) } else { self.hide(value) }
        }
        if !nested && !known {
            item.words().take(1).for_each(|token| self.hide(token));
        }
        Below::Reference
    }

    /// Returns whether `called`, the first word of a `secret` entry, is a name and not the value of the secret. `direct`: whether
    /// the item is the `secret` entry, and not a child of it. `more`: whether words or pairs follow the first word.
    fn is_legible_name(&self, item: &Item, direct: bool, called: &str, more: bool) -> bool {
        let evident = is_variable(called) || names_credential(called);
        let keyed = matches!(self.manner, Manner::Of(Format::Json | Format::Yaml));
        // A single word in a JSON or YAML list is a value, unless it looks like an environment variable.
        let listed = !direct && !item.pair && !more && !item.holds && keyed;
        is_name(called)
            && (!listed || is_variable(called))
            && (evident
                || self.is_whole(item)
                || item.holds
                || !direct && item.pair
                || more && !is_random(called))
    }

    /// Returns whether a word in `secrets` is the name of an environment variable. A word of capitals and digits without `_` may be
    /// a password, so it counts only if the text contains it a second time, such as in `secret "S3KEY"`.
    fn is_listed(&self, token: &Token) -> bool {
        let name = self.slice(token).trim();
        let words = name.contains('_') || !name.contains(|c: char| c.is_ascii_digit());
        let quoted = || {
            self.quoted.get_or_init(|| {
                let mut quoted = BTreeMap::new();
                self.text.split('"').for_each(|part| *quoted.entry(part).or_insert(0) += 1);
                quoted
            })
        };
        is_variable(name) && !is_key(name) && (words || quoted().get(name).is_some_and(|count| *count > 1))
    }

    /// Masks the words after the name of a secret. `lists_names`: whether the words may be names of environment variables, as in
    /// `secrets`. Such names are not masked.
    fn hide_values<'t>(&mut self, words: impl Iterator<Item = &'t Token>, lists_names: bool) {
        for token in words {
            if !(lists_names && self.is_listed(token)) {
                self.hide(token);
            }
        }
    }

    /// Masks the values of the pairs of a `secret` entry or of its child, except references. `direct`: whether the pairs are in the
    /// entry, and not in a child of it. `named`: whether the entry has a name.
    fn hide_pairs(&mut self, pairs: &[(&Token, &Token)], direct: bool, named: bool) {
        for (key, value) in pairs {
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
            if is_random(name) && named {
                self.hide(key);
            }
            self.hide(value);
        }
    }

    /// Handles a `secret` entry (`direct`) or a child of such an entry. Masks all values except the name and the reference.
    pub(super) fn secret(&mut self, item: &Item, direct: bool) -> Below {
        let pairs = item.pairs();
        let mut words = item.plain();
        // In `secret = "T"`, the key of the first pair is `secret` itself.
        let joined =
            pairs.first().is_some_and(|(key, _)| item.words().next().is_some_and(|word| word.at == key.at));
        if direct && joined {
            words.extend(pairs.first().map(|(_, value)| *value));
        } else if direct && !words.is_empty() {
            words.remove(0);
        }
        let keep = |token: &&Token| !item.comment || token.kind == Kind::Text;
        self.hide_pairs(&pairs, direct, !words.is_empty());
        let Some(name) = words.first().copied() else { return Below::Secret };
        let called = self.slice(name).trim();
        let named = called == "name" && words.get(1).is_some_and(|value| is_variable(self.slice(value)));
        if !direct && named {
            return Below::Secret;
        }
        if !direct && refers_by_fields(called) {
            words[1..].iter().for_each(|value| self.hide(value));
            return Below::Reference;
        }
        if !direct && refers(called) {
            words[1..].iter().for_each(|value| self.hide_key(called, value));
            return Below::Open;
        }
        if let (false, [_, value]) = (direct, words.as_slice())
            && called == "env"
            && nearly_refers(called, self.slice(value).trim())
        {
            self.hide_key(called, value);
            return Below::Open;
        }
        if !self.is_legible_name(item, direct, called, words.len() > 1 || !pairs.is_empty())
            && (!is_value_key(called) || direct)
            && keep(&name)
        {
            self.hide(name);
        }
        let first = item.words().next().map_or("", |word| self.slice(word).trim());
        self.hide_values(
            words[1..].iter().filter(|token| keep(token)).copied(),
            direct && first == "secrets",
        );
        let given = !direct && item.pair && words.len() > 1;
        if given || self.is_block(item) { Below::Value } else { Below::Secret }
    }
}

/// Returns whether the text is a long hexadecimal string, such as an API key of Weights & Biases.
fn is_digest(text: &str) -> bool {
    let digits = text.bytes().any(|b| b.is_ascii_digit());
    text.len() >= 32 && digits && text.bytes().all(|b| b.is_ascii_hexdigit())
}
