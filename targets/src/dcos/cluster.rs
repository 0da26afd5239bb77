//! How each field of a cluster file is used.
use tfjob_lang::cluster::words::{Use, Word};

/// Returns the use of a field in both forms, unless the form overrides it.
pub fn cluster_field(word: Word) -> Use {
    match word {
        Word::DnsDomain => Use::Idle("ignores `dns-domain`: the DNS domain of DC/OS is fixed"),
        Word::MemoryStep => {
            Use::Idle("ignores `memory-step`: a task gets exactly the memory that it requests")
        }
        Word::Queue | Word::QueuePartition => Use::Idle("ignores queues: a job cannot select one on DC/OS"),
        Word::Partition => Use::Idle("ignores partitions: Mesos agents have only attributes"),
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
