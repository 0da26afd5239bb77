//! Placement on nodes.
use super::Context;
use super::place;
use crate::kubernetes::means::Means;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// What a TFJob does with one requirement: placement on nodes.
pub fn answer(ask: &ask::Placement, case: &Context<'_>) -> Answer<Means> {
    match ask {
        ask::Placement::Node { role, key, value } => place::node(case, *role, key, value),
        ask::Placement::Partition { role: _, name: _ } => place::partition(),
        ask::Placement::Spread { role, spread } => place::spread(case, *role, *spread),
    }
}
