//! Resources of a task.
use super::Support;
use super::placement::node;
use crate::dcos::Dcos;
use crate::dcos::amounts::whole_mebibytes;
use crate::dcos::context::Context;
use crate::dcos::marathon::mechanism::Mechanism;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement;
use tfjob_lang::target::Site;

/// Answers one requirement: resources of a task.
pub fn support(requirement: &requirement::Resources, Context { plan, site }: &Context<'_>) -> Support {
    match requirement {
        requirement::Resources::Cpus { role, milli } => {
            Support::Native(Mechanism::Cpus { role: *role, milli: *milli })
        }
        requirement::Resources::Memory { role, bytes } => {
            whole_mebibytes(*bytes, |mebibytes| Mechanism::Memory { role: *role, mebibytes })
        }
        requirement::Resources::Gpus { role, count } => gpus(*role, *count, plan, site),
        requirement::Resources::GpuModel { role, model } => gpu_model(*role, model, plan, site),
        requirement::Resources::GpuMemory { .. } => gpu_memory(),
        requirement::Resources::Disk { role, bytes } => {
            whole_mebibytes(*bytes, |mebibytes| Mechanism::Disk { role: *role, mebibytes })
        }
        requirement::Resources::SharedMemory { role, bytes } => shared_memory(*role, *bytes, plan, site),
        requirement::Resources::Device { name, .. } => device(name),
    }
}

/// The agent's driver is in the container only where the image says so (Mesos, `NvidiaVolume::shouldInject`: since 1.8 also by
/// a variable of the image; one of the app does not count).
fn gpus(role: RoleId, count: u32, plan: &Plan, site: &Site<Dcos>) -> Support {
    let mechanism = Mechanism::Gpus { role, count };
    if plan.roles[role].image.is_none() {
        return Support::Native(mechanism);
    }
    let how = if site.job.is_since((1, 13)) {
        "Mesos mounts the agent's NVIDIA driver only into an image with the label `com.nvidia.volumes.needed` or with `NVIDIA_VISIBLE_DEVICES` in its own environment"
    } else {
        "before version 1.13 Mesos mounts the agent's NVIDIA driver only into an image with the label `com.nvidia.volumes.needed`"
    };
    Support::Emulated(mechanism, how.to_owned())
}

fn gpu_model(role: RoleId, model: &str, plan: &Plan, site: &Site<Dcos>) -> Support {
    match &site.job.gpu_model_attribute {
        Some(attribute) => node(role, (attribute.value.as_str(), model), plan, site),
        None => Support::unsupported(
            "does not know the models of its GPUs",
            "name the agents' attribute that holds it: `gpu-model-attribute \"gpu\"` in `target \"dcos\"`",
            "dcos#resource-kinds",
        ),
    }
}

fn gpu_memory() -> Support {
    Support::unsupported(
        "does not know the memory of its GPUs",
        "remove `gpu-memory`, and write `placement { node \"ATTRIBUTE\" \"VALUE\" }` with an attribute that marks such nodes",
        "dcos#resource-kinds",
    )
}

fn shared_memory(role: RoleId, bytes: u64, plan: &Plan, site: &Site<Dcos>) -> Support {
    let memory = plan.roles[role].resources.memory.value;
    let late = !site.job.is_since((2, 1));
    let since = "add `version \"2.1\"` to `target \"dcos\"` if the cluster is that new";
    if bytes > memory {
        let less = format!("write `shared-memory=\"{}MiB\"` or less, which is `memory`", memory >> 20);
        return Support::unsupported(
            "counts shared memory as the task's memory, and this is more than all of it",
            if late { format!("{less}; and {since}") } else { less },
            "Linux, Documentation/admin-guide/cgroup-v1/memory.rst: tmpfs is charged to its cgroup",
        );
    }
    if late {
        return Support::unsupported(
            "can size `/dev/shm` only since version 2.1",
            since,
            "Marathon's changelog, 1.9.73",
        );
    }
    whole_mebibytes(bytes, |mebibytes| Mechanism::SharedMemory { role, mebibytes })
}

fn device(name: &str) -> Support {
    Support::unsupported(
        format!("counts cores, memory, disk and GPUs, and no `{name}`"),
        "remove `device`, mark the nodes with an attribute, and write `placement { node \"ATTRIBUTE\" \"VALUE\" }`",
        "dcos#resource-kinds",
    )
}
