//! Decides whether a value is a credential, if its name suggests one. References, on/off values, file paths, and short numbers are
//! not credentials.
use super::lex::expansion;
use super::names::{Says, holds_secrets, is_key, is_name, is_variable, says};
use crate::references;
use crate::spec::values::Scheme;
use tfjob_contract::from_base64;

/// Maximum length in bytes of a lower-case text that counts as an ordinary word, and not as a credential.
pub(super) const LONGEST_WORD: usize = 12;

/// Where a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stands {
    /// The value follows the name of an environment variable or field.
    Named,
    /// The value follows a command-line flag. Another flag may follow instead of the value.
    Behind,
    /// The value is in a script, in which a shell expands `$name` and backticks.
    Script,
}

/// Returns whether the value is a credential. `says`: the kind of credential that the name suggests.
pub(super) fn is_credential(says: Says, value: &str, stands: Stands) -> bool {
    const SWITCHES: [&str; 10] = ["", "true", "false", "yes", "no", "on", "off", "none", "null", "auto"];
    let value = value.trim();
    if let Some(inner) = literal_of(value) {
        return is_credential(says, inner, stands);
    }
    let bare = value.strip_prefix('#').unwrap_or(value).to_lowercase();
    if SWITCHES.contains(&bare.as_str()) || is_placeholder(value) || is_reference(value, stands) {
        return false;
    }
    // If the value is a shell operator, as in `--token < FILE`, the credential is in the file.
    if stands == Stands::Script && value.chars().all(|c| "<>|&;".contains(c)) {
        return false;
    }
    match says {
        Says::Login => return is_login(value),
        Says::Entry if is_entry(value) => return false,
        Says::Secret if is_secret_option(value) => return false,
        Says::Password | Says::Key | Says::Token | Says::Entry | Says::Secret => {}
    }
    // The value may be the name of a variable that contains the credential: `password_env = DB_PASSWORD`, `--password PASSWORD`.
    if stands != Stands::Named && is_variable(value) && self::says(value).is_some() {
        return false;
    }
    if let Some(rest) = without_references(value, stands) {
        // A few letters next to a reference are not a credential.
        let letters = rest.chars().filter(|c| c.is_alphanumeric()).count();
        return letters > 5 && rest.contains(|c: char| c.is_ascii_digit());
    }
    if value.parse::<f64>().is_ok() && value.contains(|c: char| c.is_ascii_digit()) {
        return is_long(says, value);
    }
    // A plain word may be a password, but not an access token. A name with "token" may mean a text token of a model, whose value is
    // often a plain word.
    if says == Says::Token && value.len() <= LONGEST_WORD && value.bytes().all(|b| b.is_ascii_lowercase()) {
        return false;
    }
    !(stands != Stands::Named && is_flag(value) || is_path(value) || is_elsewhere(value))
}

/// Returns whether the value is `NAME:KEY`: the name of a secret in a store, and a key of this secret.
fn is_entry(value: &str) -> bool {
    let name = |text: &str| is_name(text) && !is_key(text);
    value.split_once(':').is_some_and(|(secret, key)| name(secret) && name(key))
}

/// Returns whether the value is the name or the address of a secret in a store, or options with it, such as `id=npmrc,src=/etc/npmrc`
/// of Docker.
fn is_secret_option(value: &str) -> bool {
    const KEYS: [&str; 10] =
        ["id", "type", "src", "source", "target", "env", "mode", "uid", "gid", "required"];
    // A password or token in a URI is found as a part of the URI.
    value.starts_with("arn:")
        || value.contains("://")
        || value.split(',').all(|part| match part.split_once('=') {
            Some((key, _)) => KEYS.contains(&key),
            None => is_store_name(part),
        })
}

