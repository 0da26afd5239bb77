//! Detection that other tasks have exited, by probes.
use crate::probe::{ProbeResult, Target};
use std::time::{Duration, Instant};

/// How long a task must have no address to count as finished. This is longer than the delay of `CrashLoopBackOff` (5 minutes at
/// most), because a task has no address during this delay either.
pub const ABSENCE: Duration = Duration::from_secs(360);
/// As [`ABSENCE`], but for a task that the platform restarts in a new container, which may be queued for a long time.
pub const RETURN: Duration = Duration::from_secs(3600);

/// As [`ABSENCE`], but for a task that never had an address. It may wait for its first container, or it finished before the first
/// probe.
pub const NEVER: Duration = Duration::from_secs(86_400);

/// Tasks that are watched until they exit. Only the address of a task counts, not whether its port answers: a program may listen
/// late, or never.
#[derive(Debug)]
pub struct ExitWatch {
    open: Vec<Seen>,
}

#[derive(Debug)]
struct Seen {
    target: Target,
    /// Last time at which the task had an address. Initially the start of the watch, or `None` for a task that decides job success.
    named: Option<Instant>,
    /// How long the task may have no address before it counts as finished.
    absence: Duration,
    /// When the task was first observed without an address.
    unseen: Option<Instant>,
    /// Since when DNS lookups fail for a search domain.
    doubtful: Option<Instant>,
}

impl ExitWatch {
    /// Watches the tasks that decide job success, each with a flag: whether the platform replaces its container. A task that never
    /// had an address may still start within a day.
    pub fn deciding(targets: impl IntoIterator<Item = (Target, bool)>) -> Self {
        let seen = |(target, returns)| Seen {
            target,
            named: None,
            absence: if returns { RETURN } else { ABSENCE },
            unseen: None,
            doubtful: None,
        };
        Self { open: targets.into_iter().map(seen).collect() }
    }

    /// Watches tasks that must exit before a succeeded task exits. `now` counts as the last time at which they had an address.
    pub fn outlived(targets: Vec<Target>, now: Instant) -> Self {
        let seen = |target| Seen { target, named: Some(now), absence: ABSENCE, unseen: None, doubtful: None };
        Self { open: targets.into_iter().map(seen).collect() }
    }

    /// Returns the tasks that have not finished.
    pub fn open(&self) -> Vec<Target> {
        self.open.iter().map(|seen| seen.target.clone()).collect()
    }

    /// Records the results of a probe round over [`ExitWatch::open`].
    pub fn note(&mut self, sights: &[ProbeResult], now: Instant) {
        let mut sights = sights.iter();
        self.open.retain_mut(|seen| {
            let sight = sights.next();
            match sight {
                Some(ProbeResult::PartialDns) => {
                    seen.doubtful.get_or_insert(now);
                }
                Some(ProbeResult::DnsFailed | ProbeResult::NotProbed) | None => {}
                Some(
                    ProbeResult::NoAddress
                    | ProbeResult::NoAnswer
                    | ProbeResult::Answers
                    | ProbeResult::Waiting
                    | ProbeResult::Done
                    | ProbeResult::Failed,
                ) => seen.doubtful = None,
            }
            // If the lookups in a search domain fail for an hour, this domain is ignored.
            let is_late = seen.doubtful.is_some_and(|at| now.saturating_duration_since(at) >= RETURN);
            match sight {
                Some(ProbeResult::Done | ProbeResult::Failed) => return false,
                Some(ProbeResult::Answers | ProbeResult::Waiting | ProbeResult::NoAnswer) => {
                    seen.named = Some(now)
                }
                Some(ProbeResult::NoAddress) => {
                    seen.unseen.get_or_insert(now);
                }
                Some(ProbeResult::PartialDns) if is_late => {}
                // A DNS failure does not mean that the task has exited. So a task that had an address counts as observed now.
                Some(ProbeResult::DnsFailed | ProbeResult::PartialDns | ProbeResult::NotProbed) => {
                    seen.named = seen.named.map(|_| now)
                }
                None => return true,
            }
            let within =
                |at: Option<Instant>, time| at.is_none_or(|at| now.saturating_duration_since(at) < time);
            if seen.named.is_some() { within(seen.named, seen.absence) } else { within(seen.unseen, NEVER) }
        });
    }

