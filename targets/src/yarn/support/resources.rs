//! Support of the resources of each task.
use super::Support;
use crate::cores;
use crate::yarn::context::Context;
use crate::yarn::mechanism::Mechanism;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement;
use tfjob_lang::spec::values::Memory;

/// Returns the support of one requirement about resources.
pub fn support(requirement: &requirement::Resources, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Resources::Cpus { role, milli } => cpus(*role, *milli),
        requirement::Resources::Memory { role, bytes } => memory(*role, *bytes),
        requirement::Resources::Gpus { role, count } => gpus(*role, *count),
        requirement::Resources::GpuModel { role, model } => gpu_model(context, *role, model),
        requirement::Resources::GpuMemory { role: _, bytes: _ } => gpu_memory(),
        requirement::Resources::Disk { role: _, bytes: _ } => disk(),
        requirement::Resources::SharedMemory { role, bytes } => shared_memory(context, *role, *bytes),
        requirement::Resources::Device { role, name, count } => device(*role, name, *count),
    }
}

/// Returns the support of `cpus`. YARN silently truncates fractions: 1.9 cores become 1. So tfjob rounds the value up, and another
/// check warns.
fn cpus(role: RoleId, milli: u32) -> Support {
    let mechanism = Mechanism::Cores { role, count: cores::whole(milli) };
    if milli.is_multiple_of(1000) {
        return Support::Native(mechanism);
    }
    Support::Emulated(
        mechanism,
        format!(
            "`cpus={}` is rounded up to {}, because the scheduler counts whole cores",
            cores::written(milli),
            cores::whole(milli)
        ),
    )
}

/// Returns the support of `memory`. The amount is rounded up, because YARN counts in MiB.
fn memory(role: RoleId, bytes: u64) -> Support {
    Support::Native(Mechanism::Memory { role, mebibytes: bytes.div_ceil(1 << 20) })
}

fn gpus(role: RoleId, count: u32) -> Support {
    Support::Native(Mechanism::Counted { role, name: "yarn.io/gpu".to_owned(), count })
}

/// Returns the support of a GPU model. Only a node attribute can select it.
fn gpu_model(context: &Context<'_>, role: RoleId, model: &str) -> Support {
    let Some(attribute) = &context.site.job.gpu_attribute else {
        return Support::unsupported(
            "tasks may get another GPU model: the scheduler only counts GPUs, and cannot select nodes by model, because the option `gpu-attribute` is not set",
            format!(
                "{}; or remove `gpu-model`, and use a queue whose nodes have these GPUs",
                super::placement::gpu_attribute(context)
            ),
            "yarn#gpus",
        );
    };
    super::placement::attribute(context, role, "gpu-model", (&attribute.value, model))
}

fn gpu_memory() -> Support {
    Support::unsupported(
        "tasks may get GPUs with less memory, because the scheduler only counts GPUs and cannot select them by memory",
        "remove `gpu-memory`, and select nodes with enough GPU memory: either by a queue, `target \"yarn\" { queue \"…\" }`; or by a node attribute, `placement { node \"nm.yarn.io/…\" \"…\" }`",
        "yarn#gpus",
    )
}

fn disk() -> Support {
    Support::unsupported(
        "the disk space of a container is neither reserved nor limited: the scheduler manages only memory, cores, and devices",
        "remove `disk`; programs can write to `{scratch}`, a directory on a disk of the node",
        "yarn#disk",
    )
}

/// Returns the support of `shared-memory`. A tmpfs without a size option may use half of the node's memory (Linux, tmpfs.rst). A
/// node has at least the memory of its tasks, so half of a task's memory is always available.
fn shared_memory(context: &Context<'_>, role: RoleId, bytes: u64) -> Support {
    let docker = context.docker(role);
    let memory = context.role(role).resources.memory.value;
    if bytes > memory / 2 {
        return Support::unsupported(
            "the size of /dev/shm cannot be set: by default, it is half of the node's memory, and a node may have no more memory than this task requests",
            format!("write `shared-memory=\"{}\"` or less (half of `memory`)", Memory::floor(memory / 2)),
            "DockerLinuxContainerRuntime: YARN_CONTAINER_RUNTIME_DOCKER_TMPFS_MOUNTS lists paths without sizes",
        );
    }
    if !docker {
        return Support::inherent_but(
            "a program without an image uses the node's `/dev/shm`",
            "tasks use the node's `/dev/shm` and share it with all processes of the node; its default size is half of the node's memory",
        );
    }
    Support::Emulated(
        Mechanism::SharedMemory { role },
        "each container gets a `/dev/shm` of half of the node's memory, because YARN cannot set another size; files in it count toward the memory of the task"
            .to_owned(),
    )
}

/// Returns the support of an additional resource type.
fn device(role: RoleId, name: &str, count: u32) -> Support {
    if let Some(property) = own_property(name) {
        return Support::impossible(
            format!(
                "`{name}` cannot be requested as a `device`, because `resources` has its own property for it"
            ),
            format!("remove the `device` entry, and write `resources {property}`"),
            "yarn#built-in-resource-types",
        );
    }
    if !is_type(name) {
        return Support::impossible(
            format!("`{name}` is not a valid YARN resource type"),
            "use a letter, then letters, digits, `_`, `.`, and `-`, optionally after a domain and `/`, such as `example.com/nic`",
            "yarn#resource-type-names",
        );
    }
    Support::Native(Mechanism::Counted { role, name: name.to_owned(), count })
}

/// Returns the property of `resources` that sets a built-in resource type. `None` for any other type. YARN ignores `memory-mb` and
/// `vcores` as additional types.
fn own_property(name: &str) -> Option<&'static str> {
    match name {
        "memory-mb" | "memory" => Some("memory=\"…\""),
        "vcores" | "cpus" => Some("cpus=…"),
        "yarn.io/gpu" => Some("gpus=…"),
        _ => None,
    }
}

/// Returns whether a resource type has a valid name (`ResourceUtils.RESOURCE_NAME_VALIDATION`).
pub fn is_type(name: &str) -> bool {
    let (domain, last) = name.rsplit_once('/').map_or((None, name), |(domain, last)| (Some(domain), last));
    let word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-');
    let label = |label: &str| {
        let edge = |b: Option<u8>| b.is_some_and(|b| b.is_ascii_alphanumeric());
        edge(label.bytes().next())
            && edge(label.bytes().last())
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    last.starts_with(|c: char| c.is_ascii_alphabetic())
        && last.bytes().all(word)
        && domain.is_none_or(|domain| domain.split('.').all(label))
}
