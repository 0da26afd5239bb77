//! Code, files, data, and checkpoints.
use super::values::{AbsolutePath, Duration, Text, Uri};
use crate::at::At;
use schemars::JsonSchema;
use serde::Deserialize;

/// Returns whether the URIs of a field are downloaded before the tasks start, so that they may be those of web servers and Git
/// repositories.
#[must_use]
pub fn is_downloaded(field: &str) -> bool {
    DOWNLOADED.contains(&field)
}

/// The fields of [`is_downloaded`].
pub(crate) const DOWNLOADED: [&str; 2] = ["code", "files"];

/// The program code. It is copied into every task.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Code {
    /// URI of an archive or a directory, or a path relative to the directory of the spec. A path with an extension, such as
    /// `./train.py`, is a file; a path without an extension, or with `/` at its end, is a directory. A `git+https:` URI needs
    /// `ref`. Downloads from `https:` and git use no password or token. So build private code into the image, or upload it as an
    /// archive to storage that the tasks can read, such as `hdfs:`.
    #[schemars(extend("x-kdl" = "arg"))]
    pub uri: At<Uri>,
    /// Tag or commit of a `git+https:` URI. A branch is accepted too, but each run may then download different code.
    #[schemars(extend("format" = "git-ref", "x-kdl" = "prop"))]
    pub r#ref: Option<At<Text>>,
    /// Directory for the code in each task. If unset, the target chooses one.
    #[schemars(extend("x-kdl" = "prop"))]
    pub at: Option<At<AbsolutePath>>,
}

/// A file or archive copied into every task before the task starts. Archives are unpacked: `.zip`, `.tar`, `.tar.gz`, `.tgz`,
/// `.tar.bz2`, `.tbz2`, `.tar.xz`, `.txz`. All other files are copied unchanged.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Files {
    /// URI of the file or archive.
    #[schemars(extend("x-kdl" = "arg"))]
    pub uri: At<Uri>,
    /// Path of the file, or of the unpacked archive, in each task. If unset, the target chooses one.
    #[schemars(extend("x-kdl" = "prop"))]
    pub at: Option<At<AbsolutePath>>,
}

/// Training data of the job.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Data {
    /// URI of the data.
    #[schemars(extend("x-kdl" = "arg"))]
    pub uri: At<Uri>,
    /// Path at which the data is mounted in each task. It is an error if the target cannot mount the URI. Without `at`,
    /// nothing is mounted: `{data.NAME}` expands to the URI, or for a `file:` URI to its path.
    #[schemars(extend("x-kdl" = "prop"))]
    pub at: Option<At<AbsolutePath>>,
    /// Whether the program writes to the data.
    #[schemars(extend("default" = false, "x-kdl" = "prop"))]
    pub writable: Option<At<bool>>,
}

/// Checkpoint directory. All tasks that write checkpoints share it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Checkpoints {
    /// URI of the directory.
    #[schemars(extend("x-kdl" = "arg"))]
    pub uri: At<Uri>,
    /// Path at which the checkpoint directory is mounted in each task. Without `at`, nothing is mounted: `{checkpoints}`
    /// expands to the URI, or for a `file:` URI to its path. A feature such as `no-progress-limit` needs `at`,
    /// because `tfjob-shim` reads the checkpoints for it.
    #[schemars(extend("x-kdl" = "prop"))]
    pub at: Option<At<AbsolutePath>>,
    /// Interval at which the program writes checkpoints. This field does not configure the program: tfjob only checks that
    /// the interval is shorter than `deadline`.
    #[schemars(extend("format" = "positive-duration", "x-kdl" = "prop"))]
    pub every: Option<At<Duration>>,
    /// Behavior if the directory already contains files when the job starts.
    #[schemars(extend("default" = "resume", "x-kdl" = "prop"))]
    pub if_exists: Option<At<IfExists>>,
}

/// Behavior if the checkpoint directory already contains files when the job starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IfExists {
    /// The job starts, and the program resumes from the checkpoints in the directory.
    Resume,
    /// The job fails before the program starts.
    Fail,
}

/// Hadoop installation in the image.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Hadoop {
    /// Hadoop directory in the image. It must have the layout of the Apache release: jars in `share/hadoop`, `libhdfs.so` in
    /// `lib/native`, configuration in `etc/hadoop`. CDH parcels and HDP stacks have another layout. For these, unpack the
    /// Apache release of the same version, and set `conf` to the configuration of the cluster.
    #[schemars(extend("x-kdl" = "prop"))]
    pub home: At<AbsolutePath>,
    /// Java directory in the image: a JDK, or the `jre` directory of a JDK.
    #[schemars(extend("x-kdl" = "prop"))]
    pub java: At<AbsolutePath>,
    /// Directory of `core-site.xml` and `hdfs-site.xml`. Default: the variable `HADOOP_CONF_DIR` if the image or the node
    /// sets it, otherwise the directory `etc/hadoop` in `home`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub conf: Option<At<AbsolutePath>>,
}
