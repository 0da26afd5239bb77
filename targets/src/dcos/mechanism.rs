//! The mechanisms of both forms, the package and Marathon apps, as one type.
use super::{Dcos, marathon, package};
use tfjob_lang::sources::Span;
use tfjob_lang::target::Accepted;

/// A lowering decision for one requirement, in one of the two forms.
#[derive(Debug)]
pub enum Mechanism {
    /// Options of the package.
    Package(package::mechanism::Mechanism),
    /// Marathon apps.
    Marathon(marathon::mechanism::Mechanism),
}

impl From<package::mechanism::Mechanism> for Mechanism {
    fn from(mechanism: package::mechanism::Mechanism) -> Self {
        Self::Package(mechanism)
    }
}

impl From<marathon::mechanism::Mechanism> for Mechanism {
    fn from(mechanism: marathon::mechanism::Mechanism) -> Self {
        Self::Marathon(mechanism)
    }
}

/// Returns the mechanisms of a job that the package runs, each with the span that requests it.
pub fn of_package<'j>(
    job: &'j Accepted<'_, Dcos>,
) -> impl Iterator<Item = (Span, &'j package::mechanism::Mechanism)> {
    job.mechanisms().filter_map(|(at, mechanism)| match mechanism {
        Mechanism::Package(mechanism) => Some((at, mechanism)),
        Mechanism::Marathon(_) => None,
    })
}

/// Returns the mechanisms of a job that runs as Marathon apps, each with the span that requests it.
pub fn of_marathon<'j>(
    job: &'j Accepted<'_, Dcos>,
) -> impl Iterator<Item = (Span, &'j marathon::mechanism::Mechanism)> {
    job.mechanisms().filter_map(|(at, mechanism)| match mechanism {
        Mechanism::Marathon(mechanism) => Some((at, mechanism)),
        Mechanism::Package(_) => None,
    })
}
