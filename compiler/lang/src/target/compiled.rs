//! Result of compiling a plan for one target.
use super::{Refusal, Support};
use crate::diagnostic::Diagnostic;
use crate::lowered::Lowered;
use crate::requirement::Feature;
use crate::sources::Span;

/// Support for one requirement, without its mechanism. Used for the capability table and for `explain`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Native support, or inherent behavior of the platform.
    Native,
    /// Emulated, with a clause that says how.
    Emulated(String),
    /// Ignored, with the reason.
    Ignored(String),
    /// Not supported.
    Unsupported(Refusal),
}

impl Verdict {
    /// Returns the rank of the kind of support, from native (0) to unsupported (3).
    #[must_use]
    pub const fn rank(&self) -> u8 {
        match self {
            Self::Native => 0,
            Self::Emulated(_) => 1,
            Self::Ignored(_) => 2,
            Self::Unsupported(_) => 3,
        }
    }
}

/// Result of compiling a plan for a target.
#[derive(Debug, Default)]
pub struct Compiled {
    /// The artifacts. `None` if there are errors.
    pub lowered: Option<Lowered>,
    /// All diagnostics.
    pub diagnostics: Vec<Diagnostic>,
    /// Verdict on each requirement, in plan order.
    pub verdicts: Vec<(Feature, Span, Verdict)>,
    /// Whether the target cannot run this job in any form. The refusal is then the only diagnostic of the target.
    pub decisive: bool,
    /// The errors to fix first, if the target was not fully checked.
    pub unchecked: Option<Until>,
}

/// The errors that must be fixed before a target is fully checked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Until {
    /// Errors in these fields and names of the job, such as `strategy`. Until they are fixed, the target reports nothing.
    Fixed(Vec<String>),
    /// All errors. Until they are fixed, findings of the target that may follow from them are not reported.
    NoErrors,
}

/// Returns whether one of the verdicts is a decisive refusal.
pub(super) fn is_decisive(verdicts: &[(Feature, Span, Verdict)]) -> bool {
    verdicts.iter().any(|(.., verdict)| matches!(verdict, Verdict::Unsupported(refusal) if refusal.decisive))
}

/// Returns the verdict of a target on a requirement.
pub(super) fn verdict<M>(support: &Support<M>) -> Verdict {
    match support {
        Support::Native(_) | Support::Inherent { how: None, .. } => Verdict::Native,
        Support::Emulated(_, how) | Support::Inherent { how: Some(how), .. } => {
            Verdict::Emulated(how.clone())
        }
        Support::Ignored(why) => Verdict::Ignored(why.clone()),
        Support::Unsupported(refusal) => Verdict::Unsupported(refusal.clone()),
    }
}
