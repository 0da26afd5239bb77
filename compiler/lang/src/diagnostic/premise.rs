//! Input of the collector: the premises of a finding, the fact that it reports, and the targets that it blocks.
use super::{Diagnostic, bounded};
use crate::sources::Span;

/// A reported fact from which other findings of the same stage follow.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Report {
    /// The spec has no entry at this path. Findings with [`Premise::Absent`] of the path follow from it.
    Missing(Vec<String>),
    /// The role name at this span is misspelled. Findings with [`Premise::Role`] of the span follow from it.
    Misspelled(Span),
}

/// A guessed value or wrong name: targets are not checked until it is fixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The field or name as written: `strategy`, `role "wroker"`.
    pub what: String,
    /// Blocked targets.
    pub whom: Blocked,
}

/// Which targets are not checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blocked {
    /// All targets.
    All,
    /// One target, by name: the error is in its block, or in an `allow` for it.
    One(String),
    /// One target, by name: the block of an unknown target is probably meant for it.
    Meant(String),
    /// Targets without a block in the job: the block of an unknown target may be meant for them.
    Unconfigured,
}

/// A fact that a finding depends on, in addition to the text at its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Premise {
    /// The value at this span is the written one, not a placeholder.
    Value(Span),
    /// No earlier stage reports an error at this span.
    Correct(Span),
    /// The tree has no entry at this path, and no part that could not be parsed may contain one.
    Absent(Vec<String>),
    /// The block at this path was parsed completely.
    Whole(Vec<String>),
    /// The role name is not a misspelling of another role.
    Role(Span),
    /// The job has no error that is independent of targets.
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

    /// Adds the premise that the value at this span is the written one.
    #[must_use]
    pub fn from_value(self, span: Span) -> Self {
        self.given(Premise::Value(span))
    }

    /// Adds the premise that the spec has no entry at this path.
    #[must_use]
    pub fn from_absent(self, path: &[&str]) -> Self {
        self.given(Premise::absent(path))
    }

    /// Adds the premise that the role name is correct.
    #[must_use]
    pub fn from_role(self, name: Span) -> Self {
        self.given(Premise::Role(name))
    }

    /// States the reported fact: the spec has no entry at this path.
    #[must_use]
    pub fn reports_missing(self, path: &[&str]) -> Self {
        let reported = path.iter().map(|key| (*key).to_owned()).collect();
        Self { reports: Some(Report::Missing(reported)), ..self }.from_absent(path)
    }

    /// States the reported fact: the role name is misspelled.
    #[must_use]
    pub fn reports_misspelled(self, name: Span) -> Self {
        Self { reports: Some(Report::Misspelled(name)), ..self }
    }

    /// Adds the premise that the block at this path was parsed completely.
    #[must_use]
    pub fn from_whole(self, path: &[&str]) -> Self {
        self.given(Premise::whole(path))
    }

    /// Blocks all targets until a wrong name such as `role "wroker"` is fixed.
    #[must_use]
    pub fn blocks_targets(self, what: impl Into<String>) -> Self {
        self.blocks(what, Blocked::All)
    }

    /// Blocks some targets until this problem is fixed.
    #[must_use]
    pub fn blocks(mut self, what: impl Into<String>, whom: Blocked) -> Self {
        self.blocks = Some(Block { what: bounded(what.into()), whom });
        self
    }
}
