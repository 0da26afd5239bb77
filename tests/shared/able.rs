//! Decides which tests and cases are skipped: those that need a feature that the machine lacks, long waits, and three of four
//! generated cases. With `TFJOB_SKIP_NOTHING`, which `.ci/run` sets, all cases run, and a test that the machine cannot run fails.
#![allow(dead_code, reason = "each test uses some of it")]
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Returns whether to try a generated case: one in four, or all of them with `TFJOB_SKIP_NOTHING`.
pub fn tries(number: usize) -> bool {
    // The number is hashed, because every fourth case of a generator may be of the same kind.
    let scattered = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    scattered.is_multiple_of(4) || nothing_is_skipped()
}

/// Returns the cases to try, see [`tries`]. The first case is always included.
pub fn sample<T>(cases: impl IntoIterator<Item = T>) -> Vec<T> {
    let numbered = cases.into_iter().enumerate();
    numbered.filter(|(number, _)| tries(*number)).map(|(_, case)| case).collect()
}

/// Returns how often to repeat a test of a failure that occurs at random.
pub fn times(often: usize) -> usize {
    if nothing_is_skipped() { often } else { often.div_ceil(4) }
}

/// Returns the minimum number of cases that are tried.
pub fn share(of_all: usize) -> usize {
    if nothing_is_skipped() { of_all } else { of_all / 6 }
}

fn nothing_is_skipped() -> bool {
    std::env::var_os("TFJOB_SKIP_NOTHING").is_some()
}

/// Returns whether to skip a test that mostly waits, for this number of seconds. Prints the reason.
pub fn skips_wait(seconds: u32) -> bool {
    let skips = !nothing_is_skipped();
    if skips {
        say(&format!("it waits for {seconds} s; TFJOB_SKIP_NOTHING=1 runs it"));
    }
    skips
}

/// Returns whether to skip a test because the machine lacks a feature. Prints the reason.
pub fn skips(able: bool, what: &str) -> bool {
    assert!(able || !nothing_is_skipped(), "this machine has no {what} for the tests");
    if !able {
        say(&format!("this machine has no {what} for the tests"));
    }
    !able
}

/// Prints why a test is skipped. Writes to standard error directly, because the test harness hides the output of a passing test.
fn say(why: &str) {
    let name = std::thread::current().name().unwrap_or("a test").to_owned();
    let _ = writeln!(std::io::stderr(), "skipped: {name}: {why}");
}

/// Returns whether to skip a test that runs `unshare` with these options: some machines have no user namespaces.
pub fn lacks_namespaces(options: &[&str]) -> bool {
    let status = Command::new("unshare").args(options).arg("true").stderr(Stdio::null()).status();
    skips(status.is_ok_and(|done| done.success()), &format!("namespaces: `unshare {}`", options.join(" ")))
}
