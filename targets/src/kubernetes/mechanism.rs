//! Lowering decisions of the TFJob target: one variant per supported requirement, with all data that lowering needs.
use super::schema::{CleanPodPolicy, RestartPolicy};
use crate::pod;
use crate::pod::mechanism::{Duty, Mount};
use tfjob_lang::plan::RoleId;
use tfjob_lang::spec::Success;

/// How a TFJob implements a requirement. A variant with a role concerns the Pods of this role, any other variant the whole job.
#[derive(Debug, Clone)]
pub enum Mechanism {
    /// A mechanism that concerns only Pods, so it is not specific to TFJobs.
    Pod(pod::mechanism::Mechanism),
    /// Name of the TFJob.
    Name(String),
    /// Annotation of the TFJob.
    Annotation { key: String, value: String },
    /// Entry of `tfReplicaSpecs`.
    Replicas { role: RoleId, count: u32 },
    /// Number of the rendezvous port.
    ClusterPort { role: RoleId, number: u16 },
    /// `restartPolicy` of a role.
    Policy { role: RoleId, policy: RestartPolicy },
    /// `enableDynamicWorker`: the operator recreates lost workers.
    Dynamic,
    /// Gang scheduling of all Pods.
    Gang,
    /// `activeDeadlineSeconds` of each Pod. `job`: whether `runPolicy` of the TFJob gets the same deadline.
    Deadline { seconds: i64, job: bool },
    /// What decides job success: all workers, or the default of the operator (the chief, or worker 0 without a chief).
    Success { all_workers: bool },
    /// The shims of `role`, which decides job success, exit only after the tasks of the roles `others` have finished.
    Outlive { role: RoleId, others: Vec<RoleId>, success: Success },
    /// Workers continue after the chief has finished.
    WorkersGoOn,
    /// The operator deletes the Pods that still run when the job ends.
    Stop,
    /// Which Pods stay after the job ends, and for how many seconds.
    Keep { policy: CleanPodPolicy, ttl: Option<i64> },
    /// Patch of the TFJob, or of a role.
    Patch { role: Option<RoleId>, text: String },
}

impl Mechanism {
    /// Returns the mechanism for one duty of the shim.
    #[must_use]
    pub const fn shim(duty: Duty) -> Self {
        Self::Pod(pod::mechanism::Mechanism::Shim(duty))
    }

    /// Returns the volume that this mechanism mounts, if any.
    #[must_use]
    pub const fn mount(&self) -> Option<&Mount> {
        if let Self::Pod(pod::mechanism::Mechanism::Mount(mount)) = self { Some(mount) } else { None }
    }

    /// Returns whether this mechanism needs the shim.
    #[must_use]
    pub const fn is_shims(&self) -> bool {
        matches!(self, Self::Outlive { .. }) || matches!(self, Self::Pod(mechanism) if mechanism.is_shims())
    }
}
