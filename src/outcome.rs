//! How a command ended: the words and the exit code of it.
use std::fmt::{self, Display};
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// The command did its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Outcome {
    /// Nothing is wrong.
    Clean,
    /// A spec has errors, or what was looked for is missing or stale.
    Faulty,
    /// A job has run, and ended with this code.
    Job(u8),
}

impl Outcome {
    /// `Faulty` if anything is wrong.
    pub const fn faulty_if(wrong: bool) -> Self {
        if wrong { Self::Faulty } else { Self::Clean }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Clean => Self::SUCCESS,
            Outcome::Faulty => Self::from(1),
            Outcome::Job(code) => Self::from(code),
        }
    }
}

/// The command could not do its work: wrong use, or the disk. Exit code 2.
#[derive(Debug, PartialEq, Eq)]
pub struct Failure(String);

impl Failure {
    /// In a person's words: lower case, no full stop.
    pub fn new(words: impl Into<String>) -> Self {
        Self(words.into())
    }

    /// Several in one, a line each; `None` where there is none.
    pub fn all(failures: Vec<Self>) -> Option<Self> {
        let words: Vec<_> = failures.into_iter().map(|failure| failure.0).collect();
        (!words.is_empty()).then(|| Self(words.join("\n")))
    }

    /// The disk's complaint about a file, after what was tried: `cannot read`.
    pub fn at(tried: &str, path: &Path, error: &io::Error) -> Self {
        Self(format!("{tried} `{}`: {error}", path.display()))
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self(format!("cannot write: {error}"))
    }
}
