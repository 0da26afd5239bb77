//! What a killed shim leaves behind becomes this process's own child, and ends.
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, waitpid};
use std::time::{Duration, Instant};

/// How long what was killed may take to be gone: the kernel does not end a process that waits for a disk.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often the first process of a container reaps.
const REAPED: Duration = Duration::from_secs(1);

/// The sweeping of children that nobody started here.
#[derive(Debug, Default)]
pub struct Orphans {
    /// Children that were there before.
    others: Vec<Pid>,
    /// Since when a shim that cannot sweep any more is known to have left something.
    since: Option<Instant>,
    /// When others' were reaped last.
    reaped: Option<Instant>,
}

impl Orphans {
    /// From now on a process below this one whose parents end is its child.
    pub fn adopt() -> Self {
        // Where the kernel cannot, orphans go to the machine's first process, as without this call.
        let _ = set_child_subreaper(Some(getpid()));
        Self { others: children(), since: None, reaped: None }
    }

    /// A shim was killed: whatever it started is to end.
    pub fn expect(&mut self) {
        self.since = Some(Instant::now());
    }

    /// Kills and reaps what is there of it. Every process that a dead shim left is a child of this one, or below one
    /// that is, so that nothing is left once no child is. `is_ours`: the shims that live.
    pub fn sweep(&mut self, is_ours: impl Fn(Pid) -> bool) {
        if self.since.is_none() {
            self.reap(is_ours);
            return;
        }
        let orphans: Vec<Pid> =
            children().into_iter().filter(|child| !is_ours(*child) && !self.others.contains(child)).collect();
        for orphan in &orphans {
            // What has ended in the meantime is only to be reaped.
            let _ = kill_process(*orphan, Signal::KILL);
            let _ = waitpid(Some(*orphan), WaitOptions::NOHANG);
        }
        if orphans.is_empty() {
            self.since = None;
        }
    }

    /// Reaps what others leave to the first process of a container: what `docker exec` has started.
    fn reap(&mut self, is_ours: impl Fn(Pid) -> bool) {
        if !getpid().is_init() || self.reaped.is_some_and(|at| at.elapsed() < REAPED) {
            return;
        }
        self.reaped = Some(Instant::now());
        for orphan in children().into_iter().filter(|child| !is_ours(*child)) {
            // One that lives stays.
            let _ = waitpid(Some(orphan), WaitOptions::NOHANG);
        }
    }

    /// Whether some may be there still, and are worth waiting for.
    pub fn are_left(&self) -> bool {
        self.since.is_some_and(|since| since.elapsed() < PATIENCE)
    }
}

/// Those that have ended and were not reaped are among them.
fn children() -> Vec<Pid> {
    tfjob_shim::children().into_iter().filter_map(Pid::from_raw).collect()
}
