//! What becomes of each word of a cluster file.
use tfjob_lang::cluster::words::{Use, Word};

/// The use of a word, where a form has no other.
pub fn site_word(word: Word) -> Use {
    match word {
        Word::DnsDomain => Use::Idle("has no use for `dns-domain`"),
        Word::MemoryStep => Use::Idle("gives a task exactly the memory that it requests, in no steps"),
        Word::Queue | Word::QueuePartition => Use::Idle("has no queues that a job could name"),
        Word::Partition => Use::Idle("has no partitions of nodes"),
        Word::GpuMemory | Word::Device => Use::Refused,
        Word::GpuModel
        | Word::Disk
        | Word::SharedMemory
        | Word::Attribute
        | Word::Registry
        | Word::Shared
        | Word::Grace => Use::Checked,
    }
}
