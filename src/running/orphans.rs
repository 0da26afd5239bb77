//! Orphans of a killed shim become children of this process, and are killed.
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, waitpid};
use std::time::{Duration, Instant};

/// How long a killed process may take to exit: a process in uninterruptible sleep is delayed.
const PATIENCE: Duration = Duration::from_secs(10);

/// Interval at which this process, as PID 1 of a container, reaps orphans of processes that do not belong to the run.
const REAPED: Duration = Duration::from_secs(1);

/// Kills and reaps orphans.
#[derive(Debug, Default)]
pub struct Orphans {
    /// Child processes that do not belong to the run, because they are older than the run.
    others: Vec<Pid>,
    /// Time at which a shim was killed. `None` once all processes that it supervised have exited.
    since: Option<Instant>,
    /// Time of the last reaping as PID 1.
    reaped: Option<Instant>,
}

impl Orphans {
    /// Makes this process the parent of orphaned descendants.
    pub fn adopt() -> Self {
        // An error is ignored: the run works without it, but orphans then become children of PID 1.
        let _ = set_child_subreaper(Some(getpid()));
        Self { others: children(), since: None, reaped: None }
    }

    /// Records that a shim was killed, so that its processes are killed.
    pub fn expect(&mut self) {
        self.since = Some(Instant::now());
    }

    /// Kills and reaps orphans. Every process of a dead shim is a child of this process, or a descendant of a child. So if this
    /// process has no child except running shims, no orphan is left. `is_ours`: whether a process is a running shim.
    pub fn sweep(&mut self, is_ours: impl Fn(Pid) -> bool) {
        if self.since.is_none() {
            self.reap(is_ours);
            return;
        }
        let orphans: Vec<Pid> =
            children().into_iter().filter(|child| !is_ours(*child) && !self.others.contains(child)).collect();
        for orphan in &orphans {
            // The orphan may have exited already, so errors are ignored.
            let _ = kill_process(*orphan, Signal::KILL);
            let _ = waitpid(Some(*orphan), WaitOptions::NOHANG);
        }
        if orphans.is_empty() {
            self.since = None;
        }
    }

    /// Reaps orphans that do not belong to the run, such as those of `docker exec`, if this process is PID 1 of a container.
    fn reap(&mut self, is_ours: impl Fn(Pid) -> bool) {
        if !getpid().is_init() || self.reaped.is_some_and(|at| at.elapsed() < REAPED) {
            return;
        }
        self.reaped = Some(Instant::now());
        for orphan in children().into_iter().filter(|child| !is_ours(*child)) {
            // Only processes that have exited are reaped. Errors, such as that of a process that is already reaped, are ignored.
            let _ = waitpid(Some(orphan), WaitOptions::NOHANG);
        }
    }

    /// Returns whether orphans of a killed shim may be left.
    pub fn are_left(&self) -> bool {
        self.since.is_some_and(|since| since.elapsed() < PATIENCE)
    }
}

/// Returns the children of this process, including zombies.
fn children() -> Vec<Pid> {
    tfjob_shim::children().into_iter().filter_map(Pid::from_raw).collect()
}
