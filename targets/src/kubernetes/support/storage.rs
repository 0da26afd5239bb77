//! Code, data and checkpoints.
use super::Context;
use super::Support;
use crate::kubernetes::mechanism::Mechanism;
use crate::kubernetes::operator;
use crate::kubernetes::queues::kueue;
use crate::pod;
use tfjob_lang::requirement;

/// Answers one requirement: code, data and checkpoints.
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

/// The Pod whose program leads looks before it starts, once: where Pods are made anew it would find its own.
fn fresh(context: &Context<'_>, support: Support) -> Support {
    if matches!(support, Support::Unsupported(_)) {
        return support;
    }
    if let Some(word) = kueue(context.plan, context.options) {
        return Support::unsupported(
            "makes all Pods anew when Kueue has preempted the job and admits it again, and would find the job's own checkpoints",
            format!("remove `if-exists`, or {word}"),
            "kubernetes#suspend-and-resume",
        );
    }
    if !operator::final_pods(context.plan) {
        return Support::unsupported(
            "looks again whenever a Pod is made anew, and would find the job's own checkpoints",
            "remove `if-exists`; or let only the shim restart, inside the Pod, and accept what that does not cover: `restart \"on-failure\" limit=3` and `allow \"restart\" on=\"kubernetes\" because=\"…\"`",
            "kubernetes#recreated-pods",
        );
    }
    support
}
