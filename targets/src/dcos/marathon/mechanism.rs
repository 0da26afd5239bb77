//! Lowering decisions of Marathon apps: one variant per supported requirement, with all data that lowering needs.
use crate::contract_builder::Location;
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::{RoleId, Template};
use tfjob_lang::requirement;
use tfjob_lang::spec::When;

/// Maximum number of tasks of a job in which each app contains the addresses of all tasks. In a larger job, the shim computes the
/// addresses, because the size of the group grows with the square of the number of tasks: with 256 tasks, the addresses already
/// take about 4 MB (256 times 256 addresses of about 60 bytes).
pub const WRITTEN_IN: u32 = 256;

/// A lowering decision for one requirement.
#[derive(Debug, Clone)]
pub enum Mechanism {
    /// The name of the group.
    Name,
    /// The apps of a role, one for each task.
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
    /// An environment variable.
    Env { role: RoleId, name: String },
    /// An environment variable that contains a secret.
    SecretEnv { role: RoleId, env: String, source: String },
    /// A file that contains a secret, and an environment variable that contains the path of the file.
    SecretFile { role: RoleId, env: String, source: String, at: String },
    /// The account on the agent under which the task runs.
    User { role: RoleId, name: String },
    /// Cores in thousandths.
    Cpus { role: RoleId, milli: u32 },
    /// Memory in MiB.
    Memory { role: RoleId, mebibytes: u64 },
    /// GPUs.
    Gpus { role: RoleId, count: u32 },
    /// Disk in MiB.
    Disk { role: RoleId, mebibytes: u64 },
    /// Size of `/dev/shm` in MiB.
    SharedMemory { role: RoleId, mebibytes: u64 },
    /// A placement constraint: attribute, operator, value.
    Constraint { role: RoleId, words: Vec<String> },
    /// A port. `number` is `None` if Marathon picks the port.
    Port { role: RoleId, name: String, number: Option<u16> },
    /// A port with a link in the DC/OS web interface, through Admin Router.
    Link { role: RoleId, name: String },
    /// Marathon restarts a task that has exited.
    Again { role: RoleId, restart: requirement::Restart },
    /// The shim restarts a process that has exited.
    ShimRestart { role: RoleId, restart: requirement::Restart },
    /// Marathon replaces a lost task, possibly on another agent.
    Replace { role: RoleId },
    /// `role` starts after `first`. `shim`: the state of `first` for which the shim of `role` waits before it starts the program.
    /// `None` if Marathon waits long enough.
    After { role: RoleId, first: RoleId, shim: Option<When> },
    /// A health check that shows whether the task is ready, and never kills the task.
    Ready { role: RoleId, probe: requirement::Probe },
    /// How `code` is delivered.
    Code(Fetched),
    /// How a `files` entry is delivered.
    Stage { index: usize, fetched: Fetched },
    /// Data in a directory of the agent that is mounted into the container.
    Data { index: usize, mount: Mount },
    /// Checkpoints in a directory of the agent that is mounted into the container.
    Checkpoints(Mount),
    /// Before the program starts, the shim checks that the checkpoint directory has no checkpoints.
    Fresh { path: String },
    /// A scratch directory in the sandbox.
    Scratch { role: RoleId },
    /// The shim watches the file `{done}`.
    Done { role: RoleId },
    /// The command sets the environment variables of the Hadoop client.
    Hadoop { home: String, java: String, conf: Option<String> },
    /// The shim waits for peers.
    Wait { seconds: u64 },
    /// The shim stops each task at the deadline.
    Deadline { seconds: u64 },
    /// Seconds between SIGTERM and SIGKILL.
    Grace { seconds: u64 },
    /// The command of each app keeps running after its program has exited.
    Stay,
    /// A container network; `None` is the host network.
    Network(Option<String>),
    /// TensorBoard as a separate app. `folder`: path in the container at which the agent directory with the logs is mounted.
    /// `place`: placement constraints of the app.
    Tensorboard {
        logs: Template,
        port: u16,
        image: Option<String>,
        milli: u32,
        mebibytes: u64,
        folder: Option<String>,
        place: Vec<Traced<Vec<String>>>,
    },
    /// YAML or JSON that is merged into each app of a role, or into the group if `role` is `None`.
    Patch { role: Option<RoleId>, text: String },
}

impl Mechanism {
    /// Returns the name of the duty that the shim has for this requirement, such as `deadline`. Messages use the name as the
    /// subject of a sentence. `None` if the requirement does not need the shim.
    pub const fn duty(&self) -> Option<&'static str> {
        match self {
            Self::ShimRestart { .. } => Some("a restart inside the container"),
            Self::Done { .. } => Some("`{done}`"),
            Self::Fresh { .. } => Some("`if-exists=\"fail\"`"),
            Self::Wait { .. } => Some("`start timeout`"),
            Self::Deadline { .. } => Some("`deadline`"),
            Self::Name
            | Self::Tasks { .. }
            | Self::Label { .. }
            | Self::Image { .. }
            | Self::ForcePull { .. }
            | Self::PullSecret { .. }
            | Self::Run { .. }
            | Self::Shell { .. }
            | Self::Workdir { .. }
            | Self::Env { .. }
            | Self::SecretEnv { .. }
            | Self::SecretFile { .. }
            | Self::User { .. }
            | Self::Cpus { .. }
            | Self::Memory { .. }
            | Self::Gpus { .. }
            | Self::Disk { .. }
            | Self::SharedMemory { .. }
            | Self::Constraint { .. }
            | Self::Port { .. }
            | Self::Link { .. }
            | Self::Again { .. }
            | Self::Replace { .. }
            | Self::After { .. }
            | Self::Ready { .. }
            | Self::Code(..)
            | Self::Stage { .. }
            | Self::Data { .. }
            | Self::Checkpoints(..)
            | Self::Scratch { .. }
            | Self::Hadoop { .. }
            | Self::Grace { .. }
            | Self::Stay
            | Self::Network(..)
            | Self::Tensorboard { .. }
            | Self::Patch { .. } => None,
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

/// How `code` or a `files` entry is delivered, and its location in the task.
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
        /// Whether the fetcher unpacks the file into the sandbox.
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
