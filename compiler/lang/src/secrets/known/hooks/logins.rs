//! Finds the credentials in the arguments and the standard input of programs that [`table`] lists, and in the lines of a `.netrc`
//! file.
mod piped;
mod table;
mod words;

use super::super::super::names::{Says, says};
use super::super::super::values::{Stands, is_credential};
use super::super::occurrences;
use super::{is_literal, is_program};
use piped::{inline, piped};
use std::ops::Range;
use table::{Place, Row, rows};
use words::{split, unquoted};

/// Finds the credentials in the commands of a text.
pub(in super::super) fn all(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let part = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    let mut at = 0;
    while at < bytes.len() {
        let length = bytes[at..].iter().take_while(|b| part(**b)).count();
        if length > 0 {
            let after = at + length;
            let start = at == 0 || !matches!(bytes[at - 1], b'.' | b':');
            let program = &text[at..after];
            if start && !rows(program).is_empty() && is_program(&text[..at]) {
                found.extend(in_command(text, program, after));
            }
        }
        at += length.max(1);
    }
    found.extend(piped(text));
    found.extend(netrc(text));
    found
}

/// Returns the credentials in the command of a program whose arguments begin at `from`.
fn in_command(text: &str, program: &str, from: usize) -> Vec<Range<usize>> {
    // If `program` is only the start of a longer word, the word is another program.
    if !text[from..].starts_with(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '\\')) {
        return Vec::new();
    }
    let words: Vec<_> = split(&text[from..]).0.into_iter().map(|at| from + at.start..from + at.end).collect();
    let of_row = |(_, subcommand, place): &Row| {
        let own = after_subcommand(text, &words, subcommand)?;
        Some(match place {
            Place::Flag(flag) => after_flags(text, own, flag, true, true),
            Place::Attached(flag) => after_flags(text, own, flag, true, false),
            Place::Next(flag) => after_flags(text, own, flag, false, true),
            Place::Pair(flag, sign) => {
                let values = after_flags(text, own, flag, true, true).into_iter();
                values.filter_map(|at| second(text, at, *sign)).collect()
            }
            Place::Prefixed(prefix) => {
                let prefixed = own.iter().filter(|at| text[(*at).clone()].starts_with(prefix));
                prefixed.map(|at| at.start + prefix.len()..at.end).collect()
            }
            Place::Argument(index) => Vec::from_iter(arguments(text, own).nth(*index)),
            Place::Last => Vec::from_iter(arguments(text, own).filter(|at| is_key(&text[at.clone()])).last()),
            Place::Named => named(text, own),
            Place::Replacement => own.iter().filter_map(|at| replacement(text, at)).collect(),
            Place::Input => inline(text, own),
            Place::NamedInput => {
                let name = arguments(text, own).take_while(|at| !text[at.clone()].starts_with('<')).last();
                if name.is_some_and(|at| says(&text[at]).is_some()) { inline(text, own) } else { Vec::new() }
            }
        })
    };
    let found = rows(program).iter().copied().filter_map(of_row).flatten().map(|at| unquoted(text, at));
    // `-p-` means no password.
    let literal = |word: &str| word != "-" && is_literal(word.trim_start_matches(['\\', '"', '\'']));
    found.filter(|at| literal(&text[at.clone()])).collect()
}

/// Returns the arguments after a subcommand. `None` if the command has another subcommand: only flags and their values may precede
/// the words of the subcommand.
fn after_subcommand<'w>(
    text: &str,
    words: &'w [Range<usize>],
    subcommand: &str,
) -> Option<&'w [Range<usize>]> {
    let mut rest = words;
    for wanted in subcommand.split(' ').filter(|word| !word.is_empty()) {
        let word = |at: &Range<usize>| &text[at.clone()];
        let found = rest.iter().position(|at| word(at) == wanted)?;
        let flag = |at: usize| word(&rest[at]).starts_with('-');
        if !(0..found).all(|at| flag(at) || at > 0 && flag(at - 1)) {
            return None;
        }
        rest = &rest[found + 1..];
    }
    Some(rest)
}

