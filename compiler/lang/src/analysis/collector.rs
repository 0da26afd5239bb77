//! The one place where consequences of a fault are dropped: a finding stays only if all that it is concluded from holds.
use crate::diagnostic::{Block, Blocked, Diagnostic, Premise};
use crate::doubt::Doubts;
use crate::plan::Plan;
use crate::sources::Span;
use std::collections::BTreeSet;

/// The findings of one job, stage after stage.
///
/// A finding is dropped where its place or one of its premises
/// - could not be read, or was replaced so that the rest can be judged ([`Doubts`]),
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
    pub(super) doubts: Doubts,
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
    pub(super) fn new(found: Vec<Diagnostic>, doubts: Doubts, open: Vec<Block>) -> Self {
        let mut new = Self { guesses: open, ..Self::default() };
        new.add(found);
        Self { doubts, ..new }
    }

    /// Adds what a stage of the language found. The errors among it count for later stages.
    pub(super) fn add(&mut self, mut found: Vec<Diagnostic>) {
        found.retain(|d| self.stands(d));
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
        found.retain(|d| self.stands(d) && told.insert((d.span(), d.code.name)));
        let follows = following(&found);
        // What is dropped here keeps targets from being asked all the same.
        self.names.extend(found.iter().filter(|d| follows(d)).filter_map(|d| d.blocks.clone()));
        found.retain(|d| !follows(d));
        self.add(found);
    }

    /// What of a platform's findings is no consequence of what is told already.
    pub(super) fn news(&self, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        found.into_iter().filter(|d| self.stands(d) && !self.errors.hold(d.span())).collect()
    }

    /// What was guessed that keeps this target from being asked, as it is written.
    pub(super) fn guess_before(&self, target: &str, plan: &Plan) -> Option<&str> {
        first(&self.guesses, target, plan)
    }

    /// The wrong name that keeps this target from being asked, as it is written.
    pub(super) fn name_before(&self, target: &str, plan: &Plan) -> Option<&str> {
        first(&self.names, target, plan)
    }

    fn stands(&self, finding: &Diagnostic) -> bool {
        !self.doubts.placed(finding.span()) && finding.premises.iter().all(|premise| self.holds(premise))
    }

    fn holds(&self, premise: &Premise) -> bool {
        match premise {
            Premise::Value(at) => !self.doubts.guessed(*at),
            Premise::Correct(at) => !self.errors.hold(*at),
            Premise::Absent(wanted) | Premise::Missing(wanted) => !self.doubts.lost(&words(wanted)),
            Premise::Whole(wanted) => !self.doubts.torn(&words(wanted)),
            Premise::SeveralMachines => !self.one_machine,
            // That of the whole stage counts.
            Premise::Accepted => true,
        }
    }

    /// Whether a misspelled `target` block is meant for this target. The name in an `allow` does not count: the job need not be
    /// for that target.
    pub(super) fn is_meant(&self, target: &str) -> bool {
        let meant = |block: &Block| matches!(&block.whom, Blocked::One(name) if name == target);
        self.names.iter().any(|block| meant(block) && block.what.starts_with("target "))
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

/// Returns whether a finding follows from another of the same stage.
fn following(found: &[Diagnostic]) -> impl Fn(&Diagnostic) -> bool + use<> {
    let missing = |premise: &Premise| match premise {
        Premise::Missing(path) => Some(path.clone()),
        Premise::Value(_)
        | Premise::Correct(_)
        | Premise::Absent(_)
        | Premise::Whole(_)
        | Premise::Accepted
        | Premise::SeveralMachines => None,
    };
    let missing: BTreeSet<Vec<String>> = found.iter().flat_map(|d| &d.premises).filter_map(missing).collect();
    move |finding| {
        finding.premises.iter().any(|premise| match premise {
            Premise::Absent(path) => missing.contains(path),
            Premise::Value(_)
            | Premise::Correct(_)
            | Premise::Missing(_)
            | Premise::Whole(_)
            | Premise::Accepted
            | Premise::SeveralMachines => false,
        })
    }
}

fn first<'a>(blocks: &'a [Block], target: &str, plan: &Plan) -> Option<&'a str> {
    let keeps = |block: &&Block| match &block.whom {
        Blocked::All => true,
        Blocked::One(name) => name == target,
        Blocked::Unconfigured => !plan.configures(target),
    };
    blocks.iter().find(keeps).map(|block| block.what.as_str())
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
