//! The typed job description: one declaration a field. Its doc comments are the hover text and the reference.
//!
//! `x-kdl` says how a field stands in KDL: `arg` (an argument of its node), `prop` (a property), `args` (all arguments
//! of its own child node), `child` (the default: a child node of its own), `named` (a child node for each, whose first
//! argument is the key), `pairs` (one child node whose children are key and value), `list` (a child node for each),
//! `targets` (a child node for each target, whose first argument is the target's name). A map says in `propertyNames`
//! which grammar its names have, a field in `default` what holds without it. A target's option with
//! `x-inherited` false stays at the job; others pass on to those roles whose options know them.
mod framework;
mod keyword;
mod place;
mod storage;
mod tasks;
pub mod values;

pub use framework::{Framework, Protocol};
pub use keyword::Keyword;
pub use place::{Attribute, Place, Spread};
pub use storage::{Checkpoints, Code, Data, Hadoop, Stage};
pub use tasks::{
    After, Argv, Count, Device, ExitCode, Port, PortNumber, Probe, Resources, Restart, Scope,
    ServiceResources, User, user_name,
};
pub use tfjob_contract::{FrameworkName, RestartOn, StrategyName, Success, When};

use crate::at::{At, Named};
use schemars::JsonSchema;
use serde::Deserialize;
use values::{Duration, Image, Name, Port as PortValue, Text, Word};

/// A file: one job, maybe built on another file.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct File {
    /// The file that this one extends, relative to it; it stands before `job`. What stands here replaces what stands
    /// there: `job`, `role`, `helper`, `target` and blocks of names and values, such as `env`, merge entry by entry, any
    /// other block is replaced whole.
    #[schemars(extend("x-kdl" = "child"))]
    pub extends: Option<At<String>>,
    /// The job.
    pub job: At<Job>,
}

/// Declares `Job` and `Role` with the fields that both have: at the job they are the default of every role.
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

        /// The nodes of a job that are the default of every role: a role's own node wins.
        pub const DEFAULTS: &[&str] = &[$(stringify!($bf)),*];
    };
}

with_defaults! {
    /// A training job: its roles, what they read and write, and how they end.
    Job {
        /// The name: a DNS label, unique where it runs.
        #[schemars(extend("x-kdl" = "arg"))]
        name: At<Name>,
        /// What the job is for, in words.
        description: Option<At<Text>>,
        /// Labels that the platform shows and filters by.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "pairs"))]
        labels: Named<At<Text>>,
        /// The library that the program is written for, and how it distributes the work.
        framework: At<Framework>,
        /// The program: an archive, a folder or a script, in the folder that `{code}` names.
        code: Option<At<Code>>,
        /// Something copied into every task, such as a virtual environment. Archives are unpacked (`.zip`, `.tar`, `.tar.gz`,
        /// `.tgz`, `.tar.bz2`, `.tbz2`, `.tar.xz`, `.txz`); all other files are copied as they are.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "name"}))]
        stage: Named<At<Stage>>,
        /// Training data. `{data.NAME}` is where it is.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "name"}))]
        data: Named<At<Data>>,
        /// Where the program keeps its state. What exists there is resumed.
        checkpoints: Option<At<Checkpoints>>,
        /// Hadoop in the image, for programs that read `hdfs:` through libhdfs.
        hadoop: Option<At<Hadoop>>,
        /// How TensorFlow's tasks talk: `grpc`, or one that a custom build adds.
        protocol: Option<At<Protocol>>,
        /// A value that `--set param.NAME=VALUE` can change. `{param.NAME}` is its text.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "param-name"}))]
        param: Named<At<Param>>,
        /// How the tasks start.
        start: Option<At<Start>>,
        /// How the tasks stop.
        stop: Option<At<Stop>>,
        /// How long the job may take, from the first task's start.
        #[schemars(extend("format" = "positive-duration"))]
        deadline: Option<At<Duration>>,
        /// Whose success is the job's: by default the chief's for parameter servers and estimators, else the workers'.
        #[schemars(with = "Option<At<Keyword<Success>>>")]
        success: Option<At<Success>>,
        /// Which containers stay after the end, for their logs.
        keep: Option<At<Keep>>,
        /// A TensorBoard beside the job, with the variables and secrets that every role has alike.
        tensorboard: Option<At<Tensorboard>>,
        /// `host`, or the name of one of the platform's container networks.
        #[schemars(extend("format" = "filled-text"))]
        network: Option<At<Text>>,
        /// The Kerberos identity of the job.
        kerberos: Option<At<Kerberos>>,
        /// Accepts by name that a target refuses a feature: the refusal becomes a warning.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "list"))]
        allow: Vec<At<Allow>>,
        /// Tasks that do the same work, by the framework's word for it.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "name"}))]
        role: Named<At<Role>>,
        /// A role outside the rendezvous, such as a notebook. It ends with the job.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "name"}))]
        helper: Named<At<Role>>,
    }
    /// Tasks that do the same work.
    Role {
        /// How many tasks.
        #[schemars(extend("default" = 1, "x-kdl" = "prop"))]
        count: Option<At<Count>>,
        /// The job starts, and goes on, with that many.
        #[schemars(extend("x-kdl" = "prop"))]
        min: Option<At<Count>>,
    }
    Both {
        /// The container image.
        image: Option<At<ImageSpec>>,
        /// The program and its arguments, without a shell. The task ends when the program does: processes that it leaves get TERM.
        #[schemars(extend("x-kdl" = "args"))]
        run: Option<At<Argv>>,
        /// Text for `/bin/sh -ec`, verbatim: no references, but variables such as `$TFJOB_INDEX`.
        shell: Option<At<Text>>,
        /// Where the program starts: a path or a reference. By default `{code}` if there is code, else the directory of the
        /// image; some targets start it in a directory of the container, and say so.
        workdir: Option<At<Text>>,
        /// Environment variables.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "pairs", "propertyNames" = {"format": "env-name"}))]
        env: Named<At<Text>>,
        /// A variable whose value the platform keeps secret.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "env-name"}))]
        secret: Named<At<Secret>>,
        /// Who the program runs as: a name or a number.
        user: Option<At<User>>,
        /// What each task gets, reserved and ceiling at once.
        resources: Option<At<Resources>>,
        /// A port of each task. `cluster` is the rendezvous, 2222 unless given.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "name"}))]
        port: Named<At<Port>>,
        /// What happens when a task ends badly. Without it nothing is restarted.
        restart: Option<At<Restart>>,
        /// Starts only after another role.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "name"}))]
        after: Named<At<After>>,
        /// When a task counts as ready.
        ready: Option<At<Probe>>,
        /// Where the tasks may run. All must hold.
        place: Option<At<Place>>,
        /// Words of one platform, typed by that target.
        #[serde(default)]
        #[schemars(extend("x-kdl" = "targets"))]
        target: Targets,
    }
}

