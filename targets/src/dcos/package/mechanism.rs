//! Lowering decisions of the package: one variant per supported requirement, with all data that lowering needs.
use serde_json::Value;
use tfjob_lang::plan::RoleId;

/// A lowering decision for one requirement.
#[derive(Debug, Clone)]
pub enum Mechanism {
    /// The name of the service.
    Name(String),
    /// The number of tasks.
    Count { role: RoleId, count: u32 },
    /// An image.
    Image { role: RoleId, image: String },
    /// The dictionary that the package passes to `main` as `context`.
    Context(Vec<(String, Value)>),
    /// The account under which the tasks run.
    User(String),
    /// Cores in thousandths.
    Cpus { role: RoleId, milli: u32 },
    /// Memory in MiB.
    Memory { role: RoleId, mebibytes: u64 },
    /// GPUs.
    Gpus { role: RoleId, count: u32 },
    /// Disk in MiB.
    Disk { role: RoleId, mebibytes: u64 },
    /// The port of the tasks.
    Port { role: RoleId, number: u16 },
    /// A placement constraint: attribute, operator, value.
    Constraint { role: RoleId, words: Vec<String> },
    /// The URI of the code.
    Code(String),
    /// The URI of the checkpoints.
    Shared(String),
    /// A container network; `None` is the host network.
    Network(Option<String>),
    /// A TensorBoard.
    Tensorboard { port: u16, milli: u32, mebibytes: u64 },
    /// Kerberos. `primary`: the part of the principal before `@`. `keytab`: the path of the secret that contains the keytab.
    Kerberos { primary: String, realm: String, keytab: String },
    /// YAML or JSON that is merged into the options, or into the section of a role in the options.
    Patch { role: Option<RoleId>, text: String },
}
