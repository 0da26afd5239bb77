//! How a program is stopped: TERM, INT late enough to leave time for saving, KILL when its grace is over.
//!
//! The grace belongs to all processes of the task. A shell that ends on TERM leaves the program that it runs, which may be
//! saving: it keeps the rest. Each process of a task is told once, in whatever session it is. A process started during the
//! stop is left to its parent until the parent exits or INT is due.
use crate::family::{self, Process};
use crate::sys::{self, Pid};
use std::time::{Duration, Instant};

/// The grace of a stop that the shim itself decides on where the contract names none: TensorFlow needs up to 12 s after
/// INT, and comes to its end only then since 2.15, which swallows TERM.
pub const GRACE: Duration = Duration::from_secs(24);

/// How long before KILL the program gets INT, where half of the grace is more: what saves on TERM is not disturbed, and
/// TensorFlow has the time that it needs.
const LAST: Duration = Duration::from_secs(15);
/// How often processes are looked for that have lost their parents.
const LOOK: Duration = Duration::from_millis(100);
/// How often KILL is sent.
const AGAIN: Duration = Duration::from_secs(1);

/// A stop that is under way.
#[derive(Debug)]
pub struct Stop {
    /// The process group of the program.
    group: Pid,
    /// When INT and KILL are due; `None`: the time is the platform's, which kills by itself.
    rungs: Option<(Instant, Instant)>,
    /// The rung that was taken last.
    rung: Rung,
    /// When the group got TERM, or the signal from outside, in ticks since boot.
    begun: u64,
    /// Other processes that have got TERM.
    told: Vec<Process>,
    /// Whether it is only likely that they have got TERM: then they get it before INT.
    pub unsure: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rung {
    Term,
    Int,
    Kill,
}

impl Stop {
    /// Begins it. With `passed`, the group has got the signal from outside already. The grace is counted from `from` on.
    pub fn begin(grace: Option<Duration>, from: Instant, group: Pid, passed: bool) -> Self {
        if !passed {
            sys::kill(-group, libc::SIGTERM);
        }
        // A program that is stopped cannot handle it.
        sys::kill(-group, libc::SIGCONT);
        let mut stop = Self {
            group,
            begun: family::ticks(),
            rungs: None,
            rung: Rung::Term,
            told: Vec::new(),
            unsure: false,
        };
        if let Some(grace) = grace {
            stop.bound(grace, from);
        }
        stop
    }

    /// TERM for each process outside of the group too. Without `send`, they have got it, or get it late.
    pub fn tell_all(&mut self, apart: &[Pid], send: bool) {
        for process in family::unsupervised(apart).unwrap_or_default() {
            if process.group != self.group {
                if send {
                    self.tell(process);
                } else if !self.is_told(&process) {
                    self.told.push(process);
                }
            }
        }
    }

    /// The signal for the group, and TERM for all others that seemed to have got it from somebody else.
    pub fn tell_late(&mut self, signal: i32) {
        self.unsure = false;
        sys::kill(-self.group, signal);
        sys::kill(-self.group, libc::SIGCONT);
        // The number of one that has ended may be another's by now.
        let here = family::below(&[]);
        let is_there = |process: &&Process| here.as_ref().is_none_or(|here| here.contains(process));
        for process in self.told.iter().filter(is_there) {
            sys::kill(process.pid, libc::SIGTERM);
            sys::kill(process.pid, libc::SIGCONT);
        }
        // Those that the group has started meanwhile have got it too.
        self.begun = family::ticks();
    }

    fn tell(&mut self, process: Process) {
        if !self.is_told(&process) {
            sys::kill(process.pid, libc::SIGTERM);
            sys::kill(process.pid, libc::SIGCONT);
            self.told.push(process);
        }
    }

    /// Whether a process has got the signal. All of the group have that were there.
    fn is_told(&self, process: &Process) -> bool {
        (process.group == self.group && process.started <= self.begun) || self.told.contains(process)
    }

    /// Gives it this grace from then on, unless it has one.
    pub fn bound(&mut self, grace: Duration, from: Instant) {
        let int = (grace / 2).max(grace.saturating_sub(LAST));
        // A time beyond all clocks is none.
        self.rungs = self.rungs.or_else(|| Some((from.checked_add(int)?, from.checked_add(grace)?)));
    }

    /// Sends what is due, says which signal that was, and when to ask again. `leads`: whether the program itself still
    /// runs.
    pub fn climb(&mut self, leads: bool, apart: &[Pid]) -> (Option<&'static str>, Option<Instant>) {
        let now = Instant::now();
        let due = match self.rungs {
            Some((_, kill)) if now >= kill => Rung::Kill,
            Some((int, kill)) if now >= int && self.unsure => {
                self.tell_late(libc::SIGTERM);
                self.rungs = None;
                self.bound(kill - now, now);
                Rung::Term
            }
            Some((int, _)) if now >= int => Rung::Int,
            Some(_) | None => Rung::Term,
        };
        let before = std::mem::replace(&mut self.rung, due);
        match due {
            Rung::Kill => self.kill(apart),
            Rung::Int if before == Rung::Term => self.interrupt(apart),
            Rung::Int | Rung::Term if leads => {}
            Rung::Int | Rung::Term => self.tell_orphans(apart),
        }
        let next = match (due, self.rungs) {
            (Rung::Term, rungs) => rungs.map(|(int, _)| int),
            (Rung::Int, rungs) => rungs.map(|(_, kill)| kill),
            (Rung::Kill, _) => Some(now + AGAIN),
        };
        let look = (!leads).then(|| now + LOOK);
        let said = match due {
            Rung::Int if before != due => Some("INT"),
            Rung::Kill if before != due => Some("KILL"),
            Rung::Term | Rung::Int | Rung::Kill => None,
        };
        (said, next.into_iter().chain(look).min())
    }

    /// Whether nothing more can be done.
    pub fn is_spent(&self) -> bool {
        self.rungs.is_some_and(|(_, kill)| kill.elapsed() > AGAIN * 10)
    }

    /// TERM for each process that has lost its parent and was not told, and for its group.
    fn tell_orphans(&mut self, apart: &[Pid]) {
        let Some(found) = family::below(apart) else { return };
        let own = sys::own();
        let orphans: Vec<Process> =
            found.iter().filter(|process| process.parent == own && !self.is_told(process)).copied().collect();
        for orphan in orphans {
            // A group of its own has not been told as a whole.
            let apart = orphan.group != self.group;
            let with =
                found.iter().filter(|other| **other == orphan || (apart && other.group == orphan.group));
            with.for_each(|process| self.tell(*process));
        }
    }

    /// INT for all, but TERM for those that were not told.
    fn interrupt(&mut self, apart: &[Pid]) {
        let Some(found) = family::unsupervised(apart) else {
            everyone(self.group, libc::SIGINT);
            return;
        };
        for process in found {
            if self.is_told(&process) {
                sys::kill(process.pid, libc::SIGINT);
                sys::kill(process.pid, libc::SIGCONT);
            } else {
                self.tell(process);
            }
        }
    }

    fn kill(&self, apart: &[Pid]) {
        match family::below(apart) {
            Some(found) => family::signal_groups(&found, libc::SIGKILL),
            None => everyone(self.group, libc::SIGKILL),
        }
    }
}

/// Without /proc: the whole PID namespace for PID 1, otherwise the process group.
fn everyone(group: Pid, signal: i32) {
    sys::kill(if sys::own() == 1 { -1 } else { -group }, signal);
}
