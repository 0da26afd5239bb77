//! Lowering decisions of the package: one variant per supported requirement, with all data that lowering needs.
use serde_json::Value;
use tfjob_lang::plan::RoleId;

/// What lowering does for one requirement.
#[derive(Debug, Clone)]
pub enum Mechanism {
    /// The service's name.
    Name(String),
    /// Number of tasks.
    Count { role: RoleId, count: u32 },
    /// An image.
    Image { role: RoleId, image: String },
    /// What the module's `main` gets.
    Context(Vec<(String, Value)>),
    /// Who runs the tasks.
    User(String),
    /// Cores in thousandths.
    Cpus { role: RoleId, milli: u32 },
    /// Memory in MiB.
    Memory { role: RoleId, mebibytes: u64 },
    /// GPUs.
    Gpus { role: RoleId, count: u32 },
    /// Disk in MiB.
    Disk { role: RoleId, mebibytes: u64 },
    /// Where the tasks listen.
    Port { role: RoleId, number: u16 },
    /// Attribute, operator, value.
    Constraint { role: RoleId, words: Vec<String> },
    /// The program.
    Code(String),
    /// Where state goes.
    Shared(String),
    /// A network of containers; `None` is the host's.
    Network(Option<String>),
    /// A TensorBoard.
    Tensorboard { port: u16, milli: u32, mebibytes: u64 },
    /// The name before `@`, the realm, the secret with the keytab.
    Kerberos { primary: String, realm: String, keytab: String },
    /// Text merged into the options, or a role's part of them.
    Patch { role: Option<RoleId>, text: String },
}
