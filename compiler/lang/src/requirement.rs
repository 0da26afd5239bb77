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
pub struct Required {
    /// What.
    pub requirement: Requirement,
    /// The words. Where a default asks, the role's or job's name.
    pub at: Span,
    /// Further words whose value is in it.
    pub from: Option<Further>,
    /// Whether nobody wrote it. A default may not be refused.
    pub default: bool,
}

/// Further words of a requirement: what follows from them is not reported where they are wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Further {
    /// Every answer depends on their value.
    All(Span),
    /// Only those refusals depend on it that say so ([`Support::of_further`](crate::target::Support::of_further)).
    Some(Span),
}

/// Declares every requirement once: its area, its variant, the name that `allow` takes, what it is, and its values.
macro_rules! requirements {
    ($($area:ident $about:literal {
        $($(#[$note:meta])* $variant:ident $name:literal $doc:literal $({ $($field:ident: $type:ty),* })? $(($single:ty))?;)*
    })*) => {
        /// One thing that the job asks for, by area, with its values in canonical units: bytes, seconds, thousandths of a
        /// core.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Requirement { $(#[doc = $about] $area($area),)* }

        $(
            #[doc = $about]
            #[allow(missing_docs, reason = "the fields are the words of the variant's own sentence")]
            #[derive(Debug, Clone, PartialEq)]
            pub enum $area {
                $(#[doc = $doc] $(#[$note])* $variant $({ $($field: $type),* })? $(($single))?,)*
            }
        )*

        /// A kind of requirement: what `allow`, the capability table and `tfjob explain` call it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Feature { $($(#[doc = $doc] $variant,)*)* }

        impl Feature {
            /// Every feature, in the order of the areas.
            pub const ALL: &[Self] = &[$($(Self::$variant),*),*];

            /// The name that `allow` and `tfjob explain` take.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($(Self::$variant => $name,)*)* }
            }

            /// What it is, in one sentence.
            #[must_use]
            pub const fn doc(self) -> &'static str {
                match self { $($(Self::$variant => $doc,)*)* }
            }

            /// The feature of that name.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|feature| feature.name() == name)
            }
        }

        impl From<&Requirement> for Feature {
            fn from(requirement: &Requirement) -> Self {
                match requirement { $($(Requirement::$area($area::$variant { .. }) => Self::$variant,)*)* }
            }
        }
    };
}

