//! Resources of a task.
use super::Support;
use crate::dcos::amounts::whole_mebibytes;
use crate::dcos::context::Context;
use crate::dcos::package::mechanism::Mechanism;
use crate::dcos::package::slot::Slot;
use crate::dcos::package::support::lacks;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement;

/// Answers one requirement: resources of a task.
pub fn support(requirement: &requirement::Resources, Context { plan, .. }: &Context<'_>) -> Support {
    match requirement {
        requirement::Resources::Cpus { role, milli } => {
            Support::Native(Mechanism::Cpus { role: *role, milli: *milli })
        }
        requirement::Resources::Memory { role, bytes } => {
            whole_mebibytes(*bytes, |mebibytes| Mechanism::Memory { role: *role, mebibytes })
        }
        requirement::Resources::Gpus { role, count } => gpus(*role, *count, plan),
        requirement::Resources::GpuModel { .. } => {
            lacks("cannot choose among GPUs: `gpu_worker` has no placement", "dcos#package-placement")
        }
        requirement::Resources::GpuMemory { .. } => {
            lacks("cannot choose GPUs by their memory", "dcos#package-gpus")
        }
        requirement::Resources::Disk { role, bytes } => {
            whole_mebibytes(*bytes, |mebibytes| Mechanism::Disk { role: *role, mebibytes })
        }
        requirement::Resources::SharedMemory { .. } => {
            lacks("cannot size `/dev/shm` of the package's tasks", "dcos#package-options")
        }
        requirement::Resources::Device { .. } => {
            lacks("knows no counted kind but GPUs", "dcos#package-options")
        }
    }
}

fn gpus(role: RoleId, count: u32, plan: &Plan) -> Support {
    match Slot::of(plan, role) {
        // A role without a slot is refused as a whole.
        Some(Slot::GpuWorker) | None => Support::Native(Mechanism::Gpus { role, count }),
        Some(Slot::Ps | Slot::Worker) => {
            lacks("gives GPUs to the package's workers only", "dcos#package-gpus")
        }
    }
}
