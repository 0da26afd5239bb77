//! Messages to the control thread of a run. They are small, and a sender never waits for the terminal.
use rustix::process::Signal;
use serde::Deserialize;

/// A message to the control thread.
#[derive(Debug)]
pub enum Message {
    /// An event of the shim of a task.
    Event {
        /// Number of the task.
        task: usize,
        /// The event.
        event: Event,
    },
    /// The shim of a task has closed its event pipe, because it has exited.
    Gone {
        /// Number of the task.
        task: usize,
    },
    /// The output of a task was read to its end.
    Drained {
        /// Number of the task.
        task: usize,
        /// Whether another process still has the output open.
        held: bool,
        /// Why the log of the task is incomplete.
        lost: Option<String>,
    },
    /// The log of a task cannot be written.
    Unwritten {
        /// Number of the task.
        task: usize,
        /// Error of the operating system.
        why: String,
    },
    /// A task is ready.
    Ready {
        /// Number of the task.
        task: usize,
    },
    /// A stop signal to this process.
    Signal {
        /// Number of the signal.
        signal: i32,
        /// Whether a key on the terminal sent the signal.
        typed: bool,
    },
    /// A signal to forward to the programs.
    Pass(Signal),
    /// Standard output was closed.
    Closed,
    /// All lines were written to the screen.
    Shown,
}

/// An event of the shim, with the fields that a run needs.
#[derive(Debug, Deserialize)]
pub struct Event {
    /// Name of the event.
    pub event: String,
    /// Reason, human-readable.
    pub reason: String,
    /// Number of starts of the program.
    pub attempt: Option<u32>,
    /// Step of the newest checkpoint, if known.
    pub step: Option<u64>,
}
