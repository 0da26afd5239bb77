//! What a platform says to one ask.
use crate::requirement::{Feature, Requirement};
use std::borrow::Cow;

/// A platform's word on one ask. `M` is what lowering will do: an ask that is not lost cannot come without it.
#[derive(Debug)]
pub enum Support<M> {
    /// The platform's own means.
    Native(M),
    /// Other means, named here in words: "the shim waits for the port".
    Emulated(M, String),
    /// The platform does it on its own: nothing is written for it.
    Inherent {
        /// Why nothing is written: kept in [`Lowered::inherent`](crate::lowered::Lowered), so that each line of a spec has a trace.
        why: Cow<'static, str>,
        /// What differs from what is asked, as in [`Support::Emulated`]. `None`: native.
        how: Option<String>,
    },
    /// Not done. Only for words that cannot change what runs, where, or how long.
    Ignored(String),
    /// Cannot be done.
    Unsupported(Refusal),
}

/// Why a platform cannot, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// A sentence without a final period, printed after the name of the target and a colon: the mechanism that the request
    /// triggers, then the consequence. The target is not its subject: "a readiness probe hides the DNS name of the Pod …".
    pub why: String,
    /// What would be accepted.
    pub help: String,
    /// What shows it: a section of `docs/evidence` as `PAGE#anchor`, or a public source by its name.
    pub evidence: &'static str,
    /// Whether the artifact still runs without it, so that `allow` may accept the loss.
    pub allowable: bool,
    /// Whether nothing else matters: the target cannot run this job in any form. Reported alone.
    pub decisive: bool,
    /// Whether it depends on the further words of the requirement ([`Further::Some`](crate::requirement::Further::Some)).
    pub of_further: bool,
    /// The role that the words should be moved into, where that is a part of what would be accepted.
    pub move_into: Option<String>,
}

impl<M> Support<M> {
    /// Native, with nothing to write.
    pub fn inherent(why: impl Into<Cow<'static, str>>) -> Self {
        Self::Inherent { why: why.into(), how: None }
    }

    /// Emulated, with nothing to write. `how` is for the user; `why` is what [`Support::inherent`] takes.
    pub fn inherent_but(why: impl Into<Cow<'static, str>>, how: impl Into<String>) -> Self {
        Self::Inherent { why: why.into(), how: Some(how.into()) }
    }

    /// Cannot be done, and leaving it out would still run: `allow` may accept it.
    pub fn unsupported(why: impl Into<String>, help: impl Into<String>, evidence: &'static str) -> Self {
        Self::refusal(why.into(), help.into(), evidence, true)
    }

    /// Cannot be done, and nothing that runs would be left without it.
    pub fn impossible(why: impl Into<String>, help: impl Into<String>, evidence: &'static str) -> Self {
        Self::refusal(why.into(), help.into(), evidence, false)
    }

    /// The target supports nothing of the requirement's area.
    pub fn unsupported_area(requirement: &Requirement) -> Self {
        let feature = Feature::from(requirement).name();
        let help = "remove it, or compile for a target that supports it";
        Self::impossible(format!("does not support `{feature}`"), help, "docs/targets.md")
    }

    /// The target cannot run such a job in any form: reported alone.
    pub fn decisive(why: impl Into<String>, help: impl Into<String>, evidence: &'static str) -> Self {
        match Self::impossible(why, help, evidence) {
            Self::Unsupported(refusal) => Self::Unsupported(Refusal { decisive: true, ..refusal }),
            other => other,
        }
    }

    /// The same answer with other means.
    pub fn map<N>(self, other: impl FnOnce(M) -> N) -> Support<N> {
        match self {
            Self::Native(mechanism) => Support::Native(other(mechanism)),
            Self::Emulated(mechanism, how) => Support::Emulated(other(mechanism), how),
            Self::Inherent { why, how } => Support::Inherent { why, how },
            Self::Ignored(why) => Support::Ignored(why),
            Self::Unsupported(refusal) => Support::Unsupported(refusal),
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
            Self::Native(mechanism) => Self::Emulated(mechanism, after(None)),
            Self::Emulated(mechanism, first) => Self::Emulated(mechanism, after(Some(first))),
            Self::Inherent { why, how } => Self::Inherent { why, how: Some(after(how)) },
            other @ (Self::Ignored(_) | Self::Unsupported(_)) => other,
        }
    }

    /// A refusal that depends on the further words of the requirement.
    #[must_use]
    pub fn of_further(self) -> Self {
        match self {
            Self::Unsupported(refusal) => Self::Unsupported(Refusal { of_further: true, ..refusal }),
            other => other,
        }
    }

    /// A refusal that holds for some roles of those that share the words: they should be moved into `role`.
    #[must_use]
    pub fn move_into(self, role: Option<&str>) -> Self {
        match self {
            Self::Unsupported(refusal) => {
                Self::Unsupported(Refusal { move_into: role.map(str::to_owned), ..refusal })
            }
            other => other,
        }
    }

    const fn refusal(why: String, help: String, evidence: &'static str, allowable: bool) -> Self {
        Self::Unsupported(Refusal {
            why,
            help,
            evidence,
            allowable,
            decisive: false,
            of_further: false,
            move_into: None,
        })
    }
}
