//! The words of a cluster file that not every platform has a use for, and what a target does with each.
use super::{Cluster, Nodes};
use crate::codes::UNUSED_OPTION;
use crate::diagnostic::Diagnostic;
use crate::sources::Span;
use crate::target::AnyTarget;
use crate::tree::Tree;

/// A word of a cluster file. Not here: what every target reads, such as the cores of `nodes`. The fields of `limits` and of a
/// `queue` are read where these are.
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
    /// `node` of nodes: an attribute.
    Attribute,
    /// A queue.
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

/// What a target does with a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Jobs are checked against it.
    Checked,
    /// It stands for this option of the target, and each job gets it.
    Option(&'static str),
    /// It describes nodes, and the target says at each job that asks for it that it gives none of it.
    Refused,
    /// Nothing: a sentence that begins with the target's name says why.
    Idle(&'static str),
}

impl Word {
    /// All of them, in the order of their declaration.
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

    /// As it is written.
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

    /// Where the file has it, each time.
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

/// The words that stand for options of the target, each with its option.
pub(super) fn options(target: &dyn AnyTarget, block: Option<&Tree>) -> Vec<(Word, &'static str)> {
    let option = |word: Word| match target.site_word(word, block) {
        Use::Option(option) => Some((word, option)),
        Use::Checked | Use::Refused | Use::Idle(_) => None,
    };
    Word::ALL.into_iter().filter_map(option).collect()
}

/// Words that change nothing for any job of the target. `block`: the file's own block of it.
pub(super) fn idle(cluster: &Cluster, target: &dyn AnyTarget, block: Option<&Tree>) -> Vec<Diagnostic> {
    let no_queues = matches!(target.site_word(Word::Queue, block), Use::Idle(_));
    // With its queue it goes.
    let told = |word: &Word| !(no_queues && *word == Word::QueuePartition);
    let of = |word: Word| match target.site_word(word, block) {
        Use::Idle(why) => word
            .places(cluster)
            .into_iter()
            .map(|at| {
                Diagnostic::new(&UNUSED_OPTION, at, format!("{} {why}", target.name()))
                    .here("never read")
                    .help("remove it")
            })
            .collect(),
        Use::Checked | Use::Option(_) | Use::Refused => Vec::new(),
    };
    Word::ALL.into_iter().filter(told).flat_map(of).collect()
}
