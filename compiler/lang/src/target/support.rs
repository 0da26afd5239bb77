//! Which requirements a platform supports, area by area.
use super::Answer;
use crate::ask::{self, Ask};

/// The answers of one platform. Each method matches every requirement of its area and writes no `_` arm.
///
/// A platform may leave out an area as a whole, except what a job is and what it runs. Then each requirement of the area
/// is refused; none is ignored.
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
    fn network(ask: &ask::Network, _case: &Self::Context<'_>) -> Answer<Self::Means> {
        Answer::unsupported(&Ask::Network(ask.clone()))
    }

    /// Start order, restarts and the completion of the job.
    fn lifecycle(ask: &ask::Lifecycle, _case: &Self::Context<'_>) -> Answer<Self::Means> {
        Answer::unsupported(&Ask::Lifecycle(ask.clone()))
    }

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
