//! Descriptions of the exit of a program and of its next restart, for events.
use super::{ProgramEnd, Supervisor, now};
use crate::budget;
use crate::humanize;
use crate::memory;
use crate::sys::Status;
use std::path::Path;
use std::time::Duration;
use tfjob_contract::Restart;

impl Supervisor {
    /// Describes the next restart: `restarting in 0.9 s (restart 1 of 3)`.
    pub(super) fn describe_restart(&self, terms: &Restart, pause: Duration) -> String {
        let (limit, left) = (terms.limit.unwrap_or(0), budget::left(terms, &self.past, now()));
        let which = left
            .map_or_else(String::new, |left| format!(" (restart {} of {limit})", limit.saturating_sub(left)));
        format!("restarting in {}{which}", humanize::duration(pause))
    }

    /// Describes the end of a run: `exited with code 3 after 1.7 s at step 1,200`.
    pub(super) fn describe_end(&self, ended: &ProgramEnd) -> String {
        let limit = ended.starved.then(|| memory::limit(Path::new("/"))).flatten();
        let limit =
            limit.map_or_else(String::new, |limit| format!(" (memory limit {})", humanize::bytes(limit)));
        let how = match ended.status {
            Status::Signal(9) if ended.starved => {
                format!("killed by the kernel OOM killer{limit}")
            }
            Status::Code(code) => format!("exited with code {code}"),
            Status::Signal(signal) => format!("killed by {}", humanize::signal(signal.into())),
        };
        let starved = if ended.starved && ended.status != Status::Signal(9) {
            // In a local run, all tasks are in the cgroup of `tfjob run`, so the killed process may belong to another task.
            let whose =
                if self.parent.is_some() { "this task or of another one" } else { "the cgroup of the task" };
            format!("; meanwhile the kernel OOM killer killed a process of {whose}{limit}")
        } else {
            String::new()
        };
        let step = self.step.map_or_else(String::new, |step| format!(" at step {}", humanize::count(step)));
        format!("{how} after {}{step}{starved}", humanize::duration(ended.lived))
    }
}
