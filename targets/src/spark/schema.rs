//! Types of `job.json`, the input of the driver: tasks, start order, and job completion. Also the environment variables that
//! `tfjob_node.py` sets for the program.
use crate::contract_builder::plain;
use serde::Serialize;
use std::collections::BTreeMap;
use tfjob_contract::Value;
use tfjob_lang::origin::Traced;

/// Environment variable with the working directory of the executor.
pub const HERE: &str = "TFJOB_HERE";
/// Environment variable with the role of the task.
pub const ROLE: &str = "TFJOB_TASK_ROLE";
/// Environment variable with the index of the task in its role.
pub const INDEX: &str = "TFJOB_TASK_INDEX";
/// Environment variable with the addresses of all tasks, by role. `TensorFlowOnSpark` collects them.
pub const PEERS: &str = "TFJOB_PEERS";

/// The content of `job.json`.
#[derive(Debug, Serialize)]
pub struct JobFile {
    /// Name of the job.
    pub job: Traced<String>,
    /// Spark version that the cluster must run, if the spec sets it.
    pub spark: Option<Traced<String>>,
    /// `TensorFlowOnSpark` version that must be installed, if the spec sets it.
    pub tfos: Option<Traced<String>>,
    /// Maximum number of seconds until all executors have registered.
    pub wait: Traced<u64>,
    /// Maximum number of seconds that a task waits for roles that start before it. Unlimited if unset.
    pub start: Option<Traced<u64>>,
    /// Maximum duration of the job in seconds.
    pub deadline: Option<Traced<u64>>,
    /// Seconds between SIGTERM and SIGINT when the driver stops a task.
    pub grace: u64,
    /// Checkpoint directory that must be empty.
    pub fresh: Option<Traced<Fresh>>,
    /// GPUs of each executor.
    pub gpus: u32,
    /// Scratch directory, which is empty when a task starts. A relative path is relative to the working directory of the executor.
    pub scratch: Option<String>,
    /// Component that reads the data, if the spec sets it.
    pub input: Option<Traced<&'static str>>,
    /// Data that Spark feeds to the programs.
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

/// Data that Spark feeds to the programs.
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
    /// Maximum number of seconds to read one partition.
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
    /// Number of tasks, counted from task 0, that must succeed for the job to succeed.
    pub decides: Traced<u32>,
    /// Whether the role is a helper. A failed helper does not fail the job.
    pub helper: bool,
    /// Whether Spark feeds rows to the role.
    pub fed: bool,
    /// Number of GPUs that a task sees. `None` if the platform decides which devices a task sees.
    pub gpus: Option<Traced<u32>>,
    /// Roles that must start before this role.
    pub after: Vec<Traced<After>>,
    /// Readiness probe. A task without a probe is ready immediately.
    pub ready: Option<Traced<Ready>>,
    /// How the driver restarts all tasks after a task of this role has failed. `None` if it does not.
    pub restart: Option<Traced<Restart>>,
    /// Environment variables of other roles that are removed from the environment of this role.
    pub hide: Vec<String>,
    /// Program and arguments. If the job uses the shim, they are in the job contract instead.
    pub argv: Vec<Traced<Words>>,
    /// Environment variables.
    pub env: Vec<(String, Traced<Words>)>,
    /// Working directory.
    pub workdir: Option<Traced<Words>>,
}

/// How the driver restarts all tasks. All times are in seconds.
#[derive(Debug, Serialize)]
pub struct Restart {
    /// Maximum number of restarts. Unlimited if unset.
    pub limit: Option<u32>,
    /// Sliding time window in which `limit` counts restarts. If unset, `limit` counts all restarts.
    pub within: Option<u64>,
    /// Pause before the first restart.
    pub backoff: Option<u64>,
    /// Longest pause before a restart.
    pub max_backoff: Option<u64>,
    /// Minimum uptime. A task that fails sooner is not restarted.
    pub min_uptime: Option<u64>,
    /// Exit codes after which the driver restarts the tasks. Empty for all exit codes.
    pub codes: Vec<u8>,
}

/// A role that must start before another role.
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
    /// The port accepts connections. Port 0 stands for the rendezvous port.
    Tcp {
        /// Port number.
        port: u16,
    },
    /// The port answers an HTTP request with status 2xx.
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

/// A text as a list of parts. The part `null` stands for the working directory of the executor.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct Words(Vec<Option<String>>);

impl Words {
    /// Converts a value of the job contract. The value must not contain parts that the shim inserts, because `job.json` cannot
    /// contain them.
    pub fn of(value: &Value) -> Self {
        Self(value.iter().map(|piece| plain(piece).map(str::to_owned)).collect())
    }
}
