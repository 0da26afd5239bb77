//! Marathon's group and app as its API takes them; unknown keys would be refused, and wrong ones misread.
//!
//! Every field: the RAML types of Marathon's REST API (`api/v2/types/*.raml`, named at each struct); what only the
//! code of Marathon checks is named where it matters.
use crate::dcos::amounts::Decimal;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use tfjob_lang::origin::Traced;

/// `group.raml`, `GroupUpdate`: what `POST /v2/groups` takes.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Group {
    /// The path of the group; `stringTypes.raml`, `PathId`.
    pub id: Traced<String>,
    /// Its apps.
    pub apps: Vec<App>,
}

/// `app.raml`, `App`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct App {
    /// The path of the app, below its group.
    pub id: Traced<String>,
    /// Text for `/bin/sh -c`; never beside `args`.
    pub cmd: Traced<String>,
    /// The account of the agent that runs the task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<Traced<String>>,
    /// Number of tasks: one, so that each task has a name of its own.
    pub instances: Traced<u32>,
    /// Cores, at least 0.001.
    pub cpus: Traced<Decimal>,
    /// Memory in MiB.
    pub mem: Traced<u64>,
    /// Disk in MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk: Option<Traced<u64>>,
    /// Whole GPUs; only with a container of type `MESOS` (`AppValidation.scala`, `complyWithGpuRules`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpus: Option<Traced<u32>>,
    /// Image, volumes, ports inside a network of containers.
    pub container: Container,
    /// The one network.
    pub networks: Vec<Network>,
    /// Host ports, on the host's network only. Absent would mean one free port.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port_definitions: Option<Vec<PortDefinition>>,
    /// Whether `portDefinitions` are the very ports of the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub require_ports: Option<Traced<bool>>,
    /// Variables.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, Traced<EnvValue>>,
    /// The secrets that `env`, volumes and the image's registry name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub secrets: BTreeMap<String, SecretSource>,
    /// Files that the agent puts into the sandbox before the start.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fetch: Vec<Artifact>,
    /// Attribute, operator, value; `constraint.raml`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<Traced<Vec<String>>>,
    /// The resource roles whose offers are taken; Marathon's own choice unless a patch says.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accepted_resource_roles: Vec<Traced<String>>,
    /// Apps that are started, and healthy, first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<Traced<String>>,
    /// At most one of Mesos' own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub health_checks: Vec<HealthCheck>,
    /// Labels; Marathon also gives them to the task as variables.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, Traced<String>>,
    /// Seconds of the first pause before an ended task starts again.
    pub backoff_seconds: Traced<u64>,
    /// How much longer each next pause is, at least 1.
    pub backoff_factor: Traced<Decimal>,
    /// Seconds of the longest pause.
    pub max_launch_delay_seconds: Traced<u64>,
    /// Seconds between SIGTERM and SIGKILL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_kill_grace_period_seconds: Option<Traced<u64>>,
    /// How a changed app replaces its task.
    pub upgrade_strategy: Traced<UpgradeStrategy>,
    /// What becomes of a task whose agent is unreachable.
    pub unreachable_strategy: Traced<Unreachable>,
}

/// `appContainer.raml`, `Container`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Container {
    /// Always Mesos' own runtime: Docker's has no GPUs and no registry secrets.
    #[serde(rename = "type")]
    pub kind: Engine,
    /// The image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docker: Option<Docker>,
    /// What only Linux has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linux_info: Option<LinuxInfo>,
    /// Folders and secrets that appear in the container.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub volumes: Vec<Volume>,
    /// Ports inside a network of containers. Absent would mean one free port.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port_mappings: Option<Vec<PortMapping>>,
}

/// `appContainer.raml`, `EngineType`.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Engine {
    /// The Universal Container Runtime.
    Mesos,
}

/// `appContainer.raml`, `DockerContainer`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Docker {
    /// The image.
    pub image: Traced<String>,
    /// Whether it is pulled at each start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force_pull_image: Option<Traced<bool>>,
    /// The registry's credentials.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pull_config: Option<PullConfig>,
}

/// `docker.raml`, `DockerPullConfig`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PullConfig {
    /// The key of a secret of the app.
    pub secret: Traced<String>,
}

/// `linux.raml`, `LinuxInfo`; since Marathon 1.9.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LinuxInfo {
    /// Shared memory.
    pub ipc_info: IpcInfo,
}

