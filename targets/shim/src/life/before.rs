//! What comes before the first start: the folder of checkpoints, and the others.
use super::Life;
use crate::checkpoints::{self, Saved};
use crate::exit::Exit;
use crate::probe::WAITS;
use crate::program::Program;
use crate::spoken;
use crate::waiting::Missing;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

/// How often a line says who is missing.
const SAY: Duration = Duration::from_secs(5);

impl Life {
    /// Refuses to start where something is already, before the first start and by the task that leads.
    pub(super) fn fresh(&self) -> Result<(), Exit> {
        let Some(folder) = self.duties.checkpoints.as_ref().filter(|folder| folder.fresh) else {
            return Ok(());
        };
        match checkpoints::occupied(Path::new(&folder.path)).filter(|_| self.program.leads()) {
            None => Ok(()),
            Some(found) => {
                let why = format!(
                    "{} holds `{found}` already, and the job begins only where nothing is",
                    folder.path
                );
                self.say("refused", &why);
                Err(Exit::Fresh(why))
            }
        }
    }

    /// What the program will go on from, and how new the state of the job is. The task that leads sets aside what is
    /// torn: it is the one that writes.
    pub(super) fn resume(&mut self) -> Option<SystemTime> {
        let leads = self.program.leads();
        let survey = self.survey(leads);
        if let Some(folder) = self.duties.checkpoints.as_ref().filter(|_| leads) {
            let found = match &survey.saved {
                Some(Saved { name, step, .. }) => {
                    let step =
                        step.map_or_else(String::new, |step| format!(" of step {}", spoken::count(step)));
                    format!("{name}{step} is the newest whole checkpoint")
                }
                None => format!("there is no whole checkpoint in {}", folder.path),
            };
            self.say("resume", &[&[found], &*survey.said].concat().join("; "));
        }
        survey.newest()
    }

    /// Waits for others before the first start.
    pub(super) fn wait(&mut self) -> Result<(), Exit> {
        let Program::Task { contract, task, env } = &self.program else { return Ok(()) };
        let mut missing = Missing::of(contract, task, env)?;
        if missing.nobody() {
            return Ok(());
        }
        self.beacon(WAITS);
        let begun = Instant::now();
        let bound = self.duties.wait.and_then(|seconds| begun.checked_add(Duration::from_secs(seconds)));
        let mut next = begun + SAY;
        while !missing.nobody() {
            self.over()?;
            if bound.is_some_and(|bound| Instant::now() >= bound) {
                let seconds = self.duties.wait.unwrap_or_default();
                let why = format!("after {seconds} s still missing: {}", missing.who());
                self.say("gave-up", &why);
                return Err(Exit::Late(why));
            }
            if Instant::now() >= next {
                next = Instant::now() + SAY;
                self.say("waiting", &missing.who());
            }
            let (sights, again) = self.ears.look(&missing.targets());
            match sights {
                Some(sights) => missing.note(&sights),
                None => {
                    let until = [again, bound, self.deadline, Some(next)].into_iter().flatten().min();
                    self.ears.listen(until);
                }
            }
        }
        self.say("met", &format!("all others are there after {}", spoken::time(begun.elapsed())));
        self.ears.beacon = None;
        self.ears.look_away();
        Ok(())
    }
}
