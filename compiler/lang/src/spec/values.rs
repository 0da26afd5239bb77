//! Value types of a spec. Each type has one grammar with error messages, and one canonical form.
mod archive;
mod image;
mod quantity;
mod uri;
mod word;

pub use archive::Archive;
pub use image::Image;
pub use quantity::{Cores, Duration, Memory};
pub(crate) use uri::FETCHED_WITHOUT;
pub use uri::{Class, Page, Scheme, Uri};
pub use word::{Word, WordKind};

use crate::escape::Escaped;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// The reason why a string is not a valid value of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// Message of the diagnostic.
    pub message: String,
    /// Help of the diagnostic.
    pub help: String,
    /// Likely intended value, if it is unique.
    pub instead: Option<String>,
    /// Whether `instead` is a different value, and not only another spelling of the same value.
    pub guess: bool,
    /// The possible values, one per reading of an ambiguous string. The help names them.
    pub choices: Vec<String>,
}

impl Wrong {
    pub(super) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into(), instead: None, guess: false, choices: Vec::new() }
    }

    /// Sets the possible values of an ambiguous string. Values that are not valid are dropped.
    fn choose<T>(
        mut self,
        choices: impl IntoIterator<Item = String>,
        parse: impl Fn(&str) -> Result<T, Self>,
    ) -> Self {
        self.choices = choices.into_iter().filter(|choice| parse(choice).is_ok()).collect();
        self
    }

    /// Marks `instead` as a different value. The fix is then only a suggestion.
    fn guess(self) -> Self {
        Self { guess: true, ..self }
    }

    /// Sets `meant` as the likely intended value, if it differs from `text` and is valid.
    fn instead<T>(
        mut self,
        text: &str,
        meant: impl Into<String>,
        parse: impl Fn(&str) -> Result<T, Self>,
    ) -> Self {
        let meant = meant.into();
        if meant != text && parse(&meant).is_ok() {
            self.instead = Some(meant);
        }
        self
    }
}

/// Implements serde and the schema for types with `parse` and `Display`. The schema has a custom `format`, and a `pattern`
/// for editors of JSON and YAML.
macro_rules! text_values {
    ($($type:ident $format:literal $($pattern:literal)?;)*) => {$(
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = Cow::<str>::deserialize(deserializer)?;
                Self::parse(&text).map_err(|wrong| serde::de::Error::custom(wrong.message))
            }
        }

        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                schemars::json_schema!({ "type": "string", "format": $format $(, "pattern": $pattern)? })
            }
        }
    )*};
}

text_values! {
    Name "name" "^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$";
    Memory "memory" "^([1-9][0-9]*(MiB|GiB|TiB)|(102[4-9]|10[3-9][0-9]|1[1-9][0-9]{2}|[2-9][0-9]{3}|[1-9][0-9]{4,})KiB)$";
    Duration "duration" "^([0-9]+[dhms]){1,4}$";
    Image "image";
    AbsolutePath "path" "^/";
    EnvName "env-name" "^[A-Za-z_][A-Za-z0-9_]*$";
    Text "text";
    Uri "uri" "^(\\./|(hdfs|viewfs|s3|s3a|gs|abfs|http|https|git\\+https|nfs|pvc|file)://)";
    Version "version" "^[0-9]+(\\.[0-9]+){0,3}$";
}

