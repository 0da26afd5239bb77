//! Finds credentials in the content of strings, and in the expansions and assignments of scripts.
use super::super::items::Item;
use super::super::known::{occurrences, sources};
use super::super::lex::{Kind, Manner, Token, expansion};
use super::super::names::{ARGUMENT, Says, is_variable, says};
use super::super::scrub::unescaped_with_places;
use super::super::values::{Stands, is_credential, is_reference, params};
use super::{DEEPEST, Judge, is_word, passwords, services, within};
use std::ops::Range;

impl Judge<'_> {
    /// Checks one word or string, and the content of a string. Its neighbors do not affect the result.
    pub(super) fn alone(&mut self, token: &Token) {
        if !is_word(token) {
            return;
        }
        let words = self.slice(token);
        let start = token.at.start;
        let shift = |at: Range<usize>| start + at.start..start + at.end;
        self.found.at.extend(passwords(words, char::is_whitespace).into_iter().map(shift));
        self.found.params.extend(words.split_once("://").into_iter().flat_map(|(_, rest)| {
            let user = rest.rsplit_once('@').map_or("", |(user, _)| user);
            params(user.split_once(':').map_or("", |(_, password)| password))
        }));
        self.found.params.extend(sources(words).flat_map(|at| params(&words[at])));
        if let Some((name, value)) = words.split_once('=').map(nested)
            && (words.starts_with('-') || !words.contains(char::is_whitespace))
            && let Some(says) = says(name)
        {
            self.found.params.extend(params(value));
            // The value is not searched further, because the braces of a reference would be parsed as a block.
            if is_reference(value, self.stands(token)) {
                return;
            }
            if is_credential(says, value.trim_matches(['"', '\'']), self.stands(token)) {
                self.found.at.push(token.at.end - value.len()..token.at.end);
            }
        }
        self.header(token);
        if self.depth >= DEEPEST {
            return;
        }
        if self.is_escaped(token) {
            self.read_escapes(token);
        } else if words.contains("$(") && token.kind == Kind::Word {
            self.substitutions(token);
        } else if words.contains(['=', ':', '-']) && words.contains([' ', '=', ':', '\n']) {
            let inner = within(words, Manner::Inner, self.depth + 1, self.referred);
            self.found.at.extend(inner.at.into_iter().map(shift));
            self.found.params.extend(inner.params);
        }
    }

    /// Returns whether the token is a string with escapes of KDL, JSON, or YAML.
    fn is_escaped(&self, token: &Token) -> bool {
        let before = &self.text[..token.at.start];
        let raw = || before.trim_end_matches('"').ends_with('#');
        token.kind == Kind::Text
            && matches!(self.manner, Manner::Of(_))
            && before.ends_with('"')
            && self.slice(token).contains('\\')
            && !raw()
    }

    /// Checks a string after its escapes are replaced, so that escapes do not hide a credential.
    fn read_escapes(&mut self, token: &Token) {
        let (read, places) = unescaped_with_places(self.slice(token));
        let inner = within(&read, Manner::Inner, self.depth + 1, self.referred);
        let known =
            services(&read).into_iter().chain(passwords(&read, char::is_whitespace)).chain(defaults(&read));
        let start = token.at.start;
        let all = inner.at.into_iter().chain(known);
        self.found.at.extend(all.map(|at| start + places[at.start]..start + places[at.end]));
        self.found.params.extend(inner.params);
    }

    /// Checks the commands in `$(…)`.
    fn substitutions(&mut self, token: &Token) {
        let words = self.slice(token);
        let mut next = 0;
        for (at, mark) in words.match_indices("$(") {
            let Some(length) = expansion(&words[at..]).filter(|_| at >= next) else { continue };
            next = at + length;
            let (from, to) = (at + mark.len(), next - 1);
            let inner = within(&words[from..to], Manner::Inner, self.depth + 1, self.referred);
            let start = token.at.start + from;
            self.found.at.extend(inner.at.into_iter().map(|at| start + at.start..start + at.end));
        }
    }

    /// Finds the values of `x["NAME"] = "VALUE"` and `setdefault("NAME", "VALUE")` in program code.
    pub(super) fn assigned(&mut self, tokens: &[Token]) {
        const SETTERS: [&str; 5] = ["setdefault", "putenv", "setenv", "getenv", "environ.get"];
        for (i, name) in tokens.iter().enumerate().filter(|(_, token)| is_word(token)) {
            let sets = || i > 0 && SETTERS.iter().any(|setter| self.slice(&tokens[i - 1]).ends_with(setter));
            let value = match &tokens[i + 1..] {
                // An unquoted value is an expression of the program, so it counts only in `[NAME]=VALUE` of a shell.
                [close, sign, value, ..]
                    if close.kind == Kind::Close
                        && sign.kind == Kind::Equals
                        && (value.kind == Kind::Text
                            || close.at.end == sign.at.start && sign.at.end == value.at.start) =>
                {
                    value
                }
                [comma, value, ..] if comma.kind == Kind::Comma && value.kind == Kind::Text && sets() => {
                    value
                }
                _ => continue,
            };
            if let Some(says) = self.says(name).filter(|_| is_word(value)) {
                self.hide_if_likely(says, value);
            }
        }
    }

    /// Returns the VALUE of each `--env=NAME=VALUE` if the NAME suggests a credential, with the kind of this credential.
    pub(super) fn nested_pairs<'i>(&self, item: &'i Item) -> Vec<(Says, &'i Token)> {
        let signs = |a: &Token, b: &Token| a.kind == Kind::Equals && b.kind == Kind::Equals;
        let one = |tokens: &'i [Token]| match tokens {
            [flag, a, name, b, value]
                if signs(a, b) && is_word(value) && self.slice(flag).starts_with('-') =>
            {
                Some((self.says(name)?, value))
            }
            _ => None,
        };
        item.tokens.windows(5).filter_map(one).collect()
    }

    /// Finds the value after a name and a `:` without a space, as in the HTTP header `-H "apikey:VALUE"`.
    fn header(&mut self, token: &Token) {
        const SHORTEST: usize = 8;
        let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let words = self.slice(token);
        let Some((key, value)) = words.split_once(':') else { return };
        // In `image "token:1.0-20240101"`, the text after `:` is a tag, not a credential.
        let before = self.text[..token.at.start].trim_end_matches(['"', ' ', ':', '=', '#']);
        if self.manner != Manner::Inner && before.ends_with("image") {
            return;
        }
        let digits = value.len() >= SHORTEST && value.contains(|c: char| c.is_ascii_digit());
        if token.kind == Kind::Text
            && digits
            && key.chars().all(name)
            && !value.contains(char::is_whitespace)
            && let Some(says) = says(key)
            && is_credential(says, value, self.stands(token))
        {
            self.found.at.push(token.at.end - value.len()..token.at.end);
        }
    }

    /// Finds the value of the field `key` next to the field `username`, as in `kaggle.json`.
    pub(super) fn keys_of_users(&mut self, fields: &[(&str, &Token, usize)]) {
        const SHORTEST: usize = 12;
        for pair in fields.windows(2) {
            let [a, b] = pair else { continue };
            let key = [(a, b), (b, a)].into_iter().find(|(key, user)| (key.0, user.0) == ("key", "username"));
            if let Some((key, _)) = key.filter(|(key, _)| key.1.at.len() >= SHORTEST) {
                self.hide_if_likely(Says::Key, key.1);
            }
        }
    }

    /// Returns what `secret` suggests in `secret=VALUE` of an argument or a URL.
    pub(super) fn says_argument(&self, name: &Token, value: &Token) -> Option<Says> {
        let between = self.text.get(name.at.end..value.at.start).unwrap_or_default();
        let is_argument = self.manner == Manner::Inner && between.trim_end_matches(['"', '\'', '\\']) == "=";
        (is_argument && self.slice(name) == ARGUMENT).then_some(Says::Secret)
    }

    /// Returns whether a script sets the variable to an empty value for one command, as in `PASSWORD= python`.
    pub(super) fn is_empty_variable(&self, name: &Token, value: &Token) -> bool {
        // In a broken text, the value may be part of the name.
        let sign = self.text.get(name.at.end..value.at.start).unwrap_or_default();
        let spaced = sign.starts_with('=') && sign.ends_with([' ', '\t']);
        self.script && value.kind == Kind::Word && spaced && is_variable(self.slice(name))
    }
}

/// Returns the inner name and value of `--env=NAME=VALUE`. Returns any other pair unchanged.
fn nested<'t>((name, value): (&'t str, &'t str)) -> (&'t str, &'t str) {
    let inner = value.split_once('=').filter(|_| name.starts_with('-') && says(name).is_none());
    inner.unwrap_or((name, value))
}

/// Finds the default values of variables whose name suggests a credential, as in `${DB_PASSWORD:-VALUE}`.
pub(super) fn defaults(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (at, mark) in occurrences(text, "${") {
        let rest = &text[at + mark.len()..];
        let name = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let sign = ["-", "=", ":-", ":="]
            .into_iter()
            .filter(|sign| rest[name..].starts_with(sign))
            .max_by_key(|s| s.len());
        let (Some(sign), Some(said)) = (sign, says(&rest[..name])) else { continue };
        let Some(length) = expansion(&text[at..]) else { continue };
        let from = at + mark.len() + name + sign.len();
        let quotes = ['"', '\'', '\\'];
        let value = &text[from..at + length - 1];
        let from = from + (value.len() - value.trim_start_matches(quotes).len());
        let value = value.trim_matches(quotes);
        if is_credential(said, value, Stands::Script) {
            found.push(from..from + value.len());
        }
    }
    found
}
