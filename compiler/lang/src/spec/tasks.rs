//! What a task is given, and what becomes of it.
use super::values::{Cores, Duration, Memory, Text};
use crate::at::{At, Named};
use schemars::JsonSchema;
use serde::Deserialize;

/// A program and its words.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Argv(#[schemars(length(min = 1))] pub Vec<At<Text>>);

/// Number of tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Count(#[schemars(range(min = 1, max = 10_000))] pub u32);

/// What each task gets, reserved and ceiling at once.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Resources {
    /// Cores, in steps of 0.1.
    #[schemars(extend("x-kdl" = "prop"))]
    pub cpus: At<Cores>,
    /// Memory, such as `16GiB`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub memory: At<Memory>,
    /// GPUs. Without it none is visible.
    #[schemars(extend("x-kdl" = "prop"), range(max = 1024))]
    pub gpus: Option<At<u32>>,
    /// The model, such as `a100`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub gpu_model: Option<At<Text>>,
    /// Memory of each GPU.
    #[schemars(extend("x-kdl" = "prop"))]
    pub gpu_memory: Option<At<Memory>>,
    /// Scratch space of its own.
    #[schemars(extend("x-kdl" = "prop"))]
    pub disk: Option<At<Memory>>,
    /// `/dev/shm`, for data loaders.
    #[schemars(extend("x-kdl" = "prop"))]
    pub shared_memory: Option<At<Memory>>,
    /// Any other counted kind, such as `rdma/hca`.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "named"))]
    pub device: Named<At<Device>>,
}

/// How many of a counted kind.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Device {
    /// How many.
    #[schemars(extend("x-kdl" = "arg"))]
    pub count: At<Count>,
}

/// A port of each task.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Port {
    /// A number, or `auto`: a free one is found when the task starts.
    #[schemars(extend("x-kdl" = "arg"))]
    pub number: At<PortNumber>,
    /// The words under which the platform's page shows it.
    #[schemars(extend("x-kdl" = "prop"))]
    pub link: Option<At<Text>>,
}

/// A port's number, or `auto`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PortNumber {
    /// That one.
    Fixed(u16),
    /// A free one.
    Auto,
}

/// Who the program runs as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum User {
    /// A name.
    Name(String),
    /// A number.
    Number(u32),
}

/// What happens when a task ends badly.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Restart {
    /// When.
    #[schemars(extend("x-kdl" = "arg"))]
    pub on: At<RestartOn>,
    /// How often at most; without it there is no end.
    #[schemars(extend("x-kdl" = "prop"), range(min = 1, max = 10_000))]
    pub limit: Option<At<u32>>,
    /// The window in which `limit` counts; the whole job unless given.
    #[schemars(extend("x-kdl" = "prop"))]
    pub within: Option<At<Duration>>,
    /// The first pause; each next one is twice as long.
    #[schemars(extend("x-kdl" = "prop"))]
    pub backoff: Option<At<Duration>>,
    /// The longest pause.
    #[schemars(extend("x-kdl" = "prop"))]
    pub max_backoff: Option<At<Duration>>,
    /// A task that lived shorter is broken, not unlucky.
    #[schemars(extend("x-kdl" = "prop"))]
    pub min_uptime: Option<At<Duration>>,
    /// So many restarts in a row without a newer checkpoint end it.
    #[schemars(extend("x-kdl" = "prop"), range(min = 1, max = 10_000))]
    pub stalls: Option<At<u32>>,
    /// Who restarts, and what `limit` counts: by default the job for collectives, else the task.
    #[schemars(extend("x-kdl" = "prop"))]
    pub scope: Option<At<Scope>>,
    /// Only these exit codes.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "args"))]
    pub codes: Vec<At<ExitCode>>,
}

/// An exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ExitCode(#[schemars(range(min = 1, max = 255))] pub u8);

/// When a task is restarted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RestartOn {
    /// Never.
    Never,
    /// When it ends with a code other than 0, or its node is lost.
    OnFailure,
    /// Whenever it ends.
    Always,
}

/// Who restarts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// The task that ended.
    Task,
    /// Every task.
    Job,
}

/// Starts only after another role.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct After {
    /// What has become of that role by then; `ready` unless given.
    #[schemars(extend("x-kdl" = "prop"))]
    pub when: Option<At<When>>,
}

/// What has become of a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// Its tasks have been started.
    Started,
    /// Its tasks are ready.
    Ready,
    /// Its tasks have ended well.
    Done,
}

/// When a task counts as ready: one of the three.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Probe {
    /// The name of a port that accepts connections.
    #[schemars(extend("x-kdl" = "prop"))]
    pub tcp: Option<At<Text>>,
    /// `PORT-NAME/path` that answers 2xx.
    #[schemars(extend("x-kdl" = "prop"))]
    pub http: Option<At<Text>>,
    /// A file that exists.
    #[schemars(extend("x-kdl" = "prop"))]
    pub file: Option<At<super::values::AbsolutePath>>,
}
