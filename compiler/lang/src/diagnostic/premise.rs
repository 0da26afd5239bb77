//! Input of the collector: the premises of a finding, the fact that it reports, and the targets that it blocks.
use super::{Diagnostic, bounded};
use crate::sources::Span;

/// A reported fact from which other findings of the same stage follow.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Report {
    /// Nothing is at this path. Findings with this [`Premise::Absent`] follow from it.
    Missing(Vec<String>),
    /// The role name is a misspelling of another role. Findings with this [`Premise::Role`] follow from it.
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
    /// Nothing is at this path of the tree, and nothing that may be there was lost.
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
    /// Returns the premise that nothing is at this path.
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

    /// Adds the premise that nothing is at this path.
    #[must_use]
    pub fn from_absent(self, path: &[&str]) -> Self {
        self.given(Premise::absent(path))
    }

    /// Adds the premise that the role name is correct.
    #[must_use]
    pub fn from_role(self, name: Span) -> Self {
        self.given(Premise::Role(name))
    }

    /// Reports that nothing is at this path.
    #[must_use]
    pub fn reports_missing(self, path: &[&str]) -> Self {
        let reported = path.iter().map(|key| (*key).to_owned()).collect();
        Self { reports: Some(Report::Missing(reported)), ..self }.from_absent(path)
    }

    /// Reports that the role name is a misspelling of another role.
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

    /// Blocks some targets until it is fixed.
    #[must_use]
    pub fn blocks(mut self, what: impl Into<String>, whom: Blocked) -> Self {
        self.blocks = Some(Block { what: bounded(what.into()), whom });
        self
    }
}
