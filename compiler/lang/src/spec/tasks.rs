//! Resources, ports, restarts, and probes of tasks.
use super::keyword::Keyword;
use super::values::{self, Cores, Duration, Memory, Text, Wrong};
use crate::at::{At, Named};
use crate::escape::Escaped;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use std::borrow::Cow;
use std::fmt;
use tfjob_contract::{RestartOn, When};

/// A program and its arguments.
#[derive(Debug, Clone, serde::Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Argv(#[schemars(length(min = 1))] pub Vec<At<Text>>);

/// Number of tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Count(#[schemars(range(min = 1, max = 10_000))] pub u32);

/// Resources per task. Each amount is both the request and the limit.
#[derive(Debug, Clone, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Resources {
    /// CPU cores, in increments of 0.1.
    #[schemars(extend("x-kdl" = "prop"))]
    pub cpus: At<Cores>,
    /// Memory, such as `16GiB`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub memory: At<Memory>,
    /// Number of GPUs. Default: 0. A task with 0 GPUs cannot see the GPUs of its node.
    #[schemars(extend("x-kdl" = "prop"), range(max = 1024))]
    pub gpus: Option<At<u32>>,
    /// GPU model, such as `a100`.
    #[schemars(extend("format" = "filled-text", "x-kdl" = "prop"))]
    pub gpu_model: Option<At<Text>>,
    /// Minimum memory of each GPU, as its driver reports it: an A100 with 40 GB reports 40536 MiB, which is less than `40GiB`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub gpu_memory: Option<At<Memory>>,
    /// Local disk space for temporary files.
    #[schemars(extend("x-kdl" = "prop"))]
    pub disk: Option<At<Memory>>,
    /// Size of `/dev/shm`. Data loaders with several processes use this shared memory.
    #[schemars(extend("x-kdl" = "prop"))]
    pub shared_memory: Option<At<Memory>>,
    /// Device other than a GPU, such as `rdma/hca`. Its name is the name of the resource on the platform.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "filled-text"}))]
    pub device: Named<At<Device>>,
}

/// Resources of TensorBoard. Each amount is both the request and the limit.
#[derive(Debug, Clone, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ServiceResources {
    /// CPU cores, in increments of 0.1.
    #[schemars(extend("x-kdl" = "prop"))]
    pub cpus: At<Cores>,
    /// Memory, such as `2GiB`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub memory: At<Memory>,
}

/// A number of devices other than GPUs.
#[derive(Debug, Clone, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Device {
    /// Number of devices.
    #[schemars(extend("x-kdl" = "arg"))]
    pub count: At<Count>,
}

/// A named port of each task.
#[derive(Debug, Clone, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Port {
    /// Port number, or `auto`: a free port is chosen when the task starts.
    #[schemars(extend("x-kdl" = "arg"))]
    pub number: At<PortNumber>,
    /// Text of a link to this port in the web UI of the platform.
    #[schemars(extend("x-kdl" = "prop"))]
    pub link: Option<At<Text>>,
}

/// Restart policy: whether a task is restarted after a failure, or after every exit.
#[derive(Debug, Clone, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Restart {
    /// Whether a task is restarted: never, after each failure, or after every exit.
    #[schemars(with = "At<Keyword<RestartOn>>", extend("x-kdl" = "arg"))]
    pub policy: At<RestartOn>,
    /// Maximum number of restarts. Default: unlimited.
    #[schemars(extend("x-kdl" = "prop"), range(min = 1, max = 10_000))]
    pub limit: Option<At<u32>>,
    /// Time window in which restarts count toward `limit`. Older restarts do not count. Default: the whole job.
    #[schemars(extend("format" = "positive-duration", "x-kdl" = "prop"))]
    pub within: Option<At<Duration>>,
    /// Delay before the first restart. The delay doubles with each further restart. Each delay is randomly shortened by up
    /// to a quarter (jitter), so that tasks that failed at the same time do not restart at the same time.
    #[schemars(extend("x-kdl" = "prop"))]
    pub backoff: Option<At<Duration>>,
    /// Maximum delay before a restart. The default depends on the target, and is at most 1h. If `backoff` is longer
    /// than this default, `backoff` is also the maximum.
    #[schemars(extend("format" = "positive-duration", "x-kdl" = "prop"))]
    pub max_backoff: Option<At<Duration>>,
    /// Minimum uptime. A task that fails sooner is not restarted, because it would probably fail again.
    #[schemars(extend("x-kdl" = "prop"))]
    pub min_uptime: Option<At<Duration>>,
    /// Maximum number of consecutive restarts without a newer checkpoint. After that, the job fails.
    #[schemars(extend("x-kdl" = "prop"), range(min = 1, max = 10_000))]
    pub no_progress_limit: Option<At<u32>>,
    /// What is restarted after a failure: only the failed task (`task`), or all tasks of the job (`job`). With `task`, `limit`
    /// counts the restarts of each task separately; with `job`, the restarts of the whole job. Default: `job` if the failure of one
    /// task makes all its peers fail (`multi-worker-mirrored`, PyTorch, Horovod, XGBoost), otherwise `task`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub scope: Option<At<Scope>>,
    /// Exit codes that cause a restart. Default: all exit codes to which the restart policy applies.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "args"))]
    pub codes: Vec<At<ExitCode>>,
}

