//! Deduplication of signals for a shim of two processes: the signal proxy and its child, this process. A signal to their process
//! group arrives here twice: directly, and forwarded by the signal proxy.
use crate::sys::{self, Pid};
use std::time::{Duration, Instant};

/// How long the signal proxy may take to forward a signal.
const LATE: Duration = Duration::from_secs(1);

/// Recently received signals.
#[derive(Debug)]
pub struct SignalDeduplicator {
    /// The signal proxy, if there is one.
    above: Option<Pid>,
    /// Each signal, whether the signal proxy forwarded it, and when it arrived.
    taken: Vec<(i32, bool, Instant)>,
}

impl SignalDeduplicator {
    /// Creates the deduplicator. `passed`: whether the parent is the signal proxy.
    pub fn new(passed: bool) -> Self {
        Self { above: passed.then(sys::parent), taken: Vec::new() }
    }

    /// Whether this signal is not a duplicate.
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
