//! The event loop: waits for signals, child exits, connections, and timeouts. Nothing else in the supervisor blocks.
use crate::probe::{ProbeResult, Target};
use crate::probe_rounds::ProbeRounds;
use crate::process_tree;
use crate::signal_dedup::SignalDeduplicator;
use crate::status_listener::StatusListener;
use crate::sys::stop_witness::{self, Seen};
use crate::sys::{self, Pid, Reaped, Signals, Status, terminal};
use std::time::{Duration, Instant};

/// Signals that stop the task.
const STOPS: [i32; 4] = [libc::SIGTERM, libc::SIGINT, libc::SIGQUIT, libc::SIGHUP];
/// Stop signals on which most programs exit without saving: a task gets SIGTERM instead.
const REPLACED: [i32; 2] = [libc::SIGQUIT, libc::SIGHUP];
/// Interval at which the status listener answers connections.
const ANSWER_INTERVAL: Duration = Duration::from_millis(100);

/// State of the event loop.
#[derive(Debug)]
pub struct EventLoop {
    /// Signal masks of this process and of programs.
    pub signals: Signals,
    /// The running program.
    pub child: Option<Pid>,
    /// Exit status of the program.
    pub ended: Option<Status>,
    /// The first stop signal.
    pub asked: Option<i32>,
    /// Whether the task is being stopped. If so, each process of the task has received the stop signal once.
    pub stopping: bool,
    /// Listener on the rendezvous port while the program is not running.
    pub status_listener: Option<StatusListener>,
    /// Whether this process has no children except inherited ones.
    pub childless: bool,
    /// Child processes from before the shim started. They do not belong to the program.
    inherited: Vec<Pid>,
    /// Since when it is unknown whether the sender of the stop signal has also signaled the program.
    undecided_since: Option<Instant>,
    /// Whether the program has received the stop signal, as far as known.
    program_signaled: bool,
    /// Whether the parent has sent a stop signal (`by_parent`), and whether another sender has (`by_other`).
    by_parent: bool,
    by_other: bool,
    /// Whether every signal is forwarded unchanged.
    verbatim: bool,
    /// The parent, `tfjob run`.
    parent: Option<Pid>,
    /// Whether the program is in the foreground of the terminal.
    foreground: bool,
    /// The stop-witness process in the process group of the program.
    witness: Option<Pid>,
    rounds: ProbeRounds,
    once: SignalDeduplicator,
}

/// Whether the program can get the terminal at its start. This requires that no other process of this process group needs the
/// terminal, such as a pager in the same pipeline.
pub fn can_give_terminal() -> bool {
    terminal::is_ours() && process_tree::is_alone_in_group()
}

impl EventLoop {
    /// Creates the event loop. From now on, signals are blocked and received only here. `inherited`: whether the parent is the
    /// signal proxy.
    pub fn new(verbatim: bool, parent: Option<Pid>, inherited: bool) -> Self {
        Self {
            signals: sys::become_supervisor(),
            child: None,
            ended: None,
            asked: None,
            stopping: false,
            status_listener: None,
            childless: true,
            inherited: process_tree::inherited(),
            undecided_since: None,
            program_signaled: false,
            by_parent: false,
            by_other: false,
            verbatim,
            parent,
            foreground: false,
            witness: None,
            rounds: ProbeRounds::new(),
            once: SignalDeduplicator::new(inherited),
        }
    }

    /// Registers a started program.
    pub fn register(&mut self, child: Pid, foreground: bool) {
        (self.child, self.ended, self.foreground) = (Some(child), None, foreground);
        (self.stopping, self.undecided_since, self.program_signaled) = (false, None, false);
        (self.by_parent, self.by_other) = (false, false);
        if foreground || !self.verbatim {
            // An error is ignored: without the witness, Ctrl-C still stops the program.
            self.witness = stop_witness::watch(child, self.signals).ok();
        }
    }

    /// Whether the program gets this signal unchanged.
    pub fn is_forwarded(&self, signal: i32) -> bool {
        self.verbatim || !REPLACED.contains(&signal)
    }

    /// Returns child processes that do not belong to the program.
    pub fn unrelated(&self) -> Vec<Pid> {
        self.witness.into_iter().chain(self.rounds.pid()).chain(self.inherited.iter().copied()).collect()
    }

    /// Whether a stop signal was received or is pending. Does not block, so that long work can call it often.
    pub fn is_stop_requested(&self) -> bool {
        self.asked.is_some()
            || sys::pending::is_pending(&STOPS)
            || (self.parent.is_some() && sys::pending::is_pending(&[sys::STOP]))
    }

    /// Waits for an event, at most until `until`.
    pub fn listen(&mut self, until: Option<Instant>) {
        let now = Instant::now();
        let mut wait = until.map_or(Duration::from_secs(3600), |until| until.saturating_duration_since(now));
        if self.status_listener.is_some() {
            wait = wait.min(ANSWER_INTERVAL);
        }
        if let Some((signal, sender)) = self.signals.next(wait)
            && signal != libc::SIGCHLD
            && self.once.is_first(signal, sender)
        {
            self.handle(signal, sender);
        }
        self.reap();
        if let Some(beacon) = &mut self.status_listener {
            beacon.answer();
        }
    }

