//! Consecutive probe rounds and their results.
use crate::probe::{ProbeResult, Round, Target};
use crate::sys::{self, Pid};
use std::time::{Duration, Instant};

/// Pause between the first rounds (`SOON`), and maximum pause between later rounds (`LATER`).
const SOON: Duration = Duration::from_millis(200);
const LATER: Duration = Duration::from_secs(2);
/// Time until the first partial results of a round (`PART`), and minimum interval between later partial results (`NEWS`).
const PART: Duration = Duration::from_secs(1);
const NEWS: Duration = Duration::from_millis(250);
/// Maximum duration of a round. Only unresponsive DNS servers can make a round this long.
const LONGEST: Duration = Duration::from_secs(30);

/// The probe rounds of a task.
#[derive(Debug)]
pub struct ProbeRounds {
    round: Option<Round>,
    /// The last finished round.
    last: Option<Round>,
    /// Whether there are new results.
    news: bool,
    /// Whether the process of the round has exited.
    ended: bool,
    /// Whether to end the round now, with its partial results.
    cut: bool,
    /// Start of the next round.
    next: Instant,
    /// When to return the next partial results.
    tell: Instant,
    pause: Duration,
}

impl ProbeRounds {
    /// Returns the state before the first round.
    pub fn new() -> Self {
        let now = Instant::now();
        Self {
            round: None,
            last: None,
            news: false,
            ended: false,
            cut: false,
            next: now,
            tell: now,
            pause: SOON,
        }
    }

    /// Returns the PID of the probe process, if it is running.
    pub fn pid(&self) -> Option<Pid> {
        self.round.as_ref().filter(|_| !self.ended).map(Round::pid)
    }

    /// Records that a child process has exited.
    pub fn reaped(&mut self, pid: Pid) {
        self.ended |= self.pid() == Some(pid);
    }

    /// Returns the results in the order of the targets, if there are new ones, and the time by which to call again. A long round
    /// returns partial results: a target that is not probed yet has its result of the previous round. Starts the next round when it
    /// is due.
    pub fn probe(&mut self, targets: &[Target]) -> (Option<Vec<ProbeResult>>, Option<Instant>) {
        let now = Instant::now();
        let Some(mut round) = self.round.take() else {
            if now >= self.next && !targets.is_empty() {
                self.begin(targets, now);
            }
            return (None, Some(if self.round.is_some() { self.tell } else { self.next }));
        };
        self.news |= round.read();
        let late = self.cut || now >= round.begun() + LONGEST;
        if late && !self.ended {
            sys::kill(round.pid(), libc::SIGKILL);
        }
        let over = late || self.ended;
        if !over && (!self.news || now < self.tell) {
            let again = if now < self.tell { self.tell } else { now + NEWS };
            self.round = Some(round);
            return (None, Some(again));
        }
        let before = self.last.as_ref().filter(|_| !over);
        let sight = |target| {
            round.result(target).or_else(|| before?.result(target)).unwrap_or(ProbeResult::NotProbed)
        };
        let sights = targets.iter().map(sight).collect();
        (self.tell, self.news) = (now + PART, false);
        if over {
            (self.last, self.ended, self.cut) = (Some(round), false, false);
            self.next = now + self.pause;
            self.pause = (self.pause * 2).min(LATER);
            return (Some(sights), Some(self.next));
        }
        self.round = Some(round);
        (Some(sights), Some(self.tell))
    }

    fn begin(&mut self, targets: &[Target], now: Instant) {
        match Round::begin(targets) {
            Ok(round) => (self.round, self.ended, self.tell) = (Some(round), false, now + PART),
            // The probe process cannot be created: try again later.
            Err(_) => self.next = now + LATER,
        }
    }

    /// Whether all targets were probed after `time`, or cannot be probed. If the current round started before `time`, ends it
    /// early.
    pub fn since(&mut self, time: Instant) -> bool {
        let now = Instant::now();
        let begun = |round: &Option<Round>| round.as_ref().map(Round::begun);
        if begun(&self.last) >= Some(time) || now >= time + LONGEST + LATER {
            return true;
        }
        match begun(&self.round) {
            Some(begun) => self.cut = begun < time,
            None => self.next = self.next.min(now),
        }
        false
    }

    /// Cancels the current round and drops all results. The probe process would keep descriptors of this process open.
    pub fn reset(&mut self) {
        if let Some(pid) = self.pid() {
            sys::kill(pid, libc::SIGKILL);
        }
        *self = Self::new();
    }
}
