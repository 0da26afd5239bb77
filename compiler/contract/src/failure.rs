//! Why a task cannot be started, in one sentence and by whose doing.
use std::fmt;

/// Why a task cannot be rendered. The text is one sentence in lower case without a full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The contract asks for what no process can get.
    Contract(String),
    /// The platform did not set a variable, or set it to what the contract does not expect.
    Platform(String),
    /// The machine or the image lacks something: a free port, a jar.
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

/// Why a contract was refused; says which side is old.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable(pub String);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unreadable {}
