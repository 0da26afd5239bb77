//! Resources of a task.
use crate::dcos::amounts;
use crate::dcos::context::Context;
use crate::dcos::marathon::Given;
use crate::dcos::marathon::Means;
use crate::dcos::marathon::task;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// What Marathon does with one requirement: resources of a task.
pub fn answer(ask: &ask::Resources, Context { plan, site }: &Context<'_>) -> Given {
    match ask {
        ask::Resources::Cpus { role, milli } => Answer::Native(Means::Cpus { role: *role, milli: *milli }),
        ask::Resources::Memory { role, bytes } => {
            amounts::whole_mebibytes(*bytes, |mebibytes| Means::Memory { role: *role, mebibytes })
        }
        ask::Resources::Gpus { role, count } => task::gpus(*role, *count, plan, site),
        ask::Resources::GpuModel { role, model } => task::gpu_model(*role, model, plan, site),
        ask::Resources::GpuMemory { .. } => task::gpu_memory(),
        ask::Resources::Disk { role, bytes } => {
            amounts::whole_mebibytes(*bytes, |mebibytes| Means::Disk { role: *role, mebibytes })
        }
        ask::Resources::SharedMemory { role, bytes } => task::shared_memory(*role, *bytes, plan, site),
        ask::Resources::Device { name, .. } => task::device(name),
    }
}
