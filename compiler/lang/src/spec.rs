//! The typed job spec, with one declaration per field. The doc comments of the fields are the hover text and the reference.
//!
//! `x-kdl` is the place of a field in KDL: `arg` (an argument of its node), `prop` (a property), `args` (all arguments of its own
//! child node), `child` (default: its own child node), `named` (a child node per item; its first argument is the key), `pairs` (one
//! child node; its children are keys and values), `list` (a child node per item), `targets` (a child node per target; its first
//! argument is the target). `propertyNames` of a map is the grammar of its names.
//! A role inherits a target option from the job if roles also have this option and its `x-inherited` is not `false`.
mod framework;
mod job_name;
mod keyword;
mod placement;
mod storage;
mod tasks;
pub mod values;

pub use framework::{Framework, Protocol};
pub use job_name::job_name;
pub use keyword::Keyword;
pub use placement::{Attribute, Placement, Spread};
#[cfg(test)]
pub(crate) use storage::DOWNLOADED;
pub use storage::{Checkpoints, Code, Data, Files, Hadoop, IfExists, is_downloaded};
pub use tasks::{
    After, Argv, Count, Device, ExitCode, Port, PortNumber, Probe, Resources, Restart, Scope,
    ServiceResources, User, user_name,
};
pub use tfjob_contract::{FrameworkName, RENDEZVOUS, RestartOn, StrategyName, Success, When};

use crate::at::{At, Named};
use schemars::JsonSchema;
use serde::Deserialize;
use values::{Duration, EnvName, Image, Name, Port as PortValue, Text, Word};

/// A job spec file. It may extend another file.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct File {
    /// Path of the base file, relative to this file. `extends` must be before `job`. Entries of this file override those
    /// of the base. The blocks `job`, `role`, `helper`, and `target`, and blocks of names and values, such as `env`, are
    /// merged entry by entry. Entries that may occur several times, such as `data` and `after`, are added to those of the
    /// base. Any other block replaces the block of the base entirely.
    #[schemars(extend("x-kdl" = "child"))]
    pub extends: Option<At<String>>,
    /// The job.
    pub job: At<Job>,
}

/// Declares `Job` and `Role` with their shared fields. In the job, these fields are defaults for every role.
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

/// Returns whether a field of a job is a default for its roles (`kind` is `role`) or helpers (`helper`).
#[must_use]
pub fn is_default(field: &str, kind: &str) -> bool {
    // The names of the declarations have an underscore for each dash.
    let is_declared = |name: &&str| name.chars().map(|c| if c == '_' { '-' } else { c }).eq(field.chars());
    DEFAULTS.iter().any(is_declared) && (kind == "role" || !DEFAULTS_OF_ROLES_ONLY.contains(&field))
}

/// Returns whether the order of the entries of a field reaches the tasks: as ranks of roles, variables of a container, volumes,
/// ports, or parts of the contract. `path`: the keys from the job to the field, such as `role`, `worker`, `env`. A role or variable with
/// the name of a field is not that field.
#[must_use]
pub fn is_ordered<S: AsRef<str>>(path: &[S]) -> bool {
    match path {
        [field] => ORDERED.contains(&field.as_ref()),
        [kind, _, field] => matches!(kind.as_ref(), "role" | "helper") && ORDERED.contains(&field.as_ref()),
        _ => false,
    }
}

/// The fields of [`is_ordered`].
pub(crate) const ORDERED: [&str; 9] =
    ["after", "data", "env", "files", "helper", "param", "port", "role", "secret"];

/// Fields of a job that are defaults only for roles. A helper gets only the secrets that it names itself, because programs such as
/// notebooks need few of them.
pub(crate) const DEFAULTS_OF_ROLES_ONLY: [&str; 1] = ["secret"];

