//! Placement on nodes.
use crate::dcos::context::Context;
use crate::dcos::marathon::Given;
use crate::dcos::marathon::network;
use crate::dcos::marathon::task;
use tfjob_lang::ask;

/// What Marathon does with one requirement: placement on nodes.
pub fn answer(ask: &ask::Placement, Context { plan, site }: &Context<'_>) -> Given {
    match ask {
        ask::Placement::Node { role, key, value } => task::node(*role, (key, value), plan, site),
        ask::Placement::Partition { .. } => task::partition(),
        ask::Placement::Spread { role, spread } => network::spread(*role, *spread, plan),
    }
}
