//! The plan: what the job is, with every name resolved, and no word about any platform.
mod first_process;
mod numbered;

use crate::at::At;
use crate::requirement::{Job, Lifecycle, Placement, Required, Requirement};
use crate::sources::Span;
use crate::spec::values::{Class, Image, Uri, Version, Word};
use crate::spec::{FrameworkName, Pull, StrategyName, Success};
use crate::tree::Tree;
use std::collections::BTreeMap;

pub use tfjob_contract::RoleKind;

/// Whether an attribute of nodes is called as the name of a node is, by whoever chose its prefix.
#[must_use]
pub fn is_called_host(key: &str) -> bool {
    key.rsplit('/').next() == Some("hostname")
}

/// A role's number in [`Plan::roles`].
pub type RoleId = usize;

/// A job with every name resolved.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The job's name.
    pub name: At<String>,
    /// The framework, its version and strategy.
    pub framework: Framework,
    /// Roles of the rendezvous in the order of the spec, then helpers.
    pub roles: Vec<Role>,
    /// What is read and written.
    pub storage: Storage,
    /// The `param`s with their types. References to them are text by now; some platforms take typed values too.
    pub params: Vec<(At<String>, Word)>,
    /// Everything that the job asks of a platform, in the order of the spec.
    pub requirements: Vec<Required>,
    /// The job's `target` blocks, by target.
    pub targets: BTreeMap<String, Tree>,
    /// Where the cluster file stands in the texts, if the job was put to a cluster.
    pub cluster: Option<Span>,
    /// Refusals that the user accepts.
    pub allows: Vec<Allowed>,
    /// Bytes of all its texts: nothing that the user wrote is longer.
    pub bytes: usize,
}

impl Plan {
    /// Returns whether the job or one of its roles has a block for this target.
    #[must_use]
    pub fn configures(&self, target: &str) -> bool {
        self.targets.contains_key(target) || self.roles.iter().any(|role| role.targets.contains_key(target))
    }

    /// Returns whether the job or one of its roles patches what is compiled for this target.
    #[must_use]
    pub fn is_patched(&self, target: &str) -> bool {
        let patches = |requirement: &Requirement| matches!(requirement, Requirement::Job(Job::Patch { target: own, .. }) if own == target);
        self.requirements.iter().any(|required| patches(&required.requirement))
    }
}

/// The framework, its version and strategy.
#[derive(Debug, Clone)]
pub struct Framework {
    /// Which one.
    pub name: At<FrameworkName>,
    /// The version, if stated.
    pub version: Option<At<Version>>,
    /// TensorFlow's strategy; `single` where nothing is said and one task runs.
    pub strategy: Option<StrategyName>,
}

impl Framework {
    /// Returns the framework and its strategy, as the contract has them.
    #[must_use]
    pub const fn of_contract(&self) -> tfjob_contract::Framework {
        tfjob_contract::Framework { name: self.name.value, strategy: self.strategy }
    }
}

/// Tasks that do the same work.
#[derive(Debug, Clone)]
pub struct Role {
    /// The name in the spec, which is also the framework's word.
    pub name: At<String>,
    /// What it is to the job.
    pub kind: RoleKind,
    /// Number of tasks.
    pub count: At<u32>,
    /// What each task starts.
    pub command: Command,
    /// Where it starts.
    pub workdir: Option<Template>,
    /// Variables in order; a later one may use an earlier.
    pub env: Vec<(At<String>, Template)>,
    /// The image, if one is named.
    pub image: Option<ImageUse>,
    /// What each task gets.
    pub resources: Resources,
    /// Ports by name; `rendezvous` is there exactly for roles of the rendezvous.
    pub ports: Vec<Port>,
    /// The role's `target` blocks, by target.
    pub targets: BTreeMap<String, Tree>,
}

/// What a task starts.
#[derive(Debug, Clone)]
pub enum Command {
    /// A program and its words, never empty.
    Run(Vec<Template>),
    /// Text for `/bin/sh -ec`, verbatim.
    Shell(At<String>),
}

/// Text with references, those that no platform decides already replaced.
#[derive(Debug, Clone, PartialEq)]
pub struct Template {
    /// The parts in order; neighbouring texts are joined; empty for the empty text.
    pub parts: Vec<Part>,
    /// The words that wrote it.
    pub span: Span,
}

/// A part of a [`Template`].
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// As it stands.
    Text(String),
    /// Where the target puts something, and the reference's own words.
    Data(DataRef, Span),
    /// What only the task itself knows, and the reference's own words.
    Task(TaskRef, Span),
}

/// Something whose place the target decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataRef {
    /// `{code}`.
    Code,
    /// `{files.NAME}`, by its number in [`Storage::stage`].
    Stage(usize),
    /// `{data.NAME}`, by its number in [`Storage::data`].
    Data(usize),
    /// `{checkpoints}`.
    Checkpoints,
    /// `{scratch}`.
    Scratch,
}

/// What only the task itself knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskRef {
    /// `{index}`.
    Index,
    /// `{address}`.
    Address,
    /// `{addresses.ROLE}`.
    Addresses(RoleId),
    /// `{port.NAME}` of an automatic port; `{port.rendezvous}` until a target says that its number is fixed.
    Port(String),
    /// `{env.NAME}`.
    Env(String),
    /// `{done}`.
    Done,
}

/// An image and how it is pulled.
#[derive(Debug, Clone, PartialEq)]
pub struct ImageUse {
    /// The image.
    pub image: At<Image>,
    /// When it is pulled, if said.
    pub pull: Option<At<Pull>>,
    /// The secret with the registry's credentials.
    pub pull_secret: Option<At<String>>,
}

