//! The plan: the job with all references resolved, independent of the platform.
mod first_process;
mod numbered;

use crate::at::At;
use crate::digest::Digest;
use crate::requirement::{Job, Lifecycle, Placement, Required, Requirement};
use crate::sources::Span;
use crate::spec::values::{Class, Image, Uri, Version, Word};
use crate::spec::{FrameworkName, Pull, StrategyName, Success};
use crate::tree::Tree;
use std::collections::BTreeMap;

pub use tfjob_contract::RoleKind;

/// Returns whether the key of a node attribute is `hostname`, with or without a prefix such as `example.com/`.
#[must_use]
pub fn is_called_host(key: &str) -> bool {
    key.rsplit('/').next() == Some("hostname")
}

/// Index of a role in [`Plan::roles`].
pub type RoleId = usize;

/// A job with all names resolved.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Name of the job.
    pub name: At<String>,
    /// Framework, version, and strategy.
    pub framework: Framework,
    /// Roles of the rendezvous in spec order, then helpers.
    pub roles: Vec<Role>,
    /// Code, files, data, and checkpoints.
    pub storage: Storage,
    /// Parameters with typed values, for targets that need them. References to parameters are already resolved.
    pub params: Vec<(At<String>, Word)>,
    /// All requirements of the job, in spec order.
    pub requirements: Vec<Required>,
    /// `target` blocks of the job, by target.
    pub targets: BTreeMap<String, Tree>,
    /// Span of the name of each `target` block of the job.
    pub target_names: BTreeMap<String, Span>,
    /// Span of the cluster file, if the job is validated against one.
    pub cluster: Option<Span>,
    /// Accepted refusals (`allow`).
    pub allows: Vec<Allowed>,
    /// Total size of the spec and its base files in bytes: the upper limit for the length of any string in the spec.
    pub bytes: usize,
    /// Digest of the resolved spec, without `target` blocks.
    pub digest: Digest,
}

impl Plan {
    /// Returns whether the job or one of its roles has a block for this target.
    #[must_use]
    pub fn configures(&self, target: &str) -> bool {
        self.targets.contains_key(target) || self.roles.iter().any(|role| role.targets.contains_key(target))
    }

    /// Returns whether the job or one of its roles patches the manifests of this target.
    #[must_use]
    pub fn is_patched(&self, target: &str) -> bool {
        let patches = |requirement: &Requirement| matches!(requirement, Requirement::Job(Job::Patch { target: own, .. }) if own == target);
        self.requirements.iter().any(|required| patches(&required.requirement))
    }
}

/// Framework, version, and strategy.
#[derive(Debug, Clone)]
pub struct Framework {
    /// Framework name.
    pub name: At<FrameworkName>,
    /// Version, if set.
    pub version: Option<At<Version>>,
    /// Distribution strategy of TensorFlow. If unset in the spec: `single` for a job with one task, otherwise `None`.
    pub strategy: Option<StrategyName>,
}

impl Framework {
    /// Returns the framework and strategy for the contract.
    #[must_use]
    pub const fn of_contract(&self) -> tfjob_contract::Framework {
        tfjob_contract::Framework { name: self.name.value, strategy: self.strategy }
    }
}

/// A group of identical tasks.
#[derive(Debug, Clone)]
pub struct Role {
    /// Name in the spec, which is also the task type of the framework.
    pub name: At<String>,
    /// Kind of the role, such as chief or worker. It decides how the role takes part in the rendezvous.
    pub kind: RoleKind,
    /// Number of tasks.
    pub count: At<u32>,
    /// Command of each task.
    pub command: Command,
    /// Working directory.
    pub workdir: Option<Template>,
    /// Environment variables of the tasks, in spec order. Their values cannot refer to each other.
    pub env: Vec<(At<String>, Template)>,
    /// Container image, if set.
    pub image: Option<ImageUse>,
    /// Resources per task.
    pub resources: Resources,
    /// Named ports. Each role that takes part in the rendezvous has the port `rendezvous`; helpers do not have it.
    pub ports: Vec<Port>,
    /// `target` blocks of the role, by target.
    pub targets: BTreeMap<String, Tree>,
}

