//! Recognizes names that suggest a credential.
use super::known;
use super::values::{Stands, is_made, is_reference};
use crate::diagnostic::kebab;

/// Fields of specs and platforms that reference a secret and do not contain its value.
const REFERENCES: [&str; 8] = [
    "secret",
    "pull-secret",
    "image-pull-secret",
    "image-pull-secrets",
    "existing-secret",
    "gcs-key-secret",
    "secret-ref",
    "secret-key-ref",
];

/// The name of an argument with a secret, or with the name of a secret. As a field, it is a reference.
pub(super) const ARGUMENT: &str = "secret";

/// The first words of the annotations of the Vault injector that contain paths, templates, and names instead of credentials.
const INJECTOR: [&str; 4] = ["agent-inject", "agent-cache", "secret-volume-path", "tls-secret"];

/// Kind of credential that a name suggests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    /// A password. A number with more than two digits can be its value.
    Password,
    /// A key. A number can be its value only if it has more than five digits and no decimal point.
    Key,
    /// An access token. A number can be its value only under the conditions of `Key`. A short lower-case word cannot be
    /// its value.
    Token,
    /// A key in a secret store. The value `NAME:KEY` is only a reference to this key. A value in another form is a credential.
    Entry,
    /// A secret, or the name of a secret in a store. A value with the form of such a name is not a credential.
    Secret,
    /// A method of authentication, or a login. Only Base64 of `NAME:PASSWORD` is a credential.
    Login,
}

/// Words that name a password. They also match at the end of a longer word: `DB_PASSWORD`, `dbpassword`.
const PASSWORDS: [&str; 7] =
    ["PASSWORD", "PASSWORDS", "PASSWD", "PASSPHRASE", "PASSCODE", "SECRET", "SECRETS"];

/// Words that name a password, but are also the end of other names (`BYPASS`, `FORWARD_PASS`). Whether the name means a
/// password depends on the part before the word.
const SHORT: [&str; 3] = ["PASS", "PWD", "PW"];

/// Prefixes with which a word of [`SHORT`] names a password: `DBPASS`, `PGPWD`.
const STEMS: [&str; 17] = [
    "", "SSH", "DB", "MYSQL", "SQL", "PG", "POSTGRES", "REDIS", "MONGO", "SMTP", "MAIL", "USER", "ROOT",
    "ADMIN", "FTP", "KEY", "STORE",
];

/// Words before `PASS` that show another meaning: a pass over data, or a compiler pass.
const PASSES: [&str; 13] = [
    "FORWARD", "BACKWARD", "SINGLE", "ONE", "TWO", "MULTI", "NUM", "N", "MAX", "FIRST", "SECOND", "LOW",
    "HIGH",
];

/// Words that name an access token. They also match at the end of a longer word.
const TOKENS: [&str; 3] = ["TOKEN", "APIKEY", "APIKEYS"];

/// Words before `TOKEN` or `TOKENS` that show another meaning: the text tokens of a model.
const TOKENIZER: [&str; 20] = [
    "EOS", "BOS", "PAD", "UNK", "CLS", "SEP", "MASK", "STOP", "START", "END", "SPECIAL", "IMAGE", "VIDEO",
    "AUDIO", "MAX", "MIN", "NUM", "N", "PER", "PREFIX",
];

/// Words that name a credential. They count only as a complete part of a name, such as `SIG` in `URL_SIG`.
const WHOLE: [&str; 8] = ["CREDENTIAL", "CREDENTIALS", "CREDS", "CRED", "SIG", "SIGNATURE", "SAS", "PAT"];

/// Words before `KEY` with which the name denotes a credential: `STORAGE_KEY`, `accountKey`, `SSHKEY`.
const KEYS: [&str; 26] = [
    "API",
    "ACCESS",
    "PRIVATE",
    "STORAGE",
    "ACCOUNT",
    "ENCRYPTION",
    "ENCRYPT",
    "SIGNING",
    "MASTER",
    "SERVICE",
    "AUTH",
    "SHARED",
    "SSH",
    "TLS",
    "SSL",
    "LICENSE",
    "CONSUMER",
    "FERNET",
    "SAS",
    "DEPLOY",
    "ADMIN",
    "HMAC",
    "SUBSCRIPTION",
    "AWS",
    "WANDB",
    "KAGGLE",
];

