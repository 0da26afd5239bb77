//! The one place that waits: for signals, for children that end, for callers, for a time.
use crate::beacon::Beacon;
use crate::probe::{Round, Sight, Target};
use crate::sys::{self, Mask, Pid, Reaped, Status};
use std::time::{Duration, Instant};

/// Signals that ask the task to end.
const STOPS: [i32; 4] = [libc::SIGTERM, libc::SIGINT, libc::SIGQUIT, libc::SIGHUP];
/// How often callers are answered.
const CALLS: Duration = Duration::from_millis(100);
/// The first and the longest pause between two rounds of looks.
const SOON: Duration = Duration::from_millis(200);
const LATER: Duration = Duration::from_secs(2);

/// What has been heard.
#[derive(Debug)]
pub struct Ears {
    /// What a program begins with.
    pub mask: Mask,
    /// The program, where it runs.
    pub child: Option<Pid>,
    /// How it ended.
    pub ended: Option<Status>,
    /// The first signal that asked for the end.
    pub asked: Option<i32>,
    /// What stands on the task's port.
    pub beacon: Option<Beacon>,
    /// Whether there is any child, ended ones apart.
    pub childless: bool,
    round: Option<Round>,
    sights: Option<Vec<Sight>>,
    next: Instant,
    pause: Duration,
}

impl Ears {
    /// From now on signals wait to be heard.
    pub fn new() -> Self {
        Self {
            mask: sys::become_supervisor(),
            child: None,
            ended: None,
            asked: None,
            beacon: None,
            childless: true,
            round: None,
            sights: None,
            next: Instant::now(),
            pause: SOON,
        }
    }

    /// Waits until something happens, or until that time.
    pub fn listen(&mut self, until: Option<Instant>) {
        let now = Instant::now();
        let mut wait = until.map_or(Duration::from_secs(3600), |until| until.saturating_duration_since(now));
        if self.beacon.is_some() {
            wait = wait.min(CALLS);
        }
        if let Some(signal) = sys::next_signal(wait)
            && signal != libc::SIGCHLD
        {
            if let Some(child) = self.child {
                sys::kill(-child, signal);
            }
            if STOPS.contains(&signal) {
                self.asked.get_or_insert(signal);
            }
        }
        self.reap();
        if let Some(beacon) = &mut self.beacon {
            beacon.answer();
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
                    } else if let Some(round) = self.round.take_if(|round| round.pid() == pid) {
                        self.sights = Some(round.seen());
                        self.next = Instant::now() + self.pause;
                        self.pause = (self.pause * 2).min(LATER);
                    }
                }
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

    /// Ends all that the program has left behind: politely, and after a second not. Whether nothing is left.
    pub fn sweep(&mut self, group: Pid) -> bool {
        self.look_away();
        let begun = Instant::now();
        let mut polite = false;
        self.reap();
        while !self.childless && begun.elapsed() < Duration::from_secs(10) {
            let hard = begun.elapsed() > Duration::from_secs(1);
            if hard || !polite {
                let signal = if hard { libc::SIGKILL } else { libc::SIGTERM };
                sys::kill(-group, signal);
                children().into_iter().for_each(|child| sys::kill(child, signal));
                polite = true;
            }
            self.listen(Some(Instant::now() + Duration::from_millis(50)));
        }
        self.childless
    }
}

/// The processes whose parent this one is, from `/proc`.
#[must_use]
pub fn children() -> Vec<Pid> {
    let own = std::process::id().to_string();
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<Pid>().ok());
    let ours = |pid: &Pid| {
        let stat = std::fs::read(format!("/proc/{pid}/stat")).unwrap_or_default();
        // The name in brackets may hold anything, brackets too; state and parent follow the last one.
        let stat = String::from_utf8_lossy(&stat);
        let parent = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1));
        parent == Some(own.as_str())
    };
    numbers.filter(ours).collect()
}
