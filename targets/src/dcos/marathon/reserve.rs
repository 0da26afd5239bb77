//! Resources that the apps reserve on a cluster.
use super::support::job::agents;
use crate::dcos::{Dcos, network, reserve};
use crate::patch;
use tfjob_lang::cluster::demand::{Demand, NodePolicy, Term};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{Job, Requirement};
use tfjob_lang::target::{Site, Target, concerns};

/// First DC/OS version in which `restricted` is the default of `marathon_gpu_scheduling_behavior` (release notes of 1.13).
pub const KEEPS_GPUS: (u32, u32) = (1, 13);

/// Returns `demand`, the sum of the requests of all tasks, with three additions: host ports, the placement of TensorBoard, and
/// Marathon's rule for agents with GPUs.
pub fn reserves(plan: &Plan, site: &Site<Dcos>, demand: Demand) -> Demand {
    let is_idle = |role: RoleId, name: &str| network::unused(role, name, plan).is_some();
    let mut demand = reserve::of_agents(plan, is_idle, demand);
    place(plan, &mut demand);
    if let Some(attribute) = &site.job.gpu_model_attribute {
        demand.mark_models(attribute.value.as_str(), str::to_owned);
    }
    if site.job.is_since(KEEPS_GPUS) {
        keep(plan, &mut demand);
    }
    demand
}

/// Adds the placement of TensorBoard. If TensorBoard reads a directory of its agent, the agent must have each attribute that all
/// roles in the rendezvous request.
fn place(plan: &Plan, demand: &mut Demand) {
    for required in &plan.requirements {
        let (Requirement::Job(Job::Tensorboard(board)), Some(group)) =
            (&required.requirement, demand.groups.get_mut(plan.roles.len()))
        else {
            continue;
        };
        let terms = agents(board, plan).into_iter();
        group.terms.extend(
            terms.map(|(key, value, required)| {
                (Term::Attribute(key.to_owned(), value.to_owned()), required.at)
            }),
        );
    }
}

/// Returns whether the job sets the label with which Marathon places tasks without GPUs on agents with free GPUs.
pub fn is_open(plan: &Plan) -> bool {
    let open = |requirement: &Requirement| matches!(requirement, Requirement::Job(Job::Label { key, value }) if key == "GPU_SCHEDULING_BEHAVIOR" && value == "unrestricted");
    plan.requirements.iter().any(|required| open(&required.requirement))
}

/// Returns whether a patch of a role sets the label `GPU_SCHEDULING_BEHAVIOR` to `unrestricted` for the tasks of the role.
pub fn is_opened(plan: &Plan, id: RoleId) -> bool {
    plan.requirements.iter().filter(|required| concerns(&required.requirement, Dcos::NAME)).any(|required| {
        let Requirement::Job(Job::Patch { target: _, role: Some(role), text }) = &required.requirement else {
            return false;
        };
        *role == id
            && text.contains("GPU_SCHEDULING_BEHAVIOR")
            && patch::value(text)["labels"]["GPU_SCHEDULING_BEHAVIOR"] == "unrestricted"
    })
}

/// Adds a rule to the demand: Marathon places no task without GPUs on an agent with free GPUs, unless a label allows it
/// (`ResourceMatcher`, `checkGpuSchedulingBehaviour`).
fn keep(plan: &Plan, demand: &mut Demand) {
    let waits = |id: RoleId| plan.roles[id].resources.gpus == 0 && !is_opened(plan, id);
    let board = plan
        .requirements
        .iter()
        .any(|required| matches!(required.requirement, Requirement::Job(Job::Tensorboard(_))));
    if !is_open(plan) && (board || (0..plan.roles.len()).any(waits)) {
        demand.keeps_gpus = Some(NodePolicy {
            fact: "the agents without GPUs have too little capacity, and by default Marathon (DC/OS 1.13 and later) uses agents with free GPUs only for tasks with GPUs",
            help: "add `labels { GPU_SCHEDULING_BEHAVIOR \"unrestricted\"; }` to the job, or nodes without GPUs to the cluster file",
        });
    }
}