with_defaults! {
    /// A training job: its roles, inputs, outputs, and lifecycle.
    Job {
        /// Name of the job: a DNS label. Depending on the platform, it must be unique in the namespace, in the
        /// service group, or among the services of the user.
        #[schemars(extend("x-kdl" = "arg"))]
        name: At<Name>,
        /// Description of the job, for people. It does not affect the tasks.
        description: Option<At<Text>>,
        /// Labels of the job on the platform, as names and values.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "pairs"))]
        labels: Named<At<Text>>,
        /// Training framework, its version, and its distribution strategy.
        framework: At<Framework>,
        /// Program code: an archive, a directory, or a script. It is copied into every task. `{code}` expands to the directory of
        /// the code in the task.
        code: Option<At<Code>>,
        /// File or archive copied into every task before the task starts, such as a virtual environment. Archives are unpacked
        /// (`.zip`, `.tar`, `.tar.gz`, `.tgz`, `.tar.bz2`, `.tbz2`, `.tar.xz`, `.txz`). All other files are copied
        /// unchanged.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "name"}))]
        files: Named<At<Files>>,
        /// Training data. `{data.NAME}` expands to the path or URI of the data.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "name"}))]
        data: Named<At<Data>>,
        /// Checkpoint directory. If it already contains a checkpoint, training resumes from it.
        checkpoints: Option<At<Checkpoints>>,
        /// Hadoop installation in the image. Programs need it to read `hdfs:` URIs through libhdfs.
        hadoop: Option<At<Hadoop>>,
        /// Protocol between TensorFlow servers: `grpc`, or a protocol of a custom TensorFlow build.
        protocol: Option<At<Protocol>>,
        /// Parameter of the job. `{param.NAME}` expands to the value. `--set param.NAME=VALUE` overrides the value.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "param-name"}))]
        param: Named<At<Param>>,
        /// How the tasks start: the startup timeout, and gang scheduling.
        start: Option<At<Start>>,
        /// How the tasks are stopped: the time between SIGTERM and SIGKILL.
        stop: Option<At<Stop>>,
        /// Maximum duration of the job, from the start of its first task.
        #[schemars(extend("format" = "positive-duration"))]
        deadline: Option<At<Duration>>,
        /// Which tasks must succeed so that the job succeeds: the chief (without a chief: worker 0), all workers including the
        /// chief, or all tasks except helpers. Default: `chief` for parameter-server and estimator jobs, `workers` otherwise.
        #[schemars(with = "Option<At<Keyword<Success>>>")]
        success: Option<At<Success>>,
        /// Which containers are kept after job completion, and for how long. The logs of a kept container can still be read.
        keep: Option<At<Keep>>,
        /// TensorBoard instance of the job. It gets only those environment variables that have the same value in all roles, and the
        /// secrets that its block names. Depending on the target, TensorBoard stops when the job ends, or runs
        /// until you delete it.
        tensorboard: Option<At<Tensorboard>>,
        /// Network of the containers: `host`, or the name of a container network of the platform.
        #[schemars(extend("format" = "filled-text"))]
        network: Option<At<Text>>,
        /// Kerberos identity of the job.
        kerberos: Option<At<Kerberos>>,
        /// Accepts that a target does not support a feature. The error becomes a warning, and the job runs without the feature.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "list"))]
        allow: Vec<At<Allow>>,
        /// A group of identical tasks that train together. The name is a role of the framework, such as `worker`.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "name"}))]
        role: Named<At<Role>>,
        /// A group of identical tasks that do not train, such as a notebook. Helpers are stopped at job completion. They do not
        /// inherit the secrets of the job.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "name"}))]
        helper: Named<At<Role>>,
    }
    /// A group of identical tasks.
    Role {
        /// Number of tasks.
        #[schemars(extend("default" = 1, "x-kdl" = "prop"))]
        count: Option<At<Count>>,
        /// Minimum number of tasks. The job may start, and continue, with fewer tasks than `count`, but not with fewer than `min`.
        #[schemars(extend("x-kdl" = "prop"))]
        min: Option<At<Count>>,
    }
    Both {
        /// Container image.
        image: Option<At<ImageSpec>>,
        /// Program and its arguments, run without a shell. The task finishes when the program exits. Child processes that are
        /// still running at that time receive SIGTERM.
        #[schemars(extend("x-kdl" = "args"))]
        run: Option<At<Argv>>,
        /// Script that `/bin/sh -ec` runs. References such as `{index}` are not expanded in the script; use environment
        /// variables such as `$TFJOB_INDEX`.
        shell: Option<At<Text>>,
        /// Working directory: a path or a reference such as `{code}`. Default: `{code}` if the job has code, otherwise the
        /// working directory of the image. Platforms that ignore the working directory of the image use an empty directory.
        workdir: Option<At<Text>>,
        /// Environment variables of the tasks.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "pairs", "propertyNames" = {"format": "env-name"}))]
        env: Named<At<Text>>,
        /// Environment variable that gets its value from a secret of the platform.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "env-name"}))]
        secret: Named<At<Secret>>,
        /// User that the program runs as: a user name or a UID.
        user: Option<At<User>>,
        /// Resources per task. Each amount is both the request and the limit.
        resources: Option<At<Resources>>,
        /// Named port of each task. Tasks connect to each other at the port `rendezvous`. Default of this port: 2222.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "name"}))]
        port: Named<At<Port>>,
        /// Restart policy: whether a task is restarted after a failure, or after every exit. Default: `"never"`.
        restart: Option<At<Restart>>,
        /// Start order: names a role that must be ready, started, or done before the tasks start.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "name"}))]
        after: Named<At<After>>,
        /// Readiness probe: how to detect that a task is ready. By default, a role with `after` starts when all tasks of the other
        /// role are ready.
        ready: Option<At<Probe>>,
        /// Placement constraints of the tasks. All of them must be met.
        placement: Option<At<Placement>>,
        /// Options of one target. They apply only if the job is compiled for this target.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "targets"))]
        target: Targets,
    }
}

