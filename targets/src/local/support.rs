//! The answers of this target, by area.
mod identity;
mod job;
mod lifecycle;
mod network;
mod placement;
mod program;
mod resources;
mod storage;

pub use job::BOARD;
pub use lifecycle::decides;
pub use storage::state;

use super::Local;
use super::means::Means;
use tfjob_lang::ask;
use tfjob_lang::plan::Plan;
use tfjob_lang::target::Support;

/// The answer of this target to one requirement.
pub type Answer = tfjob_lang::target::Answer<Means>;

impl Support for Local {
    type Means = Means;
    type Context<'a> = &'a Plan;

    fn job(ask: &ask::Job, case: &Self::Context<'_>) -> Answer {
        job::answer(ask, case)
    }

    fn program(ask: &ask::Program, _: &Self::Context<'_>) -> Answer {
        program::answer(ask)
    }

    fn identity(ask: &ask::Identity, case: &Self::Context<'_>) -> Answer {
        identity::answer(ask, case)
    }

    fn resources(ask: &ask::Resources, _: &Self::Context<'_>) -> Answer {
        resources::answer(ask)
    }

    fn network(ask: &ask::Network, case: &Self::Context<'_>) -> Answer {
        network::answer(ask, case)
    }

    fn lifecycle(ask: &ask::Lifecycle, case: &Self::Context<'_>) -> Answer {
        lifecycle::answer(ask, case)
    }

    fn placement(ask: &ask::Placement, _: &Self::Context<'_>) -> Answer {
        placement::answer(ask)
    }

    fn storage(ask: &ask::Storage, case: &Self::Context<'_>) -> Answer {
        storage::answer(ask, case)
    }
}
