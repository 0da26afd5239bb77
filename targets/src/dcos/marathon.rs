//! A group of Marathon apps: one app for each task, so that each has a name, a place and a start of its own.
//!
//! Index, addresses and TF_CONFIG of a task are known when the group is written and stand in its app. Marathon starts
//! ended tasks again for ever; so the command of each app stays after its program.
mod app;
mod attribute;
mod board;
mod command;
mod draft;
mod environment;
mod fetch;
mod gpus;
mod group;
mod hosts;
mod job;
mod life;
mod logs;
mod lower;
mod merged;
mod network;
mod order;
mod patched;
mod published;
mod reserve;
mod rules;
mod shape;
mod storage;
mod support;
mod task;

use super::Dcos;
use super::context::Context;
use super::form::Form;
use super::means;
use crate::patch::{self, Merged};
use fetch::Fetched;
use tfjob_lang::ask::{self, Ask};
use tfjob_lang::cluster::demand::Demand;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::{Lowered, TaskView, TracedContract};
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::{Plan, RoleId, Template};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::When;
use tfjob_lang::target::{Accepted, Answer, Site, Support, Target};

/// A group of Marathon apps.
pub struct Marathon;

impl Form for Marathon {
    fn support(&self, ask: &Ask, case: &Context<'_>) -> Answer<means::Means> {
        Self::answer(ask, case).map(means::Means::from)
    }

    fn unread(&self, _plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic> {
        rules::unread(site)
    }

    fn patched(&self, _plan: &Plan, role: Option<RoleId>, text: &str, at: Span) -> Vec<Diagnostic> {
        let rules = patch::Rules {
            target: Dcos::NAME,
            root: if role.is_some() { &published::APP } else { &published::GROUP },
            rule: &patched::rule,
            validator: ("Marathon", "compare it with the documentation of the cluster's Marathon"),
        };
        patch::check(&rules, text, at)
    }

    fn rules(&self, plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic> {
        rules::judge(plan, site)
    }

    fn reserves(&self, plan: &Plan, site: &Site<Dcos>, demand: Demand) -> Demand {
        reserve::reserves(plan, site, demand)
    }

    fn hosts(&self, plan: &Plan, site: &Site<Dcos>) -> Vec<String> {
        hosts::hosts(plan, site)
    }

    fn merged(&self, document: &mut Merged<'_>, plan: &Plan, site: &Site<Dcos>, lowered: &Lowered) {
        merged::judge(document, plan, site, lowered);
    }

    fn lower(&self, job: &Accepted<'_, Dcos>) -> Lowered {
        lower::lower(job, means::of_marathon(job))
    }

    fn contract(&self, job: &Accepted<'_, Dcos>) -> Option<TracedContract> {
        lower::contract(job, means::of_marathon(job))
    }

    fn view(&self, job: &Accepted<'_, Dcos>, role: RoleId, index: u32) -> TaskView {
        lower::view(job, means::of_marathon(job), role, index)
    }
}

/// What lowering does for one ask.
#[derive(Debug, Clone)]
pub enum Means {
    /// The group's name.
    Name,
    /// One app for each task of the role.
    Tasks { role: RoleId, count: u32 },
    /// A label of every app.
    Label { key: String, value: String },
    /// An image.
    Image { role: RoleId, image: String },
    /// The image is pulled at each start.
    ForcePull { role: RoleId },
    /// The registry's credentials, by the path of a secret.
    PullSecret { role: RoleId, source: String },
    /// A program and its words.
    Run { role: RoleId },
    /// Text for `sh -ec`.
    Shell { role: RoleId },
    /// Where the program starts.
    Workdir { role: RoleId },
    /// A variable.
    Env { role: RoleId, name: String },
    /// A variable from a secret.
    SecretEnv { role: RoleId, env: String, source: String },
    /// A file from a secret, and the variable with its path.
    SecretFile { role: RoleId, env: String, source: String, at: String },
    /// The account of the agent.
    User { role: RoleId, name: String },
    /// Cores in thousandths.
    Cpus { role: RoleId, milli: u32 },
    /// Memory in MiB.
    Memory { role: RoleId, mebibytes: u64 },
    /// GPUs.
    Gpus { role: RoleId, count: u32 },
    /// Disk in MiB.
    Disk { role: RoleId, mebibytes: u64 },
    /// `/dev/shm` in MiB.
    SharedMemory { role: RoleId, mebibytes: u64 },
    /// Attribute, operator, value.
    Constraint { role: RoleId, words: Vec<String> },
    /// A port; `None`: Marathon picks it.
    Port { role: RoleId, name: String, number: Option<u16> },
    /// A port that the page of services shows.
    Link { role: RoleId, name: String },
    /// Marathon starts an ended task again.
    Again { role: RoleId, restart: ask::Restart },
    /// The shim starts an ended process again.
    ShimRestart { role: RoleId, restart: ask::Restart },
    /// Marathon starts a lost task elsewhere.
    Replace { role: RoleId },
    /// Starts after another role. `shim`: how far it must have come before the shim starts the program.
    After { role: RoleId, first: RoleId, shim: Option<When> },
    /// A health check without a kill.
    Ready { role: RoleId, probe: ask::Probe },
    /// Something that stands in the sandbox or is mounted.
    Code(Fetched),
    /// The same, of a stage.
    Stage { index: usize, fetched: Fetched },
    /// Data at a path of the agent, mounted.
    Data { index: usize, mount: Mount },
    /// State at a path of the agent, mounted.
    Checkpoints(Mount),
    /// The shim looks at the folder of state.
    Fresh { path: String },
    /// A folder in the sandbox.
    Scratch { role: RoleId },
    /// The shim hears that the program's work is done.
    Done { role: RoleId },
    /// The command sets Hadoop's variables.
    Hadoop { home: String, java: String, conf: Option<String> },
    /// The shim waits for peers.
    Wait { seconds: u64 },
    /// The shim ends the job.
    Deadline { seconds: u64 },
    /// Marathon waits before it kills.
    Grace { seconds: u64 },
    /// The command stays after its program.
    Stay,
    /// A network of containers; `None` is the host's.
    Network(Option<String>),
    /// An app of its own.
    /// `folder`: the path at which it has the folder of the agent that it reads; `place`: constraints of its agent.
    Tensorboard {
        logs: Template,
        port: u16,
        image: Option<String>,
        milli: u32,
        mebibytes: u64,
        folder: Option<String>,
        place: Vec<Traced<Vec<String>>>,
    },
    /// Text merged into the group, or into each app of a role.
    Patch { role: Option<RoleId>, text: String },
    /// Nothing to write, and why.
    Inherent(&'static str),
}

/// A folder of the agent in the container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    /// On the agent.
    pub host: String,
    /// In the container.
    pub at: String,
    /// Whether the task writes.
    pub writable: bool,
}

impl Means {
    /// Whether only the shim does it.
    pub(super) const fn is_duty(&self) -> bool {
        matches!(
            self,
            Self::ShimRestart { .. }
                | Self::Done { .. }
                | Self::Fresh { .. }
                | Self::Wait { .. }
                | Self::Deadline { .. }
        )
    }
}

type Given = Answer<Means>;
