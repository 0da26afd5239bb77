//! Each signal once, where the shim is two processes: what is sent to their group reaches this one twice, and one of them comes
//! from the process above, which passes on what it gets.
use crate::sys::{self, Pid};
use std::time::{Duration, Instant};

/// How long the process above may take to pass a signal on.
const LATE: Duration = Duration::from_secs(1);

/// What was taken not long ago.
#[derive(Debug)]
pub struct SignalDeduplicator {
    /// The process that passes signals on.
    above: Option<Pid>,
    /// Signals, each with whether it was passed on.
    taken: Vec<(i32, bool, Instant)>,
}

impl SignalDeduplicator {
    /// `passed`: whether the parent passes signals on.
    pub fn new(passed: bool) -> Self {
        Self { above: passed.then(sys::parent), taken: Vec::new() }
    }

    /// Whether this signal is not the second half of one that was taken.
    pub fn is_first(&mut self, signal: i32, sender: Pid) -> bool {
        let Some(above) = self.above else { return true };
        let passed = sender == above;
        self.taken.retain(|(.., at)| at.elapsed() < LATE);
        let other = self.taken.iter().position(|(taken, by, _)| *taken == signal && *by != passed);
        match other {
            Some(at) => {
                self.taken.swap_remove(at);
            }
            None => self.taken.push((signal, passed, Instant::now())),
        }
        other.is_none()
    }
}
