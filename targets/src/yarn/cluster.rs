//! What becomes of the properties of a cluster file.
use tfjob_lang::cluster::words::{Use, Word};

/// A domain and a delay are options of this target; the rest is checked or refused.
pub const fn site_word(word: Word) -> Use {
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
