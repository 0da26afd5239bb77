//! Support of each requirement by the package, one module per area.
mod identity;
mod job;
mod lifecycle;
mod network;
mod placement;
mod program;
mod resources;
mod storage;

use super::Package;
use super::mechanism::Mechanism;
use crate::dcos::context::Context;
use tfjob_lang::requirement;
use tfjob_lang::target::SupportTable;

/// Support of one requirement by the package.
pub type Support = tfjob_lang::target::Support<Mechanism>;

impl SupportTable for Package {
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

/// Returns the refusal of a requirement that the package does not support. The help suggests `as "marathon"`.
fn lacks(why: impl Into<String>, evidence: &'static str) -> Support {
    Support::impossible(why, AS_MARATHON, evidence)
}

const AS_MARATHON: &str =
    "use `as \"marathon\"` in `target \"dcos\"`, so that each task becomes a Marathon app";
