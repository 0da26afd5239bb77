//! The types of the job contract: the compiled job that the compiler writes and the shim reads.
use crate::{Duties, FrameworkName, Membership, RoleDuties, StrategyName};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The job contract: a compiled job, as the shim reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contract {
    /// Version of the format.
    pub version: u32,
    /// Name of the job.
    pub job: String,
    /// Framework; determines the rendezvous variables.
    pub framework: Framework,
    /// How this container determines its role.
    pub role: Source,
    /// How this container determines its index within the role, from 0.
    pub index: Source,
    /// Addresses of the peers.
    pub peers: Peers,
    /// Hadoop client, for `hdfs` access of TensorFlow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hadoop: Option<Hadoop>,
    /// Roles, in the order of the spec.
    pub roles: Vec<Role>,
    /// Duties of all shims of the job: what they do for their tasks besides starting them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duties: Option<Duties>,
}

/// The framework whose rendezvous variables the shim sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Framework {
    /// Name of the framework.
    pub name: FrameworkName,
    /// TensorFlow strategy; determines the content of `TF_CONFIG`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<StrategyName>,
}

/// A role of the job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Role {
    /// Name in the spec; for a role in the rendezvous also the name in the framework.
    pub name: String,
    /// Membership in the rendezvous.
    pub kind: Membership,
    /// Number of tasks.
    pub count: u32,
    /// Rendezvous port of each task. 0: none, or allocated by the platform ([`Peers::Given`]).
    pub port: u16,
    /// GPUs per task. 0: all GPUs of the node are hidden. Absent: all devices that the platform provides stay visible, such as MIG
    /// slices or GPUs of other vendors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gpus: Option<u32>,
    /// Command of each task.
    pub run: Run,
    /// Working directory. Absent: that of the container.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workdir: Option<Value>,
    /// Environment variables of the job, in the order of the spec. A [`Piece::Env`] reads the environment of the container, not an
    /// earlier variable of this list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<(String, Value)>,
    /// Named ports except the rendezvous port. 0: the shim allocates a free one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ports: BTreeMap<String, u16>,
    /// Duties of the shims of this role, in addition to those of all shims ([`Contract::duties`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duties: Option<RoleDuties>,
}

/// Location of the Hadoop client in the image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hadoop {
    /// Home directory of Hadoop, an absolute path.
    pub home: String,
    /// Home directory of Java. Absent: `JAVA_HOME` of the image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub java: Option<String>,
    /// Configuration directory. Absent: `HADOOP_CONF_DIR` if that directory exists in the container, otherwise `etc/hadoop` in
    /// `home`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conf: Option<String>,
    /// Directories, relative to `home`. Their `*.jar` files form `CLASSPATH`, in the order of the directories.
    pub jars: Vec<String>,
}

/// The command of a role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Run {
    /// A program and its arguments.
    Argv(Vec<Value>),
    /// A script for `sh -ec`, verbatim.
    Shell(String),
}

/// A string with references, which the shim expands in the container.
pub type Value = Vec<Piece>;

/// The name of the rendezvous port, in [`Piece::Port`] and in probes ([`crate::Ready`]).
pub const RENDEZVOUS: &str = "rendezvous";

/// A part of a [`Value`]: literal text, or a reference that the shim replaces by its value in the container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Piece {
    /// Literal text.
    Text(String),
    /// Index of this task within its role.
    Index,
    /// Host of this task.
    Address,
    /// `host:port` of each task of a role, joined by commas.
    Addresses(String),
    /// Number of a named port of this role, or of the rendezvous port ([`RENDEZVOUS`]).
    Port(String),
    /// Value of an environment variable of the container; empty if unset.
    Env(String),
    /// Path of the completion file ([`crate::RoleDuties::done`]).
    Done,
}

/// Addresses of the peers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Peers {
    /// One address template for all tasks.
    Template(Address),
    /// A platform variable with a JSON list of `host:port` per role; the platform allocates the ports.
    Given {
        /// Name of the variable.
        env: String,
        /// JSON pointer to the map from each role to its list of addresses.
        pointer: String,
    },
    /// No addresses, because no task needs the address of another task.
    Alone,
}

/// A host template with `{role}`, `{index}`, and `{NAME}` of `names`; `{{` is a literal brace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Address {
    /// Host template, such as `job-{role}-{index}.example.com`.
    pub host: String,
    /// For each `{NAME}` of the template, the source of its value. The value is read when the task starts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, Source>,
    /// Names of roles on the platform, by their names in the spec. Contains only the roles for which the two names differ.
    /// [`Contract::role`] may yield either name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub roles: BTreeMap<String, String>,
}

/// How a container determines a fact about itself, such as its role or index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Source {
    /// The same value in each container.
    Is(String),
    /// An environment variable.
    Env(String),
    /// The part of an environment variable after the last `after`: `3` if the value is `mnist-worker-3` and `after` is `-`.
    EnvTail {
        /// Name of the variable.
        env: String,
        /// The separator, such as `-`.
        after: char,
    },
    /// The string or number at a JSON pointer, in an environment variable that contains JSON.
    EnvJson {
        /// Name of the variable.
        env: String,
        /// JSON pointer (RFC 6901) to the value.
        pointer: String,
    },
}
