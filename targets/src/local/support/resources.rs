//! Resources of each task. All tasks share one machine.
use super::Support;
use crate::local::mechanism::Mechanism;
use crate::local::schema::Setting;
use tfjob_lang::requirement;

/// Returns the support of one requirement about resources.
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

/// Returns the support of CPUs, memory, disk, and shared memory, which all tasks share with the machine.
fn shared() -> Support {
    let how = "resources are not reserved and not limited, because all tasks share this machine";
    Support::inherent_but(how, how)
}

/// Returns the support of a property of GPUs, such as the model. `tfjob run` does not select GPUs by such a property.
fn gpu_kind(what: &str) -> Support {
    Support::unsupported(
        format!("a local run assigns GPUs to tasks by index and does not check their {what}"),
        format!("remove `gpu-{what}`, and run the job on a machine with such GPUs"),
        "CUDA Programming Guide, CUDA_VISIBLE_DEVICES: devices by number",
    )
}

/// Returns the support of a device that is not a GPU.
fn device(name: &str) -> Support {
    Support::unsupported(
        format!("`device` is not supported: a local run assigns GPUs, but not `{name}`"),
        "remove `device`; every task can use all devices of this machine",
        "mount_namespaces(7): tasks share one /dev",
    )
}
