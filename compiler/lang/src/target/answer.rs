//! What a platform says to one ask.
use crate::ask::{Ask, Feature};
use std::borrow::Cow;

/// A platform's word on one ask. `M` is what lowering will do: an ask that is not lost cannot come without it.
#[derive(Debug)]
pub enum Answer<M> {
    /// The platform's own means.
    Native(M),
    /// Other means, named here in words: "the shim waits for the port".
    Emulated(M, String),
    /// The platform does it on its own: nothing is written for it.
    Inherent {
        /// Why nothing is written: kept in [`Lowered::inherent`](crate::lowered::Lowered), so that each line of a spec has a trace.
        why: Cow<'static, str>,
        /// What differs from what is asked, as in [`Answer::Emulated`]. `None`: native.
        how: Option<String>,
    },
    /// Not done. Only for words that cannot change what runs, where, or how long.
    Ignored(String),
    /// Cannot be done.
    Refused(Refusal),
}

/// Why a platform cannot, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What the platform does instead, after its name: "cannot choose a GPU model without node attributes".
    pub why: String,
    /// What would be accepted.
    pub help: String,
    /// What shows it: a fact's section or a referee's case.
    pub proof: &'static str,
    /// Whether the artefact still runs without it, so that `allow` may accept the loss.
    pub bearable: bool,
    /// Whether nothing else matters: the target cannot run this job in any form. Reported alone.
    pub decisive: bool,
    /// Whether it depends on the further words of the requirement ([`Further::Some`](crate::ask::Further::Some)).
    pub of_further: bool,
    /// The role that the words should be moved into, where that is a part of what would be accepted.
    pub move_into: Option<String>,
}

impl<M> Answer<M> {
    /// Native, with nothing to write.
    pub fn inherent(why: impl Into<Cow<'static, str>>) -> Self {
        Self::Inherent { why: why.into(), how: None }
    }

    /// Emulated, with nothing to write. `how` is for the user; `why` is what [`Answer::inherent`] takes.
    pub fn inherent_but(why: impl Into<Cow<'static, str>>, how: impl Into<String>) -> Self {
        Self::Inherent { why: why.into(), how: Some(how.into()) }
    }

    /// Cannot be done, and leaving it out would still run: `allow` may accept it.
    pub fn refused(why: impl Into<String>, help: impl Into<String>, proof: &'static str) -> Self {
        Self::refusal(why.into(), help.into(), proof, true)
    }

    /// Cannot be done, and nothing that runs would be left without it.
    pub fn impossible(why: impl Into<String>, help: impl Into<String>, proof: &'static str) -> Self {
        Self::refusal(why.into(), help.into(), proof, false)
    }

    /// The target supports nothing of the requirement's area.
    pub fn unsupported(ask: &Ask) -> Self {
        let feature = Feature::from(ask).name();
        let help = "remove it, or compile for a target that supports it";
        Self::impossible(format!("does not support `{feature}`"), help, "docs/targets.md")
    }

    /// The target cannot run such a job in any form: reported alone.
    pub fn decisive(why: impl Into<String>, help: impl Into<String>, proof: &'static str) -> Self {
        match Self::impossible(why, help, proof) {
            Self::Refused(refusal) => Self::Refused(Refusal { decisive: true, ..refusal }),
            other => other,
        }
    }

    /// The same answer with other means.
    pub fn map<N>(self, other: impl FnOnce(M) -> N) -> Answer<N> {
        match self {
            Self::Native(means) => Answer::Native(other(means)),
            Self::Emulated(means, how) => Answer::Emulated(other(means), how),
            Self::Inherent { why, how } => Answer::Inherent { why, how },
            Self::Ignored(why) => Answer::Ignored(why),
            Self::Refused(refusal) => Answer::Refused(refusal),
        }
    }

    /// The same, emulated: `how` follows what it says already. A refusal, and what is ignored, stay.
    #[must_use]
    pub fn emulated(self, how: impl Into<String>) -> Self {
        let after = |first: Option<String>| match first {
            Some(first) => format!("{first}; {}", how.into()),
            None => how.into(),
        };
        match self {
            Self::Native(means) => Self::Emulated(means, after(None)),
            Self::Emulated(means, first) => Self::Emulated(means, after(Some(first))),
            Self::Inherent { why, how } => Self::Inherent { why, how: Some(after(how)) },
            other @ (Self::Ignored(_) | Self::Refused(_)) => other,
        }
    }

    /// A refusal that depends on the further words of the requirement.
    #[must_use]
    pub fn of_further(self) -> Self {
        match self {
            Self::Refused(refusal) => Self::Refused(Refusal { of_further: true, ..refusal }),
            other => other,
        }
    }

    /// A refusal that holds for some roles of those that share the words: they should be moved into `role`.
    #[must_use]
    pub fn move_into(self, role: Option<&str>) -> Self {
        match self {
            Self::Refused(refusal) => {
                Self::Refused(Refusal { move_into: role.map(str::to_owned), ..refusal })
            }
            other => other,
        }
    }

    const fn refusal(why: String, help: String, proof: &'static str, bearable: bool) -> Self {
        Self::Refused(Refusal {
            why,
            help,
            proof,
            bearable,
            decisive: false,
            of_further: false,
            move_into: None,
        })
    }
}
