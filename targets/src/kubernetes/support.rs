//! Support of each requirement, area by area.
pub mod identity;
pub mod job;
pub mod lifecycle;
pub mod network;
pub mod placement;
pub mod program;
pub mod resources;
pub mod storage;

use super::Kubernetes;
use super::context::Context;
use super::means::Means;
use tfjob_lang::ask;
use tfjob_lang::target::{Answer, Support};

impl Support for Kubernetes {
    type Means = Means;
    type Context<'a> = Context<'a>;

    fn job(ask: &ask::Job, case: &Self::Context<'_>) -> Answer<Means> {
        job::answer(ask, case)
    }

    fn program(ask: &ask::Program, case: &Self::Context<'_>) -> Answer<Means> {
        program::answer(ask, case)
    }

    fn identity(ask: &ask::Identity, case: &Self::Context<'_>) -> Answer<Means> {
        identity::answer(ask, case)
    }

    fn resources(ask: &ask::Resources, case: &Self::Context<'_>) -> Answer<Means> {
        resources::answer(ask, case)
    }

    fn network(ask: &ask::Network, case: &Self::Context<'_>) -> Answer<Means> {
        network::answer(ask, case)
    }

    fn lifecycle(ask: &ask::Lifecycle, case: &Self::Context<'_>) -> Answer<Means> {
        lifecycle::answer(ask, case)
    }

    fn placement(ask: &ask::Placement, case: &Self::Context<'_>) -> Answer<Means> {
        placement::answer(ask, case)
    }

    fn storage(ask: &ask::Storage, case: &Self::Context<'_>) -> Answer<Means> {
        storage::answer(ask, case)
    }
}

/// An answer of this target.
pub type Answered = Answer<Means>;
