//! The answers of YARN, by area.
mod identity;
pub(super) mod job;
mod lifecycle;
pub(super) mod network;
pub(super) mod placement;
mod program;
pub(super) mod resources;
pub(super) mod storage;

use super::Yarn;
use super::context::Context;
use super::mechanism::Mechanism;
use tfjob_lang::requirement;
use tfjob_lang::target::SupportTable;

/// The answer of this target to one requirement.
pub type Support = tfjob_lang::target::Support<Mechanism>;

impl SupportTable for Yarn {
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

/// What settles that tasks can find each other.
pub(super) const SAY_DOMAIN: &str = "say the registry's domain, as `hadoop.registry.dns.domain-name` has it: `target \"yarn\" { dns-domain \"…\" }`";
