//! Targets: the [`Target`] trait, its dyn-compatible form [`AnyTarget`], and the gate. A plan that the gate accepts always
//! compiles.
mod accepted;
mod compiled;
mod gate;
pub mod length;
mod local_checkpoints;
mod pasted;
mod registry;
mod support;
mod support_table;
mod unsupported_by_shim;
mod updates;

pub use accepted::Accepted;
pub use compiled::{Compiled, Until, Verdict};
use compiled::{is_decisive, verdict};
use gate::{deduplicate, gate};
pub(crate) use pasted::COMMANDS;
pub use pasted::Pasted;
pub use registry::Registry;
pub use support::{Refusal, Support};
pub use support_table::SupportTable;
use unsupported_by_shim::unsupported_by_shim;
pub use updates::{
    Change, Documents, Effect, Known, KnownValue, Lack, Staying, UpdateRule, Updates, is_equal, matches,
};

use crate::at::At;
use crate::cluster::demand::Demand;
use crate::cluster::words::{Use, Word};
use crate::diagnostic::Diagnostic;
use crate::lowered::{Lowered, TaskView, TracedContract};
use crate::mentions::Kind;
use crate::plan::{Plan, RoleId, is_called_host};
use crate::requirement::{Job, Requirement};
use crate::shape::Shape;
use crate::sources::Sources;
use crate::tree::Tree;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::fmt;

/// Options of a target: the `target` blocks of the job and of each role.
pub struct Site<T: Target + ?Sized> {
    /// Options of the job; defaults if there is no block.
    pub job: T::Options,
    /// Options of each role, by [`RoleId`].
    pub roles: Vec<T::RoleOptions>,
}

