//! The stop sequence of a program: SIGTERM, SIGINT late enough to leave time for saving, and SIGKILL at the end of the grace.
//!
//! SIGTERM goes to the program, which stops its child processes itself: data loader workers may be needed while it saves, and a
//! launcher stops its trainers. A shell may be unable to forward SIGTERM, so its foreground command gets SIGTERM too.
//!
//! The grace applies to all processes of the task. If a shell exits on SIGTERM and leaves a program that is saving, the program
//! keeps the rest of the grace. Each process of the task, in any session, gets SIGTERM once: when its parent has exited, or shortly
//! before SIGINT is due. An exited parent may have forwarded the signal; then only the second case applies.
use crate::process_tree::{self, Actions, Process};
use crate::sys::{self, Pid};
use std::time::{Duration, Instant};

/// Default grace of stops by the shim. Since 2.15, TensorFlow ignores SIGTERM. It needs up to 12 s after SIGINT, which is sent
/// after half of the grace.
pub const GRACE: Duration = Duration::from_secs(24);

/// Time from SIGINT to SIGKILL, at most half of the grace. Long enough for TensorFlow to exit, and short enough for programs that
/// save on SIGTERM.
const INT_TO_KILL: Duration = Duration::from_secs(15);
/// Time between SIGTERM for the remaining processes and SIGINT; at most a quarter of the time between the first SIGTERM and SIGINT.
const REST_TO_INT: Duration = Duration::from_secs(2);
/// How long a process may read the rest of the output of an exited process.
const READER_GRACE: Duration = Duration::from_secs(2);
/// Interval of the search for orphans after the exit of the program, and while the program runs (`ORPHAN_INTERVAL_RUNNING`).
const ORPHAN_INTERVAL: Duration = Duration::from_millis(100);
const ORPHAN_INTERVAL_RUNNING: Duration = Duration::from_millis(500);
/// Interval at which SIGKILL is repeated.
const KILL_INTERVAL: Duration = Duration::from_secs(1);

/// A stop in progress.
#[derive(Debug)]
pub struct Stop {
    /// Process group of the program.
    group: Pid,
    /// Times of the stages after SIGTERM. `None`: the platform sends SIGKILL, at a time that the shim does not know.
    schedule: Option<Schedule>,
    /// Last stage of the stop sequence that has begun.
    stage: Stage,
    /// When another sender signaled the whole process group, in ticks since boot.
    begun: Option<u64>,
    /// Processes that have received SIGTERM.
    signaled: Vec<Signaled>,
    /// All observed processes, each with its last parent before it became an orphan.
    observed: Vec<Observed>,
    /// Daemons of the program. They get SIGTERM as late as possible, because a program may need them while it saves.
    daemons: Vec<Process>,
    /// Whether only the program gets the signal while the program runs. Without a contract, the signal may have a meaning other
    /// than a stop.
    pub program_only: bool,
    /// Whether it is unknown if the processes have received SIGTERM. If so, they get SIGTERM before SIGINT.
    pub uncertain: bool,
}

#[derive(Debug, Clone, Copy)]
struct Schedule {
    rest: Instant,
    int: Instant,
    kill: Instant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// SIGTERM to the program.
    Term,
    /// SIGTERM to the remaining processes of the program.
    Rest,
    /// SIGINT to all.
    Int,
    /// SIGKILL to all.
    Kill,
}

/// A process that has received SIGTERM.
#[derive(Debug, Clone, Copy)]
struct Signaled {
    process: Process,
    at: Instant,
    interrupted: bool,
}

impl Signaled {
    fn now(process: Process) -> Self {
        Self { process, at: Instant::now(), interrupted: false }
    }

    /// Whether SIGINT is due. A process that got SIGTERM late gets SIGINT only after half of the time from this SIGTERM to SIGKILL.
    fn is_over(&self, schedule: Schedule) -> bool {
        let half = schedule.kill.saturating_duration_since(self.at) / 2;
        Instant::now() >= schedule.int && self.at.elapsed() >= half
    }
}

