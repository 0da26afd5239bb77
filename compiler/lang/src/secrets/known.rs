//! Finds credentials that are recognizable without a name: tokens in the format of well-known services, and user information in
//! URIs.
mod data_source;
pub(super) mod hooks;

pub(super) use data_source::{all as sources, is_address};

use super::values::{Stands, is_made, is_reference};
use memchr::memmem;
use std::ops::Range;

/// Format of the credentials of one service: prefix, minimum length of the rest, and permitted characters.
struct Mark {
    start: &'static str,
    least: usize,
    body: Body,
}

#[derive(Clone, Copy)]
enum Body {
    /// Capitals and digits.
    Capital,
    /// Hexadecimal digits.
    Hex,
    /// Letters and digits.
    Plain,
    /// Letters, digits, `_`, `-` and `.`, with a digit among them.
    Any,
    /// Characters of [`Body::Any`], with at least one dot.
    Dotted,
}

const fn mark(start: &'static str, least: usize, body: Body) -> Mark {
    Mark { start, least, body }
}

/// Formats from the documentation of each service and from the rules of secret scanners.
const MARKS: [Mark; 43] = [
    mark("AKIA", 12, Body::Capital),
    mark("ASIA", 12, Body::Capital),
    mark("AGE-SECRET-KEY-1", 20, Body::Capital),
    mark("AIza", 30, Body::Any),
    mark("ya29.", 16, Body::Any),
    mark("GOCSPX-", 16, Body::Any),
    mark("ghp_", 8, Body::Plain),
    mark("gho_", 8, Body::Plain),
    mark("ghu_", 8, Body::Plain),
    mark("ghs_", 8, Body::Plain),
    mark("ghr_", 8, Body::Plain),
    mark("github_pat_", 8, Body::Any),
    mark("glpat-", 8, Body::Any),
    mark("gldt-", 8, Body::Any),
    mark("glrt-", 8, Body::Any),
    mark("xoxb-", 8, Body::Any),
    mark("xoxp-", 8, Body::Any),
    mark("xoxa-", 8, Body::Any),
    mark("xoxr-", 8, Body::Any),
    mark("xoxs-", 8, Body::Any),
    mark("xapp-", 8, Body::Any),
    mark("hf_", 20, Body::Plain),
    mark("api_org_", 20, Body::Plain),
    mark("sk-", 20, Body::Any),
    mark("sk_live_", 16, Body::Plain),
    mark("sk_test_", 16, Body::Plain),
    mark("rk_live_", 16, Body::Plain),
    mark("whsec_", 16, Body::Plain),
    mark("gsk_", 20, Body::Plain),
    mark("nvapi-", 20, Body::Any),
    mark("npm_", 30, Body::Plain),
    mark("pypi-", 30, Body::Any),
    mark("dckr_pat_", 16, Body::Any),
    mark("dop_v1_", 32, Body::Hex),
    mark("dapi", 32, Body::Hex),
    mark("glsa_", 20, Body::Any),
    mark("hvs.", 16, Body::Any),
    mark("tskey-", 16, Body::Any),
    mark("lsv2_", 16, Body::Any),
    mark("ATATT3", 30, Body::Any),
    mark("SG.", 30, Body::Dotted),
    mark("eyJ", 20, Body::Dotted),
    mark("eyJhdXRocyI6", 12, Body::Plain),
];

/// For each byte, whether a format begins with it. With this table, the search skips most bytes of a text.
const STARTS: [bool; 256] = {
    let mut starts = [false; 256];
    let mut mark = 0;
    while mark < MARKS.len() {
        starts[MARKS[mark].start.as_bytes()[0] as usize] = true;
        mark += 1;
    }
    starts
};

impl Body {
    const fn holds(self, b: u8) -> bool {
        match self {
            Self::Capital => b.is_ascii_uppercase() || b.is_ascii_digit(),
            Self::Hex => b.is_ascii_hexdigit(),
            Self::Plain => b.is_ascii_alphanumeric(),
            Self::Any | Self::Dotted => b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'),
        }
    }
}

impl Mark {
    /// Returns the end of a credential of this format that begins at `at`.
    fn end(&self, text: &str, at: usize) -> Option<usize> {
        // Number of bytes that are checked to recognize a credential. The limit bounds the time for a text that is one long word.
        const ENOUGH: usize = 512;
        let rest = text[at..].strip_prefix(self.start)?;
        let body = &rest[..rest.bytes().take(ENOUGH).take_while(|b| self.body.holds(*b)).count()];
        let digit = || body.bytes().any(|b| b.is_ascii_digit());
        let fits = match self.body {
            Body::Capital | Body::Hex | Body::Plain => true,
            Body::Any => digit(),
            Body::Dotted => digit() && body.contains('.'),
        };
        let length = || rest.bytes().take_while(|b| self.body.holds(*b)).count();
        (fits && body.len() >= self.least).then(|| at + self.start.len() + length())
    }
}

/// Finds credentials of services, private keys, and HTTP authorization headers.
pub(super) fn services(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut before = b' ';
    let mut next = 0;
    for (at, b) in text.bytes().enumerate() {
        let inside = before.is_ascii_alphanumeric() || matches!(before, b'_' | b'-');
        before = b;
        if at < next || inside || !STARTS[usize::from(b)] {
            continue;
        }
        let begins = |mark: &&Mark| mark.start.as_bytes().first() == Some(&b);
        if let Some(end) = MARKS.iter().filter(begins).filter_map(|mark| mark.end(text, at)).max() {
            found.push(at..end);
            next = end;
        }
    }
    found.extend(keys(text));
    found.extend(headers(text));
    found.extend(hooks::webhooks(text));
    found.extend(hooks::logins::all(text));
    found.extend(hooks::of_images(text));
    found.extend(hooks::arguments::all(text));
    found
}

