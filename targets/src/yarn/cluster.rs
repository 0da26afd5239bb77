//! How the YARN target uses each field of a cluster file.
use tfjob_lang::cluster::words::{Use, Word};

/// Returns how a field of a cluster file is used: as an option of this target, or for a check. A field is refused if this target
/// accepts no job that needs it.
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
