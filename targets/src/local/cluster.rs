//! Use of each field of a cluster file.
use tfjob_lang::cluster::words::{Use, Word};

/// Returns how a field of a cluster file is used. A local run has no queues and reserves no memory.
pub const fn cluster_field(word: Word) -> Use {
    match word {
        Word::DnsDomain => Use::Idle("does not use `dns-domain`"),
        Word::MemoryStep => Use::Idle("reserves no memory, so it does not use `memory-step`"),
        Word::Queue | Word::QueuePartition => Use::Idle("does not use queues"),
        Word::GpuModel | Word::GpuMemory | Word::Device => Use::Refused,
        Word::Disk
        | Word::SharedMemory
        | Word::Partition
        | Word::Attribute
        | Word::Registry
        | Word::Shared
        | Word::Grace => Use::Checked,
    }
}