/// A process as first observed, but with its last parent before it became an orphan.
#[derive(Debug, Clone, Copy)]
struct Observed {
    process: Process,
    actions: Actions,
    shell: bool,
    /// When the process last read the output of a running process.
    reading_at: Option<Instant>,
}

/// A shell that has just received SIGTERM.
struct Shell {
    process: Process,
    actions: Actions,
}

impl Shell {
    /// Whether the shell does not forward the signal to a child. Without a trap, a shell exits on the signal or ignores it. A trap
    /// runs only after the foreground command has exited, and may send the signal to background commands.
    fn does_not_forward_to(&self, child: &Process) -> bool {
        child.parent == self.process.pid
            && (!self.actions.handles(libc::SIGTERM)
                || child.group == self.process.group && !child.actions().is_background())
    }
}

impl Stop {
    /// Begins a stop. `passed`: whether another sender has signaled the group, or will. The grace starts at `from`. `unrelated`:
    /// child processes that do not belong to the program.
    pub fn begin(
        grace: Option<Duration>,
        from: Instant,
        group: Pid,
        (passed, unrelated): (bool, &[Pid]),
    ) -> Self {
        let mut stop = Self {
            group,
            begun: None,
            schedule: None,
            stage: Stage::Term,
            signaled: Vec::new(),
            observed: Vec::new(),
            daemons: Vec::new(),
            program_only: false,
            uncertain: false,
        };
        if passed {
            stop.begun = Some(process_tree::ticks());
            // A suspended program cannot handle signals, so it is continued.
            sys::kill(-group, libc::SIGCONT);
        } else {
            stop.signal_first(libc::SIGTERM, unrelated);
        }
        if let Some(grace) = grace {
            stop.set_grace(grace, from);
        }
        stop
    }

    /// Assumes that another sender has signaled all processes, or will.
    pub fn assume_signaled(&mut self, unrelated: &[Pid]) {
        for process in process_tree::unsupervised(unrelated).unwrap_or_default() {
            if !self.is_signaled(&process) {
                self.signaled.push(Signaled::now(process));
            }
        }
    }

    /// Sends the signal to the program, once it is known that no other sender has sent it.
    pub fn signal_late(&mut self, signal: i32, unrelated: &[Pid]) {
        (self.uncertain, self.begun) = (false, None);
        self.signaled.clear();
        self.signal_first(signal, unrelated);
    }

    /// Sends the signal to the program, and to the foreground command of a shell.
    fn signal_first(&mut self, signal: i32, unrelated: &[Pid]) {
        sys::kill(-self.group, libc::SIGCONT);
        let Some(found) = process_tree::unsupervised(unrelated) else {
            sys::kill(-self.group, signal);
            self.begun = Some(process_tree::ticks());
            return;
        };
        if found.iter().any(|process| process.pid == self.group) {
            let is_daemon = |process: &&Process| process.parent == sys::own() && process.pid != self.group;
            self.daemons = found.iter().filter(is_daemon).copied().collect();
        }
        self.signal_due(&found, signal);
    }

    /// Sends the signal to each orphan that has not received it. If an orphan is a shell that does not forward the signal, the
    /// commands of this shell get the signal too.
    fn signal_due(&mut self, found: &[Process], signal: i32) {
        found.iter().for_each(|process| self.observe(*process));
        let (own, mut shells) = (sys::own(), Vec::<Shell>::new());
        let saves = |stop: &Self| {
            let mut others = found.iter().filter(|process| !stop.daemons.contains(process));
            others.any(|process| stop.is_signaled(process) || process.pid == stop.group)
        };
        // Parents come before their children, so `shells` is complete for each child.
        for process in found {
            let is_orphan = process.parent == own
                && !(self.daemons.contains(process) && saves(self))
                && !self.has_another_sender(process);
            let is_due = is_orphan || shells.iter().any(|shell| shell.does_not_forward_to(process));
            if !is_due || self.is_signaled(process) || self.is_reading(process, found) {
                continue;
            }
            // Checked before the signal is sent, because the shell may exit on the signal.
            if process.is_shell() {
                shells.push(Shell { process: *process, actions: process.actions() });
            }
            self.send(*process, if process.group == self.group { signal } else { libc::SIGTERM });
        }
    }

