//! Exit codes and messages of the shim.
use crate::event;
use std::process::ExitCode;
use tfjob_contract::Failure;

/// The exit of the shim. Codes follow shells (126, 127), `timeout` (124), and `sysexits.h`.
#[derive(Debug, PartialEq, Eq)]
pub enum Exit {
    /// 64: usage error.
    Usage(String),
    /// 65: the job contract is unreadable, too new, or invalid.
    Contract(String),
    /// 66: a platform variable is unset or invalid.
    Platform(String),
    /// 71: something is missing on the machine or in the image, such as a data path; or no port is free.
    Machine(String),
    /// 69: fewer GPUs than requested.
    Gpus(String),
    /// 73: the checkpoint directory is not empty (`if-exists="fail"`).
    CheckpointsExist(String),
    /// 74: no space left for checkpoints.
    NoSpace(String),
    /// 75: tasks that this task waits for were not ready in time, or failed.
    PeersMissing(String),
    /// 76: a port of the task is in use.
    PortInUse(String),
    /// 77: the checkpoint directory is not writable.
    NotWritable(String),
    /// 124: `deadline` exceeded.
    Deadline(String),
    /// The exit of the task.
    Ended {
        /// Exit code; 128 + N for signal N.
        code: u8,
        /// Message. `None`: the code is enough.
        text: Option<String>,
    },
    /// 126: the program is not executable.
    NotExecutable(String),
    /// 127: the program was not found.
    NotFound(String),
}

impl Exit {
    /// Writes the message, if there is one, and returns the exit code.
    pub fn report(&self) -> ExitCode {
        let (code, text) = self.parts();
        if let Some(text) = text {
            event::last(code, text);
        }
        ExitCode::from(code)
    }

    /// Returns the exit code and the message.
    pub fn parts(&self) -> (u8, Option<&str>) {
        let (code, text) = match self {
            Self::Usage(text) => (64, text),
            Self::Contract(text) => (65, text),
            Self::Platform(text) => (66, text),
            Self::Gpus(text) => (69, text),
            Self::Machine(text) => (71, text),
            Self::CheckpointsExist(text) => (73, text),
            Self::NoSpace(text) => (74, text),
            Self::PeersMissing(text) => (75, text),
            Self::PortInUse(text) => (76, text),
            Self::NotWritable(text) => (77, text),
            Self::Deadline(text) => (124, text),
            Self::Ended { code, text } => return (*code, text.as_deref()),
            Self::NotExecutable(text) => (126, text),
            Self::NotFound(text) => (127, text),
        };
        (code, Some(text))
    }

    /// Replaces each text in the message that may be a secret. `hidden`: these texts, each with its replacement.
    pub fn hiding(mut self, hidden: &[(String, String)]) -> Self {
        if let Self::NotExecutable(text) | Self::NotFound(text) = &mut self {
            for (secret, shown) in hidden {
                *text = text.replace(secret, shown);
            }
        }
        self
    }

    /// Combines several faults into one, with the exit code of the first and all messages. `None` without faults.
    pub fn all(faults: Vec<Self>) -> Option<Self> {
        let mut faults = faults.into_iter();
        let mut first = faults.next()?;
        let rest: Vec<Self> = faults.collect();
        let text = match &mut first {
            Self::Usage(text)
            | Self::Contract(text)
            | Self::Platform(text)
            | Self::Gpus(text)
            | Self::Machine(text)
            | Self::CheckpointsExist(text)
            | Self::NoSpace(text)
            | Self::PeersMissing(text)
            | Self::PortInUse(text)
            | Self::NotWritable(text)
            | Self::Deadline(text)
            | Self::NotExecutable(text)
            | Self::NotFound(text)
            | Self::Ended { text: Some(text), .. } => text,
            Self::Ended { text: None, .. } => return Some(first),
        };
        for fault in &rest {
            text.push_str("; ");
            text.push_str(fault.parts().1.unwrap_or_default());
        }
        Some(first)
    }
}

/// Returns the exit code of a task that a signal stopped: 128 + the signal number.
pub fn signal_code(signal: i32) -> u8 {
    128_u8.saturating_add(u8::try_from(signal).unwrap_or(0))
}

impl From<Failure> for Exit {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Contract(text) => Self::Contract(text),
            Failure::Platform(text) => Self::Platform(text),
            Failure::Machine(text) => Self::Machine(text),
        }
    }
}
