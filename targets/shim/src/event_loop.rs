//! The one place that waits: for signals, for children that end, for callers, for a time.
use crate::probe::{ProbeResult, Target};
use crate::probe_rounds::ProbeRounds;
use crate::process_tree;
use crate::signal_dedup::SignalDeduplicator;
use crate::status_listener::StatusListener;
use crate::sys::stop_witness::{self, Seen};
use crate::sys::{self, Pid, Reaped, Signals, Status, terminal};
use std::time::{Duration, Instant};

/// Signals that ask the task to end.
const STOPS: [i32; 4] = [libc::SIGTERM, libc::SIGINT, libc::SIGQUIT, libc::SIGHUP];
/// Those of them that end most programs without a chance to save: a task gets TERM instead.
const HARD: [i32; 2] = [libc::SIGQUIT, libc::SIGHUP];
/// How often callers are answered.
const CALLS: Duration = Duration::from_millis(100);

/// What has been heard.
#[derive(Debug)]
pub struct EventLoop {
    /// The signals of this process, and those that a program begins with.
    pub signals: Signals,
    /// The program, where it runs.
    pub child: Option<Pid>,
    /// How it ended.
    pub ended: Option<Status>,
    /// The first signal that asked for the end.
    pub asked: Option<i32>,
    /// Whether the task is being stopped: its processes have been told, each once.
    pub stopping: bool,
    /// What stands on the task's port.
    pub status_listener: Option<StatusListener>,
    /// Whether there is no child, except those from before.
    pub childless: bool,
    /// Children from before this process was a shim. They are not of the program.
    before: Vec<Pid>,
    /// Since when it is open whether the program has got the signal that asked for the end, from whoever sent it here.
    open: Option<Instant>,
    /// Whether it has, as far as that is known.
    told: bool,
    /// Whether the parent has asked for the end, and whether somebody else has.
    by_parent: bool,
    by_other: bool,
    /// Whether every signal is passed on as it is.
    verbatim: bool,
    /// The process that alone asks for the end.
    parent: Option<Pid>,
    /// Whether the program has the terminal.
    foreground: bool,
    /// The process that gets what is sent to the program's whole group.
    watcher: Option<Pid>,
    rounds: ProbeRounds,
    once: SignalDeduplicator,
}

/// Whether the program may have the terminal before it asks for it: nobody else of this process group needs it, such as a
/// pager in the same pipeline.
pub fn may_give() -> bool {
    terminal::is_ours() && process_tree::is_alone_in_group()
}

impl EventLoop {
    /// From now on signals wait to be heard. `inherited`: whether the parent passes them on.
    pub fn new(verbatim: bool, parent: Option<Pid>, inherited: bool) -> Self {
        Self {
            signals: sys::become_supervisor(),
            child: None,
            ended: None,
            asked: None,
            stopping: false,
            status_listener: None,
            childless: true,
            before: process_tree::inherited(),
            open: None,
            told: false,
            by_parent: false,
            by_other: false,
            verbatim,
            parent,
            foreground: false,
            watcher: None,
            rounds: ProbeRounds::new(),
            once: SignalDeduplicator::new(inherited),
        }
    }

    /// Attends to a program that has been started.
    pub fn attend(&mut self, child: Pid, foreground: bool) {
        (self.child, self.ended, self.foreground) = (Some(child), None, foreground);
        (self.stopping, self.open, self.told) = (false, None, false);
        (self.by_parent, self.by_other) = (false, false);
        if foreground || !self.verbatim {
            // Without a process to spare, Ctrl-C ends the program all the same.
            self.watcher = stop_witness::watch(child, self.signals).ok();
        }
    }

    /// Whether the program gets this signal as it came.
    pub fn passes(&self, signal: i32) -> bool {
        self.verbatim || !HARD.contains(&signal)
    }

    /// Children of this process that are not of the program.
    pub fn apart(&self) -> Vec<Pid> {
        self.watcher.into_iter().chain(self.rounds.pid()).chain(self.before.iter().copied()).collect()
    }

    /// Whether a signal has asked for the end, or waits that does. Without a wait, so that long work may ask often.
    pub fn is_asked(&self) -> bool {
        self.asked.is_some()
            || sys::pending::is_pending(&STOPS)
            || (self.parent.is_some() && sys::pending::is_pending(&[sys::STOP]))
    }

    /// Waits until something happens, or until that time.
    pub fn listen(&mut self, until: Option<Instant>) {
        let now = Instant::now();
        let mut wait = until.map_or(Duration::from_secs(3600), |until| until.saturating_duration_since(now));
        if self.status_listener.is_some() {
            wait = wait.min(CALLS);
        }
        if let Some((signal, sender)) = self.signals.next(wait)
            && signal != libc::SIGCHLD
            && self.once.is_first(signal, sender)
        {
            self.take(signal, sender);
        }
        self.reap();
        if let Some(beacon) = &mut self.status_listener {
            beacon.answer();
        }
    }

