//! Classifies bare words: numbers, keywords, or strings without quotes.
use super::literal::{self, quote, text_of};

/// A classified bare word.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Word {
    /// A valid number.
    Number,
    /// A number in a notation that KDL does not support, and its KDL notation if unique.
    OddNumber(Option<String>),
    /// A number that fits neither a 128-bit integer nor a 64-bit float.
    TooLarge,
    /// A keyword of another notation, such as `true`, `False`, or `NULL`, and the intended KDL keyword with `#`.
    Keyword(&'static str),
    /// A URI: `hdfs://nn/x`.
    Uri,
    /// A word with shell variables, and the same word with the equivalent references instead.
    Variable(String),
    /// Any other string.
    Text,
}

/// Classifies a bare word that was written as a value.
pub(super) fn judge(word: &str) -> Word {
    if let Some(keyword) = keyword(word) {
        return Word::Keyword(keyword);
    }
    if let Some(number) = number(word) {
        return number;
    }
    if let Some(reference) = variable(word) {
        return Word::Variable(reference);
    }
    if word.contains("://") { Word::Uri } else { Word::Text }
}

/// Returns the KDL keyword for a keyword of Python, YAML, or KDL 1.
pub(super) fn keyword(word: &str) -> Option<&'static str> {
    match word {
        "true" | "True" | "TRUE" => Some("#true"),
        "false" | "False" | "FALSE" => Some("#false"),
        "null" | "Null" | "NULL" => Some("#null"),
        _ => None,
    }
}

/// Classifies a number. `None` if the word is not a number.
fn number(word: &str) -> Option<Word> {
    let (sign, digits) = match word.strip_prefix(['-', '+']) {
        Some(rest) => (&word[..1], rest),
        None => ("", word),
    };
    let radix = match digits.get(..2) {
        Some("0x" | "0X") => 16,
        Some("0o" | "0O") => 8,
        Some("0b" | "0B") => 2,
        Some(_) | None => return decimal(sign, digits),
    };
    let body = &digits[2..];
    let fits = |c: char| c.is_digit(radix);
    if !body.starts_with(fits) || !body.chars().all(|c| fits(c) || c == '_') {
        return None;
    }
    let plain = body.replace('_', "");
    Some(if i128::from_str_radix(&plain, radix).is_ok() { Word::Number } else { Word::TooLarge })
}

