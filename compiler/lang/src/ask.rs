//! Everything a job can ask of a platform. Closed: a new ask compiles only when every target has answered it.
use crate::plan::{RoleId, Template};
use crate::sources::Span;
use crate::spec::values::{Image, Uri, Version};
use crate::spec::{
    FrameworkName, Kept, PortNumber, Protocol, Pull, RestartOn, Scope, Spread, StrategyName, Success, User,
    When,
};

/// An ask and the words that ask.
#[derive(Debug, Clone)]
pub struct Asked {
    /// What.
    pub ask: Ask,
    /// The words. Where a default asks, the role's or job's name.
    pub at: Span,
    /// Further words whose value is in it.
    pub from: Option<Span>,
    /// Whether nobody wrote it. A default may not be refused.
    pub default: bool,
}

/// One thing the job asks for, with its values in canonical units: bytes, seconds, thousandths of a core.
#[expect(missing_docs, reason = "the fields are the words of the variant's own sentence")]
#[derive(Debug, Clone, PartialEq)]
pub enum Ask {
    /// The job's name.
    JobName(String),
    /// Words about the job.
    Description(String),
    /// A label.
    Label { key: String, value: String },
    /// The framework and its strategy.
    Framework { name: FrameworkName, version: Option<Version>, strategy: Option<StrategyName> },
    /// A role of the rendezvous, with its number of tasks.
    Role { role: RoleId, count: u32 },
    /// TensorFlow's evaluator: in its own TF_CONFIG only.
    Evaluator { role: RoleId },
    /// A role outside the rendezvous that ends with the job.
    Helper { role: RoleId, count: u32 },
    /// The job goes on with that many tasks of the role.
    Min { role: RoleId, min: u32 },
    /// A container image.
    Image { role: RoleId, image: Image },
    /// No image: the node's own software.
    NoImage { role: RoleId },
    /// When the image is pulled.
    Pull { role: RoleId, pull: Pull },
    /// Credentials of the registry.
    PullSecret { role: RoleId, name: String },
    /// A program and its words, no shell.
    Run { role: RoleId, argv: Vec<Template> },
    /// Text for `/bin/sh -ec`.
    Shell { role: RoleId, text: String },
    /// Where the program starts.
    Workdir { role: RoleId, path: Template },
    /// A variable.
    Env { role: RoleId, name: String, value: Template },
    /// A variable whose value is secret.
    SecretEnv { role: RoleId, env: String, from: String, key: Option<String> },
    /// A file whose content is secret; the variable holds its path.
    SecretFile { role: RoleId, env: String, from: String, key: Option<String>, at: String },
    /// Who the program runs as.
    User { role: RoleId, user: User },
    /// Thousandths of a core.
    Cpus { role: RoleId, milli: u32 },
    /// Bytes.
    Memory { role: RoleId, bytes: u64 },
    /// Whole GPUs, at least 1.
    Gpus { role: RoleId, count: u32 },
    /// Their model.
    GpuModel { role: RoleId, model: String },
    /// Bytes of each GPU.
    GpuMemory { role: RoleId, bytes: u64 },
    /// Bytes of scratch space.
    Disk { role: RoleId, bytes: u64 },
    /// Bytes of `/dev/shm`.
    SharedMemory { role: RoleId, bytes: u64 },
    /// Another counted kind.
    Device { role: RoleId, name: String, count: u32 },
    /// A port. `cluster` is the rendezvous.
    Port { role: RoleId, name: String, number: PortNumber },
    /// A port that the platform's page shows.
    PortLink { role: RoleId, name: String, link: String },
    /// Restarts, asked once for each kind of loss.
    Restart { role: RoleId, after: Loss, restart: Restart },
    /// Starts after another role.
    After { role: RoleId, first: RoleId, when: When },
    /// When a task is ready.
    Ready { role: RoleId, probe: Probe },
    /// A node's attribute.
    PlaceNode { role: RoleId, key: String, value: String },
    /// A partition of the cluster.
    PlacePartition { role: RoleId, name: String },
    /// Tasks apart.
    PlaceSpread { role: RoleId, spread: Spread },
    /// The program. `at`: where it is unpacked.
    Code { uri: Uri, reference: Option<String>, at: Option<String> },
    /// Copied into every task.
    Stage { index: usize, uri: Uri, at: Option<String> },
    /// Data that the program opens by its uri.
    DataUri { index: usize, uri: Uri, writable: bool },
    /// Data whose files must appear at a path.
    DataMount { index: usize, uri: Uri, at: String, writable: bool },
    /// State that the program reads and writes by its uri.
    CheckpointsUri { uri: Uri },
    /// State whose files must appear at a path, shared by all that write.
    CheckpointsMount { uri: Uri, at: String },
    /// Seconds between checkpoints, as the program promises.
    CheckpointsEvery { seconds: u64 },
    /// Refuses to start on what exists.
    CheckpointsFresh { mounted: bool },
    /// A folder of the task's own, `{scratch}`.
    Scratch { role: RoleId },
    /// A file by which the program says that its work is done, `{done}`.
    Done { role: RoleId },
    /// Hadoop's and Java's folder in the image.
    Hadoop { home: String, java: String, conf: Option<String> },
    /// How TensorFlow's tasks talk.
    Protocol(Protocol),
    /// Seconds that peers may take to appear.
    StartTimeout { seconds: u64 },
    /// All tasks or none.
    Gang,
    /// Seconds between SIGTERM and the kill.
    StopGrace { seconds: u64 },
    /// Seconds from the first task's start.
    Deadline { seconds: u64 },
    /// Whose success is the job's.
    Success(Success),
    /// What still runs when the job is done: servers, evaluators, helpers are stopped.
    EndOfJob,
    /// Which containers stay, and for how many seconds.
    Keep { what: Kept, seconds: Option<u64> },
    /// A TensorBoard.
    Tensorboard(Tensorboard),
    /// The node's network.
    HostNetwork,
    /// A container network of the platform.
    Network(String),
    /// The identity of the job.
    Kerberos { principal: String, keytab: String },
    /// Text merged into the object of the target of that name; into a role's where one is named.
    Patch { target: String, role: Option<RoleId>, text: String },
}