/// Command of a task.
#[derive(Debug, Clone)]
pub enum Command {
    /// Program and arguments, never empty.
    Run(Vec<Template>),
    /// Script for `/bin/sh -ec`, verbatim.
    Shell(At<String>),
}

/// String with references. References that do not depend on the platform are resolved.
#[derive(Debug, Clone, PartialEq)]
pub struct Template {
    /// Parts in order. Adjacent literal parts are joined; the empty string has no parts.
    pub parts: Vec<Part>,
    /// Span in the spec.
    pub span: Span,
}

/// A part of a [`Template`].
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// Literal text.
    Text(String),
    /// Path or URI that the target decides, and the span of the reference.
    Data(DataRef, Span),
    /// Value that is known only at run time, and the span of the reference.
    Task(TaskRef, Span),
}

/// Reference to a path or URI that the target decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataRef {
    /// `{code}`.
    Code,
    /// `{files.NAME}`, by its index in [`Storage::stage`].
    Stage(usize),
    /// `{data.NAME}`, by its index in [`Storage::data`].
    Data(usize),
    /// `{checkpoints}`.
    Checkpoints,
    /// `{scratch}`.
    Scratch,
}

/// Reference to a value that is known only at run time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskRef {
    /// `{index}`.
    Index,
    /// `{address}`.
    Address,
    /// `{addresses.ROLE}`.
    Addresses(RoleId),
    /// `{port.NAME}` of an automatic port, or `{port.rendezvous}`: only the target knows whether the number of the rendezvous port
    /// is fixed.
    Port(String),
    /// `{env.NAME}`.
    Env(String),
    /// `{done}`.
    Done,
}

/// Container image and pull policy.
#[derive(Debug, Clone, PartialEq)]
pub struct ImageUse {
    /// Image reference.
    pub image: At<Image>,
    /// Pull policy, if set.
    pub pull: Option<At<Pull>>,
    /// Secret with the credentials of the registry.
    pub pull_secret: Option<At<String>>,
}

/// Resources per task, in canonical units.
#[derive(Debug, Clone, PartialEq)]
pub struct Resources {
    /// CPU in thousandths of a core, a multiple of 100.
    pub cpus: At<u32>,
    /// Memory in bytes.
    pub memory: At<u64>,
    /// Number of GPUs; 0 if unset.
    pub gpus: u32,
    /// Whether the role requests extended resources but no `gpus`. One of these resources may be a slice of a GPU.
    pub other_devices: bool,
}

/// A port of each task.
#[derive(Debug, Clone, PartialEq)]
pub struct Port {
    /// Name; `rendezvous` is the rendezvous port.
    pub name: At<String>,
    /// Port number; `None` if the platform or the shim chooses a free port.
    pub number: Option<u16>,
}

/// Code, files, data, and checkpoints.
#[derive(Debug, Clone, Default)]
pub struct Storage {
    /// Program code.
    pub code: Option<Volume>,
    /// Files copied into every task.
    pub stage: Vec<Volume>,
    /// Training data.
    pub data: Vec<Volume>,
    /// Checkpoints.
    pub checkpoints: Option<Volume>,
}

/// A storage location.
#[derive(Debug, Clone, PartialEq)]
pub struct Volume {
    /// Name in the spec. The volumes of `code` and `checkpoints` have the names `code` and `checkpoints`.
    pub name: At<String>,
    /// URI of the location.
    pub uri: At<Uri>,
    /// Mount path, if set.
    pub at: Option<At<String>>,
    /// Whether the program writes to the location.
    pub writable: bool,
    /// Whether every node sees the same content at this location: the cluster file declares its directory as `shared`, or the
    /// cluster has one node.
    pub shared: bool,
}

