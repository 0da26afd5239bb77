//! How each property of a cluster file is used.
use super::context::Manager;
use super::options::Options;
use tfjob_lang::cluster::words::{Use, Word};

/// Returns the use of a cluster property. Without a master, jobs with any master may run on the cluster.
pub fn site_word(word: Word, options: &Options) -> Use {
    let manager = options.master.as_ref().and_then(|master| Manager::of(master.value.as_str()));
    let not = |other: Manager| manager.is_some_and(|manager| manager != other);
    match word {
        Word::DnsDomain => Use::Idle("has no use for `dns-domain`"),
        // `support::lifecycle::stop_grace` refuses that of every job.
        Word::Grace => {
            Use::Idle("gives a program no time when the application is killed, so no job can request `grace`")
        }
        Word::MemoryStep if not(Manager::Yarn) => Use::Idle("has steps of memory only on YARN"),
        Word::Queue | Word::QueuePartition if not(Manager::Yarn) => Use::Idle("has queues only on YARN"),
        Word::Partition if not(Manager::Yarn) => Use::Idle("has partitions of nodes only on YARN"),
        Word::Registry if manager == Some(Manager::Standalone) => {
            Use::Idle("starts processes, not containers, on a standalone master")
        }
        Word::GpuModel | Word::GpuMemory => Use::Refused,
        Word::Disk | Word::Attribute if not(Manager::Kubernetes) => Use::Refused,
        Word::Device if not(Manager::Yarn) => Use::Refused,
        Word::Disk
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