/// The `target` blocks. Each target decodes its own block from the tree; see [`crate::target`].
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
    /// When to pull the image. Default: the pull policy of the platform.
    #[schemars(extend("x-kdl" = "prop"))]
    pub pull: Option<At<Pull>>,
    /// Name of the platform's secret that contains the credentials of the registry.
    #[schemars(extend("format" = "filled-text", "x-kdl" = "prop"))]
    pub pull_secret: Option<At<Text>>,
}

/// Image pull policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pull {
    /// Pulls the image if it is not on the node.
    Missing,
    /// Pulls the image at each container start.
    Always,
    /// Never pulls the image. The image must be on the node.
    Never,
}

/// A parameter of the job.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Param {
    /// Default value. A value from `--set` must have the same type: string, number, or boolean.
    #[schemars(extend("x-kdl" = "arg"))]
    pub value: At<Word>,
}

/// An environment variable that gets its value from a secret of the platform. The value is never part of the spec.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Secret {
    /// Name of the secret on the platform.
    #[schemars(extend("format" = "filled-text", "x-kdl" = "prop"))]
    pub from: At<Text>,
    /// Key of the value within the secret.
    #[schemars(extend("format" = "filled-text", "x-kdl" = "prop"))]
    pub key: Option<At<Text>>,
    /// Path at which the value is available as a file in each task. The variable then contains this path instead of the value.
    #[schemars(extend("x-kdl" = "prop"))]
    pub at: Option<At<values::AbsolutePath>>,
}

/// How the tasks start.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Start {
    /// Maximum time that a task waits until all its peers are reachable. If unset, only the timeouts of the platform and of
    /// the program apply.
    #[schemars(extend("format" = "positive-duration", "x-kdl" = "prop"))]
    pub timeout: Option<At<Duration>>,
    /// Gang scheduling: either all tasks start, or none. For a role with `min`, `min` tasks are sufficient.
    #[schemars(extend("default" = false, "x-kdl" = "prop"))]
    pub gang: Option<At<bool>>,
}

/// How the tasks are stopped.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Stop {
    /// Time between SIGTERM and SIGKILL.
    #[schemars(extend("x-kdl" = "prop"))]
    pub grace: At<Duration>,
}

/// Which containers are kept after job completion, and for how long.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Keep {
    /// Which containers to keep.
    #[schemars(extend("x-kdl" = "arg"))]
    pub what: At<Kept>,
    /// How long the containers are kept. Default: the retention time of the platform.
    #[schemars(extend("format" = "positive-duration", "x-kdl" = "prop"))]
    pub r#for: Option<At<Duration>>,
}

/// Which containers to keep after job completion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kept {
    /// Keeps the containers of failed tasks.
    Failed,
    /// Keeps all containers.
    All,
    /// Keeps no containers.
    None,
}

/// A TensorBoard instance of the job.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Tensorboard {
    /// Directory of the event files that TensorBoard shows.
    #[schemars(extend("default" = "{checkpoints}", "x-kdl" = "prop"))]
    pub logs: Option<At<Text>>,
    /// Port of the web server.
    #[schemars(extend("default" = 6006, "x-kdl" = "prop"))]
    pub port: Option<At<PortValue>>,
    /// Container image. Default: the image of the job.
    #[schemars(extend("x-kdl" = "prop"))]
    pub image: Option<At<Image>>,
    /// Secrets that TensorBoard gets: the environment variables of their `secret` entries. TensorBoard gets no other secrets. If
    /// roles set different secrets for the same variable, TensorBoard gets that of the first role in the spec.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "args"))]
    pub secrets: Vec<At<EnvName>>,
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
    /// Keytab file: a URI, or `secret:NAME` for the entry `secret "NAME"` of this job, which must have `at`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub keytab: At<Text>,
}

/// Accepts that a target does not support a feature.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Allow {
    /// Name of the feature as in the error, such as `gang`.
    #[schemars(extend("x-kdl" = "arg"))]
    pub feature: At<Text>,
    /// Target to which the exception applies. Default: all targets.
    #[schemars(extend("x-kdl" = "prop"))]
    pub on: Option<At<Text>>,
    /// Reason why the job can run without the feature.
    #[schemars(extend("format" = "filled-text", "x-kdl" = "prop"))]
    pub because: At<Text>,
}
