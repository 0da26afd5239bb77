//! The means of both forms as the one type that a target has: wrapped and unwrapped here alone.
use super::{Dcos, marathon, package};
use tfjob_lang::sources::Span;
use tfjob_lang::target::Accepted;

/// What lowering does for one requirement, in one of the two forms.
#[derive(Debug)]
pub enum Means {
    /// Options of the package.
    Package(package::means::Means),
    /// Marathon apps.
    Marathon(marathon::means::Means),
}

impl From<package::means::Means> for Means {
    fn from(means: package::means::Means) -> Self {
        Self::Package(means)
    }
}

impl From<marathon::means::Means> for Means {
    fn from(means: marathon::means::Means) -> Self {
        Self::Marathon(means)
    }
}

/// The package's means of a job, with the lines that request them.
pub fn of_package<'j>(
    job: &'j Accepted<'_, Dcos>,
) -> impl Iterator<Item = (Span, &'j package::means::Means)> {
    job.means().filter_map(|(at, means)| match means {
        Means::Package(means) => Some((at, means)),
        Means::Marathon(_) => None,
    })
}

/// Marathon's means of a job, with the lines that request them.
pub fn of_marathon<'j>(
    job: &'j Accepted<'_, Dcos>,
) -> impl Iterator<Item = (Span, &'j marathon::means::Means)> {
    job.means().filter_map(|(at, means)| match means {
        Means::Marathon(means) => Some((at, means)),
        Means::Package(_) => None,
    })
}