requirements! {
    Job "Name, framework and roles of the job, its TensorBoard, and patches." {
        Name "job-name" "The job's name, as the platform shows it." (String);
        Description "description" "Words about the job." (String);
        Label "label" "A label that the platform shows and filters by." { key: String, value: String };
        Framework "framework" "The framework, its version and strategy." { name: FrameworkName, version: Option<Version>, strategy: Option<StrategyName> };
        Role "role" "A role of the rendezvous, with its number of tasks." { role: RoleId, count: u32 };
        Evaluator "evaluator" "TensorFlow's evaluator, which stands in its own TF_CONFIG only." { role: RoleId };
        Helper "helper" "A role outside the rendezvous that ends with the job." { role: RoleId, count: u32 };
        /// The job goes on with that many tasks of the role.
        Min "min" "A job that starts, and goes on, with fewer tasks." { role: RoleId, min: u32 };
        Tensorboard "tensorboard" "A TensorBoard beside the job." (Tensorboard);
        /// Into the object of the target of that name; into a role's where one is named.
        Patch "patch" "Text merged into the platform's own object." { target: String, role: Option<RoleId>, text: String };
    }
    Program "The program of a role, its image and its environment." {
        Image "image" "A container image." { role: RoleId, image: Image };
        NoImage "no-image" "No image: the node's own software." { role: RoleId };
        Pull "pull" "When the image is pulled." { role: RoleId, pull: Pull };
        Run "run" "A program and its words, no shell." { role: RoleId, argv: Vec<Template> };
        /// `/bin/sh -ec`.
        Shell "shell" "Text for a shell." { role: RoleId, text: String };
        Workdir "workdir" "Where the program starts." { role: RoleId, path: Template };
        Env "env" "A variable." { role: RoleId, name: String, value: Template };
        /// The folders of Hadoop and Java in the image.
        Hadoop "hadoop" "Hadoop's environment for libhdfs." { home: String, java: String, conf: Option<String> };
    }
    Identity "Users and credentials of the tasks." {
        PullSecret "pull-secret" "The registry's credentials." { role: RoleId, name: String };
        SecretEnv "secret-env" "A variable whose value is secret." { role: RoleId, env: String, from: String, key: Option<String> };
        /// The variable holds its path.
        SecretFile "secret-file" "A file whose content is secret." { role: RoleId, env: String, from: String, key: Option<String>, at: String };
        User "user" "Who the program runs as." { role: RoleId, user: User };
        Kerberos "kerberos" "The Kerberos identity of the job." { principal: String, keytab: String };
    }
    Resources "Resources of each task of a role." {
        /// In thousandths.
        Cpus "cpus" "Cores, in steps of 0.1." { role: RoleId, milli: u32 };
        Memory "memory" "Memory." { role: RoleId, bytes: u64 };
        /// At least 1.
        Gpus "gpus" "Whole GPUs." { role: RoleId, count: u32 };
        GpuModel "gpu-model" "The GPUs' model." { role: RoleId, model: String };
        /// Of each GPU.
        GpuMemory "gpu-memory" "The GPUs' memory." { role: RoleId, bytes: u64 };
        Disk "disk" "Scratch space." { role: RoleId, bytes: u64 };
        SharedMemory "shared-memory" "The size of /dev/shm." { role: RoleId, bytes: u64 };
        Device "device" "Another counted kind." { role: RoleId, name: String, count: u32 };
    }
    Network "Ports, networks and the protocol between tasks." {
        /// `rendezvous` is the rendezvous.
        Port "port" "A port of each task, fixed or automatic." { role: RoleId, name: String, number: PortNumber };
        PortLink "port-link" "A port that the platform's page shows." { role: RoleId, name: String, link: String };
        Host "host-network" "The node's network.";
        Container "network" "A container network of the platform." (String);
        Protocol "protocol" "How TensorFlow's tasks talk." (Protocol);
    }
    Lifecycle "Start order, readiness, restarts, and the completion of the job." {
        /// Asked once for each kind of loss.
        Restart "restart" "What brings back a process, a container or a node's task." { role: RoleId, after: Loss, restart: Restart };
        After "after" "Start order." { role: RoleId, first: RoleId, when: When };
        Ready "ready" "When a task counts as ready." { role: RoleId, probe: Probe };
        /// `{done}`.
        Done "done" "A file by which the program says that its work is done." { role: RoleId };
        StartTimeout "start-timeout" "How long peers may take to appear." { seconds: u64 };
        Gang "gang" "All tasks start, or none.";
        StopGrace "stop-grace" "The time between SIGTERM and the kill." { seconds: u64 };
        /// From the first task's start.
        Deadline "deadline" "How long the job may take." { seconds: u64 };
        Success "success" "Whose success is the job's." (Success);
        EndOfJob "end-of-job" "Servers, evaluators and helpers stop when the job is done.";
        Keep "keep" "Which containers stay after the end." { what: Kept, seconds: Option<u64> };
    }
    Placement "Placement of tasks on nodes." {
        Node "placement-node" "A node's attribute." { role: RoleId, key: String, value: String };
        Partition "placement-partition" "A partition of the cluster." { role: RoleId, name: String };
        Spread "placement-spread" "Tasks on different hosts or racks." { role: RoleId, spread: Spread };
    }
    Storage "Code, data, checkpoints and scratch space." {
        /// `at`: where it is unpacked.
        Code "code" "The program, unpacked where the task starts." { uri: Uri, reference: Option<String>, at: Option<String> };
        Stage "files" "Something copied into every task." { index: usize, uri: Uri, at: Option<String> };
        DataUri "data-uri" "Data that the program opens by its uri." { index: usize, uri: Uri, writable: bool };
        DataMount "data-mount" "Data whose files appear at a path." { index: usize, uri: Uri, at: String, writable: bool };
        CheckpointsUri "checkpoints-uri" "State that the program reads and writes by its uri." { uri: Uri };
        /// Shared by all tasks that write.
        CheckpointsMount "checkpoints-mount" "State whose files appear at a path." { uri: Uri, at: String };
        CheckpointsEvery "checkpoints-every" "How often the program writes its state." { seconds: u64 };
        CheckpointsFresh "checkpoints-if-exists" "A job that does not start on old state." { mounted: bool };
        /// `{scratch}`.
        Scratch "scratch" "A folder of the task's own." { role: RoleId };
    }
}

/// What an ask starts in containers of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Started<'a> {
    /// The program of a role, once for each task.
    Role(RoleId),
    /// The TensorBoard.
    Tensorboard(&'a Tensorboard),
}

impl Requirement {
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
