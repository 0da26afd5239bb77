//! One run of the program: from its start to the end of all that it has started.
use super::hearing::Hearing;
use super::{Ended, Life, Why, now};
use crate::budget::{self, Run, Verdict};
use crate::ears;
use crate::exit::Exit;
use crate::family;
use crate::memory;
use crate::stop::{self, Stop};
use crate::sys::{Pid, Status};
use crate::watch::Watch;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::path::Path;
use std::time::{Duration, Instant};
use tfjob_contract::Restart;

/// How long processes that a program without a contract has left may take to end: after a signal from outside as long as
/// containers usually get, else a moment.
const PLAIN: Duration = Duration::from_secs(10);
const LEFT: Duration = Duration::from_secs(1);
/// How long somebody who ends each process of a job or a container may take to come from the first one to the last: service managers
/// take less than a millisecond (`unit_kill_context` in systemd's unit.c). A platform counts its grace meanwhile; a parent does not.
const ALL: Duration = Duration::from_millis(100);
const ALL_OF_PARENT: Duration = Duration::from_millis(250);
/// How long the parent may take to ask for the end too, after somebody else; at most a quarter of the grace.
const PARENT: Duration = Duration::from_secs(2);

impl Life {
    /// Starts the program and stays until it and all that it started have ended.
    pub(super) fn run(&mut self) -> Result<Ended, Exit> {
        // It lives as long as the program: ports that it has picked are nobody else's meanwhile.
        let mut machine = self.program.machine().kept(self.hearing.as_mut().map(Hearing::begin));
        let (mut command, hidden) = self.program.command(&mut machine)?;
        let kills = self.program.is_task().then(|| memory::kills(Path::new("/")));
        self.attempt = self.attempt.saturating_add(1);
        let started = Instant::now();
        let foreground = ears::may_give();
        let pid = crate::program::launch(&mut command, self.ears.signals, foreground)
            .map_err(|exit| exit.hiding(&hidden))?;
        self.ears.attend(pid, foreground);
        self.say("started", &format!("process {pid}"));
        let mut stop: Option<(Why, Stop)> = None;
        let status = loop {
            if let Some(status) = self.ears.ended.take() {
                break status;
            }
            stop = stop.or_else(|| self.reason(pid));
            let mut until = if stop.is_none() { self.deadline } else { None };
            if let Some((_, stop)) = &mut stop {
                let settles = self.settle(stop);
                let (signal, again) = stop.advance(true, &self.ears.apart());
                until = again.into_iter().chain(settles).min();
                if let Some(signal) = signal {
                    self.say("stop", &format!("{signal} was sent: the program has not ended"));
                }
            } else {
                let (seen, again) = self.look();
                if seen {
                    continue;
                }
                until = until.into_iter().chain(again).chain(self.hear(false)).min();
            }
            self.listen(until);
        };
        let lived = started.elapsed();
        let _ = self.hear(true);
        let (why, stop) = stop.unzip();
        self.clear(pid, stop);
        let starved =
            status != Status::Code(0) && kills.is_some_and(|kills| memory::kills(Path::new("/")) > kills);
        // Who asks for the end and the end itself may be heard in one moment.
        let before = why.is_none();
        let stop = why.or_else(|| self.ears.asked.map(Why::Asked));
        Ok(Ended { status, lived, stop, before, starved })
    }

    /// Comes back after a pause where a restart has failed that may succeed later: the program is being replaced, or the
    /// machine has no process to spare. The program ran before, so neither its codes nor its time count.
    ///
    /// # Errors
    /// The fault, where the restarts are used up or it does not pass.
    pub(super) fn unstarted(&mut self, fault: Exit) -> Result<(), Exit> {
        let (code, text) = fault.parts();
        let passes = matches!(fault, Exit::NotFound(_) | Exit::NotExecutable(_) | Exit::Machine(_));
        let Some(terms) = self.role.restart.clone().filter(|_| passes) else { return Err(fault) };
        let every = Restart { codes: Vec::new(), min_uptime: None, ..terms.clone() };
        let run = Run { code, lived: Duration::ZERO, progress: false, now: now() };
        match budget::judge(&every, &mut self.past, run, RandomState::new().build_hasher().finish()) {
            Verdict::Again(pause) => {
                self.keep();
                let text = text.unwrap_or_default();
                self.say("restart", &format!("{text}; {}", self.again(&terms, pause)));
                self.pause(pause)
            }
            Verdict::End(why) => {
                let why = Exit::Machine(format!("{} is not started again: {why}", self.name));
                Exit::all(vec![fault, why]).map_or(Ok(()), Err)
            }
        }
    }

