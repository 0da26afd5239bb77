//! Cluster capacity that the Pods of a job reserve.
use super::context::Context;
use super::mechanism::HOSTNAME;
use crate::patch;
use tfjob_lang::cluster::demand::Demand;

/// Pod fields that kube-scheduler reads, and the fields that set the number of Pods.
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

/// Adds the options of the target to the demand of a job: the GPU resource, the GPU models, and the rack label. Also records
/// patches of fields that kube-scheduler reads, because the demand does not count them.
pub fn reserves(context: &Context<'_>, mut demand: Demand) -> Demand {
    let options = context.options;
    demand.gpu_device = Some(options.gpu_resource().to_owned());
    if let Some(label) = options.gpu_model_label {
        demand.mark_models(label.value.as_str(), |model| options.gpu_model(model).to_owned());
    }
    demand.uncounted = patch::uncounted(context.plan, context.kind.target, &SCHEDULED);
    let own = [options.stage_image, options.shim_image];
    demand.images = own.into_iter().flatten().map(|image| (image.span, image.value.clone())).collect();
    demand.images.extend(patch::images(context.plan, context.kind.target));
    // If the rack label is the label with the host name, each node is its own rack. Nodes of the cluster file then need no rack
    // attribute.
    let rack = options.rack_label.map(|label| label.value.to_string());
    demand.rack = rack.filter(|label| label != HOSTNAME);
    // The last group, after those of the roles, is TensorBoard. Its Deployment is not in the queue.
    demand.groups[context.plan.roles.len()..].iter_mut().for_each(|group| group.queued = false);
    demand
}