    /// Records a process and its current parent.
    fn observe(&mut self, process: Process) {
        if self.is_signaled(&process) && !self.signaled.iter().any(|told| told.process == process) {
            self.signaled.push(Signaled::now(process));
        }
        match self.observed.iter_mut().find(|seen| seen.process == process) {
            Some(seen) if process.parent != sys::own() => seen.process = process,
            Some(_) => {}
            None => self.observed.push(Observed {
                process,
                actions: process.actions(),
                shell: process.is_shell(),
                reading_at: None,
            }),
        }
    }

    /// Whether a process reads the output of another process in `found`, or did so recently.
    fn is_reading(&mut self, process: &Process, found: &[Process]) -> bool {
        let Some(seen) = self.observed.iter_mut().find(|seen| seen.process == *process) else { return false };
        if follows(process, found) {
            seen.reading_at = Some(Instant::now());
        }
        seen.reading_at.is_some_and(|last| last.elapsed() < READER_GRACE)
    }

    /// Whether a process may get the signal from another sender: from its exited parent, or from the sender that stopped the
    /// parent. The parent may be a launcher, or a shell with a trap; either may send a signal other than SIGTERM.
    fn has_another_sender(&self, process: &Process) -> bool {
        let Some(seen) = self.observed.iter().find(|seen| seen.process == *process) else { return false };
        let before = seen.process.parent;
        self.observed.iter().find(|seen| seen.process.pid == before).is_some_and(|parent| {
            if self.is_signaled(&parent.process) {
                parent.shell && parent.actions.handles(libc::SIGTERM)
            } else {
                // Without a handler for SIGTERM, the process would have exited on SIGTERM.
                seen.actions.handles(libc::SIGTERM)
            }
        })
    }

    fn send(&mut self, process: Process, signal: i32) {
        sys::kill(process.pid, signal);
        sys::kill(process.pid, libc::SIGCONT);
        self.signaled.push(Signaled::now(process));
    }

    fn terminate(&mut self, process: Process) {
        if !self.is_signaled(&process) {
            self.send(process, libc::SIGTERM);
        }
    }

    /// Whether a process has received the signal. If the group received it, all processes that the group then had have received it.
    fn is_signaled(&self, process: &Process) -> bool {
        let with_group =
            process.group == self.group && self.begun.is_some_and(|begun| process.started <= begun);
        with_group || self.signaled.iter().any(|told| told.process == *process)
    }

    /// Sets the schedule for this grace, unless a schedule is set.
    pub fn set_grace(&mut self, grace: Duration, from: Instant) {
        let int = (grace / 2).max(grace.saturating_sub(INT_TO_KILL));
        // A grace that ends beyond the range of the clock counts as no limit.
        let rest = int.saturating_sub(REST_TO_INT.min(int / 4));
        let schedule = || {
            let at = |after| from.checked_add(after);
            Some(Schedule { rest: at(rest)?, int: at(int)?, kill: at(grace)? })
        };
        self.schedule = self.schedule.or_else(schedule);
    }

