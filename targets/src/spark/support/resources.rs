//! Resources of each task: all executors have the same, and Spark counts cores, memory and GPUs.
use super::Support;
use crate::cores;
use crate::spark::context::{BESIDE_HEAP, Context, Manager, heap, mebibytes};
use crate::spark::mechanism::Mechanism;
use crate::spark::text;
use tfjob_lang::requirement::{self, Requirement, Resources};
use tfjob_lang::spec::values::Memory;

/// Answers one requirement: resources of a task.
pub fn support(requirement: &requirement::Resources, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Resources::Cpus { milli, .. } => cpus(context, *milli),
        requirement::Resources::Memory { bytes, .. } => memory(context, *bytes),
        requirement::Resources::Gpus { role, .. } => Support::Native(Mechanism::Gpus(*role)),
        requirement::Resources::GpuModel { .. } => gpu_kind("model"),
        requirement::Resources::GpuMemory { .. } => gpu_kind("memory"),
        requirement::Resources::Disk { .. } => disk(context),
        requirement::Resources::SharedMemory { .. } => shared_memory(context),
        requirement::Resources::Device { name, .. } => device(context, name),
    }
}

/// The folder of Kubernetes' scratch volume.
pub const SCRATCH: &str = "/var/tfjob/scratch";

/// Cores.
fn cpus(context: &Context<'_>, milli: u32) -> Support {
    if milli.is_multiple_of(1000) || context.manager == Manager::Kubernetes {
        return Support::Native(Mechanism::Cpus(milli));
    }
    let how = format!("Spark counts whole cores: {}", cores::whole(milli));
    Support::Emulated(Mechanism::Cpus(milli), how)
}

/// The memory of the whole container: Java heap and all that is beside it.
fn memory(context: &Context<'_>, bytes: u64) -> Support {
    let own = mebibytes(bytes);
    let all = context.executor().mebibytes;
    // A standalone worker gives the heap the whole, and counts nothing beside it.
    let feeds = context.feeds() && context.manager != Manager::Standalone;
    let least = heap(all, feeds) + BESIDE_HEAP;
    if own == all && all < least {
        return Support::impossible(
            format!(
                "runs a Java machine and a Python beside each program: {} does not hold them",
                amount(bytes)
            ),
            format!("write at least `memory=\"{}\"`", amount(least << 20)),
            "spark#executor-memory",
        );
    }
    let mechanism = Mechanism::Memory(own);
    match context.manager {
        Manager::Standalone => Support::Emulated(
            mechanism,
            "a standalone worker sets the memory aside and does not limit it".to_owned(),
        ),
        Manager::Yarn | Manager::Kubernetes => Support::Native(mechanism),
    }
}

/// Memory in the largest unit that holds it whole, as a job writes it.
fn amount(bytes: u64) -> String {
    let kibibytes = format!("{}KiB", bytes.div_ceil(1 << 10));
    Memory::parse(&kibibytes).map_or(kibibytes, |memory| memory.to_string())
}

/// What Spark cannot choose a GPU by.
fn gpu_kind(what: &str) -> Support {
    Support::unsupported(
        format!("asks for a number of GPUs and cannot choose them by their {what}"),
        format!(
            "remove `gpu-{what}`, and choose the nodes: `placement {{ partition \"…\" }}` where the master is YARN, `placement {{ node \"…\" \"…\" }}` with `target \"spark\" {{ master \"k8s://…\" }}`"
        ),
        "spark#gpus",
    )
}

/// The largest amount of a kind that any role asks: every executor has it.
fn most<T: Ord>(context: &Context<'_>, of: impl Fn(&Requirement) -> Option<T>) -> Option<T> {
    context.plan.requirements.iter().filter_map(|required| of(&required.requirement)).max()
}

