//! How much of a YARN cluster the containers of an application take, be it a service or Spark's.
use crate::delivered::Start;
use tfjob_lang::cluster::demand::{Demand, Kept, Largest, Queues, Resource};

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

/// `root.ml` and `ml` are one queue (`CSQueueStore.get` of 3.3.6 and 3.4.2, `QueueManager.ensureRootPrefix` of the Fair Scheduler),
/// and an application without a queue is in `default` (`YarnConfiguration.DEFAULT_QUEUE_NAME`).
pub const QUEUES: Queues = Queues { root: Some("root"), default: "default" };

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
