//! `job.json`, the input of the driver: tasks, start order, and job completion. Also the variables that each node sets for its
//! program.
use crate::contract_builder::plain;
use serde::Serialize;
use std::collections::BTreeMap;
use tfjob_contract::Value;
use tfjob_lang::origin::Traced;

/// Variable with the working directory of the executor.
pub const HERE: &str = "TFJOB_HERE";
/// Variable with the role of the task.
pub const ROLE: &str = "TFJOB_TASK_ROLE";
/// Variable with the index of the task in its role.
pub const INDEX: &str = "TFJOB_TASK_INDEX";
/// Variable with the addresses of all tasks by role, from `TensorFlowOnSpark`.
pub const PEERS: &str = "TFJOB_PEERS";

/// The job, as the driver reads it.
#[derive(Debug, Serialize)]
pub struct JobFile {
    /// Name of the job.
    pub job: Traced<String>,
    /// Required version of Spark.
    pub spark: Option<Traced<String>>,
    /// Required version of `TensorFlowOnSpark`.
    pub tfos: Option<Traced<String>>,
    /// Maximum seconds until all executors have registered.
    pub wait: Traced<u64>,
    /// Maximum seconds that a task waits for roles that start first; unlimited if unset.
    pub start: Option<Traced<u64>>,
    /// Maximum seconds of the job.
    pub deadline: Option<Traced<u64>>,
    /// Seconds between SIGTERM and SIGINT.
    pub grace: u64,
    /// Checkpoint directory that must be empty.
    pub fresh: Option<Traced<Fresh>>,
    /// GPUs of each executor.
    pub gpus: u32,
    /// Scratch directory that each task finds empty, relative to the working directory of the executor.
    pub scratch: Option<String>,
    /// Reader of the data, if set.
    pub input: Option<Traced<&'static str>>,
    /// Data that Spark feeds.
    pub feed: Option<Feed>,
    /// The shim, if the job uses it.
    pub shim: Option<Shim>,
    /// Roles, in the order of the spec.
    pub roles: Vec<Role>,
}

/// Checkpoint directory that must be empty.
#[derive(Debug, Serialize)]
pub struct Fresh {
    /// Path or URI.
    pub path: String,
    /// Whether the directory is mounted on the nodes.
    pub mounted: bool,
}

/// Data that Spark feeds.
#[derive(Debug, Serialize)]
pub struct Feed {
    /// URI of the rows.
    pub path: Traced<String>,
    /// Format of the rows.
    pub format: Traced<&'static str>,
    /// Options of Spark's reader.
    pub options: BTreeMap<&'static str, Traced<String>>,
    /// Number of passes over the rows.
    pub epochs: Traced<u32>,
    /// Maximum seconds to read one partition.
    pub patience: Traced<u64>,
}

/// File names of the shim and its job contract.
#[derive(Debug, Serialize)]
pub struct Shim {
    /// File name of the shim.
    pub program: String,
    /// File name of the job contract.
    pub contract: &'static str,
}

/// A role.
#[derive(Debug, Serialize)]
pub struct Role {
    /// Name of the role.
    pub name: Traced<String>,
    /// Number of tasks.
    pub count: Traced<u32>,
    /// Number of the first tasks that must succeed for the job to succeed.
    pub decides: Traced<u32>,
    /// Whether the role is a helper. A failed helper does not fail the job.
    pub helper: bool,
    /// Whether Spark feeds rows to the role.
    pub fed: bool,
    /// GPUs that a task sees; `None` leaves the devices to the platform.
    pub gpus: Option<Traced<u32>>,
    /// Roles that start first.
    pub after: Vec<Traced<After>>,
    /// Readiness probe; without one, a task is ready immediately.
    pub ready: Option<Traced<Ready>>,
    /// Restart terms of all tasks after a failure of this role.
    pub restart: Option<Traced<Restart>>,
    /// Variables of other roles that are hidden from this one.
    pub hide: Vec<String>,
    /// Program and arguments; part of the job contract if the shim is used.
    pub argv: Vec<Traced<Words>>,
    /// Environment variables.
    pub env: Vec<(String, Traced<Words>)>,
    /// Working directory.
    pub workdir: Option<Traced<Words>>,
}

/// Restart terms of all tasks. Times are in seconds.
#[derive(Debug, Serialize)]
pub struct Restart {
    /// Maximum number of restarts.
    pub limit: Option<u32>,
    /// Sliding window of `limit`.
    pub within: Option<u64>,
    /// Initial pause.
    pub backoff: Option<u64>,
    /// Maximum pause.
    pub max_backoff: Option<u64>,
    /// Minimum uptime. A task that fails sooner is not restarted.
    pub min_uptime: Option<u64>,
    /// Exit codes that restart; empty for all.
    pub codes: Vec<u8>,
}

/// A role that starts first.
#[derive(Debug, Serialize)]
pub struct After {
    /// Name of the role.
    pub role: String,
    /// State that the role must have reached: `started`, `ready`, or `done`.
    pub when: &'static str,
}

/// Readiness probe of a task.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Ready {
    /// The port accepts connections; 0 is the rendezvous port.
    Tcp {
        /// Port number.
        port: u16,
    },
    /// The port answers with 2xx.
    Http {
        /// Port number.
        port: u16,
        /// Path of the URL.
        http: String,
    },
    /// The file exists.
    File {
        /// Path of the file.
        file: String,
    },
}

/// A text in parts. `null` stands for the working directory of the executor.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct Words(Vec<Option<String>>);

impl Words {
    /// Converts a text of the job contract without values of the shim, which only the job contract can hold.
    pub fn of(value: &Value) -> Self {
        Self(value.iter().map(|piece| plain(piece).map(str::to_owned)).collect())
    }
}