    /// Whether the program must be stopped now. `group` is its process group.
    fn reason(&mut self, group: Pid) -> Option<(Why, Stop)> {
        let late =
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Why::Deadline);
        let done = || self.watch.as_ref().is_some_and(Watch::over).then_some(Why::Done);
        let missed = || self.missed().map(|_| Why::Missed);
        let said = || self.hearing.as_ref().is_some_and(Hearing::over).then_some(Why::Said);
        let why =
            self.ears.asked.map(Why::Asked).or_else(late).or_else(done).or_else(missed).or_else(said)?;
        let said = match why {
            Why::Asked(signal) => format!("signal {signal} from outside"),
            Why::Deadline => "the deadline".to_owned(),
            Why::Done => "the job has ended".to_owned(),
            Why::Missed => "peers not ready within `start timeout`".to_owned(),
            Why::Said => "the program has said that its work is done, and goes on".to_owned(),
        };
        let stated = self.duties.grace.map(Duration::from_secs);
        let open = self.ears.is_open();
        let (grace, passed) = match why {
            // The platform that has sent this signal also sends KILL; `tfjob run` leaves that to its shims.
            Why::Asked(signal) if self.ears.passes(signal) => (stated.or(self.own_grace()), true),
            Why::Asked(_) if open => (stated.or(Some(stop::GRACE)), true),
            Why::Asked(_) | Why::Deadline | Why::Done | Why::Missed | Why::Said => {
                (stated.or(Some(stop::GRACE)), false)
            }
        };
        // Nothing follows TERM before TERM itself is decided on.
        let told =
            self.parent.filter(|_| open).and_then(|_| self.ears.settles(ALL_OF_PARENT, self.patience()));
        let now = Instant::now();
        let from = told.map_or(now, |told| told.max(now));
        let mut stop = Stop::begin(grace, from, group, (passed, &self.ears.apart()));
        stop.alone = !self.program.is_task();
        if open {
            stop.assume(&self.ears.apart());
        }
        self.ears.stopping = true;
        self.say("stop", &said);
        Some((why, stop))
    }

    /// How long the parent may take to ask for the end too.
    fn patience(&self) -> Duration {
        let quarter = self.duties.grace.map(|seconds| Duration::from_millis(seconds.saturating_mul(250)));
        quarter.map_or(PARENT, |quarter| quarter.min(PARENT))
    }

    /// Passes on the signal that asked for the end, once it is decided that the program has not got it. Returns when that is.
    fn settle(&mut self, stop: &mut Stop) -> Option<Instant> {
        let all = if self.parent.is_some() { ALL_OF_PARENT } else { ALL };
        let at = self.ears.settles(all, self.patience())?;
        if Instant::now() < at {
            return Some(at);
        }
        let asked = self.ears.asked.filter(|signal| self.ears.passes(*signal));
        if self.ears.settle() {
            stop.unsure = true;
            stop.assume(&self.ears.apart());
        } else {
            stop.tell_late(asked.unwrap_or(libc::SIGTERM), &self.ears.apart());
        }
        None
    }

    /// The grace of a stop that a parent asks for which does not kill.
    fn own_grace(&self) -> Option<Duration> {
        self.parent.map(|_| stop::GRACE)
    }

    /// Waits for the end of all that a program has started which has ended itself: each process is told once, and keeps
    /// what is left of the grace.
    fn clear(&mut self, group: Pid, stop: Option<Stop>) {
        self.ears.look_away();
        // Whoever has ended the program may be about to end what it has left, and this process.
        if family::is_empty(&self.ears.apart())
            || !self.ears.is_open() && (stop.is_some() || !self.ears.ask())
        {
            self.ears.dismiss();
        }
        self.ears.reap();
        if self.ears.childless {
            return;
        }
        let (open, asked) = (self.ears.is_open(), self.ears.asked);
        let ordered = stop.is_some() || asked.is_some();
        // After an order, TERM for all is what was ordered.
        let mut left = if ordered { None } else { self.left() };
        let mut stop = stop.unwrap_or_else(|| {
            let passed = open || asked.is_some_and(|signal| self.ears.passes(signal));
            Stop::begin(None, Instant::now(), group, (passed, &self.ears.apart()))
        });
        let grace = match self.duties.grace.map(Duration::from_secs) {
            Some(grace) => grace,
            None if self.program.is_task() => stop::GRACE,
            None if ordered => PLAIN,
            None => LEFT,
        };
        stop.bound(grace, Instant::now());
        while !self.ears.childless && !stop.is_spent() {
            if let Some(settles) = self.settle(&mut stop) {
                self.listen(Some(settles));
                left = left.and_then(|_| self.left());
                continue;
            }
            if let Some(left) = left.take().filter(|_| !stop.unsure) {
                self.say("left", &left);
            }
            let (signal, again) = stop.advance(false, &self.ears.apart());
            if let Some(signal) = signal {
                self.say(
                    "left",
                    &format!("{signal} was sent: processes that the program started have not ended"),
                );
            }
            self.listen(again);
        }
        self.ears.dismiss();
        if !self.ears.childless {
            self.say("left", "processes that the program started do not end");
        }
    }

    /// Which processes get TERM because the program has ended without them: they may be what the task is for.
    fn left(&self) -> Option<String> {
        let left = family::below(&self.ears.apart()).filter(|_| self.program.is_task())?;
        let (noun, names) = (if left.len() == 1 { "process" } else { "processes" }, family::names(&left));
        (!left.is_empty()).then(|| {
            format!(
                "the program has ended, and TERM was sent to {} {noun} that it has left: {names}",
                left.len()
            )
        })
    }
}
