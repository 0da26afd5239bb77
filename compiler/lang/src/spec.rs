//! The typed job spec: one declaration per field. Its doc comments are the hover text and the reference.
//!
//! `x-kdl` is the place of a field in KDL: `arg` (an argument of its node), `prop` (a property), `args` (all arguments of
//! its own child node), `child` (default: its own child node), `named` (a child node per item; its first argument is the
//! key), `pairs` (one child node; its children are keys and values), `list` (a child node per item), `targets` (a child
//! node per target; its first argument is the target). `propertyNames` of a map is the grammar of its names. An option of
//! a target with `x-inherited` false applies only to the job; roles inherit the others if they have the same option.
mod framework;
mod keyword;
mod placement;
mod storage;
mod tasks;
pub mod values;

pub use framework::{Framework, Protocol};
pub use keyword::Keyword;
pub use placement::{Attribute, Placement, Spread};
pub use storage::{Checkpoints, Code, Data, Files, Hadoop, IfExists};
pub use tasks::{
    After, Argv, Count, Device, ExitCode, Port, PortNumber, Probe, Resources, Restart, Scope,
    ServiceResources, User, user_name,
};
pub use tfjob_contract::{FrameworkName, RestartOn, StrategyName, Success, When};

use crate::at::{At, Named};
use schemars::JsonSchema;
use serde::Deserialize;
use values::{Duration, Image, Name, Port as PortValue, Text, Word};

/// A job spec file, optionally based on another file.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct File {
    /// Base file, relative to this file; stands before `job`. Entries of this file override those of the base: `job`,
    /// `role`, `helper`, `target` and blocks of names and values, such as `env`, are merged entry by entry. All other
    /// blocks are replaced whole.
    #[schemars(extend("x-kdl" = "child"))]
    pub extends: Option<At<String>>,
    /// The job.
    pub job: At<Job>,
}