/// What each task gets, in canonical units.
#[derive(Debug, Clone, PartialEq)]
pub struct Resources {
    /// Thousandths of a core, a multiple of 100.
    pub cpus: At<u32>,
    /// Bytes.
    pub memory: At<u64>,
    /// Whole GPUs; 0 where none is asked.
    pub gpus: u32,
    /// Whether it has devices of other kinds and says nothing of GPUs: one of them may be a slice of a GPU.
    pub other_devices: bool,
}

/// A port of each task.
#[derive(Debug, Clone, PartialEq)]
pub struct Port {
    /// Its name; `rendezvous` is the rendezvous.
    pub name: At<String>,
    /// The number; `None` for a free one.
    pub number: Option<u16>,
}

/// What is read and written.
#[derive(Debug, Clone, Default)]
pub struct Storage {
    /// The program.
    pub code: Option<Volume>,
    /// Copied into every task.
    pub stage: Vec<Volume>,
    /// Training data.
    pub data: Vec<Volume>,
    /// The program's state.
    pub checkpoints: Option<Volume>,
}

/// One thing that is read or written.
#[derive(Debug, Clone, PartialEq)]
pub struct Volume {
    /// Its name in the spec; `code` and `checkpoints` for those.
    pub name: At<String>,
    /// Where it comes from.
    pub uri: At<Uri>,
    /// Where files must appear.
    pub at: Option<At<String>>,
    /// Whether the program writes there.
    pub writable: bool,
    /// Whether it is in a folder that is the same on every node: the cluster file says so, or has one node.
    pub shared: bool,
}

impl Volume {
    /// Whether what a task writes there is on its own node alone.
    #[must_use]
    pub fn is_of_node(&self) -> bool {
        self.uri.value.scheme().class() == Class::Node && self.writable && !self.shared
    }
}

/// A refusal that the user accepts.
#[derive(Debug, Clone)]
pub struct Allowed {
    /// The feature.
    pub feature: At<String>,
    /// The target; all unless given.
    pub on: Option<At<String>>,
    /// Why.
    pub because: At<String>,
}

impl Plan {
    /// Tasks of all roles of the rendezvous.
    #[must_use]
    pub fn rendezvous_tasks(&self) -> u32 {
        self.roles.iter().filter(|r| r.kind.joins_rendezvous()).map(|r| r.count.value).sum()
    }

    /// Tasks that are peers of each other: those of the rendezvous without an evaluator, which works by itself.
    #[must_use]
    pub fn peers(&self) -> u32 {
        self.roles.iter().filter(|r| r.kind.is_peer()).map(|r| r.count.value).sum()
    }

    /// Tasks of all roles, helpers included.
    #[must_use]
    pub fn tasks(&self) -> u32 {
        self.roles.iter().map(|r| r.count.value).sum()
    }

    /// Whether each role that trains is started again: one that is not ends the job with its first failure.
    #[must_use]
    pub fn all_restart(&self) -> bool {
        let restarts = |id: RoleId| {
            self.requirements.iter().any(
                |required| matches!(required.requirement, Requirement::Lifecycle(Lifecycle::Restart { role, .. }) if role == id),
            )
        };
        (0..self.roles.len()).filter(|id| self.roles[*id].kind.trains()).all(restarts)
    }

    /// Whether the cluster file says so, and not the job.
    #[must_use]
    pub fn is_of_cluster(&self, words: Span) -> bool {
        self.cluster.is_some_and(|cluster| cluster.contains(words))
    }

    /// The node by whose name a role is placed, and the words that name it; `is_host` says which attribute holds the name.
    #[must_use]
    pub fn node_of(&self, role: RoleId, is_host: fn(&str) -> bool) -> Option<(&str, Span)> {
        self.requirements.iter().find_map(|required| {
            let Requirement::Placement(Placement::Node { role: of, key, value }) = &required.requirement
            else {
                return None;
            };
            (*of == role && is_host(key)).then_some((value.as_str(), required.at))
        })
    }

    /// The number of the role of that kind, where there is one.
    #[must_use]
    pub fn role_of(&self, kind: RoleKind) -> Option<RoleId> {
        self.roles.iter().position(|r| r.kind == kind)
    }

    /// The role of which the first task leads the job ([`tfjob_contract::leader`]).
    #[must_use]
    pub fn leader(&self) -> Option<RoleId> {
        tfjob_contract::leader(self.roles.iter().map(|role| (role.kind, role.name.value.as_str())))
    }

    /// The roles of which tasks decide the success of the job; with `chief` it is the first task.
    pub fn deciding(&self, success: Success) -> impl Iterator<Item = RoleId> + '_ {
        let leader = self.leader();
        (0..self.roles.len())
            .filter(move |id| success.is_decided_by(self.roles[*id].kind, leader == Some(*id)))
    }

    /// Whether tasks of a role decide the success of the job.
    #[must_use]
    pub fn decides(&self, success: Success, role: RoleId) -> bool {
        success.is_decided_by(self.roles[role].kind, self.leader() == Some(role))
    }

    /// Whether tasks find each other by variables of the framework.
    #[must_use]
    pub fn meets(&self) -> bool {
        self.framework.of_contract().meets(self.rendezvous_tasks().into())
    }

    /// Whether the program of a role never exits on its own.
    #[must_use]
    pub fn never_exits(&self, role: RoleId) -> bool {
        self.framework.of_contract().never_exits(self.roles[role].kind)
    }

    /// Whether the loss of one task ends all the others, or there are none: each task that is restarted then restarts the job.
    #[must_use]
    pub fn ends_together(&self) -> bool {
        self.framework.of_contract().is_collective() || self.rendezvous_tasks() <= 1
    }
}
