//! Completion reported by the program. From then on, any exit of the program is a success, and a program that does not exit is
//! stopped.
//!
//! With ParameterServerStrategy, a chief that has lost a worker finishes all steps. Then it hangs while its interpreter exits
//! (`ps-kill-one-of-two`, observed on TensorFlow 2.4 to 2.15).
use super::Supervisor;
use crate::completion_file::{CompletionFile, EXIT_TIMEOUT, POLL_INTERVAL};
use crate::humanize;
use std::time::Instant;

/// Watches the completion file of the program.
#[derive(Debug)]
pub struct CompletionWatch {
    file: CompletionFile,
    since: Option<Instant>,
}

impl CompletionWatch {
    /// Creates the directory of the completion file.
    ///
    /// # Errors
    /// No candidate directory is writable.
    pub fn new() -> Result<Self, String> {
        Ok(Self { file: CompletionFile::new()?, since: None })
    }

    /// Deletes the completion file before a start. Returns the path of the file for the program.
    pub fn reset(&mut self) -> String {
        self.file.reset();
        self.since = None;
        self.file.path().to_owned()
    }

    /// Whether the program has reported completion.
    pub const fn is_done(&self) -> bool {
        self.since.is_some()
    }

    /// Whether the program has not exited within [`EXIT_TIMEOUT`] after it reported completion.
    pub fn is_timed_out(&self) -> bool {
        self.since.is_some_and(|since| since.elapsed() >= EXIT_TIMEOUT)
    }
}

impl Supervisor {
    /// Checks the completion file while the program runs, or once more after it has `ended`. Returns when to check again. `None` if
    /// the program has no completion file.
    pub(super) fn check_completion(&mut self, ended: bool) -> Option<Instant> {
        let completion = self.completion.as_mut()?;
        if let Some(since) = completion.since {
            return Some(since + EXIT_TIMEOUT);
        }
        let now = Instant::now();
        if !completion.file.exists() {
            return Some(now + POLL_INTERVAL);
        }
        completion.since = Some(now);
        // A program that has completed no longer needs its peers.
        self.peer_wait = None;
        let more = if ended {
            String::new()
        } else {
            format!("; it has {} to exit", humanize::duration(EXIT_TIMEOUT))
        };
        self.emit("done", &format!("the program reported completion{more}"));
        Some(now + EXIT_TIMEOUT)
    }
}

#[cfg(test)]
mod tests {
    use super::{CompletionWatch, EXIT_TIMEOUT};
    use std::time::{Duration, Instant};

    #[test]
    fn who_has_said_it_has_its_time() {
        let mut completion = CompletionWatch::new().unwrap();
        assert!(!completion.is_done() && !completion.is_timed_out());
        completion.since = Instant::now().checked_sub(EXIT_TIMEOUT - Duration::from_secs(5));
        assert!(completion.is_done() && !completion.is_timed_out());
        completion.since = Instant::now().checked_sub(EXIT_TIMEOUT);
        assert!(completion.is_timed_out());
        completion.reset();
        assert!(!completion.is_done() && !completion.is_timed_out());
    }
}
