//! What Marathon does with each requirement, by area.
pub mod constraint;
mod identity;
pub mod job;
mod lifecycle;
pub mod mounts;
mod network;
mod placement;
mod program;
mod resources;
pub mod storage;
pub mod variables;

use super::Marathon;
use super::means::Means;
use crate::dcos::context::Context;
use tfjob_lang::ask;
use tfjob_lang::target::Support;

/// The answer of this form to one requirement.
pub type Answer = tfjob_lang::target::Answer<Means>;

impl Support for Marathon {
    type Means = Means;
    type Context<'a> = Context<'a>;

    fn job(ask: &ask::Job, case: &Self::Context<'_>) -> Answer {
        job::answer(ask, case)
    }

    fn program(ask: &ask::Program, case: &Self::Context<'_>) -> Answer {
        program::answer(ask, case)
    }

    fn identity(ask: &ask::Identity, case: &Self::Context<'_>) -> Answer {
        identity::answer(ask, case)
    }

    fn resources(ask: &ask::Resources, case: &Self::Context<'_>) -> Answer {
        resources::answer(ask, case)
    }

    fn network(ask: &ask::Network, case: &Self::Context<'_>) -> Answer {
        network::answer(ask, case)
    }

    fn lifecycle(ask: &ask::Lifecycle, case: &Self::Context<'_>) -> Answer {
        lifecycle::answer(ask, case)
    }

    fn placement(ask: &ask::Placement, case: &Self::Context<'_>) -> Answer {
        placement::answer(ask, case)
    }

    fn storage(ask: &ask::Storage, case: &Self::Context<'_>) -> Answer {
        storage::answer(ask, case)
    }
}
