//! Support of the resources of a task.
use super::Support;
use super::placement::node;
use crate::dcos::Dcos;
use crate::dcos::amounts::whole_mebibytes;
use crate::dcos::context::Context;
use crate::dcos::marathon::mechanism::Mechanism;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement;
use tfjob_lang::spec::values::Memory;
use tfjob_lang::target::Site;

/// Returns the support of one requirement about resources.
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

/// Returns the support of GPUs. Mesos mounts the NVIDIA driver only if the image requests it: by a label or, since
/// Mesos 1.8 (DC/OS 1.13), by an environment variable of the image (`NvidiaVolume::shouldInject`). An environment variable that
/// the app sets has no effect.
fn gpus(role: RoleId, count: u32, plan: &Plan, site: &Site<Dcos>) -> Support {
    let mechanism = Mechanism::Gpus { role, count };
    if plan.roles[role].image.is_none() {
        return Support::Native(mechanism);
    }
    let how = if site.job.is_since((1, 13)) {
        "the program can use GPUs only if its image has the label `com.nvidia.volumes.needed` or sets `NVIDIA_VISIBLE_DEVICES`; otherwise, Mesos does not mount the NVIDIA driver into the container"
    } else {
        "before DC/OS 1.13, the program can use GPUs only if its image has the label `com.nvidia.volumes.needed`; otherwise, Mesos does not mount the NVIDIA driver into the container"
    };
    Support::Emulated(mechanism, how.to_owned())
}

fn gpu_model(role: RoleId, model: &str, plan: &Plan, site: &Site<Dcos>) -> Support {
    match &site.job.gpu_model_attribute {
        Some(attribute) => node(role, (attribute.value.as_str(), model), plan, site),
        None => Support::unsupported(
            "`gpu-model` selects agents by an attribute with the GPU model, but the name of this attribute (`gpu-model-attribute`) is not set",
            "if the agents have such an attribute, such as `gpu`, add `gpu-model-attribute \"gpu\"` to `target \"dcos\"`; otherwise remove `gpu-model`",
            "dcos#resource-kinds",
        ),
    }
}

fn gpu_memory() -> Support {
    Support::unsupported(
        "Mesos does not know the memory size of a GPU",
        "remove `gpu-memory`, and select the agents by an attribute: `placement { node \"ATTRIBUTE\" \"VALUE\" }`",
        "dcos#resource-kinds",
    )
}

fn shared_memory(role: RoleId, bytes: u64, plan: &Plan, site: &Site<Dcos>) -> Support {
    let memory = plan.roles[role].resources.memory.value;
    let too_old = !site.job.is_since((2, 1));
    let since = "add `version \"2.1\"` to `target \"dcos\"` if the cluster runs DC/OS 2.1 or later";
    if bytes > memory {
        let less = format!("use `shared-memory=\"{}\"` or less, which is `memory`", Memory::floor(memory));
        return Support::unsupported(
            "pages in `/dev/shm` count toward the memory of the task, but `shared-memory` is larger than `memory`",
            if too_old { format!("{less}; and {since}") } else { less },
            "Linux, Documentation/admin-guide/cgroup-v1/memory.rst: tmpfs is charged to its cgroup",
        );
    }
    if too_old {
        return Support::unsupported(
            "Marathon can set the size of `/dev/shm` only in DC/OS 2.1 and later",
            since,
            "Marathon's changelog, 1.9.73: support of shared memory",
        );
    }
    whole_mebibytes(bytes, |mebibytes| Mechanism::SharedMemory { role, mebibytes })
}

fn device(name: &str) -> Support {
    Support::unsupported(
        format!("a Marathon app can request only cores, memory, disk, and GPUs, not `{name}`"),
        "remove `device`, mark the agents with an attribute, and use `placement { node \"ATTRIBUTE\" \"VALUE\" }`",
        "dcos#resource-kinds",
    )
}
