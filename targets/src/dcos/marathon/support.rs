//! Support of each requirement by Marathon apps, one module per area.
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
use super::mechanism::Mechanism;
use crate::dcos::context::Context;
use tfjob_lang::requirement;
use tfjob_lang::target::SupportTable;

/// Support of one requirement by Marathon apps.
pub type Support = tfjob_lang::target::Support<Mechanism>;

impl SupportTable for Marathon {
    type Mechanism = Mechanism;
    type Context<'a> = Context<'a>;

    fn job(requirement: &requirement::Job, context: &Self::Context<'_>) -> Support {
        job::support(requirement, context)
    }

    fn program(requirement: &requirement::Program, context: &Self::Context<'_>) -> Support {
        program::support(requirement, context)
    }

    fn identity(requirement: &requirement::Identity, context: &Self::Context<'_>) -> Support {
        identity::support(requirement, context)
    }

    fn resources(requirement: &requirement::Resources, context: &Self::Context<'_>) -> Support {
        resources::support(requirement, context)
    }

    fn network(requirement: &requirement::Network, context: &Self::Context<'_>) -> Support {
        network::support(requirement, context)
    }

    fn lifecycle(requirement: &requirement::Lifecycle, context: &Self::Context<'_>) -> Support {
        lifecycle::support(requirement, context)
    }

    fn placement(requirement: &requirement::Placement, context: &Self::Context<'_>) -> Support {
        placement::support(requirement, context)
    }

    fn storage(requirement: &requirement::Storage, context: &Self::Context<'_>) -> Support {
        storage::support(requirement, context)
    }
}