/// Returns the values of all flags with this name: in the same argument (`attached`), or in the next one (`next`).
fn after_flags(
    text: &str,
    words: &[Range<usize>],
    flag: &str,
    attached: bool,
    next: bool,
) -> Vec<Range<usize>> {
    let value = |(i, at): (usize, &Range<usize>)| {
        let word = &text[at.clone()];
        // The argument combines several flags, as in `curl -sSu NAME:PASSWORD`.
        let joined = flag == "-u"
            && word.len() < 6
            && word.ends_with('u')
            && word.starts_with('-')
            && !word.starts_with("--");
        let rest = if joined { "" } else { word.strip_prefix(flag)? };
        let sign = usize::from(flag.starts_with("--") && rest.starts_with('='));
        match rest.is_empty() {
            true if next => words.get(i + 1).cloned().filter(|at| !text[at.clone()].starts_with('-')),
            false if attached && sign == usize::from(flag.starts_with("--")) => {
                Some(at.start + flag.len() + sign..at.end)
            }
            true | false => None,
        }
    };
    words.iter().enumerate().filter_map(value).collect()
}

/// Returns the range after the first separator (`sign`) of a value; `None` if the value does not contain it.
fn second(text: &str, at: Range<usize>, sign: char) -> Option<Range<usize>> {
    let at = unquoted(text, at);
    let (first, _) = text[at.clone()].split_once(sign)?;
    Some(at.start + first.len() + sign.len_utf8()..at.end)
}

/// Returns the arguments that are not flags.
fn arguments<'w>(text: &str, words: &'w [Range<usize>]) -> impl Iterator<Item = Range<usize>> + use<'w> {
    let flags: Vec<bool> = words.iter().map(|at| text[at.clone()].starts_with('-')).collect();
    words.iter().zip(flags).filter(|(_, flag)| !flag).map(|(at, _)| at.clone())
}

/// Returns whether an argument looks like a generated key, and not like a name, a setting, or an address.
fn is_key(word: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    word.len() >= 12 && word.chars().all(part) && word.contains(|c: char| c.is_ascii_digit())
}

/// Returns the arguments that follow a name which suggests a credential.
fn named(text: &str, words: &[Range<usize>]) -> Vec<Range<usize>> {
    let end = words.iter().position(|at| text[at.clone()].starts_with('>')).unwrap_or(words.len());
    let words = &words[..end];
    let pairs = words.iter().zip(words.iter().skip(1));
    let value = |(name, value): (&Range<usize>, &Range<usize>)| {
        let name = &text[name.clone()];
        // A path such as `.token` of `jq` is not a name.
        let said = says(name).filter(|_| !name.contains('=') && !name.starts_with(['.', '/']))?;
        is_credential(said, &text[value.clone()], Stands::Script).then(|| value.clone())
    };
    pairs.filter_map(value).collect()
}

/// Returns VALUE of the `sed` command `s/NAME/VALUE/`, if NAME suggests a credential.
fn replacement(text: &str, at: &Range<usize>) -> Option<Range<usize>> {
    let rest = text[at.clone()].strip_prefix('s')?;
    let sign = rest.chars().next().filter(|c| !c.is_alphanumeric())?;
    let mut parts = rest.split(sign).skip(1);
    let (name, value) = (parts.next()?, parts.next()?);
    says(name.trim_matches(|c: char| !c.is_ascii_alphanumeric()))?;
    let value = value.rsplit(['=', ':']).next()?.trim();
    let start = value.as_ptr() as usize - text.as_ptr() as usize;
    // An ordinary word is not masked, because a script may use `s/NAME/VALUE/` to replace one plain word by another.
    is_credential(Says::Token, value, Stands::Script).then(|| start..start + value.len())
}

/// Finds the passwords in `machine HOST login NAME password PASSWORD`, and in `user NAME PASSWORD` of a script for `ftp`.
fn netrc(text: &str) -> Vec<Range<usize>> {
    // Maximum number of bytes to search. It limits the time for a long text.
    const LONGEST: usize = 512;
    let mut found = Vec::new();
    let mut after = |mark: &'static str, keys: &[(usize, &str)], value: usize, lines: bool| {
        for (at, mark) in occurrences(text, mark) {
            let rest = &text[at + mark.len()..];
            let rest = &rest[..rest.floor_char_boundary(LONGEST)];
            let rest = if lines { rest } else { rest.lines().next().unwrap_or_default() };
            let mut words = rest.split_whitespace();
            let known = keys.iter().all(|(i, key)| rest.split_whitespace().nth(*i) == Some(key));
            let Some(word) = words.nth(value).filter(|word| known && is_literal(word)) else { continue };
            let word = &word[..word.find(['"', '\'', '\\']).unwrap_or(word.len())];
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            found.push(start..start + word.len());
        }
    };
    after("machine ", &[(1, "login"), (3, "password")], 4, true);
    if text.contains("ftp -") {
        after("user ", &[], 1, false);
    }
    found
}
