//! What the package does with each requirement, by area.
mod identity;
mod job;
mod lifecycle;
mod network;
mod placement;
mod program;
mod resources;
mod storage;

use super::Package;
use super::means::Means;
use crate::dcos::context::Context;
use tfjob_lang::ask;
use tfjob_lang::target::Support;

/// The answer of this form to one requirement.
pub type Answer = tfjob_lang::target::Answer<Means>;

impl Support for Package {
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

/// What the package lacks, with the cure that always is one: the other form.
fn lacks(why: impl Into<String>, proof: &'static str) -> Answer {
    Answer::impossible(why, AS_MARATHON, proof)
}

const AS_MARATHON: &str = "write `as \"marathon\"` in `target \"dcos\"`: then each task is a Marathon app";
