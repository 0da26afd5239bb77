//! Whether those whom the program must meet have come, while it runs: TensorFlow waits for them for ever, and says nothing.
use super::Life;
use crate::exit::Exit;
use crate::program::Program;
use crate::spoken;
use crate::waiting::Missing;
use crate::watch::Watch;
use std::time::{Duration, Instant};

/// How often a line says who does not listen: rarely, since a program takes its time to begin.
const SAY: Duration = Duration::from_secs(15);

/// Those that do not listen yet.
#[derive(Debug)]
pub struct Meeting {
    missing: Missing,
    begun: Instant,
    /// When the program has waited long enough.
    until: Instant,
    /// Whether it has, and all have been looked at once more.
    over: bool,
    /// When to say next who is missing.
    next: Instant,
}

impl Life {
    /// From this start on the others may take as long as the job says until each of them listens.
    ///
    /// # Errors
    /// What the platform did not say about them.
    pub(super) fn expect(&mut self) -> Result<(), Exit> {
        let Program::Task { contract, task, env } = &self.program else { return Ok(()) };
        let missing = Missing::servers(contract, task, env, self.attempt > 0)?;
        let begun = Instant::now();
        let until = self.duties.wait.and_then(|seconds| begun.checked_add(Duration::from_secs(seconds)));
        // A time beyond all clocks is none.
        self.meeting = until.filter(|_| !missing.nobody()).map(|until| Meeting {
            missing,
            begun,
            until,
            over: false,
            next: begun + SAY,
        });
        Ok(())
    }

    /// Looks at others: at those that are to come, and at those with whose end this task stops. Whether anything was
    /// seen, else when to look again at the latest.
    pub(super) fn look(&mut self) -> (bool, Option<Instant>) {
        let mut targets = self.meeting.as_ref().map_or_else(Vec::new, |meeting| meeting.missing.targets());
        let absent = targets.len();
        targets.extend(self.watch.iter().flat_map(Watch::open));
        if targets.is_empty() {
            return (false, None);
        }
        let (sights, again) = self.ears.look(&targets);
        let Some(sights) = sights else {
            if self.is_overdue() {
                return (true, None);
            }
            let now = Instant::now();
            let times = self.meeting.iter().flat_map(|meeting| [meeting.until, meeting.next]);
            return (false, again.into_iter().chain(times.filter(|time| *time > now)).min());
        };
        let (of_absent, of_watched) = sights.split_at(absent.min(sights.len()));
        if let Some(watch) = &mut self.watch {
            watch.note(of_watched, Instant::now());
        }
        self.note(of_absent);
        (true, None)
    }

    /// Whether the program has waited long enough, and all who are missing have been looked at since then.
    fn is_overdue(&mut self) -> bool {
        let Some(meeting) = &mut self.meeting else { return false };
        meeting.over |= Instant::now() >= meeting.until && self.ears.have_looked(meeting.until);
        meeting.over
    }

    fn note(&mut self, sights: &[crate::probe::Sight]) {
        let Some(mut meeting) = self.meeting.take() else { return };
        meeting.missing.note(sights, Instant::now());
        if meeting.missing.nobody() {
            self.say("met", &format!("all others listen after {}", spoken::time(meeting.begun.elapsed())));
            return;
        }
        meeting.over |= meeting.missing.is_hopeless();
        let bound =
            self.duties.wait.and_then(|seconds| Instant::now().checked_add(Duration::from_secs(seconds)));
        // Who says that it comes, from a pause before its next start, has bounds of its own.
        if let Some(bound) = bound.filter(|_| meeting.missing.promised()) {
            meeting.until = bound;
        }
        if Instant::now() >= meeting.next {
            meeting.next = Instant::now() + SAY;
            self.say("waiting", &meeting.missing.who());
        }
        self.meeting = Some(meeting);
    }

    /// Who has still not come when it was time; `None` before.
    pub(super) fn missed(&self) -> Option<String> {
        let meeting = self.meeting.as_ref().filter(|meeting| meeting.over)?;
        let seconds = self.duties.wait.unwrap_or_default();
        let missing = meeting.missing.who();
        Some(if meeting.missing.is_hopeless() {
            format!("waits no longer: {missing}")
        } else {
            format!("{seconds} s after its start still missing: {missing}")
        })
    }
}
