//! What the job reserves of a cluster.
use super::{Kubernetes, operator, queues};
use crate::patch;
use crate::pod::means::HOSTNAME;
use tfjob_lang::cluster::demand::{Demand, Resource};
use tfjob_lang::plan::Plan;
use tfjob_lang::target::{Site, Target};

/// What kube-scheduler reads of a Pod, and the number of Pods.
const SCHEDULED: [&str; 12] = [
    "affinity",
    "hostNetwork",
    "hostPort",
    "nodeName",
    "nodeSelector",
    "overhead",
    "replicas",
    "resourceClaims",
    "resources",
    "runtimeClassName",
    "schedulerName",
    "topologySpreadConstraints",
];

/// Completes the demand of a job with what Kubernetes counts, and how its queues are named.
pub fn reserves(plan: &Plan, site: &Site<Kubernetes>, mut demand: Demand) -> Demand {
    demand.gpu_device = Some(site.job.pod().gpu_resource().to_owned());
    if let Some(label) = &site.job.gpu_model_label {
        demand.mark_models(label.value.as_str(), |model| site.job.pod().gpu_model(model).to_owned());
    }
    demand.uncounted = patch::uncounted(plan, Kubernetes::NAME, &SCHEDULED);
    let (queue, queues) = queues::of(plan, &site.job);
    (demand.queue, demand.queues) = (queue, Some(queues));
    // Racks of one host each need no attribute.
    let rack = site.job.rack_label.as_ref().map(|label| label.value.to_string());
    demand.rack = rack.filter(|label| label != HOSTNAME);
    for role in 0..plan.roles.len() {
        let at = plan.roles[role].name.span;
        let idle = operator::idle_port(plan, role).map(|port| (Resource::Port(port), 1, at));
        demand.crews[role].needs.extend(idle);
    }
    // Its Deployment is no part of the TFJob, which alone is in the queue.
    demand.crews[plan.roles.len()..].iter_mut().for_each(|crew| crew.queued = false);
    demand
}
