//! Placement on nodes.
use super::Answer;
use super::place;
use crate::yarn::context::Context;
use tfjob_lang::ask;

/// What YARN does with one requirement: placement on nodes.
pub fn answer(ask: &ask::Placement, case: &Context<'_>) -> Answer {
    match ask {
        ask::Placement::Node { role, key, value } => place::attribute(case, *role, key, value),
        ask::Placement::Partition { role: _, name } => place::partition(name),
        ask::Placement::Spread { role, spread } => place::spread(case, *role, *spread),
    }
}
