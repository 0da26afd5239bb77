//! Lowering decisions of the YARN target: one variant per supported requirement, with all data that lowering needs.
use super::schema::{Check, FileType, Placement, Scope};
use crate::contract_builder::Location;
use tfjob_lang::lowered::Step;
use tfjob_lang::plan::{DataRef, RoleId, Template};
use tfjob_lang::requirement::{self, Tensorboard};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::{Success, When};

/// How a supported requirement is lowered.
#[expect(missing_docs, reason = "the docs of a variant describe its fields")]
#[derive(Debug, Clone)]
pub enum Mechanism {
    /// Name of the service.
    Name(String),
    /// Description of the service.
    Description(String),
    /// Rendezvous of the tasks. `shim`: the shim sets the rendezvous variables. `user` and `domain`: the last labels of the DNS
    /// names.
    Rendezvous { shim: bool, user: Option<String>, domain: Option<String> },
    /// The component of a role.
    Component { role: RoleId, count: u32 },
    /// A Docker image.
    Image { role: RoleId, id: String },
    /// A program and its arguments.
    Run { role: RoleId, argv: Vec<Template> },
    /// A script for `sh -ec`.
    Shell { role: RoleId, text: String },
    /// Working directory of the program.
    Workdir { role: RoleId, path: Template },
    /// An environment variable.
    Env { role: RoleId, name: String, value: Template },
    /// Whole cores per instance.
    Cores { role: RoleId, count: u32 },
    /// Memory per instance in MiB.
    Memory { role: RoleId, mebibytes: u64 },
    /// An additional resource type.
    Counted { role: RoleId, name: String, count: u32 },
    /// A tmpfs at `/dev/shm`.
    SharedMemory { role: RoleId },
    /// A placement constraint of a role.
    Constrain { role: RoleId, kind: Placement, scope: Scope, attribute: Option<(String, String)> },
    /// A quicklink for each instance of a role.
    Link { role: RoleId, label: String, port: u16, user: String, domain: String },
    /// The NodeManager restarts a process in its container, at most `tries` times in a sliding `window`, after a `pause`. Times
    /// are in milliseconds.
    InPlace { role: RoleId, tries: Option<u32>, pause: u64, window: Option<u64> },
    /// The service master replaces a container. `always`: also after success. `limited`: a container whose restart budget is used
    /// up fails the job.
    Replace { role: RoleId, always: bool, limited: bool },
    /// A dependency: `role` starts when the component of `first` is ready.
    Depends { role: RoleId, first: RoleId },
    /// A readiness check of the service master.
    Check { role: RoleId, kind: Check, key: &'static str, value: String },
    /// Code or `files`, copied into the container.
    Localise {
        place: DataRef,
        kind: FileType,
        dest: String,
        source: String,
        location: Location,
        steps: Vec<Step>,
    },
    /// Storage that the program opens by its URI or path.
    There { place: DataRef, location: Location },
    /// A node directory in the containers of these roles.
    Mount { place: DataRef, roles: Vec<RoleId>, source: String, at: String, writable: bool },
    /// An empty scratch directory, created by the launch command.
    Scratch { role: RoleId },
    /// A Hadoop client in the image, configured by the shim.
    Hadoop { home: String, java: String, conf: Option<String> },
    /// Setup steps that fail if the checkpoint directory exists.
    Fresh(Vec<Step>),
    /// Seconds between checkpoints, for the shim.
    Every(u64),
    /// Keeps Docker containers as long as the node keeps the files of containers.
    Kept,
    /// Maximum seconds from submission.
    Lifetime(u64),
    /// The component that ends the service.
    Dominant(RoleId),
    /// A component with TensorBoard.
    Tensorboard(Box<Board>),
    /// A Docker network.
    Network(String),
    /// The Kerberos identity of the service master.
    Kerberos { principal: String, keytab: String },
    /// A patch of the service, or of the component of a role.
    Patch { role: Option<RoleId>, text: String },
    /// A duty of the shim.
    Duty(Duty),
    /// Seconds between SIGTERM and SIGKILL. The cluster's own delay is at least as long.
    Delay(u64),
}

/// A duty of the shim, in addition to starting the program.
#[expect(missing_docs, reason = "the docs of a variant describe its fields")]
#[derive(Debug, Clone)]
pub enum Duty {
    /// Waits for peers, at most these seconds.
    Wait(u64),
    /// Restarts the process.
    Restart { role: RoleId, terms: requirement::Restart },
    /// Starts after another role.
    After { role: RoleId, first: RoleId, when: When },
    /// Stops long-running tasks when the job completes.
    Ends(Success),
    /// Detects the file with which the program reports that its work is done.
    Done { role: RoleId },
    /// Fails if checkpoints exist before the first start.
    Fresh,
    /// Finds a free port.
    FreePort,
}

/// TensorBoard, and the parts of the job that TensorBoard uses.
#[derive(Debug, Clone)]
pub struct Board {
    /// The requirement.
    pub required: Tensorboard,
    /// User and domain of its DNS name.
    pub link: Option<(String, String)>,
    /// Variables that all roles share, with their spans.
    pub env: Vec<(String, Template, Span)>,
    /// Shell lines that set up access to `hdfs:`, if the logs need it.
    pub hadoop: Vec<String>,
    /// Whether the shim starts TensorBoard and stops it when the job completes.
    pub shim: bool,
}
