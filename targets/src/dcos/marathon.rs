//! What Marathon can do with each ask: one app for each task, so that each has a name, a place and a start of its own.
//!
//! Index, addresses and TF_CONFIG of a task are known when the group is written and stand in its app. Marathon starts
//! ended tasks again for ever; so the command of each app stays after its program.
mod app;
mod attribute;
mod board;
mod command;
mod draft;
pub(super) mod environment;
mod fetch;
mod gpus;
mod group;
mod job;
mod life;
mod logs;
mod lower;
mod network;
mod order;
pub mod published;
mod shape;
mod storage;
mod support;
mod task;

pub(super) use draft::WRITTEN_IN;
pub(super) use fetch::{SCRATCH, hides, hides_agent, is_fetched, sandboxed, secret_fault, unpacked};
pub(super) use gpus::{KEEPS_GPUS, keep, wasted};
pub(super) use job::reserved;
pub(super) use logs::place;
pub(super) use lower::{contract, lower, too_long, view};
pub(super) use network::{group_path, hosts, is_folder, named, offered_instead, ports, unoffered};
pub(super) use task::node;

use fetch::Fetched;
use tfjob_lang::ask;
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::{RoleId, Template};
use tfjob_lang::spec::When;
use tfjob_lang::target::Answer;

/// A group of Marathon apps.
pub(super) struct Marathon;

/// What lowering does for one ask.
#[derive(Debug, Clone)]
pub enum Means {
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
    Again { role: RoleId, restart: ask::Restart },
    /// The shim starts an ended process again.
    ShimRestart { role: RoleId, restart: ask::Restart },
    /// Marathon starts a lost task elsewhere.
    Replace { role: RoleId },
    /// Starts after another role. `shim`: how far it must have come before the shim starts the program.
    After { role: RoleId, first: RoleId, shim: Option<When> },
    /// A health check without a kill.
    Ready { role: RoleId, probe: ask::Probe },
    /// Something that stands in the sandbox or is mounted.
    Code(Fetched),
    /// The same, of a stage.
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
    /// Nothing to write, and why.
    Inherent(&'static str),
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

impl Means {
    /// Whether only the shim does it.
    pub(super) const fn is_duty(&self) -> bool {
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

type Given = Answer<Means>;
