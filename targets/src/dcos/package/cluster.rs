//! How jobs that the package runs use each field of a cluster file.
use crate::dcos::cluster;
use tfjob_lang::cluster::words::{Use, Word};

/// Returns how the package uses a field of the cluster file.
pub fn cluster_field(word: Word) -> Use {
    match word {
        Word::Grace => Use::Idle("ignores `grace`: the TensorFlow package has no option for a grace period"),
        Word::Shared => {
            Use::Idle("ignores `shared`: the TensorFlow package cannot mount a directory of the agents")
        }
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
        | Word::Registry => cluster::cluster_field(word),
    }
}
