//! The typed cluster file: nodes, queues, and limits. One declaration per field, as in [`crate::spec`].
//!
//! Platform-specific options are in a block with the name of the target. Its fields are those of `target "NAME"` in a job.
mod contradicted;
pub mod demand;
mod file;
mod limits;
mod mismatch;
mod naming;
pub mod packing;
mod place;
mod queues;
mod racks;
mod room;
mod site;
pub mod words;

pub(crate) use file::Known;
pub use file::{ClusterFile, read};
pub(crate) use mismatch::other_target;
pub(crate) use site::{declare_shared, judge, shares};

use crate::at::{At, Named};
use crate::spec::values::{Cores, Duration, Memory, Name, Text, Uri};
use crate::spec::{Attribute, Device};
use schemars::JsonSchema;
use serde::Deserialize;

/// Root of a cluster file. A cluster file declares one cluster.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct File {
    /// The cluster.
    pub cluster: At<Cluster>,
}

/// A cluster: its nodes, queues, and limits. `tfjob check --cluster` validates jobs against it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Cluster {
    /// Name of the cluster.
    #[schemars(extend("x-kdl" = "arg"))]
    pub name: At<Name>,
    /// Target of the jobs on this cluster. A block with the name of the target sets defaults for its options; the `target`
    /// block of a job overrides them.
    #[schemars(extend("x-kdl" = "prop"))]
    pub target: At<Text>,
    /// A group of identical nodes. The resources are those that a node can allocate to tasks, not the total capacity of the node.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "name"}))]
    pub nodes: Named<At<Nodes>>,
    /// A queue of the cluster, under the name that jobs write to select it. If the file declares queues, the queue of each job must
    /// be one of them.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "named"))]
    pub queue: Named<At<Queue>>,
    /// Container registry that the nodes can pull from. If the file declares registries, images of other registries cause a
    /// warning.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "list"))]
    pub registry: Vec<At<Text>>,
    /// DNS domain of the host names of tasks.
    pub dns_domain: Option<At<Text>>,
    /// Limits per job and per task.
    pub limits: Option<At<Limits>>,
    /// Directory that is a shared mount on every node, such as `file:///mnt/nfs`. Checkpoints and writable data below it
    /// are shared.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "list"))]
    pub shared: Vec<At<Uri>>,
    /// Time between SIGTERM and SIGKILL when a node stops a task. A job cannot request a longer time.
    pub grace: Option<At<Duration>>,
    /// Allocation increment: the platform rounds the memory of each container up to a multiple of this size. Only on platforms that
    /// round memory. If unset, checks assume the default increment of the platform.
    pub memory_step: Option<At<Memory>>,
}

/// A group of identical nodes. If `disk`, `shared-memory`, `gpu-model` or `gpu-memory` is unset, it is unknown and not
/// checked. A node label or attribute (`node`) is checked only if at least one `nodes` block sets it: then the nodes of the other
/// blocks do not have it. Other unset resources are 0.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Nodes {
    /// Number of nodes.
    #[schemars(extend("x-kdl" = "prop"), range(min = 1, max = 100_000))]
    pub count: At<u32>,
    /// CPU cores per node.
    #[schemars(extend("x-kdl" = "prop"))]
    pub cpus: At<Cores>,
    /// Memory per node.
    #[schemars(extend("x-kdl" = "prop"))]
    pub memory: At<Memory>,
    /// GPUs per node.
    #[schemars(extend("x-kdl" = "prop"), range(max = 1024))]
    pub gpus: Option<At<u32>>,
    /// GPU model: the name that jobs write in `gpu-model`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub gpu_model: Option<At<Text>>,
    /// Memory per GPU.
    #[schemars(extend("x-kdl" = "prop"))]
    pub gpu_memory: Option<At<Memory>>,
    /// Local scratch space per node.
    #[schemars(extend("x-kdl" = "prop"))]
    pub disk: Option<At<Memory>>,
    /// Maximum size of `/dev/shm` per task.
    #[schemars(extend("x-kdl" = "prop"))]
    pub shared_memory: Option<At<Memory>>,
    /// Partition that these nodes belong to: the name that jobs write in `placement { partition … }`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub partition: Option<At<Text>>,
    /// Extended resource per node, such as `rdma/hca`, and its amount.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "named"))]
    pub device: Named<At<Device>>,
    /// Node label or attribute that `placement { node … }` of a job can request.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "named"))]
    pub node: Named<At<Attribute>>,
}

/// A queue. A limit that is unset is not checked.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Queue {
    /// CPU cores that all tasks in this queue can use in total.
    #[schemars(extend("x-kdl" = "prop"), range(min = 1))]
    pub cpus: Option<At<u32>>,
    /// Memory that all tasks in this queue can use in total.
    #[schemars(extend("x-kdl" = "prop"))]
    pub memory: Option<At<Memory>>,
    /// GPUs that all tasks in this queue can use in total. `0`: the queue provides no GPUs.
    #[schemars(extend("x-kdl" = "prop"))]
    pub gpus: Option<At<u32>>,
    /// Partition of the nodes that run the tasks of this queue, on platforms with partitions. Default: the nodes without a
    /// partition.
    #[schemars(extend("x-kdl" = "prop"))]
    pub partition: Option<At<Text>>,
    /// Maximum CPU cores per task in this queue. If `limits` also has `task-cpus`, the lower of the two applies.
    #[schemars(extend("x-kdl" = "prop"))]
    pub task_cpus: Option<At<Cores>>,
    /// Maximum memory per task in this queue. If `limits` also has `task-memory`, the lower of the two applies.
    #[schemars(extend("x-kdl" = "prop"))]
    pub task_memory: Option<At<Memory>>,
    /// Maximum GPUs per task in this queue. `0`: the queue provides no GPUs. If `limits` also has `task-gpus`, the lower of the two
    /// applies.
    #[schemars(extend("x-kdl" = "prop"))]
    pub task_gpus: Option<At<u32>>,
}

/// Limits per job and per task.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Limits {
    /// Maximum number of tasks per job, including those of helpers.
    #[schemars(extend("x-kdl" = "prop"), range(min = 1, max = 1_000_000))]
    pub max_tasks: Option<At<u32>>,
    /// Maximum CPU cores per task. If unset, a task above the default limit of the platform causes a warning.
    #[schemars(extend("x-kdl" = "prop"))]
    pub task_cpus: Option<At<Cores>>,
    /// Maximum memory per task. If unset, a task above the default limit of the platform causes a warning.
    #[schemars(extend("x-kdl" = "prop"))]
    pub task_memory: Option<At<Memory>>,
    /// Maximum GPUs per task.
    #[schemars(extend("x-kdl" = "prop"))]
    pub task_gpus: Option<At<u32>>,
}
