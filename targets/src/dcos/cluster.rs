//! How jobs on DC/OS use each field of a cluster file.
use tfjob_lang::cluster::words::{Use, Word};

/// Returns how the package and Marathon apps use a field of the cluster file. For some fields, `package::cluster` returns a
/// different use.
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