impl Volume {
    /// Returns whether the location is a writable directory that is local to each node.
    #[must_use]
    pub fn is_of_node(&self) -> bool {
        self.uri.value.scheme().class() == Class::Node && self.writable && !self.shared
    }
}

/// An accepted refusal (`allow`).
#[derive(Debug, Clone)]
pub struct Allowed {
    /// Feature that the target may refuse.
    pub feature: At<String>,
    /// Target to which the exception applies; `None`: all targets.
    pub on: Option<At<String>>,
    /// Reason why the author of the spec accepts the refusal.
    pub because: At<String>,
}

impl Plan {
    /// Returns the number of tasks in the rendezvous.
    #[must_use]
    pub fn rendezvous_tasks(&self) -> u32 {
        self.roles.iter().filter(|r| r.kind.joins_rendezvous()).map(|r| r.count.value).sum()
    }

    /// Returns the number of peers: tasks in the rendezvous except the evaluator, which runs independently.
    #[must_use]
    pub fn peers(&self) -> u32 {
        self.roles.iter().filter(|r| r.kind.is_peer()).map(|r| r.count.value).sum()
    }

    /// Returns the number of all tasks, including helpers.
    #[must_use]
    pub fn tasks(&self) -> u32 {
        self.roles.iter().map(|r| r.count.value).sum()
    }

    /// Returns whether each training role has a restart policy. If a role has none, the first failure of one of its tasks fails the
    /// job.
    #[must_use]
    pub fn all_restart(&self) -> bool {
        let restarts = |id: RoleId| {
            self.requirements.iter().any(
                |required| matches!(required.requirement, Requirement::Lifecycle(Lifecycle::Restart { role, .. }) if role == id),
            )
        };
        (0..self.roles.len()).filter(|id| self.roles[*id].kind.trains()).all(restarts)
    }

    /// Returns whether the span is in the cluster file.
    #[must_use]
    pub fn is_of_cluster(&self, span: Span) -> bool {
        self.cluster.is_some_and(|cluster| cluster.contains(span))
    }

    /// Returns the node that a role requests by name, and the span of the request. `is_host`: returns whether the attribute with
    /// this key contains the name of the node.
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

    /// Returns the index of the first role of this kind.
    #[must_use]
    pub fn role_of(&self, kind: RoleKind) -> Option<RoleId> {
        self.roles.iter().position(|r| r.kind == kind)
    }

    /// Returns the role with the leader. The leader is the first task of this role ([`tfjob_contract::leader`]).
    #[must_use]
    pub fn leader(&self) -> Option<RoleId> {
        tfjob_contract::leader(self.roles.iter().map(|role| (role.kind, role.name.value.as_str())))
    }

    /// Returns the roles with tasks that decide job success; with `success "chief"`, only the first task of the role decides.
    pub fn deciding(&self, success: Success) -> impl Iterator<Item = RoleId> + '_ {
        let leader = self.leader();
        (0..self.roles.len())
            .filter(move |id| success.is_decided_by(self.roles[*id].kind, leader == Some(*id)))
    }

    /// Returns whether tasks of the role decide job success.
    #[must_use]
    pub fn decides(&self, success: Success, role: RoleId) -> bool {
        success.is_decided_by(self.roles[role].kind, self.leader() == Some(role))
    }

    /// Returns whether tasks find each other by environment variables that the framework reads, such as `TF_CONFIG`.
    #[must_use]
    pub fn meets(&self) -> bool {
        self.framework.of_contract().meets(self.rendezvous_tasks().into())
    }

    /// Returns whether the program of the role never exits on its own.
    #[must_use]
    pub fn never_exits(&self, role: RoleId) -> bool {
        self.framework.of_contract().never_exits(self.roles[role].kind)
    }

    /// Returns whether each failure of a task ends the whole rendezvous, because training is collective or has only one task. If
    /// so, a restart of the task is a restart of the job.
    #[must_use]
    pub fn ends_together(&self) -> bool {
        self.framework.of_contract().is_collective() || self.rendezvous_tasks() <= 1
    }
}
