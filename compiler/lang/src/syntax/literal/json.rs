//! JSON string literals.
use super::{Fault, FaultKind, Unit};
use std::ops::Range;

/// Returns the characters of a JSON string literal that includes its quotes.
///
/// # Errors
/// Returns a [`Fault`] for an unknown escape, an unpaired surrogate, or an unescaped control character.
pub fn units(literal: &str) -> Result<Vec<Unit>, Fault> {
    let text = super::without_quote(literal, '"');
    let mut out = Vec::with_capacity(text.len());
    let mut at = 1;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let start = at;
        at += c.len_utf8();
        let says = match c {
            '\\' => escape(text, start, &mut at)?,
            '\0'..='\u{1f}' => return Err(control(start..at)),
            c => c,
        };
        out.push(Unit { says, bytes: start..at });
    }
    Ok(out)
}

fn escape(text: &str, start: usize, at: &mut usize) -> Result<char, Fault> {
    let c = text[*at..].chars().next();
    *at += c.map_or(0, char::len_utf8);
    Ok(match c {
        Some(c @ ('"' | '\\' | '/')) => c,
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some('u') => {
            let high = hex(text, at);
            let code = match high {
                Some(high @ 0xd800..=0xdbff) if text[*at..].starts_with("\\u") => {
                    *at += 2;
                    hex(text, at)
                        .filter(|low| (0xdc00..=0xdfff).contains(low))
                        .map(|low| 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00))
                }
                code => code,
            };
            code.and_then(char::from_u32).ok_or_else(|| fault(text, start..*at))?
        }
        Some(_) | None => return Err(fault(text, start..*at)),
    })
}

fn hex(text: &str, at: &mut usize) -> Option<u32> {
    let digits = text.get(*at..*at + 4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
    *at += 4;
    u32::from_str_radix(digits, 16).ok()
}

fn fault(text: &str, bytes: Range<usize>) -> Fault {
    Fault {
        message: format!("`{}` is not a valid JSON escape", &text[bytes.clone()]),
        help: "write a backslash as `\\\\`".to_owned(),
        bytes,
        kind: FaultKind::Escape,
        instead: None,
    }
}

fn control(bytes: Range<usize>) -> Fault {
    Fault {
        bytes,
        kind: FaultKind::Layout,
        message: "unescaped control character in a string".to_owned(),
        help: "write it as an escape, such as `\\n`, `\\t`, or `\\u001b`".to_owned(),
        instead: None,
    }
}
