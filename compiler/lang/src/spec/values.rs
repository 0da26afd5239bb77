//! The values of the language: each type has one grammar, which says what it does not accept, and one print.
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

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// Why a text is no value of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// The fact, as a diagnostic says it.
    pub message: String,
    /// What would be accepted.
    pub help: String,
    /// What was meant, as the value's text, where one answer is the likely one.
    pub instead: Option<String>,
    /// Whether that is another value, and not only another spelling of this one.
    pub guess: bool,
}

impl Wrong {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into(), instead: None, guess: false }
    }

    /// What is offered is another value: a person decides.
    fn guess(self) -> Self {
        Self { guess: true, ..self }
    }

    /// Offers `meant` for `text`, if it is another text and the type accepts it.
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

/// Gives types with `parse` and `Display` their way through serde and their place in the schema: a format that only
/// this language knows, and a pattern that holds for each of its texts, for editors of JSON and YAML.
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

/// Declares the types that are their text, with a check.
macro_rules! checked_texts {
    ($($(#[$meta:meta])* $type:ident by $check:ident;)*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $type(String);

        impl $type {
            /// Reads one.
            ///
            /// # Errors
            /// Where the grammar does not hold.
            pub fn parse(text: &str) -> Result<Self, Wrong> {
                $check(text).map(|()| Self(text.to_owned()))
            }

            /// The text.
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
    /// A name that every platform accepts: a DNS-1035 label of at most 63 characters.
    Name by name;
    /// An absolute path without `.`, `..`, empty steps or NUL.
    AbsolutePath by path;
    /// The name of an environment variable, after POSIX.
    EnvName by env_name;
    /// Any text without NUL.
    Text by text;
}

/// Characters of a DNS label, RFC 1035.
const LABEL: usize = 63;

fn name(text: &str) -> Result<(), Wrong> {
    let bytes = text.as_bytes();
    let edge = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    let plain = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'-';
    if text.len() > LABEL {
        let fact = format!("a name of {} characters", text.chars().count());
        return Err(Wrong::new(
            fact,
            format!("a name has at most {LABEL} characters: it becomes a DNS label"),
        ));
    }
    if bytes.first().is_some_and(u8::is_ascii_lowercase) && edge(bytes.last()) && bytes.iter().all(plain) {
        return Ok(());
    }
    let near = text.to_lowercase().replace(['_', '.', ' '], "-");
    let help = "a name is a DNS label: `a` to `z`, digits and `-`, with a letter first and no `-` last";
    Err(Wrong::new(format!("`{text}` is not a name"), help).instead(text, near, name).guess())
}

fn path(text: &str) -> Result<(), Wrong> {
    let fact = format!("`{}` is not an absolute path", text.escape_debug());
    if text.contains(['\0', NO_CHARACTERS[0], NO_CHARACTERS[1]]) {
        return Err(Wrong::new(fact, "a path holds no NUL, nor U+FDD0 or U+FDD1"));
    }
    let Some(rest) = text.strip_prefix('/') else {
        return Err(Wrong::new(fact, "a path inside the container begins with `/`"));
    };
    if rest.split('/').any(|step| step == "..") {
        return Err(Wrong::new(fact, "`..` is not accepted: write where it leads"));
    }
    let steps: Vec<&str> = rest.split('/').filter(|step| !matches!(*step, "" | ".")).collect();
    let plain = format!("/{}", steps.join("/"));
    if plain == text {
        return on_linux(text);
    }
    let fact = format!("`{text}` has empty steps");
    Err(Wrong {
        message: fact,
        help: format!("the same path, plainly: `{plain}`"),
        instead: Some(plain),
        guess: false,
    })
}

/// The longest path in bytes: Linux' PATH_MAX, less the directory that a container runtime puts before it.
const PATH: usize = 4096 - 256;
/// The longest name of a file in bytes: Linux' NAME_MAX.
const STEP: usize = 255;

/// Whether Linux takes a path, and the name of each file and directory in it.
fn on_linux(path: &str) -> Result<(), Wrong> {
    if path.len() > PATH {
        let fact = format!("a path of {} bytes", path.len());
        let help = "a path has at most 3840 bytes: Linux takes 4095, and a container runtime puts its own directory before it";
        return Err(Wrong::new(fact, help));
    }
    match path.split('/').map(str::len).find(|length| *length > STEP) {
        Some(length) => {
            let fact = format!("a path with a name of {length} bytes");
            Err(Wrong::new(fact, "the name of a file or directory has at most 255 bytes on Linux"))
        }
        None => Ok(()),
    }
}

fn env_name(text: &str) -> Result<(), Wrong> {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    if text.bytes().all(word) && text.bytes().next().is_some_and(|b| !b.is_ascii_digit()) {
        return Ok(());
    }
    let help = "letters, digits and `_`, and no digit first";
    Err(Wrong::new(format!("`{}` is not the name of an environment variable", text.escape_debug()), help)
        .instead(text, text.replace(['-', '.', ' '], "_"), env_name)
        .guess())
}

/// Two of those that Unicode never gives to a character: they mark references in texts of ours.
pub(crate) const NO_CHARACTERS: [char; 2] = ['\u{fdd0}', '\u{fdd1}'];

fn text(text: &str) -> Result<(), Wrong> {
    if text.contains('\0') {
        return Err(Wrong::new("a text with a NUL character", "no platform carries a NUL: leave it out"));
    }
    if text.contains(NO_CHARACTERS) {
        let help = "Unicode keeps U+FDD0 and U+FDD1 for the inside of programs: leave them out";
        return Err(Wrong::new("a text with what Unicode calls no character", help));
    }
    Ok(())
}

/// Checks a text that must say something.
///
/// # Errors
/// Where it is empty or blank, or holds a NUL.
pub fn filled(said: &str) -> Result<(), Wrong> {
    if said.trim().is_empty() {
        return Err(Wrong::new("an empty text", "write what is meant, or remove it"));
    }
    text(said)
}

/// Checks what names a port of the role, be it with a path behind it: a port has a number of its own, and many tasks a
/// free one, so nothing is found by its number.
///
/// # Errors
/// Where a number stands for the name, or it holds a NUL.
pub fn port_name(said: &str) -> Result<(), Wrong> {
    let (name, path) = said.split_once('/').unwrap_or((said, ""));
    if !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit()) {
        let rest = if path.is_empty() { String::new() } else { format!("/{path}") };
        return Err(Wrong::new(
            format!("`{name}` is a number, and a port goes by its name here"),
            format!("give the port a name, `port \"web\" {name}`, and write `\"web{rest}\"`"),
        ));
    }
    text(said)
}

/// Checks the name of a tag, branch or commit: git would take one that begins with `-` for an option.
///
/// # Errors
/// Where it is empty, begins with `-`, or holds blanks or control characters.
pub fn git_ref(text: &str) -> Result<(), Wrong> {
    let odd = |c: char| c.is_whitespace() || c.is_control();
    if text.is_empty() || text.starts_with('-') || text.contains(odd) {
        let fact = format!("`{}` is no tag, branch or commit", text.escape_debug());
        return Err(Wrong::new(fact, "such as `v1.4.2`: no blanks, and no `-` first"));
    }
    Ok(())
}

/// Checks the name of a `param`: `{param.NAME}` and `--set param.NAME=` must be able to say it.
///
/// # Errors
/// Where it is not letters, digits, `_` and `-`, with a letter first.
pub fn param_name(text: &str) -> Result<(), Wrong> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    if text.bytes().all(plain) && text.bytes().next().is_some_and(|b| b.is_ascii_alphabetic()) {
        return Ok(());
    }
    let help = "letters, digits, `_` and `-`, with a letter first";
    let fact = format!("`{}` is not the name of a param", text.escape_debug());
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

/// A version: one to four numbers. It is a range: `2.15` is every 2.15, and rules ask what holds for its oldest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(Vec<u32>);

impl Version {
    /// Reads one: `2`, `2.15`, `3.3.6`.
    ///
    /// # Errors
    /// Where it is not one to four numbers with dots between, without needless zeros.
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
        let help = "numbers with dots between, such as `2.15` or `3.3.6`";
        let near = bare[..end].trim_end_matches('.');
        let wrong = Wrong::new(format!("`{}` is not a version", text.escape_debug()), help);
        let wrong = wrong.instead(text, near, Self::parse);
        // `2.15-gpu` is another build than `2.15`.
        Err(if near == bare { wrong } else { wrong.guess() })
    }

    /// Whether every version that this one can mean is `wanted` or newer. What is not said counts as 0.
    #[must_use]
    pub fn at_least(&self, wanted: (u32, u32)) -> bool {
        let part = |i: usize| self.0.get(i).copied().unwrap_or(0);
        (part(0), part(1)) >= wanted
    }

    /// The numbers.
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
