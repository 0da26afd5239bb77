//! What becomes of each word of a cluster file.
use tfjob_lang::cluster::words::{Use, Word};

/// Returns whether a word of the cluster file is checked, and if not, why.
pub const fn site_word(word: Word) -> Use {
    match word {
        Word::DnsDomain => Use::Idle("has no use for `dns-domain`"),
        Word::MemoryStep => Use::Idle("gives a container exactly the memory that it requests, in no steps"),
        Word::Partition | Word::QueuePartition => Use::Idle("has no partitions of nodes"),
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
