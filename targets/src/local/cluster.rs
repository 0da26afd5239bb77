//! What becomes of the properties of a cluster file.
use tfjob_lang::cluster::words::{Use, Word};

/// Nothing of this machine is shared with a cluster: it has no queues, and no memory is set aside.
pub const fn site_word(word: Word) -> Use {
    match word {
        Word::DnsDomain => Use::Idle("has no use for `dns-domain`"),
        Word::MemoryStep => Use::Idle("sets no memory aside, so it has no steps of memory"),
        Word::Queue | Word::QueuePartition => Use::Idle("has no queues that a job could name"),
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
