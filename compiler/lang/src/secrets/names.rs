//! Names that mean a credential, and values that may be one.
use crate::diagnostic::kebab;

/// Fields of the language and of platforms that name a secret and do not hold its value.
const REFERENCES: [&str; 7] = [
    "secret",
    "pull-secret",
    "image-pull-secret",
    "existing-secret",
    "gcs-key-secret",
    "secret-ref",
    "secret-key-ref",
];

/// What well-known kinds of credentials begin with.
const MARKS: [&str; 7] = ["AKIA", "ghp_", "gho_", "github_pat_", "glpat-", "xoxb-", "-----BEGIN"];

/// Whether a value under this name is a credential.
pub(crate) fn says_secret(name: &str) -> bool {
    const WORDS: [&str; 5] = ["PASSWORD", "PASSWD", "SECRET", "TOKEN", "APIKEY"];
    const KEYS: [&str; 3] = ["API", "ACCESS", "PRIVATE"];
    const EXCUSES: [&str; 7] = ["FILE", "PATH", "DIR", "NAME", "URL", "LENGTH", "ID"];
    // Those of a tokenizer.
    const MARKS: [&str; 7] = ["EOS", "BOS", "PAD", "UNK", "CLS", "SEP", "MASK"];
    let folded = name.to_uppercase().replace(['-', '.'], "_");
    let parts: Vec<&str> = folded.split('_').collect();
    let named = parts.iter().enumerate().any(|(i, part)| {
        let before = i.checked_sub(1).map_or("", |i| parts[i]);
        let key = *part == "KEY" && KEYS.contains(&before);
        key || WORDS.iter().any(|word| part.ends_with(word)) && !MARKS.contains(&before)
    });
    named && !parts.last().is_some_and(|last| EXCUSES.contains(last))
}

/// As [`says_secret`], for a name in the manner of any format: `clientSecret`, `db.password`, `--token`.
pub(super) fn names_credential(name: &str) -> bool {
    // No name is so long, and a value may be.
    const MOST: usize = 100;
    let name = name.trim().trim_start_matches('-');
    if name.len() > MOST || name.contains(char::is_whitespace) {
        return false;
    }
    let folded = kebab(name);
    (says_secret(name) || says_secret(&folded)) && !REFERENCES.contains(&folded.as_str())
}

/// No number, path, flag or word that switches something.
pub(crate) fn could_be_secret(value: &str) -> bool {
    const SWITCHES: [&str; 9] = ["", "true", "false", "yes", "no", "on", "off", "none", "auto"];
    let number = value.parse::<f64>().is_ok();
    !value.starts_with(['/', '-']) && !number && !SWITCHES.contains(&value.to_lowercase().as_str())
}

/// Whether the value alone says that it is a credential.
pub(crate) fn is_known(value: &str) -> bool {
    MARKS.iter().any(|mark| value.starts_with(mark))
}

/// Whether a uri of the text holds a password: `postgres://name:password@host`.
pub(crate) fn has_userinfo(text: &str) -> bool {
    !passwords(text).is_empty()
}

/// Where passwords of uris stand in a text.
pub(super) fn passwords(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    for (at, mark) in text.match_indices("://") {
        let from = at + mark.len();
        let rest = &text[from..];
        let host = rest.split(['/', '?', '#', ' ', '"', '\'', '\n']).next().unwrap_or_default();
        let Some((user, _)) = host.rsplit_once('@') else { continue };
        let Some((name, password)) = user.split_once(':') else { continue };
        if !password.is_empty() && !password.starts_with(['$', '<', '{']) {
            let start = from + name.len() + 1;
            found.push(start..start + password.len());
        }
    }
    found
}

/// Whether a script of a shell gives a variable with such a name a value of its own.
pub(crate) fn assigns_secret(script: &str) -> bool {
    let words = script.split(|c: char| c.is_whitespace() || matches!(c, ';' | '&' | '|' | '(' | ')'));
    words.filter_map(|word| word.split_once('=')).any(|(name, value)| {
        let value = value.trim_matches(['"', '\'']);
        let named = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        named && !value.contains(['$', '`']) && could_be_secret(value) && says_secret(name)
    })
}

/// Whether the word begins what holds secrets: `secret`, a misspelling of it, or another system's word.
pub(super) fn holds_secrets(word: &str) -> bool {
    const WORDS: [&str; 5] = ["secret", "secrets", "string-data", "secret-env", "env-secret"];
    let word = word.trim().trim_end_matches(':');
    if word.len() > 16 {
        return false;
    }
    let folded = kebab(word);
    let near = |known: &&str| known.len() > 5 && strsim::damerau_levenshtein(&folded, known) <= 1;
    WORDS.contains(&folded.as_str()) || WORDS[..2].iter().any(near)
}

/// Whether it has the form of a name, and not of a value.
pub(super) fn is_name(text: &str) -> bool {
    let first = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let rest = text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    first && rest && !is_known(text)
}

/// Whether a name mixes letters and digits as a key does that was made by a machine.
pub(super) fn is_random(name: &str) -> bool {
    let digit = name.contains(|c: char| c.is_ascii_digit());
    name.len() >= 6 && (digit || is_mixed(name)) && !is_variable(name)
}

/// Whether it is long, and mixed as no name of an entry is.
pub(super) fn is_key(value: &str) -> bool {
    is_known(value) || value.len() >= 20 && is_mixed(value) && value.contains(|c: char| c.is_ascii_digit())
}

fn is_mixed(name: &str) -> bool {
    name.contains(|c: char| c.is_ascii_lowercase()) && name.contains(|c: char| c.is_ascii_uppercase())
}

/// Whether it is written as a variable is: `AWS_SECRET_ACCESS_KEY`. A long row of capitals with digits is a value.
pub(super) fn is_variable(text: &str) -> bool {
    let capital = text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    let digits = text.bytes().any(|b| b.is_ascii_digit());
    is_name(text) && capital && (text.contains('_') || !digits || text.len() < 16)
}
