//! The gate: a target answers each ask with its values; a plan that every answer lets through always compiles.
mod behind;
mod elsewhere;
mod gate;
pub mod length;
mod pasted;
mod registry;
mod support;
mod support_table;

use behind::behind;
use gate::{gate, once};
pub(crate) use pasted::COMMANDS;
pub use pasted::Pasted;
pub use registry::Registry;
pub use support::{Refusal, Support};
pub use support_table::SupportTable;

use crate::at::At;
use crate::cluster::demand::Demand;
use crate::cluster::words::{Use, Word};
use crate::diagnostic::Diagnostic;
use crate::lowered::{Lowered, TaskView, TracedContract};
use crate::plan::{Plan, RoleId, is_called_host};
use crate::requirement::{Feature, Job, Required, Requirement};
use crate::shape::Shape;
use crate::sources::{Sources, Span};
use crate::tree::Tree;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;

/// What is said of the place: the job's `target` block and each role's.
pub struct Site<T: Target + ?Sized> {
    /// The job's `target "…" { … }`; the defaults where there is none.
    pub job: T::Options,
    /// Each role's, by its number.
    pub roles: Vec<T::RoleOptions>,
}

/// A platform: one table of answers and one writer.
pub trait Target: Sync {
    /// The name in `--target` and `target "…"`.
    const NAME: &'static str;
    /// What it is, in one line.
    const ABOUT: &'static str;
    /// What else people call it, for a hint: no spec may.
    const ALIASES: &'static [&'static str] = &[];
    /// Documents and command lines of this platform that people paste where a spec is due.
    const PASTED: &'static [Pasted] = &[];
    /// The words of `target "…" { … }` in a job.
    type Options: DeserializeOwned + JsonSchema + Default;
    /// The words of `target "…" { … }` in a role.
    type RoleOptions: DeserializeOwned + JsonSchema + Default;
    /// How this platform gives what is asked: plain data, all that lowering needs.
    type Mechanism;
    /// What answers look at: the job, what is said of the place, and what several of them need to know of both.
    type Context<'a>
    where
        Self: 'a;
    /// Whether all tasks run on one machine, whose folders they share.
    const ONE_MACHINE: bool = false;
    /// The attribute by which `placement { node … }` names one node, if there is one.
    const HOST: Option<&'static str> = None;

    /// Whether an attribute of nodes holds the name of the node. Where the platform has none of its own, its administrators
    /// call one so.
    #[must_use]
    fn is_host(key: &str) -> bool {
        Self::HOST.map_or_else(|| is_called_host(key), |host| key == host)
    }

    /// What becomes of a word of the cluster file, whose own block of this target has these options. Matches every [`Word`]
    /// and writes no `_` arm.
    fn site_word(word: Word, options: &Self::Options) -> Use;

    /// Made once for all asks of a job.
    fn context<'a>(&self, plan: &'a Plan, site: &'a Site<Self>) -> Self::Context<'a>;

    /// Matches every [`Requirement`] and writes no `_` arm: see [`Support`].
    fn support(&self, requirement: &Requirement, context: &Self::Context<'_>) -> Support<Self::Mechanism>;

    /// Rules that no single ask can see: derived names, asks that exclude each other, options that contradict.
    fn rules(&self, _plan: &Plan, _site: &Site<Self>) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// What is wrong with the artifacts once the user's own patches are in them; asked only where there are some.
    fn merged(&self, _plan: &Plan, _site: &Site<Self>, _lowered: &Lowered) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// What the platform refuses for the number of things alone that would be written: nothing is lowered for it.
    fn too_many(&self, _job: &Accepted<'_, Self>) -> Option<Diagnostic> {
        None
    }

    /// Objects of the job that the platform refuses for their size.
    fn oversized(&self, _job: &Accepted<'_, Self>) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// Whether each task of a role gets a free rendezvous port when it starts, whatever number the job has.
    fn finds_port(&self, _plan: &Plan, _site: &Site<Self>, _role: RoleId) -> bool {
        false
    }

    /// Whether the platform passes the checkpoint location to the program itself, with the configuration that opens it.
    fn passes_checkpoints(&self, _plan: &Plan, _site: &Site<Self>) -> bool {
        false
    }

    /// Whether the platform itself says in which image Hadoop's client is, and sets its variables.
    fn has_hadoop(&self, _plan: &Plan, _site: &Site<Self>) -> bool {
        false
    }

    /// Host names of the tasks, where those of another job of the cluster may be the same.
    fn hosts(&self, _plan: &Plan, _site: &Site<Self>) -> Vec<String> {
        Vec::new()
    }

    /// What the job reserves of a cluster, where that is not `demand`: what each role asks for its own tasks.
    fn reserves(&self, _plan: &Plan, _site: &Site<Self>, demand: Demand) -> Demand {
        demand
    }

    /// Total: it folds over [`Accepted::mechanism`] and never looks again at an ask to decide.
    fn lower(&self, job: &Accepted<'_, Self>) -> Lowered;

    /// The shim's contract, without the artifacts around it: exactly that of [`Target::lower`].
    fn contract(&self, job: &Accepted<'_, Self>) -> Option<TracedContract>;

    /// Exactly what one task of the compiled job sees: the platform's variables and the shim's.
    fn view(&self, job: &Accepted<'_, Self>, role: RoleId, index: u32) -> TaskView;
}

/// A plan that this one target agreed to. Only [`AnyTarget::compile`] makes one.
pub struct Accepted<'p, T: Target + ?Sized> {
    /// The plan.
    pub plan: &'p Plan,
    /// What is said of the place.
    pub site: &'p Site<T>,
    mechanisms: Vec<(&'p Required, T::Mechanism)>,
    inherent: Vec<(Span, Cow<'static, str>)>,
    /// Written at the first need, and once: it may cost more than all else.
    lowered: OnceCell<Lowered>,
}

impl<T: Target + ?Sized> Accepted<'_, T> {
    /// Returns the files of the job.
    pub fn lowered(&self, target: &T) -> &Lowered {
        self.lowered.get_or_init(|| self.write(target))
    }

    fn into_lowered(mut self, target: &T) -> Lowered {
        self.lowered.take().unwrap_or_else(|| self.write(target))
    }

    /// What the target writes, with the lines for which an answer left nothing to write.
    fn write(&self, target: &T) -> Lowered {
        let mut lowered = target.lower(self);
        // Where roles share a line, the last one is the most particular.
        for (at, why) in self.inherent.iter().rev() {
            lowered.inherent.entry(*at).or_insert_with(|| why.clone().into_owned());
        }
        lowered
    }

    /// Every means with the words that asked for it, in the order of the plan.
    pub fn mechanisms(&self) -> impl Iterator<Item = (Span, &T::Mechanism)> {
        self.mechanisms.iter().map(|(required, mechanism)| (required.at, mechanism))
    }
}

/// How an ask fared, for the capability table and for `explain`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// By the platform's own means.
    Native,
    /// By other means.
    Emulated(String),
    /// Left out.
    Ignored(String),
    /// Refused.
    Unsupported(Refusal),
}

/// What came of a plan at a target.
#[derive(Debug, Default)]
pub struct Compiled {
    /// The artifacts, if nothing was refused.
    pub lowered: Option<Lowered>,
    /// All findings.
    pub diagnostics: Vec<Diagnostic>,
    /// Each ask's verdict, in the order of the plan.
    pub verdicts: Vec<(Feature, Span, Verdict)>,
    /// Whether the target cannot run such a job in any form: then that is the only finding.
    pub decisive: bool,
    /// What must be fixed first, where the target was not checked, or not fully.
    pub unchecked: Option<Until>,
}

/// Until when a target is not checked, or not fully.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Until {
    /// These choices and names of the job are fixed, such as `strategy`: the target says nothing.
    Fixed(Vec<String>),
    /// All errors are fixed: what the target says at their lines, or after them, may follow from them.
    NoErrors,
}

/// A target where its types do not matter: the list, the command line, the editor.
pub trait AnyTarget: Sync {
    /// The name in `--target`.
    fn name(&self) -> &'static str;
    /// What it is, in one line.
    fn about(&self) -> &'static str;
    /// What else people call it.
    fn also(&self) -> &'static [&'static str];
    /// Documents and command lines of this platform that people paste where a spec is due.
    fn pasted(&self) -> &'static [Pasted];
    /// JSON Schema of the job's and of a role's `target` block.
    fn schemas(&self) -> (serde_json::Value, serde_json::Value);
    /// What becomes of a word of a cluster file, whose own block of this target is this.
    fn site_word(&self, word: Word, block: Option<&Tree>) -> Use;
    /// What a job reserves of a cluster.
    fn reserves(&self, plan: &Plan) -> Demand;
    /// Whether all tasks run on one machine.
    fn one_machine(&self) -> bool;
    /// Whether the platform passes the checkpoint location to the program itself, in a job with a block of this target.
    fn passes_checkpoints(&self, plan: &Plan) -> bool;
    /// Whether the platform itself says in which image Hadoop's client is, in a job with a block of this target.
    fn has_hadoop(&self, plan: &Plan) -> bool;
    /// Host names of the tasks, where those of another job of the cluster may be the same.
    fn hosts(&self, plan: &Plan) -> Vec<String>;
    /// Asks about each thing, then lowers.
    fn compile(&self, plan: &Plan) -> Compiled;
    /// Asks about each thing and says exactly what [`AnyTarget::compile`] says, but writes no artifact.
    fn check(&self, plan: &Plan) -> Compiled;
    /// What one task sees; `None` where the target refuses the job.
    fn view(&self, plan: &Plan, role: RoleId, index: u32) -> Option<TaskView>;
    /// The same with the references marked that the target left: [`crate::lowered::parts`] tells them apart.
    fn view_with_references(&self, plan: &Plan, role: RoleId, index: u32) -> Option<TaskView>;
    /// The verdict on an ask that need not stand in the plan.
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

    fn also(&self) -> &'static [&'static str] {
        T::ALIASES
    }

    fn pasted(&self) -> &'static [Pasted] {
        T::PASTED
    }

    fn schemas(&self) -> (serde_json::Value, serde_json::Value) {
        (Shape::schema_of::<T::Options>(), Shape::schema_of::<T::RoleOptions>())
    }

    fn site_word(&self, word: Word, block: Option<&Tree>) -> Use {
        T::site_word(word, &block.map_or_else(T::Options::default, decode))
    }

    fn reserves(&self, plan: &Plan) -> Demand {
        Target::reserves(self, plan, &site(self, plan), Demand::of(plan))
    }

    fn one_machine(&self) -> bool {
        T::ONE_MACHINE
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
        diagnostics.extend(contract.into_iter().flat_map(|contract| behind(T::NAME, contract)));
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
            diagnostics.extend(lowered.contract.iter().flat_map(|contract| behind(T::NAME, contract)));
            diagnostics.extend(merged(self, plan, &site, lowered));
        } else {
            let contract = accepted.and_then(|job| self.contract(&job));
            diagnostics.extend(contract.iter().flat_map(|contract| behind(T::NAME, contract)));
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

/// Whether one of the verdicts leaves nothing else to say.
fn is_decisive(verdicts: &[(Feature, Span, Verdict)]) -> bool {
    verdicts.iter().any(|(.., verdict)| matches!(verdict, Verdict::Unsupported(refusal) if refusal.decisive))
}

fn verdict<M>(support: &Support<M>) -> Verdict {
    match support {
        Support::Native(_) | Support::Inherent { how: None, .. } => Verdict::Native,
        Support::Emulated(_, how) | Support::Inherent { how: Some(how), .. } => {
            Verdict::Emulated(how.clone())
        }
        Support::Ignored(why) => Verdict::Ignored(why.clone()),
        Support::Unsupported(refusal) => Verdict::Unsupported(refusal.clone()),
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

/// The plan with the number of each rendezvous port that is not found at the start.
fn numbered<'p, T: Target>(target: &T, plan: &'p Plan, site: &Site<T>) -> Cow<'p, Plan> {
    plan.numbered(|role| target.finds_port(plan, site, role))
}

/// `tree` has passed the walker with the schema of `O`.
fn decode<O: DeserializeOwned + Default>(tree: &Tree) -> O {
    // No option is a word whose writing matters, so the sources are not asked.
    crate::tree::decode(tree, &Sources::default()).unwrap_or_default()
}

fn merged<T: Target>(target: &T, plan: &Plan, site: &Site<T>, lowered: &Lowered) -> Vec<Diagnostic> {
    let mut found = if plan.is_patched(T::NAME) { target.merged(plan, site, lowered) } else { Vec::new() };
    once(&mut found);
    found
}

/// Whether an ask is for this target: a `target` block of another platform asks nothing of it.
#[must_use]
pub fn concerns(requirement: &Requirement, target: &str) -> bool {
    !matches!(requirement, Requirement::Job(Job::Patch { target: other, .. }) if other != target)
}

/// Whether a place in a tree is written: for options that are flags.
#[must_use]
pub fn is_true(flag: Option<&At<bool>>) -> bool {
    flag.is_some_and(|f| f.value)
}
