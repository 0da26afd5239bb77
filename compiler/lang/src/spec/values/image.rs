//! The name of a container image, by the grammar of the distribution project's `reference` package.
use super::Wrong;
use std::borrow::Cow;
use std::fmt;

/// The registry of an image that names none.
const HUB: &str = "docker.io";

/// `registry/repository:tag@digest`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Image {
    /// The registry, with its port; `None` means the node's default.
    pub registry: Option<String>,
    /// The repository, without registry.
    pub repository: String,
    /// The tag.
    pub tag: Option<String>,
    /// The digest, such as `sha256:…`.
    pub digest: Option<String>,
}

impl Image {
    /// Reads one.
    ///
    /// # Errors
    /// Where a part does not hold the grammar, or registry and repository are longer than 255 characters.
    pub fn parse(text: &str) -> Result<Self, Wrong> {
        let wrong = |help: &str| Wrong::new(format!("`{}` is not an image", text.escape_debug()), help);
        let (rest, digest) = match text.split_once('@') {
            Some((rest, digest)) => (rest, Some(digest)),
            None => (text, None),
        };
        let (name, tag) = match rest.rsplit_once(':') {
            Some((name, tag)) if !tag.contains('/') => (name, Some(tag)),
            _ => (rest, None),
        };
        let (registry, repository) = match name.split_once('/') {
            Some((first, rest)) if first == "localhost" || first.contains(['.', ':']) => (Some(first), rest),
            _ => (None, name),
        };
        if text.contains("://") {
            return Err(wrong("an image has no scheme: `registry/repository:tag`"));
        }
        if registry.is_some_and(|registry| !is_registry(registry)) {
            return Err(wrong("a registry is a host name, maybe with `:port`"));
        }
        if name.len() > 255 {
            return Err(wrong("registry and repository together have at most 255 characters"));
        }
        if !repository.split('/').all(is_step) {
            let help =
                "a repository is lower case: letters and digits with `.`, `_`, `__` or `-` between, and `/`";
            let near = text.replacen(repository, &repository.to_lowercase(), 1);
            return Err(wrong(help).instead(text, near, Self::parse).guess());
        }
        if tag.is_some_and(|tag| !is_tag(tag)) {
            return Err(wrong(
                "a tag has at most 128 letters, digits, `_`, `.` and `-`, and begins with none of `.-`",
            ));
        }
        if digest.is_some_and(|digest| !is_digest(digest)) {
            return Err(wrong(
                "a digest is its algorithm and its hexadecimal value, such as `@sha256:` and 64 digits",
            ));
        }
        Ok(Self {
            registry: registry.map(str::to_owned),
            repository: repository.to_owned(),
            tag: tag.map(str::to_owned),
            digest: digest.map(str::to_owned),
        })
    }

    /// The registry and the repository as Docker and containerd complete them (`reference.ParseNormalizedNamed`).
    #[must_use]
    pub(crate) fn full_name(&self) -> String {
        let registry = self.registry.as_deref().unwrap_or(HUB);
        let name = format!("{registry}/{}", self.repository);
        let name = Self::of_hub(&name);
        match name.strip_prefix(HUB).and_then(|rest| rest.strip_prefix('/')) {
            Some(repository) if !repository.contains('/') => format!("{HUB}/library/{repository}"),
            Some(_) | None => name.into_owned(),
        }
    }

    /// The beginning of an image's name, with the usual name of Docker Hub in place of its older one.
    pub(crate) fn of_hub(name: &str) -> Cow<'_, str> {
        match name.strip_prefix("index.docker.io") {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => Cow::Owned(format!("{HUB}{rest}")),
            Some(_) | None => Cow::Borrowed(name),
        }
    }

    /// Whether the text says which one: a tag or a digest.
    #[must_use]
    pub const fn has_tag(&self) -> bool {
        self.tag.is_some() || self.digest.is_some()
    }

    /// Whether it is whatever was pushed last: the tag `latest` and no digest.
    #[must_use]
    pub fn is_latest(&self) -> bool {
        self.digest.is_none() && self.tag.as_deref() == Some("latest")
    }
}

/// `host` or `host:port`: labels of letters, digits and inner `-`.
fn is_registry(text: &str) -> bool {
    let (host, port) = text.split_once(':').unwrap_or((text, "1"));
    let label = |label: &str| {
        let inner = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
        !label.is_empty() && label.bytes().all(inner) && !label.starts_with('-') && !label.ends_with('-')
    };
    host.split('.').all(label) && port.parse::<u16>().is_ok_and(|port| port > 0)
}

/// One step of a repository: runs of letters and digits, with `.`, `_`, `__` or any number of `-` between.
fn is_step(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let joints = text.split(plain).filter(|joint| !joint.is_empty());
    let good = |joint: &str| matches!(joint, "." | "_" | "__") || joint.bytes().all(|b| b == b'-');
    text.starts_with(plain) && text.ends_with(plain) && joints.into_iter().all(good)
}

fn is_tag(text: &str) -> bool {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let first = text.bytes().next().is_some_and(word);
    first && text.len() <= 128 && text.bytes().all(|b| word(b) || matches!(b, b'.' | b'-'))
}

fn is_digest(text: &str) -> bool {
    let Some((algorithm, hex)) = text.split_once(':') else { return false };
    let step = |step: &str| {
        step.starts_with(|c: char| c.is_ascii_alphabetic()) && step.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    let long_enough = match algorithm {
        "sha256" => hex.len() == 64,
        "sha512" => hex.len() == 128,
        _ => hex.len() >= 32,
    };
    let digits = hex.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'a'..=b'f'));
    algorithm.split(['+', '.', '_', '-']).all(step) && digits && long_enough
}

impl fmt::Display for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(registry) = &self.registry {
            write!(f, "{registry}/")?;
        }
        f.write_str(&self.repository)?;
        if let Some(tag) = &self.tag {
            write!(f, ":{tag}")?;
        }
        match &self.digest {
            Some(digest) => write!(f, "@{digest}"),
            None => Ok(()),
        }
    }
}
