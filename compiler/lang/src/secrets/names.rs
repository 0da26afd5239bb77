//! Names that mean a credential.
use super::known;
use crate::diagnostic::kebab;

/// Fields of the language and of platforms that name a secret and do not hold its value.
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

/// What a name says of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    /// It is a password: any number is one.
    Password,
    /// It is a key: only a long number is one.
    Key,
    /// It is a token: only a long number is one, and no plain word.
    Token,
    /// It is an entry of a store, written `NAME:KEY`: what has another form is a value.
    Entry,
}

/// Words for a password, alone or at the end of a longer word: `DB_PASSWORD`, `dbpassword`.
const PASSWORDS: [&str; 7] =
    ["PASSWORD", "PASSWORDS", "PASSWD", "PASSPHRASE", "PASSCODE", "SECRET", "SECRETS"];

/// Words for a password that are also the end of other words: `BYPASS`, `FORWARD_PASS`. What stands before them decides.
const SHORT: [&str; 2] = ["PASS", "PWD"];

/// What may stand before a short word in one word: `DBPASS`, `PGPWD`.
const STEMS: [&str; 16] = [
    "", "DB", "MYSQL", "SQL", "PG", "POSTGRES", "REDIS", "MONGO", "SMTP", "MAIL", "USER", "ROOT", "ADMIN",
    "FTP", "KEY", "STORE",
];

/// What a pass of data or of a compiler is called.
const PASSES: [&str; 13] = [
    "FORWARD", "BACKWARD", "SINGLE", "ONE", "TWO", "MULTI", "NUM", "N", "MAX", "FIRST", "SECOND", "LOW",
    "HIGH",
];

/// Words for a token, alone or at the end of a longer word.
const TOKENS: [&str; 3] = ["TOKEN", "APIKEY", "APIKEYS"];

/// What the tokens of a text are called.
const TOKENIZER: [&str; 20] = [
    "EOS", "BOS", "PAD", "UNK", "CLS", "SEP", "MASK", "STOP", "START", "END", "SPECIAL", "IMAGE", "VIDEO",
    "AUDIO", "MAX", "MIN", "NUM", "N", "PER", "PREFIX",
];

/// Words that hold a credential only as they stand.
const WHOLE: [&str; 8] = ["CREDENTIAL", "CREDENTIALS", "CREDS", "CRED", "SIG", "SIGNATURE", "SAS", "PAT"];

/// Which keys are credentials: `STORAGE_KEY`, `accountKey`, `SSHKEY`.
const KEYS: [&str; 25] = [
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
];

/// Last words of a name that say something about a credential and are none.
const EXCUSES: [&str; 58] = [
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

/// What a name in capitals or small letters, joined by `_`, `-` or `.`, says.
fn of_parts(name: &str) -> Option<Says> {
    let folded = name.to_uppercase().replace(['-', '.'], "_");
    // `DB_PASSWORD2` and `DB_PASSWORD_2` are two more of them.
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
    // A name that says both is that of a password.
    said.min_by_key(|says| *says != Says::Password)
}

fn of_part(part: &str, before: Option<&str>, last: bool) -> Option<Says> {
    let ends = |words: &[&str]| words.iter().any(|word| part.ends_with(word));
    if ends(&PASSWORDS) {
        return Some(Says::Password);
    }
    let short = SHORT.iter().find_map(|word| part.strip_suffix(word).map(|stem| (*word, stem)));
    if let Some((word, stem)) = short {
        // `PWD` is the directory of a shell.
        let shell = word == "PWD" && stem.is_empty() && before.is_none_or(|before| before == "OLD");
        let pass = before.is_some_and(|before| PASSES.contains(&before));
        return (last && STEMS.contains(&stem) && !shell && !pass).then_some(Says::Password);
    }
    if ends(&TOKENS) {
        return (!before.is_some_and(|before| TOKENIZER.contains(&before))).then_some(Says::Token);
    }
    if WHOLE.contains(&part) {
        // A `pat` alone may be a pattern.
        return (last && (part != "PAT" || before.is_some())).then_some(Says::Key);
    }
    let stem = part.strip_suffix("KEYS").or_else(|| part.strip_suffix("KEY"))?;
    let stem = if stem.is_empty() { before? } else { stem };
    KEYS.contains(&stem).then_some(Says::Key)
}

/// What a name in the manner of any format says: `clientSecret`, `db.password`, `--token`, `https://host/?sig`.
pub(super) fn says(name: &str) -> Option<Says> {
    // No name is so long, and a value may be.
    const MOST: usize = 100;
    let name = name.trim().trim_start_matches('-');
    // The annotations of Vault's injector hold paths and templates.
    if name.starts_with("vault.hashicorp.com/") {
        return None;
    }
    let name = name.rsplit(['?', '/']).next().unwrap_or_default();
    if name.is_empty() || name.len() > MOST || name.contains(char::is_whitespace) {
        return None;
    }
    let folded = kebab(name);
    let said = of_parts(name).or_else(|| of_parts(&folded))?;
    if name.rsplit('.').skip(1).any(|step| kebab(step) == "secret-key-ref") {
        return Some(Says::Entry);
    }
    (!REFERENCES.contains(&folded.as_str())).then_some(said)
}

/// Whether a value under this name is a credential.
pub(super) fn names_credential(name: &str) -> bool {
    says(name).is_some()
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
    first && rest && !known::is_known(text)
}

/// Whether a name mixes letters and digits as a key does that was made by a machine.
pub(super) fn is_random(name: &str) -> bool {
    let digit = name.contains(|c: char| c.is_ascii_digit());
    name.len() >= 6 && (digit || is_mixed(name)) && !is_variable(name)
}

/// Whether it is long, and mixed as no name of an entry is.
pub(super) fn is_key(value: &str) -> bool {
    known::is_known(value)
        || value.len() >= 20 && is_mixed(value) && value.contains(|c: char| c.is_ascii_digit())
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

/// Whether the words under this name of a `secret` say where the value is.
pub(super) fn refers(key: &str) -> bool {
    const REFERS: [&str; 7] = ["from", "key", "at", "secret-name", "secretName", "optional", "defaultMode"];
    REFERS.contains(&key)
}

/// Whether a platform's reference to a value stands under this name of a `secret`: `secretKeyRef: { name, key }`.
pub(super) fn refers_by_fields(key: &str) -> bool {
    matches!(key, "valueFrom" | "secretKeyRef" | "secretRef" | "value-from" | "secret-key-ref" | "secret-ref")
}

/// Whether a value of any name stands under it.
pub(super) fn is_value_key(key: &str) -> bool {
    matches!(key, "value" | "default" | "val" | "stringValue" | "string-value" | "literal")
}

/// Whether names and values of `param`s stand below it.
pub(super) fn holds_params(word: &str) -> bool {
    matches!(word, "param" | "params")
}

/// Whether names and values follow it in a row.
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