/// Returns whether the value has the form of the name of a secret in a store: words, numbers, and at most two short texts of letters and
/// digits, such as `mlflow2`. A UUID has more of them.
fn is_store_name(value: &str) -> bool {
    // A text of letters and digits that is at least this long may be a credential; with capitals, the second limit applies.
    const LONG: usize = 10;
    const LONG_WITH_CAPITALS: usize = 7;
    // A shorter text is a version, such as `v2`.
    const SHORT: usize = 4;
    let parts = || value.split(['-', '_', '.', '/', ':']);
    let is_mixed = |part: &str| {
        part.contains(|c: char| c.is_ascii_alphabetic()) && part.contains(|c: char| c.is_ascii_digit())
    };
    let is_part = |part: &str| {
        let has_capitals = part.contains(|c: char| c.is_ascii_uppercase());
        let limit = if has_capitals { LONG_WITH_CAPITALS } else { LONG };
        part.bytes().all(|b| b.is_ascii_alphanumeric()) && (part.len() < limit || !is_mixed(part))
    };
    let is_name = || parts().filter(|part| part.len() >= SHORT && is_mixed(part)).count() <= 2;
    is_variable(value) || parts().all(is_part) && is_name()
}

/// Returns whether the value is Base64 of `NAME:PASSWORD`, such as the field `auth` in the configuration of Docker.
fn is_login(value: &str) -> bool {
    const SHORTEST: usize = 8;
    let digits = value.trim_end_matches('=').as_bytes();
    let bytes =
        Some(digits).filter(|digits| digits.len() >= SHORTEST).and_then(from_base64).unwrap_or_default();
    let text = String::from_utf8(bytes).unwrap_or_default();
    // A password may be a document with line breaks, such as the key of a service account.
    let is_plain = text.chars().all(|c| !c.is_control() || c.is_whitespace());
    is_plain && text.split_once(':').is_some_and(|(name, password)| !name.is_empty() && !password.is_empty())
}

/// Returns whether a number has too many digits to be a count or an on/off value.
fn is_long(says: Says, number: &str) -> bool {
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    match says {
        Says::Password => digits > 2,
        Says::Key | Says::Token | Says::Entry | Says::Secret | Says::Login => {
            digits > 5 && !number.contains('.')
        }
    }
}

/// Returns whether the value is a placeholder, such as `<your-token>`, `***`, or `…`. A special token of a tokenizer counts as a
/// placeholder: `<image>`, `</s>`, `<|end|>`.
fn is_placeholder(value: &str) -> bool {
    let inside = value.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    let word = |c: char| c.is_ascii_lowercase() || matches!(c, '|' | '/' | '_' | '-' | ' ');
    let removed = value.trim_matches(['/', '[', ']', '<', '>', '*']).eq_ignore_ascii_case("redacted");
    removed
        || inside.is_some_and(|inside| inside.chars().all(word))
        || is_conversion(value)
        || is_pattern(value)
        || value.chars().all(|c| matches!(c, '*' | '.' | '…' | '/'))
}

/// Returns whether the value consists of conversions of `printf` and of punctuation: `%s`, `%s\n`, `%(name)s`, `%s:%s`.
fn is_conversion(value: &str) -> bool {
    let Some(first) = value.find('%') else { return false };
    let punctuation = |text: &str| {
        let text = text.replace("\\n", "").replace("\\r", "");
        !text.contains(char::is_alphanumeric)
    };
    let conversion = |part: &str| {
        let part = match part.strip_prefix('(').map(|named| named.split_once(')')) {
            Some(Some((name, part))) if is_name(name) => part,
            Some(_) => return false,
            None => part,
        };
        part.strip_prefix(['s', 'd', 'q', 'v']).is_some_and(punctuation)
    };
    punctuation(&value[..first]) && value[first + 1..].split('%').all(conversion)
}

/// Returns whether the value is the end of a pattern: `.*`, or `.*/password:` in the `sed` command `s/password: .*/password: $PW/`.
fn is_pattern(value: &str) -> bool {
    let rest = value.strip_prefix(".*").map(|rest| rest.trim_start_matches('$'));
    rest.is_some_and(|rest| {
        !rest.contains(char::is_alphanumeric) || rest.starts_with(['/', '|', '#', ',', '@'])
    })
}

