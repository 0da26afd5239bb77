//! Cluster capacity that a job reserves.
use super::context::Context;
use super::{Kubernetes, operator, queues};
use crate::pod;
use tfjob_lang::cluster::demand::{Demand, Resource};
use tfjob_lang::plan::Plan;
use tfjob_lang::target::Site;

/// Adds two things to a demand: the queue of the job, and the unused ports of helpers on the host network
/// ([`operator::idle_port`]).
pub fn reserves(plan: &Plan, site: &Site<Kubernetes>, demand: Demand) -> Demand {
    let mut demand = pod::reserve::reserves(&Context::new(plan, site).pod, demand);
    let (queue, queues) = queues::of(plan, &site.job);
    (demand.queue, demand.queues) = (queue, Some(queues));
    for role in 0..plan.roles.len() {
        let at = plan.roles[role].name.span;
        let idle = operator::idle_port(plan, role).map(|port| (Resource::Port(port), 1, at));
        demand.groups[role].needs.extend(idle);
    }
    demand
}
