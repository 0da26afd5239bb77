//! Duties of the shim: what it does for a task besides starting it.
use crate::{Contract, Success, When};
use serde::{Deserialize, Serialize};

/// Duties of the shims of all tasks. All durations are in seconds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Duties {
    /// Timeout of each wait for peers (`start timeout`): of the wait before the program starts, and of the wait of the running
    /// program until its peers listen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<u64>,
    /// Deadline of the job, from the start of this task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<u64>,
    /// Time between SIGTERM and SIGKILL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grace: Option<u64>,
    /// Tasks that decide job success. When they have finished, the shims of long-running tasks stop their programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_with: Option<Success>,
    /// Checkpoint directory, as mounted in this task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoints: Option<Checkpoints>,
    /// Keep the container running after success, because the platform would restart a container that exits.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hold: bool,
}

impl Contract {
    /// Whether any task has a duty.
    #[must_use]
    pub fn has_duties(&self) -> bool {
        self.duties.is_some() || self.roles.iter().any(|role| role.duties.is_some())
    }
}

/// The checkpoint directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoints {
    /// Path in this task.
    pub path: String,
    /// Interval at which the program writes checkpoints, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<u64>,
    /// Fail if the checkpoint directory is not empty.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fail_if_exists: bool,
}

/// Duties of the shims of one role.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoleDuties {
    /// When and how often the program is restarted in its container.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restart: Option<Restart>,
    /// Roles that must reach a state before this role starts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<After>,
    /// Readiness probe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready: Option<Ready>,
    /// Roles that this task outlives: after its success, this task waits until each task of these roles has reported completion, or
    /// had no address for 6 minutes. Set for platforms that derive job completion from this task alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outlives: Vec<String>,
    /// Whether the platform replaces failed and lost containers of the task. If so, other shims count the task as finished after 1
    /// hour without an address, instead of 6 minutes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub returns: bool,
    /// The program may report completion by a file. After this report, any exit is a success, and the shim stops a program that
    /// does not exit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub done: bool,
    /// Paths on the node that must exist before the program starts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<String>,
}

/// When and how often the shim restarts the program in its container. All durations are in seconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Restart {
    /// Restart after every exit, and not only after a failure.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub always: bool,
    /// Maximum number of restarts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Sliding window in which restarts count for `limit`. Absent: the whole job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<u64>,
    /// Delay before the first restart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backoff: Option<u64>,
    /// Maximum delay before a restart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_backoff: Option<u64>,
    /// Minimum uptime. A task that fails sooner is not restarted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_uptime: Option<u64>,
    /// Maximum number of consecutive restarts without a newer checkpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_progress_limit: Option<u32>,
    /// Exit codes other than 0 after which the program is restarted. Empty: all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub codes: Vec<u8>,
}

/// A role that must reach a state before another role starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct After {
    /// Name of the role that must reach the state first.
    pub role: String,
    /// State that each task of that role must have reached.
    pub when: When,
}

/// A readiness probe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ready {
    /// The named port accepts connections.
    Tcp(String),
    /// The named port answers 2xx at the path.
    Http {
        /// Name of the port.
        port: String,
        /// The path, beginning with `/`.
        path: String,
    },
    /// The file exists.
    File(String),
}
