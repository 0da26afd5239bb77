//! Drops findings that are consequences of another error. A finding stays only if all its premises hold.
use crate::diagnostic::{Block, Blocked, Diagnostic, Premise, Report};
use crate::plan::Plan;
use crate::recovery::Recovery;
use crate::sources::Span;
use std::collections::BTreeSet;

/// Collects the findings of one job, stage by stage.
///
/// A finding is dropped in each of these cases:
/// - Its span or one of its premises refers to text that could not be read, or that a placeholder replaced ([`Recovery`]).
/// - It requires correct text at a span where an earlier stage reported an error.
/// - It follows from a missing entry or a misspelled role name that another finding of the same stage reports.
/// - It applies only to jobs on several machines, but all tasks run on one machine.
/// - It is valid only for a job without errors, but the job has errors.
///
/// A finding of a target or a cluster is also dropped if an earlier stage reported an error at its span.
#[derive(Debug, Default)]
pub(super) struct Collector {
    /// The findings that were kept.
    pub(super) kept: Vec<Diagnostic>,
    /// Values that were replaced by a guess, and parts of the text that were skipped.
    pub(super) recovery: Recovery,
    /// Whether all tasks run on one machine.
    pub(super) one_machine: bool,
    /// Fields with an invalid or missing value, for which a guess was put in. The value may decide whether a target supports the
    /// job, so the target is not checked until the field is fixed.
    guesses: Vec<Block>,
    /// Names in the spec that are unknown or misspelled, each with the targets that are not checked until the name is fixed.
    /// Exception: if a target cannot run a job of this kind at all, its error about this is still reported.
    names: Vec<Block>,
    errors: ErrorSpans,
}

impl Collector {
    /// Returns a collector with the findings about the text of the spec. These findings are kept even if `recovery` replaced the
    /// text, because they report the faulty text. `open`: the initial value of the field `guesses`.
    pub(super) fn new(found: Vec<Diagnostic>, recovery: Recovery, open: Vec<Block>) -> Self {
        let mut new = Self { guesses: open, ..Self::default() };
        new.add(found);
        Self { recovery, ..new }
    }

    /// Adds the findings of a stage. If some of these findings are errors, later findings that follow from them will be dropped.
    pub(super) fn add(&mut self, mut found: Vec<Diagnostic>) {
        found.retain(|d| self.is_valid(d));
        let reports: BTreeSet<Report> = found.iter().filter_map(|d| d.reports.clone()).collect();
        // The next steps drop each finding that follows from another finding. If the dropped finding blocks targets, the other
        // finding must block them instead.
        let blocks = |d: &Diagnostic| {
            let block = d.blocks.clone()?;
            Some(Block { what: as_written(reported(d, &reports)?)?, ..block })
        };
        self.names.extend(found.iter().filter_map(blocks));
        found.retain(|d| reported(d, &reports).is_none());
        let accepted = self.accepted() && !found.iter().any(Diagnostic::is_error);
        found.retain(|d| accepted || !d.premises.contains(&Premise::Accepted));
        // At this point, `found` has no findings that follow from others. Otherwise, if role `ps` is missing, two errors would
        // block targets: the error about the missing role, and the error about `after "ps"`. Only the missing role must block them.
        self.names.extend(found.iter().filter_map(|d| d.blocks.clone()));
        self.errors.extend(found.iter().filter(|d| d.is_error()).map(Diagnostic::span));
        self.kept.extend(found);
    }

    /// Adds the findings of the rules about the whole job. A default of the job applies to every role, so its error is reported
    /// only once, for the first affected role.
    pub(super) fn add_once(&mut self, mut found: Vec<Diagnostic>) {
        let mut reported = BTreeSet::new();
        found.retain(|d| self.is_valid(d) && reported.insert((d.span(), d.code.name, d.reports.clone())));
        self.add(found);
    }

    /// Returns the findings of a target or cluster that do not follow from reported errors.
    pub(super) fn independent(&self, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let is_independent = |d: &Diagnostic| {
            self.is_valid(d)
                && !self.errors.contain(d.span())
                && (self.accepted() || !d.premises.contains(&Premise::Accepted))
        };
        found.into_iter().filter(is_independent).collect()
    }

