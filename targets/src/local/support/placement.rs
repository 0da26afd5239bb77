//! Placement on nodes.
use super::Support;
use tfjob_lang::requirement;

/// Returns the support of one requirement about placement.
pub fn support(requirement: &requirement::Placement) -> Support {
    match requirement {
        requirement::Placement::Node { .. }
        | requirement::Placement::Partition { .. }
        | requirement::Placement::Spread { .. } => {
            Support::Ignored("`placement` is ignored, because all tasks run on this machine".to_owned())
        }
    }
}