/// Declares `Job` and `Role` with shared fields. The shared fields of the job are defaults for every role.
macro_rules! with_defaults {
    (
        $(#[$job_meta:meta])* Job { $($(#[$jm:meta])* $jf:ident: $jt:ty,)* }
        $(#[$role_meta:meta])* Role { $($(#[$rm:meta])* $rf:ident: $rt:ty,)* }
        Both { $($(#[$bm:meta])* $bf:ident: $bt:ty,)* }
    ) => {
        $(#[$job_meta])*
        #[derive(Debug, Clone, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case")]
        pub struct Job { $($(#[$jm])* pub $jf: $jt,)* $($(#[$bm])* pub $bf: $bt,)* }

        $(#[$role_meta])*
        #[derive(Debug, Clone, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case")]
        pub struct Role { $($(#[$rm])* pub $rf: $rt,)* $($(#[$bm])* pub $bf: $bt,)* }

        /// Fields of a job that are defaults for every role. A field of the role overrides the default.
        pub const DEFAULTS: &[&str] = &[$(stringify!($bf)),*];
    };
}

with_defaults! {
    /// A training job: its roles, inputs, outputs, and lifecycle.
    Job {
        /// Name of the job: a DNS label, unique within its namespace, queue or service directory.
        #[schemars(extend("x-kdl" = "arg"))]
        name: At<Name>,
        /// Description of the job, for people.
        description: Option<At<Text>>,
        /// Labels of the job on the platform.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "pairs"))]
        labels: Named<At<Text>>,
        /// Training framework, its version, and its distribution strategy.
        framework: At<Framework>,
        /// Program to run: an archive, a directory or a script. `{code}` expands to its directory.
        code: Option<At<Code>>,
        /// Files or archives copied into every task before it starts, such as a virtual environment. Archives are unpacked
        /// (`.zip`, `.tar`, `.tar.gz`, `.tgz`, `.tar.bz2`, `.tbz2`, `.tar.xz`, `.txz`); all other files are copied
        /// unchanged.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "name"}))]
        files: Named<At<Files>>,
        /// Training data. `{data.NAME}` expands to its path or URI.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "name"}))]
        data: Named<At<Data>>,
        /// Checkpoint directory. Training resumes from a checkpoint that exists there.
        checkpoints: Option<At<Checkpoints>>,
        /// Hadoop installation in the image, for programs that read `hdfs:` through libhdfs.
        hadoop: Option<At<Hadoop>>,
        /// TensorFlow server protocol: `grpc`, or one that a custom build adds.
        protocol: Option<At<Protocol>>,
        /// Parameter of the job; `--set param.NAME=VALUE` overrides it. `{param.NAME}` expands to its value.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "param-name"}))]
        param: Named<At<Param>>,
        /// Startup of the tasks.
        start: Option<At<Start>>,
        /// Termination of the tasks.
        stop: Option<At<Stop>>,
        /// Maximum duration of the job, from the start of its first task.
        #[schemars(extend("format" = "positive-duration"))]
        deadline: Option<At<Duration>>,
        /// Which tasks decide job success. Default: `chief` for parameter-server and estimator jobs, `workers` otherwise.
        #[schemars(with = "Option<At<Keyword<Success>>>")]
        success: Option<At<Success>>,
        /// Retention of containers after job completion, for their logs.
        keep: Option<At<Keep>>,
        /// TensorBoard instance of the job. It gets the environment variables and secrets that all roles share.
        tensorboard: Option<At<Tensorboard>>,
        /// Network of the containers: `host`, or the name of a container network of the platform.
        #[schemars(extend("format" = "filled-text"))]
        network: Option<At<Text>>,
        /// Kerberos identity of the job.
        kerberos: Option<At<Kerberos>>,
        /// Acceptance of a feature that a target does not support: the error becomes a warning.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "list"))]
        allow: Vec<At<Allow>>,
        /// Role of the framework, such as `worker`: a group of identical tasks.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "name"}))]
        role: Named<At<Role>>,
        /// Role outside the rendezvous, such as a notebook. It is stopped at job completion.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "name"}))]
        helper: Named<At<Role>>,
    }
    /// A group of identical tasks.
    Role {
        /// Number of tasks.
        #[schemars(extend("default" = 1, "x-kdl" = "prop"))]
        count: Option<At<Count>>,
        /// Minimum number of tasks with which the job starts and continues.
        #[schemars(extend("x-kdl" = "prop"))]
        min: Option<At<Count>>,
    }
    Both {
        /// Container image.
        image: Option<At<ImageSpec>>,
        /// Program and its arguments, run without a shell. The task finishes when the program exits; remaining child
        /// processes receive SIGTERM.
        #[schemars(extend("x-kdl" = "args"))]
        run: Option<At<Argv>>,
        /// Script for `/bin/sh -ec`, passed verbatim. References are not expanded; environment variables such as
        /// `$TFJOB_INDEX` are.
        shell: Option<At<Text>>,
        /// Working directory: a path or a reference. Default: `{code}` if the job has code, otherwise the working directory
        /// of the image; some targets use a directory of the container and report it.
        workdir: Option<At<Text>>,
        /// Environment variables of the tasks.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "pairs", "propertyNames" = {"format": "env-name"}))]
        env: Named<At<Text>>,
        /// Environment variable with its value in a secret of the platform.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "env-name"}))]
        secret: Named<At<Secret>>,
        /// User of the program: a user name or a UID.
        user: Option<At<User>>,
        /// Resources per task. Each amount is both the request and the limit.
        resources: Option<At<Resources>>,
        /// Port of each task. `rendezvous` is the port at which tasks connect to each other. Default: 2222.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "name"}))]
        port: Named<At<Port>>,
        /// Restart policy of failed tasks. Default: no restarts.
        restart: Option<At<Restart>>,
        /// Start order: the role that must be started, ready or finished before this one starts.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "name"}))]
        after: Named<At<After>>,
        /// Readiness probe.
        ready: Option<At<Probe>>,
        /// Placement constraints of the tasks; all must be met.
        placement: Option<At<Placement>>,
        /// Platform-specific options; the target defines the fields and their types.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "targets"))]
        target: Targets,
    }
}

/// The `target` blocks. Each target decodes its own from the tree; see [`crate::target`].
#[derive(Debug, Clone, Default)]
pub struct Targets;

impl<'de> Deserialize<'de> for Targets {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde::de::IgnoredAny::deserialize(deserializer).map(|_| Self)
    }
}

impl JsonSchema for Targets {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Targets".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object" })
    }
}

/// Container image.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ImageSpec {
    /// Image reference: `registry/repository:tag@digest`.
    #[schemars(extend("x-kdl" = "arg"))]
    pub name: At<Image>,
    /// Pull policy. Default: that of the platform.
    #[schemars(extend("x-kdl" = "prop"))]
    pub pull: Option<At<Pull>>,
    /// Secret of the platform with the credentials of the registry.
    #[schemars(extend("format" = "filled-text", "x-kdl" = "prop"))]
    pub pull_secret: Option<At<Text>>,
}

/// Image pull policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pull {
    /// If the image is not on the node.
    Missing,
    /// At each container start.
    Always,
    /// Never; the image must be on the node.
    Never,
}

/// A parameter of the job.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Param {
    /// Default value; it also defines the type.
    #[schemars(extend("x-kdl" = "arg"))]
    pub value: At<Word>,
}

/// An environment variable with its value in a secret of the platform. The value is never part of the spec.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Secret {
    /// Name of the secret on the platform.
    #[schemars(extend("format" = "filled-text", "x-kdl" = "prop"))]
    pub from: At<Text>,
    /// Key within the secret.
    #[schemars(extend("format" = "filled-text", "x-kdl" = "prop"))]
    pub key: Option<At<Text>>,
    /// Path of the file that holds the value; the variable then contains this path.
    #[schemars(extend("x-kdl" = "prop"))]
    pub at: Option<At<values::AbsolutePath>>,
}

/// Startup of the tasks.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Start {
    /// Maximum time until all peers are reachable. Default: the timeouts of the platform and the program.
    #[schemars(extend("format" = "positive-duration", "x-kdl" = "prop"))]
    pub timeout: Option<At<Duration>>,
    /// Gang scheduling: all tasks (the `min` of each role) start, or none.
    #[schemars(extend("default" = false, "x-kdl" = "prop"))]
    pub gang: Option<At<bool>>,
}

/// Termination of the tasks.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Stop {
    /// Time between SIGTERM and SIGKILL.
    #[schemars(extend("x-kdl" = "prop"))]
    pub grace: At<Duration>,
}

/// Retention of containers after job completion.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Keep {
    /// Containers to keep.
    #[schemars(extend("x-kdl" = "arg"))]
    pub what: At<Kept>,
    /// Retention time. Default: that of the platform.
    #[schemars(extend("format" = "positive-duration", "x-kdl" = "prop"))]
    pub r#for: Option<At<Duration>>,
}

/// Containers to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kept {
    /// Containers of failed tasks.
    Failed,
    /// All containers.
    All,
    /// No containers.
    None,
}

/// A TensorBoard instance of the job.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Tensorboard {
    /// Log directory.
    #[schemars(extend("default" = "{checkpoints}", "x-kdl" = "prop"))]
    pub logs: Option<At<Text>>,
    /// Port.
    #[schemars(extend("default" = 6006, "x-kdl" = "prop"))]
    pub port: Option<At<PortValue>>,
    /// Container image. Default: the image of the job.
    #[schemars(extend("x-kdl" = "prop"))]
    pub image: Option<At<Image>>,
    /// Resources. Default: 1 core and 4 GiB of memory.
    pub resources: Option<At<ServiceResources>>,
}

/// Kerberos identity of the job.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Kerberos {
    /// Kerberos principal: `name/host@REALM` or `name@REALM`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub principal: At<Text>,
    /// Keytab: a URI, or `secret:ENV` for a secret of this job.
    #[schemars(extend("x-kdl" = "prop"))]
    pub keytab: At<Text>,
}

/// Acceptance of a feature that a target does not support.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Allow {
    /// Feature, as the error names it.
    #[schemars(extend("x-kdl" = "arg"))]
    pub feature: At<Text>,
    /// Target. Default: all targets.
    #[schemars(extend("x-kdl" = "prop"))]
    pub on: Option<At<Text>>,
    /// Reason why the job can run without the feature.
    #[schemars(extend("format" = "filled-text", "x-kdl" = "prop"))]
    pub because: At<Text>,
}
