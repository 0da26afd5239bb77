//! Kueue queues. Any kind of Kubernetes job selects its queue by a label.
use super::mechanism::QUEUE;
use tfjob_lang::cluster::demand::{DefaultQueue, ExplicitQueue, Queues};
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::{Job, Requirement};

/// How Kueue finds queues. By default, Kueue does not manage a job without a queue. Since 0.12, it assigns such a job to the
/// `LocalQueue` named `default`, if there is one (`LocalQueueDefaulting`). With `manageJobsWithoutQueueName`, Kueue suspends a job
/// without a queue.
pub const KUEUE: Queues = Queues {
    option: "local-queue",
    root: None,
    default: DefaultQueue {
        name: "default",
        sure: false,
        fact: "the job sets no queue, so Kueue does not manage it: its tasks start outside all queues and quotas",
        help: "with `manageJobsWithoutQueueName`, Kueue suspends such a job indefinitely",
    },
};

/// Returns the queue that a label of the job sets, if any.
pub fn labelled(plan: &Plan) -> Option<ExplicitQueue> {
    plan.requirements.iter().rev().find_map(|required| {
        let Requirement::Job(Job::Label { key, value }) = &required.requirement else { return None };
        (key == QUEUE).then(|| ExplicitQueue { name: Some(value.clone()), at: required.at })
    })
}