/// Scratch space.
fn disk(context: &Context<'_>) -> Support {
    let bytes = most(context, |requirement| {
        if let Requirement::Resources(Resources::Disk { bytes, .. }) = requirement {
            Some(*bytes)
        } else {
            None
        }
    });
    if context.manager != Manager::Kubernetes {
        return Support::unsupported(
            format!("sets no disk space aside on {}", context.manager.word()),
            "remove `disk`; executors write where `spark.local.dir` or YARN's local folders are. Or let Kubernetes run them: `target \"spark\" { master \"k8s://…\" }`",
            "spark#disk",
        );
    }
    let volume = "spark.kubernetes.executor.volumes.emptyDir.tfjob-scratch";
    let settings = vec![
        (format!("{volume}.mount.path"), SCRATCH.to_owned()),
        (format!("{volume}.options.sizeLimit"), format!("{}Mi", mebibytes(bytes.unwrap_or(0)))),
    ];
    let how = "each pod has an emptyDir of at most that size; none is set aside".to_owned();
    Support::Emulated(Mechanism::Settings(settings), how)
}

/// `/dev/shm`.
fn shared_memory(context: &Context<'_>) -> Support {
    let bytes = most(context, |requirement| {
        if let Requirement::Resources(Resources::SharedMemory { bytes, .. }) = requirement {
            Some(*bytes)
        } else {
            None
        }
    });
    let bare = context.plan.roles.iter().all(|role| role.image.is_none());
    let half = context.executor().mebibytes << 19;
    if context.manager != Manager::Kubernetes && bare && bytes.is_some_and(|bytes| bytes <= half) {
        // A node has at least the memory of its executors; of that Linux gives half to a tmpfs without a size
        // (Documentation/filesystems/tmpfs.rst), and whoever mounts the node's may have given it one.
        let how = "an executor has its node's own `/dev/shm`, which all that runs there shares: half of the node's memory, unless its administrator has sized it";
        return Support::inherent_but("an executor has its node's own `/dev/shm`", how);
    }
    if context.manager != Manager::Kubernetes {
        return Support::unsupported(
            format!("has no word for the size of /dev/shm on {}", context.manager.word()),
            "ask for at most half of `memory`, without `image`: a process on the node has the node's own, which Linux makes half of its memory",
            "spark#shared-memory",
        );
    }
    let whole = context.executor().mebibytes;
    if bytes.is_some_and(|bytes| mebibytes(bytes) > whole) {
        return Support::unsupported(
            "counts shared memory as the executor's memory on Kubernetes, and this is more than all of it",
            format!("write `shared-memory=\"{whole}MiB\"` or less: the memory of each executor"),
            "EmptyDirVolumeSource, medium Memory",
        );
    }
    let volume = "spark.kubernetes.executor.volumes.emptyDir.tfjob-shm";
    let settings = vec![
        (format!("{volume}.mount.path"), "/dev/shm".to_owned()),
        (format!("{volume}.options.medium"), "Memory".to_owned()),
        (format!("{volume}.options.sizeLimit"), format!("{}Mi", mebibytes(bytes.unwrap_or(0)))),
    ];
    Support::Native(Mechanism::Settings(settings))
}

/// Another counted kind.
fn device(context: &Context<'_>, name: &str) -> Support {
    let of = |requirement: &Requirement| match requirement {
        Requirement::Resources(Resources::Device { name: other, count, .. }) if other == name => Some(*count),
        _ => None,
    };
    let count = most(context, of).unwrap_or(0);
    let gpu = matches!(name, "gpu" | "fpga" | "yarn.io/gpu" | "yarn.io/fpga");
    if context.manager != Manager::Yarn || gpu || text::plain_fault(name).is_some() {
        return Support::unsupported(
            format!("asks {} for cores, memory and GPUs, and not for `{name}`", context.manager.word()),
            "ask for GPUs with `gpus=`; other kinds are YARN's, under the site's own names",
            "spark#other-devices",
        );
    }
    let settings = vec![(format!("spark.yarn.executor.resource.{name}.amount"), count.to_string())];
    let roles =
        context.plan.requirements.iter().filter(|required| of(&required.requirement) == Some(count)).count();
    if roles == context.plan.roles.len() {
        return Support::Native(Mechanism::Settings(settings));
    }
    let how = format!("every executor is as large as the largest role: each holds {count} of `{name}`");
    Support::Emulated(Mechanism::Settings(settings), how)
}
