//! How YARN gives what a job asks: all that lowering needs, and nothing that it would have to look up again.
use super::schema::{Check, FileType, Placement, Scope};
use crate::contract_builder::Location;
use tfjob_lang::lowered::Step;
use tfjob_lang::plan::{DataRef, RoleId, Template};
use tfjob_lang::requirement::{self, Tensorboard};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::{Success, When};

/// One means.
#[expect(missing_docs, reason = "the fields are the words of the variant's own sentence")]
#[derive(Debug, Clone)]
pub enum Mechanism {
    /// The service's name.
    Name(String),
    /// The service's description.
    Description(String),
    /// The tasks' meeting. `shim`: it fills what the engine cannot; `user` and `domain` end its names.
    Rendezvous { shim: bool, user: Option<String>, domain: Option<String> },
    /// A component for a role.
    Component { role: RoleId, count: u32 },
    /// A Docker image.
    Image { role: RoleId, id: String },
    /// A program and its words.
    Run { role: RoleId, argv: Vec<Template> },
    /// Text for `sh -ec`.
    Shell { role: RoleId, text: String },
    /// Where it starts.
    Workdir { role: RoleId, path: Template },
    /// A variable.
    Env { role: RoleId, name: String, value: Template },
    /// Whole cores.
    Cores { role: RoleId, count: u32 },
    /// MiB.
    Memory { role: RoleId, mebibytes: u64 },
    /// A counted kind.
    Counted { role: RoleId, name: String, count: u32 },
    /// A memory file system at `/dev/shm`.
    SharedMemory { role: RoleId },
    /// Where a role's instances may run.
    Constrain { role: RoleId, kind: Placement, scope: Scope, attribute: Option<(String, String)> },
    /// A link of the page for each instance of a role.
    Link { role: RoleId, words: String, port: u16, user: String, domain: String },
    /// The node manager starts a process again in its container; `tries`, milliseconds between, and the window.
    InPlace { role: RoleId, tries: Option<u32>, pause: u64, window: Option<u64> },
    /// The master asks for another container. `policy_always`: whenever one ends; `limited`: a failure that is not
    /// mended in place ends the job.
    Replace { role: RoleId, always: bool, limited: bool },
    /// Starts when another component is ready.
    Depends { role: RoleId, first: RoleId },
    /// Looked at by the master.
    Check { role: RoleId, kind: Check, key: &'static str, value: String },
    /// Code or `files`, localised into the container.
    Localise {
        place: DataRef,
        kind: FileType,
        dest: String,
        source: String,
        location: Location,
        steps: Vec<Step>,
    },
    /// Where something is that needs no means.
    There { place: DataRef, location: Location },
    /// A path of the node in the containers of these roles.
    Mount { place: DataRef, roles: Vec<RoleId>, source: String, at: String, writable: bool },
    /// An empty folder, made by the command.
    Scratch { role: RoleId },
    /// Hadoop's client in the image, set up by the shim.
    Hadoop { home: String, java: String, conf: Option<String> },
    /// A step that fails where something exists already.
    Fresh(Vec<Step>),
    /// Seconds between checkpoints, for the shim.
    Every(u64),
    /// Containers of Docker stay as long as the node keeps what they leave.
    Kept,
    /// Seconds from the submission.
    Lifetime(u64),
    /// The service ends with one component.
    Dominant(RoleId),
    /// A TensorBoard as a component.
    Tensorboard(Box<Board>),
    /// A network of Docker.
    Network(String),
    /// The identity of the master.
    Kerberos { principal: String, keytab: String },
    /// Text merged into the service, or into a role's component.
    Patch { role: Option<RoleId>, text: String },
    /// The shim's part.
    Duty(Duty),
    /// Seconds before the kill, which the cluster's own delay leaves.
    Delay(u64),
}

/// What the shim does besides starting.
#[expect(missing_docs, reason = "the fields are the words of the variant's own sentence")]
#[derive(Debug, Clone)]
pub enum Duty {
    /// Waits for peers so many seconds.
    Wait(u64),
    /// Restarts the process.
    Restart { role: RoleId, terms: requirement::Restart },
    /// Starts after another role.
    After { role: RoleId, first: RoleId, when: When },
    /// Ends what only serves.
    Ends(Success),
    /// Hears that the program's work is done.
    Done { role: RoleId },
    /// Refuses to start on old state.
    Fresh,
    /// Picks a free port.
    FreePort,
}

/// A TensorBoard, and what it has of the job.
#[derive(Debug, Clone)]
pub struct Board {
    /// What is asked.
    pub required: Tensorboard,
    /// User and domain of its address.
    pub link: Option<(String, String)>,
    /// Variables that all roles have alike, and their words.
    pub env: Vec<(String, Template, Span)>,
    /// The lines that let it read `hdfs:`, where it does.
    pub hadoop: Vec<String>,
    /// Whether the shim starts it, and ends it with the job.
    pub shim: bool,
}
