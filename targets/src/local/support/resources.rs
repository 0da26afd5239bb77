//! Resources of each task: one machine that all tasks share.
use super::Support;
use crate::local::mechanism::Mechanism;
use crate::local::schema::Setting;
use tfjob_lang::requirement;

/// Answers one requirement: resources of a task.
pub fn support(requirement: &requirement::Resources) -> Support {
    match requirement {
        requirement::Resources::Cpus { .. }
        | requirement::Resources::Memory { .. }
        | requirement::Resources::Disk { .. }
        | requirement::Resources::SharedMemory { .. } => shared(),
        requirement::Resources::Gpus { role, count } => {
            Support::Native(Mechanism::Role(*role, Setting::Gpus(*count)))
        }
        requirement::Resources::GpuModel { .. } => gpu_kind("model"),
        requirement::Resources::GpuMemory { .. } => gpu_kind("memory"),
        requirement::Resources::Device { name, .. } => device(name),
    }
}

/// Cores, memory, disks.
fn shared() -> Support {
    let how = "nothing is reserved: all tasks share this machine";
    Support::inherent_but(how, how)
}

/// What no GPU is chosen by.
fn gpu_kind(what: &str) -> Support {
    Support::unsupported(
        format!("gives each task GPUs by their number, and does not look at their {what}"),
        format!("remove `gpu-{what}`, and run the job on a machine that has such GPUs"),
        "CUDA Programming Guide, CUDA_VISIBLE_DEVICES: devices by number",
    )
}

/// Another counted kind.
fn device(name: &str) -> Support {
    Support::unsupported(
        format!("counts GPUs, and no `{name}`"),
        "remove `device`: every task sees all devices of this machine",
        "mount_namespaces(7): tasks share one /dev",
    )
}
