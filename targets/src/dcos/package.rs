//! What the package `beta-tensorflow` can do with each ask. It is small: workers and parameter servers of TensorFlow 1
//! that call one module.
mod context;
mod life;
mod lower;
mod merged;
mod placement;
mod shape;
mod storage;
mod support;
mod tasks;

pub(super) use lower::{lower, view};
pub(super) use merged::{is_inside, judge as judge_merged};

use super::marathon;
use serde_json::Value;
use tfjob_lang::plan::{Plan, RoleId, RoleKind};
use tfjob_lang::shape::Shape;
use tfjob_lang::target::Answer;

/// The version whose options are written; older ones lack Kerberos, HDFS and regions.
pub(super) const VERSION: &str = "0.2.0-1.5.0-beta";

/// The options of the package `beta-tensorflow`.
pub(super) struct Package;

/// What lowering does for one ask.
#[derive(Debug, Clone)]
pub enum Means {
    /// The service's name.
    Name(String),
    /// Number of tasks.
    Count { role: RoleId, count: u32 },
    /// An image.
    Image { role: RoleId, image: String },
    /// What the module's `main` gets.
    Context(Vec<(String, Value)>),
    /// Who runs the tasks.
    User(String),
    /// Cores in thousandths.
    Cpus { role: RoleId, milli: u32 },
    /// Memory in MiB.
    Memory { role: RoleId, mebibytes: u64 },
    /// GPUs.
    Gpus { role: RoleId, count: u32 },
    /// Disk in MiB.
    Disk { role: RoleId, mebibytes: u64 },
    /// Where the tasks listen.
    Port { role: RoleId, number: u16 },
    /// Attribute, operator, value.
    Constraint { role: RoleId, words: Vec<String> },
    /// The program.
    Code(String),
    /// Where state goes.
    Shared(String),
    /// A network of containers; `None` is the host's.
    Network(Option<String>),
    /// A TensorBoard.
    Tensorboard { port: u16, milli: u32, mebibytes: u64 },
    /// The name before `@`, the realm, the secret with the keytab.
    Kerberos { primary: String, realm: String, keytab: String },
    /// Text merged into the options, or a role's part of them.
    Patch { role: Option<RoleId>, text: String },
    /// Nothing to write, and why.
    Inherent(&'static str),
}

/// The three groups of tasks that the package has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// `parameter_server`.
    Ps,
    /// `worker`.
    Worker,
    /// `gpu_worker`.
    GpuWorker,
}

impl Slot {
    /// The group of a role, if it has one.
    pub(super) fn of(plan: &Plan, role: RoleId) -> Option<Self> {
        let role = &plan.roles[role];
        match role.kind {
            RoleKind::Ps => Some(Self::Ps),
            RoleKind::Worker if role.resources.gpus > 0 => Some(Self::GpuWorker),
            RoleKind::Worker => Some(Self::Worker),
            RoleKind::Chief
            | RoleKind::Evaluator
            | RoleKind::Master
            | RoleKind::Scheduler
            | RoleKind::Server
            | RoleKind::Own
            | RoleKind::Helper => None,
        }
    }

    /// The key of its options.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Ps => "parameter_server",
            Self::Worker => "worker",
            Self::GpuWorker => "gpu_worker",
        }
    }
}

/// The schema against which a patch is checked: of the whole, or of a role's part.
pub(super) fn patch_schema(plan: &Plan, role: Option<RoleId>) -> Value {
    match role.and_then(|role| Slot::of(plan, role)) {
        None => Shape::schema_of::<shape::Options>(),
        Some(Slot::Ps | Slot::Worker) => Shape::schema_of::<shape::Tasks>(),
        Some(Slot::GpuWorker) => Shape::schema_of::<shape::GpuTasks>(),
    }
}

type Given = Answer<Means>;

/// The package's tasks and its scheduler are Marathon's and Mesos' too: what these refuse, the package cannot do.
fn unless(refused: Option<Answer<marathon::Means>>, own: impl FnOnce() -> Given) -> Given {
    match refused {
        Some(Answer::Refused(refusal)) => Answer::Refused(refusal),
        Some(Answer::Native(_) | Answer::Emulated(..) | Answer::Ignored(_)) | None => own(),
    }
}

/// What the package lacks, with the cure that always is one: the other form.
fn lacks(why: impl Into<String>, proof: &'static str) -> Given {
    Answer::impossible(why, AS_MARATHON, proof)
}

const AS_MARATHON: &str = "write `as \"marathon\"` in `target \"dcos\"`: then each task is a Marathon app";