/// An exit code, 1 to 255.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ExitCode(#[schemars(range(min = 1, max = 255))] pub u8);

/// What is restarted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// Only the failed task is restarted.
    Task,
    /// All tasks of the job are restarted.
    Job,
}

/// Start order relative to another role.
#[derive(Debug, Clone, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct After {
    /// State that all tasks of the other role must have reached.
    #[schemars(with = "Option<At<Keyword<When>>>", extend("default" = "ready", "x-kdl" = "prop"))]
    pub when: Option<At<When>>,
}

/// Readiness probe: exactly one of `tcp`, `http`, and `file`.
#[derive(Debug, Clone, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Probe {
    /// Name of a port. The task is ready when the port accepts connections.
    #[schemars(extend("format" = "port-name", "x-kdl" = "prop"))]
    pub tcp: Option<At<Text>>,
    /// Name of a port and a path, such as `web/health`. The task is ready when an HTTP GET returns a status of 200 to 299.
    #[schemars(extend("format" = "port-name/path", "x-kdl" = "prop"))]
    pub http: Option<At<Text>>,
    /// Path of a file. The task is ready when the file exists.
    #[schemars(extend("x-kdl" = "prop"))]
    pub file: Option<At<super::values::AbsolutePath>>,
}

/// Port number, or `auto`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PortNumber {
    /// Fixed number.
    Fixed(values::Port),
    /// Free port, chosen when the task starts.
    Auto,
}

impl fmt::Display for PortNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(port) => port.fmt(f),
            Self::Auto => f.write_str("auto"),
        }
    }
}

/// User of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum User {
    /// User name.
    Name(String),
    /// UID.
    Number(u32),
}

impl fmt::Display for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Number(number) => number.fmt(f),
        }
    }
}

/// Checks a user name by the rules of `useradd`.
///
/// # Errors
/// Returns an error unless the name has at most 32 lower-case letters, digits, `_`, and `-`, and begins with a letter or
/// `_`.
pub fn user_name(text: &str) -> Result<(), Wrong> {
    let first = |b: u8| b.is_ascii_lowercase() || b == b'_';
    let plain = |b: u8| first(b) || b.is_ascii_digit() || b == b'-';
    if text.len() <= 32 && text.bytes().next().is_some_and(first) && text.bytes().all(plain) {
        return Ok(());
    }
    let help = "use at most 32 lower-case letters, digits, `_`, and `-`, or a numeric UID without quotes";
    let message = format!("invalid user name `{}`", text.escaped());
    Err(Wrong::new(message, help))
}

/// Deserializes a number or a keyword.
struct NumberOr<N, W>(N, W);

impl<'de, T, N: Fn(u64) -> Option<T>, W: Fn(&str) -> Option<T>> Visitor<'de> for NumberOr<N, W> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number in range or a keyword")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        self.0(number).ok_or_else(|| E::custom("out of range"))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        self.1(text).ok_or_else(|| E::custom("unknown keyword"))
    }
}

impl<'de> Deserialize<'de> for PortNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = |n| u16::try_from(n).ok().filter(|n| *n > 0).map(|n| Self::Fixed(values::Port(n)));
        deserializer.deserialize_any(NumberOr(number, |text: &str| (text == "auto").then_some(Self::Auto)))
    }
}

impl JsonSchema for PortNumber {
    fn schema_name() -> Cow<'static, str> {
        "PortNumber".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "anyOf": [
            { "type": "integer", "minimum": 1, "maximum": 65_535 },
            { "type": "string", "enum": ["auto"] },
        ] })
    }
}

impl<'de> Deserialize<'de> for User {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = |n| u32::try_from(n).ok().map(Self::Number);
        let name = |text: &str| user_name(text).is_ok().then(|| Self::Name(text.to_owned()));
        deserializer.deserialize_any(NumberOr(number, name))
    }
}

impl JsonSchema for User {
    fn schema_name() -> Cow<'static, str> {
        "User".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "anyOf": [
            { "type": "integer", "minimum": 0, "maximum": u32::MAX },
            { "type": "string", "format": "user-name" },
        ] })
    }
}
