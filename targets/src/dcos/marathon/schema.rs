//! The group and app types of Marathon's API. Marathon rejects unknown keys.
//!
//! Source of every field: the RAML types of Marathon's REST API (`api/v2/types/*.raml`, cited at each struct). Rules that only
//! the code of Marathon contains are cited at the field.
use crate::dcos::amounts::Decimal;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use tfjob_lang::origin::Traced;

/// `group.raml`, `GroupUpdate`: the body of `POST /v2/groups`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Group {
    /// The path of the group; `stringTypes.raml`, `PathId`.
    pub id: Traced<String>,
    /// The apps of the group.
    pub apps: Vec<App>,
}

/// `app.raml`, `App`: one app runs one task of the job.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct App {
    /// The path of the app, below its group.
    pub id: Traced<String>,
    /// Script for `/bin/sh -c`. An app with `cmd` cannot have `args`.
    pub cmd: Traced<String>,
    /// The account on the agent under which the task runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<Traced<String>>,
    /// Number of tasks. It is always one, so that each task has its own name.
    pub instances: Traced<u32>,
    /// Cores, at least 0.001.
    pub cpus: Traced<Decimal>,
    /// Memory in MiB.
    pub mem: Traced<u64>,
    /// Disk in MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk: Option<Traced<u64>>,
    /// Number of whole GPUs. Valid only with a container of type `MESOS` (`AppValidation.scala`, `complyWithGpuRules`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpus: Option<Traced<u32>>,
    /// Image, volumes, and ports on a container network.
    pub container: Container,
    /// Exactly one network.
    pub networks: Vec<Network>,
    /// Host ports. Used only on the host network. If the field is missing, Marathon assigns one free port.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port_definitions: Option<Vec<PortDefinition>>,
    /// Whether the task gets exactly the ports of `portDefinitions`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub require_ports: Option<Traced<bool>>,
    /// Environment variables.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, Traced<EnvValue>>,
    /// Secrets. Key: the name by which `env`, `volumes`, and `pullConfig` refer to the secret.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub secrets: BTreeMap<String, SecretSource>,
    /// Files that the agent downloads into the sandbox before the start.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fetch: Vec<Artifact>,
    /// Placement constraints: attribute, operator, value (`constraint.raml`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<Traced<Vec<String>>>,
    /// Mesos roles whose offers the app accepts. Only a patch sets this field.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accepted_resource_roles: Vec<Traced<String>>,
    /// Apps that must be running and healthy before this app starts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<Traced<String>>,
    /// Health checks that Mesos runs. tfjob writes at most one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub health_checks: Vec<HealthCheck>,
    /// Labels. Marathon also passes them to the task as environment variables.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, Traced<String>>,
    /// Delay before the first restart, in seconds.
    pub backoff_seconds: Traced<u64>,
    /// Factor by which the delay grows after each restart, at least 1.
    pub backoff_factor: Traced<Decimal>,
    /// Longest delay before a restart, in seconds.
    pub max_launch_delay_seconds: Traced<u64>,
    /// Seconds between SIGTERM and SIGKILL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_kill_grace_period_seconds: Option<Traced<u64>>,
    /// How Marathon replaces the task when the app changes.
    pub upgrade_strategy: Traced<UpgradeStrategy>,
    /// How Marathon handles a task on an unreachable agent.
    pub unreachable_strategy: Traced<Unreachable>,
}

/// `appContainer.raml`, `Container`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Container {
    /// Runtime of the container. It is always that of Mesos, because the Docker runtime supports neither GPUs nor registry secrets.
    #[serde(rename = "type")]
    pub kind: Engine,
    /// The image and its registry credentials.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docker: Option<Docker>,
    /// Linux-specific settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linux_info: Option<LinuxInfo>,
    /// Agent directories and secrets that are mounted into the container.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub volumes: Vec<Volume>,
    /// Ports on a container network. If the field is missing, Marathon assigns one free port.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port_mappings: Option<Vec<PortMapping>>,
}

/// `appContainer.raml`, `EngineType`.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Engine {
    /// The Universal Container Runtime (UCR) of Mesos.
    Mesos,
}

/// `appContainer.raml`, `DockerContainer`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Docker {
    /// The image.
    pub image: Traced<String>,
    /// Whether the agent pulls the image at each start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force_pull_image: Option<Traced<bool>>,
    /// Credentials of the image registry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pull_config: Option<PullConfig>,
}

/// `docker.raml`, `DockerPullConfig`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PullConfig {
    /// Name of the entry in `secrets` of the app that contains the registry credentials.
    pub secret: Traced<String>,
}

/// `linux.raml`, `LinuxInfo`; since Marathon 1.9.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LinuxInfo {
    /// Settings of shared memory.
    pub ipc_info: IpcInfo,
}

/// `linux.raml`, `IPCInfo`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IpcInfo {
    /// Always `PRIVATE`, because `shmSize` is valid only with this mode.
    pub mode: IpcMode,
    /// The size of `/dev/shm` in MiB.
    pub shm_size: Traced<u64>,
}

