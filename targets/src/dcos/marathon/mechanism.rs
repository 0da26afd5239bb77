//! Lowering decisions of Marathon apps: one variant per supported requirement, with all data that lowering needs.
use crate::contract_builder::Location;
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::{RoleId, Template};
use tfjob_lang::requirement;
use tfjob_lang::spec::When;

/// Maximum number of tasks of a job for which each app lists all addresses. The size of the group grows with the square of this
/// number.
pub const WRITTEN_IN: u32 = 256;

/// A lowering decision for one requirement.
#[derive(Debug, Clone)]
pub enum Mechanism {
    /// The name of the group.
    Name,
    /// One app for each task of the role.
    Tasks { role: RoleId, count: u32 },
    /// A label of every app.
    Label { key: String, value: String },
    /// An image.
    Image { role: RoleId, image: String },
    /// The image is pulled at each start.
    ForcePull { role: RoleId },
    /// Credentials of the image registry, as the path of a secret.
    PullSecret { role: RoleId, source: String },
    /// A program and its arguments.
    Run { role: RoleId },
    /// Text for `sh -ec`.
    Shell { role: RoleId },
    /// The working directory.
    Workdir { role: RoleId },
    /// A variable.
    Env { role: RoleId, name: String },
    /// A variable from a secret.
    SecretEnv { role: RoleId, env: String, source: String },
    /// A file from a secret, and the variable with its path.
    SecretFile { role: RoleId, env: String, source: String, at: String },
    /// The account of the agent that runs the task.
    User { role: RoleId, name: String },
    /// Cores in thousandths.
    Cpus { role: RoleId, milli: u32 },
    /// Memory in MiB.
    Memory { role: RoleId, mebibytes: u64 },
    /// GPUs.
    Gpus { role: RoleId, count: u32 },
    /// Disk in MiB.
    Disk { role: RoleId, mebibytes: u64 },
    /// `/dev/shm` in MiB.
    SharedMemory { role: RoleId, mebibytes: u64 },
    /// A placement constraint: attribute, operator, value.
    Constraint { role: RoleId, words: Vec<String> },
    /// A port; Marathon picks it if `number` is `None`.
    Port { role: RoleId, name: String, number: Option<u16> },
    /// A port with a link in the DC/OS web interface, through Admin Router.
    Link { role: RoleId, name: String },
    /// Marathon restarts a task that has exited.
    Again { role: RoleId, restart: requirement::Restart },
    /// The shim restarts a process that has exited.
    ShimRestart { role: RoleId, restart: requirement::Restart },
    /// Marathon starts a replacement of a lost task, possibly on another agent.
    Replace { role: RoleId },
    /// Start after another role. `shim`: the state of that role for which the shim waits before it starts the program.
    After { role: RoleId, first: RoleId, shim: Option<When> },
    /// A health check that never kills the task.
    Ready { role: RoleId, probe: requirement::Probe },
    /// Delivery of `code`.
    Code(Fetched),
    /// Delivery of `files`.
    Stage { index: usize, fetched: Fetched },
    /// Data in a mounted directory of the agent.
    Data { index: usize, mount: Mount },
    /// Checkpoints in a mounted directory of the agent.
    Checkpoints(Mount),
    /// The shim checks the checkpoint directory before the start.
    Fresh { path: String },
    /// A scratch directory in the sandbox.
    Scratch { role: RoleId },
    /// The shim watches the file `{done}`.
    Done { role: RoleId },
    /// The command sets the variables of Hadoop.
    Hadoop { home: String, java: String, conf: Option<String> },
    /// The shim waits for peers.
    Wait { seconds: u64 },
    /// The shim stops each task at the deadline.
    Deadline { seconds: u64 },
    /// Seconds between SIGTERM and SIGKILL.
    Grace { seconds: u64 },
    /// The command keeps running after its program.
    Stay,
    /// A container network; `None` is the host network.
    Network(Option<String>),
    /// TensorBoard as a separate app.
    /// `folder`: the container path of the agent directory with its logs; `place`: constraints of its agent.
    Tensorboard {
        logs: Template,
        port: u16,
        image: Option<String>,
        milli: u32,
        mebibytes: u64,
        folder: Option<String>,
        place: Vec<Traced<Vec<String>>>,
    },
    /// Text that is merged into the group, or into each app of a role.
    Patch { role: Option<RoleId>, text: String },
}

impl Mechanism {
    /// Returns the duty of the shim for this requirement, as the subject of a sentence. `None` if the requirement does not need
    /// the shim.
    pub const fn duty(&self) -> Option<&'static str> {
        match self {
            Self::ShimRestart { .. } => Some("a restart inside the container"),
            Self::Done { .. } => Some("`{done}`"),
            Self::Fresh { .. } => Some("`if-exists=\"fail\"`"),
            Self::Wait { .. } => Some("`start timeout`"),
            Self::Deadline { .. } => Some("`deadline`"),
            _ => None,
        }
    }
}

/// A directory of the agent that is mounted into the container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    /// Path on the agent.
    pub host: String,
    /// Path in the container.
    pub at: String,
    /// Whether the task may write.
    pub writable: bool,
}

/// Delivery of `code` or `files`, and their location in the task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// Location in the task.
    pub place: Location,
    /// Method of delivery.
    pub way: Way,
}

/// How `code` or `files` are delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// The Mesos fetcher downloads the file.
    Fetch {
        /// The URI of the download.
        uri: String,
        /// File name in the sandbox.
        file: String,
        /// Whether the fetcher unpacks it into the sandbox.
        extract: bool,
    },
    /// The Mesos fetcher downloads the file, and the task unpacks it.
    Unpack {
        /// The URI of the download.
        uri: String,
        /// File name in the sandbox.
        file: String,
        /// Options of `tar`.
        tar: &'static str,
    },
    /// A directory of the agent is mounted.
    Mount(Mount),
}
