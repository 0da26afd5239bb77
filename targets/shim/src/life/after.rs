//! What comes after the last run: the others, and the last line.
use super::{Ended, Life, Why, code, targets};
use crate::exit::{self, Exit};
use crate::probe::{DONE, FAILED};
use crate::program::Program;
use crate::sys::Status;
use crate::watch::Watch;
use std::time::{Duration, Instant};
use tfjob_contract::TaskId;

/// How long a task that has ended says so to those that wait for its end: longer than two of their rounds.
const LINGER: Duration = Duration::from_secs(10);

impl Life {
    /// What comes after success: others are outlived, told or held for.
    pub(super) fn after_success(&mut self, ended: &Ended) -> Result<Exit, Exit> {
        if let Some(store) = &self.store {
            store.forget();
            self.unkept = false;
        }
        self.outlive()?;
        if self.watched {
            self.linger(DONE);
        }
        if self.duties.hold && self.ears.asked.is_none() {
            self.say("staying", "the program has ended well, and the platform would start it again");
            while self.ears.asked.is_none() {
                self.listen(None);
            }
        }
        Ok(self.well(ended))
    }

    /// Says to those that only serve that a task of whose failure nothing comes back has ended.
    pub(super) fn say_the_end(&mut self, exit: &Exit) {
        if self.decides
            && self.watched
            && !self.role.returns
            && exit.parts().0 != 0
            && self.ears.asked.is_none()
        {
            self.linger(FAILED);
        }
    }

    fn linger(&mut self, word: &'static str) {
        self.beacon(word);
        let end = Instant::now() + LINGER;
        while self.ears.beacon.is_some() && self.ears.asked.is_none() && Instant::now() < end {
            self.listen(Some(end));
        }
    }

    /// Stays until the others have ended, or until this task is asked to end: its own work is done either way.
    fn outlive(&mut self) -> Result<(), Exit> {
        let Program::Task { contract, .. } = &self.program else { return Ok(()) };
        let others: Vec<TaskId> =
            self.role.outlives.iter().flat_map(|role| contract.tasks_of(role)).collect();
        if others.is_empty() {
            return Ok(());
        }
        let mut watch = Watch::outlived(targets(&self.program, &others)?, Instant::now());
        self.say("staying", "until the others have ended");
        while !watch.over() && self.ears.asked.is_none() {
            if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(self.late());
            }
            let (sights, again) = self.ears.look(&watch.open());
            match sights {
                Some(sights) => watch.note(&sights, Instant::now()),
                None => self.listen(again.into_iter().chain(self.deadline).min()),
            }
        }
        self.ears.look_away();
        Ok(())
    }

    fn well(&self, ended: &Ended) -> Exit {
        if ended.status != Status::Code(0) {
            let text = format!("{} had done its work, as it said; it {}", self.name, self.told(ended));
            return Exit::Ended { code: 0, text: self.task_says(text) };
        }
        let starts = match self.attempt {
            1 => String::new(),
            starts => format!(" at its start number {starts}"),
        };
        Exit::Ended { code: 0, text: self.task_says(format!("{} ended well{starts}", self.name)) }
    }

    /// A program that failed and is not started again.
    pub(super) fn failed(&self, ended: &Ended, why: Option<&str>) -> Exit {
        let why = why.map_or_else(String::new, |why| format!(" and is not started again: {why}"));
        Exit::Ended {
            code: code(ended.status),
            text: Some(format!("{} {}{why}", self.name, self.told(ended))),
        }
    }

    /// A program that was stopped.
    pub(super) fn stopped(&self, why: Why, ended: &Ended) -> Exit {
        match why {
            Why::Deadline => self.late(),
            // Who has said it has succeeded, and is not asked here.
            Why::Said => self.well(ended),
            Why::Missed => Exit::Late(self.missed().unwrap_or_default()),
            Why::Done => {
                let text = format!("{} was stopped: the job has ended, and it only served", self.name);
                Exit::Ended { code: 0, text: Some(text) }
            }
            Why::Asked(signal) => {
                // Code 0 is work that is done to a platform that starts tasks again; `tfjob run` starts none that it stops.
                let early = ended.status == Status::Code(0)
                    && !ended.before
                    && self.parent.is_none()
                    && self.program.is_task();
                let (code, work) = if early {
                    (exit::of_signal(signal), ", and has not said that its work is done")
                } else {
                    (code(ended.status), "")
                };
                let text = format!(
                    "{} was stopped by signal {signal} from outside: it {}{work}",
                    self.name,
                    self.told(ended)
                );
                Exit::Ended { code, text: self.task_says(text) }
            }
        }
    }

    /// Where there is no contract, nothing is said that the exit code says already.
    fn task_says(&self, text: String) -> Option<String> {
        self.program.is_task().then_some(text)
    }
}
