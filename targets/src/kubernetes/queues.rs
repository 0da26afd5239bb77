//! Queues that a spec sets without the options for queues: by the Kueue label, or by a patch of the Volcano queue field.
use super::{Kubernetes, Options};
use crate::patch;
use crate::pod::queues::{KUEUE, labelled};
use tfjob_lang::cluster::demand::{DefaultQueue, ExplicitQueue, Queues};
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::{Job, Requirement};
use tfjob_lang::target::Target;

/// How Volcano finds queues. A PodGroup without a queue is in the queue `default`.
const VOLCANO: Queues = Queues {
    option: "volcano-queue",
    root: None,
    default: DefaultQueue {
        name: "default",
        sure: true,
        fact: "the job sets no queue, so Volcano puts it into `default`, which the cluster file does not list",
        help: "or add `queue \"default\"` to the cluster file",
    },
};

/// Returns the option or label that assigns the job to a Kueue queue, if any.
pub fn kueue(plan: &Plan, options: &Options) -> Option<&'static str> {
    if options.local_queue.is_some() {
        Some("`local-queue`")
    } else {
        labelled(plan).map(|_| "the label `kueue.x-k8s.io/queue-name`")
    }
}

/// Returns the queue that a label or a patch sets, and how the scheduler finds queues by name.
pub fn of(plan: &Plan, options: &Options) -> (Option<ExplicitQueue>, Queues) {
    if options.volcano() && options.local_queue.is_none() {
        (patched(plan), VOLCANO)
    } else {
        (labelled(plan), KUEUE)
    }
}

/// Returns the Volcano queue that a patch of the job sets, if any. If several patches set it, the last one applies.
fn patched(plan: &Plan) -> Option<ExplicitQueue> {
    plan.requirements.iter().rev().find_map(|required| {
        let Requirement::Job(Job::Patch { target, role: None, text }) = &required.requirement else {
            return None;
        };
        let patch = (target == Kubernetes::NAME).then(|| patch::value(text))?;
        let queue = patch.pointer("/spec/runPolicy/schedulingPolicy/queue")?;
        Some(ExplicitQueue { name: queue.as_str().map(str::to_owned), at: required.at })
    })
}
