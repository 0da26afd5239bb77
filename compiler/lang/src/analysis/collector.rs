//! The one place where consequences of a fault are dropped: a finding stays only if all that it is concluded from holds.
use crate::diagnostic::{Block, Blocked, Diagnostic, Premise, Report};
use crate::plan::Plan;
use crate::recovery::Recovery;
use crate::sources::Span;
use std::collections::BTreeSet;

/// The findings of one job, stage after stage.
///
/// A finding is dropped where its place or one of its premises
/// - could not be read, or was replaced so that the rest can be judged ([`Recovery`]),
/// - is said to be correct, and an earlier stage has an error there,
/// - is missing, and another finding of the same stage reports that,
/// - is not so: the job runs on one machine, or has errors.
///
/// What a target or a cluster says is dropped, too, where the language has an error at its place.
#[derive(Debug, Default)]
pub(super) struct Collector {
    /// What was kept.
    pub(super) kept: Vec<Diagnostic>,
    /// Which values were guessed, and which words were lost.
    pub(super) recovery: Recovery,
    /// Whether all tasks run on one machine.
    pub(super) one_machine: bool,
    /// What was guessed and differs for a target: the plan is that of another job.
    guesses: Vec<Block>,
    /// Wrong names. That a target cannot run such a job in any form is true nevertheless.
    names: Vec<Block>,
    errors: Places,
}

impl Collector {
    /// The findings about a spec as it was written, which all stand. `open`: what was guessed of it and differs for a target.
    pub(super) fn new(found: Vec<Diagnostic>, recovery: Recovery, open: Vec<Block>) -> Self {
        let mut new = Self { guesses: open, ..Self::default() };
        new.add(found);
        Self { recovery, ..new }
    }

    /// Adds what a stage of the language found. The errors among it count for later stages.
    pub(super) fn add(&mut self, mut found: Vec<Diagnostic>) {
        found.retain(|d| self.stands(d));
        let reports: BTreeSet<Report> = found.iter().filter_map(|d| d.reports.clone()).collect();
        // What a dropped finding keeps from being asked waits for the one that it follows from.
        let blocks = |d: &Diagnostic| {
            let block = d.blocks.clone()?;
            Some(Block { what: as_written(reported(d, &reports)?)?, ..block })
        };
        self.names.extend(found.iter().filter_map(blocks));
        found.retain(|d| reported(d, &reports).is_none());
        let accepted = self.accepted() && !found.iter().any(Diagnostic::is_error);
        found.retain(|d| accepted || !d.premises.contains(&Premise::Accepted));
        // As they were found: that a role is unknown may be why an `after` names none.
        self.names.extend(found.iter().filter_map(|d| d.blocks.clone()));
        self.errors.extend(found.iter().filter(|d| d.is_error()).map(Diagnostic::span));
        self.kept.extend(found);
    }

    /// Adds what the rules of the job found. A default of the job reaches every role, and its fault is told once: of the
    /// first role that it is a fault of.
    pub(super) fn add_once(&mut self, mut found: Vec<Diagnostic>) {
        let mut told = BTreeSet::new();
        found.retain(|d| self.stands(d) && told.insert((d.span(), d.code.name, d.reports.clone())));
        self.add(found);
    }

    /// What of a platform's findings is no consequence of what is told already.
    pub(super) fn news(&self, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        found.into_iter().filter(|d| self.stands(d) && !self.errors.hold(d.span())).collect()
    }

    /// What was guessed that keeps this target from being asked, as it is written; then the wrong names that do so, too.
    pub(super) fn guesses_before(&self, target: &str, plan: &Plan) -> Vec<String> {
        match all(&self.guesses, target, plan) {
            none if none.is_empty() => none,
            guesses => [guesses, self.names_before(target, plan)].concat(),
        }
    }

    /// The wrong names that keep this target from being asked, as they are written.
    pub(super) fn names_before(&self, target: &str, plan: &Plan) -> Vec<String> {
        all(&self.names, target, plan)
    }