    fn handle(&mut self, signal: i32, sender: Pid) {
        let by_parent = self.parent.is_some_and(|parent| parent == sender || signal == sys::STOP);
        let signal = if by_parent && signal == sys::STOP { libc::SIGTERM } else { signal };
        let asks = STOPS.contains(&signal);
        if let Some(child) = self.child {
            // A shell has moved this process group to the foreground, so the program gets the terminal.
            if signal == libc::SIGCONT && can_give_terminal() {
                self.bring_forward(child);
            }
            if self.verbatim || !asks {
                sys::kill(-child, signal);
            } else if !self.stopping {
                self.undecided_since = Some(Instant::now());
            }
        }
        if asks {
            self.by_parent |= by_parent;
            self.by_other |= !by_parent && !REPLACED.contains(&signal);
            self.asked.get_or_insert(signal);
            self.stopping = true;
        }
    }

    /// Starts to check whether the process group of the program receives a stop signal. Returns false if there is no stop-witness
    /// process, or if signals are forwarded unchanged.
    pub fn start_check(&mut self) -> bool {
        self.undecided_since = self.witness.filter(|_| !self.verbatim).map(|_| Instant::now());
        self.undecided_since.is_some()
    }

    /// Whether it is undecided whether the program has received the stop signal.
    pub const fn is_undecided(&self) -> bool {
        self.undecided_since.is_some()
    }

    /// Returns when [`Self::decide`] is due. `None` if nothing is undecided. `soon`: how long a sender takes to signal all
    /// processes. `patience`: how long the parent may take to send a stop signal after another sender.
    pub fn decides_at(&self, soon: Duration, patience: Duration) -> Option<Instant> {
        let alone = self.parent.is_some() && self.by_other && !self.by_parent;
        let both = self.parent.is_some() && self.by_other && self.by_parent;
        let wait = match (both, alone) {
            (true, _) => Duration::ZERO,
            (false, true) => patience,
            (false, false) => soon,
        };
        self.undecided_since.map(|open| open + wait)
    }

    /// Decides whether the program has received the stop signal. It has, if its process group has received one. It also counts as
    /// received if both the parent and another sender have sent a stop signal to this process, because they may have signaled all
    /// processes of the job.
    pub fn decide(&mut self) -> bool {
        self.undecided_since = None;
        self.dismiss_witness();
        self.program_signaled || (self.parent.is_some() && self.by_parent && self.by_other)
    }

    /// Stops the witness, and records the signals that it has received.
    pub fn dismiss_witness(&mut self) {
        if let Some(witness) = self.witness.take() {
            self.record(stop_witness::dismiss(witness));
        }
    }

    /// Reaps all exited child processes.
    pub fn reap(&mut self) {
        loop {
            match sys::reap() {
                Reaped::Ended(pid, status) => {
                    self.inherited.retain(|before| *before != pid);
                    if self.child == Some(pid) {
                        self.child = None;
                        self.ended = Some(status);
                        self.leave_terminal();
                    } else if self.witness == Some(pid) {
                        self.witness = None;
                        self.record(stop_witness::seen(status));
                    } else {
                        self.rounds.reaped(pid);
                    }
                }
                Reaped::Stopped(pid, signal) if self.child == Some(pid) => self.suspend(pid, signal),
                Reaped::Stopped(..) => {}
                Reaped::Alive => {
                    self.childless = !self.inherited.is_empty()
                        && self.child.is_none()
                        && process_tree::is_empty(&self.unrelated());
                    return;
                }
                Reaped::Childless => {
                    self.childless = true;
                    return;
                }
            }
        }
    }

    /// Moves the program to the foreground of the terminal.
    fn bring_forward(&mut self, child: Pid) {
        terminal::give(child);
        self.foreground = true;
        self.witness = self.witness.or_else(|| stop_witness::watch(child, self.signals).ok());
    }

    /// Suspends this process together with a program that the terminal has suspended, so that the shell can continue both. The
    /// terminal suspends a program on Ctrl-Z, or if the program accesses the terminal from the background. If only the program is
    /// in the background, it gets the terminal.
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

    /// Takes the terminal back from a program that has exited, and records the last signals of its group.
    fn leave_terminal(&mut self) {
        if self.foreground {
            self.dismiss_witness();
            self.foreground = false;
            terminal::take();
        }
    }

    fn record(&mut self, seen: Seen) {
        match seen {
            // After a stop by SIGINT, only SIGINT counts, and after any other stop only SIGTERM: the other signal may have another
            // cause.
            Seen::Process { int, term } => {
                self.program_signaled |= match self.asked {
                    Some(libc::SIGINT) => int,
                    Some(_) => term,
                    None => int || term,
                };
            }
            // Terminal signals to a program in the background are not a stop.
            Seen::Terminal(signal) if self.foreground => {
                self.program_signaled |= signal == libc::SIGINT;
                self.asked.get_or_insert(signal);
            }
            Seen::Terminal(_) | Seen::Nothing => {}
        }
    }

    /// Returns the results of the last probe round, if there are new ones, and the time by which to call again. Starts the next
    /// round when it is due.
    pub fn probe(&mut self, targets: &[Target]) -> (Option<Vec<ProbeResult>>, Option<Instant>) {
        self.rounds.probe(targets)
    }

    /// Whether all targets were probed after `since`.
    pub fn has_probed_since(&mut self, since: Instant) -> bool {
        self.rounds.since(since)
    }

    /// Cancels the current probe round, because its process would keep file descriptors of this process open.
    pub fn cancel_probe(&mut self) {
        self.rounds.reset();
    }
}
