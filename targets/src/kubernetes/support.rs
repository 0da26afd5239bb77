//! Support of each requirement, one module per area. [`crate::pod::support`] has the areas that concern only Pods.
pub mod job;
pub mod lifecycle;
pub mod network;
pub mod storage;

use super::Kubernetes;
use super::context::Context;
use super::mechanism::Mechanism;
use crate::pod;
use tfjob_lang::requirement;
use tfjob_lang::target::SupportTable;

/// Support of one requirement.
pub type Support = tfjob_lang::target::Support<Mechanism>;

impl SupportTable for Kubernetes {
    type Mechanism = Mechanism;
    type Context<'a> = Context<'a>;

    fn job(requirement: &requirement::Job, context: &Self::Context<'_>) -> Support {
        job::support(requirement, context)
    }

    fn program(requirement: &requirement::Program, context: &Self::Context<'_>) -> Support {
        pod::support::program::support(requirement, &context.pod).map(Mechanism::Pod)
    }

    fn identity(requirement: &requirement::Identity, context: &Self::Context<'_>) -> Support {
        pod::support::identity::support(requirement, &context.pod).map(Mechanism::Pod)
    }

    fn resources(requirement: &requirement::Resources, context: &Self::Context<'_>) -> Support {
        pod::support::resources::support(requirement, &context.pod).map(Mechanism::Pod)
    }

    fn network(requirement: &requirement::Network, context: &Self::Context<'_>) -> Support {
        network::support(requirement, context)
    }

    fn lifecycle(requirement: &requirement::Lifecycle, context: &Self::Context<'_>) -> Support {
        lifecycle::support(requirement, context)
    }

    fn placement(requirement: &requirement::Placement, context: &Self::Context<'_>) -> Support {
        pod::support::placement::support(requirement, &context.pod).map(Mechanism::Pod)
    }

    fn storage(requirement: &requirement::Storage, context: &Self::Context<'_>) -> Support {
        storage::support(requirement, context)
    }
}
