//! In which order the tasks of a run start.
use super::Run;
use super::ending::LATE;
use super::ready::{self, View};
use super::task::{State, Task};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use tfjob_contract::{After, TaskId, When};
use tfjob_shim::Target;

/// After how long it is said again who is waited for, first and at most: each time is twice the one before.
const AGAIN: Duration = Duration::from_secs(5);
const SELDOM: Duration = Duration::from_secs(600);

impl Run<'_> {
    /// Starts what waits for nothing more.
    pub(super) fn start_due(&mut self, begun: Instant) {
        if self.stopping.is_some() {
            return;
        }
        self.drop_those_without_hope(begun);
        let due: Vec<usize> = (0..self.tasks.len()).filter(|number| self.is_due(*number)).collect();
        for number in due {
            let task = &mut self.tasks[number];
            if let Err(failure) = task.start(number, self.context, &self.told, &self.queue, &self.tell) {
                task.fail();
                self.say(number, failure.to_string());
                continue;
            }
            self.say(number, "starting");
            self.watch_ready(number);
        }
    }

    /// Looks at a task whose program has been started, where another waits until it is ready.
    fn watch_ready(&self, number: usize) {
        let task = &self.tasks[number];
        let mut after = self.job.roles.iter().flat_map(|role| &role.after);
        if after.any(|after| after.0.role == task.role && after.0.when == When::Ready) {
            let id = TaskId { role: task.role.clone(), index: task.index };
            self.watch.add(number, ready::view(self.contract, &id, self.address(task)));
        }
    }

    /// A program that has ended is not ready, and is looked at again when it is started again.
    pub(super) fn follow(&mut self, number: usize, event: &str) {
        let task = &mut self.tasks[number];
        match event {
            "ended" => task.was_ready |= std::mem::take(&mut task.ready),
            "started" if std::mem::take(&mut task.was_ready) => self.watch_ready(number),
            _ => {}
        }
    }

    /// A task was seen to be ready. What was seen of a program that has ended since then says nothing of the next one.
    pub(super) fn note_ready(&mut self, number: usize) {
        let task = &mut self.tasks[number];
        let has_ended = task.attempt > 0 && task.process.is_none();
        (task.ready, task.was_ready) = (!has_ended, has_ended);
    }

    /// Gives up tasks that wait for one that has failed, or that was given up itself.
    fn drop_those_without_hope(&mut self, begun: Instant) {
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
                self.say(number, format!("not started: {} {what}", cause.name));
                self.tasks[number].state = State::Never;
            }
        }
    }

    /// Names those for whom tasks wait that are not started yet, and why: at once, and for the first task of a role again and again.
    pub(super) fn say_who_waits(&mut self) {
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
            let names: Vec<String> =
                after.map(|after| format!("`{}` ({})", after.0.role, self.lacks(&after.0))).collect();
            let pause = task.told.map_or(AGAIN, |(_, pause)| pause * 2).min(SELDOM);
            self.tasks[number].told = Some((now + pause, pause));
            if !names.is_empty() {
                self.say(number, format!("waiting for {}", names.join(" and ")));
            }
        }
    }

    /// The first task of a role that is not as far as another role waits for.
    fn lacks(&self, after: &After) -> String {
        let lacks = |task: &&Task| task.role == after.role && !Self::is_as_far(task, after.when);
        let Some(task) = self.tasks.iter().find(lacks) else { return String::new() };
        let what = match (&task.state, after.when) {
            (State::Waits, _) => "not started",
            (State::Never, _) => "never started",
            (State::Ended(_), _) => "failed",
            (State::Runs, _) if task.process.is_none() && task.attempt > 0 => "pauses before its restart",
            (State::Runs, When::Ready) => &self.unready(task),
            (State::Runs, When::Started | When::Done) => "still running",
        };
        format!("{}: {what}", task.name)
    }

    /// What a task lacks that runs and is not ready.
    fn unready(&self, task: &Task) -> String {
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

    /// A task that has waited for others to start as long as it may. For their end it may wait for ever.
    pub(super) fn late(&mut self) -> Option<usize> {
        let limit = self.contract.duties.as_ref().and_then(|duties| duties.wait)?;
        let behind = self.behind_an_end();
        let now = Instant::now();
        for task in self.tasks.iter_mut().filter(|task| behind.contains(&task.role)) {
            task.waits = now;
        }
        let late = |task: &Task| {
            matches!(task.state, State::Waits) && now - task.waits >= Duration::from_secs(limit)
        };
        self.tasks.iter().position(late)
    }

    /// The roles that wait for the end of another, or for a role that does.
    fn behind_an_end(&self) -> BTreeSet<String> {
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
