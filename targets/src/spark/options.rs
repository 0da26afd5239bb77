//! The words of `target "spark" { … }`: one declaration a field.
use schemars::JsonSchema;
use serde::Deserialize;
use tfjob_lang::at::{At, Named};
use tfjob_lang::spec::values::{AbsolutePath, Duration, Text, Uri, Version};

/// Spark with `TensorFlowOnSpark` 2.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// `yarn`, `spark://HOST:PORT` or `k8s://https://HOST:PORT`; `yarn` unless given.
    pub master: Option<At<Text>>,
    /// Where the driver runs; `cluster` unless given, on a standalone master `client`.
    pub deploy_mode: Option<At<DeployMode>>,
    /// Spark's version, such as `3.5`: the driver refuses to start on another. Unstated counts as 3.1.
    pub spark: Option<At<Version>>,
    /// The version of `TensorFlowOnSpark`, such as `2.2.5`: the driver refuses to start with another.
    pub tfos: Option<At<Version>>,
    /// The Python of driver and executors, 3.6 or newer, with `TensorFlowOnSpark` in it: an absolute path, the name of a `stage` that
    /// is a virtual environment, or a path below one such as `{stage.env}/bin/python3`. Unless given, the Python below
    /// a `stage` or the `code` that the job runs or activates, else `python3`. In client mode the host that submits runs the driver: by
    /// the same absolute path where executors have no containers, else by its own `python3`.
    pub python: Option<At<Text>>,
    /// Who reads the data; `tensorflow` unless given.
    pub input: Option<At<Input>>,
    /// What Spark feeds to chief and workers, with `input "spark"`.
    pub feed: Option<At<Feed>>,
    /// Where the host that submits has `tfjob-shim`, or its uri; beside the script unless given.
    pub shim: Option<At<Text>>,
    /// The program of each node that prints the GPUs of an executor as Spark wants them; unless given, one that comes
    /// with the job (YARN) or with Spark's own image (Kubernetes).
    pub gpu_discovery: Option<At<AbsolutePath>>,
    /// YARN: the queue.
    pub queue: Option<At<Text>>,
    /// YARN: the priority in the queue, higher first.
    #[schemars(range(min = 0, max = 2_147_483_647))]
    pub priority: Option<At<u32>>,
    /// Kubernetes: the namespace.
    pub namespace: Option<At<Text>>,
    /// Kubernetes: the service account of the driver, which makes the executors' pods.
    pub service_account: Option<At<Text>>,
    /// Kubernetes: a folder that submitter and driver share, where spark-submit puts the job's files.
    pub upload: Option<At<Uri>>,
    /// Kubernetes: who makes the GPUs; `nvidia.com` unless given.
    pub gpu_vendor: Option<At<Text>>,
    /// Spark's own settings: none that follow from the job.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "pairs"))]
    pub conf: Named<At<Text>>,
}

/// Where the driver runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DeployMode {
    /// Beside the executors.
    Cluster,
    /// On the host that submits.
    Client,
}

/// Who reads the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// The program.
    Tensorflow,
    /// Spark, which feeds its rows to the program.
    Spark,
}

/// What Spark feeds.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Feed {
    /// The name of a `data` of the job. In its address `*` and `?` match any characters, as in all paths of Spark's readers.
    #[schemars(extend("x-kdl" = "arg"))]
    pub data: At<Text>,
    /// How its rows are written. A row of `json` has its values in the alphabetical order of the keys; a row of `csv` ends with
    /// its line, also between quotes.
    #[schemars(extend("x-kdl" = "prop"))]
    pub format: At<Format>,
    /// How often all rows are fed; once unless given.
    #[schemars(extend("x-kdl" = "prop"), range(min = 1, max = 10_000))]
    pub epochs: Option<At<u32>>,
    /// Whether a csv file begins with the names of its columns.
    #[schemars(extend("x-kdl" = "prop"))]
    pub header: Option<At<bool>>,
    /// How long a task may take to read one partition; `10m` unless given.
    #[schemars(extend("x-kdl" = "prop"))]
    pub timeout: Option<At<Duration>>,
}

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Each row is a list of texts. A line is a row: no value holds the end of a line.
    Csv,
    /// Each row is a list of values, in the alphabetical order of the keys.
    Json,
    /// Each row is a list of values.
    Parquet,
    /// Each row is a list of values.
    Orc,
    /// Each row is a line.
    Text,
}

impl Format {
    /// Spark's name for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Parquet => "parquet",
            Self::Orc => "orc",
            Self::Text => "text",
        }
    }
}

/// A role has no words of its own: all executors of a job are alike.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RoleOptions {}
