//! The contract: written by the compiler, read by the shim; its words, and nothing that acts on them.
use crate::{Duties, FrameworkName, Membership, RoleDuties, StrategyName};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// All that the shim of one job needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contract {
    /// The version of this shape.
    pub version: u32,
    /// The job's name.
    pub job: String,
    /// Which rendezvous variables are set.
    pub framework: Framework,
    /// Where this container finds its role.
    pub role: Source,
    /// Where this container finds its index within the role, from 0.
    pub index: Source,
    /// Where the peers of each task are.
    pub peers: Peers,
    /// The libraries that TensorFlow needs to read `hdfs` addresses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hadoop: Option<Hadoop>,
    /// The roles, in the order of the spec.
    pub roles: Vec<Role>,
    /// What the shim does besides starting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duties: Option<Duties>,
}

/// The framework whose rendezvous variables the shim sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Framework {
    /// Its name.
    pub name: FrameworkName,
    /// TensorFlow's strategy: it decides who stands in whose TF_CONFIG.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<StrategyName>,
}

/// One role of the job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Role {
    /// The name in the spec, which is also the framework's word for a role of the rendezvous.
    pub name: String,
    /// What it is to the rendezvous.
    pub kind: Membership,
    /// Number of tasks.
    pub count: u32,
    /// The rendezvous port of each task. 0: the tasks listen on none, or the platform finds it ([`Peers::Given`]).
    pub port: u16,
    /// GPUs of each task. 0: all that a node has are hidden from it. Absent: what the platform shows is left alone,
    /// for a task that has its devices by another count (a slice of a GPU, another maker's).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gpus: Option<u32>,
    /// What to start.
    pub run: Run,
    /// Where to start it; the container's own folder where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workdir: Option<Value>,
    /// Variables of the job, in order. A [`Piece::Env`] in them sees the image and the platform, never an earlier one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<(String, Value)>,
    /// Named ports other than the rendezvous. 0: the shim picks a free one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ports: BTreeMap<String, u16>,
    /// What the shim does for these tasks besides starting them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duties: Option<RoleDuties>,
}

/// Where the image has Hadoop's client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hadoop {
    /// Its folder, an absolute path.
    pub home: String,
    /// Java's folder; what the image's `JAVA_HOME` says where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub java: Option<String>,
    /// The folder of its configuration; where absent, what `HADOOP_CONF_DIR` says, if that folder is in the container, else
    /// `etc/hadoop` in `home`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conf: Option<String>,
    /// Folders whose `*.jar` stand in `CLASSPATH`, in this order; relative ones in `home`.
    pub jars: Vec<String>,
}

/// What to start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Run {
    /// A program and its words.
    Argv(Vec<Value>),
    /// Text for `sh -ec`, verbatim.
    Shell(String),
}

/// Text with holes that only the container can fill.
pub type Value = Vec<Piece>;

/// A part of a [`Value`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Piece {
    /// As it stands.
    Text(String),
    /// This task's index within its role.
    Index,
    /// This task's host.
    Address,
    /// `host:port` of each task of a role, joined by commas.
    Addresses(String),
    /// The number of a named port of this role; `cluster` is the rendezvous.
    Port(String),
    /// A variable as image and platform set it; nothing where it is not set.
    Env(String),
    /// The file that the program makes when its work is done ([`crate::RoleDuties::done`]).
    Done,
}

/// Where the peers are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Peers {
    /// One template serves every task.
    Template(Address),
    /// Each role's list is in one variable, as a JSON list of `host:port` (the platform found the ports).
    Given {
        /// The variable.
        env: String,
        /// JSON pointer to the map of role to list.
        pointer: String,
    },
    /// No task ever looks for another.
    Alone,
}

/// The host of a task: text with `{role}`, `{index}` and `{NAME}` of `names`; `{{` is a brace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Address {
    /// The template.
    pub host: String,
    /// What else stands in it, looked up when the task starts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, Source>,
    /// The platform's word for a role, where it differs from the spec's. [`Contract::role`] may find either.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub roles: BTreeMap<String, String>,
}

/// Where a fact about this container is to be found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Source {
    /// Known when compiled.
    Is(String),
    /// A variable.
    Env(String),
    /// What follows the last `after` in a variable: `mnist-worker-3` gives `3`.
    EnvTail {
        /// The variable.
        env: String,
        /// The mark.
        after: char,
    },
    /// A JSON pointer into a variable.
    EnvJson {
        /// The variable.
        env: String,
        /// The pointer.
        pointer: String,
    },
}
