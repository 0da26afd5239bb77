//! How the shim ends: one sentence for people, one number for the platform.
use crate::event;
use std::process::ExitCode;
use tfjob_contract::{Failure, Unreadable};

/// How it ends. The numbers are those of shells (126, 127), of `timeout` (124) and of `sysexits.h`.
#[derive(Debug, PartialEq, Eq)]
pub enum Exit {
    /// 64: the shim was called wrongly.
    Usage(String),
    /// 65: the contract cannot be read, is too new, or asks for what cannot be.
    Contract(String),
    /// 66: the platform did not set a variable, or set it to something else.
    Platform(String),
    /// 71: the machine or the image lacks something.
    Machine(String),
    /// 69: the platform gave fewer GPUs than the job was promised.
    Gpus(String),
    /// 73: something is where the job begins only on nothing.
    CheckpointsExist(String),
    /// 74: there is no room for checkpoints.
    NoSpace(String),
    /// 75: others were still missing when the time for waiting was over.
    PeersMissing(String),
    /// 76: the task's own port is taken.
    PortInUse(String),
    /// 77: checkpoints cannot be written.
    NotWritable(String),
    /// 124: the job has taken too long.
    Deadline(String),
    /// The task's own end, and what there is to say about it.
    Ended {
        /// Its code; 128 and more for a signal.
        code: u8,
        /// `None`: the code says all.
        text: Option<String>,
    },
    /// 126: the program is there and cannot be started.
    NotExecutable(String),
    /// 127: the program is not there.
    NotFound(String),
}

impl Exit {
    /// Writes the reason where there is one to write.
    pub fn report(&self) -> ExitCode {
        let (code, text) = self.parts();
        if let Some(text) = text {
            event::last(code, text);
        }
        ExitCode::from(code)
    }

    /// The number, and the sentence where there is one.
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

    /// The same, with other words in place of what may be secret.
    pub fn hiding(mut self, hidden: &[(String, String)]) -> Self {
        if let Self::NotExecutable(text) | Self::NotFound(text) = &mut self {
            for (secret, shown) in hidden {
                *text = text.replace(secret, shown);
            }
        }
        self
    }

    /// Several faults as one end: the number of the first, and the sentences of all.
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

/// The code of a task that a signal has stopped before its work was done.
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

impl From<Unreadable> for Exit {
    fn from(unreadable: Unreadable) -> Self {
        Self::Contract(unreadable.0)
    }
}
