//! Code, data and checkpoints.
use super::Answer;
use super::Context;
use crate::kubernetes::means::Means;
use crate::kubernetes::operator;
use crate::kubernetes::queues::kueue;
use crate::pod;
use tfjob_lang::ask;

/// Answers one requirement: code, data and checkpoints.
pub fn answer(ask: &ask::Storage, case: &Context<'_>) -> Answer {
    let answer = pod::support::storage::answer(ask, &case.pod).map(Means::Pod);
    match ask {
        ask::Storage::CheckpointsFresh { .. } => fresh(case, answer),
        ask::Storage::Code { .. }
        | ask::Storage::Stage { .. }
        | ask::Storage::DataUri { .. }
        | ask::Storage::DataMount { .. }
        | ask::Storage::CheckpointsUri { .. }
        | ask::Storage::CheckpointsMount { .. }
        | ask::Storage::CheckpointsEvery { .. }
        | ask::Storage::Scratch { .. } => answer,
    }
}

/// The Pod whose program leads looks before it starts, once: where Pods are made anew it would find its own.
fn fresh(case: &Context<'_>, answer: Answer) -> Answer {
    if matches!(answer, Answer::Refused(_)) {
        return answer;
    }
    if let Some(word) = kueue(case.plan, case.options) {
        return Answer::refused(
            "makes all Pods anew when Kueue has preempted the job and admits it again, and would find the job's own checkpoints",
            format!("remove `fresh`, or {word}"),
            "kubernetes-observed §6",
        );
    }
    if !operator::final_pods(case.plan) {
        return Answer::refused(
            "looks again whenever a Pod is made anew, and would find the job's own checkpoints",
            "remove `fresh`; or let only the shim restart, inside the Pod, and accept what that does not cover: `restart \"on-failure\" limit=3` and `allow \"restart\" on=\"kubernetes\" because=\"…\"`",
            "kubernetes-observed §6",
        );
    }
    answer
}
