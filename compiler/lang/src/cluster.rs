//! The typed cluster file: what a site has. One declaration a field, as in [`crate::spec`].
//!
//! The platform's own words stand in a block of the target's name; its fields are those of `target "NAME"` in a job.
mod contradicted;
pub mod demand;
mod file;
mod limits;
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
pub(crate) use site::{judge, shares};

use crate::at::{At, Named};
use crate::spec::values::{Cores, Duration, Memory, Name, Text, Uri};
use crate::spec::{Attribute, Device};
use schemars::JsonSchema;
use serde::Deserialize;

/// A file: one cluster.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct File {
    /// The cluster.
    pub cluster: At<Cluster>,
}

/// A site: its nodes, its queues, its limits. `tfjob check --cluster` proves that a job fits.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Cluster {
    /// The name.
    #[schemars(extend("x-kdl" = "arg"))]
    pub name: At<Name>,
    /// The target that jobs for this cluster are compiled for. Its own words stand in a block of that name: they hold
    /// for each job whose `target` block does not say otherwise.
    #[schemars(extend("x-kdl" = "prop"))]
    pub target: At<Text>,
    /// Nodes of one kind. What a job may have of each, not what the machine has.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "name"}))]
    pub nodes: Named<At<Nodes>>,
    /// A queue, by the name that jobs write. Once one is named, a job's queue must be one of them.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "named"))]
    pub queue: Named<At<Queue>>,
    /// A registry that the nodes pull from. Once one is named, an image of another is a warning.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "list"))]
    pub registry: Vec<At<Text>>,
    /// The domain in which tasks find each other.
    pub dns_domain: Option<At<Text>>,
    /// What the site grants to one job and to one task.
    pub limits: Option<At<Limits>>,
    /// A folder that every node sees as the same, such as `file:///mnt/nfs`: checkpoints and writable data below it are shared.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "list"))]
    pub shared: Vec<At<Uri>>,
    /// How long a node waits between SIGTERM and the kill.
    pub grace: Option<At<Duration>>,
    /// Each container gets memory in multiples of it, where the platform gives memory in steps. Unless given, the platform's
    /// usual step.
    pub memory_step: Option<At<Memory>>,
}

/// Nodes of one kind. What is not said of `disk`, `shared-memory`, `gpu-model` and `gpu-memory` is not known, and then
/// any job fits it. The same holds for an attribute that no `nodes` sets; of anything else there is none.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Nodes {
    /// How many.
    #[schemars(extend("x-kdl" = "prop"), range(min = 1, max = 100_000))]
    pub count: At<u32>,
    /// Cores of each.
    #[schemars(extend("x-kdl" = "prop"))]
    pub cpus: At<Cores>,
    /// Memory of each.
    #[schemars(extend("x-kdl" = "prop"))]
    pub memory: At<Memory>,
    /// GPUs of each.
    #[schemars(extend("x-kdl" = "prop"), range(max = 1024))]
    pub gpus: Option<At<u32>>,
    /// Their model, by the word that jobs write.
    #[schemars(extend("x-kdl" = "prop"))]
    pub gpu_model: Option<At<Text>>,
    /// Memory of each GPU.
    #[schemars(extend("x-kdl" = "prop"))]
    pub gpu_memory: Option<At<Memory>>,
    /// Scratch space of each.
    #[schemars(extend("x-kdl" = "prop"))]
    pub disk: Option<At<Memory>>,
    /// The most that `/dev/shm` of a task can have.
    #[schemars(extend("x-kdl" = "prop"))]
    pub shared_memory: Option<At<Memory>>,
    /// The partition that they are in.
    #[schemars(extend("x-kdl" = "prop"))]
    pub partition: Option<At<Text>>,
    /// Any other counted kind that each has, such as `rdma/hca`.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "named"))]
    pub device: Named<At<Device>>,
    /// An attribute that each has, as `place { node … }` asks for it.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "named"))]
    pub node: Named<At<Attribute>>,
}

/// A queue. What is not said has no end.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Queue {
    /// Cores of all its tasks.
    #[schemars(extend("x-kdl" = "prop"), range(min = 1))]
    pub cpus: Option<At<u32>>,
    /// Memory of all its tasks.
    #[schemars(extend("x-kdl" = "prop"))]
    pub memory: Option<At<Memory>>,
    /// GPUs of all its tasks; `0` where it gives none.
    #[schemars(extend("x-kdl" = "prop"))]
    pub gpus: Option<At<u32>>,
    /// The partition whose nodes run its tasks, where the platform keeps nodes for the queues of their partition. Unless
    /// given, they run on nodes of no partition.
    #[schemars(extend("x-kdl" = "prop"))]
    pub partition: Option<At<Text>>,
    /// The most cores of one of its tasks, where that is less than `limits` grants.
    #[schemars(extend("x-kdl" = "prop"))]
    pub task_cpus: Option<At<Cores>>,
    /// The most memory of one of its tasks.
    #[schemars(extend("x-kdl" = "prop"))]
    pub task_memory: Option<At<Memory>>,
    /// The most GPUs of one of its tasks; `0` where it gives none.
    #[schemars(extend("x-kdl" = "prop"))]
    pub task_gpus: Option<At<u32>>,
}

/// What the site grants to one job and to one task.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Limits {
    /// Tasks of all its roles and helpers.
    #[schemars(extend("x-kdl" = "prop"), range(min = 1, max = 1_000_000))]
    pub max_tasks: Option<At<u32>>,
    /// The most cores of one task. Unless given, there is a warning where a task is above what the platform usually grants.
    #[schemars(extend("x-kdl" = "prop"))]
    pub task_cpus: Option<At<Cores>>,
    /// The most memory of one task. Unless given, there is a warning where a task is above what the platform usually grants.
    #[schemars(extend("x-kdl" = "prop"))]
    pub task_memory: Option<At<Memory>>,
    /// The most GPUs of one task.
    #[schemars(extend("x-kdl" = "prop"))]
    pub task_gpus: Option<At<u32>>,
}