/// `linux.raml`, `IPCMode`.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum IpcMode {
    /// The container has its own `/dev/shm`.
    Private,
}

/// `volumes.raml`, `AppHostVolume` or `AppSecretVolume`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Volume {
    /// A directory of the agent.
    #[serde(rename_all = "camelCase")]
    Host {
        /// Path in the container.
        container_path: Traced<String>,
        /// Path on the agent.
        host_path: String,
        /// Whether the task may write.
        mode: Mode,
    },
    /// A file that contains a secret.
    #[serde(rename_all = "camelCase")]
    Secret {
        /// Path in the container.
        container_path: Traced<String>,
        /// Key of the secret in the app's field `secrets`.
        secret: String,
    },
}

/// `stringTypes.raml`, `ReadMode`.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Mode {
    /// Read only.
    Ro,
    /// Read and write.
    Rw,
}

/// `appContainer.raml`, `ContainerPortMapping`. There is no `hostPort`, because the container has its own IP address.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PortMapping {
    /// Port in the container. 0 if Marathon picks the port.
    pub container_port: Traced<u16>,
    /// Name of the port.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// `network.raml`, `Network`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Network {
    /// Host network or container network.
    pub mode: Traced<NetworkMode>,
    /// Name of the container network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// `network.raml`, `NetworkMode`.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NetworkMode {
    /// The network of the agent.
    Host,
    /// A named network with one IP address per container.
    Container,
}

/// `network.raml`, `PortDefinition`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PortDefinition {
    /// Host port. 0 if Marathon picks a port from the offer of the agent.
    pub port: Traced<u16>,
    /// Name of the port.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// `environmentVariable.raml`, `EnvVarValueOrSecret`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum EnvValue {
    /// A plain value.
    Text(String),
    /// A reference to a secret.
    Secret {
        /// Key of the secret in the app's field `secrets`.
        secret: String,
    },
}

/// `secrets.raml`, `SecretDef`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SecretSource {
    /// Path of the secret in the secret store.
    pub source: Traced<String>,
}

/// `artifact.raml`, `Artifact`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Artifact {
    /// URI of the download, at most 1024 characters.
    pub uri: Traced<String>,
    /// Whether the fetcher of Mesos unpacks the file. It always unpacks into the root of the sandbox.
    pub extract: bool,
    /// Whether the file is made executable.
    pub executable: bool,
    /// File name in the sandbox.
    pub dest_path: String,
}

/// `healthCheck.raml`, `AppHealthCheck`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HealthCheck {
    /// Protocol of the check. Only protocols whose checks the agent runs are used.
    pub protocol: Traced<Protocol>,
    /// Port to check, if it is a fixed number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// Index of the port to check in the port list of the app, if Marathon picks the port.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port_index: Option<usize>,
    /// Path of an HTTP check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Command of a `COMMAND` check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<CheckCommand>,
    /// Number of seconds after the start of the task. Failures of the check during this time are ignored.
    pub grace_period_seconds: u32,
    /// Seconds between checks.
    pub interval_seconds: u32,
    /// Timeout of one check, in seconds.
    pub timeout_seconds: u32,
    /// Seconds before the first check.
    pub delay_seconds: u32,
    /// Number of consecutive failures after which the task is killed. 0 kills it at the first failure (`docs/health-checks.md`).
    pub max_consecutive_failures: u32,
}

/// `healthCheck.raml`, `AppCommandCheck`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CheckCommand {
    /// Script that the shell runs.
    pub value: String,
}

/// `healthCheck.raml`, `AppHealthCheckProtocol`: only those protocols whose checks the agent runs.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Protocol {
    /// The port must accept connections.
    MesosTcp,
    /// The response must have a status code from 200 to 399.
    MesosHttp,
    /// The command must succeed.
    Command,
}

/// `app.raml`, `UpgradeStrategy`.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpgradeStrategy {
    /// Share of tasks that must keep running while the app changes. It is 0: the old task stops before the new one starts, so that
    /// no task runs twice.
    pub minimum_health_capacity: Decimal,
    /// Share of additional tasks that may run while the app changes. It is 0: no new task runs next to the old one.
    pub maximum_over_capacity: Decimal,
}

/// `unreachableStrategy.raml`: how Marathon handles a task on an unreachable agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Unreachable {
    /// Marathon does not replace the task, but waits until the agent is reachable again.
    Disabled(Disabled),
    /// Marathon starts a new task.
    #[serde(rename_all = "camelCase")]
    Replace {
        /// Seconds from when the agent becomes unreachable until Marathon starts the new task.
        inactive_after_seconds: u64,
        /// Seconds for which the agent may be unreachable. If it becomes reachable again later, Marathon kills the old task.
        expunge_after_seconds: u64,
    },
}

/// `unreachableStrategy.raml`, `UnreachableDisabled`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Disabled {
    /// The value `disabled`.
    Disabled,
}
