//! What the shim does for a task besides starting it.
use crate::{Contract, Success, When};
use serde::{Deserialize, Serialize};

/// What the shims of all tasks of a job do. Seconds throughout.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Duties {
    /// How long peers may take to appear.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<u64>,
    /// How long the job may take, from the start of this task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<u64>,
    /// Time between the polite signal and the kill.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grace: Option<u64>,
    /// Whose end is the job's: tasks that only serve stop then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_with: Option<Success>,
    /// Where the program keeps its state, as this task sees it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoints: Option<Checkpoints>,
    /// Stays after success, where a platform would start the task again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hold: bool,
}

impl Contract {
    /// Whether the shim of some task does anything besides starting it.
    #[must_use]
    pub fn has_duties(&self) -> bool {
        self.duties.is_some() || self.roles.iter().any(|role| role.duties.is_some())
    }
}

/// Where the program keeps its state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoints {
    /// A folder that this task sees.
    pub path: String,
    /// How often the program promises to write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<u64>,
    /// Does not start on what is there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fresh: bool,
}

/// What the shim of one role does.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoleDuties {
    /// Restarts in place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restart: Option<Restart>,
    /// Starts after other roles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<After>,
    /// When this task is ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready: Option<Ready>,
    /// Roles that this task outlives: when its program has ended well it stays until each task of theirs has said that it
    /// is done, or has had no address for six minutes, for a platform that asks nobody but this task whether the job is
    /// done. A program of theirs need not listen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outlives: Vec<String>,
    /// The platform starts another container for a task whose container has failed or is lost. Such a task counts as ended after an hour without an address, and not after 6 minutes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub returns: bool,
    /// The program may say by a file that its work is done. From then on its end is a success, however
    /// it comes, and it is brought about where the program does not come to it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub done: bool,
    /// Paths of the node itself that must be there before the task starts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<String>,
}

/// Restarts of the process in its container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Restart {
    /// Also after success.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub always: bool,
    /// How often at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// The window in which `limit` counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<u64>,
    /// The first pause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backoff: Option<u64>,
    /// The longest pause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_backoff: Option<u64>,
    /// A task that lived shorter is broken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_uptime: Option<u64>,
    /// Restarts in a row without a newer checkpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalls: Option<u32>,
    /// Only these codes; empty: all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub codes: Vec<u8>,
}

/// Another role that must have come so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct After {
    /// The role.
    pub role: String,
    /// How far.
    pub when: When,
}

/// When a task is ready.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ready {
    /// That port of the role accepts connections.
    Tcp(String),
    /// That port answers 2xx at that path.
    Http {
        /// The port's name.
        port: String,
        /// The path, beginning with `/`.
        path: String,
    },
    /// That file exists.
    File(String),
}