/// A platform: which requirements it supports, and how accepted jobs are lowered.
pub trait Target: Sync {
    /// Name in `--target` and `target "…"`.
    const NAME: &'static str;
    /// One-line description of the target.
    const ABOUT: &'static str;
    /// Aliases of the platform, for hints. A spec cannot use them.
    const ALIASES: &'static [&'static str] = &[];
    /// Documents and command lines of this platform that users paste instead of a spec.
    const PASTED: &'static [Pasted] = &[];
    /// Options that contain the name of another block of the job. Each element: the option, the field in its block (empty if the
    /// value of the option is the name), and the kind of the name.
    const NAMING: &'static [(&'static str, &'static str, Kind)] = &[];
    /// What the platform does if an artifact of a submitted job changes.
    const UPDATES: Updates;
    /// Options in the `target` block of a job.
    type Options: DeserializeOwned + JsonSchema + Default;
    /// Options in the `target` block of a role.
    type RoleOptions: DeserializeOwned + JsonSchema + Default;
    /// How this platform implements a supported requirement, with all data that lowering needs.
    type Mechanism;
    /// Inputs of support and lowering: the plan, the options, and facts derived from both.
    type Context<'a>
    where
        Self: 'a;
    /// Whether all tasks run on one machine and share its directories.
    const ONE_MACHINE: bool = false;
    /// Whether clusters of this platform usually have HDFS, so that examples of a job for it use `hdfs:`.
    const HAS_HDFS: bool = false;
    /// Key in `placement { node … }` that selects a node by its name, if the platform defines such a key.
    const HOST: Option<&'static str> = None;
    /// Option with the namespace of the job's objects, if the platform has namespaces.
    const NAMESPACE: Option<&'static str> = None;
    /// Options that describe the cluster: if the cluster file sets one to `#true`, a job cannot set it to `#false`.
    const KEPT: &'static [&'static str] = &[];

    /// Returns whether a node attribute contains the host name: each attribute `hostname`, if the platform defines none.
    #[must_use]
    fn is_host(key: &str) -> bool {
        Self::HOST.map_or_else(|| is_called_host(key), |host| key == host)
    }

    /// Returns how the target uses a field of the cluster file. `options`: the block of this target in the cluster file. An
    /// implementation matches every [`Word`] without a `_` arm, so that a new field does not compile until the target handles it.
    fn cluster_field(word: Word, options: &Self::Options) -> Use;

    /// Returns the known keys of an option that has settings of the platform, for completion. Other keys may be valid too.
    #[must_use]
    fn settings(_option: &str) -> Vec<&'static str> {
        Vec::new()
    }

    /// Builds the inputs of support and lowering. Called once per job.
    fn context<'a>(&self, plan: &'a Plan, site: &'a Site<Self>) -> Self::Context<'a>;

    /// Returns the support for one requirement. An implementation matches every [`Requirement`] without a `_` arm.
    fn support(&self, requirement: &Requirement, context: &Self::Context<'_>) -> Support<Self::Mechanism>;

    /// Returns errors that involve several requirements or options: conflicts between them, and invalid derived names.
    fn rules(&self, _plan: &Plan, _site: &Site<Self>) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// Returns errors in the artifacts after the patches of the user are merged. Called only for jobs with patches.
    fn merged(&self, _plan: &Plan, _site: &Site<Self>, _lowered: &Lowered) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// Returns an error if the job creates more objects than the platform accepts. Called before lowering.
    fn too_many(&self, _job: &Accepted<'_, Self>) -> Option<Diagnostic> {
        None
    }

    /// Returns errors for objects that exceed the size limit of the platform.
    fn oversized(&self, _job: &Accepted<'_, Self>) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// Returns whether each task of a role chooses a free rendezvous port at startup, and does not use the port from the
    /// spec.
    fn finds_port(&self, _plan: &Plan, _site: &Site<Self>, _role: RoleId) -> bool {
        false
    }

    /// Returns whether the platform passes the checkpoint location to the program, so that the spec need not reference it.
    fn passes_checkpoints(&self, _plan: &Plan, _site: &Site<Self>) -> bool {
        false
    }

    /// Returns whether the options set an image that contains the Hadoop client, and the platform sets the environment variables
    /// of this client.
    fn has_hadoop(&self, _plan: &Plan, _site: &Site<Self>) -> bool {
        false
    }

    /// Returns the host names of the tasks if another job on the cluster may use the same names; otherwise, returns none.
    fn hosts(&self, _plan: &Plan, _site: &Site<Self>) -> Vec<String> {
        Vec::new()
    }

    /// Returns the resources that the job reserves on a cluster. `demand`: the requests of all tasks, as in the spec.
    fn reserves(&self, _plan: &Plan, _site: &Site<Self>, demand: Demand) -> Demand {
        demand
    }

    /// Translates the accepted mechanisms into artifacts. Lowering cannot fail, because [`Target::support`] has made all
    /// decisions.
    fn lower(&self, job: &Accepted<'_, Self>) -> Lowered;

    /// Builds the job contract for the shim, without the artifacts. It is identical to the contract of [`Target::lower`].
    fn contract(&self, job: &Accepted<'_, Self>) -> Option<TracedContract>;

    /// Returns the environment and command of one task of the compiled job.
    fn view(&self, job: &Accepted<'_, Self>, role: RoleId, index: u32) -> TaskView;
}

/// Dyn-compatible form of [`Target`].
pub trait AnyTarget: Sync {
    /// Returns the name of the target, as in `--target`.
    fn name(&self) -> &'static str;
    /// Returns the one-line description of the target.
    fn about(&self) -> &'static str;
    /// Returns the aliases of the platform, for hints.
    fn aliases(&self) -> &'static [&'static str];
    /// Returns documents and command lines of this platform that users paste instead of a spec.
    fn pasted(&self) -> &'static [Pasted];
    /// Returns the options that hold the name of another block of the job. See [`Target::NAMING`].
    fn naming(&self) -> &'static [(&'static str, &'static str, Kind)];
    /// Returns the JSON Schemas of the `target` blocks of a job and of a role.
    fn schemas(&self) -> (serde_json::Value, serde_json::Value);
    /// Returns how the target uses a field of a cluster file. `block`: the block of the target in that file.
    fn cluster_field(&self, word: Word, block: Option<&Tree>) -> Use;
    /// Returns the resources that a job reserves on a cluster.
    fn reserves(&self, plan: &Plan) -> Demand;
    /// Returns the option with the namespace of the job's objects, if the platform has namespaces.
    fn namespace(&self) -> Option<&'static str>;
    /// Returns the options that a job cannot turn off. See [`Target::KEPT`].
    fn kept(&self) -> &'static [&'static str];
    /// Returns the known keys of an option. See [`Target::settings`].
    fn settings(&self, option: &str) -> Vec<&'static str>;
    /// Returns what the platform does if an artifact of a submitted job changes.
    fn updates(&self) -> Updates;
    /// Returns whether all tasks run on one machine.
    fn one_machine(&self) -> bool;
    /// Returns whether clusters of this platform usually have HDFS. See [`Target::HAS_HDFS`].
    fn has_hdfs(&self) -> bool;
    /// Returns whether the job has a block of this target and the platform passes the checkpoint location to the program.
    fn passes_checkpoints(&self, plan: &Plan) -> bool;
    /// Returns whether the job has a block of this target and its options set an image with the Hadoop client.
    fn has_hadoop(&self, plan: &Plan) -> bool;
    /// Returns the host names of the tasks if another job on the cluster may use the same names; otherwise, returns none.
    fn hosts(&self, plan: &Plan) -> Vec<String>;
    /// Checks the plan and lowers it.
    fn compile(&self, plan: &Plan) -> Compiled;
    /// Checks the plan. Reports the same diagnostics as [`AnyTarget::compile`], without artifacts.
    fn check(&self, plan: &Plan) -> Compiled;
    /// Returns the environment and command of one task; `None` if the target refuses the job.
    fn view(&self, plan: &Plan, role: RoleId, index: u32) -> Option<TaskView>;
    /// Returns the same as [`AnyTarget::view`], with unresolved references marked. [`crate::lowered::parts`] finds the marks.
    fn view_with_references(&self, plan: &Plan, role: RoleId, index: u32) -> Option<TaskView>;
    /// Returns the support for a requirement, even if it is not in the plan.
    fn verdict(&self, requirement: &Requirement, plan: &Plan) -> Verdict;
}

impl fmt::Debug for dyn AnyTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl<T: Target> AnyTarget for T {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn about(&self) -> &'static str {
        T::ABOUT
    }

    fn aliases(&self) -> &'static [&'static str] {
        T::ALIASES
    }

    fn pasted(&self) -> &'static [Pasted] {
        T::PASTED
    }

    fn naming(&self) -> &'static [(&'static str, &'static str, Kind)] {
        T::NAMING
    }

    fn schemas(&self) -> (serde_json::Value, serde_json::Value) {
        (Shape::schema_of::<T::Options>(), Shape::schema_of::<T::RoleOptions>())
    }

    fn cluster_field(&self, word: Word, block: Option<&Tree>) -> Use {
        T::cluster_field(word, &block.map_or_else(T::Options::default, decode))
    }

    fn reserves(&self, plan: &Plan) -> Demand {
        Target::reserves(self, plan, &site(self, plan), Demand::of(plan))
    }

    fn namespace(&self) -> Option<&'static str> {
        T::NAMESPACE
    }

    fn kept(&self) -> &'static [&'static str] {
        T::KEPT
    }

    fn settings(&self, option: &str) -> Vec<&'static str> {
        T::settings(option)
    }

    fn updates(&self) -> Updates {
        T::UPDATES
    }

    fn one_machine(&self) -> bool {
        T::ONE_MACHINE
    }

    fn has_hdfs(&self) -> bool {
        T::HAS_HDFS
    }

    fn passes_checkpoints(&self, plan: &Plan) -> bool {
        plan.targets.contains_key(T::NAME) && Target::passes_checkpoints(self, plan, &site(self, plan))
    }

    fn has_hadoop(&self, plan: &Plan) -> bool {
        plan.targets.contains_key(T::NAME) && Target::has_hadoop(self, plan, &site(self, plan))
    }

    fn hosts(&self, plan: &Plan) -> Vec<String> {
        Target::hosts(self, plan, &site(self, plan))
    }

    fn compile(&self, plan: &Plan) -> Compiled {
        let site = site(self, plan);
        let plan = &*numbered(self, plan, &site);
        let (accepted, mut diagnostics, verdicts) = gate(self, plan, &site);
        let lowered = accepted.map(|job| job.into_lowered(self));
        let contract = lowered.as_ref().and_then(|lowered| lowered.contract.as_ref());
        diagnostics.extend(contract.into_iter().flat_map(|contract| unsupported_by_shim(T::NAME, contract)));
        diagnostics
            .extend(lowered.as_ref().map_or_else(Vec::new, |lowered| merged(self, plan, &site, lowered)));
        let lowered = lowered.filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
        let decisive = is_decisive(&verdicts);
        Compiled { lowered, diagnostics, verdicts, decisive, unchecked: None }
    }

    fn check(&self, plan: &Plan) -> Compiled {
        let site = site(self, plan);
        let plan = &*numbered(self, plan, &site);
        let (accepted, mut diagnostics, verdicts) = gate(self, plan, &site);
        let patched = plan.is_patched(T::NAME);
        if let Some(job) = accepted.as_ref().filter(|job| patched || job.lowered.get().is_some()) {
            let lowered = job.lowered(self);
            diagnostics
                .extend(lowered.contract.iter().flat_map(|contract| unsupported_by_shim(T::NAME, contract)));
            diagnostics.extend(merged(self, plan, &site, lowered));
        } else {
            let contract = accepted.and_then(|job| self.contract(&job));
            diagnostics.extend(contract.iter().flat_map(|contract| unsupported_by_shim(T::NAME, contract)));
        }
        let decisive = is_decisive(&verdicts);
        Compiled { lowered: None, diagnostics, verdicts, decisive, unchecked: None }
    }

    fn view(&self, plan: &Plan, role: RoleId, index: u32) -> Option<TaskView> {
        self.view_with_references(plan, role, index).map(TaskView::plain)
    }

    fn view_with_references(&self, plan: &Plan, role: RoleId, index: u32) -> Option<TaskView> {
        let site = site(self, plan);
        let plan = &*numbered(self, plan, &site);
        gate(self, plan, &site).0.map(|job| Target::view(self, &job, role, index))
    }

    fn verdict(&self, requirement: &Requirement, plan: &Plan) -> Verdict {
        let site = site(self, plan);
        verdict(&self.support(requirement, &self.context(plan, &site)))
    }
}

