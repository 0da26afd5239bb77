//! Placement on nodes.
use crate::local::means::Means;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// Answers one requirement: placement on nodes.
pub fn answer(ask: &ask::Placement) -> Answer<Means> {
    match ask {
        ask::Placement::Node { .. } | ask::Placement::Partition { .. } | ask::Placement::Spread { .. } => {
            Answer::Ignored("runs all tasks on one machine".to_owned())
        }
    }
}
