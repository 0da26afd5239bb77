//! Fields of a finding by which the collector drops findings that follow from others: the premises of the finding, the fact that it
//! reports, and the targets that it blocks.
use super::{Diagnostic, bounded};
use crate::sources::Span;

/// A reported fact from which other findings of the same stage follow.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Report {
    /// The spec has no entry at this path. Findings with [`Premise::Absent`] of the same path follow from this.
    Missing(Vec<String>),
    /// The role name at this span is misspelled. Findings with [`Premise::Role`] of the same span follow from this.
    Misspelled(Span),
}

/// A guessed value or a wrong name, and the targets that are not checked until this value or name is fixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The field or name in the notation of the spec: `strategy`, `role "wroker"`.
    pub what: String,
    /// Blocked targets.
    pub whom: Blocked,
}

/// The targets that are not checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blocked {
    /// All targets.
    All,
    /// One target, by name: the error is in the block of this target, or in an `allow` for this target.
    One(String),
    /// One target, by name: the job has a block of an unknown target whose name is probably a misspelling of this one.
    Meant(String),
    /// Targets without a block in the job: the job has a block of an unknown target, which may be meant as a block of any of them.
    Unconfigured,
}

/// A fact on which a finding depends, in addition to the text at its span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Premise {
    /// The value at this span is in the spec: it was not replaced by a placeholder.
    Value(Span),
    /// No earlier stage reports an error at this span.
    Correct(Span),
    /// The spec has no entry at this path, not even in a part that could not be parsed.
    Absent(Vec<String>),
    /// The block at this path was parsed completely.
    Whole(Vec<String>),
    /// The role name at this span is not a misspelling of another role.
    Role(Span),
    /// The job has no error. Errors that only a target reports do not count.
    Accepted,
    /// Tasks run on several machines.
    SeveralMachines,
}

impl Premise {
    /// Returns the premise that the spec has no entry at this path.
    #[must_use]
    pub fn absent(path: &[&str]) -> Self {
        Self::Absent(path.iter().map(|key| (*key).to_owned()).collect())
    }

    /// Returns the premise that the block at this path was parsed completely.
    #[must_use]
    pub fn whole(path: &[&str]) -> Self {
        Self::Whole(path.iter().map(|key| (*key).to_owned()).collect())
    }
}

impl Diagnostic {
    /// Adds a premise.
    #[must_use]
    pub fn given(mut self, premise: Premise) -> Self {
        self.premises.push(premise);
        self
    }

    /// Adds the premise that the value at this span is in the spec and not a placeholder.
    #[must_use]
    pub fn from_value(self, span: Span) -> Self {
        self.given(Premise::Value(span))
    }

    /// Adds the premise that the spec has no entry at this path.
    #[must_use]
    pub fn from_absent(self, path: &[&str]) -> Self {
        self.given(Premise::absent(path))
    }

    /// Adds the premise that the role name at this span is not a misspelling.
    #[must_use]
    pub fn from_role(self, name: Span) -> Self {
        self.given(Premise::Role(name))
    }

    /// Marks the diagnostic as the report of a missing entry: other findings that follow from it are dropped.
    #[must_use]
    pub fn reports_missing(self, path: &[&str]) -> Self {
        let reported = path.iter().map(|key| (*key).to_owned()).collect();
        Self { reports: Some(Report::Missing(reported)), ..self }.from_absent(path)
    }

    /// Marks the diagnostic as the report of a misspelled role name: other findings that follow from it are dropped.
    #[must_use]
    pub fn reports_misspelled(self, name: Span) -> Self {
        Self { reports: Some(Report::Misspelled(name)), ..self }
    }

    /// Adds the premise that the block at this path was parsed completely.
    #[must_use]
    pub fn from_whole(self, path: &[&str]) -> Self {
        self.given(Premise::whole(path))
    }

    /// Prevents the check of all targets until a wrong name is fixed. `what`: the name in the notation of the spec, such as
    /// `role "wroker"`.
    #[must_use]
    pub fn blocks_targets(self, what: impl Into<String>) -> Self {
        self.blocks(what, Blocked::All)
    }

    /// Prevents the check of the targets `whom` until this problem is fixed. `what`: the field or name in the notation of the spec.
    #[must_use]
    pub fn blocks(mut self, what: impl Into<String>, whom: Blocked) -> Self {
        self.blocks = Some(Block { what: bounded(what.into()), whom });
        self
    }
}