fn site<T: Target + ?Sized>(_: &T, plan: &Plan) -> Site<T> {
    let job = plan.targets.get(T::NAME).map_or_else(T::Options::default, decode);
    let roles = plan
        .roles
        .iter()
        .map(|r| r.targets.get(T::NAME).map_or_else(T::RoleOptions::default, decode))
        .collect();
    Site { job, roles }
}

/// Returns the plan with `{port.rendezvous}` resolved in all roles with a fixed rendezvous port.
fn numbered<'p, T: Target>(target: &T, plan: &'p Plan, site: &Site<T>) -> Cow<'p, Plan> {
    plan.numbered(|role| target.finds_port(plan, site, role))
}

/// Decodes a block that was already validated against the schema of `O`. Needs no sources: only values that keep their original
/// spelling do, and options contain none.
fn decode<O: DeserializeOwned + Default>(tree: &Tree) -> O {
    crate::tree::decode(tree, &Sources::default()).unwrap_or_default()
}

fn merged<T: Target>(target: &T, plan: &Plan, site: &Site<T>, lowered: &Lowered) -> Vec<Diagnostic> {
    let mut found = if plan.is_patched(T::NAME) { target.merged(plan, site, lowered) } else { Vec::new() };
    deduplicate(&mut found);
    found
}

/// Returns whether a requirement applies to this target. A patch applies only to the target that it names.
#[must_use]
pub fn concerns(requirement: &Requirement, target: &str) -> bool {
    !matches!(requirement, Requirement::Job(Job::Patch { target: other, .. }) if other != target)
}

/// Returns whether an optional boolean is set to true.
#[must_use]
pub fn is_true(flag: Option<&At<bool>>) -> bool {
    flag.is_some_and(|f| f.value)
}
