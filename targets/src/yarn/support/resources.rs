//! Resources of each task.
use super::Answer;
use crate::cores;
use crate::yarn::context::Context;
use crate::yarn::means::Means;
use tfjob_lang::ask;
use tfjob_lang::plan::RoleId;

/// Answers one requirement: resources of a task.
pub fn answer(ask: &ask::Resources, case: &Context<'_>) -> Answer {
    match ask {
        ask::Resources::Cpus { role, milli } => cpus(*role, *milli),
        ask::Resources::Memory { role, bytes } => memory(*role, *bytes),
        ask::Resources::Gpus { role, count } => gpus(*role, *count),
        ask::Resources::GpuModel { role, model } => gpu_model(case, *role, model),
        ask::Resources::GpuMemory { role: _, bytes: _ } => gpu_memory(),
        ask::Resources::Disk { role: _, bytes: _ } => disk(),
        ask::Resources::SharedMemory { role, bytes } => shared_memory(case, *role, *bytes),
        ask::Resources::Device { role, name, count } => device(*role, name, *count),
    }
}

/// The engine cuts a fraction off: 1.9 cores are 1, and nothing says so. So the next whole number is asked for, and a
/// rule says it.
fn cpus(role: RoleId, milli: u32) -> Answer {
    let means = Means::Cores { role, count: cores::whole(milli) };
    if milli.is_multiple_of(1000) {
        return Answer::Native(means);
    }
    Answer::Emulated(means, format!("the engine counts whole cores: {}", cores::whole(milli)))
}

/// The engine counts MiB; a part of one is a whole one.
fn memory(role: RoleId, bytes: u64) -> Answer {
    Answer::Native(Means::Memory { role, mebibytes: bytes.div_ceil(1 << 20) })
}

fn gpus(role: RoleId, count: u32) -> Answer {
    Answer::Native(Means::Counted { role, name: "yarn.io/gpu".to_owned(), count })
}

/// Only an attribute of the nodes tells models apart.
fn gpu_model(case: &Context<'_>, role: RoleId, model: &str) -> Answer {
    let Some(attribute) = &case.site.job.gpu_attribute else {
        return Answer::refused(
            "counts GPUs and does not know their models",
            "say in which attribute the nodes name it: `target \"yarn\" { gpu-attribute \"nm.yarn.io/…\" }`, or remove `gpu-model` and take the queue of these nodes",
            "yarn-submarine-tony §1.3",
        );
    };
    super::placement::attribute(case, role, &attribute.value, model)
}

fn gpu_memory() -> Answer {
    Answer::refused(
        "counts GPUs and does not know their memory",
        "remove `gpu-memory`, and take a queue or an attribute of nodes that have it",
        "yarn-submarine-tony §1.3",
    )
}

fn disk() -> Answer {
    Answer::refused(
        "neither reserves nor limits the disk of a container",
        "remove `disk`; `{scratch}` is on the node's own disks",
        "yarn-submarine-tony §1.3",
    )
}

/// A memory file system without a size is as large as half of the node's memory (Linux, tmpfs.rst), and a node has at least
/// what its tasks ask for: so half of a task's own is there for each of them, in the node's file system too.
fn shared_memory(case: &Context<'_>, role: RoleId, bytes: u64) -> Answer {
    let docker = case.docker(role);
    let memory = case.role(role).resources.memory.value;
    if bytes > memory / 2 {
        return Answer::refused(
            "gives a memory file system no size: it is half of the node's memory, of which no more than the task's is certain",
            format!("ask for at most half of `memory`: `shared-memory=\"{}MiB\"`", (memory / 2) >> 20),
            "DockerLinuxContainerRuntime: YARN_CONTAINER_RUNTIME_DOCKER_TMPFS_MOUNTS takes paths only",
        );
    }
    if !docker {
        return Answer::inherent_but(
            "a program without an image has the node's own `/dev/shm`",
            "`/dev/shm` is the node's own, which all that runs there shares: half of its memory, unless its administrator has sized it",
        );
    }
    Answer::Emulated(
        Means::SharedMemory { role },
        "`/dev/shm` is a memory file system of half of the node's memory, within the task's own".to_owned(),
    )
}

/// Another resource type of the cluster. The two that have words of their own would be ignored here.
fn device(role: RoleId, name: &str, count: u32) -> Answer {
    if let Some(word) = own(name) {
        return Answer::impossible(
            format!("ignores `{name}` among the other kinds"),
            format!("write `resources {word}`"),
            "yarn-submarine-tony §1.3",
        );
    }
    if !is_type(name) {
        return Answer::impossible(
            format!("accepts no resource type `{name}`"),
            "a name with a letter first, then letters, digits, `_`, `.` and `-`, maybe after a domain and `/`",
            "yarn-observed §4",
        );
    }
    Answer::Native(Means::Counted { role, name: name.to_owned(), count })
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
