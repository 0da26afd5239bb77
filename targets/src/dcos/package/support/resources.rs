//! Support of the resources of a task.
use super::Support;
use crate::dcos::amounts::whole_mebibytes;
use crate::dcos::context::Context;
use crate::dcos::package::mechanism::Mechanism;
use crate::dcos::package::slot::Slot;
use crate::dcos::package::support::lacks;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement;

/// Returns the support of one requirement about resources.
pub fn support(requirement: &requirement::Resources, Context { plan, .. }: &Context<'_>) -> Support {
    match requirement {
        requirement::Resources::Cpus { role, milli } => {
            Support::Native(Mechanism::Cpus { role: *role, milli: *milli })
        }
        requirement::Resources::Memory { role, bytes } => {
            whole_mebibytes(*bytes, |mebibytes| Mechanism::Memory { role: *role, mebibytes })
        }
        requirement::Resources::Gpus { role, count } => gpus(*role, *count, plan),
        requirement::Resources::GpuModel { .. } => lacks(
            "the TensorFlow package cannot select GPUs by model: `gpu_worker` has no placement option",
            "dcos#package-placement",
        ),
        requirement::Resources::GpuMemory { .. } => {
            lacks("the TensorFlow package cannot select GPUs by memory size", "dcos#package-gpus")
        }
        requirement::Resources::Disk { role, bytes } => {
            whole_mebibytes(*bytes, |mebibytes| Mechanism::Disk { role: *role, mebibytes })
        }
        requirement::Resources::SharedMemory { .. } => {
            lacks("the TensorFlow package has no option for the size of `/dev/shm`", "dcos#package-options")
        }
        requirement::Resources::Device { name, .. } => lacks(
            format!("the TensorFlow package has no option for the device `{name}`, only for GPUs"),
            "dcos#package-options",
        ),
    }
}

fn gpus(role: RoleId, count: u32, plan: &Plan) -> Support {
    match Slot::of(plan, role) {
        // `None`: the package has no task group for the role. This is refused elsewhere, at the line of the role.
        Some(Slot::GpuWorker) | None => Support::Native(Mechanism::Gpus { role, count }),
        Some(Slot::Ps | Slot::Worker) => {
            lacks("only workers of the TensorFlow package can have GPUs", "dcos#package-gpus")
        }
    }
}
