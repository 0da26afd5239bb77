//! Errors of reading a job contract and rendering a task.
use std::fmt;

/// Why a task cannot be rendered. The text is a one-line message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The job contract is invalid, or exceeds a limit of the system.
    Contract(String),
    /// The platform did not set a variable, or set an unexpected value.
    Platform(String),
    /// The machine or the image lacks a resource, such as a free port or a jar file.
    Machine(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Contract(text) | Self::Platform(text) | Self::Machine(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Failure {}

/// Why a job contract was rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable(pub String);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unreadable {}
