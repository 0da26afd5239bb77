//! How the Spark target uses each field of a cluster file.
use super::context::Manager;
use super::options::Options;
use tfjob_lang::cluster::words::{Use, Word};

/// Returns how a field of a cluster file is used. If the cluster file sets no `master`, it is for jobs with any master, so the
/// fields of all cluster managers are used.
pub fn cluster_field(word: Word, options: &Options) -> Use {
    let manager = options.master.as_ref().and_then(|master| Manager::of(master.value.as_str()));
    let not = |other: Manager| manager.is_some_and(|manager| manager != other);
    match word {
        Word::DnsDomain => Use::Idle("does not use `dns-domain`"),
        // A grace period of the cluster has no use, because `support::lifecycle::stop_grace` refuses `stop grace` in every job.
        Word::Grace => {
            Use::Idle("cannot delay SIGKILL when an application is killed, so no job can request `grace`")
        }
        Word::MemoryStep if not(Manager::Yarn) => Use::Idle("rounds memory up to steps only on YARN"),
        Word::Queue | Word::QueuePartition if not(Manager::Yarn) => Use::Idle("supports queues only on YARN"),
        Word::Partition if not(Manager::Yarn) => Use::Idle("supports node partitions only on YARN"),
        Word::Registry if manager == Some(Manager::Standalone) => {
            Use::Idle("runs executors without containers on a standalone master, so it uses no registry")
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
