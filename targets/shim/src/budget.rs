//! Restart policy: whether a program is restarted, and after which delay. Pure: time and randomness are parameters.
use std::time::Duration;
use tfjob_contract::Restart;

/// Default of `backoff`, in seconds.
const PAUSE: u64 = 1;
/// Default of `max-backoff`, in seconds. If `backoff` is longer, the default is `backoff`.
const LONGEST: u64 = 3600;

/// The restarts of a task so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Past {
    /// Times of the restarts, in seconds since 1970, in order.
    pub restarts: Vec<u64>,
    /// Consecutive restarts without a newer checkpoint.
    pub without_progress: u32,
    /// Number of consecutive short runs. It determines the backoff.
    pub short_runs: u32,
}

/// The end of one run of the program.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// Exit code; 128 + N for signal N.
    pub code: u8,
    /// Duration of the run.
    pub lived: Duration,
    /// Whether there is a newer checkpoint than at the start of the run.
    pub progress: bool,
    /// Seconds since 1970.
    pub now: u64,
}

/// Decision whether to restart the program after a run.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Restart after this delay.
    Again(Duration),
    /// No restart, for this reason.
    End(String),
}

/// Decides whether to restart the program after `run`, and records the restart in `past`. `chance` is a uniformly distributed
/// random number.
pub fn judge(terms: &Restart, past: &mut Past, run: Run, chance: u64) -> Verdict {
    let end = |why: &str| Verdict::End(why.to_owned());
    if run.code == 0 && !terms.always {
        return end("exit code 0");
    }
    if run.code != 0 && !terms.codes.is_empty() && !terms.codes.contains(&run.code) {
        return Verdict::End(format!("exit code {} is not in `codes` of `restart`", run.code));
    }
    if let Some(least) = terms.min_uptime.filter(|least| run.lived < Duration::from_secs(*least)) {
        return Verdict::End(format!("uptime was below `min-uptime` of {least} s"));
    }
    past.without_progress = if run.progress { 0 } else { past.without_progress.saturating_add(1) };
    if let Some(most) = terms.no_progress_limit.filter(|most| past.without_progress > *most) {
        let restarts = if most == 1 { "restart" } else { "restarts in a row" };
        return Verdict::End(format!("no newer checkpoint after {most} {restarts} (`no-progress-limit`)"));
    }
    forget(terms, past, run.now);
    if left(terms, past, run.now) == Some(0) {
        let limit = terms.limit.unwrap_or(0);
        let window = terms.within.map_or_else(String::new, |seconds| format!(" within {seconds} s"));
        return Verdict::End(match limit {
            0 => "restart `limit` is 0".to_owned(),
            limit => format!("restart limit of {limit}{window} reached"),
        });
    }
    let longest = terms.max_backoff.unwrap_or_else(|| LONGEST.max(terms.backoff.unwrap_or(PAUSE)));
    // A long run resets the backoff.
    past.short_runs = if run.lived >= Duration::from_secs(longest.max(60)) { 0 } else { past.short_runs };
    let pause = pause(terms, past.short_runs, longest, chance);
    past.short_runs = past.short_runs.saturating_add(1);
    past.restarts.push(run.now);
    Verdict::Again(pause)
}

/// Returns how many restarts are left. `None`: unlimited.
pub fn left(terms: &Restart, past: &Past, now: u64) -> Option<u32> {
    let used = past.restarts.iter().filter(|at| counts(terms, **at, now)).count();
    terms.limit.map(|limit| limit.saturating_sub(u32::try_from(used).unwrap_or(u32::MAX)))
}

fn counts(terms: &Restart, at: u64, now: u64) -> bool {
    // If the clock was set back, `at` may be in the future. Such a restart does not count, otherwise it would count forever.
    terms.within.is_none_or(|window| at <= now && now - at < window)
}

/// Drops restarts that no longer count, so that the list does not grow.
fn forget(terms: &Restart, past: &mut Past, now: u64) {
    past.restarts.retain(|at| counts(terms, *at, now));
    let most = usize::try_from(terms.limit.unwrap_or(0)).unwrap_or(usize::MAX).min(10_000);
    let more = past.restarts.len().saturating_sub(most);
    past.restarts.drain(..more);
}

/// Returns the restart delay: a backoff that doubles up to `longest`, minus random jitter of up to a quarter. The jitter keeps
/// tasks that failed together from restarting together.
fn pause(terms: &Restart, row: u32, longest: u64, chance: u64) -> Duration {
    let full = match terms.backoff {
        None => PAUSE.min(longest),
        Some(first) => first.saturating_mul(1_u64.checked_shl(row).unwrap_or(u64::MAX)).min(longest),
    };
    let full = full.saturating_mul(1000);
    Duration::from_millis(full - chance % (full / 4 + 1))
}

#[cfg(test)]
mod tests {
    use super::{Past, Run, Verdict, judge, left, pause};
    use std::time::Duration;
    use tfjob_contract::Restart;

