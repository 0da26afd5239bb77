//! Which tasks decide the success of a job.
use super::{RoleKind, keywords};

keywords! {
    /// Which tasks decide the success of the job.
    Success {
        /// The chief, or worker 0 if there is no chief.
        Chief = "chief",
        /// All workers, including the chief.
        Workers = "workers",
        /// All tasks, except those of helpers.
        All = "all",
    }
}

impl Success {
    /// Whether tasks of a role decide the success of the job. `leads`: whether the role contains the leader
    /// ([`super::role::leader`]). With [`Self::Chief`], only the leader decides, not the other tasks of its role.
    #[must_use]
    pub const fn is_decided_by(self, kind: RoleKind, leads: bool) -> bool {
        match self {
            Self::Chief => leads,
            Self::Workers => kind.trains(),
            Self::All => kind.joins_rendezvous(),
        }
    }
}