    /// Whether all tasks have finished.
    pub fn all_exited(&self) -> bool {
        self.open.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{ABSENCE, ExitWatch, NEVER, RETURN};
    use crate::probe::{ProbeResult, Target};
    use std::time::{Duration, Instant};
    use tfjob_contract::TaskId;

    fn both() -> Vec<(Target, bool)> {
        let target = |index| Target {
            task: TaskId { role: "chief".to_owned(), index },
            host: "chief".to_owned(),
            port: Some(2222),
            path: None,
        };
        vec![(target(0), false), (target(1), false)]
    }

    #[test]
    fn what_says_that_it_is_done_has_ended_at_once() {
        let now = Instant::now();
        let mut watch = ExitWatch::deciding(both());
        watch.note(&[ProbeResult::Done, ProbeResult::Answers], now);
        assert_eq!(watch.open().iter().map(|target| target.task.index).collect::<Vec<_>>(), [1]);
        watch.note(&[ProbeResult::Done], now);
        assert!(watch.all_exited());
    }

    #[test]
    fn silence_is_no_end() {
        let now = Instant::now();
        let mut watch = ExitWatch::deciding(both());
        watch.note(&[ProbeResult::Answers, ProbeResult::Waiting], now);
        watch.note(&[ProbeResult::NoAnswer, ProbeResult::NoAnswer], now + RETURN * 99);
        assert_eq!(watch.open().len(), 2);
    }

    #[test]
    fn who_comes_back_may_be_absent_for_an_hour() {
        let now = Instant::now();
        let mut watch =
            ExitWatch::deciding(both().into_iter().zip([true, false]).map(|((t, _), returns)| (t, returns)));
        watch.note(&[ProbeResult::Answers, ProbeResult::Answers], now);
        watch.note(&[ProbeResult::NoAddress, ProbeResult::NoAddress], now + ABSENCE);
        assert_eq!(watch.open().iter().map(|target| target.task.index).collect::<Vec<_>>(), [0]);
        watch.note(&[ProbeResult::NoAddress], now + RETURN - Duration::from_secs(1));
        assert!(!watch.all_exited());
        watch.note(&[ProbeResult::NoAddress], now + RETURN);
        assert!(watch.all_exited());
    }

    #[test]
    fn who_has_had_an_address_and_has_none_for_long_has_ended() {
        let now = Instant::now();
        let mut watch = ExitWatch::deciding(both());
        let absent = [ProbeResult::NoAddress, ProbeResult::NoAddress];
        watch.note(&absent, now + ABSENCE * 9);
        assert_eq!(watch.open().len(), 2);
        watch.note(&[ProbeResult::NoAnswer, ProbeResult::NoAddress], now + ABSENCE * 9);
        watch.note(&absent, now + ABSENCE * 10 - Duration::from_secs(1));
        assert_eq!(watch.open().len(), 2);
        watch.note(&absent, now + ABSENCE * 10);
        assert_eq!(watch.open().iter().map(|target| target.task.index).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn who_was_never_seen_has_ended_after_a_day() {
        let now = Instant::now();
        let mut watch = ExitWatch::deciding(both());
        watch.note(&[ProbeResult::NoAddress, ProbeResult::DnsFailed], now);
        watch.note(&[ProbeResult::NoAddress, ProbeResult::NoAddress], now + NEVER - Duration::from_secs(1));
        assert_eq!(watch.open().len(), 2);
        watch.note(&[ProbeResult::NoAddress, ProbeResult::NoAnswer], now + NEVER);
        assert_eq!(watch.open().iter().map(|target| target.task.index).collect::<Vec<_>>(), [1]);
        watch.note(&[ProbeResult::NoAddress], now + NEVER + ABSENCE);
        assert!(watch.all_exited());
    }

    #[test]
    fn name_servers_that_fail_end_nobody() {
        let now = Instant::now();
        for mut watch in [
            ExitWatch::deciding(both()),
            ExitWatch::outlived(both().into_iter().map(|(target, _)| target).collect(), now),
        ] {
            watch.note(&[ProbeResult::Answers, ProbeResult::Waiting], now);
            watch.note(&[ProbeResult::DnsFailed, ProbeResult::DnsFailed], now + ABSENCE * 2);
            assert_eq!(watch.open().len(), 2);
            watch.note(&[ProbeResult::NoAddress, ProbeResult::NoAddress], now + ABSENCE * 3);
            assert!(watch.all_exited());
        }
    }

    #[test]
    fn a_domain_whose_server_fails_ends_nobody_within_an_hour() {
        let now = Instant::now();
        let mut watch = ExitWatch::deciding(both());
        let doubtful = [ProbeResult::PartialDns, ProbeResult::PartialDns];
        watch.note(&[ProbeResult::Answers, ProbeResult::Waiting], now);
        watch.note(&doubtful, now);
        let hour = now + RETURN;
        watch.note(&doubtful, hour - Duration::from_secs(1));
        watch.note(&[ProbeResult::NoAnswer, ProbeResult::PartialDns], hour);
        watch.note(&doubtful, hour + ABSENCE - Duration::from_secs(2));
        assert_eq!(watch.open().len(), 2);
        watch.note(&doubtful, hour + ABSENCE);
        assert_eq!(watch.open().iter().map(|target| target.task.index).collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn what_is_outlived_lives_as_long_as_it_has_an_address() {
        let now = Instant::now();
        let mut watch = ExitWatch::outlived(both().into_iter().map(|(target, _)| target).collect(), now);
        watch.note(&[ProbeResult::NoAnswer, ProbeResult::NoAddress], now + ABSENCE / 2);
        assert_eq!(watch.open().len(), 2);
        watch.note(&[ProbeResult::NoAnswer, ProbeResult::NoAddress], now + ABSENCE);
        assert_eq!(watch.open().iter().map(|target| target.task.index).collect::<Vec<_>>(), [0]);
        watch.note(&[ProbeResult::NoAddress], now + ABSENCE * 2 - Duration::from_secs(1));
        assert!(!watch.all_exited());
        watch.note(&[ProbeResult::NoAddress], now + ABSENCE * 2);
        assert!(watch.all_exited());
    }
}
