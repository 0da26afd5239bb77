//! What the collector reads of a finding: its premises, what it reports, and which targets are not checked until it is fixed.
use super::{Diagnostic, bounded};
use crate::sources::Span;

/// A fact from which findings of the same stage follow.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Report {
    /// There is nothing at this path: a finding with [`Premise::Absent`] of it follows.
    Missing(Vec<String>),
    /// The role of this name is another one of the job, misspelled: a finding with [`Premise::Role`] of it follows.
    Misspelled(Span),
}

/// A guess or a wrong name that keeps targets from being asked until it is fixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// As it is written: `strategy`, `role "wroker"`.
    pub what: String,
    /// Whom it keeps.
    pub whom: Blocked,
}

/// Which targets are not asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blocked {
    /// All.
    All,
    /// One, by its name: the fault is in its own block, or in an `allow` for it.
    One(String),
    /// One, by its name: a block of a target that there is not is meant for it.
    Meant(String),
    /// Those without a block in the job: a block of an unknown target may be meant for them.
    Unconfigured,
}

/// What a finding is concluded from, beside the words at its own place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Premise {
    /// The value of these words is what was written.
    Value(Span),
    /// No error of an earlier stage is about these words.
    Correct(Span),
    /// Nothing stands at this path of the tree, nor was anything lost that may stand there.
    Absent(Vec<String>),
    /// Nothing of the node at this path was lost.
    Whole(Vec<String>),
    /// The role of this name is one of its own, and no other one misspelled.
    Role(Span),
    /// The job has no error of the language.
    Accepted,
    /// Tasks run on several machines.
    SeveralMachines,
}

impl Premise {
    /// Nothing stands at this path.
    #[must_use]
    pub fn absent(path: &[&str]) -> Self {
        Self::Absent(path.iter().map(|key| (*key).to_owned()).collect())
    }

    /// The node at this path has all that was written.
    #[must_use]
    pub fn whole(path: &[&str]) -> Self {
        Self::Whole(path.iter().map(|key| (*key).to_owned()).collect())
    }
}

impl Diagnostic {
    /// With something that it is concluded from.
    #[must_use]
    pub fn given(mut self, premise: Premise) -> Self {
        self.premises.push(premise);
        self
    }

    /// Concluded from the value of these words.
    #[must_use]
    pub fn from_value(self, span: Span) -> Self {
        self.given(Premise::Value(span))
    }

    /// Concluded from there being nothing at this path of the tree.
    #[must_use]
    pub fn from_absent(self, path: &[&str]) -> Self {
        self.given(Premise::absent(path))
    }

    /// Concluded from this role, by its name.
    #[must_use]
    pub fn from_role(self, name: Span) -> Self {
        self.given(Premise::Role(name))
    }

    /// Reports that there is nothing at this path of the tree.
    #[must_use]
    pub fn reports_missing(self, path: &[&str]) -> Self {
        let reported = path.iter().map(|key| (*key).to_owned()).collect();
        Self { reports: Some(Report::Missing(reported)), ..self }.from_absent(path)
    }

    /// Reports that the role of this name is another one of the job, misspelled.
    #[must_use]
    pub fn reports_misspelled(self, name: Span) -> Self {
        Self { reports: Some(Report::Misspelled(name)), ..self }
    }

    /// Concluded from all that the node at this path has.
    #[must_use]
    pub fn from_whole(self, path: &[&str]) -> Self {
        self.given(Premise::whole(path))
    }

    /// A wrong name, such as `role "wroker"`: no target is asked until it is fixed.
    #[must_use]
    pub fn blocks_targets(self, what: impl Into<String>) -> Self {
        self.blocks(what, Blocked::All)
    }

    /// The same for some targets.
    #[must_use]
    pub fn blocks(mut self, what: impl Into<String>, whom: Blocked) -> Self {
        self.blocks = Some(Block { what: bounded(what.into()), whom });
        self
    }
}
