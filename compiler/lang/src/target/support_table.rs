//! The support of a target, grouped by area of the requirements.
use super::Support;
use crate::requirement::{self, Requirement};

/// Support of one target for all requirements. An implementation of a method matches every requirement of one area, without a `_`
/// arm.
///
/// A target need not implement the areas that no job requires by default: identity, resources, placement, storage. All
/// requirements of an area that is not implemented are unsupported.
pub trait SupportTable {
    /// How the target implements a supported requirement.
    type Mechanism;
    /// Inputs of the decision.
    type Context<'a>;

    /// Returns the support for name, framework, and roles of the job, TensorBoard, and patches.
    fn job(requirement: &requirement::Job, context: &Self::Context<'_>) -> Support<Self::Mechanism>;

    /// Returns the support for programs, images, and environment variables.
    fn program(requirement: &requirement::Program, context: &Self::Context<'_>) -> Support<Self::Mechanism>;

    /// Returns the support for users and credentials.
    fn identity(
        requirement: &requirement::Identity,
        _context: &Self::Context<'_>,
    ) -> Support<Self::Mechanism> {
        Support::unsupported_area(&Requirement::Identity(requirement.clone()))
    }

    /// Returns the support for resources per task.
    fn resources(
        requirement: &requirement::Resources,
        _context: &Self::Context<'_>,
    ) -> Support<Self::Mechanism> {
        Support::unsupported_area(&Requirement::Resources(requirement.clone()))
    }

    /// Returns the support for ports and networks.
    fn network(requirement: &requirement::Network, context: &Self::Context<'_>) -> Support<Self::Mechanism>;

    /// Returns the support for start order, restarts, and job completion.
    fn lifecycle(
        requirement: &requirement::Lifecycle,
        context: &Self::Context<'_>,
    ) -> Support<Self::Mechanism>;

    /// Returns the support for placement on nodes.
    fn placement(
        requirement: &requirement::Placement,
        _context: &Self::Context<'_>,
    ) -> Support<Self::Mechanism> {
        Support::unsupported_area(&Requirement::Placement(requirement.clone()))
    }

    /// Returns the support for code, data, and checkpoints.
    fn storage(requirement: &requirement::Storage, _context: &Self::Context<'_>) -> Support<Self::Mechanism> {
        Support::unsupported_area(&Requirement::Storage(requirement.clone()))
    }

    /// Returns the support for one requirement, by its area.
    fn lookup(requirement: &Requirement, context: &Self::Context<'_>) -> Support<Self::Mechanism> {
        match requirement {
            Requirement::Job(requirement) => Self::job(requirement, context),
            Requirement::Program(requirement) => Self::program(requirement, context),
            Requirement::Identity(requirement) => Self::identity(requirement, context),
            Requirement::Resources(requirement) => Self::resources(requirement, context),
            Requirement::Network(requirement) => Self::network(requirement, context),
            Requirement::Lifecycle(requirement) => Self::lifecycle(requirement, context),
            Requirement::Placement(requirement) => Self::placement(requirement, context),
            Requirement::Storage(requirement) => Self::storage(requirement, context),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SupportTable;
    use crate::requirement::{self, Identity, Placement, Requirement, Resources, Storage};
    use crate::spec::Spread;
    use crate::target::{Refusal, Support};

    /// A test platform that only runs programs.
    struct Small;

    impl SupportTable for Small {
        type Mechanism = ();
        type Context<'a> = ();

        fn job(_: &requirement::Job, (): &()) -> Support<()> {
            Support::Native(())
        }

        fn program(_: &requirement::Program, (): &()) -> Support<()> {
            Support::Native(())
        }

        fn network(_: &requirement::Network, (): &()) -> Support<()> {
            Support::Native(())
        }

        fn lifecycle(_: &requirement::Lifecycle, (): &()) -> Support<()> {
            Support::Native(())
        }
    }

    #[test]
    fn an_omitted_area_is_unsupported() {
        let requirements = [
            (Requirement::Storage(Storage::Scratch { role: 0 }), "scratch"),
            (Requirement::Placement(Placement::Spread { role: 0, spread: Spread::Host }), "placement-spread"),
            (Requirement::Resources(Resources::Gpus { role: 0, count: 1 }), "gpus"),
            (
                Requirement::Identity(Identity::PullSecret { role: 0, name: "registry".to_owned() }),
                "pull-secret",
            ),
        ];
        for (requirement, name) in requirements {
            let Support::Unsupported(Refusal { why, allowable, .. }) = Small::lookup(&requirement, &())
            else {
                unreachable!("{name} is not refused");
            };
            assert_eq!((why, allowable), (format!("`{name}` is not supported"), false));
        }
    }
}