    fn stands(&self, finding: &Diagnostic) -> bool {
        !self.recovery.substituted(finding.span())
            && finding.premises.iter().all(|premise| self.holds(premise))
    }

    fn holds(&self, premise: &Premise) -> bool {
        match premise {
            Premise::Value(at) => !self.recovery.guessed(*at),
            Premise::Correct(at) => !self.errors.hold(*at),
            Premise::Absent(wanted) => !self.recovery.missing(&words(wanted)),
            Premise::Whole(wanted) => !self.recovery.partial(&words(wanted)),
            Premise::SeveralMachines => !self.one_machine,
            // Of these the whole stage counts.
            Premise::Accepted | Premise::Role(_) => true,
        }
    }

    /// Whether a block of a target that there is not is meant for this one.
    pub(super) fn is_meant(&self, target: &str) -> bool {
        self.names.iter().any(|block| matches!(&block.whom, Blocked::Meant(name) if name == target))
    }

    /// The findings of a target that are no consequence of what is told already, and whether errors were dropped.
    pub(super) fn of_target(&self, found: Vec<Diagnostic>) -> (Vec<Diagnostic>, bool) {
        let errors = |found: &[Diagnostic]| found.iter().filter(|d| d.is_error()).count();
        let before = errors(&found);
        let kept = self.news(found);
        let dropped = errors(&kept) < before;
        (kept, dropped)
    }

    /// Whether no error was kept.
    pub(super) fn accepted(&self) -> bool {
        self.errors.0.is_empty()
    }
}

/// Returns what a finding follows from, where another of the same stage reports that.
fn reported<'r>(finding: &Diagnostic, reports: &'r BTreeSet<Report>) -> Option<&'r Report> {
    if reports.is_empty() {
        return None;
    }
    let of = |premise: &Premise| match premise {
        Premise::Absent(path) => reports.get(&Report::Missing(path.clone())),
        Premise::Role(name) => reports.get(&Report::Misspelled(*name)),
        Premise::Value(_)
        | Premise::Correct(_)
        | Premise::Whole(_)
        | Premise::Accepted
        | Premise::SeveralMachines => None,
    };
    finding.premises.iter().find_map(of).filter(|report| finding.reports.as_ref() != Some(report))
}

/// What is missing, as a spec would have it: `role "ps"`.
fn as_written(report: &Report) -> Option<String> {
    match report {
        Report::Missing(path) => match path.as_slice() {
            [.., node, name] => Some(format!("{node} {name:?}")),
            [] | [_] => None,
        },
        // The finding that reports it blocks targets itself.
        Report::Misspelled(_) => None,
    }
}

/// Each once, in their order.
fn all(blocks: &[Block], target: &str, plan: &Plan) -> Vec<String> {
    let keeps = |block: &&Block| match &block.whom {
        Blocked::All => true,
        Blocked::One(name) | Blocked::Meant(name) => name == target,
        Blocked::Unconfigured => !plan.configures(target),
    };
    let mut all = Vec::new();
    for block in blocks.iter().filter(keeps) {
        if !all.contains(&block.what) {
            all.push(block.what.clone());
        }
    }
    all
}

fn words(path: &[String]) -> Vec<&str> {
    path.iter().map(String::as_str).collect()
}

/// The places of errors, by their start, each with the farthest end of those up to it.
#[derive(Debug, Default)]
struct Places(Vec<(Span, u32)>);

impl Places {
    fn extend(&mut self, new: impl Iterator<Item = Span>) {
        self.0.extend(new.map(|span| (span, span.end)));
        self.0.sort_unstable();
        let mut farthest = 0;
        for (span, end) in &mut self.0 {
            farthest = span.end.max(farthest);
            *end = farthest;
        }
    }

    /// Whether one of them holds these words.
    fn hold(&self, at: Span) -> bool {
        let before = self.0.partition_point(|(span, _)| span.start <= at.start);
        before.checked_sub(1).is_some_and(|last| self.0[last].1 >= at.end)
    }
}
