//! How a program is stopped: TERM, INT late enough to leave time for saving, KILL when its grace is over.
//!
//! TERM is for the program: what it has started is its own to end, such as the workers that read its data while it saves, or the
//! trainer of a launcher. Only a shell may have no way to pass TERM on: what it waits for in the foreground gets TERM with it.
//!
//! The grace belongs to all processes of the task. A shell that ends on TERM leaves the program that it runs, which may be
//! saving: it keeps the rest. Each process of a task is told once, in whatever session it is. One that was not told is told when
//! its parent has ended, unless that may have told it, or shortly before INT is due.
use crate::process_tree::{self, Actions, Process};
use crate::sys::{self, Pid};
use std::time::{Duration, Instant};

/// The grace of a stop that the shim itself decides on where the contract names none: TensorFlow needs up to 12 s after
/// INT, and comes to its end only then since 2.15, which swallows TERM.
pub const GRACE: Duration = Duration::from_secs(24);

/// How long before KILL the program gets INT, where half of the grace is more: what saves on TERM is not disturbed, and
/// TensorFlow has the time that it needs.
const LAST: Duration = Duration::from_secs(15);
/// How long before INT all that the program has started gets TERM, at most a quarter of that time.
const REST: Duration = Duration::from_secs(2);
/// How long a process that reads the output of another one may take for the rest of it.
const READ: Duration = Duration::from_secs(2);
/// How often processes are looked for that have lost their parents, once the program has ended and before.
const LOOK: Duration = Duration::from_millis(100);
const SELDOM: Duration = Duration::from_millis(500);
/// How often KILL is sent.
const AGAIN: Duration = Duration::from_secs(1);

/// A stop that is under way.
#[derive(Debug)]
pub struct Stop {
    /// The process group of the program.
    group: Pid,
    /// When what comes after TERM is due; `None`: the time is the platform's, which kills by itself.
    schedule: Option<Schedule>,
    /// The stage that was taken last.
    stage: Stage,
    /// Since when the whole group has the signal, in ticks since boot, where somebody else has sent it.
    begun: Option<u64>,
    /// Processes that have got TERM.
    told: Vec<Told>,
    /// All that were seen, each with the last parent that it had before this process.
    seen: Vec<Seen>,
    /// Daemons of the program: what it writes may go through one of them, so they stay as long as anything that saves.
    daemons: Vec<Process>,
    /// Whether the signal is for the program alone as long as it runs: without a contract it may mean something else.
    pub alone: bool,
    /// Whether it is only likely that they have got TERM: then they get it before INT.
    pub unsure: bool,
}

#[derive(Debug, Clone, Copy)]
struct Schedule {
    rest: Instant,
    int: Instant,
    kill: Instant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// TERM for the program.
    Term,
    /// TERM for all that it has started, which it has not ended.
    Rest,
    /// INT for all.
    Int,
    /// KILL for all.
    Kill,
}

/// A process that has got TERM.
#[derive(Debug, Clone, Copy)]
struct Told {
    process: Process,
    at: Instant,
    interrupted: bool,
}

impl Told {
    fn now(process: Process) -> Self {
        Self { process, at: Instant::now(), interrupted: false }
    }

    /// Whether INT is due: for a process that was told late, half of what was left to it then must be over.
    fn is_over(&self, schedule: Schedule) -> bool {
        let half = schedule.kill.saturating_duration_since(self.at) / 2;
        Instant::now() >= schedule.int && self.at.elapsed() >= half
    }
}

/// A process as it was when it was seen first, but for its parent.
#[derive(Debug, Clone, Copy)]
struct Seen {
    process: Process,
    actions: Actions,
    shell: bool,
    /// When it read the output of a running process last.
    followed: Option<Instant>,
}

/// A shell that has just got TERM.
struct Shell {
    process: Process,
    actions: Actions,
}

impl Shell {
    /// Whether it passes nothing on to its child. Without a trap it ends, or it ignores the signal. A trap waits for what runs in the
    /// foreground, and may send the signal to what runs in the background.
    fn leaves(&self, child: &Process) -> bool {
        child.parent == self.process.pid
            && (!self.actions.handle(libc::SIGTERM)
                || child.group == self.process.group && !child.actions().of_background())
    }
}

impl Stop {
    /// Begins it. With `passed`, the group has got the signal from outside already, or gets it late. The grace is counted from
    /// `from` on. `apart`: children that are not of the program.
    pub fn begin(
        grace: Option<Duration>,
        from: Instant,
        group: Pid,
        (passed, apart): (bool, &[Pid]),
    ) -> Self {
        let mut stop = Self {
            group,
            begun: None,
            schedule: None,
            stage: Stage::Term,
            told: Vec::new(),
            seen: Vec::new(),
            daemons: Vec::new(),
            alone: false,
            unsure: false,
        };
        if passed {
            stop.begun = Some(process_tree::ticks());
            // A program that is stopped cannot handle it.
            sys::kill(-group, libc::SIGCONT);
        } else {
            stop.tell_first(libc::SIGTERM, apart);
        }
        if let Some(grace) = grace {
            stop.bound(grace, from);
        }
        stop
    }

