//! Which tasks decide the success of a job.
use super::{RoleKind, keywords};

keywords! {
    /// Whose success is the job's.
    Success {
        /// The chief's; worker 0's where there is none.
        Chief = "chief",
        /// Every worker's, the chief included.
        Workers = "workers",
        /// Every task's.
        All = "all",
    }
}

impl Success {
    /// Whether tasks of a role decide the success of the job; `leads`: whether the role has the task that leads
    /// ([`super::role::leader`]). With `chief` that is its first task alone.
    #[must_use]
    pub const fn is_decided_by(self, kind: RoleKind, leads: bool) -> bool {
        match self {
            Self::Chief => leads,
            Self::Workers => kind.trains(),
            Self::All => kind.joins_rendezvous(),
        }
    }
}
