//! The ladder by which a program is stopped: TERM, INT late enough to leave time for saving, KILL at its end.
use crate::sys::{self, Pid};
use std::time::{Duration, Instant};

/// The time of a stop that the shim itself decides on where the contract names none: TensorFlow needs up to 12 s after
/// INT, and comes to its end only then since 2.15, which swallows TERM.
pub const GRACE: Duration = Duration::from_secs(24);

/// How long before KILL the program gets INT, where half of the time is more: what saves on TERM is not disturbed, and
/// TensorFlow has the time that it needs.
const LAST: Duration = Duration::from_secs(15);

/// Why a program is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// By this signal from outside.
    Asked(i32),
    /// The job has taken too long.
    Deadline,
    /// The job is done, and this task only served.
    Done,
    /// Others have not come.
    Missed,
    /// Its work is done, as it said, and it goes on.
    Said,
}

/// A stop that is under way.
#[derive(Debug)]
pub struct Stop {
    /// Why.
    pub why: Why,
    /// When INT and KILL are due; `None`: the time is the platform's, which kills by itself.
    rungs: Option<(Instant, Instant)>,
    polite: bool,
}

impl Stop {
    /// Begins it. A signal from outside has reached the program already.
    pub fn begin(why: Why, grace: Option<u64>, group: Option<Pid>) -> Self {
        let asked = match why {
            Why::Asked(_) => true,
            Why::Deadline | Why::Done | Why::Missed | Why::Said => false,
        };
        if let Some(group) = group.filter(|_| !asked) {
            sys::kill(-group, libc::SIGTERM);
        }
        let grace = grace.map(Duration::from_secs).or((!asked).then_some(GRACE));
        let now = Instant::now();
        // A time beyond all clocks is none.
        let int = |grace: Duration| (grace / 2).max(grace.saturating_sub(LAST));
        let rungs = grace.and_then(|grace| Some((now.checked_add(int(grace))?, now.checked_add(grace)?)));
        Self { why, rungs, polite: true }
    }

    /// Takes the rung that is due, and says which and when to ask again.
    pub fn climb(&mut self, group: Pid) -> (Option<&'static str>, Option<Instant>) {
        let Some((int, kill)) = self.rungs else { return (None, None) };
        let now = Instant::now();
        if now >= kill {
            sys::kill(-group, libc::SIGKILL);
            self.rungs = Some((int, now + Duration::from_secs(1)));
            return (Some("KILL"), Some(now + Duration::from_secs(1)));
        }
        if now >= int && self.polite {
            self.polite = false;
            sys::kill(-group, libc::SIGINT);
            return (Some("INT"), Some(kill));
        }
        (None, Some(if self.polite { int } else { kill }))
    }
}
