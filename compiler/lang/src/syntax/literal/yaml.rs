//! Single-line YAML scalars.
use super::{Unit, plain};
use crate::syntax::lexer::is_newline;

/// Returns the characters of a YAML scalar. `None` for a block scalar, a folded scalar, or an unknown escape.
#[must_use]
pub fn units(scalar: &str) -> Option<Vec<Unit>> {
    if scalar.contains(is_newline) || scalar.starts_with(['|', '>']) {
        return None;
    }
    match scalar.chars().next() {
        Some('\'') => Some(single(scalar)),
        Some('"') => double(scalar),
        Some(_) | None => Some(plain(scalar)),
    }
}

fn single(scalar: &str) -> Vec<Unit> {
    let text = super::without_quote(scalar, '\'');
    let mut out = Vec::new();
    let mut at = 1;
    while let Some(says) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let start = at;
        at += if text[at..].starts_with("''") { 2 } else { says.len_utf8() };
        out.push(Unit { says, bytes: start..at });
    }
    out
}

fn double(scalar: &str) -> Option<Vec<Unit>> {
    let text = super::without_quote(scalar, '"');
    let mut out = Vec::new();
    let mut at = 1;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let start = at;
        at += c.len_utf8();
        let says = if c == '\\' { escape(text, &mut at)? } else { c };
        out.push(Unit { says, bytes: start..at });
    }
    Some(out)
}

fn escape(text: &str, at: &mut usize) -> Option<char> {
    let c = text[*at..].chars().next()?;
    *at += c.len_utf8();
    Some(match c {
        '0' => '\0',
        'a' => '\u{7}',
        'b' => '\u{8}',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\u{b}',
        'f' => '\u{c}',
        'r' => '\r',
        'e' => '\u{1b}',
        ' ' | '"' | '/' | '\\' => c,
        'N' => '\u{85}',
        '_' => '\u{a0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        'x' => hex(text, at, 2)?,
        'u' => hex(text, at, 4)?,
        'U' => hex(text, at, 8)?,
        _ => return None,
    })
}

fn hex(text: &str, at: &mut usize, digits: usize) -> Option<char> {
    let code = text.get(*at..*at + digits)?;
    *at += digits;
    u32::from_str_radix(code, 16).ok().and_then(char::from_u32)
}
