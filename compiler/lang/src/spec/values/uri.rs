//! URIs: a supported scheme, a host, and a path.
mod help;
mod repository;
mod scheme;

use super::Wrong;
use crate::diagnostic::nearest;
use crate::escape::Escaped;
use crate::references;
pub use repository::Page;
pub use scheme::{Class, Scheme};
use std::fmt;

/// A URI with a supported scheme.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uri {
    scheme: Scheme,
    host: String,
    path: String,
}

impl Uri {
    /// Parses a URI.
    ///
    /// # Errors
    /// Returns an error for an unknown or missing scheme, an invalid form, or credentials.
    pub fn parse(text: &str) -> Result<Self, Wrong> {
        if text.trim().is_empty() {
            return Err(Wrong::new(
                "the URI is empty",
                "write a URI, such as `hdfs://default/data`, or remove the field",
            ));
        }
        let fact = format!("invalid URI `{}`", text.escaped());
        if text.chars().any(|c| c.is_whitespace() || c.is_control() || super::is_noncharacter(c)) {
            let help = "spaces and control characters are not supported, and `%20` is not decoded; rename the file or \
                        directory, or create a link without spaces";
            return Err(Wrong::new(fact, help));
        }
        if let Some(path) = text.strip_prefix("./") {
            if is_shell(path) {
                return Err(Wrong::new(fact, UNREPLACED));
            }
            let uri = Self { scheme: Scheme::Beside, host: String::new(), path: path.to_owned() };
            return uri.check(text);
        }
        if let Some(git) = repository::of_address(text) {
            let help = format!("write `{git}` and set `ref`; repositories are fetched without credentials");
            return Err(Wrong::new(fact, help).instead(text, git, Self::parse).guess());
        }
        let Some((word, rest)) = text.split_once(':').filter(|(word, _)| !word.contains('/')) else {
            return Err(Self::without_scheme(fact, text));
        };
        let Some(scheme) = Scheme::ALL.iter().copied().find(|s| s.word() == word && *s != Scheme::Beside)
        else {
            return Err(Self::unknown_scheme(text, word, rest));
        };
        let Some(rest) = rest.strip_prefix("//") else {
            return Err(scheme.with_slashes(fact, text, rest));
        };
        let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        Self { scheme, host: host.to_owned(), path: path.to_owned() }.check(text)
    }

    fn without_scheme(fact: String, text: &str) -> Wrong {
        // The value has the form of the option `-v` of Docker: `/data:/mnt`.
        if let Some((node, at)) = text.split_once(":/").filter(|_| text.starts_with('/')) {
            return Wrong::new(fact, format!("write `\"file://{node}\" at=\"/{at}\"`"));
        }
        if text.starts_with('/') {
            return Wrong::new(
                fact,
                format!(
                    "write `file://{text}` for this path on every node, or `./…` for a path relative to the spec"
                ),
            );
        }
        if is_shell(text) {
            return Wrong::new(fact, UNREPLACED);
        }
        if text.starts_with("../") {
            let help = "`..` is not supported; use a path below the directory of the spec, such as `./data`, or an absolute \
                        URI, such as `file:///mnt/data`";
            return Wrong::new(fact, help);
        }
        let plain = text.trim_end_matches('/');
        if matches!(plain, "" | "." | "..") {
            return Wrong::new(fact, "write `./` for the directory of the spec").instead(
                text,
                if plain == "." { "./".to_owned() } else { String::new() },
                Self::parse,
            );
        }
        let first = plain.split('/').next().unwrap_or_default();
        // A name with an extension is a file, not a host.
        if first == plain && plain.rsplit_once('.').is_some_and(|(name, _)| !name.is_empty()) {
            return Wrong::new(fact, format!("write `./{plain}` for a file in the directory of the spec"));
        }
        Wrong::new(
            fact,
            format!(
                "write `./{plain}` for a path relative to the spec, or a full URI such as `hdfs://{first}/…`"
            ),
        )
    }