/// Finds a mark in a text, faster than [`str::match_indices`], which has no SIMD instructions. Returns the offsets of the mark, each with
/// the mark.
pub(in crate::secrets) fn occurrences<'t>(
    text: &'t str,
    mark: &'static str,
) -> impl Iterator<Item = (usize, &'static str)> + 't {
    memmem::find_iter(text.as_bytes(), mark.as_bytes()).map(move |at| (at, mark))
}

/// Finds private keys, from the `BEGIN` line to the `END` line.
fn keys(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut next) = (Vec::new(), 0);
    for (at, _) in occurrences(text, "-----BEGIN ") {
        let rest = &text[at..];
        let title = rest.split(['\n', '\\', '"']).next().unwrap_or_default();
        if at < next || title.contains("CERTIFICATE") || title.contains("PUBLIC") {
            continue;
        }
        let last = |end: usize| end + rest[end..].find(['"', '\n']).unwrap_or(rest.len() - end);
        next = at + rest.find("-----END ").map_or(rest.len(), last);
        found.push(at..next);
    }
    found
}

/// Finds the tokens of `Bearer TOKEN` and `Basic TOKEN`.
fn headers(text: &str) -> impl Iterator<Item = Range<usize>> {
    // Other schemes, such as `token`, are ordinary words, so they count only directly after `Authorization:`.
    let headers =
        ["uthorization: token ", "uthorization: ApiKey ", "uthorization: apikey ", "uthorization: Token "];
    let starts = ["Bearer ", "bearer ", "Basic ", "basic "]
        .into_iter()
        .chain(headers)
        .flat_map(|mark| occurrences(text, mark).map(move |(at, mark)| at + mark.len()));
    starts.filter_map(|start| {
        let rest = &text[start..];
        let end = rest.find(|c: char| c.is_whitespace() || "\"'`\\,;&|)}".contains(c)).unwrap_or(rest.len());
        let word = &rest[..end];
        let mixed = word.contains(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase() || c == '=');
        let value = end > 7 && mixed && !word.starts_with(['$', '{', '<']);
        value.then_some(start..start + end)
    })
}

/// Returns whether the value contains a credential that is recognizable without its name.
pub(super) fn is_known(value: &str) -> bool {
    !services(value).is_empty()
}

/// Schemes of URIs without file paths. In such a URI, an `@` is always the end of the user information, not a part of a path.
const SERVERS: [&str; 14] = [
    "postgres",
    "postgresql",
    "mysql",
    "mariadb",
    "mongodb",
    "redis",
    "rediss",
    "amqp",
    "amqps",
    "mssql",
    "oracle",
    "clickhouse",
    "ldap",
    "smtp",
];

/// Finds passwords and tokens in URIs: `postgres://name:password@host`, `https://token@host`; and in data source names.
///
/// A password may contain unescaped `/`, `#`, and `?`. `ends`: whether a character ends a URI.
pub(super) fn passwords(text: &str, ends: fn(char) -> bool) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    // This search is faster than the ones after it, and most texts contain no `@`.
    if !text.contains('@') {
        return found;
    }
    // The end of the current word, and the last `@` in this word. This cache ensures that each word is searched only once.
    let mut word = (0, None);
    for (at, mark) in occurrences(text, "://") {
        let from = at + mark.len();
        if found.last().is_some_and(|last| from < last.end) {
            continue;
        }
        if from >= word.0 {
            let end = text[from..].find(ends).map_or(text.len(), |end| from + end);
            word = (end, text[from..end].rfind('@').map(|last| from + last));
        }
        let mut rest = &text[from..word.0];
        let Some(mut end) = word.1.filter(|last| *last >= from).map(|last| last - from) else { continue };
        let scheme = text[..at].rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        // A URI in quotes ends at the next quote: other URIs may follow in the same word, as in JSON without spaces.
        let quote = text[..at - scheme.len()].chars().next_back().filter(|c| matches!(c, '"' | '\''));
        if let Some(close) = quote.and_then(|quote| rest.find(quote)) {
            rest = &rest[..close];
            let Some(last) = rest.rfind('@') else { continue };
            end = last;
        }
        let host = rest.find(['/', '#', '?']).unwrap_or(rest.len());
        let user = match rest[..end].find(':').filter(|colon| *colon < host) {
            Some(colon) => {
                let port = &rest[colon + 1..host];
                // In `hdfs://host:8020/a@b`, the digits after `:` are a port, not a password.
                let number = !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
                let plain = number || is_reference(port, Stands::Script);
                if end > host && plain && !SERVERS.contains(&scheme) {
                    continue;
                }
                colon + 1..end
            }
            // A user name without a password is a credential if the name looks generated.
            None => match rest[..host].rfind('@') {
                Some(end) if is_made(&rest[..end]) => 0..end,
                Some(_) | None => continue,
            },
        };
        if is_password(&rest[user.clone()]) {
            found.push(from + user.start..from + user.end);
        }
    }
    found.extend(sources(text).filter(|at| is_password(&text[at.clone()])));
    found
}

/// Returns whether the text between a user and a host is a password, and not a placeholder or a reference.
fn is_password(value: &str) -> bool {
    let placeholder = value.starts_with('<') && value.ends_with('>') || value.bytes().all(|b| b == b'*');
    !value.is_empty() && !placeholder && !is_reference(value, Stands::Script)
}
