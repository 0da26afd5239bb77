//! Lowering decisions of the YARN target: one variant per supported requirement, with all data that lowering needs.
use super::schema::{Check, FileType, Placement, Scope};
use crate::contract_builder::Location;
use tfjob_lang::lowered::Step;
use tfjob_lang::plan::{DataRef, RoleId, Template};
use tfjob_lang::requirement::{self, Tensorboard};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::{Success, When};

/// How YARN implements a supported requirement.
#[expect(missing_docs, reason = "the docs of a variant describe its fields")]
#[derive(Debug, Clone)]
pub enum Mechanism {
    /// Name of the service.
    Name(String),
    /// Description of the service.
    Description(String),
    /// Rendezvous of the tasks. `shim`: whether the shim sets the rendezvous variables. `user` and `domain`: the last labels of
    /// the tasks' DNS names.
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
    /// A placement constraint of a role. `attribute`: node attribute and value. `None` for a constraint on the role's own tasks.
    Constrain { role: RoleId, kind: Placement, scope: Scope, attribute: Option<(String, String)> },
    /// A quicklink for each instance of a role.
    Link { role: RoleId, label: String, port: u16, user: String, domain: String },
    /// The NodeManager restarts a process in its container, at most `tries` times in a sliding `window`. If `tries` is `None`,
    /// there is no limit. The NodeManager waits for `pause` before each restart. Times are in milliseconds.
    InPlace { role: RoleId, tries: Option<u32>, pause: u64, window: Option<u64> },
    /// The service master replaces a failed container. `always`: whether it also replaces a container that has succeeded.
    /// `limited`: whether the job fails if the shim in a container has used up its restarts.
    Replace { role: RoleId, always: bool, limited: bool },
    /// A dependency: `role` starts when the component of `first` is ready.
    Depends { role: RoleId, first: RoleId },
    /// A readiness check of the service master.
    Check { role: RoleId, kind: Check, key: &'static str, value: String },
    /// A `code` or `files` entry that is copied into the container.
    Localise {
        place: DataRef,
        kind: FileType,
        dest: String,
        source: String,
        location: Location,
        steps: Vec<Step>,
    },
    /// An entry that the program opens by its URI or path.
    There { place: DataRef, location: Location },
    /// A directory of the node that is mounted into the containers of these roles.
    Mount { place: DataRef, roles: Vec<RoleId>, source: String, at: String, writable: bool },
    /// An empty scratch directory that the launch command creates.
    Scratch { role: RoleId },
    /// A Hadoop client in the image. The shim sets its environment variables.
    Hadoop { home: String, java: String, conf: Option<String> },
    /// Setup steps that fail if the checkpoint directory exists.
    Fresh(Vec<Step>),
    /// Checkpoint interval in seconds, which the shim needs.
    Every(u64),
    /// The NodeManager keeps the Docker containers of finished tasks for the same time as their files.
    Kept,
    /// Maximum duration of the service in seconds, counted from its submission.
    Lifetime(u64),
    /// The component that ends the service.
    Dominant(RoleId),
    /// A component that runs TensorBoard.
    Tensorboard(Box<Board>),
    /// A Docker network.
    Network(String),
    /// The Kerberos identity of the service master.
    Kerberos { principal: String, keytab: String },
    /// A patch of the service, or of the component of a role.
    Patch { role: Option<RoleId>, text: String },
    /// A requirement that the shim implements.
    Duty(Duty),
    /// Minimum number of seconds between SIGTERM and SIGKILL that the job needs. The configured delay of the cluster is at least
    /// as long.
    Delay(u64),
}

/// A duty of the shim: something that it does besides starting the program.
#[expect(missing_docs, reason = "the docs of a variant describe its fields")]
#[derive(Debug, Clone)]
pub enum Duty {
    /// Waits for peers, for at most this number of seconds.
    Wait(u64),
    /// Restarts the program inside the container.
    Restart { role: RoleId, terms: requirement::Restart },
    /// Starts the program of a role only after `first` has reached the state `when`.
    After { role: RoleId, first: RoleId, when: When },
    /// Stops long-running tasks when the job completes.
    Ends(Success),
    /// Detects the `{done}` file, by which the program reports that its work is complete.
    Done { role: RoleId },
    /// Fails the task if checkpoints exist before the first start.
    Fresh,
    /// Picks a free port.
    FreePort,
}

/// TensorBoard, and the parts of the job that TensorBoard uses.
#[derive(Debug, Clone)]
pub struct Board {
    /// The `tensorboard` entry of the spec.
    pub required: Tensorboard,
    /// User and domain in the DNS name of TensorBoard, if its link contains the name.
    pub link: Option<(String, String)>,
    /// Environment variables that all roles share, each with its span.
    pub env: Vec<(String, Template, Span)>,
    /// Shell lines that let TensorBoard read `hdfs:`, if the logs are there.
    pub hadoop: Vec<String>,
    /// Whether the shim starts TensorBoard and stops it when the job completes.
    pub shim: bool,
}