    fn unknown_scheme(text: &str, word: &str, rest: &str) -> Wrong {
        let words = || Scheme::ALL.iter().map(|s| s.word()).filter(|w| *w != ".");
        let known: Vec<&str> = words().collect();
        let wrong = Wrong::new(
            format!("unknown URI scheme `{}:`", word.escaped()),
            format!(
                "supported schemes: `{}`; write `./` for a path relative to the spec",
                known.join("`, `")
            ),
        );
        match nearest(word, words()) {
            Some(near) => wrong.instead(text, format!("{near}:{rest}"), Self::parse).guess(),
            None => wrong,
        }
    }

    /// Checks the path length of mounted URIs.
    fn on_linux(&self) -> Result<(), Wrong> {
        if self.scheme.class().is_disk() { super::on_linux(&self.path) } else { Ok(()) }
    }

    /// Checks that the URI has the form that its scheme requires.
    fn check(self, text: &str) -> Result<Self, Wrong> {
        let wrong = |help: String| Wrong::new(format!("invalid URI `{text}`"), help);
        let scheme = self.scheme;
        if self.host.contains('@') && scheme != Scheme::Abfs {
            return Err(Wrong::new("the URI contains credentials", self.without_credentials()));
        }
        if let Some(reference) = reference(text) {
            let help =
                "write the full URI; or pass the URI as an argument of `run`, where references are expanded";
            return Err(Wrong::new(format!("`{reference}` is not expanded in a URI"), help));
        }
        self.on_linux()?;
        let at_port = scheme == Scheme::Hdfs || scheme.class().is_served();
        let port = self.host.rsplit_once(':').map(|(_, port)| port).filter(|_| at_port);
        if port.is_some_and(|port| port.parse::<u16>().is_ok_and(|n| n == 0) || port.parse::<u16>().is_err())
        {
            return Err(wrong("use a port from 1 to 65535".to_owned()));
        }
        if scheme == Scheme::Nfs && self.host.contains(':') && !self.host.starts_with('[') {
            let host = self.host.split(':').next().unwrap_or_default();
            let instead = format!("nfs://{host}{}", self.path);
            let fact = format!("invalid host `{}`: an `nfs:` URI has no `:` before the path", self.host);
            return Err(Wrong {
                instead: Some(instead.clone()),
                // The suggested URI does not contain the text after the `:` of the host. If this text is not empty, the
                // suggestion is a different value.
                guess: !self.host.ends_with(':'),
                ..Wrong::new(fact, format!("write `{instead}`"))
            });
        }
        if self.path.split(['/', '?', '#']).any(|step| step == "..") {
            return Err(wrong(
                "write the path without `..`, such as `/data` instead of `/data/train/..`".to_owned(),
            ));
        }
        let rooted = self.path.starts_with('/') && self.path != "/";
        let good = match scheme {
            Scheme::Hdfs => rooted,
            Scheme::Viewfs | Scheme::Http | Scheme::Https | Scheme::GitHttps => {
                !self.host.is_empty() && rooted
            }
            Scheme::Nfs => !self.host.is_empty() && self.path.starts_with('/'),
            Scheme::S3 | Scheme::S3a | Scheme::Gs => !self.host.is_empty(),
            Scheme::Abfs => self.host.split_once('@').is_some_and(|(c, a)| !c.is_empty() && !a.is_empty()),
            Scheme::Pvc => is_claim(&self.host),
            Scheme::File => self.host.is_empty() && self.path.starts_with('/'),
            Scheme::Beside => !self.path.starts_with('/'),
        };
        if !good {
            return Err(wrong(self.form_help()));
        }
        let on_disk = scheme.class().is_disk();
        if on_disk && (self.path.contains("//") || self.path.split('/').any(|step| step == ".")) {
            return Err(wrong("remove `//` and `/./` from the path, such as `/data/train`".to_owned()));
        }
        if let Some(escape) = escape(&self.path).filter(|_| on_disk) {
            let help = format!(
                "percent-encoding is not decoded in a path; rename the file or directory without `{escape}`"
            );
            return Err(wrong(help));
        }
        Ok(self)
    }

