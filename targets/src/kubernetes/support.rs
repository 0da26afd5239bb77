//! Support of each requirement, area by area. Areas that only a Pod meets are in [`crate::pod::support`].
pub mod job;
pub mod lifecycle;
pub mod network;
pub mod storage;

use super::Kubernetes;
use super::context::Context;
use super::means::Means;
use crate::pod;
use tfjob_lang::ask;
use tfjob_lang::target::Support;

/// The answer of this target to one requirement.
pub type Answer = tfjob_lang::target::Answer<Means>;

impl Support for Kubernetes {
    type Means = Means;
    type Context<'a> = Context<'a>;

    fn job(ask: &ask::Job, case: &Self::Context<'_>) -> Answer {
        job::answer(ask, case)
    }

    fn program(ask: &ask::Program, case: &Self::Context<'_>) -> Answer {
        pod::support::program::answer(ask, &case.pod).map(Means::Pod)
    }

    fn identity(ask: &ask::Identity, case: &Self::Context<'_>) -> Answer {
        pod::support::identity::answer(ask, &case.pod).map(Means::Pod)
    }

    fn resources(ask: &ask::Resources, case: &Self::Context<'_>) -> Answer {
        pod::support::resources::answer(ask, &case.pod).map(Means::Pod)
    }

    fn network(ask: &ask::Network, case: &Self::Context<'_>) -> Answer {
        network::answer(ask, case)
    }

    fn lifecycle(ask: &ask::Lifecycle, case: &Self::Context<'_>) -> Answer {
        lifecycle::answer(ask, case)
    }

    fn placement(ask: &ask::Placement, case: &Self::Context<'_>) -> Answer {
        pod::support::placement::answer(ask, &case.pod).map(Means::Pod)
    }

    fn storage(ask: &ask::Storage, case: &Self::Context<'_>) -> Answer {
        storage::answer(ask, case)
    }
}