/// Returns whether the whole value is a reference: `{param.lr}`, `$NAME`, `${NAME}`, `$(command)`.
pub(super) fn is_reference(value: &str, stands: Stands) -> bool {
    if let Some(inside) = value.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        // `{secret.NAME}` is a mistake for `{env.NAME}`, but it is no credential.
        let of_secret =
            inside.split_once('.').is_some_and(|(head, name)| holds_secrets(head) && is_variable(name));
        return of_secret || references::ALL.iter().any(|reference| reference.is(inside));
    }
    let Some(rest) = value.strip_prefix('$') else { return false };
    let shell = stands == Stands::Script;
    let name = |name: &str| {
        let first = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        first && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    let upper = |text: &str| name(text) && !text.contains(|c: char| c.is_ascii_lowercase());
    if rest.starts_with(['{', '(']) {
        // Outside of a script, `$(…)` is a reference only if it contains a name or a command with arguments.
        let inside = rest[1..].trim_end_matches([')', '}']);
        let plain = shell || rest.starts_with('{') || name(inside) || inside.contains(' ');
        return plain && expansion(value) == Some(value.len()) && literal_of(value).is_none();
    }
    let position =
        rest.is_empty() || rest.len() == 1 && rest.starts_with(|c: char| "0123456789@*#?".contains(c));
    upper(rest) || shell && (position || name(rest) || rest.starts_with('('))
}

/// Returns the literal value of `${NAME:-VALUE}` and `$(echo VALUE)`. `None` if the value is not such an expansion, or if VALUE is
/// another expansion.
fn literal_of(value: &str) -> Option<&str> {
    if expansion(value) != Some(value.len()) {
        return None;
    }
    let inside = &value[2..value.len() - 1];
    let literal = if value.starts_with("${") {
        let end = inside.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(inside.len());
        let rest = inside[end..].trim_start_matches(':');
        rest.strip_prefix(['-', '=']).filter(|_| end > 0)?
    } else {
        let (program, rest) = inside.trim().split_once(' ')?;
        let word = rest.split(['|', ';']).next()?.split_whitespace().rfind(|word| !word.starts_with('-'))?;
        matches!(program, "echo" | "printf").then_some(word)?
    };
    let literal = literal.trim_matches(['"', '\'', '\\']);
    (!literal.is_empty() && !literal.starts_with(['$', '`'])).then_some(literal)
}

/// Returns the text outside of the references. `None` if there are no references.
fn without_references(value: &str, stands: Stands) -> Option<String> {
    let shell = stands == Stands::Script;
    let (mut rest, mut out, mut any) = (value, String::new(), false);
    while let Some(at) = rest.find(['{', '$', '`']) {
        let here = &rest[at..];
        let end = match here.as_bytes() {
            [b'$', b'{' | b'(', ..] => expansion(here).map(|length| length - 1),
            [b'{', ..] => here.find('}'),
            [b'`', ..] if shell => here[1..].find('`').map(|end| end + 1),
            [b'$', ..] if shell => {
                here[1..].find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).or(Some(here.len() - 1))
            }
            _ => None,
        };
        let known = end.filter(|end| here.starts_with('`') || is_reference(&here[..=*end], stands));
        let length = known.map_or(1, |end| end + 1);
        any |= known.is_some();
        out.push_str(&rest[..at]);
        if known.is_none() {
            out.push_str(&here[..1]);
        }
        rest = &here[length..];
    }
    out.push_str(rest);
    any.then_some(out)
}

