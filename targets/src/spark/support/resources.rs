//! Support of the resources of each task. All executors have the same cores, memory, and GPUs.
use super::Support;
use crate::cores;
use crate::spark::context::{BESIDE_HEAP, Context, Manager, heap, mebibytes};
use crate::spark::mechanism::Mechanism;
use crate::spark::text;
use tfjob_lang::requirement::{self, Requirement, Resources};
use tfjob_lang::spec::values::Memory;

/// Returns the support of one requirement about resources.
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

/// Mount path of the scratch volume on Kubernetes.
pub const SCRATCH: &str = "/var/tfjob/scratch";

fn cpus(context: &Context<'_>, milli: u32) -> Support {
    if milli.is_multiple_of(1000) || context.manager == Manager::Kubernetes {
        return Support::Native(Mechanism::Cpus(milli));
    }
    let how = format!(
        "`cpus={}` is rounded up to {}, because Spark counts whole cores",
        cores::written(milli),
        cores::whole(milli)
    );
    Support::Emulated(Mechanism::Cpus(milli), how)
}

/// Returns the support of `memory`. `bytes`: the memory of the whole container, which includes the Java heap.
fn memory(context: &Context<'_>, bytes: u64) -> Support {
    let of_role = mebibytes(bytes);
    let all = context.executor().mebibytes;
    // On a standalone master, the heap is the whole memory, because a worker does not count memory outside the heap.
    let feeds = context.feeds() && context.manager != Manager::Standalone;
    let least = heap(all, feeds) + BESIDE_HEAP;
    if of_role == all && all < least {
        return Support::impossible(
            format!(
                "{} of memory is too little, because an executor also runs a Java process and a Python process next to the program",
                amount(bytes)
            ),
            format!("write at least `memory=\"{}\"`", amount(least << 20)),
            "spark#executor-memory",
        );
    }
    let mechanism = Mechanism::Memory(of_role);
    match context.manager {
        Manager::Standalone => Support::Emulated(
            mechanism,
            "a standalone worker reserves the memory but does not limit it".to_owned(),
        ),
        Manager::Yarn | Manager::Kubernetes => Support::Native(mechanism),
    }
}

/// Formats an amount of memory as in a spec, in the largest unit that needs no fraction.
fn amount(bytes: u64) -> String {
    let kibibytes = format!("{}KiB", bytes.div_ceil(1 << 10));
    Memory::parse(&kibibytes).map_or(kibibytes, |memory| memory.to_string())
}

/// Returns the refusal of a request for GPUs with a certain property. `what`: the property, `model` or `memory`.
fn gpu_kind(what: &str) -> Support {
    let property = if what == "memory" { "memory size" } else { what };
    Support::unsupported(
        format!(
            "executors may get GPUs with another {property}: Spark requests only a number of GPUs and cannot select them by {property}"
        ),
        format!(
            "remove `gpu-{what}`, and add an entry to `job` that selects nodes with these GPUs for all roles: on YARN, `placement {{ partition \"…\" }}`; on Kubernetes, `placement {{ node \"…\" \"…\" }}`"
        ),
        "spark#gpus",
    )
}

