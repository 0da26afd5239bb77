//! What a test leaves out: what a machine lacks, what takes very long, and three of four generated cases. Where
//! `TFJOB_SKIP_NOTHING` is set, as `.ci/run` does, a test that the machine cannot run fails, and every case is tried.
#![allow(dead_code, reason = "each test uses some of it")]
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Returns whether to try a generated case: one in four, or all of them with `TFJOB_SKIP_NOTHING`.
pub fn tries(number: usize) -> bool {
    // Scattered: cases that are made in turn would be the same ones each time.
    let scattered = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    scattered.is_multiple_of(4) || nothing_is_skipped()
}

/// The cases to try, of many that are alike: see [`tries`]. The first is always one of them.
pub fn sample<T>(cases: impl IntoIterator<Item = T>) -> Vec<T> {
    let numbered = cases.into_iter().enumerate();
    numbered.filter(|(number, _)| tries(*number)).map(|(_, case)| case).collect()
}

/// How often to try what goes wrong by chance only.
pub fn times(often: usize) -> usize {
    if nothing_is_skipped() { often } else { often.div_ceil(4) }
}

/// How many of so many cases are tried at the least.
pub fn share(of_all: usize) -> usize {
    if nothing_is_skipped() { of_all } else { of_all / 6 }
}

fn nothing_is_skipped() -> bool {
    std::env::var_os("TFJOB_SKIP_NOTHING").is_some()
}

/// Whether to leave a test out that mostly waits, and for so long that the others wait for it. The test says so.
pub fn skips_wait(seconds: u32) -> bool {
    let skips = !nothing_is_skipped();
    if skips {
        say(&format!("it waits for {seconds} s; TFJOB_SKIP_NOTHING=1 runs it"));
    }
    skips
}

/// Whether to leave a test out, because the machine is not able to do what it needs. The test says so.
pub fn skips(able: bool, what: &str) -> bool {
    assert!(able || !nothing_is_skipped(), "this machine gives the tests no {what}");
    if !able {
        say(&format!("this machine gives the tests no {what}"));
    }
    !able
}

/// Says why a test is skipped, past the harness, which shows nothing of a test that passes.
fn say(why: &str) {
    let name = std::thread::current().name().unwrap_or("a test").to_owned();
    let _ = writeln!(std::io::stderr(), "skipped: {name}: {why}");
}

/// The same for a test that runs `unshare` with these options: some machines give users no namespaces.
pub fn lacks_namespaces(options: &[&str]) -> bool {
    let status = Command::new("unshare").args(options).arg("true").stderr(Stdio::null()).status();
    skips(status.is_ok_and(|done| done.success()), &format!("namespaces: `unshare {}`", options.join(" ")))
}