fn decimal(sign: &str, digits: &str) -> Option<Word> {
    // Most numbers are short and have only digits.
    if (1..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Word::Number);
    }
    let odd = |fixed: String| Some(Word::OddNumber(Some(format!("{sign}{fixed}"))));
    if let Some(rest) = digits.strip_prefix('.').filter(|rest| is_float_tail(rest)) {
        return odd(format!("0.{rest}"));
    }
    if let Some(rest) = digits.strip_suffix('.').filter(|rest| is_integer(rest)) {
        return odd(format!("{rest}.0"));
    }
    if is_grouped(digits) {
        return Some(Word::OddNumber(None));
    }
    let (mantissa, exponent) = match digits.find(['e', 'E']) {
        Some(at) => (&digits[..at], Some(&digits[at + 1..])),
        None => (digits, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let power = exponent.map(|e| e.strip_prefix(['-', '+']).unwrap_or(e));
    if ![Some(whole), fraction, power].into_iter().flatten().all(is_integer) {
        return None;
    }
    let holds = |part: &str| part.replace('_', "").parse::<i128>().is_ok();
    let parts = [Some(whole), fraction, power].into_iter().flatten().all(holds);
    let finite = format!("{sign}{digits}").replace('_', "").parse::<f64>().is_ok_and(f64::is_finite);
    Some(if parts && finite { Word::Number } else { Word::TooLarge })
}

/// Returns whether the word is a KDL identifier. A word that looks like a number or a bare keyword is not.
pub(super) fn is_identifier(word: &str) -> bool {
    let unsigned = word.strip_prefix(['-', '+']).unwrap_or(word);
    let digits = unsigned.strip_prefix('.').unwrap_or(unsigned);
    !digits.starts_with(|c: char| c.is_ascii_digit())
        && !matches!(word, "true" | "false" | "null" | "inf" | "-inf" | "nan")
        && word.chars().all(super::lexer::is_word)
}

/// Returns whether the word matches the rule `integer` of the KDL grammar: a digit, then digits and `_`.
fn is_integer(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && word.chars().all(|c| c.is_ascii_digit() || c == '_')
}

/// Returns whether the word consists of digits and an optional exponent.
fn is_float_tail(word: &str) -> bool {
    match word.split_once(['e', 'E']) {
        Some((digits, power)) => {
            is_integer(digits) && is_integer(power.strip_prefix(['-', '+']).unwrap_or(power))
        }
        None => is_integer(word),
    }
}

/// Returns whether the word is digits grouped by commas: `1,000`.
fn is_grouped(word: &str) -> bool {
    word.contains(',') && word.split(',').all(is_integer)
}

/// Replaces the shell variables in a word by references. `None` if the word contains no variable.
fn variable(word: &str) -> Option<String> {
    let (mut out, mut rest, mut found) = (String::new(), word, false);
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        let braced = after.strip_prefix('{');
        let inner = braced.unwrap_or(after);
        let length = inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(inner.len());
        let name = &inner[..length];
        let end = if braced.is_some() { inner.find('}').map(|at| at + 1) } else { Some(length) };
        match end.filter(|_| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')) {
            Some(end) => {
                out.push_str(&format!("{{env.{name}}}"));
                rest = &inner[end..];
                found = true;
            }
            None => {
                out.push('$');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    found.then_some(out)
}

/// Returns whether the word contains a parameter expansion with an operator, such as `${B:-c}`. No reference is equivalent
/// to it.
pub(super) fn has_default(word: &str) -> bool {
    let inner = |rest: &str| {
        rest.split('}')
            .next()
            .is_some_and(|inner| !inner.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
    };
    word.split("${").skip(1).any(inner)
}

/// Converts a string in the quotes of another language to a KDL literal.
pub(super) fn requoted(foreign: &str) -> String {
    quote(&unquoted(foreign))
}

/// Returns the value of a string in quotes of another language. `\'` in single quotes is a quote; other backslashes are
/// literal.
pub(super) fn unquoted(foreign: &str) -> String {
    let mut chars = foreign.chars();
    let opening = chars.next();
    chars.next_back();
    text_of(&literal::unquoted(chars.as_str(), opening))
}

/// Returns whether a string in the quotes of another language has an escape that some languages expand, and others do not.
pub(super) fn has_foreign_escape(foreign: &str) -> bool {
    foreign
        .split('\\')
        .skip(1)
        .any(|after| after.is_empty() || after.starts_with(['b', 'f', 'n', 'r', 't', 'u', 'x', '0']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_judged_as_they_were_meant() {
        for number in ["0", "-1", "+2", "1_000", "1.5", "1_.5", "1e9", "1.5E-3", "0x1F", "-0b1_0", "0o17"] {
            assert_eq!(judge(number), Word::Number, "{number}");
        }
        for text in
            ["16GiB", "10m", "1.2.3", "/data/x", "50%", "10:30", "0xZZ", "0b2", "1e", "a", "-v", "inf", "$5"]
        {
            assert_eq!(judge(text), Word::Text, "{text}");
        }
        assert_eq!(judge(".5"), Word::OddNumber(Some("0.5".into())));
        assert_eq!(judge("-5."), Word::OddNumber(Some("-5.0".into())));
        assert_eq!(judge("1,000"), Word::OddNumber(None));
        assert_eq!(judge("1e400"), Word::TooLarge);
        assert_eq!(judge("170141183460469231731687303715884105728"), Word::TooLarge);
        assert_eq!(judge("True"), Word::Keyword("#true"));
        assert_eq!(judge("s3://b/k"), Word::Uri);
        assert_eq!(judge("${HOME}/x"), Word::Variable("{env.HOME}/x".into()));
        assert_eq!(judge("a/$HOME:${B:-c}"), Word::Variable("a/{env.HOME}:{env.B}".into()));
    }

    #[test]
    fn other_quotes_become_kdls() {
        assert_eq!(requoted("'a \"b\"'"), "\"a \\\"b\\\"\"");
        assert_eq!(requoted("\u{201c}a\u{201d}"), "\"a\"");
        assert_eq!(requoted("'it\\'s \\d'"), "\"it's \\\\d\"");
    }
}
