//! Everything a job can ask of a platform. Closed: a new ask compiles only when every
//! target has answered it.
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

/// One thing that the job asks for, by area. A target may leave out an area as a whole: then nothing of it is supported.
#[derive(Debug, Clone, PartialEq)]
pub enum Ask {
    /// What the job is: its name, framework, roles, and what stands next to them.
    Job(Job),
    /// The program of a role and its environment.
    Program(Program),
    /// Who the tasks run as, and the credentials that they get.
    Identity(Identity),
    /// What each task of a role gets.
    Resources(Resources),
    /// Ports, networks and how tasks talk.
    Network(Network),
    /// Start order, readiness, restarts, and the completion of the job.
    Lifecycle(Lifecycle),
    /// On which nodes tasks run.
    Placement(Placement),
    /// Code, data, checkpoints and scratch space.
    Storage(Storage),
}

/// What the job is: its name, framework, roles, and what stands next to them.
#[expect(missing_docs, reason = "the fields are the words of the variant's own sentence")]
#[derive(Debug, Clone, PartialEq)]
pub enum Job {
    /// The job's name.
    Name(String),
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
    /// A TensorBoard.
    Tensorboard(Tensorboard),
    /// Text merged into the object of the target of that name; into a role's where one is named.
    Patch { target: String, role: Option<RoleId>, text: String },
}

/// The program of a role and its environment.
#[expect(missing_docs, reason = "the fields are the words of the variant's own sentence")]
#[derive(Debug, Clone, PartialEq)]
pub enum Program {
    /// A container image.
    Image { role: RoleId, image: Image },
    /// No image: the node's own software.
    NoImage { role: RoleId },
    /// When the image is pulled.
    Pull { role: RoleId, pull: Pull },
    /// A program and its words, no shell.
    Run { role: RoleId, argv: Vec<Template> },
    /// Text for `/bin/sh -ec`.
    Shell { role: RoleId, text: String },
    /// Where the program starts.
    Workdir { role: RoleId, path: Template },
    /// A variable.
    Env { role: RoleId, name: String, value: Template },
    /// Hadoop's and Java's folder in the image.
    Hadoop { home: String, java: String, conf: Option<String> },
}

/// Who the tasks run as, and the credentials that they get.
#[expect(missing_docs, reason = "the fields are the words of the variant's own sentence")]
#[derive(Debug, Clone, PartialEq)]
pub enum Identity {
    /// Credentials of the registry.
    PullSecret { role: RoleId, name: String },
    /// A variable whose value is secret.
    SecretEnv { role: RoleId, env: String, from: String, key: Option<String> },
    /// A file whose content is secret; the variable holds its path.
    SecretFile { role: RoleId, env: String, from: String, key: Option<String>, at: String },
    /// Who the program runs as.
    User { role: RoleId, user: User },
    /// The identity of the job.
    Kerberos { principal: String, keytab: String },
}

/// What each task of a role gets.
#[expect(missing_docs, reason = "the fields are the words of the variant's own sentence")]
#[derive(Debug, Clone, PartialEq)]
pub enum Resources {
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
}

/// Ports, networks and how tasks talk.
#[expect(missing_docs, reason = "the fields are the words of the variant's own sentence")]
#[derive(Debug, Clone, PartialEq)]
pub enum Network {
    /// A port. `cluster` is the rendezvous.
    Port { role: RoleId, name: String, number: PortNumber },
    /// A port that the platform's page shows.
    PortLink { role: RoleId, name: String, link: String },
    /// The node's network.
    Host,
    /// A container network of the platform.
    Container(String),
    /// How TensorFlow's tasks talk.
    Protocol(Protocol),
}

/// Start order, readiness, restarts, and the completion of the job.
#[expect(missing_docs, reason = "the fields are the words of the variant's own sentence")]
#[derive(Debug, Clone, PartialEq)]
pub enum Lifecycle {
    /// Restarts, asked once for each kind of loss.
    Restart { role: RoleId, after: Loss, restart: Restart },
    /// Starts after another role.
    After { role: RoleId, first: RoleId, when: When },
    /// When a task is ready.
    Ready { role: RoleId, probe: Probe },
    /// A file by which the program says that its work is done, `{done}`.
    Done { role: RoleId },
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
}

/// On which nodes tasks run.
#[expect(missing_docs, reason = "the fields are the words of the variant's own sentence")]
#[derive(Debug, Clone, PartialEq)]
pub enum Placement {
    /// A node's attribute.
    Node { role: RoleId, key: String, value: String },
    /// A partition of the cluster.
    Partition { role: RoleId, name: String },
    /// Tasks apart.
    Spread { role: RoleId, spread: Spread },
}

/// Code, data, checkpoints and scratch space.
#[expect(missing_docs, reason = "the fields are the words of the variant's own sentence")]
#[derive(Debug, Clone, PartialEq)]
pub enum Storage {
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
            Self::Program(Program::Run { role, .. } | Program::Shell { role, .. }) => {
                Some(Started::Role(*role))
            }
            Self::Job(Job::Tensorboard(board)) => Some(Started::Tensorboard(board)),
            Self::Job(
                Job::Name(_)
                | Job::Description(_)
                | Job::Label { .. }
                | Job::Framework { .. }
                | Job::Role { .. }
                | Job::Evaluator { .. }
                | Job::Helper { .. }
                | Job::Min { .. }
                | Job::Patch { .. },
            )
            | Self::Program(
                Program::Image { .. }
                | Program::NoImage { .. }
                | Program::Pull { .. }
                | Program::Workdir { .. }
                | Program::Env { .. }
                | Program::Hadoop { .. },
            )
            | Self::Identity(_)
            | Self::Resources(_)
            | Self::Network(_)
            | Self::Lifecycle(_)
            | Self::Placement(_)
            | Self::Storage(_) => None,
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
