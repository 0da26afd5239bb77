//! What a job reserves of a cluster: its tasks, and the container of the service master.
use super::Yarn;
use crate::{containers, patch};
use tfjob_lang::cluster::demand::{Crew, Demand, Elsewhere, Resource};
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::{Job, Requirement};
use tfjob_lang::target::{Site, Target};

/// What the resource manager reads of a component.
const SCHEDULED: [&str; 3] = ["number_of_containers", "placement_policy", "resource"];

/// The property with its MiB.
const MEMORY: &str = "yarn.service.am-resource.memory";
/// Its MiB where nothing sets them (`YarnServiceConf.DEFAULT_KEY_AM_RESOURCE_MEM`).
const DEFAULT: u64 = 1024;

/// The tasks, the service master, and the queue.
pub fn reserve(plan: &Plan, site: &Site<Yarn>, mut demand: Demand) -> Demand {
    containers::schedule(&mut demand);
    if let Some(attribute) = &site.job.gpu_attribute {
        demand.mark_models(attribute.value.as_str(), str::to_owned);
    }
    demand.gpu_device = Some("yarn.io/gpu".to_owned());
    demand.crews.push(master(plan));
    demand.queue = queue(plan);
    demand.uncounted = patch::uncounted(plan, Yarn::NAME, &SCHEDULED);
    demand
}

/// The queue that a patch of the job sets: the last one wins, and one that removes the queue leaves the job without.
pub fn queue(plan: &Plan) -> Option<Elsewhere> {
    let mut set = plan.requirements.iter().filter_map(|required| {
        let Requirement::Job(Job::Patch { target, role: None, text }) = &required.requirement else {
            return None;
        };
        let patch = (target == Yarn::NAME).then(|| patch::value(text))?;
        let name = patch.get("queue")?.as_str().map(str::to_owned);
        Some(Elsewhere { name, at: required.at })
    });
    set.next_back()
}

/// The service master: it has one core, is in the queue of the job, and is placed before the first task
/// (`ServiceClient.submitApp`).
fn master(plan: &Plan) -> Crew {
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
    Crew {
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
