//! Whether other tasks have ended, as far as one can see from here.
use crate::probe::{Sight, Target};
use std::time::{Duration, Instant};

/// How long a task that listened must be silent to count as ended, where its shim did not say so itself: longer than
/// TensorFlow takes to be back on its port.
pub const SILENCE: Duration = Duration::from_secs(120);
/// How long a task must have no address to count as ended. An address goes with the end of a task, but also while the platform
/// waits to start it again: 5 minutes at most (`CrashLoopBackOff`).
pub const ABSENCE: Duration = Duration::from_secs(360);

/// Tasks whose end is waited for.
#[derive(Debug)]
pub struct Watch {
    open: Vec<Seen>,
    /// Whether these are outlived: then only a missing address is an end, and not silence.
    outlived: bool,
}

#[derive(Debug)]
struct Seen {
    target: Target,
    /// When its program was last seen to listen. A program need not: what its shim says before a start shows no such program.
    listened: Option<Instant>,
    /// When it last had an address; of one that is outlived and was never seen, when the watch began.
    named: Option<Instant>,
}

impl Watch {
    /// Watches those that decide when this task stops.
    pub fn deciding(targets: Vec<Target>) -> Self {
        Self {
            open: targets.into_iter().map(|target| Seen { target, listened: None, named: None }).collect(),
            outlived: false,
        }
    }

    /// Watches those that this task outlives, from now on.
    pub fn outlived(targets: Vec<Target>, now: Instant) -> Self {
        let seen = |target| Seen { target, listened: None, named: Some(now) };
        Self { open: targets.into_iter().map(seen).collect(), outlived: true }
    }

    /// Those that have not ended.
    pub fn open(&self) -> Vec<Target> {
        self.open.iter().map(|seen| seen.target.clone()).collect()
    }

    /// Takes what a round over [`Watch::open`] saw.
    pub fn note(&mut self, sights: &[Sight], now: Instant) {
        let mut sights = sights.iter();
        let outlived = self.outlived;
        self.open.retain_mut(|seen| {
            match sights.next() {
                Some(Sight::Done) => return false,
                Some(Sight::Listens) => (seen.listened, seen.named) = (Some(now), Some(now)),
                Some(Sight::Waits) => (seen.listened, seen.named) = (None, Some(now)),
                Some(Sight::Silent) => seen.named = Some(now),
                Some(Sight::Nameless) => {}
                // That name servers fail is no sign of an end: what was seen before counts as seen now.
                Some(Sight::Unknown) => {
                    (seen.listened, seen.named) = (seen.listened.map(|_| now), seen.named.map(|_| now));
                }
                None => return true,
            }
            let since = |at: Option<Instant>| at.map(|at| now.saturating_duration_since(at));
            let silent = !outlived && since(seen.listened).is_some_and(|silent| silent >= SILENCE);
            let absent = since(seen.named).is_some_and(|absent| absent >= ABSENCE);
            !silent && !absent
        });
    }

    /// Whether all have ended.
    pub fn over(&self) -> bool {
        self.open.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{ABSENCE, SILENCE, Watch};
    use crate::probe::{Sight, Target};
    use std::time::{Duration, Instant};
    use tfjob_contract::TaskId;

    fn both() -> Vec<Target> {
        let target = |index| Target {
            task: TaskId { role: "chief".to_owned(), index },
            host: "chief".to_owned(),
            port: Some(2222),
            path: None,
        };
        vec![target(0), target(1)]
    }

    #[test]
    fn what_says_that_it_is_done_has_ended_at_once() {
        let now = Instant::now();
        let mut watch = Watch::deciding(both());
        watch.note(&[Sight::Done, Sight::Listens], now);
        assert_eq!(watch.open().iter().map(|target| target.task.index).collect::<Vec<_>>(), [1]);
        watch.note(&[Sight::Done], now);
        assert!(watch.over());
    }

    #[test]
    fn silence_counts_only_after_the_program_has_listened_and_only_when_long() {
        let now = Instant::now();
        let mut watch = Watch::deciding(both());
        let silent = [Sight::Silent, Sight::Silent];
        watch.note(&silent, now + SILENCE * 9);
        assert!(!watch.over());
        watch.note(&[Sight::Listens, Sight::Waits], now + SILENCE * 9);
        watch.note(&silent, now + SILENCE * 10 - Duration::from_secs(1));
        assert_eq!(watch.open().len(), 2);
        watch.note(&silent, now + SILENCE * 10);
        // A program that was started after its shim had waited may never listen.
        assert_eq!(watch.open().iter().map(|target| target.task.index).collect::<Vec<_>>(), [1]);
        watch.note(&[Sight::Listens], now + SILENCE * 11);
        watch.note(&[Sight::Waits], now + SILENCE * 11);
        watch.note(&[Sight::Silent], now + SILENCE * 99);
        assert!(!watch.over());
    }

    #[test]
    fn who_has_had_an_address_and_has_none_for_long_has_ended() {
        let now = Instant::now();
        let mut watch = Watch::deciding(both());
        let absent = [Sight::Nameless, Sight::Nameless];
        watch.note(&absent, now + ABSENCE * 9);
        assert_eq!(watch.open().len(), 2);
        watch.note(&[Sight::Silent, Sight::Nameless], now + ABSENCE * 9);
        watch.note(&absent, now + ABSENCE * 10 - Duration::from_secs(1));
        assert_eq!(watch.open().len(), 2);
        watch.note(&absent, now + ABSENCE * 10);
        assert_eq!(watch.open().iter().map(|target| target.task.index).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn name_servers_that_fail_end_nobody() {
        let now = Instant::now();
        for mut watch in [Watch::deciding(both()), Watch::outlived(both(), now)] {
            watch.note(&[Sight::Listens, Sight::Waits], now);
            watch.note(&[Sight::Unknown, Sight::Unknown], now + ABSENCE * 2);
            assert_eq!(watch.open().len(), 2);
            watch.note(&[Sight::Nameless, Sight::Nameless], now + ABSENCE * 3);
            assert!(watch.over());
        }
    }

    #[test]
    fn what_is_outlived_lives_as_long_as_it_has_an_address() {
        let now = Instant::now();
        let mut watch = Watch::outlived(both(), now);
        watch.note(&[Sight::Silent, Sight::Nameless], now + ABSENCE / 2);
        assert_eq!(watch.open().len(), 2);
        watch.note(&[Sight::Silent, Sight::Nameless], now + ABSENCE);
        assert_eq!(watch.open().iter().map(|target| target.task.index).collect::<Vec<_>>(), [0]);
        watch.note(&[Sight::Nameless], now + ABSENCE * 2 - Duration::from_secs(1));
        assert!(!watch.over());
        watch.note(&[Sight::Nameless], now + ABSENCE * 2);
        assert!(watch.over());
    }
}
