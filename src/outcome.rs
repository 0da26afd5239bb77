//! Results of commands: exit codes and failure messages.
use std::fmt::{self, Display};
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// The result of a command that completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Outcome {
    /// No errors. Exit code 0.
    Clean,
    /// A spec has errors, or `--check` found a difference. Exit code 1.
    Faulty,
    /// A job ran and finished with this exit code.
    Job(u8),
}

impl Outcome {
    /// Returns `Faulty` if `wrong`, otherwise `Clean`.
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

/// The command did not complete: a usage or I/O error. Exit code 2.
#[derive(Debug, PartialEq, Eq)]
pub struct Failure(String);

impl Failure {
    /// Creates a failure. The message is in lower case, without a final period.
    pub fn new(words: impl Into<String>) -> Self {
        Self(words.into())
    }

    /// Joins several failures, one line each; `None` if there is none.
    pub fn all(failures: Vec<Self>) -> Option<Self> {
        let words: Vec<_> = failures.into_iter().map(|failure| failure.0).collect();
        (!words.is_empty()).then(|| Self(words.join("\n")))
    }

    /// Creates the failure of an operation on a file. `tried` describes the operation, such as `cannot read`.
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
