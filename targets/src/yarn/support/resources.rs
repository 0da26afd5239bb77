//! Resources of each task.
use super::Support;
use crate::cores;
use crate::yarn::context::Context;
use crate::yarn::mechanism::Mechanism;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement;

/// Answers one requirement: resources of a task.
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

/// The engine cuts a fraction off: 1.9 cores are 1, and nothing says so. So the next whole number is asked for, and a
/// rule says it.
fn cpus(role: RoleId, milli: u32) -> Support {
    let mechanism = Mechanism::Cores { role, count: cores::whole(milli) };
    if milli.is_multiple_of(1000) {
        return Support::Native(mechanism);
    }
    Support::Emulated(mechanism, format!("the engine counts whole cores: {}", cores::whole(milli)))
}

/// The engine counts MiB; a part of one is a whole one.
fn memory(role: RoleId, bytes: u64) -> Support {
    Support::Native(Mechanism::Memory { role, mebibytes: bytes.div_ceil(1 << 20) })
}

fn gpus(role: RoleId, count: u32) -> Support {
    Support::Native(Mechanism::Counted { role, name: "yarn.io/gpu".to_owned(), count })
}

/// Only an attribute of the nodes tells models apart.
fn gpu_model(context: &Context<'_>, role: RoleId, model: &str) -> Support {
    let Some(attribute) = &context.site.job.gpu_attribute else {
        return Support::unsupported(
            "counts GPUs and does not know their models",
            "say in which attribute the nodes name it: `target \"yarn\" { gpu-attribute \"nm.yarn.io/…\" }`, or remove `gpu-model` and take the queue of these nodes",
            "yarn#gpus",
        );
    };
    super::placement::attribute(context, role, &attribute.value, model)
}

fn gpu_memory() -> Support {
    Support::unsupported(
        "counts GPUs and does not know their memory",
        "remove `gpu-memory`, and take a queue or an attribute of nodes that have it",
        "yarn#gpus",
    )
}

fn disk() -> Support {
    Support::unsupported(
        "neither reserves nor limits the disk of a container",
        "remove `disk`; `{scratch}` is on the node's own disks",
        "yarn#disk",
    )
}

/// A memory file system without a size is as large as half of the node's memory (Linux, tmpfs.rst), and a node has at least
/// what its tasks ask for: so half of a task's own is there for each of them, in the node's file system too.
fn shared_memory(context: &Context<'_>, role: RoleId, bytes: u64) -> Support {
    let docker = context.docker(role);
    let memory = context.role(role).resources.memory.value;
    if bytes > memory / 2 {
        return Support::unsupported(
            "gives a memory file system no size: it is half of the node's memory, of which no more than the task's is certain",
            format!("ask for at most half of `memory`: `shared-memory=\"{}MiB\"`", (memory / 2) >> 20),
            "DockerLinuxContainerRuntime: YARN_CONTAINER_RUNTIME_DOCKER_TMPFS_MOUNTS takes paths only",
        );
    }
    if !docker {
        return Support::inherent_but(
            "a program without an image has the node's own `/dev/shm`",
            "`/dev/shm` is the node's own, which all that runs there shares: half of its memory, unless its administrator has sized it",
        );
    }
    Support::Emulated(
        Mechanism::SharedMemory { role },
        "`/dev/shm` is a memory file system of half of the node's memory, within the task's own".to_owned(),
    )
}

/// Another resource type of the cluster. The two that have words of their own would be ignored here.
fn device(role: RoleId, name: &str, count: u32) -> Support {
    if let Some(word) = own(name) {
        return Support::impossible(
            format!("ignores `{name}` among the other kinds"),
            format!("write `resources {word}`"),
            "yarn#built-in-resource-types",
        );
    }
    if !is_type(name) {
        return Support::impossible(
            format!("accepts no resource type `{name}`"),
            "a name with a letter first, then letters, digits, `_`, `.` and `-`, maybe after a domain and `/`",
            "yarn#resource-type-names",
        );
    }
    Support::Native(Mechanism::Counted { role, name: name.to_owned(), count })
}

/// What sets a resource that the engine ignores among the other kinds, or that has a keyword.
fn own(name: &str) -> Option<&'static str> {
    match name {
        "memory-mb" | "memory" => Some("memory=\"…\""),
        "vcores" | "cpus" => Some("cpus=…"),
        "yarn.io/gpu" => Some("gpus=…"),
        _ => None,
    }
}

/// The engine's own pattern of a resource type (`ResourceUtils.RESOURCE_NAME_VALIDATION`).
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
