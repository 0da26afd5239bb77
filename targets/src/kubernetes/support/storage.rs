//! Code, data, and checkpoints.
use super::Context;
use super::Support;
use crate::kubernetes::mechanism::Mechanism;
use crate::kubernetes::operator;
use crate::kubernetes::queues::kueue;
use crate::pod;
use tfjob_lang::requirement;

/// Returns the support of one requirement about code, data, and checkpoints.
pub fn support(requirement: &requirement::Storage, context: &Context<'_>) -> Support {
    let support = pod::support::storage::support(requirement, &context.pod).map(Mechanism::Pod);
    match requirement {
        requirement::Storage::CheckpointsFresh { .. } => fresh(context, support),
        requirement::Storage::Code { .. }
        | requirement::Storage::Stage { .. }
        | requirement::Storage::DataUri { .. }
        | requirement::Storage::DataMount { .. }
        | requirement::Storage::CheckpointsUri { .. }
        | requirement::Storage::CheckpointsMount { .. }
        | requirement::Storage::CheckpointsEvery { .. }
        | requirement::Storage::Scratch { .. } => support,
    }
}

/// Returns the support of `if-exists`. An init container in the Pod of the chief, or of worker 0, checks the directory before the
/// program starts. A recreated Pod would find the checkpoints of its own job, and fail.
fn fresh(context: &Context<'_>, support: Support) -> Support {
    if matches!(support, Support::Unsupported(_)) {
        return support;
    }
    if let Some(word) = kueue(context.plan, context.options) {
        return Support::unsupported(
            "the check for existing checkpoints would fail after a preemption, because Kueue recreates all pods, which then find the job's own checkpoints",
            format!("remove `if-exists`, or remove {word}"),
            "kubernetes#suspend-and-resume",
        );
    }
    if !operator::final_pods(context.plan) {
        return Support::unsupported(
            "the check for existing checkpoints runs again in each recreated pod, where it would fail because it finds the job's own checkpoints",
            "remove `if-exists`; or restart only inside the pod, with `restart \"on-failure\" limit=3` and `allow \"restart\" on=\"kubernetes\" because=\"…\"`",
            "kubernetes#recreated-pods",
        );
    }
    support
}
