//! Mutation tests: faults planted in a valid spec are reported once, at the exact span, and nothing else is reported.
//!
//! A planter edits a unique text of the valid spec so that one code is reported at a marked span. A mutant has one to eight planted
//! faults. Planters that edit the same text, or hide each other (table `HIDES`), are not combined.
#![expect(clippy::unwrap_used, reason = "a test may")]

mod alone;
mod fields;
mod fixes;
mod formats;
mod hides;
mod mutant;
mod planter;
mod random;
mod site;
mod text;
mod whole;

use crate::able;
use mutant::{Told, difference, grow, read, told};
use planter::Planter;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// Codes that are reported only with a cluster file; the page of the code has one.
const NEEDS_A_CLUSTER: [&str; 11] = [
    "target-mismatch",
    "no-matching-node",
    "insufficient-capacity",
    "undetermined-placement",
    "unknown-queue",
    "queue-capacity-exceeded",
    "limit-exceeded",
    "unknown-gpu-model",
    "grace-exceeds-limit",
    "unlisted-registry",
    "other-namespace",
];

/// Number of mutants. For a long run: `PLANTED=20000 cargo test --test it planted`.
const MUTANTS: u64 = 1000;

fn planters() -> Vec<&'static Planter> {
    [text::PLANTERS, fields::PLANTERS, whole::PLANTERS].into_iter().flatten().collect()
}

/// Returns the differences between the planted faults and the findings; `None` if they are equal.
fn judge(planters: &[&Planter]) -> Option<String> {
    let (texts, planted) = grow(planters);
    let shown = |other| !planted.iter().any(|by| hides::hides(by, other, &texts));
    let mut expected: Vec<Told> = planted.iter().filter(|p| shown(*p)).map(|p| p.told.clone()).collect();
    expected.sort();
    let analysis = read(&texts, &[]);
    let found = told(&analysis, &analysis.diagnostics);
    (found != expected).then(|| format!("{}\n  {}", names(planters), difference(&texts, &expected, &found)))
}

fn names(planters: &[&Planter]) -> String {
    planters.iter().map(|p| format!("{} `{}`", p.code, p.edits[0].2)).collect::<Vec<_>>().join(" + ")
}

/// Returns the smallest subset of the faults that is reported incorrectly, and the difference.
fn smallest(mut planters: Vec<&'static Planter>, mut wrong: String) -> String {
    let mut at = 0;
    while at < planters.len() {
        let mut fewer = planters.clone();
        fewer.remove(at);
        match judge(&fewer) {
            Some(still) => (planters, wrong) = (fewer, still),
            None => at += 1,
        }
    }
    wrong
}

/// Runs `work` for each number below `count`, in parallel.
fn each<T: Send>(count: u64, work: impl Fn(u64) -> Option<T> + Sync) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let next = AtomicU64::new(0);
    let run = || {
        let numbers =
            std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)).filter(|n| *n < count));
        numbers.filter_map(&work).collect::<Vec<T>>()
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    })
}

#[test]
fn every_code_that_a_spec_can_raise_is_planted() {
    // The gate reports these for a valid spec.
    let gate = [
        // This code is reported only for a spec without errors, so it cannot be combined with others.
        "unused-declaration",
        "unsupported-feature",
        "allowed-feature",
        "ignored-feature",
        "emulated-feature",
        "ignored-locally",
        "unused-allow",
        "unshared-restart",
        "unsupported-by-shim",
        // `tfjob compile --check` reports it, for output files.
        "outdated-output",
        "text-too-long",
        "bad-option",
        "unused-option",
    ];
    let alone = alone::all();
    let planted: BTreeSet<&str> =
        planters().iter().map(|p| p.code).chain(alone.iter().map(|a| a.code)).collect();
    let codes: BTreeSet<&str> = tfjob_lang::codes::ALL
        .iter()
        .map(|c| c.name)
        .filter(|c| !gate.contains(c) && !NEEDS_A_CLUSTER.contains(c))
        .collect();
    assert_eq!(planted, codes);
}

#[test]
fn a_code_that_needs_a_cluster_is_shown_with_one() {
    for name in NEEDS_A_CLUSTER {
        let code = tfjob_lang::codes::ALL.iter().find(|code| code.name == name).unwrap();
        let mut blocks = crate::pages::of(code).split("```").skip(1).step_by(2);
        assert!(
            blocks.any(|block| block.starts_with("kdl cluster")),
            "the page of {name} has no cluster file"
        );
    }
}

#[test]
fn each_fault_with_its_own_spec_is_reported_exactly() {
    let wrong = alone::all().into_iter().filter_map(|alone| {
        let (texts, set, expected) = alone.unmark();
        let analysis = read(&texts, &set);
        let found = told(&analysis, &analysis.diagnostics);
        (found != [expected.clone()])
            .then(|| format!("{}\n{}\n  {}", alone.code, texts[0].1, difference(&texts, &[expected], &found)))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_fix_removes_its_fault_and_adds_none() {
    let mut specs: Vec<(&str, mutant::Texts, Vec<String>)> =
        planters().iter().map(|planter| (planter.code, grow(&[planter]).0, Vec::new())).collect();
    specs.extend(alone::all().iter().map(|alone| {
        let (texts, set, _) = alone.unmark();
        (alone.code, texts, set)
    }));
    let wrong = each(specs.len() as u64, |number| {
        let (code, texts, set) = &specs[number as usize];
        Some(
            fixes::faults(texts, set).into_iter().map(|fault| format!("{code}: {fault}")).collect::<Vec<_>>(),
        )
    });
    let wrong = wrong.concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_spec_without_faults_is_clean() {
    assert_eq!(judge(&[]), None);
}

#[test]
fn each_planted_fault_is_reported_exactly() {
    let planters = planters();
    let wrong = each(planters.len() as u64, |number| judge(&[planters[number as usize]]));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn combined_faults_are_each_reported_once() {
    let planters = planters();
    let wanted: Option<u64> = std::env::var("PLANTED").ok().and_then(|n| n.parse().ok());
    let (count, asked) = (wanted.unwrap_or(MUTANTS), wanted.is_some());
    let wrong: BTreeSet<String> = each(count, |seed| {
        if !asked && !able::tries(seed as usize) {
            return None;
        }
        let chosen = random::mutant(seed, &planters);
        judge(&chosen).map(|wrong| smallest(chosen, wrong))
    })
    .into_iter()
    .collect();
    let shown: Vec<_> = wrong.iter().take(40).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} kinds:\n{}", wrong.len(), shown.join("\n"));
}
