//! How YARN places the containers of a service or of a Spark application: their queue, their cores, and their memory.
use crate::codes::QUEUE_PATH;
use crate::delivered::Start;
use tfjob_lang::cluster::demand::{DefaultQueue, Demand, Largest, NodePolicy, Queues, Resource};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::sources::Span;

/// Directory in which a container starts. It is not the `WORKDIR` of the image, because YARN passes `--workdir` to Docker
/// (`DockerLinuxContainerRuntime.launchContainer`, 3.1.1 to 3.4.2).
pub const START: Start = Start::Container(
    "the task starts in a directory that the NodeManager creates, not in the `WORKDIR` of the image",
);

/// Default step of memory allocations in bytes (`yarn.scheduler.minimum-allocation-mb`).
const STEP: u64 = 1 << 30;

/// Default limits of YARN for the cores and the memory of one container (`yarn-default.xml` of 3.1.1 to 3.4.2). There is no default
/// limit for GPUs.
const LARGEST: [Largest; 2] = [
    Largest {
        resource: Resource::Cpus,
        amount: 4000,
        fact: "by default YARN refuses containers with more than 4 cores (`yarn.scheduler.maximum-allocation-vcores`)",
    },
    Largest {
        resource: Resource::Memory,
        amount: 8 << 30,
        fact: "by default YARN refuses containers with more than 8GiB of memory (`yarn.scheduler.maximum-allocation-mb`)",
    },
];

/// Rules by which YARN finds a queue. The Capacity Scheduler finds a queue by its full path (since 3.3.0), or by the last part of
/// the path if this is unique. Source: `CSQueueStore.get` of 3.3.0 to 3.4.2, and `CapacitySchedulerQueueManager.getQueue` of
/// 3.2.4. The Fair Scheduler finds a queue by its path, with or without `root` (`QueueManager.ensureRootPrefix`). An application
/// without a queue is in `default` (`YarnConfiguration.DEFAULT_QUEUE_NAME`).
const QUEUES: Queues = Queues {
    option: "queue",
    root: Some("root"),
    default: DefaultQueue {
        name: "default",
        sure: true,
        fact: "the job sets no queue, so YARN puts it into `default`, which the cluster file does not list",
        help: "or add `queue \"default\"` to the cluster file; ignore this warning if the cluster maps users to queues (`yarn.scheduler.capacity.queue-mappings`)",
    },
};

/// Warns of a queue path, such as `root.ml`, that the Capacity Scheduler cannot find. The Fair Scheduler accepts any such path, but
/// the compiler does not know which scheduler the cluster uses. `newer`: text that tells the user how to declare Hadoop 3.3 or
/// later in the spec. `None` if the spec already declares such a version.
pub fn queue_path(name: &str, at: Span, newer: Option<&str>) -> Option<Diagnostic> {
    let (path, last) = name.rsplit_once('.').filter(|(path, last)| !path.is_empty() && !last.is_empty())?;
    let rooted = name.starts_with("root.");
    let top = if path == "root" {
        ""
    } else {
        "; ignore this warning if the cluster uses the Fair Scheduler, which accepts only paths"
    };
    let (fact, help) = match newer {
        Some(newer) if rooted => (
            format!(
                "before Hadoop 3.3, the Capacity Scheduler cannot find `{name}`: it finds a queue only by the last part of its path"
            ),
            format!("write `{last}`{newer}{top}"),
        ),
        None if rooted => return None,
        Some(_) => (
            format!(
                "the Capacity Scheduler cannot find `{name}`: a path must begin with `root`, and before Hadoop 3.3 only the last part of a path is supported"
            ),
            format!(
                "write `{last}`; ignore this warning if the cluster uses the Fair Scheduler, which accepts only paths"
            ),
        ),
        None => (
            format!("the Capacity Scheduler cannot find `{name}`: a path must begin with `root`"),
            format!("write `root.{name}`, or `{last}` if no other queue path ends in `.{last}`"),
        ),
    };
    let found = Diagnostic::new(&QUEUE_PATH, at, fact);
    Some(found.here("refused as an unknown queue at submission").help(help))
}

/// Applies the rules of YARN's scheduler to a demand. YARN counts whole cores, allocates memory in steps
/// (`SchedulerUtils.normalizeRequest`), and uses only nodes of the queue's partition
/// (`RegularContainerAllocator.preCheckForNodeCandidateSet`).
pub fn schedule(demand: &mut Demand) {
    demand.round_cores();
    demand.memory_step = Some(STEP);
    demand.largest = LARGEST.to_vec();
    demand.queues = Some(QUEUES);
    demand.keeps_partitions = Some(NodePolicy {
        fact: "the nodes of the queue's partition have too little capacity, and YARN uses nodes of other partitions only while they are idle",
        help: "use a queue whose partition has enough capacity; or, if the cluster file sets the wrong partition or none for this queue, correct `partition` of the `queue` there",
    });
}
