//! Kueue, which queues every kind of Kubernetes job by a label.
use super::means::QUEUE;
use tfjob_lang::ask::{Ask, Job};
use tfjob_lang::cluster::demand::{DefaultQueue, Elsewhere, Queues};
use tfjob_lang::plan::Plan;

/// Kueue leaves a job without a queue alone, unless it is set up otherwise: a `LocalQueue` called `default` takes it in
/// newer releases (`LocalQueueDefaulting`, on since 0.12), and `manageJobsWithoutQueueName` suspends it.
pub const KUEUE: Queues = Queues {
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
    plan.asks.iter().rev().find_map(|asked| {
        let Ask::Job(Job::Label { key, value }) = &asked.ask else { return None };
        (key == QUEUE).then(|| Elsewhere { name: Some(value.clone()), at: asked.at })
    })
}
