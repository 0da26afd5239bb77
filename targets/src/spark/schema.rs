//! `job.json`, which the driver reads: the tasks, when they start, and when the job is over. Also the variables that each
//! node sets for its program.
use crate::contract_builder::plain;
use serde::Serialize;
use std::collections::BTreeMap;
use tfjob_contract::Value;
use tfjob_lang::origin::Traced;

/// The variable in which each node tells its program where the executor's folder is.
pub const HERE: &str = "TFJOB_HERE";
/// The role of the task.
pub const ROLE: &str = "TFJOB_TASK_ROLE";
/// The index of the task in its role.
pub const INDEX: &str = "TFJOB_TASK_INDEX";
/// The addresses of all tasks by role: `TensorFlowOnSpark` found them.
pub const PEERS: &str = "TFJOB_PEERS";

/// The job as the driver reads it.
#[derive(Debug, Serialize)]
pub struct JobFile {
    /// Its name.
    pub job: Traced<String>,
    /// The version of Spark that it wants.
    pub spark: Option<Traced<String>>,
    /// The version of `TensorFlowOnSpark` that it wants.
    pub tfos: Option<Traced<String>>,
    /// Seconds for all executors to come up.
    pub wait: Traced<u64>,
    /// Seconds that a task waits for roles that come first; without end where the job says nothing.
    pub start: Option<Traced<u64>>,
    /// Seconds for the job.
    pub deadline: Option<Traced<u64>>,
    /// Seconds between SIGTERM and the kill.
    pub grace: u64,
    /// Where no old state may be.
    pub fresh: Option<Traced<Fresh>>,
    /// GPUs of each executor.
    pub gpus: u32,
    /// The folder that each task finds empty, from the executor's folder on.
    pub scratch: Option<String>,
    /// Who reads the data, if the job says.
    pub input: Option<Traced<&'static str>>,
    /// What Spark feeds.
    pub feed: Option<Feed>,
    /// The shim, where it travels with the job.
    pub shim: Option<Shim>,
    /// The roles, in the order of the spec.
    pub roles: Vec<Role>,
}

/// Where no old state may be.
#[derive(Debug, Serialize)]
pub struct Fresh {
    /// The folder.
    pub path: String,
    /// Whether nodes see it as a folder.
    pub mounted: bool,
}

/// What Spark feeds.
#[derive(Debug, Serialize)]
pub struct Feed {
    /// Where the rows are.
    pub path: Traced<String>,
    /// How they are written.
    pub format: Traced<&'static str>,
    /// What Spark's reader is told.
    pub options: BTreeMap<&'static str, Traced<String>>,
    /// How often all are fed.
    pub epochs: Traced<u32>,
    /// Seconds for a partition to be read.
    pub patience: Traced<u64>,
}

/// The names of the shim and of its contract among Spark's files.
#[derive(Debug, Serialize)]
pub struct Shim {
    /// The program.
    pub program: String,
    /// What it reads.
    pub contract: &'static str,
}

/// One role.
#[derive(Debug, Serialize)]
pub struct Role {
    /// Its name.
    pub name: Traced<String>,
    /// Number of tasks.
    pub count: Traced<u32>,
    /// So many of its first tasks must end well for the job to be done.
    pub decides: Traced<u32>,
    /// Whether it is a helper: its failure is not the job's.
    pub helper: bool,
    /// Whether it gets rows.
    pub fed: bool,
    /// GPUs that a task sees; what the platform shows where it has its devices by another count.
    pub gpus: Option<Traced<u32>>,
    /// Roles that come first.
    pub after: Vec<Traced<After>>,
    /// When a task is ready; at once where nothing is said.
    pub ready: Option<Traced<Ready>>,
    /// On which terms all tasks start again when one of this role fails.
    pub restart: Option<Traced<Restart>>,
    /// Variables of other roles that this one does not see.
    pub hide: Vec<String>,
    /// The program and its words; the contract has them where the shim travels.
    pub argv: Vec<Traced<Words>>,
    /// Its variables.
    pub env: Vec<(String, Traced<Words>)>,
    /// Where it starts.
    pub workdir: Option<Traced<Words>>,
}

/// On which terms all tasks start again. Seconds throughout.
#[derive(Debug, Serialize)]
pub struct Restart {
    /// How often at most.
    pub limit: Option<u32>,
    /// The window in which `limit` counts.
    pub within: Option<u64>,
    /// The first pause.
    pub backoff: Option<u64>,
    /// The longest pause.
    pub max_backoff: Option<u64>,
    /// A task that lived shorter is broken.
    pub min_uptime: Option<u64>,
    /// Only these codes; empty: all.
    pub codes: Vec<u8>,
}

/// A role that comes first.
#[derive(Debug, Serialize)]
pub struct After {
    /// The role.
    pub role: String,
    /// How far it must be: `started`, `ready`, `done`.
    pub when: &'static str,
}

/// When a task is ready.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Ready {
    /// The port accepts connections; 0 is the rendezvous port.
    Tcp {
        /// Its number.
        port: u16,
    },
    /// The port answers 2xx.
    Http {
        /// Its number.
        port: u16,
        /// The path.
        http: String,
    },
    /// The file exists.
    File {
        /// Its path.
        file: String,
    },
}

/// Text in parts: `null` is the executor's folder.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct Words(Vec<Option<String>>);

impl Words {
    /// A text of the contract, none of whose parts is the shim's: then the contract would hold it.
    pub fn of(value: &Value) -> Self {
        Self(value.iter().map(|piece| plain(piece).map(str::to_owned)).collect())
    }
}
