//! What names the queue of a job beside the option: the label of Kueue, or a patch of Volcano's field.
use super::{Kubernetes, Options};
use crate::patch;
use crate::pod::means::QUEUE;
use tfjob_lang::ask::{Ask, Job};
use tfjob_lang::cluster::demand::{DefaultQueue, Elsewhere, Queues};
use tfjob_lang::plan::Plan;
use tfjob_lang::target::Target;

/// A group of Pods without a queue is in Volcano's `default`.
const VOLCANO: Queues = Queues {
    root: None,
    default: DefaultQueue {
        name: "default",
        sure: true,
        fact: "the job names no queue: Volcano puts it into `default`, which the cluster file does not have",
        help: "or add `queue \"default\"` to the cluster file",
    },
};

/// Kueue leaves a job without a queue alone, unless it is set up otherwise: a `LocalQueue` called `default` takes it in
/// newer releases (`LocalQueueDefaulting`, on since 0.12), and `manageJobsWithoutQueueName` suspends it.
const KUEUE: Queues = Queues {
    root: None,
    default: DefaultQueue {
        name: "default",
        sure: false,
        fact: "the job names no queue: Kueue does not manage it, and its tasks start outside of every queue and its quota",
        help: "a Kueue with `manageJobsWithoutQueueName` suspends such a job without end",
    },
};

/// What puts the job into a queue of Kueue, if anything does: `queue` is Volcano's with that gang scheduler only.
pub fn kueue(plan: &Plan, options: &Options) -> Option<&'static str> {
    let labelled = |ask: &Ask| matches!(ask, Ask::Job(Job::Label { key, .. }) if key == QUEUE);
    if options.queue.is_some() && !options.volcano() {
        Some("`queue`")
    } else {
        plan.asks.iter().any(|asked| labelled(&asked.ask)).then_some("the label `kueue.x-k8s.io/queue-name`")
    }
}

/// Returns the queue that a label or a patch sets, and how queues are found.
pub fn of(plan: &Plan, options: &Options) -> (Option<Elsewhere>, Queues) {
    let volcano = options.volcano();
    let named = |ask: &Ask| {
        if let Ask::Job(Job::Label { key, value }) = ask
            && key == QUEUE
            && !volcano
        {
            return Some(Some(value.clone()));
        }
        if let Ask::Job(Job::Patch { target, role: None, text }) = ask
            && target == Kubernetes::NAME
            && volcano
        {
            let patch = patch::value(text);
            let queue = patch.pointer("/spec/runPolicy/schedulingPolicy/queue")?;
            return Some(queue.as_str().map(str::to_owned));
        }
        None
    };
    let mut all =
        plan.asks.iter().filter_map(|asked| Some(Elsewhere { name: named(&asked.ask)?, at: asked.at }));
    (all.next_back(), if volcano { VOLCANO } else { KUEUE })
}
