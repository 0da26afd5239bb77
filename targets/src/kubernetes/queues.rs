//! What names the queue of a job beside the option: the label of Kueue, or a patch of Volcano's field.
use super::means::QUEUE;
use super::{Kubernetes, Options};
use crate::patch;
use tfjob_lang::ask::Ask;
use tfjob_lang::cluster::demand::{Elsewhere, Queues};
use tfjob_lang::plan::Plan;
use tfjob_lang::target::Target;

/// A group of Pods without a queue is in Volcano's `default`; Kueue leaves a job without one alone.
const VOLCANO: Queues = Queues { root: None, default: "default" };

/// Returns the queue that a label or a patch sets, and how queues are found.
pub fn of(plan: &Plan, options: &Options) -> (Option<Elsewhere>, Option<Queues>) {
    let volcano = options.volcano();
    let named = |ask: &Ask| {
        if let Ask::Label { key, value } = ask
            && key == QUEUE
            && !volcano
        {
            return Some(value.clone());
        }
        if let Ask::Patch { target, role: None, text } = ask
            && target == Kubernetes::NAME
            && volcano
        {
            let patch = patch::value(text);
            let queue = patch.pointer("/spec/runPolicy/schedulingPolicy/queue")?;
            return Some(queue.as_str().unwrap_or(VOLCANO.default).to_owned());
        }
        None
    };
    let mut all =
        plan.asks.iter().filter_map(|asked| Some(Elsewhere { name: named(&asked.ask)?, at: asked.at }));
    (all.next_back(), volcano.then_some(VOLCANO))
}
