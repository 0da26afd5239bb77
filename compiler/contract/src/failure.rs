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

/// Subject of the message about an invalid contract. It explains what a job contract is, because most users have never seen one.
const WHAT: &str = "the job contract, which `tfjob compile` writes for tfjob-shim,";

/// Returns the error for a job contract that is valid JSON, but has this fault.
pub(crate) fn invalid(fault: &dyn fmt::Display) -> Unreadable {
    Unreadable(format!("{WHAT} is invalid: {fault}; compile the job again"))
}

/// Returns the error for a text that is not a job contract, for this reason.
pub(crate) fn other_text(why: &dyn fmt::Display) -> Unreadable {
    Unreadable(format!("not a job contract ({why}); use a job contract that `tfjob compile` wrote"))
}

/// Why a job contract was rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable(pub String);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unreadable {}
