//! The options of the package `beta-tensorflow`. It is small: workers and parameter servers of TensorFlow 1 that call one module.
mod cluster;
mod context;
mod life;
mod lower;
mod merged;
mod patched;
mod placement;
mod rules;
mod shape;
mod storage;
mod support;
mod tasks;

use super::Dcos;
use super::context::Context;
use super::form::Form;
use super::{means, reserve};
use crate::patch::{self, Merged};
use serde_json::Value;
use tfjob_lang::ask::Ask;
use tfjob_lang::cluster::demand::Demand;
use tfjob_lang::cluster::words::{Use, Word};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::{Lowered, TaskView};
use tfjob_lang::plan::{Plan, RoleId, RoleKind};
use tfjob_lang::sources::Span;
use tfjob_lang::target::{Accepted, Answer, Site, Support, Target};

/// The version whose options are written; older ones lack Kerberos, HDFS and regions.
pub const VERSION: &str = "0.2.0-1.5.0-beta";

/// The options of the package `beta-tensorflow`.
pub struct Package;

impl Form for Package {
    fn support(&self, ask: &Ask, case: &Context<'_>) -> Answer<means::Means> {
        Self::answer(ask, case).map(means::Means::from)
    }

    fn site_word(&self, word: Word) -> Use {
        cluster::site_word(word)
    }

    fn unread(&self, plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic> {
        rules::unread(plan, site)
    }

    fn patched(&self, plan: &Plan, role: Option<RoleId>, text: &str, at: Span) -> Vec<Diagnostic> {
        patch::judge(Dcos::NAME, &patched::schema(plan, role), patched::fault, text, at)
    }

    fn rules(&self, plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic> {
        rules::judge(plan, site)
    }

    fn reserves(&self, plan: &Plan, _site: &Site<Dcos>, demand: Demand) -> Demand {
        reserve::of_agents(plan, |_, _| false, demand)
    }

    fn passes_checkpoints(&self) -> bool {
        true
    }

    fn has_hadoop(&self) -> bool {
        true
    }

    fn merged(&self, document: &mut Merged<'_>, _plan: &Plan, site: &Site<Dcos>, _lowered: &Lowered) {
        merged::judge(document, site);
    }

    fn lower(&self, job: &Accepted<'_, Dcos>) -> Lowered {
        lower::lower(job, means::of_package(job))
    }

    fn view(&self, job: &Accepted<'_, Dcos>, _role: RoleId, _index: u32) -> TaskView {
        lower::view(job.site)
    }
}

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

type Given = Answer<Means>;

/// What the package lacks, with the cure that always is one: the other form.
fn lacks(why: impl Into<String>, proof: &'static str) -> Given {
    Answer::impossible(why, AS_MARATHON, proof)
}

const AS_MARATHON: &str = "write `as \"marathon\"` in `target \"dcos\"`: then each task is a Marathon app";
