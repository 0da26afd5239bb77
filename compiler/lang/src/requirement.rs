//! All requirements that a job can have. The set is closed: a new requirement compiles only after every target states its
//! support.
use crate::at::At;
use crate::plan::{RoleId, Template};
use crate::sources::Span;
use crate::spec::values::{Image, Uri, Version};
use crate::spec::{
    FrameworkName, Kept, PortNumber, Protocol, Pull, RestartOn, Scope, Spread, StrategyName, Success, User,
    When,
};

/// A requirement and its place in the spec.
#[derive(Debug, Clone)]
pub struct Required {
    /// The requirement.
    pub requirement: Requirement,
    /// Span of the field that requests the requirement. For a default, the span of the name of the role or job.
    pub at: Span,
    /// Other values of the spec on which the requirement depends, such as the URI of data with a mount path. `None`: the
    /// requirement depends only on the field at `at`.
    pub from: Option<Dependency>,
    /// Whether the requirement follows from a default of the spec. Targets must not refuse such a requirement.
    pub default: bool,
}

/// Spans of other values on which a requirement depends, in addition to the field that requests it. If such a value has an
/// error, findings that depend on it are not reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dependency {
    /// All findings about the requirement depend on this value.
    Always(Span),
    /// All findings about the requirement depend on each of these values.
    AlwaysAll(Vec<Span>),
    /// Only refusals marked by [`Support::depends_on_value`](crate::target::Support::depends_on_value) depend on this
    /// value.
    IfMarked(Span),
}

