//! Lowering decisions of Marathon's apps: one variant per supported requirement, with all data that lowering needs.
use crate::contract_builder::Location;
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::{RoleId, Template};
use tfjob_lang::requirement;
use tfjob_lang::spec::When;

/// The most tasks whose addresses are written into the app of each: the group grows with their square.
pub const WRITTEN_IN: u32 = 256;

/// What lowering does for one requirement.
#[derive(Debug, Clone)]
pub enum Mechanism {
    /// The group's name.
    Name,
    /// One app for each task of the role.
    Tasks { role: RoleId, count: u32 },
    /// A label of every app.
    Label { key: String, value: String },
    /// An image.
    Image { role: RoleId, image: String },
    /// The image is pulled at each start.
    ForcePull { role: RoleId },
    /// The registry's credentials, by the path of a secret.
    PullSecret { role: RoleId, source: String },
    /// A program and its words.
    Run { role: RoleId },
    /// Text for `sh -ec`.
    Shell { role: RoleId },
    /// Where the program starts.
    Workdir { role: RoleId },
    /// A variable.
    Env { role: RoleId, name: String },
    /// A variable from a secret.
    SecretEnv { role: RoleId, env: String, source: String },
    /// A file from a secret, and the variable with its path.
    SecretFile { role: RoleId, env: String, source: String, at: String },
    /// The account of the agent.
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
    /// Attribute, operator, value.
    Constraint { role: RoleId, words: Vec<String> },
    /// A port; `None`: Marathon picks it.
    Port { role: RoleId, name: String, number: Option<u16> },
    /// A port that the page of services shows.
    Link { role: RoleId, name: String },
    /// Marathon starts an ended task again.
    Again { role: RoleId, restart: requirement::Restart },
    /// The shim starts an ended process again.
    ShimRestart { role: RoleId, restart: requirement::Restart },
    /// Marathon starts a lost task elsewhere.
    Replace { role: RoleId },
    /// Starts after another role. `shim`: how far it must have come before the shim starts the program.
    After { role: RoleId, first: RoleId, shim: Option<When> },
    /// A health check without a kill.
    Ready { role: RoleId, probe: requirement::Probe },
    /// Something that stands in the sandbox or is mounted.
    Code(Fetched),
    /// The same, of `files`.
    Stage { index: usize, fetched: Fetched },
    /// Data at a path of the agent, mounted.
    Data { index: usize, mount: Mount },
    /// State at a path of the agent, mounted.
    Checkpoints(Mount),
    /// The shim looks at the folder of state.
    Fresh { path: String },
    /// A folder in the sandbox.
    Scratch { role: RoleId },
    /// The shim hears that the program's work is done.
    Done { role: RoleId },
    /// The command sets Hadoop's variables.
    Hadoop { home: String, java: String, conf: Option<String> },
    /// The shim waits for peers.
    Wait { seconds: u64 },
    /// The shim ends the job.
    Deadline { seconds: u64 },
    /// Marathon waits before it kills.
    Grace { seconds: u64 },
    /// The command stays after its program.
    Stay,
    /// A network of containers; `None` is the host's.
    Network(Option<String>),
    /// An app of its own.
    /// `folder`: the path at which it has the folder of the agent that it reads; `place`: constraints of its agent.
    Tensorboard {
        logs: Template,
        port: u16,
        image: Option<String>,
        milli: u32,
        mebibytes: u64,
        folder: Option<String>,
        place: Vec<Traced<Vec<String>>>,
    },
    /// Text merged into the group, or into each app of a role.
    Patch { role: Option<RoleId>, text: String },
}

impl Mechanism {
    /// Whether only the shim does it.
    pub const fn is_duty(&self) -> bool {
        matches!(
            self,
            Self::ShimRestart { .. }
                | Self::Done { .. }
                | Self::Fresh { .. }
                | Self::Wait { .. }
                | Self::Deadline { .. }
        )
    }
}

/// A folder of the agent in the container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    /// On the agent.
    pub host: String,
    /// In the container.
    pub at: String,
    /// Whether the task writes.
    pub writable: bool,
}

/// What brings one thing into the task, and where it then is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// Where it is.
    pub place: Location,
    /// How it comes there.
    pub way: Way,
}

/// How something comes into a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// The fetcher writes it under that name, and unpacks it or not.
    Fetch {
        /// Whence.
        uri: String,
        /// Its name in the sandbox.
        file: String,
        /// Whether the fetcher unpacks it into the sandbox.
        extract: bool,
    },
    /// The fetcher writes it, the task unpacks it.
    Unpack {
        /// Whence.
        uri: String,
        /// Its name in the sandbox.
        file: String,
        /// The option of `tar`.
        tar: &'static str,
    },
    /// It is a folder of the agent.
    Mount(Mount),
}
