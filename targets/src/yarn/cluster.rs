//! How each property of a cluster file is used.
use tfjob_lang::cluster::words::{Use, Word};

/// Returns the use of a cluster property: an option of this target, a check, or a refusal.
pub const fn cluster_field(word: Word) -> Use {
    match word {
        Word::DnsDomain => Use::Option("dns-domain"),
        Word::Grace => Use::Option("kill-delay"),
        Word::GpuMemory | Word::Disk => Use::Refused,
        Word::GpuModel
        | Word::SharedMemory
        | Word::Partition
        | Word::Device
        | Word::Attribute
        | Word::Queue
        | Word::QueuePartition
        | Word::Registry
        | Word::Shared
        | Word::MemoryStep => Use::Checked,
    }
}