    /// Returns what must be corrected before a target can be checked: first the fields for which a value was guessed, then the
    /// wrong names (see [`Self::names_before`]). Empty if no guess affects the target. If `extends` is misplaced, only the names.
    pub(super) fn guesses_before(&self, target: &str, plan: &Plan) -> Vec<String> {
        match all(&self.guesses, target, plan) {
            none if none.is_empty() => none,
            // If `extends` is in the wrong place, the base file was not read. The base file may set the values that were guessed.
            // So only the wrong names are returned, and `extends` is one of them.
            _ if self.names.iter().any(|block| block.what == "extends") => self.names_before(target, plan),
            guesses => [guesses, self.names_before(target, plan)].concat(),
        }
    }

    /// Returns the unknown and misspelled names that must be corrected before a target can be checked, in the notation of the spec,
    /// such as `role "wroker"`.
    pub(super) fn names_before(&self, target: &str, plan: &Plan) -> Vec<String> {
        all(&self.names, target, plan)
    }

    /// Returns whether the premises of a finding hold.
    pub(super) fn is_valid(&self, finding: &Diagnostic) -> bool {
        !self.recovery.substituted(finding.span())
            && finding.premises.iter().all(|premise| self.holds(premise))
    }

    fn holds(&self, premise: &Premise) -> bool {
        match premise {
            Premise::Value(at) => !self.recovery.guessed(*at),
            Premise::Correct(at) => !self.errors.contain(*at),
            Premise::Absent(wanted) => !self.recovery.missing(&words(wanted)),
            Premise::Whole(wanted) => !self.recovery.partial(&words(wanted)),
            Premise::SeveralMachines => !self.one_machine,
            // `add` checks these two premises, because they depend on the other findings of the stage; `independent` the first one.
            Premise::Accepted | Premise::Role(_) => true,
        }
    }

    /// Returns whether the spec configures an unknown target whose name is probably a misspelling of this target.
    pub(super) fn is_meant(&self, target: &str) -> bool {
        self.names.iter().any(|block| matches!(&block.whom, Blocked::Meant(name) if name == target))
    }

    /// Returns the findings of a target that do not follow from reported errors, and whether any dropped finding is an error.
    pub(super) fn of_target(&self, found: Vec<Diagnostic>) -> (Vec<Diagnostic>, bool) {
        let errors = |found: &[Diagnostic]| found.iter().filter(|d| d.is_error()).count();
        let before = errors(&found);
        let kept = self.independent(found);
        let dropped = errors(&kept) < before;
        (kept, dropped)
    }

    /// Returns whether there are no errors.
    pub(super) fn accepted(&self) -> bool {
        self.errors.0.is_empty()
    }
}

/// Returns the fact in `reports` from which a finding follows; `None` if it follows from none of them.
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

/// Returns a missing block in the notation of a spec, such as `role "ps"`. `None` for a misspelled name.
fn as_written(report: &Report) -> Option<String> {
    match report {
        Report::Missing(path) => match path.as_slice() {
            [.., node, name] => Some(format!("{node} {name:?}")),
            [] | [_] => None,
        },
        // The finding that reports the misspelled name already blocks the targets.
        Report::Misspelled(_) => None,
    }
}

/// Returns the names in `blocks` that block a target, in order and without duplicates.
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

/// Spans of errors, sorted by start. The number next to each span is the maximum end of this span and all spans before it. With
/// this number, a binary search finds out whether an error span contains another span.
#[derive(Debug, Default)]
struct ErrorSpans(Vec<(Span, u32)>);

impl ErrorSpans {
    fn extend(&mut self, new: impl Iterator<Item = Span>) {
        self.0.extend(new.map(|span| (span, span.end)));
        self.0.sort_unstable();
        let mut max_end = 0;
        for (span, end) in &mut self.0 {
            max_end = span.end.max(max_end);
            *end = max_end;
        }
    }

    /// Returns whether an error span contains this span.
    fn contain(&self, at: Span) -> bool {
        let before = self.0.partition_point(|(span, _)| span.start <= at.start);
        before.checked_sub(1).is_some_and(|last| self.0[last].1 >= at.end)
    }
}
