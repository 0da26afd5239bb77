//! What the threads of a run tell the one that decides. Every message is small, and none of them waits for a terminal.
use rustix::process::Signal;
use serde::Deserialize;

/// A message to the thread that decides.
#[derive(Debug)]
pub enum Message {
    /// An event of a task's shim.
    Event {
        /// The task's number.
        task: usize,
        /// The event.
        event: Event,
    },
    /// A task's shim has closed its descriptor for events: it has ended.
    Gone {
        /// The task's number.
        task: usize,
    },
    /// Nothing more is read of a task's output.
    Drained {
        /// The task's number.
        task: usize,
        /// Whether another process still has the output open.
        held: bool,
        /// Why its log is incomplete.
        lost: Option<String>,
    },
    /// The log of a task cannot be written.
    Unwritten {
        /// The task's number.
        task: usize,
        /// The system's error.
        why: String,
    },
    /// A task is ready.
    Ready {
        /// The task's number.
        task: usize,
    },
    /// A signal to this process that asks for the end.
    Signal {
        /// Its number.
        signal: i32,
        /// Whether a key on the terminal sent it, and no program.
        typed: bool,
    },
    /// A signal to this process that is for the programs.
    Pass(Signal),
    /// Nobody reads standard output any more.
    Closed,
    /// All lines are on the screen.
    Shown,
}

/// An event of the shim. Other fields are for other readers.
#[derive(Debug, Deserialize)]
pub struct Event {
    /// What.
    pub event: String,
    /// Why, for people.
    pub reason: String,
    /// How often the program has been started.
    pub attempt: Option<u32>,
    /// The step of the newest checkpoint, where the shim sees one.
    pub step: Option<u64>,
}
