//! The one place that waits: for signals, for children that end, for callers, for a time.
use crate::beacon::Beacon;
use crate::family;
use crate::probe::{Round, Sight, Target};
use crate::sys::{self, Pid, Reaped, Signals, Status, terminal};
use std::time::{Duration, Instant};

/// Signals that ask the task to end.
const STOPS: [i32; 4] = [libc::SIGTERM, libc::SIGINT, libc::SIGQUIT, libc::SIGHUP];
/// Those of them that end most programs without a chance to save: a task gets TERM instead.
const HARD: [i32; 2] = [libc::SIGQUIT, libc::SIGHUP];
/// How often callers are answered.
const CALLS: Duration = Duration::from_millis(100);
/// How long whoever stops all processes of a task may take from the first to the last of them, and how long it is of interest.
const SPREAD: Duration = Duration::from_millis(100);
const FRESH: Duration = Duration::from_secs(2);
/// How often the witness is looked at.
const GLANCE: Duration = Duration::from_millis(2);
/// The first and the longest pause between two rounds of looks.
const SOON: Duration = Duration::from_millis(200);
const LATER: Duration = Duration::from_secs(2);

/// What has been heard.
#[derive(Debug)]
pub struct Ears {
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
    pub beacon: Option<Beacon>,
    /// Whether there is no child.
    pub childless: bool,
    /// When a signal asked for the end that is another's than the parent's. Where the parent asks too, all processes of the job
    /// have got it, as a service manager and a batch system send it: a second one would end a program that saves.
    pub stranger: Option<Instant>,
    /// Whether all processes of the task seem to have got the signal: the witness has, or the parent and somebody else have
    /// asked. Perhaps only this process and its parent have got it, as from `pkill tfjob`.
    pub shared: bool,
    /// A process that gets the signals that are sent to all of the task, and no others.
    witness: Option<Pid>,
    /// The signal that has ended it, and when.
    witnessed: Option<(i32, Instant)>,
    /// Whether every signal is passed on as it is.
    verbatim: bool,
    /// The process that alone asks for the end.
    parent: Option<Pid>,
    /// Whether the program has the terminal.
    foreground: bool,
    /// The process that notices what the terminal sends to the program.
    watcher: Option<Pid>,
    round: Option<Round>,
    sights: Option<Vec<Sight>>,
    next: Instant,
    pause: Duration,
}

/// Whether the program may have the terminal before it asks for it: nobody else of this process group needs it, such as a
/// pager in the same pipeline.
pub fn may_give() -> bool {
    terminal::is_ours() && family::is_alone_in_group()
}

impl Ears {
    /// From now on signals wait to be heard.
    pub fn new(verbatim: bool, parent: Option<Pid>) -> Self {
        Self {
            signals: sys::become_supervisor(),
            child: None,
            ended: None,
            asked: None,
            stopping: false,
            beacon: None,
            childless: true,
            stranger: None,
            shared: false,
            witness: None,
            witnessed: None,
            verbatim,
            parent,
            foreground: false,
            watcher: None,
            round: None,
            sights: None,
            next: Instant::now(),
            pause: SOON,
        }
    }

    /// Attends to a program that has been started.
    pub fn attend(&mut self, child: Pid, foreground: bool) {
        (self.child, self.ended, self.foreground) = (Some(child), None, foreground);
        self.stopping = false;
        self.release();
        if !self.verbatim {
            self.witness = sys::witness::start().ok();
        }
        if foreground {
            // Without a process to spare, Ctrl-C ends the program all the same.
            self.watcher = terminal::watch(child, self.signals).ok();
        }
    }

    /// Ends the witness: the program has ended.
    pub fn release(&mut self) {
        self.witness.take().into_iter().for_each(sys::witness::dismiss);
        self.witnessed = None;
    }

    /// Whether all processes of the task get one of these signals, which this one or the program has just got: one executor signals the whole tree
    /// (`os::killtree`), systemd the whole control group, its main process first (`unit_kill_context`).
    pub fn is_for_all(&mut self, signals: &[i32]) -> bool {
        let end = Instant::now() + SPREAD;
        loop {
            self.reap();
            if self.witnessed.is_some_and(|(last, at)| signals.contains(&last) && at.elapsed() < FRESH) {
                return true;
            }
            if self.witness.is_none() || Instant::now() >= end {
                return false;
            }
            std::thread::sleep(GLANCE);
        }
    }

    /// Whether the program has got this signal as it came.
    pub fn passes(&self, signal: i32) -> bool {
        self.verbatim || !HARD.contains(&signal)
    }

