//! All known pitfalls, with one module per platform. For each row, tfjob reports a spec with the mistake at its line, and a
//! similar spec without the mistake compiles. If no spec can contain the mistake, the row tests the artifacts. `docs/pitfalls.md`
//! is generated from these rows.
mod arms;
mod dcos;
mod document;
mod helped;
mod judged;
mod kubernetes;
mod lists;
mod local;
mod order;
mod resumed;
mod spark;
mod tensorflow;
mod unique;
mod yarn;

use crate::request::{analyze, request};
use judged::Judged;
use std::sync::atomic::{AtomicUsize, Ordering};
use tfjob_driver::Analysis;
use tfjob_lang::diagnostic::{Diagnostic, Severity};
use tfjob_lang::lowered::Lowered;
use tfjob_targets::ALL;

/// Source of a pitfall.
#[derive(Clone, Copy)]
pub enum Seen {
    /// Observed on this platform and version.
    On(&'static str),
    /// Read in the source or documentation of the platform, or observed in a run by hand; no test runs it on the platform.
    In(&'static str),
}
pub use Seen::{In, On};

/// A pitfall that a spec can contain, with a spec that contains it and a similar spec that does not.
pub struct Pitfall {
    /// Name of the row.
    pub name: &'static str,
    /// Evidence: a section of `docs/evidence`, or a public source; may be empty.
    pub fact: &'static str,
    /// Source of the pitfall.
    pub seen: Seen,
    /// What the platform does.
    pub does: &'static str,
    /// Spec with the mistake.
    pub falls: String,
    /// Code of the diagnostic that reports the mistake.
    pub code: &'static str,
    /// Part of the spec that the diagnostic marks.
    pub words: &'static str,
    /// Part of the message.
    pub says: &'static str,
    /// Similar spec without the mistake.
    pub neighbour: String,
}

/// A pitfall that no spec can contain, because tfjob never writes such artifacts.
pub struct Built {
    /// Name of the row.
    pub name: &'static str,
    /// Evidence: a section of `docs/evidence`, or a public source; may be empty.
    pub fact: &'static str,
    /// Source of the pitfall.
    pub seen: Seen,
    /// What the platform does.
    pub does: &'static str,
    /// Why no spec can contain the mistake.
    pub how: &'static str,
    /// Test of the artifacts.
    pub shown: fn(),
}

/// The fields of `Pitfall` without the code: name, fact, seen, does, falls, words, says, neighbour.
pub type Row = (&'static str, &'static str, Seen, &'static str, String, &'static str, &'static str, String);

/// Returns the rows of one diagnostic code.
pub fn rows(code: &'static str, rows: Vec<Row>) -> Vec<Pitfall> {
    let pitfall = |(name, fact, seen, does, falls, words, says, neighbour)| Pitfall {
        name,
        fact,
        seen,
        does,
        falls,
        code,
        words,
        says,
        neighbour,
    };
    rows.into_iter().map(pitfall).collect()
}

/// The fields of `Built`: name, fact, seen, does, how, shown.
pub type BuiltRow = (&'static str, &'static str, Seen, &'static str, &'static str, fn());

/// Returns the rows of mistakes that no spec can contain.
pub fn built(rows: Vec<BuiltRow>) -> Vec<Built> {
    let one = |(name, fact, seen, does, how, shown)| Built { name, fact, seen, does, how, shown };
    rows.into_iter().map(one).collect()
}

/// Analyzes a spec as the command line does.
pub fn analyzed(text: &str) -> Analysis {
    analyze(&request(text))
}

/// Returns all diagnostics of the language and of one target, and the artifacts. If `target` is empty, only those of the language.
pub fn found(analysis: &Analysis, target: &str) -> (Vec<Diagnostic>, Option<Lowered>) {
    let target = ALL.iter().find(|t| t.name() == target);
    let compiled = target.map(|t| analysis.compile(*t)).unwrap_or_default();
    let all = analysis.diagnostics.iter().cloned().chain(compiled.diagnostics);
    (all.collect(), compiled.lowered)
}

/// Returns all errors of the language and of one target, and the artifacts.
pub fn compiled(analysis: &Analysis, target: &str) -> (Vec<Diagnostic>, Option<Lowered>) {
    let (mut all, lowered) = found(analysis, target);
    all.retain(Diagnostic::is_error);
    (all, lowered)
}

/// Returns whether a target reports the patch of a spec. Panics on other errors, or if nothing is reported and nothing is written.
pub fn patch_is_told(target: &str, text: &str) -> bool {
    let (all, lowered) = found(&analyzed(text), target);
    let of_patch = |d: &&Diagnostic| ["patch-overrides", "bad-patch"].contains(&d.code.name);
    let told = all.iter().any(|d| of_patch(&d));
    let others: Vec<_> = all.iter().filter(|d| d.is_error() && !of_patch(d)).collect();
    assert!(others.is_empty() && (told || lowered.is_some()), "{text}{others:#?}");
    told
}

fn told(findings: &[Diagnostic]) -> Vec<String> {
    findings.iter().map(|d| format!("{}: {}", d.code.name, d.message)).collect()
}

/// Returns the result of `look` for each item, in the order of the items. Runs on all cores.
pub fn on_all_cores<T: Sync, R: Send>(all: &[T], look: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let take = || {
        let mut found = Vec::new();
        while let Some((at, one)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, all.get(at)?)))
        {
            found.push((at, look(one)));
        }
        found
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut found: Vec<(usize, R)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(take)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("its panic is told above")).collect()
    });
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, found)| found).collect()
}

/// Returns the diagnostic of a spec with the mistake. Panics unless there is exactly one of this code, and no other error.
fn finding(target: &str, pitfall: &Pitfall) -> &'static Diagnostic {
    let judged = Judged::of(&pitfall.falls, target);
    let all = &judged.findings;
    let name = format!("{} ({})\n{}", pitfall.name, pitfall.fact, pitfall.falls);
    let mut of_code = all.iter().filter(|d| d.code.name == pitfall.code && d.message.contains(pitfall.says));
    let one = of_code.next().unwrap_or_else(|| panic!("{name}: {:#?}", told(all)));
    assert_eq!(of_code.count(), 0, "{name}: {:#?}", told(all));
    assert_eq!(judged.slice(one.span()), pitfall.words, "{name}: {:#?}", told(all));
    assert_eq!(judged.errors(), usize::from(one.is_error()), "{name}: {:#?}", told(all));
    assert!(judged.written != one.is_error() || target.is_empty(), "{name}: is it written?");
    one
}

/// Tests that each mistake is reported once, at its position, and that each similar spec compiles. Names all rows that fail.
pub fn holds(target: &str, pitfalls: &[Pitfall]) {
    let fails = |pitfall: &&Pitfall| std::panic::catch_unwind(|| hold(target, pitfall)).is_err();
    let failed: Vec<_> = pitfalls.iter().filter(fails).map(|pitfall| pitfall.name).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

fn hold(target: &str, pitfall: &Pitfall) {
    let one = finding(target, pitfall);
    let judged = Judged::of(&pitfall.neighbour, target);
    let all = &judged.findings;
    let name = format!("the neighbour of {} ({})\n{}", pitfall.name, pitfall.fact, pitfall.neighbour);
    assert_eq!(judged.errors(), 0, "{name}: {:#?}", told(all));
    assert!(judged.written || target.is_empty(), "{name}");
    let again = |d: &Diagnostic| d.code.name == pitfall.code && d.message == one.message;
    assert!(one.code.severity == Severity::Error || !all.iter().any(again), "{name}: {:#?}", told(all));
}
