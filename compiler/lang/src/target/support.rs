//! Which requirements a platform supports, area by area.
use super::Answer;
use crate::ask::{self, Ask};

/// The answers of one platform. Each method matches every requirement of its area and writes no `_` arm.
///
/// A platform may leave out an area of which no job asks by default: users and credentials, resources, placement, storage.
/// Then each requirement of the area is refused; none is ignored.
pub trait Support {
    /// How the platform gives what is asked.
    type Means;
    /// What answers look at.
    type Context<'a>;

    /// What the job is.
    fn job(ask: &ask::Job, case: &Self::Context<'_>) -> Answer<Self::Means>;

    /// Programs and their environment.
    fn program(ask: &ask::Program, case: &Self::Context<'_>) -> Answer<Self::Means>;

    /// Users and credentials.
    fn identity(ask: &ask::Identity, _case: &Self::Context<'_>) -> Answer<Self::Means> {
        Answer::unsupported(&Ask::Identity(ask.clone()))
    }

    /// Resources of each task.
    fn resources(ask: &ask::Resources, _case: &Self::Context<'_>) -> Answer<Self::Means> {
        Answer::unsupported(&Ask::Resources(ask.clone()))
    }

    /// Ports and networks.
    fn network(ask: &ask::Network, case: &Self::Context<'_>) -> Answer<Self::Means>;

    /// Start order, restarts and the completion of the job.
    fn lifecycle(ask: &ask::Lifecycle, case: &Self::Context<'_>) -> Answer<Self::Means>;

    /// Placement on nodes.
    fn placement(ask: &ask::Placement, _case: &Self::Context<'_>) -> Answer<Self::Means> {
        Answer::unsupported(&Ask::Placement(ask.clone()))
    }

    /// Code, data and checkpoints.
    fn storage(ask: &ask::Storage, _case: &Self::Context<'_>) -> Answer<Self::Means> {
        Answer::unsupported(&Ask::Storage(ask.clone()))
    }

    /// The answer to one requirement, by its area.
    fn answer(ask: &Ask, case: &Self::Context<'_>) -> Answer<Self::Means> {
        match ask {
            Ask::Job(ask) => Self::job(ask, case),
            Ask::Program(ask) => Self::program(ask, case),
            Ask::Identity(ask) => Self::identity(ask, case),
            Ask::Resources(ask) => Self::resources(ask, case),
            Ask::Network(ask) => Self::network(ask, case),
            Ask::Lifecycle(ask) => Self::lifecycle(ask, case),
            Ask::Placement(ask) => Self::placement(ask, case),
            Ask::Storage(ask) => Self::storage(ask, case),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Support;
    use crate::ask::{self, Ask, Identity, Placement, Resources, Storage};
    use crate::spec::Spread;
    use crate::target::{Answer, Refusal};

    /// A platform that runs programs and nothing else.
    struct Small;

    impl Support for Small {
        type Means = ();
        type Context<'a> = ();

        fn job(_: &ask::Job, (): &()) -> Answer<()> {
            Answer::Native(())
        }

        fn program(_: &ask::Program, (): &()) -> Answer<()> {
            Answer::Native(())
        }

        fn network(_: &ask::Network, (): &()) -> Answer<()> {
            Answer::Native(())
        }

        fn lifecycle(_: &ask::Lifecycle, (): &()) -> Answer<()> {
            Answer::Native(())
        }
    }

    #[test]
    fn an_area_that_is_left_out_is_refused() {
        let asks = [
            (Ask::Storage(Storage::Scratch { role: 0 }), "scratch"),
            (Ask::Placement(Placement::Spread { role: 0, spread: Spread::Host }), "place-spread"),
            (Ask::Resources(Resources::Gpus { role: 0, count: 1 }), "gpus"),
            (Ask::Identity(Identity::PullSecret { role: 0, name: "registry".to_owned() }), "pull-secret"),
        ];
        for (ask, name) in asks {
            let Answer::Refused(Refusal { why, bearable, .. }) = Small::answer(&ask, &()) else {
                unreachable!("{name} is not refused");
            };
            assert_eq!((why, bearable), (format!("does not support `{name}`"), false));
        }
    }
}
