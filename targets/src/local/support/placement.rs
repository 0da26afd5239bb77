//! Placement on nodes.
use super::Answer;
use tfjob_lang::ask;

/// Answers one requirement: placement on nodes.
pub fn answer(ask: &ask::Placement) -> Answer {
    match ask {
        ask::Placement::Node { .. } | ask::Placement::Partition { .. } | ask::Placement::Spread { .. } => {
            Answer::Ignored("runs all tasks on one machine".to_owned())
        }
    }
}
