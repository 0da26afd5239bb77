//! How much of a YARN cluster the containers of an application take, be it a service or Spark's.
use crate::codes::QUEUE_PATH;
use crate::delivered::Start;
use tfjob_lang::cluster::demand::{DefaultQueue, Demand, Kept, Largest, Queues, Resource};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::sources::Span;

/// Why a program is not looked for in the directory of its image: Docker gets `--workdir`
/// (`DockerLinuxContainerRuntime.launchContainer`, 3.1.1 to 3.4.2).
pub const START: Start = Start::Container("YARN does not start a container in the image's `WORKDIR`");

/// The step of memory allocations in bytes, where nothing sets it (`yarn.scheduler.minimum-allocation-mb`).
const STEP: u64 = 1 << 30;

/// The largest container, where nothing sets it (`yarn-default.xml` of 3.1.1 to 3.4.2). GPUs have no such limit.
const LARGEST: [Largest; 2] = [
    Largest {
        resource: Resource::Cpus,
        amount: 4000,
        fact: "YARN refuses more than 4 cores unless `yarn.scheduler.maximum-allocation-vcores` allows it",
    },
    Largest {
        resource: Resource::Memory,
        amount: 8 << 30,
        fact: "YARN refuses more than 8GiB of memory unless `yarn.scheduler.maximum-allocation-mb` allows it",
    },
];

/// The Capacity Scheduler finds a queue by its full path, from 3.3.0 on, and by its last name where no other queue has it
/// (`CSQueueStore.get` of 3.3.0 to 3.4.2, `CapacitySchedulerQueueManager.getQueue` of 3.2.4); the Fair Scheduler by its path
/// with or without `root` (`QueueManager.ensureRootPrefix`). An application without a queue is in `default`
/// (`YarnConfiguration.DEFAULT_QUEUE_NAME`).
const QUEUES: Queues = Queues {
    option: "queue",
    root: Some("root"),
    default: DefaultQueue {
        name: "default",
        sure: true,
        fact: "the job names no queue: YARN puts it into `default`, which the cluster file does not have",
        help: "or add `queue \"default\"` to the cluster file; a site can also choose the queue of a job by who submits it (`yarn.scheduler.capacity.queue-mappings`)",
    },
};

/// Warns of the name of a queue that YARN's Capacity Scheduler does not know. The Fair Scheduler takes each of them, and which
/// of both a site has is unknown. `newer`: how a job says that its cluster is Hadoop 3.3 or newer; none where it surely is.
pub fn queue_path(name: &str, at: Span, newer: Option<&str>) -> Option<Diagnostic> {
    let (path, last) = name.rsplit_once('.').filter(|(path, last)| !path.is_empty() && !last.is_empty())?;
    let rooted = name.starts_with("root.");
    let top = if path == "root" { "" } else { "; the Fair Scheduler takes paths only" };
    let (fact, help) = match newer {
        Some(newer) if rooted => (
            format!(
                "before 3.3 YARN's Capacity Scheduler does not know `{name}`: it finds a queue by its last name alone"
            ),
            format!("write `{last}`{newer}{top}"),
        ),
        None if rooted => return None,
        Some(_) => (
            format!(
                "YARN's Capacity Scheduler does not know `{name}`: a path begins with `root`, and before 3.3 it finds a queue by its last name alone"
            ),
            format!("write `{last}`; the Fair Scheduler takes paths only"),
        ),
        None => (
            format!("YARN's Capacity Scheduler does not know `{name}`: a path begins with `root`"),
            format!("write `root.{name}`, or `{last}` where no other queue ends in it"),
        ),
    };
    let told = Diagnostic::new(&QUEUE_PATH, at, fact);
    Some(told.here("refused as an unknown queue at submission").help(help))
}

/// What YARN's scheduler makes of the requests of an application: whole cores, memory in steps (`SchedulerUtils.normalizeRequest`),
/// and nodes of the queue's partition alone (`RegularContainerAllocator.preCheckForNodeCandidateSet`).
pub fn schedule(demand: &mut Demand) {
    demand.round_cores();
    demand.memory_step = Some(STEP);
    demand.largest = LARGEST.to_vec();
    demand.queues = Some(QUEUES);
    demand.keeps_partitions = Some(Kept {
        fact: "YARN starts tasks on nodes of their queue's partition, and on those of a partition that is not exclusive while they are idle",
        rest: "the queue's nodes have no room for",
        help: "take a queue whose partition has room; if this queue has one, name it in the cluster file, by `partition` of the queue",
    });
}
