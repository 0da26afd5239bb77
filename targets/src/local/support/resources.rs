//! Resources of each task. All tasks share one machine.
use super::Support;
use crate::local::mechanism::Mechanism;
use crate::local::schema::Setting;
use tfjob_lang::requirement;

/// Returns the support of one requirement about resources.
pub fn support(requirement: &requirement::Resources) -> Support {
    match requirement {
        requirement::Resources::Cpus { .. } => shared("CPU cores", "cpus"),
        requirement::Resources::Memory { .. } => shared("memory", "memory"),
        requirement::Resources::Disk { .. } => shared("disks", "disk"),
        requirement::Resources::SharedMemory { .. } => shared("`/dev/shm`", "shared-memory"),
        requirement::Resources::Gpus { role, count } => {
            Support::Native(Mechanism::Role(*role, Setting::Gpus(*count)))
        }
        requirement::Resources::GpuModel { .. } => gpu_kind("model"),
        requirement::Resources::GpuMemory { .. } => gpu_kind("memory"),
        requirement::Resources::Device { name, .. } => device(name),
    }
}

/// Returns the support of CPUs, memory, disk, and shared memory. All tasks share the resources of the machine, without a limit for
/// each task.
fn shared(resource: &str, field: &str) -> Support {
    let how =
        format!("tasks share the {resource} of this machine, and each task can use more than `{field}`");
    Support::inherent_but(how.clone(), how)
}

/// Returns the support of a property of GPUs, such as the model. `tfjob run` does not select GPUs by such a property.
fn gpu_kind(what: &str) -> Support {
    Support::unsupported(
        format!("a local run assigns GPUs to tasks by index and does not check their {what}"),
        format!("remove `gpu-{what}`, and run the job on a machine with such GPUs"),
        "CUDA Programming Guide: `CUDA_VISIBLE_DEVICES` selects GPUs by index or UUID",
    )
}

/// Returns the support of a device that is not a GPU.
fn device(name: &str) -> Support {
    Support::unsupported(
        format!("`device` is not supported: a local run assigns GPUs, but not `{name}`"),
        "remove `device`; every task can use all devices of this machine",
        "mount_namespaces(7): processes of one namespace have the same /dev",
    )
}
