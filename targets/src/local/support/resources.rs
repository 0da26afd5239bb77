//! Resources of each task: one machine that all tasks share.
use super::Answer;
use crate::local::means::Means;
use crate::local::schema::Setting;
use tfjob_lang::ask;

/// Answers one requirement: resources of a task.
pub fn answer(ask: &ask::Resources) -> Answer {
    match ask {
        ask::Resources::Cpus { .. }
        | ask::Resources::Memory { .. }
        | ask::Resources::Disk { .. }
        | ask::Resources::SharedMemory { .. } => shared(),
        ask::Resources::Gpus { role, count } => Answer::Native(Means::Role(*role, Setting::Gpus(*count))),
        ask::Resources::GpuModel { .. } => gpu_kind("model"),
        ask::Resources::GpuMemory { .. } => gpu_kind("memory"),
        ask::Resources::Device { name, .. } => device(name),
    }
}

/// Cores, memory, disks.
fn shared() -> Answer {
    let how = "nothing is reserved: all tasks share this machine";
    Answer::inherent_but(how, how)
}

/// What no GPU is chosen by.
fn gpu_kind(what: &str) -> Answer {
    Answer::refused(
        format!("gives each task GPUs by their number, and does not look at their {what}"),
        format!("remove `gpu-{what}`, and run the job on a machine that has such GPUs"),
        "CUDA Programming Guide, CUDA_VISIBLE_DEVICES: devices by number",
    )
}

/// Another counted kind.
fn device(name: &str) -> Answer {
    Answer::refused(
        format!("counts GPUs, and no `{name}`"),
        "remove `device`: every task sees all devices of this machine",
        "mount_namespaces(7): tasks share one /dev",
    )
}