    /// Returns the scheme.
    #[must_use]
    pub const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Returns the part between `//` and the next `/`: name service, bucket, host, or claim; may be empty.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Returns whether the URI is on the default HDFS of the cluster.
    #[must_use]
    pub fn is_of_site(&self) -> bool {
        self.scheme == Scheme::Hdfs && matches!(self.host.as_str(), "" | "default")
    }

    /// Returns the string that a program opens: the path of a `file:` URI, otherwise the URI. The built-in functions of
    /// Python do not open `file:` URIs.
    #[must_use]
    pub fn opened(&self) -> String {
        match self.scheme.class() {
            Class::Node => self.path.clone(),
            Class::Hadoop | Class::Bucket | Class::Web | Class::Repository | Class::Volume | Class::Spec => {
                self.to_string()
            }
        }
    }

    /// Returns the path, from the first `/` on. It may be empty. For a relative path, returns the part after `./`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the last segment of the path. It is empty if the path ends with `/`. For web URIs, the query and fragment
    /// are omitted. In other URIs, `?` and `#` are part of the name.
    #[must_use]
    pub fn name(&self) -> &str {
        let end = self.path.find(['?', '#']).filter(|_| self.scheme.class().is_served());
        let path = end.map_or(self.path.as_str(), |end| &self.path[..end]);
        path.rsplit('/').next().unwrap_or_default()
    }
}

/// Help for downloads that would need credentials.
pub(crate) const FETCHED_WITHOUT: &str = "downloads cannot use secrets; build private files into the image, or use \
    storage that the identity of the platform can read, such as `s3://BUCKET/PATH`";

/// Help for paths with shell syntax.
const UNREPLACED: &str =
    "`~` and variables are not expanded in a URI; write the full path, such as `file:///home/ann/data`";

/// Returns whether a path begins with `~` or a shell variable.
fn is_shell(path: &str) -> bool {
    let first = path.split('/').next().unwrap_or_default();
    let variable = first.strip_prefix('$').is_some_and(|name| {
        let name = name.trim_start_matches('{').trim_end_matches('}');
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
    });
    first == "~" || variable
}

/// Returns the first percent escape in a path. Programs differ in whether they decode escapes.
fn escape(path: &str) -> Option<&str> {
    let hex = |at: usize| path.as_bytes().get(at).is_some_and(u8::is_ascii_hexdigit);
    path.match_indices('%').find(|(at, _)| hex(at + 1) && hex(at + 2)).map(|(at, _)| &path[at..at + 3])
}

/// Returns the first reference that would be expanded in `run` but not in a URI.
fn reference(text: &str) -> Option<&str> {
    let bodies = text.match_indices('{').filter_map(|(at, _)| {
        let end = text[at..].find('}')?;
        Some((&text[at..=at + end], &text[at + 1..at + end]))
    });
    let known = |body: &str| references::ALL.iter().any(|reference| reference.is(body));
    bodies.into_iter().find(|(_, body)| known(body)).map(|(whole, _)| whole)
}

/// Returns whether the text is a valid claim name, RFC 1123: lower-case letters, digits, `-`, and `.`, at most 253 characters.
fn is_claim(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let step = |step: &str| {
        let edges = step.bytes().next().is_some_and(plain) && step.bytes().last().is_some_and(plain);
        edges && step.bytes().all(|b| plain(b) || b == b'-')
    };
    text.len() <= 253 && text.split('.').all(step)
}

impl fmt::Display for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.scheme {
            Scheme::Beside => write!(f, "./{}", self.path),
            scheme => write!(f, "{}://{}{}", scheme.word(), self.host, self.path),
        }
    }
}