/// Last words of a name that denote a property of a credential, not the credential itself.
const EXCUSES: [&str; 60] = [
    "STDIN",
    "ENV",
    "FILE",
    "FILES",
    "FILENAME",
    "PATH",
    "DIR",
    "FOLDER",
    "NAME",
    "URL",
    "URI",
    "LENGTH",
    "LEN",
    "ID",
    "IDS",
    "TTL",
    "TIMEOUT",
    "RETRIES",
    "EXPIRY",
    "EXPIRATION",
    "SECONDS",
    "COUNT",
    "SIZE",
    "LIMIT",
    "TYPE",
    "HEADER",
    "FORMAT",
    "ENDPOINT",
    "HOST",
    "PORT",
    "VERSION",
    "REGION",
    "SERVER",
    "PROVIDER",
    "ALGORITHM",
    "INTERVAL",
    "ENABLED",
    "REQUIRED",
    "POLICY",
    "MODE",
    "OPTS",
    "OPTIONS",
    "INDEX",
    "COLUMN",
    "MANAGER",
    "BACKEND",
    "CLASS",
    "REF",
    "ARN",
    "PREFIX",
    "SUFFIX",
    "ISSUER",
    "NAMESPACE",
    "MOUNT",
    "VOLUME",
    "LOCATION",
    "DIM",
    "DTYPE",
    "RATE",
    "BATCH",
];

/// Returns the kind of credential that a name suggests. The parts of the name are joined by `_`, `-`, or `.`.
fn of_parts(name: &str) -> Option<Says> {
    let folded = name.to_uppercase().replace(['-', '.'], "_");
    // Numeric suffixes are ignored: `DB_PASSWORD2`, `DB_PASSWORD_2`.
    let parts: Vec<&str> =
        folded.split('_').map(|part| part.trim_end_matches(|c: char| c.is_ascii_digit())).collect();
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    if parts.last().is_none_or(|last| EXCUSES.contains(last)) {
        return None;
    }
    let said = (0..parts.len()).filter_map(|i| {
        let before = i.checked_sub(1).map(|i| parts[i]);
        of_part(parts[i], before, i + 1 == parts.len())
    });
    // If a name suggests several kinds of credentials, `Password` has priority.
    said.min_by_key(|says| *says != Says::Password)
}

fn of_part(part: &str, before: Option<&str>, last: bool) -> Option<Says> {
    let ends = |words: &[&str]| words.iter().any(|word| part.ends_with(word));
    if ends(&PASSWORDS) {
        return Some(Says::Password);
    }
    let short = SHORT.iter().find_map(|word| part.strip_suffix(word).map(|stem| (*word, stem)));
    if let Some((word, stem)) = short {
        // `PWD` alone is the working directory of a shell, not a password.
        let shell = word == "PWD" && stem.is_empty() && before.is_none_or(|before| before == "OLD");
        let pass = before.is_some_and(|before| PASSES.contains(&before));
        return (last && STEMS.contains(&stem) && !shell && !pass).then_some(Says::Password);
    }
    if ends(&TOKENS) {
        return (!before.is_some_and(|before| TOKENIZER.contains(&before))).then_some(Says::Token);
    }
    // `REDISCLI_AUTH` is the password of `redis-cli`.
    if part == "AUTH" {
        let said = if before == Some("REDISCLI") { Says::Password } else { Says::Login };
        return last.then_some(said);
    }
    if WHOLE.contains(&part) {
        // The name `PAT` alone may mean a pattern, so it suggests no credential.
        return (last && (part != "PAT" || before.is_some())).then_some(Says::Key);
    }
    let stem = part.strip_suffix("KEYS").or_else(|| part.strip_suffix("KEY"))?;
    let stem = if stem.is_empty() { before? } else { stem };
    KEYS.contains(&stem).then_some(Says::Key)
}

/// Returns the kind of credential that a name suggests, in any notation: `clientSecret`, `db.password`, `--token`,
/// `https://host/?sig`.
pub(super) fn says(name: &str) -> Option<Says> {
    // Maximum length of a name in bytes. A longer text is a value.
    const MOST: usize = 100;
    let name = name.trim();
    let is_argument = name.starts_with('-') || name.contains(['?', '&']);
    let name = name.trim_start_matches('-').trim_end_matches('+');
    let injector = name.strip_prefix("vault.hashicorp.com/");
    if injector.is_some_and(|key| INJECTOR.iter().any(|start| key.starts_with(start))) || is_directory(name) {
        return None;
    }
    let name = name.rsplit(['?', '/', '&']).next().unwrap_or_default();
    if name.is_empty() || name.len() > MOST || name.contains(|c: char| c.is_whitespace() || c == '=') {
        return None;
    }
    let folded = kebab(name);
    if is_argument && folded == ARGUMENT {
        return Some(Says::Secret);
    }
    let said = of_parts(name).or_else(|| of_parts(&folded))?;
    if name.rsplit('.').skip(1).any(|step| kebab(step) == "secret-key-ref") {
        return Some(Says::Entry);
    }
    // In `auth.existingSecret=NAME`, only the last part of the key is the name of the field.
    let field = folded.rsplit('.').next().filter(|field| *field != "secret").unwrap_or(&folded);
    // `SECRET` alone is a variable with a value, not a reference to a secret of that name.
    (name == "SECRET" || !REFERENCES.contains(&field)).then_some(said)
}

