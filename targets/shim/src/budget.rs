//! Whether an ended program is started again, and after which pause. Pure: times and chance are given.
use std::time::Duration;
use tfjob_contract::Restart;

/// The pause where the contract names none, in seconds.
const PAUSE: u64 = 1;
/// The longest pause where the contract names none and the first is shorter, in seconds.
const LONGEST: u64 = 3600;

/// What is known of the restarts so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Past {
    /// When the restarts were, in seconds since 1970, in their order.
    pub restarts: Vec<u64>,
    /// Restarts in a row without a newer checkpoint.
    pub stalls: u32,
    /// Restarts in a row of programs that did not live long.
    pub row: u32,
}

/// How one run of the program ended.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// Its code, 128 and more for a signal.
    pub code: u8,
    /// How long it lived.
    pub lived: Duration,
    /// Whether there is a newer checkpoint than before.
    pub progress: bool,
    /// Seconds since 1970.
    pub now: u64,
}

/// What is to be done.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Start again after this pause.
    Again(Duration),
    /// The end, and why no restart.
    End(String),
}

/// Judges the end of a run, and remembers the restart if there is one. `chance` is any number, evenly spread.
pub fn judge(terms: &Restart, past: &mut Past, run: Run, chance: u64) -> Verdict {
    let end = |why: &str| Verdict::End(why.to_owned());
    if run.code == 0 && !terms.always {
        return end("it ended well");
    }
    if run.code != 0 && !terms.codes.is_empty() && !terms.codes.contains(&run.code) {
        return Verdict::End(format!("code {} is none of those that are restarted", run.code));
    }
    if let Some(least) = terms.min_uptime.filter(|least| run.lived < Duration::from_secs(*least)) {
        return Verdict::End(format!("it lived less than {least} s, so it is broken and not unlucky"));
    }
    past.stalls = if run.progress { 0 } else { past.stalls.saturating_add(1) };
    if let Some(most) = terms.stalls.filter(|most| past.stalls > *most) {
        let restarts = if most == 1 { "restart" } else { "restarts in a row" };
        return Verdict::End(format!("{most} {restarts} brought no newer checkpoint"));
    }
    forget(terms, past, run.now);
    if left(terms, past, run.now) == Some(0) {
        let limit = terms.limit.unwrap_or(0);
        let window = terms.within.map_or_else(String::new, |seconds| format!(" within {seconds} s"));
        return Verdict::End(match limit {
            0 => "it may not be restarted".to_owned(),
            1 => format!("its one restart{window} is used up"),
            many => format!("the {many} restarts{window} are used up"),
        });
    }
    let longest = terms.max_backoff.unwrap_or_else(|| LONGEST.max(terms.backoff.unwrap_or(PAUSE)));
    // What has run for long is not failing in a row.
    past.row = if run.lived >= Duration::from_secs(longest.max(60)) { 0 } else { past.row };
    let pause = pause(terms, past.row, longest, chance);
    past.row = past.row.saturating_add(1);
    past.restarts.push(run.now);
    Verdict::Again(pause)
}

/// How many restarts are left; `None`: any number.
pub fn left(terms: &Restart, past: &Past, now: u64) -> Option<u32> {
    let used = past.restarts.iter().filter(|at| counts(terms, **at, now)).count();
    terms.limit.map(|limit| limit.saturating_sub(u32::try_from(used).unwrap_or(u32::MAX)))
}

fn counts(terms: &Restart, at: u64, now: u64) -> bool {
    // A clock that went back must not make a restart count for ever.
    terms.within.is_none_or(|window| at <= now && now - at < window)
}

/// Drops what can never count again, so that the list does not grow.
fn forget(terms: &Restart, past: &mut Past, now: u64) {
    past.restarts.retain(|at| counts(terms, *at, now));
    let most = usize::try_from(terms.limit.unwrap_or(0)).unwrap_or(usize::MAX).min(10_000);
    let more = past.restarts.len().saturating_sub(most);
    past.restarts.drain(..more);
}

/// Twice as long each time up to the longest; of that, a quarter is left to chance, so that tasks which fell together
/// do not come back together.
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
            stalls: None,
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
        assert_eq!(judge(&terms(), &mut past, run(0, 0), 0), Verdict::End("it ended well".to_owned()));
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
        assert_eq!(end, Verdict::End("the 2 restarts within 100 s are used up".to_owned()));
        assert!(again(&judge(&terms, &mut past, run(1, 1100), 0)));
        assert_eq!(left(&terms, &past, 1100), Some(0));
        assert_eq!(left(&terms, &past, 1151), Some(1));
        // A clock that was set back.
        assert_eq!(left(&terms, &past, 10), Some(2));
    }

    #[test]
    fn without_a_window_the_limit_counts_for_the_job() {
        let terms = Restart { limit: Some(1), ..terms() };
        let mut past = Past::default();
        assert!(again(&judge(&terms, &mut past, run(1, 0), 0)));
        assert!(!again(&judge(&terms, &mut past, run(1, 1 << 40), 0)));
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
    fn codes_uptime_and_stalls_end_it() {
        let mut past = Past::default();
        let codes = Restart { codes: vec![42, 143], ..terms() };
        assert!(again(&judge(&codes, &mut past, run(143, 0), 0)));
        assert!(!again(&judge(&codes, &mut past, run(1, 0), 0)));
        let broken = Restart { min_uptime: Some(6), ..terms() };
        assert!(!again(&judge(&broken, &mut past, run(1, 0), 0)));
        let mut past = Past::default();
        let stalls = Restart { stalls: Some(2), ..terms() };
        assert!(again(&judge(&stalls, &mut past, run(1, 0), 0)));
        assert!(again(&judge(&stalls, &mut past, Run { progress: true, ..run(1, 0) }, 0)));
        assert!(again(&judge(&stalls, &mut past, run(1, 0), 0)));
        assert!(again(&judge(&stalls, &mut past, run(1, 0), 0)));
        let end = judge(&stalls, &mut past, run(1, 0), 0);
        assert_eq!(end, Verdict::End("2 restarts in a row brought no newer checkpoint".to_owned()));
    }
}
