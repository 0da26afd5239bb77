//! How a local run uses each field of a cluster file.
use tfjob_lang::cluster::words::{Use, Word};

/// Returns how a local run uses a field of a cluster file. A local run has no queues and reserves no memory.
pub const fn cluster_field(word: Word) -> Use {
    match word {
        Word::DnsDomain => Use::Idle("does not use `dns-domain`"),
        Word::MemoryStep => Use::Idle("reserves no memory, so it does not use `memory-step`"),
        Word::Shared => Use::Idle("runs all tasks on this machine, so it does not use `shared`"),
        Word::Queue | Word::QueuePartition => Use::Idle("does not use queues"),
        Word::GpuModel | Word::GpuMemory | Word::Device => Use::Refused,
        Word::Disk
        | Word::SharedMemory
        | Word::Partition
        | Word::Attribute
        | Word::Registry
        | Word::Grace => Use::Checked,
    }
}
