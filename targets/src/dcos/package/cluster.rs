//! What becomes of each word of a cluster file for jobs of the package.
use crate::dcos::cluster;
use tfjob_lang::cluster::words::{Use, Word};

/// The use of a word.
pub fn site_word(word: Word) -> Use {
    match word {
        Word::Grace => Use::Idle("has no grace period in the package's options"),
        Word::Shared => Use::Idle("mounts no folder of the agents into the package's tasks"),
        Word::GpuModel | Word::SharedMemory => Use::Refused,
        Word::DnsDomain
        | Word::MemoryStep
        | Word::Queue
        | Word::QueuePartition
        | Word::Partition
        | Word::GpuMemory
        | Word::Device
        | Word::Disk
        | Word::Attribute
        | Word::Registry => cluster::site_word(word),
    }
}
