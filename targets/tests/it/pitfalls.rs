//! Every trap that was found, one platform a file: what falls in is told at its words, its neighbour compiles; what no
//! spec can fall into is shown on what is written. `docs/pitfalls.md` is made from the same rows.
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

/// Where a trap was found.
#[derive(Clone, Copy)]
pub enum Seen {
    /// The real engine fell in.
    On(&'static str),
    /// The platform's own source or page says so; no referee ran it.
    In(&'static str),
}
pub use Seen::{In, On};

/// A spec that falls in, and its nearest neighbour that does not.
pub struct Pitfall {
    /// What it is called.
    pub name: &'static str,
    /// Evidence: a section of `docs/evidence`, or a public source. May be empty.
    pub fact: &'static str,
    /// Where it was found.
    pub seen: Seen,
    /// What the platform does.
    pub does: &'static str,
    /// Falls in.
    pub falls: String,
    /// The code that says so.
    pub code: &'static str,
    /// The words that are marked.
    pub words: &'static str,
    /// A part of the message.
    pub says: &'static str,
    /// Does not.
    pub neighbour: String,
}

/// A trap that no spec can fall into.
pub struct Built {
    /// What it is called.
    pub name: &'static str,
    /// Evidence: a section of `docs/evidence`, or a public source. May be empty.
    pub fact: &'static str,
    /// Where it was found.
    pub seen: Seen,
    /// What the platform does.
    pub does: &'static str,
    /// Why no spec can fall in.
    pub how: &'static str,
    /// The test that shows it.
    pub shown: fn(),
}

/// Name, fact, where it was found, what the platform does, what falls in, its words, a part of the message, what does not.
pub type Row = (&'static str, &'static str, Seen, &'static str, String, &'static str, &'static str, String);

/// Rows of one code.
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

/// Name, fact, where it was found, what the platform does, why no spec can fall in, the test that shows it.
pub type BuiltRow = (&'static str, &'static str, Seen, &'static str, &'static str, fn());

/// Rows of what is impossible by construction.
pub fn built(rows: Vec<BuiltRow>) -> Vec<Built> {
    let one = |(name, fact, seen, does, how, shown)| Built { name, fact, seen, does, how, shown };
    rows.into_iter().map(one).collect()
}

/// A spec read as the command line reads it.
pub fn analyzed(text: &str) -> Analysis {
    analyze(&request(text))
}

/// Every finding of the language and of one target, and what was written. Without a target: of the language alone.
pub fn found(analysis: &Analysis, target: &str) -> (Vec<Diagnostic>, Option<Lowered>) {
    let target = ALL.iter().find(|t| t.name() == target);
    let compiled = target.map(|t| analysis.compile(*t)).unwrap_or_default();
    let all = analysis.diagnostics.iter().cloned().chain(compiled.diagnostics);
    (all.collect(), compiled.lowered)
}

/// Every error of the language and of one target, and what was written.
pub fn compiled(analysis: &Analysis, target: &str) -> (Vec<Diagnostic>, Option<Lowered>) {
    let (mut all, lowered) = found(analysis, target);
    all.retain(Diagnostic::is_error);
    (all, lowered)
}

/// Whether a target says of a spec that its patch undoes something. Without a word of the patch, the spec is written.
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

/// What `look` finds in each of them, in their order.
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

/// What is told of the spec that falls in: one finding of its code, and no other error.
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

/// Each trap is told once, at its words; each neighbour compiles. All rows that fail are told.
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
