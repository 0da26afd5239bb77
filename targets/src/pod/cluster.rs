//! How targets with Pods use each field of a cluster file.
use tfjob_lang::cluster::words::{Use, Word};

/// Returns how targets with Pods use a field of a cluster file.
pub const fn cluster_field(word: Word) -> Use {
    match word {
        Word::DnsDomain => Use::Idle("does not use `dns-domain`"),
        Word::MemoryStep => Use::Idle("does not round memory requests, so it does not use `memory-step`"),
        Word::Partition | Word::QueuePartition => Use::Idle("does not use node partitions"),
        Word::GpuModel
        | Word::GpuMemory
        | Word::Disk
        | Word::SharedMemory
        | Word::Device
        | Word::Attribute
        | Word::Queue
        | Word::Registry
        | Word::Shared
        | Word::Grace => Use::Checked,
    }
}