/// What an ask starts in containers of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Started<'a> {
    /// The program of a role, once for each task.
    Role(RoleId),
    /// The TensorBoard.
    Tensorboard(&'a Tensorboard),
}

impl Ask {
    /// The program that it starts, if any.
    #[must_use]
    pub const fn starts(&self) -> Option<Started<'_>> {
        match self {
            Self::Run { role, .. } | Self::Shell { role, .. } => Some(Started::Role(*role)),
            Self::Tensorboard(board) => Some(Started::Tensorboard(board)),
            Self::JobName(_)
            | Self::Description(_)
            | Self::Label { .. }
            | Self::Framework { .. }
            | Self::Role { .. }
            | Self::Evaluator { .. }
            | Self::Helper { .. }
            | Self::Min { .. }
            | Self::Image { .. }
            | Self::NoImage { .. }
            | Self::Pull { .. }
            | Self::PullSecret { .. }
            | Self::Workdir { .. }
            | Self::Env { .. }
            | Self::SecretEnv { .. }
            | Self::SecretFile { .. }
            | Self::User { .. }
            | Self::Cpus { .. }
            | Self::Memory { .. }
            | Self::Gpus { .. }
            | Self::GpuModel { .. }
            | Self::GpuMemory { .. }
            | Self::Disk { .. }
            | Self::SharedMemory { .. }
            | Self::Device { .. }
            | Self::Port { .. }
            | Self::PortLink { .. }
            | Self::Restart { .. }
            | Self::After { .. }
            | Self::Ready { .. }
            | Self::PlaceNode { .. }
            | Self::PlacePartition { .. }
            | Self::PlaceSpread { .. }
            | Self::Code { .. }
            | Self::Stage { .. }
            | Self::DataUri { .. }
            | Self::DataMount { .. }
            | Self::CheckpointsUri { .. }
            | Self::CheckpointsMount { .. }
            | Self::CheckpointsEvery { .. }
            | Self::CheckpointsFresh { .. }
            | Self::Scratch { .. }
            | Self::Done { .. }
            | Self::Hadoop { .. }
            | Self::Protocol(_)
            | Self::StartTimeout { .. }
            | Self::Gang
            | Self::StopGrace { .. }
            | Self::Deadline { .. }
            | Self::Success(_)
            | Self::EndOfJob
            | Self::Keep { .. }
            | Self::HostNetwork
            | Self::Network(_)
            | Self::Kerberos { .. }
            | Self::Patch { .. } => None,
        }
    }
}

/// What was lost: inside the container only the process; the platform alone can bring back the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// The process ended.
    Process,
    /// The container is gone: deleted, preempted.
    Container,
    /// The node is gone.
    Node,
}

/// The terms of a restart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restart {
    /// On failure or always; `never` is never asked.
    pub on: RestartOn,
    /// How often at most.
    pub limit: Option<u32>,
    /// Seconds of the window in which `limit` counts.
    pub within: Option<u64>,
    /// Seconds of the first pause.
    pub backoff: Option<u64>,
    /// Seconds of the longest pause.
    pub max_backoff: Option<u64>,
    /// Seconds below which a task is broken.
    pub min_uptime: Option<u64>,
    /// Restarts in a row without a newer checkpoint.
    pub stalls: Option<u32>,
    /// Who restarts.
    pub scope: Scope,
    /// Only these codes; empty: all.
    pub codes: Vec<u8>,
    /// Whether checkpoints are at a path that the task can see.
    pub mounted: bool,
}

impl Restart {
    /// Whether a task may come to an end for good although it fails: by count, by code, by a short life, or by standstill.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.limit.is_some() || self.min_uptime.is_some() || self.stalls.is_some() || !self.codes.is_empty()
    }
}

/// When a task is ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Probe {
    /// That port of the role accepts connections.
    Tcp(String),
    /// That port answers 2xx at that path, which begins with `/`.
    Http(String, String),
    /// That file exists.
    File(String),
}

/// A TensorBoard beside the job.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensorboard {
    /// The folder it reads.
    pub logs: Template,
    /// Where it listens.
    pub port: u16,
    /// Its image.
    pub image: Option<Image>,
    /// Thousandths of a core; 1000 unless given.
    pub milli: u32,
    /// Bytes; 4 GiB unless given.
    pub bytes: u64,
}
