//! Fast check of whether a text can contain a name that suggests a credential, in one pass over its bytes. Most texts contain no
//! such name. False positives are possible, false negatives are not.
use super::known::is_address;

/// Words that name a password or token. They count only at the end of a part of a name. [`is_secret`] matches `secret` and its
/// misspellings.
const ENDS: [&[u8]; 9] =
    [b"password", b"passwords", b"passwd", b"passphrase", b"passcode", b"pass", b"pwd", b"pw", b"token"];
/// Words that suggest a credential only if they are a complete part of a name, such as `sig` in `url-sig`.
const WHOLE: [&[u8]; 8] =
    [b"credential", b"credentials", b"creds", b"cred", b"sig", b"signature", b"sas", b"pat"];
/// Words that suggest a credential only after another word, as in `api-key` and `apikey`.
const BEHIND: [&[u8]; 2] = [b"key", b"keys"];

/// Returns whether the text may contain a name that suggests a credential, a password in a URI, or an escaped name.
pub(super) fn may_name(text: &str) -> bool {
    let text = text.as_bytes();
    let mut uri = false;
    for (at, b) in text.iter().enumerate() {
        let found = match b {
            // Some non-ASCII letters have an ASCII letter as their upper case, and an escape can stand for any letter. Such a
            // text needs the complete search.
            b'\\' | 0x80.. => true,
            b'@' => uri || is_address(&text[at + 1..]),
            b':' => {
                uri |= text[at..].starts_with(b"://");
                false
            }
            b's' | b'S' => {
                is_secret(&text[at..]) || holds(text, at, &WHOLE, is_start) || string_data(&text[at..])
            }
            b'c' | b'C' => begins(&text[at..], b"cret") || holds(text, at, &WHOLE, is_start),
            b'p' | b'P' => holds(text, at, &ENDS, |_, _| true) || holds(text, at, &WHOLE, is_start),
            b't' | b'T' => holds(text, at, &ENDS, |_, _| true),
            b'a' | b'A' => begins(&text[at..], b"auth"),
            b'u' => begins(&text[at..], b"username"),
            b'k' | b'K' => holds(text, at, &BEHIND, is_behind),
            _ => false,
        };
        if found {
            return true;
        }
    }
    false
}

fn begins(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len()).is_some_and(|here| here.eq_ignore_ascii_case(word))
}

/// Returns whether one of the words is at this offset, ends a part of a name, and begins where `starts` allows it.
fn holds(text: &[u8], at: usize, words: &[&[u8]], starts: fn(&[u8], usize) -> bool) -> bool {
    words.iter().any(|word| begins(&text[at..], word) && is_end(text, at + word.len())) && starts(text, at)
}

/// Returns whether a part of a name can end at `end`: it cannot end before a letter that continues the word.
fn is_end(text: &[u8], end: usize) -> bool {
    match text.get(end) {
        Some(b'a'..=b'z') => false,
        Some(b'A'..=b'Z') => !text[end - 1].is_ascii_uppercase(),
        Some(_) | None => true,
    }
}

/// Returns whether a part of a name can begin at `at`.
fn is_start(text: &[u8], at: usize) -> bool {
    match at.checked_sub(1).map(|before| text[before]) {
        Some(before) if before.is_ascii_uppercase() => false,
        Some(before) if before.is_ascii_alphanumeric() => text[at].is_ascii_uppercase(),
        Some(_) | None => true,
    }
}

/// Returns whether another part of the same name precedes `at`.
fn is_behind(text: &[u8], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| text[before]) else { return false };
    // After a space, `key` usually begins a property. It belongs to a name only at the end of a quoted string, as in `"API KEY"`.
    let quoted =
        || text[at..].iter().find(|b| !b.is_ascii_alphabetic()).is_some_and(|b| matches!(b, b'"' | b'\''));
    before.is_ascii_alphanumeric() || matches!(before, b'-' | b'_' | b'.') || before == b' ' && quoted()
}

/// Returns whether a word that begins with `s` may be `secret` with one typo after the `s`.
fn is_secret(text: &[u8]) -> bool {
    let at = |place: usize| text.get(place).map_or(0, u8::to_ascii_lowercase);
    let ret = |from: usize| (at(from), at(from + 1), at(from + 2)) == (b'r', b'e', b't');
    match (at(1), at(2)) {
        (b'e', b'c') => matches!(
            (at(3), at(4), at(5)),
            (b'r', ..) | (b'e', b'r' | b't', _) | (_, b'e', b't') | (_, b'r', b'e')
        ),
        (b'e', b'r') if (at(3), at(4), at(5)) == (b'c', b'e', b't') => true,
        (b'e', _) => ret(2) || ret(3),
        (b'c', b'e') => ret(3),
        _ => false,
    }
}

/// Returns whether the text begins with `stringData`, the block of values in a manifest of secrets.
fn string_data(text: &[u8]) -> bool {
    begins(text, b"string")
        && text[6..]
            .iter()
            .position(|b| !matches!(b, b'-' | b'_'))
            .is_some_and(|end| begins(&text[6 + end..], b"data"))
}

#[cfg(test)]
mod tests;
