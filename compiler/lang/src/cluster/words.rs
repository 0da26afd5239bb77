//! Fields of a cluster file that only some targets use, and how a target uses each of them.
use super::{Cluster, Nodes};
use crate::codes::UNUSED_OPTION;
use crate::diagnostic::Diagnostic;
use crate::sources::Span;
use crate::target::AnyTarget;
use crate::tree::Tree;

/// A field of a cluster file that not every target reads. Fields that every target reads, such as `cpus` of `nodes` and all of
/// `limits`, have no variant. [`Word::Queue`] stands for all fields of a `queue` block except `partition`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// `gpu-model` of nodes.
    GpuModel,
    /// `gpu-memory` of nodes.
    GpuMemory,
    /// `disk` of nodes.
    Disk,
    /// `shared-memory` of nodes.
    SharedMemory,
    /// `partition` of nodes.
    Partition,
    /// `device` of nodes.
    Device,
    /// `node` in a `nodes` block: a node label or attribute.
    Attribute,
    /// `queue`.
    Queue,
    /// `partition` of a queue.
    QueuePartition,
    /// `registry`.
    Registry,
    /// `dns-domain`.
    DnsDomain,
    /// `shared`.
    Shared,
    /// `grace`.
    Grace,
    /// `memory-step`.
    MemoryStep,
}

/// How a target uses a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Jobs are checked against the value of the field.
    Checked,
    /// The value of the field is the default for this option of the target, in every job.
    Option(&'static str),
    /// The field describes nodes, but jobs on this target cannot request what it describes. The target refuses each such request.
    Refused,
    /// The target ignores the field. The text is the reason: a clause that the message prints after the name of the target.
    Idle(&'static str),
}

impl Word {
    /// All fields, in order of declaration.
    pub const ALL: [Self; 14] = [
        Self::GpuModel,
        Self::GpuMemory,
        Self::Disk,
        Self::SharedMemory,
        Self::Partition,
        Self::Device,
        Self::Attribute,
        Self::Queue,
        Self::QueuePartition,
        Self::Registry,
        Self::DnsDomain,
        Self::Shared,
        Self::Grace,
        Self::MemoryStep,
    ];

    /// Returns the keyword of the field in a cluster file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::GpuModel => "gpu-model",
            Self::GpuMemory => "gpu-memory",
            Self::Disk => "disk",
            Self::SharedMemory => "shared-memory",
            Self::Partition | Self::QueuePartition => "partition",
            Self::Device => "device",
            Self::Attribute => "node",
            Self::Queue => "queue",
            Self::Registry => "registry",
            Self::DnsDomain => "dns-domain",
            Self::Shared => "shared",
            Self::Grace => "grace",
            Self::MemoryStep => "memory-step",
        }
    }

    /// Returns the block of the cluster file that contains the field. `None` for a field of the cluster itself.
    #[must_use]
    pub const fn block(self) -> Option<&'static str> {
        match self {
            Self::GpuModel
            | Self::GpuMemory
            | Self::Disk
            | Self::SharedMemory
            | Self::Partition
            | Self::Device
            | Self::Attribute => Some("nodes"),
            Self::QueuePartition => Some("queue"),
            Self::Queue
            | Self::Registry
            | Self::DnsDomain
            | Self::Shared
            | Self::Grace
            | Self::MemoryStep => None,
        }
    }

    /// Returns the spans at which a message about the field is reported. A field of a `nodes` or `queue` block is reported in each
    /// block that sets it. Of several `queue`, `registry`, or `shared` entries, only the first is reported.
    fn places(self, cluster: &Cluster) -> Vec<Span> {
        let nodes = |of: &dyn Fn(&Nodes) -> Option<Span>| {
            cluster.nodes.iter().filter_map(|(_, nodes)| of(&nodes.value)).collect()
        };
        let one = |place: Option<Span>| place.into_iter().collect();
        match self {
            Self::GpuModel => nodes(&|nodes| Some(nodes.gpu_model.as_ref()?.span)),
            Self::GpuMemory => nodes(&|nodes| Some(nodes.gpu_memory.as_ref()?.span)),
            Self::Disk => nodes(&|nodes| Some(nodes.disk.as_ref()?.span)),
            Self::SharedMemory => nodes(&|nodes| Some(nodes.shared_memory.as_ref()?.span)),
            Self::Partition => nodes(&|nodes| Some(nodes.partition.as_ref()?.span)),
            Self::Device => nodes(&|nodes| Some(nodes.device.0.first()?.0.span)),
            Self::Attribute => nodes(&|nodes| Some(nodes.node.0.first()?.0.span)),
            Self::Queue => one(cluster.queue.0.first().map(|(name, _)| name.span)),
            Self::QueuePartition => {
                let own = cluster.queue.iter().filter_map(|(_, queue)| queue.value.partition.as_ref());
                own.map(|partition| partition.span).collect()
            }
            Self::Registry => one(cluster.registry.first().map(|registry| registry.span)),
            Self::DnsDomain => one(cluster.dns_domain.as_ref().map(|domain| domain.span)),
            Self::Shared => one(cluster.shared.first().map(|shared| shared.span)),
            Self::Grace => one(cluster.grace.as_ref().map(|grace| grace.span)),
            Self::MemoryStep => one(cluster.memory_step.as_ref().map(|step| step.span)),
        }
    }
}

/// Returns the fields that set an option of the target, each with the name of the option. `block`: the block of the target in
/// the file.
pub(super) fn options(target: &dyn AnyTarget, block: Option<&Tree>) -> Vec<(Word, &'static str)> {
    let option = |word: Word| match target.cluster_field(word, block) {
        Use::Option(option) => Some((word, option)),
        Use::Checked | Use::Refused | Use::Idle(_) => None,
    };
    Word::ALL.into_iter().filter_map(option).collect()
}

/// Returns whether the target ignores a field of a cluster file. `options`: the block of the target in the file. `block`: the block that
/// contains the field ([`Word::block`]).
#[must_use]
pub fn is_ignored(target: &dyn AnyTarget, options: Option<&Tree>, block: Option<&str>, field: &str) -> bool {
    let is_meant = |word: &Word| word.block() == block && word.name() == field;
    let is_idle = |word: Word| matches!(target.cluster_field(word, options), Use::Idle(_));
    Word::ALL.into_iter().filter(is_meant).any(is_idle)
}

/// Warns of fields that the target ignores. `block`: the block of the target in the file.
pub(super) fn idle(cluster: &Cluster, target: &dyn AnyTarget, block: Option<&Tree>) -> Vec<Diagnostic> {
    let no_queues = matches!(target.cluster_field(Word::Queue, block), Use::Idle(_));
    // If `queue` is ignored, the warning about it also covers its `partition`.
    let told = |word: &Word| !(no_queues && *word == Word::QueuePartition);
    let of = |word: Word| match target.cluster_field(word, block) {
        Use::Idle(why) => word
            .places(cluster)
            .into_iter()
            .map(|at| {
                Diagnostic::new(&UNUSED_OPTION, at, format!("{} {why}", target.name()))
                    .here("ignored")
                    .help(format!("remove `{}`", word.name()))
            })
            .collect(),
        Use::Checked | Use::Option(_) | Use::Refused => Vec::new(),
    };
    Word::ALL.into_iter().filter(told).flat_map(of).collect()
}
