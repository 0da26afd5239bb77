//! Detects that a running program waits for peers that do not listen. TensorFlow waits for them indefinitely and without a message,
//! so the shim reports them, and stops the program after `start timeout`.
use super::Supervisor;
use crate::exit::Exit;
use crate::exit_watch::ExitWatch;
use crate::humanize;
use crate::missing_peers::MissingPeers;
use crate::program::Program;
use std::time::{Duration, Instant};

/// Interval of the event that lists missing peers. It is long, because programs take time to start.
const SAY: Duration = Duration::from_secs(15);

/// The peers that do not listen yet, and the time limit of the wait for them.
#[derive(Debug)]
pub struct PeerWait {
    missing: MissingPeers,
    begun: Instant,
    /// When the wait times out.
    until: Instant,
    /// Whether the wait has timed out, and all missing peers were probed once more after that.
    over: bool,
    /// When to list missing peers next.
    next: Instant,
}

impl PeerWait {
    /// Whether a missing peer has failed permanently.
    pub(super) fn has_failed(&self) -> bool {
        self.missing.has_failed()
    }
}

impl Supervisor {
    /// Starts the wait. From this start of the program, each peer has `start timeout` until it listens.
    ///
    /// # Errors
    /// A variable with the addresses of the peers is unset or invalid.
    pub(super) fn start_peer_wait(&mut self) -> Result<(), Exit> {
        let Program::Task { contract, task, env } = &self.program else { return Ok(()) };
        let missing = MissingPeers::servers(contract, task, env, self.attempt > 0)?;
        let begun = Instant::now();
        let until = self.duties.wait.and_then(|seconds| begun.checked_add(Duration::from_secs(seconds)));
        // A timeout beyond the range of the clock counts as no limit.
        self.peer_wait = until.filter(|_| !missing.is_empty()).map(|until| PeerWait {
            missing,
            begun,
            until,
            over: false,
            next: begun + SAY,
        });
        Ok(())
    }

    /// Probes missing peers, and the tasks whose exit stops this task. Returns whether there are new results, and the time by which
    /// to call again.
    pub(super) fn probe_peers(&mut self) -> (bool, Option<Instant>) {
        let mut targets =
            self.peer_wait.as_ref().map_or_else(Vec::new, |peer_wait| peer_wait.missing.targets());
        let absent = targets.len();
        targets.extend(self.watch.iter().flat_map(ExitWatch::open));
        if targets.is_empty() {
            return (false, None);
        }
        let (sights, again) = self.event_loop.probe(&targets);
        let Some(sights) = sights else {
            if self.is_overdue() {
                return (true, None);
            }
            let now = Instant::now();
            let times = self.peer_wait.iter().flat_map(|peer_wait| [peer_wait.until, peer_wait.next]);
            return (false, again.into_iter().chain(times.filter(|time| *time > now)).min());
        };
        let (of_absent, of_watched) = sights.split_at(absent.min(sights.len()));
        if let Some(watch) = &mut self.watch {
            watch.note(of_watched, Instant::now());
        }
        self.note(of_absent);
        (true, None)
    }

    /// Whether the wait has timed out, and all missing peers were probed since then.
    fn is_overdue(&mut self) -> bool {
        let Some(peer_wait) = &mut self.peer_wait else { return false };
        peer_wait.over |=
            Instant::now() >= peer_wait.until && self.event_loop.has_probed_since(peer_wait.until);
        peer_wait.over
    }

    fn note(&mut self, sights: &[crate::probe::ProbeResult]) {
        let Some(mut peer_wait) = self.peer_wait.take() else { return };
        peer_wait.missing.note(sights, Instant::now());
        if peer_wait.missing.is_empty() {
            self.emit(
                "peers-ready",
                &format!(
                    "{} after the program started, all peers listen on their TF_CONFIG ports",
                    humanize::duration(peer_wait.begun.elapsed())
                ),
            );
            return;
        }
        peer_wait.over |= peer_wait.missing.has_failed();
        let bound =
            self.duties.wait.and_then(|seconds| Instant::now().checked_add(Duration::from_secs(seconds)));
        // A peer that restarts has its own limits, so the time limit of this wait starts again.
        if let Some(bound) = bound.filter(|_| peer_wait.missing.has_waiting()) {
            peer_wait.until = bound;
        }
        if Instant::now() >= peer_wait.next {
            peer_wait.next = Instant::now() + SAY;
            self.emit("waiting", &format!("the program waits for peers: {}", peer_wait.missing.describe()));
        }
        self.peer_wait = Some(peer_wait);
    }

    /// Describes the peers that are missing after the timeout. `None` before the timeout.
    pub(super) fn missing_peers(&self) -> Option<String> {
        let peer_wait = self.peer_wait.as_ref().filter(|peer_wait| peer_wait.over)?;
        let seconds = self.duties.wait.unwrap_or_default();
        let missing = peer_wait.missing.describe();
        Some(if peer_wait.missing.has_failed() {
            format!("{}: stopped because a peer failed: {missing}", self.name)
        } else {
            format!(
                "{}: stopped because peers were not ready within {seconds} s (`start timeout`): {missing}",
                self.name
            )
        })
    }
}