    /// Children of this process that are not of the program.
    pub fn apart(&self) -> Vec<Pid> {
        self.watcher.into_iter().chain(self.witness).chain(self.round.as_ref().map(Round::pid)).collect()
    }

    /// Whether a signal has asked for the end, or waits that does. Without a wait, so that long work may ask often.
    pub fn is_asked(&self) -> bool {
        self.asked.is_some() || sys::pending::is_pending(&STOPS)
    }

    /// Waits until something happens, or until that time.
    pub fn listen(&mut self, until: Option<Instant>) {
        let now = Instant::now();
        let mut wait = until.map_or(Duration::from_secs(3600), |until| until.saturating_duration_since(now));
        if self.beacon.is_some() {
            wait = wait.min(CALLS);
        }
        if let Some((signal, sender)) = self.signals.next(wait)
            && signal != libc::SIGCHLD
        {
            self.take(signal, sender);
        }
        self.reap();
        if let Some(beacon) = &mut self.beacon {
            beacon.answer();
        }
    }

    fn take(&mut self, signal: i32, sender: Pid) {
        let asks = STOPS.contains(&signal);
        let ours = self.parent.is_none_or(|parent| parent == sender);
        if asks && !self.stopping && !HARD.contains(&signal) {
            self.shared |= self.is_for_all(&[signal]);
        }
        if asks && !self.shared && !self.stopping && !HARD.contains(&signal) && !ours {
            self.stranger = Some(Instant::now());
        }
        if let Some(child) = self.child {
            // A shell has brought this job back into the foreground.
            if signal == libc::SIGCONT && may_give() {
                self.bring_forward(child);
            }
            let again = self.stopping && asks && !self.verbatim;
            if self.passes(signal) && !again && !(asks && (self.shared || self.stranger.is_some())) {
                sys::kill(-child, signal);
            }
        }
        if asks && ours {
            self.shared |= self.stranger.take().is_some();
        }
        if asks {
            self.asked.get_or_insert(signal);
            self.stopping = true;
        }
    }

    /// Takes all children that have ended.
    pub fn reap(&mut self) {
        loop {
            match sys::reap() {
                Reaped::Ended(pid, status) => {
                    if self.child == Some(pid) {
                        self.child = None;
                        self.ended = Some(status);
                        self.leave_terminal();
                    } else if self.witness == Some(pid) {
                        self.witness = None;
                        if let Status::Signal(signal) = status {
                            self.witnessed = Some((i32::from(signal), Instant::now()));
                        }
                    } else if self.watcher == Some(pid) {
                        self.watcher = None;
                        self.noticed(status);
                    } else if let Some(round) = self.round.take_if(|round| round.pid() == pid) {
                        self.sights = Some(round.seen());
                        self.next = Instant::now() + self.pause;
                        self.pause = (self.pause * 2).min(LATER);
                    }
                }
                Reaped::Stopped(pid, signal) if self.child == Some(pid) => self.suspend(pid, signal),
                Reaped::Stopped(..) => {}
                Reaped::Alive => {
                    self.childless = false;
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
        self.watcher = self.watcher.or_else(|| terminal::watch(child, self.signals).ok());
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
        if let Some(watcher) = self.watcher.take() {
            let status = sys::dismiss(watcher);
            self.noticed(status);
        }
        if std::mem::take(&mut self.foreground) {
            terminal::take();
        }
    }

    /// What the watcher says with its end.
    fn noticed(&mut self, status: Status) {
        match status {
            Status::Code(0) | Status::Signal(_) => {}
            Status::Code(signal) => {
                self.asked.get_or_insert(i32::from(signal));
            }
        }
    }

    /// What the last round saw. Begins the next one when it is due; the time is when to ask again at the latest.
    pub fn look(&mut self, targets: &[Target]) -> (Option<Vec<Sight>>, Option<Instant>) {
        if let Some(sights) = self.sights.take() {
            return (Some(sights), Some(self.next));
        }
        let now = Instant::now();
        if self.round.is_none() && now >= self.next && !targets.is_empty() {
            match Round::begin(targets) {
                Ok(round) => self.round = Some(round),
                // No process to spare: later, perhaps.
                Err(_) => self.next = now + LATER,
            }
        }
        (None, self.round.is_none().then_some(self.next))
    }

    /// Drops a round that is under way: its process would keep what this one holds open.
    pub fn look_away(&mut self) {
        if let Some(round) = self.round.take() {
            sys::kill(round.pid(), libc::SIGKILL);
        }
        self.sights = None;
        self.next = Instant::now();
        self.pause = SOON;
    }
}
