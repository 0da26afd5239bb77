//! Finds credentials in three notations of specific programs: `wandb.login(key=…)`, `ETCDCTL_USER`, and ODBC connection strings.
use super::super::super::values::{Stands, is_reference};
use super::super::occurrences;
use std::ops::Range;

/// Maximum number of bytes to search. It limits the time for a long text.
const LONGEST: usize = 1024;

/// Finds the credentials in all three notations.
pub(in crate::secrets::known) fn all(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = occurrences(text, "login(key=").filter_map(key(text)).collect();
    found.extend(occurrences(text, "ETCDCTL_USER").filter_map(user(text)));
    found.extend(occurrences(text, ";").filter_map(odbc(text)));
    found
}

/// Returns the value from `from` to the first character of `ends`, without quotes. `None` if it is a reference.
fn value(text: &str, from: usize, ends: &str) -> Option<Range<usize>> {
    let rest = &text[from..];
    let rest = &rest[..rest.floor_char_boundary(LONGEST)];
    let inside = rest.trim_start_matches(['"', '\'', '\\']);
    let value =
        &inside[..inside.find(|c: char| "\"'\\\n".contains(c) || ends.contains(c)).unwrap_or(inside.len())];
    let start = from + rest.len() - inside.len();
    let literal = !value.is_empty() && !value.starts_with(['<', '*']) && !is_reference(value, Stands::Script);
    literal.then_some(start..start + value.len())
}

/// Finds the key of `wandb.login(key="VALUE")`. An unquoted word is a variable, not a key.
fn key(text: &str) -> impl Fn((usize, &str)) -> Option<Range<usize>> {
    move |(at, mark)| {
        let from = at + mark.len();
        value(text, from, ")").filter(|value| value.start > from)
    }
}

/// Finds the password of the variable `ETCDCTL_USER`, which contains `USER:PASSWORD`.
fn user(text: &str) -> impl Fn((usize, &str)) -> Option<Range<usize>> {
    move |(at, mark)| {
        let rest = &text[at + mark.len()..];
        let from = at + mark.len() + rest.len() - rest.trim_start_matches(['"', ' ', '=', ':']).len();
        let both = value(text, from, " ;")?;
        let colon = text[both.clone()].find(':')?;
        value(text, both.start + colon + 1, " ;")
    }
}

/// Finds the password of `Driver=…;Uid=…;Pwd=VALUE`. In a script, `PWD` alone is the working directory, so `Uid=` must precede it.
fn odbc(text: &str) -> impl Fn((usize, &str)) -> Option<Range<usize>> {
    move |(at, mark)| {
        let from = at + mark.len();
        let key = text.get(from..from + 4)?.eq_ignore_ascii_case("pwd=");
        let before = &text[text.ceil_char_boundary(at.saturating_sub(LONGEST))..at];
        let before = before.rsplit(['"', '\'', '\n']).next().unwrap_or_default();
        let user =
            || before.to_ascii_lowercase().split(';').any(|pair| pair.trim_start().starts_with("uid="));
        if key && user() { value(text, from + 4, ";") } else { None }
    }
}
