//! Resources that a job reserves: its tasks, and the container of the service master.
use super::Yarn;
use crate::{containers, patch};
use tfjob_lang::cluster::demand::{Demand, ExplicitQueue, Resource, TaskGroup};
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::{Job, Requirement};
use tfjob_lang::target::{Site, Target};

/// Fields of a component that the scheduler reads.
const SCHEDULED: [&str; 3] = ["number_of_containers", "placement_policy", "resource"];

/// Property that sets the memory of the service master in MiB.
const MEMORY: &str = "yarn.service.am-resource.memory";
/// Default memory of the service master in MiB (`YarnServiceConf.DEFAULT_KEY_AM_RESOURCE_MEM`).
const DEFAULT: u64 = 1024;

/// Adds the service master, the queue, and the rules of the scheduler to the demand of the tasks.
pub fn reserve(plan: &Plan, site: &Site<Yarn>, mut demand: Demand) -> Demand {
    containers::schedule(&mut demand);
    if let Some(attribute) = &site.job.gpu_attribute {
        demand.mark_models(attribute.value.as_str(), str::to_owned);
    }
    demand.gpu_device = Some("yarn.io/gpu".to_owned());
    demand.groups.push(master(plan));
    demand.queue = queue(plan);
    demand.uncounted = patch::uncounted(plan, Yarn::NAME, &SCHEDULED);
    demand.images = patch::images(plan, Yarn::NAME);
    demand
}

/// Returns the queue that a patch of the job sets or removes. If several patches do, the last one applies. `None` if no patch does.
pub fn queue(plan: &Plan) -> Option<ExplicitQueue> {
    let mut set = plan.requirements.iter().filter_map(|required| {
        let Requirement::Job(Job::Patch { target, role: None, text }) = &required.requirement else {
            return None;
        };
        let patch = (target == Yarn::NAME).then(|| patch::value(text))?;
        let name = patch.get("queue")?.as_str().map(str::to_owned);
        Some(ExplicitQueue { name, at: required.at })
    });
    set.next_back()
}

/// Returns the container of the service master. It has one core, is in the queue of the job, and starts before the first task
/// (`ServiceClient.submitApp`).
fn master(plan: &Plan) -> TaskGroup {
    let job = plan.name.span;
    let mut memory = (DEFAULT, job);
    for required in &plan.requirements {
        let Requirement::Job(Job::Patch { target, role: None, text }) = &required.requirement else {
            continue;
        };
        let patch = patch::value(text);
        let stated = patch["configuration"]["properties"][MEMORY].as_str();
        if let Some(mebi) = stated.filter(|_| target == Yarn::NAME).and_then(|text| text.parse().ok()) {
            memory = (mebi, required.at);
        }
    }
    TaskGroup {
        name: "YARN's service master".to_owned(),
        at: job,
        count: 1,
        min: 1,
        needs: vec![
            (Resource::Cpus, 1000, job),
            (Resource::Memory, memory.0.saturating_mul(1 << 20), memory.1),
        ],
        terms: Vec::new(),
        queued: true,
    }
}