/// Declares string types, each with the function that checks its values.
macro_rules! checked_texts {
    ($($(#[$meta:meta])* $type:ident by $check:ident;)*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $type(String);

        impl $type {
            /// Parses a value.
            ///
            /// # Errors
            /// Returns why the string violates the grammar.
            pub fn parse(text: &str) -> Result<Self, Wrong> {
                $check(text).map(|()| Self(text.to_owned()))
            }

            /// Returns the string.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Deref for $type {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}

checked_texts! {
    /// A name that is valid on every platform: a DNS-1035 label of at most 63 characters.
    Name by name;
    /// A normalized absolute path: without `.`, `..`, `//`, or NUL.
    AbsolutePath by path;
    /// A POSIX environment variable name.
    EnvName by env_name;
    /// Any string without NUL.
    Text by text;
}

/// Text in the help for an ambiguous size. It joins the value in units of 1024 and the value in units of 1000.
pub(crate) const BINARY_OR: &str = " for units of 1024, or ";
/// Examples in the help for an invalid version. The examples of a field replace them.
pub(crate) const VERSIONS: &str = "such as `2.15` or `3.3.6`";

/// Maximum length of a DNS label in bytes, by RFC 1035.
const LABEL: usize = 63;

fn name(text: &str) -> Result<(), Wrong> {
    let bytes = text.as_bytes();
    let edge = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    let plain = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'-';
    if text.len() > LABEL {
        let fact = format!("name too long: {} characters", text.chars().count());
        return Err(Wrong::new(
            fact,
            format!("use at most {LABEL} characters; the name becomes a DNS label"),
        ));
    }
    if bytes.first().is_some_and(u8::is_ascii_lowercase) && edge(bytes.last()) && bytes.iter().all(plain) {
        return Ok(());
    }
    let near = text.to_lowercase().replace(['_', '.', ' '], "-");
    let help = "use only lower-case letters, digits, and `-`; start with a letter, and do not end with `-`";
    Err(Wrong::new(format!("invalid name `{text}`"), help).instead(text, near, name).guess())
}

fn path(text: &str) -> Result<(), Wrong> {
    let fact = format!("`{}` is not an absolute path", text.escaped());
    if text.contains('\0') || text.contains(is_noncharacter) {
        let fact = format!("path `{}` contains NUL, U+FDD0, U+FDD1, U+FFFE, or U+FFFF", text.escaped());
        return Err(Wrong::new(fact, "remove these characters from the path"));
    }
    let Some(rest) = text.strip_prefix('/') else {
        return Err(Wrong::new(fact, "start the path with `/`"));
    };
    if rest.split('/').any(|step| step == "..") {
        return Err(Wrong::new(
            format!("path `{}` contains `..`", text.escaped()),
            "write the path without `..`, such as `/data` instead of `/data/train/..`",
        ));
    }
    let steps: Vec<&str> = rest.split('/').filter(|step| !matches!(*step, "" | ".")).collect();
    let plain = format!("/{}", steps.join("/"));
    if plain == text {
        return on_linux(text);
    }
    let fact = format!("path `{text}` contains `//`, `/./`, or a trailing `/`");
    Err(Wrong { instead: Some(plain.clone()), ..Wrong::new(fact, format!("write `{plain}`")) })
}

/// Maximum path length in bytes: `PATH_MAX` of Linux, minus 256 bytes for the directory that a container runtime prepends.
const PATH: usize = 4096 - 256;
/// Maximum file name length in bytes: `NAME_MAX` of Linux.
const STEP: usize = 255;

/// Checks the path against the length limits of Linux.
fn on_linux(path: &str) -> Result<(), Wrong> {
    if path.len() > PATH {
        let fact = format!("path too long: {} bytes", path.len());
        let help =
            "use at most 3840 bytes; Linux allows 4095, and the container runtime prepends a directory";
        return Err(Wrong::new(fact, help));
    }
    match path.split('/').map(str::len).find(|length| *length > STEP) {
        Some(length) => {
            let fact = format!("file name too long: {length} bytes");
            Err(Wrong::new(fact, "use at most 255 bytes per file or directory name, the limit of Linux"))
        }
        None => Ok(()),
    }
}

fn env_name(text: &str) -> Result<(), Wrong> {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    if text.bytes().all(word) && text.bytes().next().is_some_and(|b| !b.is_ascii_digit()) {
        return Ok(());
    }
    let help = "use only letters, digits, and `_`, and do not start with a digit";
    Err(Wrong::new(format!("invalid environment variable name `{}`", text.escaped()), help)
        .instead(text, text.replace(['-', '.', ' '], "_"), env_name)
        .guess())
}

/// Two Unicode noncharacters, which mark references in generated strings.
pub(crate) const NO_CHARACTERS: [char; 2] = ['\u{fdd0}', '\u{fdd1}'];

/// Returns whether a string must not contain this character: a mark of references, or one of the two noncharacters that tools for
/// YAML refuse even if they are escaped.
fn is_noncharacter(c: char) -> bool {
    NO_CHARACTERS.contains(&c) || matches!(c, '\u{fffe}' | '\u{ffff}')
}

fn text(text: &str) -> Result<(), Wrong> {
    if text.contains('\0') {
        return Err(Wrong::new(
            "NUL character in a string",
            "remove the NUL character; arguments and environment variables cannot contain it",
        ));
    }
    if text.contains(is_noncharacter) {
        let help = "remove the character; Unicode reserves it for internal use";
        return Err(Wrong::new("noncharacter U+FDD0, U+FDD1, U+FFFE, or U+FFFF in a string", help));
    }
    Ok(())
}

/// Checks a non-empty string.
///
/// # Errors
/// Returns an error if the string is empty or blank, or contains NUL.
pub fn filled(said: &str) -> Result<(), Wrong> {
    if said.trim().is_empty() {
        let fact = if said.is_empty() { "empty string" } else { "string with only whitespace" };
        return Err(Wrong::new(fact, "write a value, or remove the field"));
    }
    text(said)
}

/// Checks a port name, optionally followed by a path. Ports are referenced by name, because a number may be chosen at
/// startup.
///
/// # Errors
/// Returns an error for a number instead of a name, and for NUL.
pub fn port_name(said: &str) -> Result<(), Wrong> {
    if let Some((_, rest)) = said.split_once("://") {
        let path = rest.split_once('/').map_or_else(String::new, |(_, path)| format!("/{path}"));
        return Err(Wrong::new(
            "expected a port name, found a URL",
            format!("write the name of a port in place of scheme, host, and number, such as `\"web{path}\"`"),
        ));
    }
    let (name, path) = said.split_once('/').unwrap_or((said, ""));
    if !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit()) {
        let rest = if path.is_empty() { String::new() } else { format!("/{path}") };
        return Err(Wrong::new(
            format!("expected a port name, found the number `{name}`"),
            format!("name the port with `port \"web\" {name}`, and write `\"web{rest}\"`"),
        ));
    }
    text(said)
}

/// Checks a tag, branch, or commit. Git would parse a leading `-` as an option.
///
/// # Errors
/// Returns an error if the text is empty, begins with `-`, or contains whitespace or control characters.
pub fn git_ref(text: &str) -> Result<(), Wrong> {
    let odd = |c: char| c.is_whitespace() || c.is_control();
    if text.is_empty() || text.starts_with('-') || text.contains(odd) {
        let fact = format!("invalid Git reference `{}`", text.escaped());
        return Err(Wrong::new(
            fact,
            "write a tag, branch, or commit such as `v1.4.2`, without spaces and without a leading `-`",
        ));
    }
    Ok(())
}

/// Checks a parameter name, as used in `{param.NAME}` and `--set param.NAME=`.
///
/// # Errors
/// Returns an error for any character other than letters, digits, `_`, and `-`, and for a first character other than a
/// letter.
pub fn param_name(text: &str) -> Result<(), Wrong> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    if text.bytes().all(plain) && text.bytes().next().is_some_and(|b| b.is_ascii_alphabetic()) {
        return Ok(());
    }
    let help = "use only letters, digits, `_`, and `-`, and start with a letter";
    let fact = format!("invalid parameter name `{}`", text.escaped());
    Err(Wrong::new(fact, help).instead(text, text.replace(['.', ' ', '/'], "-"), param_name).guess())
}

/// A port, 1 to 65535.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Port(#[schemars(range(min = 1))] pub u16);

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A version: one to four numbers. `2.15` means any version 2.15.x; rules then assume 2.15.0.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(Vec<u32>);

impl Version {
    /// Parses a version: `2`, `2.15`, `3.3.6`.
    ///
    /// # Errors
    /// Returns an error unless the text is one to four dot-separated numbers without leading zeros.
    pub fn parse(text: &str) -> Result<Self, Wrong> {
        let number = |part: &str| {
            let plain = part.bytes().all(|b| b.is_ascii_digit()) && (part == "0" || !part.starts_with('0'));
            part.parse::<u32>().ok().filter(|_| plain)
        };
        let parts: Option<Vec<u32>> = text.split('.').map(number).collect();
        if let Some(parts) = parts.filter(|parts| parts.len() <= 4) {
            return Ok(Self(parts));
        }
        let bare = text.trim_start_matches(['v', 'V']);
        let end = bare.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(bare.len());
        let help = format!("write numbers separated by dots, {VERSIONS}");
        let near = bare[..end].trim_end_matches('.');
        let wrong = Wrong::new(format!("invalid version `{}`", text.escaped()), help);
        let wrong = wrong.instead(text, near, Self::parse);
        // `2.15-gpu` is a different build than `2.15`, so the fix is then only a suggestion.
        Err(if near == bare { wrong } else { wrong.guess() })
    }

    /// Returns whether the version is at least `wanted`. Omitted parts count as 0.
    #[must_use]
    pub fn at_least(&self, wanted: (u32, u32)) -> bool {
        let part = |i: usize| self.0.get(i).copied().unwrap_or(0);
        (part(0), part(1)) >= wanted
    }

    /// Returns the numbers.
    #[must_use]
    pub fn parts(&self) -> &[u32] {
        &self.0
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, part) in self.0.iter().enumerate() {
            write!(f, "{}{part}", if i == 0 { "" } else { "." })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
