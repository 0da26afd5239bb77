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
    /// Deploy mode, which determines where the driver runs. A standalone master supports only `client`. Default: `client` on a
    /// standalone master, otherwise `cluster`.
    pub deploy_mode: Option<At<DeployMode>>,
    /// Spark version of the cluster, such as `3.5`. The driver fails if the cluster runs another version. If unset, checks assume
    /// 3.1, the oldest supported version.
    pub spark: Option<At<Version>>,
    /// `TensorFlowOnSpark` version, such as `2.2.5`. The driver fails if another version is installed.
    pub tfos: Option<At<Version>>,
    /// Python of driver and executors: version 3.6 or later, with `TensorFlowOnSpark` installed. The value is an absolute path, the
    /// name of a `files` entry with a virtual environment, or a path in such an entry, such as `{files.env}/bin/python3`. If unset,
    /// Spark uses the Python that `run` starts by its path, or that `shell` starts or activates in `files` or `code`; otherwise
    /// `python3`. In client mode, the driver runs on the submitting host, with the `python3` of this host. If `python` is an
    /// absolute path and executors run without containers, the driver uses this path on the host instead.
    pub python: Option<At<Text>>,
    /// Component that reads the data: TensorFlow in the program, or Spark, which then feeds the rows to the program. Default:
    /// `tensorflow`.
    pub input: Option<At<Input>>,
    /// Data that Spark feeds to chief and workers. Requires `input "spark"`.
    pub feed: Option<At<Feed>>,
    /// Source of `tfjob-shim`, the supervisor of tasks: a `path` on the submitting host, or a `url`. If unset, a setup
    /// step copies `tfjob-shim` from the installation of tfjob into the directory of `submit.sh`.
    pub shim: Option<At<ShimSource>>,
    /// GPU discovery script on each node or in the image (`discoveryScript`). If unset, Spark uses a script that tfjob generates
    /// (`master "yarn"`), or the script of Spark's image (a `k8s://` master).
    pub gpu_discovery: Option<At<AbsolutePath>>,
    /// YARN queue of the job. Only with `master "yarn"`.
    pub queue: Option<At<Text>>,
    /// Priority of the job in the YARN queue. Jobs with higher values start first.
    #[schemars(range(min = 0, max = 2_147_483_647))]
    pub priority: Option<At<u32>>,
    /// Kubernetes namespace of the job. Only with a `k8s://` master.
    pub namespace: Option<At<Text>>,
    /// Kubernetes service account of the driver. It must have the right to create executor pods.
    pub service_account: Option<At<Text>>,
    /// Directory to which spark-submit uploads the files of the job (`spark.kubernetes.file.upload.path`). The driver must have
    /// access to this directory. Only with a `k8s://` master.
    pub upload: Option<At<Uri>>,
    /// Vendor of the GPUs: the domain of the resource name, such as `amd.com`. Default: `nvidia.com`. Only with a `k8s://` master.
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
    /// The driver runs on the cluster.
    Cluster,
    /// The driver runs on the submitting host.
    Client,
}

/// Readers of the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// The program reads the data with TensorFlow.
    Tensorflow,
    /// Spark reads the data and feeds the rows to the program.
    Spark,
}

/// Data that Spark feeds to the program.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Feed {
    /// Name of a `data` block of the job. Spark expands `*` and `?` in its URI as glob patterns.
    #[schemars(extend("x-kdl" = "arg"))]
    pub data: At<Text>,
    /// Format of the rows. The values of a `json` row are sorted by their keys. A `csv` row is always one line: line breaks
    /// within quotes are not supported.
    #[schemars(extend("x-kdl" = "prop"))]
    pub format: At<Format>,
    /// Number of passes over the rows. Default: 1.
    #[schemars(extend("x-kdl" = "prop"), range(min = 1, max = 10_000))]
    pub epochs: Option<At<u32>>,
    /// Whether `csv` files have a header line. Default: `#false`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub header: Option<At<bool>>,
    /// Maximum time for the program to read one partition of the data. Default: `10m`.
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
    /// Returns the name by which Spark selects the format.
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
