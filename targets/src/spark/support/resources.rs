//! Resources of each task: all executors have the same, and Spark counts cores, memory and GPUs.
use super::Answer;
use crate::cores;
use crate::spark::context::{BESIDE_HEAP, Context, Manager, heap, mebibytes};
use crate::spark::means::Means;
use crate::spark::text;
use tfjob_lang::ask::{self, Ask, Resources};
use tfjob_lang::spec::values::Memory;

/// Answers one requirement: resources of a task.
pub fn answer(ask: &ask::Resources, case: &Context<'_>) -> Answer {
    match ask {
        ask::Resources::Cpus { milli, .. } => cpus(case, *milli),
        ask::Resources::Memory { bytes, .. } => memory(case, *bytes),
        ask::Resources::Gpus { role, .. } => Answer::Native(Means::Gpus(*role)),
        ask::Resources::GpuModel { .. } => gpu_kind("model"),
        ask::Resources::GpuMemory { .. } => gpu_kind("memory"),
        ask::Resources::Disk { .. } => disk(case),
        ask::Resources::SharedMemory { .. } => shared_memory(case),
        ask::Resources::Device { name, .. } => device(case, name),
    }
}

/// The folder of Kubernetes' scratch volume.
pub const SCRATCH: &str = "/var/tfjob/scratch";

/// Cores.
fn cpus(case: &Context<'_>, milli: u32) -> Answer {
    if milli.is_multiple_of(1000) || case.manager == Manager::Kubernetes {
        return Answer::Native(Means::Cpus(milli));
    }
    let how = format!("Spark counts whole cores: {}", cores::whole(milli));
    Answer::Emulated(Means::Cpus(milli), how)
}

/// The memory of the whole container: Java heap and all that is beside it.
fn memory(case: &Context<'_>, bytes: u64) -> Answer {
    let own = mebibytes(bytes);
    let all = case.executor().mebibytes;
    // A standalone worker gives the heap the whole, and counts nothing beside it.
    let feeds = case.feeds() && case.manager != Manager::Standalone;
    let least = heap(all, feeds) + BESIDE_HEAP;
    if own == all && all < least {
        return Answer::impossible(
            format!(
                "runs a Java machine and a Python beside each program: {} does not hold them",
                amount(bytes)
            ),
            format!("write at least `memory=\"{}\"`", amount(least << 20)),
            "spark-dcos §1.4, §2.2",
        );
    }
    let means = Means::Memory(own);
    match case.manager {
        Manager::Standalone => Answer::Emulated(
            means,
            "a standalone worker sets the memory aside and does not limit it".to_owned(),
        ),
        Manager::Yarn | Manager::Kubernetes => Answer::Native(means),
    }
}

/// Memory in the largest unit that holds it whole, as a job writes it.
fn amount(bytes: u64) -> String {
    let kibibytes = format!("{}KiB", bytes.div_ceil(1 << 10));
    Memory::parse(&kibibytes).map_or(kibibytes, |memory| memory.to_string())
}

/// What Spark cannot choose a GPU by.
fn gpu_kind(what: &str) -> Answer {
    Answer::refused(
        format!("asks for a number of GPUs and cannot choose them by their {what}"),
        format!(
            "remove `gpu-{what}`, and choose the nodes: `place {{ partition \"…\" }}` where the master is YARN, `place {{ node \"…\" \"…\" }}` with `target \"spark\" {{ master \"k8s://…\" }}`"
        ),
        "spark-dcos §2.3",
    )
}

/// The largest amount of a kind that any role asks: every executor has it.
fn most<T: Ord>(case: &Context<'_>, of: impl Fn(&Ask) -> Option<T>) -> Option<T> {
    case.plan.asks.iter().filter_map(|asked| of(&asked.ask)).max()
}

/// Scratch space.
fn disk(case: &Context<'_>) -> Answer {
    let bytes =
        most(
            case,
            |ask| {
                if let Ask::Resources(Resources::Disk { bytes, .. }) = ask { Some(*bytes) } else { None }
            },
        );
    if case.manager != Manager::Kubernetes {
        return Answer::refused(
            format!("sets no disk space aside on {}", case.manager.word()),
            "remove `disk`; executors write where `spark.local.dir` or YARN's local folders are. Or let Kubernetes run them: `target \"spark\" { master \"k8s://…\" }`",
            "spark-dcos §2.3",
        );
    }
    let volume = "spark.kubernetes.executor.volumes.emptyDir.tfjob-scratch";
    let settings = vec![
        (format!("{volume}.mount.path"), SCRATCH.to_owned()),
        (format!("{volume}.options.sizeLimit"), format!("{}Mi", mebibytes(bytes.unwrap_or(0)))),
    ];
    let how = "each pod has an emptyDir of at most that size; none is set aside".to_owned();
    Answer::Emulated(Means::Settings(settings), how)
}

/// `/dev/shm`.
fn shared_memory(case: &Context<'_>) -> Answer {
    let bytes = most(case, |ask| {
        if let Ask::Resources(Resources::SharedMemory { bytes, .. }) = ask { Some(*bytes) } else { None }
    });
    let bare = case.plan.roles.iter().all(|role| role.image.is_none());
    let half = case.executor().mebibytes << 19;
    if case.manager != Manager::Kubernetes && bare && bytes.is_some_and(|bytes| bytes <= half) {
        // A node has at least the memory of its executors; of that Linux gives half to a tmpfs without a size
        // (Documentation/filesystems/tmpfs.rst), and whoever mounts the node's may have given it one.
        let how = "an executor has its node's own `/dev/shm`, which all that runs there shares: half of the node's memory, unless its administrator has sized it";
        return Answer::inherent_but("an executor has its node's own `/dev/shm`", how);
    }
    if case.manager != Manager::Kubernetes {
        return Answer::refused(
            format!("has no word for the size of /dev/shm on {}", case.manager.word()),
            "ask for at most half of `memory`, without `image`: a process on the node has the node's own, which Linux makes half of its memory",
            "spark-dcos §2.3",
        );
    }
    let whole = case.executor().mebibytes;
    if bytes.is_some_and(|bytes| mebibytes(bytes) > whole) {
        return Answer::refused(
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
    Answer::Native(Means::Settings(settings))
}

/// Another counted kind.
fn device(case: &Context<'_>, name: &str) -> Answer {
    let of = |ask: &Ask| match ask {
        Ask::Resources(Resources::Device { name: other, count, .. }) if other == name => Some(*count),
        _ => None,
    };
    let count = most(case, of).unwrap_or(0);
    let gpu = matches!(name, "gpu" | "fpga" | "yarn.io/gpu" | "yarn.io/fpga");
    if case.manager != Manager::Yarn || gpu || text::plain_fault(name).is_some() {
        return Answer::refused(
            format!("asks {} for cores, memory and GPUs, and not for `{name}`", case.manager.word()),
            "ask for GPUs with `gpus=`; other kinds are YARN's, under the site's own names",
            "spark-dcos §2.3",
        );
    }
    let settings = vec![(format!("spark.yarn.executor.resource.{name}.amount"), count.to_string())];
    let roles = case.plan.asks.iter().filter(|asked| of(&asked.ask) == Some(count)).count();
    if roles == case.plan.roles.len() {
        return Answer::Native(Means::Settings(settings));
    }
    let how = format!("every executor is as large as the largest role: each holds {count} of `{name}`");
    Answer::Emulated(Means::Settings(settings), how)
}
