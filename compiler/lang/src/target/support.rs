//! Support of a target for one requirement.
use crate::diagnostic::Remedy;
use crate::requirement::{Feature, Requirement};
use std::borrow::Cow;

/// Support of a target for one requirement. `M` is the mechanism, with all data that lowering needs.
#[derive(Debug)]
pub enum Support<M> {
    /// A native feature of the platform.
    Native(M),
    /// Emulated, with a clause that says how, such as "the shim waits for the port".
    Emulated(M, String),
    /// The platform already behaves as required, so no artifact contains the requirement.
    Inherent {
        /// Why the platform already behaves as required. [`Lowered::inherent`](crate::lowered::Lowered) keeps the reason,
        /// so that the effect of each line of a spec can be shown.
        why: Cow<'static, str>,
        /// How the behavior differs from the requirement, as in [`Support::Emulated`]. `None`: no difference; the support
        /// is native.
        how: Option<String>,
    },
    /// Ignored, with the reason. Only for requirements that do not change what runs, where it runs, or how long it runs.
    Ignored(String),
    /// Not supported.
    Unsupported(Refusal),
}

/// Why a requirement is not supported, and how to change the spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// A sentence without a final period, printed after the name of the target and a colon. It says which mechanism the
    /// requirement triggers, and then the consequence. Its subject is not the target: "a readiness probe hides the DNS name
    /// of the Pod …".
    pub why: String,
    /// The edit that removes the problem.
    pub help: String,
    /// Evidence: a section of `docs/evidence` as `PAGE#anchor`, or the name of a public source.
    pub evidence: &'static str,
    /// Whether the job still runs without the requirement, so that an `allow` can accept the refusal.
    pub allowable: bool,
    /// Whether the target cannot run this job in any form. Then no other finding of the target is reported.
    pub decisive: bool,
    /// Whether the refusal also depends on the value in [`Dependency::IfMarked`](crate::requirement::Dependency::IfMarked). If
    /// that value has an error, the refusal is not reported.
    pub depends_on_value: bool,
    /// The role into which a fix moves the refused default of the job. `None`: no such fix.
    pub move_into: Option<String>,
    /// Edits that the help names. See [`Diagnostic::remedies`](crate::diagnostic::Diagnostic::remedies).
    pub remedies: Vec<Remedy>,
    /// The part of the feature that is not supported. See [`Diagnostic::part`](crate::diagnostic::Diagnostic::part).
    pub part: Option<&'static str>,
    /// The option of the target without which the target does not support the requirement. If the job has a block for the target, the
    /// finding marks this block.
    pub option: Option<&'static str>,
}

impl<M> Support<M> {
    /// Returns native support for a requirement that needs no artifact.
    pub fn inherent(why: impl Into<Cow<'static, str>>) -> Self {
        Self::Inherent { why: why.into(), how: None }
    }

    /// Returns emulated support for a requirement that needs no artifact. `how` is shown to the user; `why` is as in
    /// [`Support::inherent`].
    pub fn inherent_but(why: impl Into<Cow<'static, str>>, how: impl Into<String>) -> Self {
        Self::Inherent { why: why.into(), how: Some(how.into()) }
    }

    /// Returns a refusal that `allow` can accept, because the job runs without the requirement.
    pub fn unsupported(why: impl Into<String>, help: impl Into<String>, evidence: &'static str) -> Self {
        Self::refusal(why.into(), help.into(), evidence, true)
    }

    /// Returns a refusal that `allow` cannot accept, because the job does not run without the requirement.
    pub fn impossible(why: impl Into<String>, help: impl Into<String>, evidence: &'static str) -> Self {
        Self::refusal(why.into(), help.into(), evidence, false)
    }

    /// Returns the refusal of a target that supports no requirement in the area of `requirement`, such as resources or storage.
    pub fn unsupported_area(requirement: &Requirement) -> Self {
        let feature = Feature::from(requirement).name();
        let help = "remove it, or compile for a target that supports it";
        Self::impossible(format!("`{feature}` is not supported"), help, "docs/targets.md")
    }

    /// Returns the refusal of a target that cannot run this job in any form. No other finding of the target is reported.
    pub fn decisive(why: impl Into<String>, help: impl Into<String>, evidence: &'static str) -> Self {
        match Self::impossible(why, help, evidence) {
            Self::Unsupported(refusal) => Self::Unsupported(Refusal { decisive: true, ..refusal }),
            other => other,
        }
    }

    /// Converts the mechanism, if there is one.
    pub fn map<N>(self, convert: impl FnOnce(M) -> N) -> Support<N> {
        match self {
            Self::Native(mechanism) => Support::Native(convert(mechanism)),
            Self::Emulated(mechanism, how) => Support::Emulated(convert(mechanism), how),
            Self::Inherent { why, how } => Support::Inherent { why, how },
            Self::Ignored(why) => Support::Ignored(why),
            Self::Unsupported(refusal) => Support::Unsupported(refusal),
        }
    }

    /// Changes native support to emulated, and appends `how` to the clause that describes an emulation. Refused and ignored
    /// requirements are returned unchanged.
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

    /// Marks a refusal that also depends on another value of the spec: see [`Refusal::depends_on_value`].
    #[must_use]
    pub fn depends_on_value(self) -> Self {
        match self {
            Self::Unsupported(refusal) => Self::Unsupported(Refusal { depends_on_value: true, ..refusal }),
            other => other,
        }
    }

    /// Marks a refusal of a default of the job that the target supports for `role`. A fix then moves the default into this
    /// role.
    #[must_use]
    pub fn move_into(self, role: Option<&str>) -> Self {
        match self {
            Self::Unsupported(refusal) => {
                Self::Unsupported(Refusal { move_into: role.map(str::to_owned), ..refusal })
            }
            other => other,
        }
    }

    /// Adds an edit to a refusal: see [`Refusal::remedies`].
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<Remedy>) -> Self {
        if let Self::Unsupported(refusal) = &mut self {
            refusal.remedies.push(remedy.into());
        }
        self
    }

    /// Names the part of the feature that a refusal is about: see [`Refusal::part`].
    #[must_use]
    pub fn of_part(mut self, part: Option<&'static str>) -> Self {
        if let Self::Unsupported(refusal) = &mut self {
            refusal.part = part;
        }
        self
    }

    /// Names the option of the target whose absence is the reason of a refusal: see [`Refusal::option`].
    #[must_use]
    pub fn without_option(mut self, option: &'static str) -> Self {
        if let Self::Unsupported(refusal) = &mut self {
            refusal.option = Some(option);
        }
        self
    }

    const fn refusal(why: String, help: String, evidence: &'static str, allowable: bool) -> Self {
        Self::Unsupported(Refusal {
            why,
            help,
            evidence,
            allowable,
            decisive: false,
            depends_on_value: false,
            move_into: None,
            remedies: Vec::new(),
            part: None,
            option: None,
        })
    }
}
