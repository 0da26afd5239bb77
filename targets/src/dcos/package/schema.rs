//! The options of the package `beta-tensorflow` 0.2.0-1.5.0-beta; an unknown key would be accepted and never read.
//!
//! Every field: `config.json` of that package (mesosphere/universe, `repo/packages/B/beta-tensorflow/2`).
#[cfg(test)]
mod tests;

use crate::dcos::amounts::Decimal;
use schemars::JsonSchema;
use serde::Serialize;
use tfjob_lang::origin::Traced;

/// The whole.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// `service`.
    pub service: Service,
    /// `parameter_server`.
    pub parameter_server: Tasks,
    /// `worker`: those without GPUs.
    pub worker: Tasks,
    /// `gpu_worker`: those with GPUs.
    pub gpu_worker: GpuTasks,
    /// `tensorboard`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tensorboard: Option<Tensorboard>,
}

/// `service`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Service {
    /// The name of the service, which is the id of its Marathon app.
    pub name: Traced<String>,
    /// The account that runs scheduler and tasks; `nobody` unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<Traced<String>>,
    /// The scheduler's account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service_account: Option<Traced<String>>,
    /// The secret with that account's key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service_account_secret: Option<Traced<String>>,
    /// Whether the tasks stand in a network of containers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtual_network_enabled: Option<Traced<bool>>,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtual_network_name: Option<Traced<String>>,
    /// Labels for the network's plugin: `key:value`, joined by commas. Only a patch sets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtual_network_plugin_labels: Option<Traced<String>>,
    /// Version of the Mesos API that the scheduler uses. Only a patch sets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesos_api_version: Option<MesosApi>,
    /// Log level of the scheduler. Only a patch sets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_level: Option<LogLevel>,
    /// Kerberos.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub security: Option<Security>,
    /// The program; empty would mean the package's own examples.
    pub job_url: Traced<String>,
    /// The folder in it that is added to `PYTHONPATH`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job_path: Option<Traced<String>>,
    /// The module whose `main` is called.
    pub job_name: Traced<String>,
    /// The dictionary that `main` gets: JSON as text.
    pub job_context: Traced<String>,
    /// Where summaries and checkpoints go: `log_dir` of `main`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_filesystem: Option<Traced<String>>,
    /// HDFS.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hdfs: Option<Hdfs>,
    /// Key of a Google service account in plain text. Only a patch sets it: the secret `gcs_key` keeps it private.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gcs_key: Option<Traced<String>>,
    /// Whether the secret `gcs_key` is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub use_gcs_key_secret: Option<Traced<bool>>,
    /// Whether a TensorBoard runs beside the job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub use_tensorboard: Option<Traced<bool>>,
    /// The image of tasks without GPUs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tf_image: Option<Traced<String>>,
    /// The image of tasks with GPUs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpu_tf_image: Option<Traced<String>>,
    /// The region of all tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<Traced<String>>,
}

/// `service.mesos_api_version`.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[expect(dead_code, reason = "only a patch sets it, by its schema")]
pub enum MesosApi {
    /// Without HTTP.
    V0,
    /// Over HTTP.
    V1,
}

/// `service.log_level`.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
#[expect(dead_code, reason = "only a patch sets it, by its schema")]
pub enum LogLevel {
    /// No log.
    Off,
    /// Fatal errors.
    Fatal,
    /// Errors.
    Error,
    /// Warnings.
    Warn,
    /// Information.
    Info,
    /// Debugging.
    Debug,
    /// More than debugging.
    Trace,
    /// Everything.
    All,
}

/// `service.security`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Security {
    /// `service.security.kerberos`.
    pub kerberos: Kerberos,
}

/// `service.security.kerberos`; the package accepts it half filled in and then renders empty names.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Kerberos {
    /// Whether it is on.
    pub enabled: Traced<bool>,
    /// The key distribution centre.
    pub kdc: Kdc,
    /// The name before `@`.
    pub primary: Traced<String>,
    /// The realm.
    pub realm: Traced<String>,
    /// The secret with the keytab.
    pub keytab_secret: Traced<String>,
    /// Debug logging of Kerberos. Only a patch sets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debug: Option<Traced<bool>>,
}

/// `service.security.kerberos.kdc`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Kdc {
    /// Its host.
    pub hostname: Traced<String>,
    /// Its port.
    pub port: Traced<u16>,
}

/// `service.hdfs`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hdfs {
    /// Where `core-site.xml` and `hdfs-site.xml` are served.
    pub config_uri: Traced<String>,
}

/// `parameter_server` and `worker`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tasks {
    /// How many; always said, since the package's own are 2 and 3.
    pub count: Traced<u32>,
    /// JSON as text: a list of attribute, operator and value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement_constraint: Option<Traced<String>>,
    /// Where they listen; that of `worker` is also that of `gpu_worker`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<Traced<u16>>,
    /// Cores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpus: Option<Traced<Decimal>>,
    /// Memory in MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mem: Option<Traced<u64>>,
    /// Disk in MiB, 4096 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk: Option<Traced<u64>>,
    /// Kind of the volume.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk_type: Option<Traced<Disk>>,
}

/// `disk_type` of a group of tasks.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Disk {
    /// A part of the agent's disk.
    Root,
    /// A disk of its own.
    Mount,
}

/// `gpu_worker`: it has neither a port nor a placement.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GpuTasks {
    /// How many.
    pub count: Traced<u32>,
    /// Whole GPUs of each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpus: Option<Traced<u32>>,
    /// Cores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpus: Option<Traced<Decimal>>,
    /// Memory in MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mem: Option<Traced<u64>>,
    /// Disk in MiB, 4096 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk: Option<Traced<u64>>,
    /// Kind of the volume.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk_type: Option<Traced<Disk>>,
}

/// `tensorboard`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tensorboard {
    /// Where it listens.
    pub port: Traced<u16>,
    /// Cores.
    pub cpus: Traced<Decimal>,
    /// Memory in MiB.
    pub mem: Traced<u64>,
}
