//! Support of each requirement on Spark, one module per area.
mod identity;
mod job;
mod lifecycle;
mod mount_paths;
mod network;
mod placement;
mod program;
mod resources;
pub(super) mod shared;
pub(super) mod storage;

use super::Spark;
use super::context::Context;
use super::mechanism::Mechanism;
use tfjob_lang::requirement;
use tfjob_lang::target::SupportTable;

/// Support of one requirement on Spark.
pub type Support = tfjob_lang::target::Support<Mechanism>;

impl SupportTable for Spark {
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