/// Returns whether the text before `=` begins a URI of a file system. Then `=` belongs to the name of a directory, such as the Hive
/// partition `gs://b/token=a/*.csv`.
fn is_directory(name: &str) -> bool {
    name.split_once("://").is_some_and(|(scheme, rest)| {
        !scheme.starts_with("http") && rest.contains('/') && !rest.contains('?')
    })
}

/// Returns the kind of credential that a name suggests, even if it is an invalid name with spaces, such as `API TOKEN`.
pub(super) fn says_spaced(name: &str) -> Option<Says> {
    const MOST: usize = 4;
    let words = || name.split_whitespace();
    let plain = |word: &str| word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    let spaced = || words().nth(MOST).is_none() && words().nth(1).is_some() && words().all(plain);
    says(name).or_else(|| spaced().then(|| says(&words().collect::<Vec<_>>().join("_"))).flatten())
}

/// Returns whether a name is a word for a credential with one typo, such as `tokn`.
pub(super) fn nearly_says(name: &str) -> bool {
    const WORDS: [&str; 8] =
        ["token", "password", "passwd", "passphrase", "secret", "apikey", "credential", "credentials"];
    kebab(name)
        .split(['-', '_', '.'])
        .any(|part| part.len() < 16 && WORDS.iter().any(|word| strsim::damerau_levenshtein(part, word) <= 1))
}

/// Returns whether the name suggests a credential.
pub(super) fn names_credential(name: &str) -> bool {
    says(name).is_some()
}

/// Returns whether the word begins a block of secrets: `secret`, a misspelling of it, or a keyword of another system.
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

/// Returns whether the text has the form of a name, not of a value.
pub(super) fn is_name(text: &str) -> bool {
    let first = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let rest = text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    first && rest && !known::is_known(text)
}

/// Returns whether a text after `from=` is probably the value of the secret, because no secret of a store has such a name.
pub(super) fn is_no_secret_name(text: &str) -> bool {
    let sign = |c: char| "!@#$%^&*()+=,;<>?|~\"'\\".contains(c);
    let made = text.split('/').any(|part| is_made(part) && part.contains(|c: char| c.is_ascii_uppercase()));
    !is_reference(text, Stands::Named) && !text.contains(['{', ' ']) && (made || text.contains(sign))
}

/// Returns whether a name looks like a generated key: with digits, or with lower-case and upper-case letters.
pub(super) fn is_random(name: &str) -> bool {
    let digit = name.contains(|c: char| c.is_ascii_digit());
    name.len() >= 6 && (digit || is_mixed(name)) && !is_variable(name)
}

/// Returns whether the value is a well-known credential, or a long string of mixed letters and digits.
pub(super) fn is_key(value: &str) -> bool {
    known::is_known(value)
        || value.len() >= 20 && is_mixed(value) && value.contains(|c: char| c.is_ascii_digit())
}

fn is_mixed(name: &str) -> bool {
    name.contains(|c: char| c.is_ascii_lowercase()) && name.contains(|c: char| c.is_ascii_uppercase())
}

/// Returns whether the text looks like the name of an environment variable: `AWS_SECRET_ACCESS_KEY`. A text of 16 or more capital
/// letters with digits, but without `_`, is a value.
pub(super) fn is_variable(text: &str) -> bool {
    let capital = text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    let digits = text.bytes().any(|b| b.is_ascii_digit());
    is_name(text) && capital && (text.contains('_') || !digits || text.len() < 16)
}

/// Returns whether a key in a `secret` block belongs to the reference to a secret, and does not contain the value of the secret.
pub(super) fn refers(key: &str) -> bool {
    const REFERS: [&str; 7] = ["from", "key", "at", "secret-name", "secretName", "optional", "defaultMode"];
    REFERS.contains(&key)
}

/// Returns whether a key in a `secret` block contains a reference in the notation of a platform: `secretKeyRef: { name, key }`.
pub(super) fn refers_by_fields(key: &str) -> bool {
    matches!(key, "valueFrom" | "secretKeyRef" | "secretRef" | "value-from" | "secret-key-ref" | "secret-ref")
}

/// Returns whether a key with this name contains the value of a pair, such as the key `value` in `name: X, value: Y`.
pub(super) fn is_value_key(key: &str) -> bool {
    matches!(key, "value" | "default" | "val" | "stringValue" | "string-value" | "literal")
}

/// Returns whether the word is the name of a block of parameters.
pub(super) fn holds_params(word: &str) -> bool {
    matches!(word, "param" | "params")
}

/// Returns whether names and values may follow this word on its line, as in `export NAME=value`.
pub(super) fn lists_variables(word: &str) -> bool {
    const WORDS: [&str; 11] = [
        "env",
        "envs",
        "environment",
        "param",
        "params",
        "var",
        "vars",
        "variable",
        "variables",
        "set",
        "export",
    ];
    WORDS.contains(&word.trim_start_matches('-').to_lowercase().as_str())
}