    /// All that are there have got the signal, or get it late.
    pub fn assume(&mut self, apart: &[Pid]) {
        for process in process_tree::unsupervised(apart).unwrap_or_default() {
            if !self.is_told(&process) {
                self.told.push(Told::now(process));
            }
        }
    }

    /// The signal for the program, which has not got it from somebody else.
    pub fn tell_late(&mut self, signal: i32, apart: &[Pid]) {
        (self.unsure, self.begun) = (false, None);
        self.told.clear();
        self.tell_first(signal, apart);
    }

    /// The signal for the program, and for what it runs where it is a shell.
    fn tell_first(&mut self, signal: i32, apart: &[Pid]) {
        sys::kill(-self.group, libc::SIGCONT);
        let Some(found) = process_tree::unsupervised(apart) else {
            sys::kill(-self.group, signal);
            self.begun = Some(process_tree::ticks());
            return;
        };
        if found.iter().any(|process| process.pid == self.group) {
            let is_daemon = |process: &&Process| process.parent == sys::own() && process.pid != self.group;
            self.daemons = found.iter().filter(is_daemon).copied().collect();
        }
        self.tell_due(&found, signal);
    }

    /// The signal for each process that was not told and has no parent but this one, and for what a shell among them leaves alone.
    fn tell_due(&mut self, found: &[Process], signal: i32) {
        found.iter().for_each(|process| self.see(*process));
        let (own, mut shells) = (sys::own(), Vec::<Shell>::new());
        let saves = |stop: &Self| {
            let mut others = found.iter().filter(|process| !stop.daemons.contains(process));
            others.any(|process| stop.is_told(process) || process.pid == stop.group)
        };
        // Each comes after its parent.
        for process in found {
            let is_orphan = process.parent == own
                && !(self.daemons.contains(process) && saves(self))
                && !self.has_another_sender(process);
            let is_due = is_orphan || shells.iter().any(|shell| shell.leaves(process));
            if !is_due || self.is_told(process) || self.reads_on(process, found) {
                continue;
            }
            // It may end on the signal.
            if process.is_shell() {
                shells.push(Shell { process: *process, actions: process.actions() });
            }
            self.send(*process, if process.group == self.group { signal } else { libc::SIGTERM });
        }
    }

    /// Remembers a process, and the parent that it has before it loses it.
    fn see(&mut self, process: Process) {
        if self.is_told(&process) && !self.told.iter().any(|told| told.process == process) {
            self.told.push(Told::now(process));
        }
        match self.seen.iter_mut().find(|seen| seen.process == process) {
            Some(seen) if process.parent != sys::own() => seen.process = process,
            Some(_) => {}
            None => self.seen.push(Seen {
                process,
                actions: process.actions(),
                shell: process.is_shell(),
                followed: None,
            }),
        }
    }

    /// Whether a process still reads what another one writes, or has just written.
    fn reads_on(&mut self, process: &Process, found: &[Process]) -> bool {
        let Some(seen) = self.seen.iter_mut().find(|seen| seen.process == *process) else { return false };
        if follows(process, found) {
            seen.followed = Some(Instant::now());
        }
        seen.followed.is_some_and(|last| last.elapsed() < READ)
    }

    /// Whether the parent of a process, which has ended, may have told it, or whoever has ended that one: the trap of a shell, which may
    /// send another signal, or a launcher.
    fn has_another_sender(&self, process: &Process) -> bool {
        let Some(seen) = self.seen.iter().find(|seen| seen.process == *process) else { return false };
        let before = seen.process.parent;
        self.seen.iter().find(|seen| seen.process.pid == before).is_some_and(|parent| {
            if self.is_told(&parent.process) {
                parent.shell && parent.actions.handle(libc::SIGTERM)
            } else {
                // A program that does not handle TERM would have ended on it.
                seen.actions.handle(libc::SIGTERM)
            }
        })
    }

    fn send(&mut self, process: Process, signal: i32) {
        sys::kill(process.pid, signal);
        sys::kill(process.pid, libc::SIGCONT);
        self.told.push(Told::now(process));
    }

    fn tell(&mut self, process: Process) {
        if !self.is_told(&process) {
            self.send(process, libc::SIGTERM);
        }
    }

    /// Whether a process has got the signal. Where the group has it as a whole, all have that were there.
    fn is_told(&self, process: &Process) -> bool {
        let with_group =
            process.group == self.group && self.begun.is_some_and(|begun| process.started <= begun);
        with_group || self.told.iter().any(|told| told.process == *process)
    }