/// `linux.raml`, `IPCInfo`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IpcInfo {
    /// The size is only the container's own to say.
    pub mode: IpcMode,
    /// The size of `/dev/shm` in MiB.
    pub shm_size: Traced<u64>,
}

/// `linux.raml`, `IPCMode`.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum IpcMode {
    /// The container has its own.
    Private,
}

/// `volumes.raml`, `AppHostVolume` or `AppSecretVolume`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Volume {
    /// A folder of the agent.
    #[serde(rename_all = "camelCase")]
    Host {
        /// Where it appears.
        container_path: Traced<String>,
        /// Where it is.
        host_path: String,
        /// Whether the task may write.
        mode: Mode,
    },
    /// A file with a secret.
    #[serde(rename_all = "camelCase")]
    Secret {
        /// Where it appears.
        container_path: Traced<String>,
        /// The key of a secret of the app.
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

/// `appContainer.raml`, `ContainerPortMapping`; without `hostPort`, so that the container keeps its own address.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PortMapping {
    /// The port in the container; 0: Marathon picks one.
    pub container_port: Traced<u16>,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// `network.raml`, `Network`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Network {
    /// The host's, or one of containers.
    pub mode: Traced<NetworkMode>,
    /// The name of one of containers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// `network.raml`, `NetworkMode`.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NetworkMode {
    /// The agent's own.
    Host,
    /// A named one, with an address for each container.
    Container,
}

/// `network.raml`, `PortDefinition`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PortDefinition {
    /// The port; 0: Marathon picks one of the offer.
    pub port: Traced<u16>,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// `environmentVariable.raml`, `EnvVarValueOrSecret`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum EnvValue {
    /// The value.
    Text(String),
    /// The key of a secret of the app.
    Secret {
        /// The key.
        secret: String,
    },
}

/// `secrets.raml`, `SecretDef`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SecretSource {
    /// Its path in the secret store.
    pub source: Traced<String>,
}

/// `artifact.raml`, `Artifact`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Artifact {
    /// Where it comes from, at most 1024 characters.
    pub uri: Traced<String>,
    /// Whether Mesos unpacks it, always into the sandbox itself.
    pub extract: bool,
    /// Whether it is a program.
    pub executable: bool,
    /// Its name in the sandbox.
    pub dest_path: String,
}

/// `healthCheck.raml`, `AppHealthCheck`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HealthCheck {
    /// One of Mesos' own, run by the agent.
    pub protocol: Traced<Protocol>,
    /// A fixed port.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// The number of a port in the app's list, where Marathon picks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port_index: Option<usize>,
    /// Where it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// What `COMMAND` runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<CheckCommand>,
    /// Seconds in which failures are no news.
    pub grace_period_seconds: u32,
    /// Seconds between checks.
    pub interval_seconds: u32,
    /// Seconds that a check may take.
    pub timeout_seconds: u32,
    /// Seconds before the first check.
    pub delay_seconds: u32,
    /// Failures in a row after which the task is killed; 0 kills at the first (`docs/health-checks.md`).
    pub max_consecutive_failures: u32,
}

/// `healthCheck.raml`, `AppCommandCheck`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CheckCommand {
    /// Text for the shell.
    pub value: String,
}

/// `healthCheck.raml`, `AppHealthCheckProtocol`; those that the agent runs.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Protocol {
    /// Connects.
    MesosTcp,
    /// Asks and wants 200 to 399.
    MesosHttp,
    /// Runs a command.
    Command,
}

/// `app.raml`, `UpgradeStrategy`.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpgradeStrategy {
    /// 0: the old task goes before the new one comes, so that no task of the job ever runs twice.
    pub minimum_health_capacity: Decimal,
    /// 0: no further task beside it.
    pub maximum_over_capacity: Decimal,
}

/// `unreachableStrategy.raml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Unreachable {
    /// The task is waited for.
    Disabled(Disabled),
    /// The task is replaced.
    #[serde(rename_all = "camelCase")]
    Replace {
        /// Seconds until a new one starts.
        inactive_after_seconds: u64,
        /// Seconds until the old one is given up.
        expunge_after_seconds: u64,
    },
}

/// `unreachableStrategy.raml`, `UnreachableDisabled`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Disabled {
    /// The one word.
    Disabled,
}
