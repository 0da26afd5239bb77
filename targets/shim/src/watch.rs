//! Whether other tasks have ended, as far as one can see from here.
use crate::probe::{Sight, Target};
use std::time::{Duration, Instant};

/// How long a task that listened must be silent to count as ended, where its shim did not say so itself: longer than
/// TensorFlow takes to be back on its port.
pub const SILENCE: Duration = Duration::from_secs(120);

/// Tasks whose end is waited for.
#[derive(Debug)]
pub struct Watch {
    open: Vec<Seen>,
    /// Whether a task must have been seen alive before its silence means anything.
    alive_first: bool,
}

#[derive(Debug)]
struct Seen {
    target: Target,
    /// When it was last seen alive; for one never seen, when the watch began.
    alive: Option<Instant>,
}

impl Watch {
    /// Watches these from now on.
    pub fn new(targets: Vec<Target>, alive_first: bool, now: Instant) -> Self {
        let alive = if alive_first { None } else { Some(now) };
        Self { open: targets.into_iter().map(|target| Seen { target, alive }).collect(), alive_first }
    }

    /// Those that have not ended.
    pub fn open(&self) -> Vec<Target> {
        self.open.iter().map(|seen| seen.target.clone()).collect()
    }

    /// Takes what a round over [`Watch::open`] saw.
    pub fn note(&mut self, sights: &[Sight], now: Instant) {
        let mut sights = sights.iter();
        let first = self.alive_first;
        self.open.retain_mut(|seen| match sights.next() {
            Some(Sight::Done) => false,
            Some(Sight::Listens | Sight::Waits) => {
                seen.alive = Some(now);
                true
            }
            Some(Sight::Nameless | Sight::Silent) => match seen.alive {
                Some(at) => now.saturating_duration_since(at) < SILENCE,
                None => first,
            },
            None => true,
        });
    }

    /// Whether all have ended.
    pub fn over(&self) -> bool {
        self.open.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{SILENCE, Watch};
    use crate::probe::{Sight, Target};
    use std::time::{Duration, Instant};
    use tfjob_contract::TaskId;

    fn watch(alive_first: bool, now: Instant) -> Watch {
        let target = |index| Target {
            task: TaskId { role: "chief".to_owned(), index },
            host: "chief".to_owned(),
            port: Some(2222),
            path: None,
        };
        Watch::new(vec![target(0), target(1)], alive_first, now)
    }

    #[test]
    fn what_says_that_it_is_done_has_ended_at_once() {
        let now = Instant::now();
        let mut watch = watch(true, now);
        watch.note(&[Sight::Done, Sight::Listens], now);
        assert_eq!(watch.open().iter().map(|target| target.task.index).collect::<Vec<_>>(), [1]);
        watch.note(&[Sight::Done], now);
        assert!(watch.over());
    }

    #[test]
    fn silence_counts_only_after_life_and_only_when_long() {
        let now = Instant::now();
        let mut watch = watch(true, now);
        let silent = [Sight::Nameless, Sight::Silent];
        watch.note(&silent, now + SILENCE * 9);
        assert!(!watch.over());
        watch.note(&[Sight::Listens, Sight::Waits], now + SILENCE * 9);
        watch.note(&silent, now + SILENCE * 10 - Duration::from_secs(1));
        assert_eq!(watch.open().len(), 2);
        watch.note(&[Sight::Silent], now + SILENCE * 10);
        assert_eq!(watch.open().len(), 1);
        watch.note(&silent, now + SILENCE * 10);
        assert!(watch.over());
    }

    #[test]
    fn a_task_that_outlives_others_takes_silence_from_the_beginning() {
        let now = Instant::now();
        let mut watch = watch(false, now);
        watch.note(&[Sight::Silent, Sight::Silent], now + SILENCE / 2);
        assert!(!watch.over());
        watch.note(&[Sight::Silent, Sight::Silent], now + SILENCE);
        assert!(watch.over());
    }
}
