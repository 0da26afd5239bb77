//! Options of the Spark target: `target "spark" { … }`.
use crate::shim_source::ShimSource;
use schemars::JsonSchema;
use serde::Deserialize;
use tfjob_lang::at::{At, Named};
use tfjob_lang::spec::values::{AbsolutePath, Duration, Text, Uri, Version};

/// Options of the Spark target, with `TensorFlowOnSpark` 2.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// Spark master: `yarn`, `spark://HOST:PORT` or `k8s://https://HOST:PORT`. Default: `yarn`.
    pub master: Option<At<Text>>,
    /// Deploy mode: where the driver runs. Default: `cluster`; `client` on a standalone master.
    pub deploy_mode: Option<At<DeployMode>>,
    /// Spark version, such as `3.5`; the driver fails on any other. Default: 3.1 for version-specific rules.
    pub spark: Option<At<Version>>,
    /// `TensorFlowOnSpark` version, such as `2.2.5`; the driver fails with any other.
    pub tfos: Option<At<Version>>,
    /// Python 3.6 or later of driver and executors, with `TensorFlowOnSpark` installed: an absolute path, the name of
    /// `files` that are a virtual environment, or a path below one, such as `{files.env}/bin/python3`. Default: the Python
    /// in the `files` or `code` that the job runs or activates, otherwise `python3`. In client mode the driver runs on the
    /// submitting host: with the same absolute path if executors run without containers, otherwise with the `python3` of
    /// that host.
    pub python: Option<At<Text>>,
    /// Reader of the data. Default: `tensorflow`.
    pub input: Option<At<Input>>,
    /// Data that Spark feeds to chief and workers, with `input "spark"`.
    pub feed: Option<At<Feed>>,
    /// Source of the shim: a `path` on the submitting host, or a `url`. Default: next to `submit.sh`.
    pub shim: Option<At<ShimSource>>,
    /// GPU discovery script on each node (`discoveryScript`). Default: a script that is shipped with the job (YARN) or in
    /// the Spark image (Kubernetes).
    pub gpu_discovery: Option<At<AbsolutePath>>,
    /// YARN: queue.
    pub queue: Option<At<Text>>,
    /// YARN: priority in the queue; higher values first.
    #[schemars(range(min = 0, max = 2_147_483_647))]
    pub priority: Option<At<u32>>,
    /// Kubernetes: namespace.
    pub namespace: Option<At<Text>>,
    /// Kubernetes: service account of the driver, which creates the executor pods.
    pub service_account: Option<At<Text>>,
    /// Kubernetes: upload directory for the files of the job, readable by the driver (`spark.kubernetes.file.upload.path`).
    pub upload: Option<At<Uri>>,
    /// Kubernetes: GPU vendor. Default: `nvidia.com`.
    pub gpu_vendor: Option<At<Text>>,
    /// Additional Spark properties, except those that `tfjob` generates.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "pairs"))]
    pub conf: Named<At<Text>>,
}

/// Deploy modes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DeployMode {
    /// On the cluster.
    Cluster,
    /// On the submitting host.
    Client,
}

/// Readers of the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// The program.
    Tensorflow,
    /// Spark, which feeds rows to the program.
    Spark,
}

/// Data that Spark feeds to the program.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Feed {
    /// Name of a `data` block of the job. Spark expands `*` and `?` in its URI as glob patterns.
    #[schemars(extend("x-kdl" = "arg"))]
    pub data: At<Text>,
    /// Format of the rows. Values of a `json` row are in alphabetical order of the keys. A `csv` row ends at the end of its
    /// line, even within quotes.
    #[schemars(extend("x-kdl" = "prop"))]
    pub format: At<Format>,
    /// Number of passes over the rows. Default: 1.
    #[schemars(extend("x-kdl" = "prop"), range(min = 1, max = 10_000))]
    pub epochs: Option<At<u32>>,
    /// Whether `csv` files have a header line. Default: no.
    #[schemars(extend("x-kdl" = "prop"))]
    pub header: Option<At<bool>>,
    /// Maximum time to read one partition. Default: `10m`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub timeout: Option<At<Duration>>,
}

/// Formats of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Each row is a list of strings; values cannot contain line breaks.
    Csv,
    /// Each row is a list of values, in alphabetical order of the keys.
    Json,
    /// Each row is a list of values.
    Parquet,
    /// Each row is a list of values.
    Orc,
    /// Each row is a line.
    Text,
}

impl Format {
    /// Returns Spark's name of the format.
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

/// Options of a role on Spark: none, because all executors of a job are identical.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RoleOptions {}