/// The `target` blocks. Each target reads its own from the tree; see [`crate::target`].
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

/// The container image.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ImageSpec {
    /// `registry/repository:tag@digest`.
    #[schemars(extend("x-kdl" = "arg"))]
    pub name: At<Image>,
    /// When it is pulled.
    #[schemars(extend("x-kdl" = "prop"))]
    pub pull: Option<At<Pull>>,
    /// The platform's secret that holds the registry's credentials.
    #[schemars(extend("format" = "filled-text", "x-kdl" = "prop"))]
    pub pull_secret: Option<At<Text>>,
}

/// When an image is pulled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pull {
    /// Where the node does not have it.
    Missing,
    /// At each start.
    Always,
    /// Never: the node must have it.
    Never,
}

/// A value of the job that can be set from outside.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Param {
    /// Its default, which is also its type.
    #[schemars(extend("x-kdl" = "arg"))]
    pub value: At<Word>,
}

/// A variable whose value the platform keeps secret. The value is never in the spec.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Secret {
    /// The platform's secret.
    #[schemars(extend("format" = "filled-text", "x-kdl" = "prop"))]
    pub from: At<Text>,
    /// The entry of that secret.
    #[schemars(extend("format" = "filled-text", "x-kdl" = "prop"))]
    pub key: Option<At<Text>>,
    /// The file that holds it; the variable then holds this path.
    #[schemars(extend("x-kdl" = "prop"))]
    pub at: Option<At<values::AbsolutePath>>,
}

/// How the tasks start.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Start {
    /// How long peers may take to appear, and to listen; without it, as long as platform and program wait.
    #[schemars(extend("format" = "positive-duration", "x-kdl" = "prop"))]
    pub timeout: Option<At<Duration>>,
    /// All tasks (each role's `min`) start, or none.
    #[schemars(extend("default" = false, "x-kdl" = "prop"))]
    pub gang: Option<At<bool>>,
}

/// How the tasks stop.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Stop {
    /// Time between SIGTERM and the kill.
    #[schemars(extend("x-kdl" = "prop"))]
    pub grace: At<Duration>,
}

/// Which containers stay after the end.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Keep {
    /// Which.
    #[schemars(extend("x-kdl" = "arg"))]
    pub what: At<Kept>,
    /// For how long.
    #[schemars(extend("format" = "positive-duration", "x-kdl" = "prop"))]
    pub r#for: Option<At<Duration>>,
}

/// Which containers stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kept {
    /// Those that failed.
    Failed,
    /// All.
    All,
    /// None.
    None,
}

/// A TensorBoard beside the job.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Tensorboard {
    /// The folder it reads; `{checkpoints}` unless given.
    #[schemars(extend("default" = "{checkpoints}", "x-kdl" = "prop"))]
    pub logs: Option<At<Text>>,
    /// Where it listens; 6006 unless given.
    #[schemars(extend("default" = 6006, "x-kdl" = "prop"))]
    pub port: Option<At<PortValue>>,
    /// Its image; the job's unless given.
    #[schemars(extend("x-kdl" = "prop"))]
    pub image: Option<At<Image>>,
    /// What it gets; 1 core and 4 GiB unless given.
    pub resources: Option<At<ServiceResources>>,
}

/// The Kerberos identity of the job.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Kerberos {
    /// `name/host@REALM` or `name@REALM`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub principal: At<Text>,
    /// A uri, or `secret:ENV` for a secret of this job.
    #[schemars(extend("x-kdl" = "prop"))]
    pub keytab: At<Text>,
}

/// Accepts that a target refuses a feature.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Allow {
    /// The feature, as the refusal names it.
    #[schemars(extend("x-kdl" = "arg"))]
    pub feature: At<Text>,
    /// The target; every target unless given.
    #[schemars(extend("x-kdl" = "prop"))]
    pub on: Option<At<Text>>,
    /// Why that is all right here.
    #[schemars(extend("format" = "filled-text", "x-kdl" = "prop"))]
    pub because: At<Text>,
}
