//! Container image references, by the grammar of the `reference` package of the distribution project.
use super::Wrong;
use crate::escape::Escaped;
use std::borrow::Cow;
use std::fmt;

/// Default registry of Docker and containerd.
const HUB: &str = "docker.io";

/// `registry/repository:tag@digest`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Image {
    /// Registry with its port. `None`: the default registry of the node.
    pub registry: Option<String>,
    /// Repository, without the registry.
    pub repository: String,
    /// Tag.
    pub tag: Option<String>,
    /// Digest, such as `sha256:…`.
    pub digest: Option<String>,
}

impl Image {
    /// Parses an image reference.
    ///
    /// # Errors
    /// Returns an error for an invalid part, or if registry and repository together exceed 255 characters.
    pub fn parse(text: &str) -> Result<Self, Wrong> {
        let wrong = |help: &str| Wrong::new(format!("invalid image reference `{}`", text.escaped()), help);
        if text.contains('{') {
            return Err(wrong(
                "references are not expanded in `image`; write the whole image, or set it with `--set image=…`",
            ));
        }
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
            return Err(wrong("remove the scheme: `registry/repository:tag`"));
        }
        if registry.is_some_and(|registry| !is_registry(registry)) {
            return Err(wrong(
                "write the registry as a host name with an optional port, such as `registry.example.com:5000`",
            ));
        }
        if name.len() > 255 {
            return Err(wrong("use at most 255 characters for registry and repository together"));
        }
        if !repository.split('/').all(is_step) {
            let help = "write the repository in lower case: letters and digits, separated by `.`, `_`, `__`, `-`, or `/`";
            let near = text.replacen(repository, &repository.to_lowercase(), 1);
            return Err(wrong(help).instead(text, near, Self::parse).guess());
        }
        if tag.is_some_and(|tag| !is_tag(tag)) {
            return Err(wrong(
                "use at most 128 letters, digits, `_`, `.`, and `-` in the tag; do not start it with `.` or `-`",
            ));
        }
        if digest.is_some_and(|digest| !is_digest(digest)) {
            return Err(wrong(
                "write the digest as algorithm and hexadecimal value, such as `@sha256:` and 64 digits",
            ));
        }
        Ok(Self {
            registry: registry.map(str::to_owned),
            repository: repository.to_owned(),
            tag: tag.map(str::to_owned),
            digest: digest.map(str::to_owned),
        })
    }

    /// Returns registry and repository. They are normalized as in Docker and containerd (`reference.ParseNormalizedNamed`).
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

    /// Replaces the old name of Docker Hub, `index.docker.io`, at the start of an image name.
    pub(crate) fn of_hub(name: &str) -> Cow<'_, str> {
        match name.strip_prefix("index.docker.io") {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => Cow::Owned(format!("{HUB}{rest}")),
            Some(_) | None => Cow::Borrowed(name),
        }
    }

    /// Returns whether the image reference has a tag or a digest.
    #[must_use]
    pub const fn has_tag(&self) -> bool {
        self.tag.is_some() || self.digest.is_some()
    }

    /// Returns whether the reference has the tag `latest` and no digest. By convention, this tag moves to each new image.
    #[must_use]
    pub fn is_latest(&self) -> bool {
        self.digest.is_none() && self.tag.as_deref() == Some("latest")
    }
}

/// Returns whether the text is `host` or `host:port`.
fn is_registry(text: &str) -> bool {
    let (host, port) = text.split_once(':').unwrap_or((text, "1"));
    let label = |label: &str| {
        let inner = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
        !label.is_empty() && label.bytes().all(inner) && !label.starts_with('-') && !label.ends_with('-')
    };
    host.split('.').all(label) && port.parse::<u16>().is_ok_and(|port| port > 0)
}

/// Returns whether the text is a valid path component of a repository: lower-case letters and digits, separated by `.`,
/// `_`, `__`, or any number of `-`.
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
