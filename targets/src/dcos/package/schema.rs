//! Options of the package `beta-tensorflow` 0.2.0-1.5.0-beta. The package accepts and ignores unknown keys.
//!
//! Source of every field: `config.json` of that package (mesosphere/universe, `repo/packages/B/beta-tensorflow/2`).
#[cfg(test)]
mod tests;

use crate::dcos::amounts::Decimal;
use schemars::JsonSchema;
use serde::Serialize;
use tfjob_lang::origin::Traced;

/// All options.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// `service`.
    pub service: Service,
    /// `parameter_server`.
    pub parameter_server: Tasks,
    /// `worker`: workers without GPUs.
    pub worker: Tasks,
    /// `gpu_worker`: workers with GPUs.
    pub gpu_worker: GpuTasks,
    /// `tensorboard`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tensorboard: Option<Tensorboard>,
}

/// `service`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Service {
    /// Name of the service, which is the ID of its Marathon app.
    pub name: Traced<String>,
    /// Account under which the scheduler and the tasks run. Default: `nobody`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<Traced<String>>,
    /// Account with which the scheduler authenticates to DC/OS.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service_account: Option<Traced<String>>,
    /// Path of the secret with the key of the service account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service_account_secret: Option<Traced<String>>,
    /// Whether tasks use a container network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtual_network_enabled: Option<Traced<bool>>,
    /// Name of the container network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtual_network_name: Option<Traced<String>>,
    /// Labels for the network plugin: `key:value`, separated by commas. Only a patch sets this field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtual_network_plugin_labels: Option<Traced<String>>,
    /// Version of the Mesos API that the scheduler uses. Only a patch sets this field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesos_api_version: Option<MesosApi>,
    /// Log level of the scheduler. Only a patch sets this field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_level: Option<LogLevel>,
    /// Kerberos settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub security: Option<Security>,
    /// URI of the code. If it is empty, the package runs its bundled examples.
    pub job_url: Traced<String>,
    /// Directory inside the code that is added to `PYTHONPATH`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job_path: Option<Traced<String>>,
    /// Module with the function `main`.
    pub job_name: Traced<String>,
    /// Dictionary `context` of `main`, as a string with JSON.
    pub job_context: Traced<String>,
    /// URI for summaries and checkpoints: `log_dir` of `main`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_filesystem: Option<Traced<String>>,
    /// HDFS settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hdfs: Option<Hdfs>,
    /// Key of a Google service account in plain text. Only a patch sets it; the secret `gcs_key` is the private alternative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gcs_key: Option<Traced<String>>,
    /// Whether the secret `gcs_key` is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub use_gcs_key_secret: Option<Traced<bool>>,
    /// Whether TensorBoard runs alongside the job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub use_tensorboard: Option<Traced<bool>>,
    /// Image of tasks without GPUs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tf_image: Option<Traced<String>>,
    /// Image of tasks with GPUs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpu_tf_image: Option<Traced<String>>,
    /// Region of all tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<Traced<String>>,
}

/// `service.mesos_api_version`.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[expect(dead_code, reason = "only a patch sets it, by its schema")]
pub enum MesosApi {
    /// The first version of the API, without HTTP.
    V0,
    /// The HTTP API.
    V1,
}

/// `service.log_level`.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
#[expect(dead_code, reason = "only a patch sets it, by its schema")]
pub enum LogLevel {
    /// No messages.
    Off,
    /// Fatal errors.
    Fatal,
    /// Errors.
    Error,
    /// Warnings.
    Warn,
    /// Informational messages.
    Info,
    /// Debug messages.
    Debug,
    /// Trace messages.
    Trace,
    /// All messages.
    All,
}

/// `service.security`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Security {
    /// `service.security.kerberos`.
    pub kerberos: Kerberos,
}

/// `service.security.kerberos`. The package accepts missing values, and renders them as empty strings.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Kerberos {
    /// Whether Kerberos is enabled.
    pub enabled: Traced<bool>,
    /// Key distribution center.
    pub kdc: Kdc,
    /// Name of the principal before `@`.
    pub primary: Traced<String>,
    /// Kerberos realm.
    pub realm: Traced<String>,
    /// Path of the secret with the keytab.
    pub keytab_secret: Traced<String>,
    /// Debug logging of Kerberos. Only a patch sets this field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debug: Option<Traced<bool>>,
}

/// `service.security.kerberos.kdc`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Kdc {
    /// Host name of the KDC.
    pub hostname: Traced<String>,
    /// Port of the KDC.
    pub port: Traced<u16>,
}

/// `service.hdfs`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hdfs {
    /// URI that serves `core-site.xml` and `hdfs-site.xml`.
    pub config_uri: Traced<String>,
}

/// `parameter_server` and `worker`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tasks {
    /// Number of tasks. Always written: without this field, the package would run its default number of tasks, 2 or 3.
    pub count: Traced<u32>,
    /// Placement constraint, as a string with JSON: a list of attribute, operator, and value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement_constraint: Option<Traced<String>>,
    /// Port of the tasks. The port of `worker` also applies to `gpu_worker`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<Traced<u16>>,
    /// Cores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpus: Option<Traced<Decimal>>,
    /// Memory in MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mem: Option<Traced<u64>>,
    /// Disk in MiB. Default: 4096.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk: Option<Traced<u64>>,
    /// Disk type of the volume.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk_type: Option<Traced<Disk>>,
}

/// `disk_type` of a group of tasks.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Disk {
    /// A part of the root disk of the agent.
    Root,
    /// A dedicated disk.
    Mount,
}

/// `gpu_worker`, which has no options for port and placement.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GpuTasks {
    /// Number of tasks.
    pub count: Traced<u32>,
    /// GPUs per task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpus: Option<Traced<u32>>,
    /// Cores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpus: Option<Traced<Decimal>>,
    /// Memory in MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mem: Option<Traced<u64>>,
    /// Disk in MiB. Default: 4096.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk: Option<Traced<u64>>,
    /// Disk type of the volume.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk_type: Option<Traced<Disk>>,
}

/// `tensorboard`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tensorboard {
    /// Port of TensorBoard.
    pub port: Traced<u16>,
    /// Cores.
    pub cpus: Traced<Decimal>,
    /// Memory in MiB.
    pub mem: Traced<u64>,
}
