//! Start order of the tasks of a run.
use super::Run;
use super::ending::LATE;
use super::ready::{self, View};
use super::task::{State, Task};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use tfjob_contract::{After, TaskId, When};
use tfjob_shim::Target;

/// First interval between two reports of the roles that a task waits for. It doubles after each report, up to [`SELDOM`].
const AGAIN: Duration = Duration::from_secs(5);
/// Maximum interval between two reports of the roles that a task waits for.
const SELDOM: Duration = Duration::from_secs(600);

impl Run<'_> {
    /// Starts the tasks for which all roles in `after` have reached the required state.
    pub(super) fn start_due(&mut self, begun: Instant) {
        if self.stopping.is_some() {
            return;
        }
        self.give_up_blocked_tasks(begun);
        let due: Vec<usize> = (0..self.tasks.len()).filter(|number| self.is_due(*number)).collect();
        for number in due {
            let task = &mut self.tasks[number];
            if let Err(failure) = task.start(number, self.context, &self.peers_json, &self.queue, &self.tell)
            {
                task.fail();
                self.say(number, failure.to_string());
                continue;
            }
            self.say(number, "starting");
            self.watch_ready(number);
        }
    }

    /// Starts readiness probes of a task, if another role waits for the task to be ready.
    fn watch_ready(&self, number: usize) {
        let task = &self.tasks[number];
        let mut after = self.job.roles.iter().flat_map(|role| &role.after);
        if after.any(|after| after.0.role == task.role && after.0.when == When::Ready) {
            let id = TaskId { role: task.role.clone(), index: task.index };
            self.watch.add(number, ready::view(self.contract, &id, self.address(task)));
        }
    }

    /// Marks a task as not ready when its program exits, and probes it again after a restart.
    pub(super) fn follow(&mut self, number: usize, event: &str) {
        let task = &mut self.tasks[number];
        match event {
            "ended" => task.was_ready |= std::mem::take(&mut task.ready),
            "started" if std::mem::take(&mut task.was_ready) => self.watch_ready(number),
            _ => {}
        }
    }

    /// Records that a task is ready, unless its program has exited since the probe.
    pub(super) fn note_ready(&mut self, number: usize) {
        let task = &mut self.tasks[number];
        let has_ended = task.attempt > 0 && task.process.is_none();
        (task.ready, task.was_ready) = (!has_ended, has_ended);
    }

    /// Gives up tasks that wait for a task that has failed or was never started.
    fn give_up_blocked_tasks(&mut self, begun: Instant) {
        let deadline = self.contract.duties.as_ref().and_then(|duties| duties.deadline);
        let is_late = deadline.is_some_and(|seconds| begun.elapsed() >= Duration::from_secs(seconds));
        let failed = |task: &&Task| match task.state {
            State::Ended(code) => code != 0,
            State::Never => true,
            State::Waits | State::Runs => false,
        };
        for number in 0..self.tasks.len() {
            let task = &self.tasks[number];
            let after = &self.job.roles[task.role_id].after;
            let awaited = |other: &&Task| after.iter().any(|after| after.0.role == other.role);
            let Some(cause) = self.tasks.iter().filter(awaited).find(failed) else { continue };
            if matches!(task.state, State::Waits) {
                let what = match cause.state {
                    State::Never => "was not started",
                    State::Ended(LATE) if is_late => "was stopped by `deadline`",
                    State::Ended(_) | State::Waits | State::Runs => "failed",
                };
                self.say(number, format!("not started, because {} {what}", cause.name));
                self.tasks[number].state = State::Never;
            }
        }
    }

    /// Reports which roles the waiting tasks wait for, and why. The first report is immediate. Later reports are only about the
    /// first task of each role.
    pub(super) fn report_waiting(&mut self) {
        let now = Instant::now();
        let mut roles = BTreeSet::new();
        for number in 0..self.tasks.len() {
            let task = &self.tasks[number];
            let first = matches!(task.state, State::Waits) && roles.insert(task.role_id);
            let due = task.told.map_or(matches!(task.state, State::Waits), |(next, _)| first && now >= next);
            if !due || self.stopping.is_some() {
                continue;
            }
            let after = self.job.roles[task.role_id].after.iter().filter(|after| !self.is_met(&after.0));
            let names: Vec<String> = after
                .map(|after| format!("`{}` ({})", after.0.role, self.describe_missing(&after.0)))
                .collect();
            let pause = task.told.map_or(AGAIN, |(_, pause)| pause * 2).min(SELDOM);
            self.tasks[number].told = Some((now + pause, pause));
            if !names.is_empty() {
                self.say(number, format!("waiting for {}", names.join(" and ")));
            }
        }
    }

    /// Describes the first task of a role that has not reached the required state.
    fn describe_missing(&self, after: &After) -> String {
        let lacks = |task: &&Task| task.role == after.role && !Self::is_as_far(task, after.when);
        let Some(task) = self.tasks.iter().find(lacks) else { return String::new() };
        let what = match (&task.state, after.when) {
            (State::Waits, _) => "not started",
            (State::Never, _) => "never started",
            (State::Ended(_), _) => "failed",
            (State::Runs, _) if task.process.is_none() && task.attempt > 0 => "restarting",
            (State::Runs, When::Ready) => &self.describe_unready(task),
            (State::Runs, When::Started | When::Done) => "still running",
        };
        format!("{}: {what}", task.name)
    }

    /// Describes why a running task is not ready.
    fn describe_unready(&self, task: &Task) -> String {
        let id = TaskId { role: task.role.clone(), index: task.index };
        match ready::view(self.contract, &id, self.address(task)) {
            View::Answers(Target { host, port, path, .. }) => {
                let port = port.map_or_else(String::new, |port| format!(":{port}"));
                format!("{host}{port}{} does not answer", path.unwrap_or_default())
            }
            View::File(path) => format!("`{}` is missing", path.display()),
            View::Started => "not ready".to_owned(),
        }
    }

    /// Returns a task whose wait for the start of other roles has timed out. The wait for the completion of a role has no timeout.
    pub(super) fn timed_out_task(&mut self) -> Option<usize> {
        let limit = self.contract.duties.as_ref().and_then(|duties| duties.wait)?;
        let behind = self.roles_behind_completion();
        let now = Instant::now();
        for task in self.tasks.iter_mut().filter(|task| behind.contains(&task.role)) {
            task.waits = now;
        }
        let late = |task: &Task| {
            matches!(task.state, State::Waits) && now - task.waits >= Duration::from_secs(limit)
        };
        self.tasks.iter().position(late)
    }

    /// Returns the roles that wait for the completion of a role, directly or transitively.
    fn roles_behind_completion(&self) -> BTreeSet<String> {
        let waits = |task: &&Task| matches!(task.state, State::Waits);
        let waiting: BTreeSet<(&String, usize)> =
            self.tasks.iter().filter(waits).map(|task| (&task.role, task.role_id)).collect();
        let mut behind = BTreeSet::new();
        loop {
            let found = |after: &After| {
                behind.contains(&after.role) || (after.when == When::Done && !self.is_met(after))
            };
            let more: Vec<String> = waiting
                .iter()
                .filter(|(name, id)| {
                    !behind.contains(*name) && self.job.roles[*id].after.iter().any(|after| found(&after.0))
                })
                .map(|(name, _)| (*name).clone())
                .collect();
            if more.is_empty() {
                return behind;
            }
            behind.extend(more);
        }
    }

    fn is_due(&self, number: usize) -> bool {
        let task = &self.tasks[number];
        matches!(task.state, State::Waits)
            && self.job.roles[task.role_id].after.iter().all(|after| self.is_met(&after.0))
    }

    pub(super) fn is_met(&self, after: &After) -> bool {
        let mut first = self.tasks.iter().filter(|task| task.role == after.role);
        first.all(|task| Self::is_as_far(task, after.when))
    }

    fn is_as_far(task: &Task, when: When) -> bool {
        match (&task.state, when) {
            (State::Waits | State::Never, _) | (State::Runs, When::Done) => false,
            (State::Runs, When::Started) => true,
            (State::Runs, When::Ready) => task.ready,
            (State::Ended(code), _) => *code == 0,
        }
    }
}
