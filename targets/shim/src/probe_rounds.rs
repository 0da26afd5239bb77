//! ProbeRounds of looks at other tasks, one after the other, and what they have seen.
use crate::probe::{ProbeResult, Round, Target};
use crate::sys::{self, Pid};
use std::time::{Duration, Instant};

/// The first and the longest pause between two rounds.
const SOON: Duration = Duration::from_millis(200);
const LATER: Duration = Duration::from_secs(2);
/// How long a round goes on before it says what it has seen by then, and how often there may be news of it.
const PART: Duration = Duration::from_secs(1);
const NEWS: Duration = Duration::from_millis(250);
/// The longest round. Only a name server that does not answer can make it so long.
const LONGEST: Duration = Duration::from_secs(30);

/// The rounds of a task.
#[derive(Debug)]
pub struct ProbeRounds {
    round: Option<Round>,
    /// The last one that is over, and when it began.
    last: Option<Round>,
    /// Whether it has seen something that was not said yet.
    news: bool,
    /// Whether the process of the round has ended.
    ended: bool,
    /// Whether the round is to end now, with what it has seen.
    cut: bool,
    /// When the next one begins.
    next: Instant,
    /// When the one under way says the next time what it has seen.
    tell: Instant,
    pause: Duration,
}

impl ProbeRounds {
    /// No round yet.
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

    /// The process that looks, where there is one.
    pub fn pid(&self) -> Option<Pid> {
        self.round.as_ref().filter(|_| !self.ended).map(Round::pid)
    }

    /// Hears that a child has ended.
    pub fn reaped(&mut self, pid: Pid) {
        self.ended |= self.pid() == Some(pid);
    }

    /// What has been seen, in the order of these; [`ProbeResult::NotProbed`] for those not reached. Of a long round it is said in
    /// parts: who was not looked at yet is as in the round before. Begins the next round when it is due; the time is when to
    /// ask again at the latest.
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
        let sight =
            |target| round.sight(target).or_else(|| before?.sight(target)).unwrap_or(ProbeResult::NotProbed);
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
            // No process to spare: later, perhaps.
            Err(_) => self.next = now + LATER,
        }
    }

    /// Whether all have been looked at since that time, or cannot be. A round that began before makes room for one that does not.
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

    /// Drops a round that is under way, whose process would keep what this one holds open, and what was seen.
    pub fn forget(&mut self) {
        if let Some(pid) = self.pid() {
            sys::kill(pid, libc::SIGKILL);
        }
        *self = Self::new();
    }
}
