//! Code, files, data, and checkpoints.
use super::values::{AbsolutePath, Duration, Text, Uri};
use crate::at::At;
use schemars::JsonSchema;
use serde::Deserialize;

/// The program to run.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Code {
    /// URI of an archive or a directory, or the path of a script next to the spec. A name with an extension, such as
    /// `./train.py`, is a file; a name that ends in `/` is a directory. `git+https:` needs `ref`. It is fetched without
    /// credentials: build a private program into the image, or use an archive that the identity of the platform can read.
    #[schemars(extend("x-kdl" = "arg"))]
    pub uri: At<Uri>,
    /// Tag or commit of a `git+https:` URI. With a branch, each run may fetch a different program.
    #[schemars(extend("format" = "git-ref", "x-kdl" = "prop"))]
    pub r#ref: Option<At<Text>>,
    /// Directory to unpack to. Default: chosen by the target.
    #[schemars(extend("x-kdl" = "prop"))]
    pub at: Option<At<AbsolutePath>>,
}

/// Files or archives copied into every task before it starts. Archives are unpacked: `.zip`, `.tar`, `.tar.gz`, `.tgz`,
/// `.tar.bz2`, `.tbz2`, `.tar.xz`, `.txz`; all other files are copied unchanged.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Files {
    /// Source URI.
    #[schemars(extend("x-kdl" = "arg"))]
    pub uri: At<Uri>,
    /// Destination path. Default: chosen by the target.
    #[schemars(extend("x-kdl" = "prop"))]
    pub at: Option<At<AbsolutePath>>,
}

/// Training data of the job.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Data {
    /// URI.
    #[schemars(extend("x-kdl" = "arg"))]
    pub uri: At<Uri>,
    /// Mount path; an error if the target cannot mount the URI there. Default: not mounted; `{data.NAME}` expands to the
    /// URI, or to the path of a `file:` URI.
    #[schemars(extend("x-kdl" = "prop"))]
    pub at: Option<At<AbsolutePath>>,
    /// Whether the program writes to it.
    #[schemars(extend("default" = false, "x-kdl" = "prop"))]
    pub writable: Option<At<bool>>,
}

/// Checkpoint directory; all tasks that write to it share it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Checkpoints {
    /// URI.
    #[schemars(extend("x-kdl" = "arg"))]
    pub uri: At<Uri>,
    /// Mount path. Default: not mounted; `{checkpoints}` expands to the URI, or to the path of a `file:` URI, and only the
    /// program can read the checkpoints.
    #[schemars(extend("x-kdl" = "prop"))]
    pub at: Option<At<AbsolutePath>>,
    /// Interval at which the program writes checkpoints.
    #[schemars(extend("format" = "positive-duration", "x-kdl" = "prop"))]
    pub every: Option<At<Duration>>,
    /// Behavior if the location already has files when the job starts.
    #[schemars(extend("default" = "resume", "x-kdl" = "prop"))]
    pub if_exists: Option<At<IfExists>>,
}

/// Behavior if the checkpoint location already has files when the job starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IfExists {
    /// The program resumes from them.
    Resume,
    /// The job fails before a program starts.
    Fail,
}

/// Hadoop installation in the image.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Hadoop {
    /// Hadoop directory in the image, in the layout of the Apache release: jars below `share/hadoop`, `lib/native` with
    /// `libhdfs.so`, `etc/hadoop`. CDH parcels and HDP stacks have another layout: unpack the Apache release of the same
    /// version, and set `conf` to the configuration of the cluster.
    #[schemars(extend("x-kdl" = "prop"))]
    pub home: At<AbsolutePath>,
    /// Java directory in the image: the JDK or its `jre`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub java: At<AbsolutePath>,
    /// Directory of `core-site.xml` and `hdfs-site.xml`. Default: `HADOOP_CONF_DIR` of the container, set by the image or
    /// the node; if unset, `etc/hadoop` of `home`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub conf: Option<At<AbsolutePath>>,
}
