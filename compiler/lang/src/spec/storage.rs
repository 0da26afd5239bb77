//! What the job reads and writes.
use super::values::{AbsolutePath, Duration, Text, Uri};
use crate::at::At;
use schemars::JsonSchema;
use serde::Deserialize;

/// The program.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Code {
    /// An archive, a folder, or one script beside the spec: a name with an extension, such as `./train.py`, is a file,
    /// and one that ends in `/` is a folder. `git+https:` needs `ref`. It is fetched without secrets: build a private
    /// program into the image, or name an archive that the platform's own identity may read.
    #[schemars(extend("x-kdl" = "arg"))]
    pub uri: At<Uri>,
    /// The tag or commit of a `git+https:` uri; with a branch each run may get another program.
    #[schemars(extend("format" = "git-ref", "x-kdl" = "prop"))]
    pub r#ref: Option<At<Text>>,
    /// Where it is unpacked; the target's choice unless given.
    #[schemars(extend("x-kdl" = "prop"))]
    pub at: Option<At<AbsolutePath>>,
}

/// Something copied into every task. Archives are unpacked: `.zip`, `.tar`, `.tar.gz`, `.tgz`, `.tar.bz2`, `.tbz2`,
/// `.tar.xz`, `.txz`; all other files are copied as they are.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Stage {
    /// Where it comes from.
    #[schemars(extend("x-kdl" = "arg"))]
    pub uri: At<Uri>,
    /// Where it is put; the target's choice unless given.
    #[schemars(extend("x-kdl" = "prop"))]
    pub at: Option<At<AbsolutePath>>,
}

/// Training data.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Data {
    /// Where it is.
    #[schemars(extend("x-kdl" = "arg"))]
    pub uri: At<Uri>,
    /// Files must appear there, or the target refuses. Without it `{data.NAME}` is the uri, of `file:` the path.
    #[schemars(extend("x-kdl" = "prop"))]
    pub at: Option<At<AbsolutePath>>,
    /// Whether the program writes there.
    #[schemars(extend("default" = false, "x-kdl" = "prop"))]
    pub writable: Option<At<bool>>,
}

/// Where the program keeps its state; shared by all tasks that write.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Checkpoints {
    /// Where it is.
    #[schemars(extend("x-kdl" = "arg"))]
    pub uri: At<Uri>,
    /// Files appear there. Without it `{checkpoints}` is the uri, of `file:` the path, and only the program sees what is in it.
    #[schemars(extend("x-kdl" = "prop"))]
    pub at: Option<At<AbsolutePath>>,
    /// How often the program promises to write one.
    #[schemars(extend("format" = "positive-duration", "x-kdl" = "prop"))]
    pub every: Option<At<Duration>>,
    /// Refuses to start on what exists already.
    #[schemars(extend("default" = false, "x-kdl" = "prop"))]
    pub fresh: Option<At<bool>>,
}

/// Hadoop in the image.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Hadoop {
    /// Hadoop's folder in the image, laid out as Apache's release is: jars below `share/hadoop`, `lib/native` with
    /// `libhdfs.so`, `etc/hadoop`. A parcel of CDH or a stack of HDP keeps them elsewhere: unpack Apache's release of
    /// the same version, and name the cluster's own settings by `conf`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub home: At<AbsolutePath>,
    /// Java's folder in the image: that of the JDK or of its `jre`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub java: At<AbsolutePath>,
    /// The folder of `core-site.xml` and `hdfs-site.xml`. Unless given, the folder of the container that its `HADOOP_CONF_DIR`
    /// names, be it of the image or of the node; where there is none, `etc/hadoop` of `home`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub conf: Option<At<AbsolutePath>>,
}
