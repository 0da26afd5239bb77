//! Steps after the last run of the program: waiting for other roles, reporting the result to peers, and the exit message.
use super::{ProgramEnd, StopReason, Supervisor, code, targets};
use crate::exit::{self, Exit};
use crate::exit_watch::ExitWatch;
use crate::humanize;
use crate::probe::{DONE, FAILED};
use crate::program::Program;
use crate::sys::Status;
use std::time::{Duration, Instant};
use tfjob_contract::TaskId;

/// How long a finished task reports its state to shims that wait for it. This is longer than two of their probe rounds.
const LINGER: Duration = Duration::from_secs(10);

impl Supervisor {
    /// Performs the steps after success: waits for the roles that this task outlives, reports completion, and holds the container.
    pub(super) fn after_success(&mut self, ended: &ProgramEnd) -> Result<Exit, Exit> {
        if let Some(store) = &self.store {
            store.forget();
            self.unkept = false;
        }
        self.wait_for_outlived_roles()?;
        if self.watched {
            self.linger(DONE);
        }
        if self.duties.hold && self.event_loop.asked.is_none() {
            self.emit(
                "holding",
                "the program succeeded; keeping the container running, because the platform would restart a container that exits",
            );
            while self.event_loop.asked.is_none() {
                self.listen(None);
            }
        }
        Ok(self.succeeded(ended))
    }

    /// Reports a permanent failure to long-running tasks.
    pub(super) fn announce_failure(&mut self, exit: &Exit) {
        if self.decides
            && self.watched
            && !self.role.returns
            && exit.parts().0 != 0
            && self.event_loop.asked.is_none()
        {
            self.linger(FAILED);
        }
    }

    /// Reports the state `word` on the rendezvous port for [`LINGER`], or until a signal.
    fn linger(&mut self, word: &'static str) {
        self.open_status_listener(word);
        let end = Instant::now() + LINGER;
        while self.event_loop.status_listener.is_some()
            && self.event_loop.asked.is_none()
            && Instant::now() < end
        {
            self.listen(Some(end));
        }
    }

    /// Waits until the outlived roles have finished, or until this task is stopped. The task has succeeded in both cases.
    fn wait_for_outlived_roles(&mut self) -> Result<(), Exit> {
        let Program::Task { contract, .. } = &self.program else { return Ok(()) };
        let others: Vec<TaskId> =
            self.role.outlives.iter().flat_map(|role| contract.tasks_of(role)).collect();
        if others.is_empty() {
            return Ok(());
        }
        let mut watch = ExitWatch::outlived(targets(&self.program, &others)?, Instant::now());
        let roles = self.role.outlives.join("`, `");
        self.emit(
            "holding",
            &format!(
                "the program succeeded; keeping the task running until all tasks of `{roles}` have finished, because the job ends when this task exits"
            ),
        );
        while !watch.all_exited() && self.event_loop.asked.is_none() {
            if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(self.deadline_exceeded());
            }
            let (sights, again) = self.event_loop.probe(&watch.open());
            match sights {
                Some(sights) => watch.note(&sights, Instant::now()),
                None => self.listen(again.into_iter().chain(self.deadline).min()),
            }
        }
        self.event_loop.cancel_probe();
        Ok(())
    }

    fn succeeded(&self, ended: &ProgramEnd) -> Exit {
        if ended.status != Status::Code(0) {
            let was = if matches!(ended.status, Status::Signal(_)) { "was " } else { "" };
            let text = format!(
                "{}: succeeded: the program reported completion before it {was}{}",
                self.name,
                self.describe_end(ended)
            );
            return Exit::Ended { code: 0, text: self.task_says(text) };
        }
        let starts = match self.attempt {
            1 => String::new(),
            starts => format!(" (attempt {starts})"),
        };
        Exit::Ended { code: 0, text: self.task_says(format!("{}: succeeded{starts}", self.name)) }
    }

    /// Returns the exit of a program that failed and is not restarted.
    pub(super) fn failed(&self, ended: &ProgramEnd, why: Option<&str>) -> Exit {
        let why = why.map_or_else(String::new, |why| format!("; not restarted: {why}"));
        Exit::Ended {
            code: code(ended.status),
            text: Some(format!("{}: {}{why}", self.name, self.describe_end(ended))),
        }
    }

    /// Returns the exit of a program that was stopped.
    pub(super) fn stopped(&self, why: StopReason, ended: &ProgramEnd) -> Exit {
        match why {
            StopReason::Deadline => self.deadline_exceeded(),
            // A program that reported completion has succeeded.
            StopReason::CompletionTimeout => self.succeeded(ended),
            StopReason::PeersMissing => Exit::PeersMissing(self.missing_peers().unwrap_or_default()),
            StopReason::JobDone => {
                let text =
                    format!("{}: stopped because the tasks that decide job success have finished", self.name);
                Exit::Ended { code: 0, text: Some(text) }
            }
            StopReason::Signal(signal) => {
                // A stopped program may exit with code 0 before its work is complete. The shim then returns another code, because
                // the platform does not restart a task with code 0. Under `tfjob run`, the code stays 0: a stopped task is never
                // restarted there.
                let early = ended.status == Status::Code(0)
                    && !ended.before
                    && self.parent.is_none()
                    && self.program.is_task();
                let (code, work) = if early {
                    (
                        exit::signal_code(signal),
                        "; not counted as success, because the program did not create its completion file (`{done}` in the spec)",
                    )
                } else {
                    (code(ended.status), "")
                };
                let text = format!(
                    "{}: stopped by {}: {}{work}",
                    self.name,
                    humanize::signal(signal),
                    self.describe_end(ended)
                );
                Exit::Ended { code, text: self.task_says(text) }
            }
        }
    }

    /// Returns the message for a task. `None` without a contract, because the exit code alone is enough.
    fn task_says(&self, text: String) -> Option<String> {
        self.program.is_task().then_some(text)
    }
}