    /// Sends due signals. Returns the name of the signal if a new stage begins, and when to call again. `leads`: whether the
    /// program is still running.
    pub fn advance(&mut self, leads: bool, unrelated: &[Pid]) -> (Option<&'static str>, Option<Instant>) {
        let now = Instant::now();
        if let Some(Schedule { kill, .. }) =
            self.schedule.filter(|schedule| self.uncertain && now >= schedule.int && now < schedule.kill)
        {
            self.signal_late(libc::SIGTERM, unrelated);
            self.schedule = None;
            self.set_grace(kill - now, now);
        }
        let due = match self.schedule {
            Some(schedule) if now >= schedule.kill => Stage::Kill,
            Some(schedule) if now >= schedule.int => Stage::Int,
            Some(schedule) if now >= schedule.rest && !self.uncertain => Stage::Rest,
            Some(_) | None => Stage::Term,
        };
        let before = std::mem::replace(&mut self.stage, due);
        match due {
            Stage::Kill => self.kill(unrelated),
            Stage::Int => self.interrupt(before < due, unrelated),
            Stage::Rest if before < due => self.signal_rest(unrelated),
            Stage::Rest | Stage::Term if leads && self.program_only => {}
            Stage::Rest | Stage::Term => self.signal_orphans(unrelated),
        }
        let next = match (due, self.schedule) {
            (Stage::Term, Some(schedule)) => Some(if self.uncertain { schedule.int } else { schedule.rest }),
            (Stage::Term, None) => None,
            (Stage::Rest, schedule) => schedule.map(|schedule| schedule.int),
            (Stage::Int, schedule) => schedule.map(|schedule| schedule.kill),
            (Stage::Kill, _) => Some(now + KILL_INTERVAL),
        };
        let look = Some(now + if leads { ORPHAN_INTERVAL_RUNNING } else { ORPHAN_INTERVAL });
        let said = match due {
            Stage::Int if before != due => Some("SIGINT"),
            Stage::Kill if before != due => Some("SIGKILL"),
            Stage::Term | Stage::Rest | Stage::Int | Stage::Kill => None,
        };
        (said, next.into_iter().chain(look).min())
    }

    /// Whether SIGKILL was due more than 10 s ago. The processes that are left then do not react to it.
    pub fn is_spent(&self) -> bool {
        self.schedule.is_some_and(|schedule| schedule.kill.elapsed() > KILL_INTERVAL * 10)
    }

    /// Sends SIGTERM to orphans that have not received it.
    fn signal_orphans(&mut self, unrelated: &[Pid]) {
        if let Some(found) = process_tree::unsupervised(unrelated) {
            self.signal_due(&found, libc::SIGTERM);
        }
    }

    /// Sends SIGTERM to all processes that have not received it, except daemons and readers, which a saving program may need.
    fn signal_rest(&mut self, unrelated: &[Pid]) {
        let found = process_tree::unsupervised(unrelated).unwrap_or_default();
        for process in &found {
            self.observe(*process);
            if !self.daemons.contains(process) && !self.is_reading(process, &found) {
                self.terminate(*process);
            }
        }
    }

    /// Sends SIGINT to the processes for which it is due. With `first`, also sends SIGTERM to processes that have not received it,
    /// except readers.
    fn interrupt(&mut self, first: bool, unrelated: &[Pid]) {
        let found = process_tree::unsupervised(unrelated);
        let Some((found, schedule)) = found.zip(self.schedule) else {
            if first {
                everyone(self.group, libc::SIGINT);
            }
            return;
        };
        for process in &found {
            self.observe(*process);
            if (first || process.parent == sys::own()) && !self.is_reading(process, &found) {
                self.terminate(*process);
            }
            let mut told = self.signaled.iter_mut();
            if let Some(told) =
                told.find(|told| told.process == *process && !told.interrupted && told.is_over(schedule))
            {
                told.interrupted = true;
                sys::kill(process.pid, libc::SIGINT);
                sys::kill(process.pid, libc::SIGCONT);
            }
        }
    }

    fn kill(&self, unrelated: &[Pid]) {
        match process_tree::descendants(unrelated) {
            Some(found) => process_tree::signal_groups(&found, libc::SIGKILL),
            None => everyone(self.group, libc::SIGKILL),
        }
    }
}

/// Whether a process only reads the output of another running process, as `tee` does in `python train.py | tee log`. The program
/// may print while it saves, and the reader exits after the program. A process that handles SIGTERM does not count, because the end
/// of its input may have another meaning.
fn follows(process: &Process, found: &[Process]) -> bool {
    found.iter().any(|other| other != process && process.reads(other))
        && !process.actions().handles(libc::SIGTERM)
}

/// Sends a signal if `/proc` is not available: to the whole PID namespace if this process is PID 1, otherwise to the process group.
fn everyone(group: Pid, signal: i32) {
    sys::kill(if sys::own() == 1 { -1 } else { -group }, signal);
}
