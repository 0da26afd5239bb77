//! Masks known credentials in any text, such as a report. The text may contain a credential completely or in part, truncated,
//! or with other escapes.
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Replacement for a value.
const MASK: &str = "***";

/// Minimum length of a value to mask. A shorter value would also match parts of ordinary text.
const SHORTEST: usize = 4;

/// A value with at least this number of letters and digits is recognized by its letters and digits alone: other characters
/// between them are ignored. A value with fewer letters and digits is compared with all its characters.
const SHORT: usize = 8;

/// Number of consecutive letters and digits that are enough to recognize a part of a longer value.
const WINDOW: usize = 12;

/// Keywords of a spec. They occur in the texts of reports, and a mask would make these texts illegible.
pub(super) const KEYWORDS: [&str; 4] = ["from", "env", "key", "at"];

/// Maximum number of characters that are compared for a value with few letters and digits.
const EXACT: usize = 48;

/// A set of values to mask in a text.
#[derive(Debug, Default)]
pub struct Scrubber {
    /// For each value with at least [`SHORT`] letters and digits: its sequences of [`WINDOW`] letters and digits, or all its
    /// letters and digits if there are fewer. Grouped by length.
    rows: BTreeMap<usize, BTreeSet<Vec<char>>>,
    /// Values with few letters and digits, by number of characters.
    exact: BTreeMap<usize, BTreeSet<String>>,
}

impl Scrubber {
    /// Adds a value in the notation of the spec, and the same value without escapes.
    pub fn add(&mut self, written: &str) {
        let written = written.trim();
        if KEYWORDS.contains(&written) {
            return;
        }
        self.add_one(written);
        let read = unescaped(written);
        if read != written {
            self.add_one(&read);
        }
    }

    fn add_one(&mut self, value: &str) {
        value.lines().for_each(|line| self.add_line(line.trim()));
        let parts = value.split(|c: char| !c.is_alphanumeric());
        parts.filter(|part| *part != value && is_random(part)).for_each(|part| self.add_line(part));
    }

    fn add_line(&mut self, value: &str) {
        let letters: Vec<char> = letters(value).into_iter().map(|(c, _)| c).collect();
        if letters.len() >= SHORT {
            let length = letters.len().min(WINDOW);
            self.rows.entry(length).or_default().extend(letters.windows(length).map(<[char]>::to_vec));
        } else if value.chars().count() >= SHORTEST {
            let value: String = value.chars().take(EXACT).collect();
            self.exact.entry(value.chars().count()).or_default().insert(value);
        }
    }

    /// Replaces each occurrence of the values to mask by `***`.
    #[must_use]
    pub fn scrub<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let found = self.find(text);
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        let (mut out, mut at) = (String::with_capacity(text.len()), 0);
        for range in found {
            // Adjacent values get one mask.
            if range.start > at || at == 0 {
                out.push_str(&text[at..range.start]);
                out.push_str(MASK);
            }
            at = range.end;
        }
        out.push_str(&text[at..]);
        Cow::Owned(out)
    }

    /// Returns where a text contains the values to mask, with or without escapes. The byte ranges are sorted and do not overlap.
    #[must_use]
    pub fn find(&self, text: &str) -> Vec<Range<usize>> {
        if self.rows.is_empty() && self.exact.is_empty() {
            return Vec::new();
        }
        let mut found = self.found(text);
        if text.contains('\\') {
            let (read, places) = unescaped_with_places(text);
            found.extend(self.found(&read).into_iter().map(|at| places[at.start]..places[at.end]));
        }
        super::merged(found)
    }

    fn found(&self, text: &str) -> Vec<Range<usize>> {
        let mut found = self.rows_in(text);
        found.extend(self.exact_in(text));
        found
    }

    fn rows_in(&self, text: &str) -> Vec<Range<usize>> {
        if self.rows.is_empty() {
            return Vec::new();
        }
        let letters = letters(text);
        let row: Vec<char> = letters.iter().map(|(c, _)| *c).collect();
        let mut found = Vec::new();
        for (length, rows) in &self.rows {
            for (i, window) in row.windows(*length).enumerate() {
                if rows.contains(window) {
                    found.push(letters[i].1.start..letters[i + length - 1].1.end);
                }
            }
        }
        found
    }

    fn exact_in(&self, text: &str) -> Vec<Range<usize>> {
        if self.exact.is_empty() {
            return Vec::new();
        }
        let mut ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        ends.push(text.len());
        let mut found = Vec::new();
        for (length, values) in &self.exact {
            for pair in ends.windows(length + 1) {
                let at = pair[0]..pair[*length];
                if values.contains(&text[at.clone()]) && stands_alone(text, &at) && !is_ours(text, &at) {
                    found.push(at);
                }
            }
        }
        found
    }
}

