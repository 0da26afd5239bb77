//! Kueue, which queues every kind of Kubernetes job by a label.
use super::mechanism::QUEUE;
use tfjob_lang::cluster::demand::{DefaultQueue, Elsewhere, Queues};
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::{Job, Requirement};

/// Kueue leaves a job without a queue alone, unless it is set up otherwise: a `LocalQueue` called `default` takes it in
/// newer releases (`LocalQueueDefaulting`, on since 0.12), and `manageJobsWithoutQueueName` suspends it.
pub const KUEUE: Queues = Queues {
    option: "local-queue",
    root: None,
    default: DefaultQueue {
        name: "default",
        sure: false,
        fact: "the job names no queue: Kueue does not manage it, and its tasks start outside of every queue and its quota",
        help: "a Kueue with `manageJobsWithoutQueueName` suspends such a job without end",
    },
};

/// The queue that a label of the job names.
pub fn labelled(plan: &Plan) -> Option<Elsewhere> {
    plan.requirements.iter().rev().find_map(|required| {
        let Requirement::Job(Job::Label { key, value }) = &required.requirement else { return None };
        (key == QUEUE).then(|| Elsewhere { name: Some(value.clone()), at: required.at })
    })
}