/// Returns whether the text is the next flag instead of a value: `--lr`, `--lr=0.1`, `-lr`, `-O3`.
fn is_flag(value: &str) -> bool {
    let name = value.split('=').next().unwrap_or_default();
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if let Some(long) = name.strip_prefix("--") {
        return long.is_empty()
            || long.starts_with(|c: char| c.is_ascii_alphabetic()) && long.chars().all(part);
    }
    let Some(short) = name.strip_prefix('-') else { return false };
    short.len() < 3 || short.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '-' | '_' | '.'))
}

/// Returns whether the value is a file path: an absolute path of lower-case words, or any path with the extension of a credential
/// file.
fn is_path(value: &str) -> bool {
    const ENDINGS: [&str; 15] = [
        "json", "pem", "p12", "key", "crt", "txt", "yaml", "yml", "ini", "cfg", "conf", "jks", "keytab",
        "token", "kdbx",
    ];
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '/');
    let (root, rest) = without_root(value);
    let segments: Vec<&str> = rest.split('/').filter(|segment| !segment.is_empty()).collect();
    if segments.is_empty() || !rest.chars().all(allowed) || segments.iter().any(|segment| is_made(segment)) {
        return false;
    }
    let ending = segments.last().and_then(|last| last.rsplit_once('.')).map_or("", |(_, ending)| ending);
    if ENDINGS.contains(&ending) {
        return true;
    }
    let small = |segment: &&str| !segment.contains(|c: char| c.is_ascii_uppercase()) || is_variable(segment);
    let letters = |segment: &str| segment.bytes().all(|b| b.is_ascii_lowercase() || matches!(b, b'.' | b'_'));
    root && segments.iter().all(small) && (segments.len() > 1 || letters(segments[0]))
}

/// Returns whether a path begins with `/`, `./`, `../`, `~/`, or a reference. Also returns the rest of the path.
fn without_root(value: &str) -> (bool, &str) {
    if let Some(rest) = ["./", "../", "~/", "/"].iter().find_map(|root| value.strip_prefix(root)) {
        return (true, rest);
    }
    match value.split_once('/') {
        Some((first, rest)) if is_reference(first, Stands::Named) => (true, rest),
        Some(_) | None => (false, value),
    }
}

/// Returns whether the text looks generated: long, with many digits or capitals.
pub(super) fn is_made(text: &str) -> bool {
    let count = |is: fn(&u8) -> bool| text.bytes().filter(is).count();
    let (digits, upper, lower) =
        (count(u8::is_ascii_digit), count(u8::is_ascii_uppercase), count(u8::is_ascii_lowercase));
    let joined = text.contains(['.', '_', '-']);
    text.len() > 15 && digits > 2 && lower + upper > 2 && !joined
        || text.len() > 11 && digits > 1 && upper > 1 && lower > 1
}

/// Returns whether the value is a URI of a secret store or a file system.
fn is_elsewhere(value: &str) -> bool {
    // Schemes that are accepted in addition to the schemes of a spec. Web URLs are excluded, because such a URL may itself be a
    // credential.
    const STORES: [&str; 7] = ["abfss", "wasb", "wasbs", "secret", "vault", "arn", "env"];
    let Some((word, rest)) = value.split_once(':') else { return false };
    let ours = || Scheme::ALL.iter().any(|scheme| scheme.word() == word && !scheme.class().is_served());
    (STORES.contains(&word) || ours()) && !rest.contains(['@', '?']) && !rest.split('/').any(is_made)
}

/// Returns the parameters that a text references: `{param.NAME}`, and `$TFJOB_PARAM_NAME` in a script.
pub(super) fn params(text: &str) -> impl Iterator<Item = String> {
    let braces = text.match_indices("{param.").filter_map(|(at, mark)| {
        let rest = &text[at + mark.len()..];
        rest.find('}').map(|end| rest[..end].to_owned())
    });
    let variables = text.match_indices("TFJOB_PARAM_").map(|(at, mark)| {
        let rest = &text[at + mark.len()..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        rest[..end].to_lowercase().replace('_', "-")
    });
    braces.chain(variables)
}