/// Returns the letters and digits of a text in lower case, with their byte ranges.
fn letters(text: &str) -> Vec<(char, Range<usize>)> {
    let mut all = Vec::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        // Fast path for ASCII.
        if c.is_ascii_alphanumeric() {
            all.push((c.to_ascii_lowercase(), at..at + 1));
        } else if !c.is_ascii() && c.is_alphanumeric() {
            all.push((c.to_lowercase().next().unwrap_or(c), at..at + c.len_utf8()));
        }
    }
    all
}

/// Returns whether the range is a complete word.
fn stands_alone(text: &str, at: &Range<usize>) -> bool {
    let before = text[..at.start].chars().next_back();
    let after = text[at.end..].chars().next();
    let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let (first, last) = (text[at.clone()].chars().next(), text[at.clone()].chars().next_back());
    !(word(before) && word(first) || word(after) && word(last))
}

/// Returns whether the range is the field name `secret` in backticks, as in a help text. The field name is not masked, even if
/// the word "secret" is also a password.
fn is_ours(text: &str, at: &Range<usize>) -> bool {
    &text[at.clone()] == "secret" && text[..at.start].ends_with('`') && text[at.end..].starts_with('`')
}

/// Returns whether a part of a value has digits or mixed case, and so is not an ordinary word. Only these parts are masked where
/// they occur without the rest of the value. A part that is an ordinary word reveals little of the value.
fn is_random(part: &str) -> bool {
    let digit = part.contains(|c: char| c.is_ascii_digit());
    let mixed = part.chars().skip(1).any(char::is_uppercase) && part.contains(char::is_lowercase);
    part.len() >= 6 && (digit || mixed)
}

/// Resolves the escapes of KDL, JSON, and YAML. Unknown escapes stay unchanged.
pub(super) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    unescape(text, |words, _, _| out.push_str(words));
    out
}

/// Resolves escapes as [`unescaped`] does. Also returns, for each byte of the result and for its end, the offset in `text`.
pub(super) fn unescaped_with_places(text: &str) -> (String, Vec<usize>) {
    let (mut out, mut places) = (String::with_capacity(text.len()), Vec::with_capacity(text.len() + 1));
    unescape(text, |words, at, escaped| {
        places.extend((0..words.len()).map(|byte| if escaped { at } else { at + byte }));
        out.push_str(words);
    });
    places.push(text.len());
    (out, places)
}

/// Calls `put` for each part of a text: the resolved part, its offset, and whether it is an escape.
fn unescape(text: &str, mut put: impl FnMut(&str, usize, bool)) {
    let mut from = 0;
    while let Some(at) = text[from..].find('\\').map(|at| from + at) {
        put(&text[from..at], from, false);
        match escape(&text[at + 1..]) {
            Some((c, length)) => {
                put(c.encode_utf8(&mut [0; 4]), at, true);
                from = at + 1 + length;
            }
            None => {
                put("\\", at, false);
                from = at + 1;
            }
        }
    }
    put(&text[from..], from, false);
}

/// Returns the character that the escape after a backslash stands for, and the length of the escape.
fn escape(rest: &str) -> Option<(char, usize)> {
    let (c, length) = match rest.chars().next()? {
        'n' => (Some('\n'), 1),
        't' => (Some('\t'), 1),
        'r' => (Some('\r'), 1),
        's' => (Some(' '), 1),
        'u' if rest.starts_with("u{") => {
            let end = rest.find('}').unwrap_or(rest.len());
            (hex(rest.get(2..end)), (end + 1).min(rest.len()))
        }
        'u' => (hex(rest.get(1..5)), 5.min(rest.len())),
        'x' => (hex(rest.get(1..3)), 3.min(rest.len())),
        c if !c.is_alphanumeric() => (Some(c), c.len_utf8()),
        _ => (None, 0),
    };
    Some((c?, length))
}

fn hex(digits: Option<&str>) -> Option<char> {
    char::from_u32(u32::from_str_radix(digits?, 16).ok()?)
}