/// Declares each requirement once: area, variant, feature name for `allow`, description, and values.
macro_rules! requirements {
    ($($area:ident $about:literal {
        $($(#[$note:meta])* $variant:ident $name:literal $doc:literal $({ $($field:ident: $type:ty),* })? $(($single:ty))?;)*
    })*) => {
        /// One requirement of the job, by area, with its values in canonical units: bytes, seconds, thousandths of a core.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Requirement { $(#[doc = $about] $area($area),)* }

        $(
            #[doc = $about]
            #[allow(missing_docs, reason = "the description of the variant covers its fields")]
            #[derive(Debug, Clone, PartialEq)]
            pub enum $area {
                $(#[doc = $doc] $(#[$note])* $variant $({ $($field: $type),* })? $(($single))?,)*
            }
        )*

        /// A kind of requirement, as named in `allow`, the capability table, and `tfjob explain`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Feature { $($(#[doc = $doc] $variant,)*)* }

        impl Feature {
            /// All features, in order of the areas.
            pub const ALL: &[Self] = &[$($(Self::$variant),*),*];

            /// Returns the name of the feature for `allow` and `tfjob explain`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($(Self::$variant => $name,)*)* }
            }

            /// Returns the one-line description of the feature.
            #[must_use]
            pub const fn doc(self) -> &'static str {
                match self { $($(Self::$variant => $doc,)*)* }
            }

            /// Returns the feature with this name.
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
    Job "Name, framework, and roles of the job, TensorBoard, and patches." {
        Name "job-name" "Name of the job on the platform." (String);
        Description "description" "Description of the job." (String);
        Label "label" "Label that the platform shows and filters by." { key: String, value: String };
        Framework "framework" "Framework, version, and strategy." { name: FrameworkName, version: Option<Version>, strategy: Option<StrategyName> };
        Role "role" "Role in the rendezvous, with its number of tasks." { role: RoleId, count: u32 };
        Evaluator "evaluator" "TensorFlow evaluator. Only its own TF_CONFIG contains it." { role: RoleId };
        Helper "helper" "Role outside the rendezvous that stops when the job completes." { role: RoleId, count: u32 };
        /// The job keeps running with at least `min` tasks of the role.
        Min "min" "Minimum number of tasks of a role to start and to keep running." { role: RoleId, min: u32 };
        Tensorboard "tensorboard" "TensorBoard that runs alongside the job." (Tensorboard);
        /// `target`: the target of the patch. `role`: `None` for a patch of the job.
        Patch "patch" "Patch that is merged into the generated manifest." { target: String, role: Option<RoleId>, text: String };
    }
    Program "Program of each role, its image, and its environment." {
        Image "image" "Container image." { role: RoleId, image: Image };
        NoImage "no-image" "No container image: the program uses the software of the node." { role: RoleId };
        Pull "pull" "Image pull policy." { role: RoleId, pull: Pull };
        Run "run" "Program with arguments, started without a shell." { role: RoleId, argv: Vec<Template> };
        /// `/bin/sh -ec` runs the script.
        Shell "shell" "Shell script." { role: RoleId, text: String };
        Workdir "workdir" "Working directory of the program." { role: RoleId, path: Template };
        Env "env" "Environment variable." { role: RoleId, name: String, value: Template };
        /// `home`, `java`: directories of Hadoop and Java in the image.
        Hadoop "hadoop" "Hadoop and Java directories for access to HDFS through libhdfs." { home: String, java: String, conf: Option<String> };
    }
    Identity "Users and credentials of the tasks." {
        PullSecret "pull-secret" "Credentials of the image registry." { role: RoleId, name: String };
        SecretEnv "secret-env" "Environment variable with the value of a secret." { role: RoleId, env: String, from: String, key: Option<String> };
        /// `env`: the environment variable that contains the path of the file.
        SecretFile "secret-file" "File with the value of a secret." { role: RoleId, env: String, from: String, key: Option<String>, at: String };
        User "user" "User that the program runs as." { role: RoleId, user: User };
        Kerberos "kerberos" "Kerberos principal and keytab of the job." { principal: String, keytab: String };
    }
    Resources "Resources of each task of a role." {
        /// `milli`: thousandths of a core.
        Cpus "cpus" "CPU cores, in increments of 0.1." { role: RoleId, milli: u32 };
        Memory "memory" "Memory." { role: RoleId, bytes: u64 };
        /// `count`: at least 1.
        Gpus "gpus" "Number of GPUs." { role: RoleId, count: u32 };
        GpuModel "gpu-model" "GPU model." { role: RoleId, model: String };
        /// `bytes`: per GPU.
        GpuMemory "gpu-memory" "Memory per GPU." { role: RoleId, bytes: u64 };
        Disk "disk" "Local scratch space." { role: RoleId, bytes: u64 };
        SharedMemory "shared-memory" "Size of /dev/shm." { role: RoleId, bytes: u64 };
        Device "device" "Extended resource, such as `rdma/hca`." { role: RoleId, name: String, count: u32 };
    }
    Network "Ports, networks, and the protocol between tasks." {
        /// A port with the name `rendezvous` is the rendezvous port.
        Port "port" "Port of each task, fixed or automatic." { role: RoleId, name: String, number: PortNumber };
        PortLink "port-link" "Link to a port in the web UI of the platform." { role: RoleId, name: String, link: String };
        Host "host-network" "Host network: tasks use the network namespace of their node.";
        Container "network" "Container network of the platform that the tasks join." (String);
        Protocol "protocol" "Communication protocol between TensorFlow tasks." (Protocol);
    }
    Lifecycle "Start order, readiness, restarts, and job completion." {
        /// There is one `Restart` requirement for each kind of loss ([`Loss`]).
        Restart "restart" "Restart after a failed process, a lost container, or a lost node." { role: RoleId, after: Loss, restart: Restart };
        After "after" "Start order of roles." { role: RoleId, first: RoleId, when: When };
        Ready "ready" "Readiness probe of a task." { role: RoleId, probe: Probe };
        /// `{done}` expands to the path of the file.
        Done "done" "File that the program creates when its work is done." { role: RoleId };
        StartTimeout "start-timeout" "Maximum time to wait for peers at startup." { seconds: u64 };
        Gang "gang" "Gang scheduling: either all tasks start, or none.";
        StopGrace "stop-grace" "Time between SIGTERM and SIGKILL." { seconds: u64 };
        /// The time is measured from the start of the first task.
        Deadline "deadline" "Maximum duration of the job." { seconds: u64 };
        Success "success" "Tasks that decide job success." (Success);
        EndOfJob "end-of-job" "Termination of parameter servers, evaluators, and helpers when the job completes.";
        Keep "keep" "Containers to keep after the job completes." { what: Kept, seconds: Option<u64> };
    }
    Placement "Placement of tasks on nodes." {
        Node "placement-node" "Node label or attribute that the nodes of the tasks must have." { role: RoleId, key: String, value: String };
        Partition "placement-partition" "Partition of the cluster in which the tasks run." { role: RoleId, name: String };
        Spread "placement-spread" "Placement of the tasks of a role on different hosts or racks." { role: RoleId, spread: Spread };
    }
    Storage "Code, data, checkpoints, and scratch space." {
        /// `at`: the directory in the task.
        Code "code" "Program code, unpacked in each task." { uri: Uri, reference: Option<String>, at: Option<String> };
        Stage "files" "Files or archives copied into every task." { index: usize, uri: Uri, at: Option<String> };
        DataUri "data-uri" "Data that the program opens by URI." { index: usize, uri: Uri, writable: bool };
        DataMount "data-mount" "Data mounted at a path." { index: usize, uri: Uri, at: String, writable: bool };
        CheckpointsUri "checkpoints-uri" "Checkpoints that the program opens by URI." { uri: Uri };
        /// All tasks that write checkpoints share the directory.
        CheckpointsMount "checkpoints-mount" "Checkpoints mounted at a path." { uri: Uri, at: String };
        CheckpointsEvery "checkpoints-every" "Checkpoint interval of the program." { seconds: u64 };
        CheckpointsFresh "checkpoints-if-exists" "Check at job start that no checkpoints exist." { mounted: bool };
        /// `{scratch}` expands to the path of the directory.
        Scratch "scratch" "Private scratch directory of each task." { role: RoleId };
    }
}

/// A program that a requirement starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Started<'a> {
    /// The program of a role, once per task.
    Role(RoleId),
    /// TensorBoard.
    Tensorboard(&'a Tensorboard),
}

impl Requirement {
    /// Returns the program that the requirement starts, if any.
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

/// The loss after which a restart is required. The shim can restart a process; only the platform can replace a container or
/// a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// The process exited.
    Process,
    /// The container was deleted, evicted, or preempted.
    Container,
    /// The node was lost.
    Node,
}

/// Restart policy of a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restart {
    /// When a task restarts: on failure, or always. The policy `never` creates no requirement.
    pub on: RestartOn,
    /// Maximum number of restarts.
    pub limit: Option<u32>,
    /// Time window in which restarts count toward `limit`, in seconds.
    pub within: Option<u64>,
    /// Delay before the first restart, in seconds.
    pub backoff: Option<u64>,
    /// Maximum delay before a restart, in seconds.
    pub max_backoff: Option<u64>,
    /// Minimum uptime in seconds. A task that fails sooner is not restarted.
    pub min_uptime: Option<u64>,
    /// Maximum number of consecutive restarts without a newer checkpoint.
    pub no_progress_limit: Option<u32>,
    /// Whether the task or the job restarts.
    pub scope: Scope,
    /// Exit codes that trigger a restart. If empty, `on` alone decides.
    pub codes: Vec<u8>,
    /// Whether the checkpoints are mounted in the task.
    pub mounted: bool,
}

impl Restart {
    /// Returns whether the policy can give up on a task that keeps failing: by restart count, exit code, uptime, or
    /// restarts without progress.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.limit.is_some()
            || self.min_uptime.is_some()
            || self.no_progress_limit.is_some()
            || !self.codes.is_empty()
    }
}

/// Readiness probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Probe {
    /// The port accepts TCP connections.
    Tcp(String),
    /// The port returns HTTP 2xx for the path, which begins with `/`.
    Http(String, String),
    /// The file exists.
    File(String),
}

/// TensorBoard that runs alongside the job.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensorboard {
    /// Log directory.
    pub logs: Template,
    /// Port that TensorBoard listens on.
    pub port: u16,
    /// Container image.
    pub image: Option<Image>,
    /// Environment variables of the secrets that TensorBoard gets.
    pub secrets: Vec<At<String>>,
    /// CPU in thousandths of a core. Default: 1000.
    pub milli: u32,
    /// Memory in bytes. Default: 4 GiB.
    pub bytes: u64,
}
