//! Support of each requirement, by area.
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
use super::mechanism::Mechanism;
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement;
use tfjob_lang::target::SupportTable;

/// Support of one requirement.
pub type Support = tfjob_lang::target::Support<Mechanism>;

impl SupportTable for Local {
    type Mechanism = Mechanism;
    type Context<'a> = &'a Plan;

    fn job(requirement: &requirement::Job, context: &Self::Context<'_>) -> Support {
        job::support(requirement, context)
    }

    fn program(requirement: &requirement::Program, _: &Self::Context<'_>) -> Support {
        program::support(requirement)
    }

    fn identity(requirement: &requirement::Identity, context: &Self::Context<'_>) -> Support {
        identity::support(requirement, context)
    }

    fn resources(requirement: &requirement::Resources, _: &Self::Context<'_>) -> Support {
        resources::support(requirement)
    }

    fn network(requirement: &requirement::Network, context: &Self::Context<'_>) -> Support {
        network::support(requirement, context)
    }

    fn lifecycle(requirement: &requirement::Lifecycle, context: &Self::Context<'_>) -> Support {
        lifecycle::support(requirement, context)
    }

    fn placement(requirement: &requirement::Placement, _: &Self::Context<'_>) -> Support {
        placement::support(requirement)
    }

    fn storage(requirement: &requirement::Storage, context: &Self::Context<'_>) -> Support {
        storage::support(requirement, context)
    }
}
