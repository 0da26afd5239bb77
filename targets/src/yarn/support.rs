//! Support of each requirement on YARN, one module per area.
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
use tfjob_lang::diagnostic::Step;
use tfjob_lang::requirement;
use tfjob_lang::target::SupportTable;

/// Support of one requirement on YARN.
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

/// Refuses a requirement because the domain of the registry DNS is not set: the finding marks the block of the target.
pub(super) fn without_domain(refused: Support) -> Support {
    refused.without_option("dns-domain").remedy(Step::add("dns-domain \"example.com\""))
}

/// Help of refusals for which the user must set the domain of the registry DNS.
pub(super) const SET_DOMAIN: &str = "set `dns-domain` to the cluster's value of `hadoop.registry.dns.domain-name`: `target \"yarn\" { dns-domain \"example.com\" }`";