    fn terms() -> Restart {
        Restart {
            always: false,
            limit: None,
            within: None,
            backoff: None,
            max_backoff: None,
            min_uptime: None,
            no_progress_limit: None,
            codes: Vec::new(),
        }
    }

    fn run(code: u8, now: u64) -> Run {
        Run { code, lived: Duration::from_secs(5), progress: false, now }
    }

    fn again(verdict: &Verdict) -> bool {
        matches!(verdict, Verdict::Again(_))
    }

    #[test]
    fn only_failure_is_restarted_unless_always() {
        let mut past = Past::default();
        assert_eq!(judge(&terms(), &mut past, run(0, 0), 0), Verdict::End("exit code 0".to_owned()));
        assert!(again(&judge(&terms(), &mut past, run(1, 0), 0)));
        assert!(again(&judge(&Restart { always: true, ..terms() }, &mut past, run(0, 0), 0)));
    }

    #[test]
    fn the_window_slides() {
        let terms = Restart { limit: Some(2), within: Some(100), ..terms() };
        let mut past = Past::default();
        assert!(again(&judge(&terms, &mut past, run(1, 1000), 0)));
        assert!(again(&judge(&terms, &mut past, run(1, 1050), 0)));
        let end = judge(&terms, &mut past, run(1, 1099), 0);
        assert_eq!(end, Verdict::End("restart limit of 2 within 100 s reached".to_owned()));
        assert!(again(&judge(&terms, &mut past, run(1, 1100), 0)));
        assert_eq!(left(&terms, &past, 1100), Some(0));
        assert_eq!(left(&terms, &past, 1151), Some(1));
        // The clock was set back.
        assert_eq!(left(&terms, &past, 10), Some(2));
    }

    #[test]
    fn without_a_window_the_limit_counts_for_the_job() {
        let terms = Restart { limit: Some(1), ..terms() };
        let mut past = Past::default();
        assert!(again(&judge(&terms, &mut past, run(1, 0), 0)));
        let end = judge(&terms, &mut past, run(1, 1 << 40), 0);
        assert_eq!(end, Verdict::End("restart limit of 1 reached".to_owned()));
    }

    #[test]
    fn pauses_double_up_to_the_longest_and_are_never_longer() {
        let terms = Restart { backoff: Some(10), ..terms() };
        for (row, full) in [(0, 10), (1, 20), (2, 40), (5, 60), (64, 60), (u32::MAX, 60)] {
            assert_eq!(pause(&terms, row, 60, 0), Duration::from_secs(full));
            for chance in 0..100_000 {
                let pause = pause(&terms, row, 60, chance * 7919);
                assert!(pause <= Duration::from_secs(full) && pause >= Duration::from_millis(full * 750));
            }
        }
        assert!(pause(&Restart { backoff: Some(u64::MAX), ..terms }, 3, u64::MAX, 0) > Duration::ZERO);
    }

    #[test]
    fn a_first_pause_beyond_an_hour_is_kept() {
        let terms = Restart { backoff: Some(7200), ..terms() };
        let mut past = Past::default();
        for _ in 0..3 {
            assert_eq!(judge(&terms, &mut past, run(1, 0), 0), Verdict::Again(Duration::from_secs(7200)));
        }
    }

    #[test]
    fn a_program_that_lived_long_begins_the_pauses_anew() {
        let terms = Restart { backoff: Some(10), max_backoff: Some(80), ..terms() };
        let mut past = Past::default();
        for seconds in [10, 20, 40, 80, 80] {
            let verdict = judge(&terms, &mut past, run(1, 0), 0);
            assert_eq!(verdict, Verdict::Again(Duration::from_secs(seconds)));
        }
        let long = Run { lived: Duration::from_secs(80), ..run(1, 0) };
        assert_eq!(judge(&terms, &mut past, long, 0), Verdict::Again(Duration::from_secs(10)));
    }

    #[test]
    fn codes_uptime_and_missing_progress_end_it() {
        let mut past = Past::default();
        let codes = Restart { codes: vec![42, 143], ..terms() };
        assert!(again(&judge(&codes, &mut past, run(143, 0), 0)));
        assert!(!again(&judge(&codes, &mut past, run(1, 0), 0)));
        let broken = Restart { min_uptime: Some(6), ..terms() };
        assert!(!again(&judge(&broken, &mut past, run(1, 0), 0)));
        let mut past = Past::default();
        let limited = Restart { no_progress_limit: Some(2), ..terms() };
        assert!(again(&judge(&limited, &mut past, run(1, 0), 0)));
        assert!(again(&judge(&limited, &mut past, Run { progress: true, ..run(1, 0) }, 0)));
        assert!(again(&judge(&limited, &mut past, run(1, 0), 0)));
        assert!(again(&judge(&limited, &mut past, run(1, 0), 0)));
        let end = judge(&limited, &mut past, run(1, 0), 0);
        assert_eq!(
            end,
            Verdict::End("no newer checkpoint after 2 restarts in a row (`no-progress-limit`)".to_owned())
        );
    }
}
