//! Resources of a task.
use super::Answer;
use crate::dcos::amounts::whole_mebibytes;
use crate::dcos::context::Context;
use crate::dcos::package::means::Means;
use crate::dcos::package::slot::Slot;
use crate::dcos::package::support::lacks;
use tfjob_lang::ask;
use tfjob_lang::plan::{Plan, RoleId};

/// Answers one requirement: resources of a task.
pub fn answer(ask: &ask::Resources, Context { plan, .. }: &Context<'_>) -> Answer {
    match ask {
        ask::Resources::Cpus { role, milli } => Answer::Native(Means::Cpus { role: *role, milli: *milli }),
        ask::Resources::Memory { role, bytes } => {
            whole_mebibytes(*bytes, |mebibytes| Means::Memory { role: *role, mebibytes })
        }
        ask::Resources::Gpus { role, count } => gpus(*role, *count, plan),
        ask::Resources::GpuModel { .. } => {
            lacks("cannot choose among GPUs: `gpu_worker` has no placement", "spark-dcos-observed §4")
        }
        ask::Resources::GpuMemory { .. } => lacks("cannot choose GPUs by their memory", "spark-dcos §3.2"),
        ask::Resources::Disk { role, bytes } => {
            whole_mebibytes(*bytes, |mebibytes| Means::Disk { role: *role, mebibytes })
        }
        ask::Resources::SharedMemory { .. } => {
            lacks("cannot size `/dev/shm` of the package's tasks", "spark-dcos §3.2")
        }
        ask::Resources::Device { .. } => lacks("knows no counted kind but GPUs", "spark-dcos §3.2"),
    }
}

fn gpus(role: RoleId, count: u32, plan: &Plan) -> Answer {
    match Slot::of(plan, role) {
        // A role without a slot is refused as a whole.
        Some(Slot::GpuWorker) | None => Answer::Native(Means::Gpus { role, count }),
        Some(Slot::Ps | Slot::Worker) => lacks("gives GPUs to the package's workers only", "spark-dcos §3.2"),
    }
}
