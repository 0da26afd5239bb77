//! Which requirements a platform supports, area by area.
use super::Support;
use crate::requirement::{self, Requirement};

/// The answers of one platform. Each method matches every requirement of its area and writes no `_` arm.
///
/// A platform may leave out an area of which no job asks by default: users and credentials, resources, placement, storage.
/// Then each requirement of the area is refused; none is ignored.
pub trait SupportTable {
    /// How the platform gives what is asked.
    type Mechanism;
    /// What answers look at.
    type Context<'a>;

    /// What the job is.
    fn job(requirement: &requirement::Job, context: &Self::Context<'_>) -> Support<Self::Mechanism>;

    /// Programs and their environment.
    fn program(requirement: &requirement::Program, context: &Self::Context<'_>) -> Support<Self::Mechanism>;

    /// Users and credentials.
    fn identity(requirement: &requirement::Identity, _case: &Self::Context<'_>) -> Support<Self::Mechanism> {
        Support::unsupported_area(&Requirement::Identity(requirement.clone()))
    }

    /// Resources of each task.
    fn resources(
        requirement: &requirement::Resources,
        _case: &Self::Context<'_>,
    ) -> Support<Self::Mechanism> {
        Support::unsupported_area(&Requirement::Resources(requirement.clone()))
    }

    /// Ports and networks.
    fn network(requirement: &requirement::Network, context: &Self::Context<'_>) -> Support<Self::Mechanism>;

    /// Start order, restarts and the completion of the job.
    fn lifecycle(
        requirement: &requirement::Lifecycle,
        context: &Self::Context<'_>,
    ) -> Support<Self::Mechanism>;

    /// Placement on nodes.
    fn placement(
        requirement: &requirement::Placement,
        _case: &Self::Context<'_>,
    ) -> Support<Self::Mechanism> {
        Support::unsupported_area(&Requirement::Placement(requirement.clone()))
    }

    /// Code, data and checkpoints.
    fn storage(requirement: &requirement::Storage, _case: &Self::Context<'_>) -> Support<Self::Mechanism> {
        Support::unsupported_area(&Requirement::Storage(requirement.clone()))
    }

    /// The answer to one requirement, by its area.
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

    /// A platform that runs programs and nothing else.
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
    fn an_area_that_is_left_out_is_refused() {
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
            assert_eq!((why, allowable), (format!("does not support `{name}`"), false));
        }
    }
}
