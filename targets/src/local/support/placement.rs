//! Placement on nodes.
use super::Support;
use tfjob_lang::requirement;

/// Answers one requirement: placement on nodes.
pub fn support(requirement: &requirement::Placement) -> Support {
    match requirement {
        requirement::Placement::Node { .. }
        | requirement::Placement::Partition { .. }
        | requirement::Placement::Spread { .. } => {
            Support::Ignored("runs all tasks on one machine".to_owned())
        }
    }
}