    fn take(&mut self, signal: i32, sender: Pid) {
        let by_parent = self.parent.is_some_and(|parent| parent == sender || signal == sys::STOP);
        let signal = if by_parent && signal == sys::STOP { libc::SIGTERM } else { signal };
        let asks = STOPS.contains(&signal);
        if let Some(child) = self.child {
            // A shell has brought this job back into the foreground.
            if signal == libc::SIGCONT && may_give() {
                self.bring_forward(child);
            }
            if self.verbatim || !asks {
                sys::kill(-child, signal);
            } else if !self.stopping {
                self.open = Some(Instant::now());
            }
        }
        if asks {
            self.by_parent |= by_parent;
            self.by_other |= !by_parent && !HARD.contains(&signal);
            self.asked.get_or_insert(signal);
            self.stopping = true;
        }
    }

    /// Asks from now on whether the group has got a signal, if somebody notices that.
    pub fn ask(&mut self) -> bool {
        self.open = self.watcher.filter(|_| !self.verbatim).map(|_| Instant::now());
        self.open.is_some()
    }

    /// Whether it is open whether the program has got the signal that asked for the end.
    pub const fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// When that is decided. Whoever asks all processes does so within `soon`; a parent has `patience` to ask too.
    pub fn settles(&self, soon: Duration, patience: Duration) -> Option<Instant> {
        let alone = self.parent.is_some() && self.by_other && !self.by_parent;
        let both = self.parent.is_some() && self.by_other && self.by_parent;
        let wait = match (both, alone) {
            (true, _) => Duration::ZERO,
            (false, true) => patience,
            (false, false) => soon,
        };
        self.open.map(|open| open + wait)
    }

    /// Decides it now: whether the program has got it. It has where its group has got one too. It may have where both the parent
    /// and somebody else have asked: perhaps each process of the job was named.
    pub fn settle(&mut self) -> bool {
        self.open = None;
        self.dismiss();
        self.told || (self.parent.is_some() && self.by_parent && self.by_other)
    }

    /// Ends the watcher, and takes what it has got.
    pub fn dismiss(&mut self) {
        if let Some(watcher) = self.watcher.take() {
            self.noticed(stop_witness::dismiss(watcher));
        }
    }

    /// Takes all children that have ended.
    pub fn reap(&mut self) {
        loop {
            match sys::reap() {
                Reaped::Ended(pid, status) => {
                    self.before.retain(|before| *before != pid);
                    if self.child == Some(pid) {
                        self.child = None;
                        self.ended = Some(status);
                        self.leave_terminal();
                    } else if self.watcher == Some(pid) {
                        self.watcher = None;
                        self.noticed(stop_witness::seen(status));
                    } else {
                        self.rounds.reaped(pid);
                    }
                }
                Reaped::Stopped(pid, signal) if self.child == Some(pid) => self.suspend(pid, signal),
                Reaped::Stopped(..) => {}
                Reaped::Alive => {
                    self.childless = !self.before.is_empty()
                        && self.child.is_none()
                        && process_tree::is_empty(&self.apart());
                    return;
                }
                Reaped::Childless => {
                    self.childless = true;
                    return;
                }
            }
        }
    }

    /// Gives the terminal to the program.
    fn bring_forward(&mut self, child: Pid) {
        terminal::give(child);
        self.foreground = true;
        self.watcher = self.watcher.or_else(|| stop_witness::watch(child, self.signals).ok());
    }

    /// Stops with a program that the terminal has stopped: by Ctrl-Z, or because it is in the background and reads or sets
    /// the terminal. The shell sees that and can continue both. Where only the program is in the background, it gets the
    /// terminal.
    fn suspend(&mut self, child: Pid, signal: i32) {
        match signal {
            libc::SIGTSTP if self.foreground && !terminal::suspend(signal) => {
                sys::kill(-child, libc::SIGCONT);
            }
            libc::SIGTTIN | libc::SIGTTOU if !self.foreground && terminal::is_ours() => {
                self.bring_forward(child);
                sys::kill(-child, libc::SIGCONT);
            }
            libc::SIGTTIN | libc::SIGTTOU if !self.foreground => {
                terminal::suspend(signal);
            }
            _ => {}
        }
    }

    /// Takes the terminal back from a program that has ended, and what it was sent last.
    fn leave_terminal(&mut self) {
        if self.foreground {
            self.dismiss();
            self.foreground = false;
            terminal::take();
        }
    }

    fn noticed(&mut self, seen: Seen) {
        match seen {
            // A signal of another kind was sent for another reason, unless the program has ended: then both ask for that.
            Seen::Told { int, term } => {
                self.told |= match self.asked {
                    Some(libc::SIGINT) => int,
                    Some(_) => term,
                    None => int || term,
                };
            }
            // What a terminal sends to a program in the background asks for nothing.
            Seen::Typed(signal) if self.foreground => {
                self.told |= signal == libc::SIGINT;
                self.asked.get_or_insert(signal);
            }
            Seen::Typed(_) | Seen::Nothing => {}
        }
    }

    /// What the last round saw. Begins the next one when it is due; the time is when to ask again at the latest.
    pub fn probe(&mut self, targets: &[Target]) -> (Option<Vec<ProbeResult>>, Option<Instant>) {
        self.rounds.probe(targets)
    }

    /// Whether all have been looked at since that time.
    pub fn has_probed_since(&mut self, since: Instant) -> bool {
        self.rounds.since(since)
    }

    /// Drops a round that is under way: its process would keep what this one holds open.
    pub fn cancel_probe(&mut self) {
        self.rounds.forget();
    }
}