/// Returns the largest amount that any role requests, if any. Every executor gets this amount. `of`: returns the amount that a
/// requirement requests.
fn most<T: Ord>(context: &Context<'_>, of: impl Fn(&Requirement) -> Option<T>) -> Option<T> {
    context.plan.requirements.iter().filter_map(|required| of(&required.requirement)).max()
}

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
            format!(
                "disk space can be limited only on Kubernetes, but this job runs on {}",
                context.manager.word()
            ),
            "remove `disk`, or run on Kubernetes: `target \"spark\" { master \"k8s://…\" }`",
            "spark#disk",
        );
    }
    let volume = "spark.kubernetes.executor.volumes.emptyDir.tfjob-scratch";
    let settings = vec![
        (format!("{volume}.mount.path"), SCRATCH.to_owned()),
        (format!("{volume}.options.sizeLimit"), format!("{}Mi", mebibytes(bytes.unwrap_or(0)))),
    ];
    let how = "each pod gets an `emptyDir` volume with this size as its limit; the space is not reserved"
        .to_owned();
    Support::Emulated(Mechanism::Settings(settings), how)
}

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
        // A tmpfs without a size option may use half of the memory of its node (Linux, Documentation/filesystems/tmpfs.rst). The
        // node has at least the memory of its executors.
        let how = "an executor uses the `/dev/shm` of its node, and shares it with all processes of the node; the default size is half of the node's memory";
        return Support::inherent_but("an executor uses its node's `/dev/shm`", how);
    }
    if context.manager != Manager::Kubernetes {
        return fixed_size(context, bare, half);
    }
    let whole = context.executor().mebibytes;
    if bytes.is_some_and(|bytes| mebibytes(bytes) > whole) {
        return Support::unsupported(
            "shared memory counts toward the memory of the executor pod, but this request is larger than that memory",
            format!(
                "write `shared-memory=\"{whole}MiB\"` or less, because each executor has {whole} MiB of memory"
            ),
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

/// Returns the refusal of a size of `/dev/shm` that a cluster manager other than Kubernetes cannot set. `bare`: whether no role
/// has an image. `half`: half of the memory of an executor, in bytes.
fn fixed_size(context: &Context<'_>, bare: bool, half: u64) -> Support {
    if !bare {
        return Support::unsupported(
            format!(
                "Spark on {} cannot set the size of /dev/shm in a Docker container",
                context.manager.word()
            ),
            format!(
                "remove `image`, so that executors use the /dev/shm of the node, and write `shared-memory=\"{}\"` or less: by default, the /dev/shm of a node is half of the memory of the node, and a node has at least the memory of one executor ({})",
                Memory::floor(half),
                Memory::floor(half * 2)
            ),
            "spark#shared-memory",
        );
    }
    Support::unsupported(
        format!(
            "Spark on {} cannot set the size of /dev/shm: by default, it is half of the node's memory, and a node may have no more memory than this task requests",
            context.manager.word()
        ),
        format!(
            "write `shared-memory=\"{}\"` or less (half of the memory of an executor)",
            Memory::floor(half)
        ),
        "spark#shared-memory",
    )
}

/// Returns the support of an additional resource type.
fn device(context: &Context<'_>, name: &str) -> Support {
    let of = |requirement: &Requirement| match requirement {
        Requirement::Resources(Resources::Device { name: other, count, .. }) if other == name => Some(*count),
        _ => None,
    };
    let count = most(context, of).unwrap_or(0);
    let refused = |why, help| Support::unsupported(why, help, "spark#other-devices");
    match name {
        "gpu" | "yarn.io/gpu" => {
            return refused(
                format!(
                    "GPUs cannot be requested as the device `{name}`, because Spark has its own setting for GPUs"
                ),
                "remove the `device` entry, and add `gpus=` to `resources`",
            );
        }
        "fpga" | "yarn.io/fpga" => {
            return refused(
                format!(
                    "the device `{name}` is not supported: Spark has its own setting for FPGAs, which tfjob does not generate"
                ),
                "remove the `device` entry",
            );
        }
        _ if context.manager != Manager::Yarn => {
            return refused(
                format!(
                    "the device `{name}` cannot be requested: Spark on {} supports only cores, memory, and GPUs",
                    context.manager.word()
                ),
                "remove the `device` entry, or run on YARN: `target \"spark\" { master \"yarn\" }`",
            );
        }
        _ if text::plain_fault(name).is_some() => {
            return refused(
                format!("`{name}` is not a valid YARN resource type"),
                "use the name of a resource type of the cluster, such as `example.com/nic`",
            );
        }
        _ => {}
    }
    let settings = vec![(format!("spark.yarn.executor.resource.{name}.amount"), count.to_string())];
    let roles =
        context.plan.requirements.iter().filter(|required| of(&required.requirement) == Some(count)).count();
    if roles == context.plan.roles.len() {
        return Support::Native(Mechanism::Settings(settings));
    }
    let how = format!(
        "all executors of a job are identical, so each executor reserves {count} `{name}`, even if its task requests none"
    );
    Support::Emulated(Mechanism::Settings(settings), how)
}
