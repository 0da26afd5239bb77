//! Placement on nodes.
use super::Context;
use super::resources;
use crate::spark::means::Means;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// What Spark does with one requirement: placement on nodes.
pub fn answer(ask: &ask::Placement, case: &Context<'_>) -> Answer<Means> {
    let ground = &case.ground;
    match ask {
        ask::Placement::Node { role, key, value } => resources::node(ground, *role, key, value),
        ask::Placement::Partition { role, name } => resources::partition(ground, *role, name),
        ask::Placement::Spread { .. } => resources::spread(ground),
    }
}