    /// Gives it this grace from then on, unless it has one.
    pub fn bound(&mut self, grace: Duration, from: Instant) {
        let int = (grace / 2).max(grace.saturating_sub(LAST));
        // A time beyond all clocks is none.
        let rest = int.saturating_sub(REST.min(int / 4));
        let schedule = || {
            let at = |after| from.checked_add(after);
            Some(Schedule { rest: at(rest)?, int: at(int)?, kill: at(grace)? })
        };
        self.schedule = self.schedule.or_else(schedule);
    }

    /// Sends what is due, says which signal that was, and when to ask again. `leads`: whether the program itself still
    /// runs.
    pub fn advance(&mut self, leads: bool, apart: &[Pid]) -> (Option<&'static str>, Option<Instant>) {
        let now = Instant::now();
        if let Some(Schedule { kill, .. }) =
            self.schedule.filter(|schedule| self.unsure && now >= schedule.int && now < schedule.kill)
        {
            self.tell_late(libc::SIGTERM, apart);
            self.schedule = None;
            self.bound(kill - now, now);
        }
        let due = match self.schedule {
            Some(schedule) if now >= schedule.kill => Stage::Kill,
            Some(schedule) if now >= schedule.int => Stage::Int,
            Some(schedule) if now >= schedule.rest && !self.unsure => Stage::Rest,
            Some(_) | None => Stage::Term,
        };
        let before = std::mem::replace(&mut self.stage, due);
        match due {
            Stage::Kill => self.kill(apart),
            Stage::Int => self.interrupt(before < due, apart),
            Stage::Rest if before < due => self.tell_rest(apart),
            Stage::Rest | Stage::Term if leads && self.alone => {}
            Stage::Rest | Stage::Term => self.tell_orphans(apart),
        }
        let next = match (due, self.schedule) {
            (Stage::Term, Some(schedule)) => Some(if self.unsure { schedule.int } else { schedule.rest }),
            (Stage::Term, None) => None,
            (Stage::Rest, schedule) => schedule.map(|schedule| schedule.int),
            (Stage::Int, schedule) => schedule.map(|schedule| schedule.kill),
            (Stage::Kill, _) => Some(now + AGAIN),
        };
        let look = Some(now + if leads { SELDOM } else { LOOK });
        let said = match due {
            Stage::Int if before != due => Some("SIGINT"),
            Stage::Kill if before != due => Some("SIGKILL"),
            Stage::Term | Stage::Rest | Stage::Int | Stage::Kill => None,
        };
        (said, next.into_iter().chain(look).min())
    }

    /// Whether nothing more can be done.
    pub fn is_spent(&self) -> bool {
        self.schedule.is_some_and(|schedule| schedule.kill.elapsed() > AGAIN * 10)
    }

    /// TERM for each process that has lost its parent and was not told.
    fn tell_orphans(&mut self, apart: &[Pid]) {
        if let Some(found) = process_tree::unsupervised(apart) {
            self.tell_due(&found, libc::SIGTERM);
        }
    }

    /// TERM for all that were not told, but for daemons and what reads the output of others: what saves may need them.
    fn tell_rest(&mut self, apart: &[Pid]) {
        let found = process_tree::unsupervised(apart).unwrap_or_default();
        for process in &found {
            self.see(*process);
            if !self.daemons.contains(process) && !self.reads_on(process, &found) {
                self.tell(*process);
            }
        }
    }

    /// INT for all that have had their time. With `first`, TERM for those that were not told, but for readers.
    fn interrupt(&mut self, first: bool, apart: &[Pid]) {
        let found = process_tree::unsupervised(apart);
        let Some((found, schedule)) = found.zip(self.schedule) else {
            if first {
                everyone(self.group, libc::SIGINT);
            }
            return;
        };
        for process in &found {
            self.see(*process);
            if (first || process.parent == sys::own()) && !self.reads_on(process, &found) {
                self.tell(*process);
            }
            let mut told = self.told.iter_mut();
            if let Some(told) =
                told.find(|told| told.process == *process && !told.interrupted && told.is_over(schedule))
            {
                told.interrupted = true;
                sys::kill(process.pid, libc::SIGINT);
                sys::kill(process.pid, libc::SIGCONT);
            }
        }
    }

    fn kill(&self, apart: &[Pid]) {
        match process_tree::below(apart) {
            Some(found) => process_tree::signal_groups(&found, libc::SIGKILL),
            None => everyone(self.group, libc::SIGKILL),
        }
    }
}

/// Whether a process only reads the output of another that runs: `python train.py | tee log`. The program may print while it saves,
/// and the reader ends with it. One that handles TERM is a program itself, to which the end of its input means something else.
fn follows(process: &Process, found: &[Process]) -> bool {
    found.iter().any(|other| other != process && process.reads(other))
        && !process.actions().handle(libc::SIGTERM)
}

/// Without /proc: the whole PID namespace for PID 1, otherwise the process group.
fn everyone(group: Pid, signal: i32) {
    sys::kill(if sys::own() == 1 { -1 } else { -group }, signal);
}
