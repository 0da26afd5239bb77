//! What a TFJob does for a requirement: one variant per supported requirement, with all data that lowering needs.
use super::schema::{CleanPodPolicy, RestartPolicy};
use crate::pod;
use crate::pod::mechanism::{Duty, Mount};
use tfjob_lang::plan::RoleId;
use tfjob_lang::spec::Success;

/// One means. What names a role is for its Pods, else it is for the job.
#[derive(Debug, Clone)]
pub enum Mechanism {
    /// The Pods do it.
    Pod(pod::mechanism::Mechanism),
    /// The TFJob's name.
    Name(String),
    /// An annotation of the job.
    Annotation { key: String, value: String },
    /// A role of the TFJob.
    Replicas { role: RoleId, count: u32 },
    /// The port of the rendezvous.
    ClusterPort { role: RoleId, number: u16 },
    /// What becomes of a Pod whose container ends.
    Policy { role: RoleId, policy: RestartPolicy },
    /// Workers that are lost come back.
    Dynamic,
    /// All Pods or none.
    Gang,
    /// Seconds of each Pod, and whether the operator must look at the job too.
    Deadline { seconds: i64, job: bool },
    /// Whether all workers' success is the job's, or the operator's rule.
    Success { all_workers: bool },
    /// The shim ends the task that decides only after others.
    Outlive { role: RoleId, others: Vec<RoleId>, success: Success },
    /// Workers go on when the chief is done.
    WorkersGoOn,
    /// What still runs at the end is stopped.
    Stop,
    /// What stays after the end.
    Keep { policy: CleanPodPolicy, ttl: Option<i64> },
    /// Text merged into the TFJob, or into a role.
    Patch { role: Option<RoleId>, text: String },
}

impl Mechanism {
    /// The shim does it.
    #[must_use]
    pub const fn shim(duty: Duty) -> Self {
        Self::Pod(pod::mechanism::Mechanism::Shim(duty))
    }

    /// The storage that it mounts.
    #[must_use]
    pub const fn mount(&self) -> Option<&Mount> {
        if let Self::Pod(pod::mechanism::Mechanism::Mount(mount)) = self { Some(mount) } else { None }
    }

    /// Whether this one is the shim's.
    #[must_use]
    pub const fn is_shims(&self) -> bool {
        matches!(self, Self::Outlive { .. }) || matches!(self, Self::Pod(mechanism) if mechanism.is_shims())
    }
}
