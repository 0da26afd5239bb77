//! The whole pipe on one screen: texts to a plan, and every fault on the way.
mod aliases;
#[cfg(test)]
pub(crate) mod alone;
mod collector;
mod credentials;
mod moved;
mod pasted;
mod task_limit;
mod texts;
mod touching;
mod twice;

pub(crate) use aliases::tell as tell_nicknames;
pub(crate) use texts::one as text;

use crate::cluster::{self, ClusterFile};
use crate::codes::{EXTENDS_CYCLE, UNUSED_ALLOW};
use crate::diagnostic::Diagnostic;
use crate::plan::Plan;
use crate::recovery::Recovery;
use crate::shape::{self, Shape};
use crate::sources::{Format, Sources};
use crate::target::{AnyTarget, Compiled, Registry, Until};
use crate::tree::Tree;
use crate::{merge, resolve, spec, tree};
use collector::Collector;
use std::collections::BTreeSet;

/// What to analyze.
pub struct Request<'a> {
    /// The text as it is called in reports: a path, or `-`.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
    /// How it is written.
    pub format: Format,
    /// `KEY=VALUE` of each `--set`, in order.
    pub set: &'a [String],
    /// Gives the text that `extends` names, seen from the text of the first name; an error says why not.
    pub load: &'a dyn Fn(&str, &str) -> Result<Loaded, String>,
    /// The targets whose blocks the spec may hold, and what may stand in it.
    pub registry: Registry,
    /// The targets that the job is put to; none: those that it has a block of.
    pub targets: &'a [&'static dyn AnyTarget],
    /// The cluster that the job is for, where one is named.
    pub cluster: Option<&'a ClusterFile>,
}

/// A text that another builds on.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// Its name in reports; two names are one text exactly when they are equal.
    pub name: String,
    /// The text.
    pub text: String,
    /// How it is written.
    pub format: Format,
}

/// All there is to know of one spec.
#[derive(Debug)]
pub struct Analysis {
    /// Its texts.
    pub sources: Sources,
    /// The merged tree, as written: before defaults are spread and faults mended.
    pub tree: Tree,
    /// The plan; `None` only where there is no job to speak of.
    pub plan: Option<Plan>,
    /// Every fault that the language finds, in the order of the texts.
    pub diagnostics: Vec<Diagnostic>,
    /// The targets that the job is put to, each once: those of the request, or else those that it has a block of.
    pub targets: Vec<&'static dyn AnyTarget>,
    /// Drops findings that follow from these faults.
    collector: Collector,
    /// What may stand in the spec.
    shape: Shape,
    /// How the spec's own file is written.
    format: Format,
}

/// Everything there is to know about one spec. Never fails: what is wrong is in `diagnostics`.
#[must_use]
pub fn analyze(request: &Request<'_>) -> Analysis {
    let _span = tracing::debug_span!("analyze", name = request.name).entered();
    let known = request.cluster.and_then(ClusterFile::known);
    let (mut analysis, whole) = read(request, known);
    if let Some(whole) = &whole {
        analysis.resolve(whole, request, known);
    }
    if let (Some(known), Some(plan)) = (known, &analysis.plan) {
        let named = known.cluster.value.target.value.as_str();
        let target = request.registry.target(named);
        let found = cluster::judge(known, plan, target, analysis.accepted());
        let news = analysis.collector.news(found);
        analysis.collector.add(news);
    }
    let mut found = Vec::new();
    credentials::tell(&analysis.tree, &analysis.sources, &mut found);
    analysis.collector.add(found);
    aliases::tell(&mut analysis.collector.kept, request.registry.targets, &analysis.sources);
    analysis.finished()
}

/// The merged tree, and the same with every fault mended; none where there is too much to go on.
fn read(request: &Request<'_>, known: Option<&cluster::Known>) -> (Analysis, Option<Tree>) {
    let shape = request.registry.jobs;
    // The cluster's text comes first, so that its spans are the same beside every job.
    let mut sources =
        request.cluster.filter(|_| known.is_some()).map_or_else(Sources::default, |c| c.sources.clone());
    let mut out = Vec::new();
    let mut tree = texts::read(request, &mut sources, &mut out);
    for setting in request.set {
        let number = sources.add("--set", Format::Set, setting.as_str());
        out.extend(merge::set(&mut tree, shape, &sources.get(number).clone(), &sources));
    }
    let mut spread = tree.clone();
    if let Some(known) = known {
        spread = known.under(spread, shape);
    }
    if let Err(too_many) = merge::give_defaults(&mut spread, shape) {
        out.push(*too_many);
        return (
            Analysis::new(request, sources, tree, Collector::new(out, Recovery::default(), Vec::new())),
            None,
        );
    }
    let missing = shape::require(&spread, shape, &sources);
    // Where files extend each other, one of them was meant to extend another, which may hold what the job lacks.
    let circular = out.iter().any(|d| d.code == &EXTENDS_CYCLE);
    let job = spread.entries().iter().find(|entry| entry.key == "job").map(|entry| entry.key_span);
    out.extend(missing.into_iter().filter(|d| !(circular && Some(d.span()) == job)));
    aliases::tell(&mut out, request.registry.targets, &sources);
    let mut repaired = shape::repair(&spread, shape, &sources);
    out.extend(task_limit::apply(&mut repaired.tree, &mut repaired.recovery));
    let collector = Collector::new(out, repaired.recovery, repaired.open);
    (Analysis::new(request, sources, tree, collector), Some(repaired.tree))
}

/// What may stand in a cluster file for these targets.
///
/// # Panics
/// Never for targets of ours: a test builds the shape.
#[must_use]
pub fn cluster_shape_of(targets: &[&dyn AnyTarget]) -> Shape {
    Shape::from_schema(&shape::cluster_schema(&options(targets)))
        .expect("a test builds the shape of every target")
}

/// The schemas of every target's options.
#[must_use]
pub fn options<'a>(targets: &[&'a dyn AnyTarget]) -> Vec<shape::Options<'a>> {
    let of = |target: &&'a dyn AnyTarget| {
        let (job, role) = target.schemas();
        (target.name(), job, role)
    };
    targets.iter().map(of).collect()
}

/// What may stand in a spec for these targets.
///
/// # Panics
/// Never for targets of ours: a test builds the shape of each.
#[must_use]
pub fn shape_of(targets: &[&dyn AnyTarget]) -> Shape {
    Shape::job(&options(targets)).expect("a test builds the shape of every target")
}

impl<'a> Request<'a> {
    /// A text without settings, that builds on no other, for no cluster.
    #[must_use]
    pub fn new(name: &'a str, text: &'a str, format: Format, registry: Registry) -> Self {
        Self { name, text, format, set: &[], load: &no_other, registry, targets: &[], cluster: None }
    }
}

fn no_other(_: &str, wanted: &str) -> Result<Loaded, String> {
    Err(format!("there is no `{wanted}`"))
}

impl Analysis {
    /// What is known before there is a plan.
    fn new(request: &Request<'_>, sources: Sources, tree: Tree, collector: Collector) -> Self {
        Self {
            sources,
            tree,
            plan: None,
            diagnostics: Vec::new(),
            targets: Vec::new(),
            collector,
            shape: *request.registry.jobs,
            format: request.format,
        }
    }

    /// The findings in the order of the texts, the helps in the formats of the texts.
    fn finished(mut self) -> Self {
        let mut told = std::mem::take(&mut self.collector.kept);
        told.sort_by_key(|d| (d.span(), d.code.name));
        self.restate(&mut told);
        told.iter_mut().for_each(|d| touching::leave(d, &self.sources));
        Self { diagnostics: told, ..self }
    }

    /// Writes the helps in the format of the texts that they are about.
    fn restate(&self, diagnostics: &mut [Diagnostic]) {
        shape::restate(diagnostics, &self.sources, self.format, &self.shape);
    }

    /// Makes the plan of a mended tree, and adds what is wrong with the job as a whole.
    fn resolve(&mut self, whole: &Tree, request: &Request<'_>, known: Option<&cluster::Known>) {
        let (Some(job), true) = (whole.get("job"), self.tree.get("job").is_some()) else { return };
        let read: Result<spec::File, _> = tree::decode(whole, &self.sources);
        let Ok(file) = read else {
            debug_assert!(false, "a mended tree can be read: {:?}", read.err());
            return;
        };
        let targets: Vec<&str> = request.registry.targets.iter().map(|t| t.name()).collect();
        let place = resolve::ResolveContext {
            targets: &targets,
            passes_checkpoints: &|plan| all_own(request, plan, |target| target.passes_checkpoints(plan)),
            has_hadoop: &|plan| all_own(request, plan, |target| target.has_hadoop(plan)),
            cluster: known,
            faulty_cluster: request.cluster.is_some() && known.is_none(),
        };
        let recovery = &self.collector.recovery;
        let (plan, found) = resolve::resolve(&file.job, job, &place, &self.sources, recovery);
        self.targets = selected(request, &plan, &self.collector);
        self.collector.one_machine = self.on_one_machine();
        // Whether the target that was meant is one machine, nobody knows.
        self.collector.one_machine |=
            self.targets.iter().any(|target| self.collector.is_meant(target.name()));
        self.plan = Some(plan);
        self.collector.add_once(found);
    }

    /// Whether all tasks will run on one machine, whatever target gets the job.
    fn on_one_machine(&self) -> bool {
        !self.targets.is_empty() && self.targets.iter().all(|target| target.one_machine())
    }

    /// Whether nothing forbids to compile.
    #[must_use]
    pub fn accepted(&self) -> bool {
        self.plan.is_some() && self.collector.accepted()
    }

    /// What a target says to the plan; artifacts only where neither language nor target forbids.
    #[must_use]
    pub fn compile(&self, target: &dyn AnyTarget) -> Compiled {
        let _span = tracing::debug_span!("compile", target = target.name()).entered();
        self.put(target, |target, plan| target.compile(plan))
    }

    /// The same findings as of [`Analysis::compile`], without artifacts.
    #[must_use]
    pub fn check(&self, target: &dyn AnyTarget) -> Compiled {
        let _span = tracing::debug_span!("check", target = target.name()).entered();
        self.put(target, |target, plan| target.check(plan))
    }

    fn put(&self, target: &dyn AnyTarget, requirement: fn(&dyn AnyTarget, &Plan) -> Compiled) -> Compiled {
        let Some(plan) = &self.plan else { return Compiled::default() };
        let unchecked = |what| Compiled { unchecked: Some(Until::Fixed(what)), ..Compiled::default() };
        let guesses = self.collector.guesses_before(target.name(), plan);
        if !guesses.is_empty() {
            return unchecked(guesses);
        }
        let mut compiled = requirement(target, plan);
        let names = self.collector.names_before(target.name(), plan);
        if !names.is_empty() && !compiled.decisive {
            return unchecked(names);
        }
        let found = std::mem::take(&mut compiled.diagnostics);
        compiled.diagnostics = if compiled.decisive {
            // It says why, in place of all that the language says of this framework.
            compiled.unchecked = Some(Until::NoErrors);
            found.into_iter().filter(|d| !self.collector.recovery.substituted(d.span())).collect()
        } else {
            let (kept, dropped) = self.collector.of_target(found);
            // Patches are merged only where nothing else is wrong.
            let unmerged = plan.is_patched(target.name()) && kept.iter().any(Diagnostic::is_error);
            compiled.unchecked = (dropped || unmerged).then_some(Until::NoErrors);
            kept
        };
        let of_base = |d: &Diagnostic| self.sources.is_of_base(plan.name.span, d.span());
        compiled.diagnostics.retain(|d| d.code != &UNUSED_ALLOW || !of_base(d));
        moved::offer(&mut compiled, &self.sources);
        self.restate(&mut compiled.diagnostics);
        compiled.diagnostics.sort_by_key(|d| (d.span(), d.code.name));
        if !self.accepted() {
            compiled.lowered = None;
        }
        compiled
    }
}

#[cfg(test)]
mod fixed;
#[cfg(test)]
mod tests;

/// The targets of a request, each once, or else those that the job has a block of.
fn selected(request: &Request<'_>, plan: &Plan, collector: &Collector) -> Vec<&'static dyn AnyTarget> {
    let configured =
        |target: &&'static dyn AnyTarget| plan.configures(target.name()) || collector.is_meant(target.name());
    let required = if request.targets.is_empty() {
        request.registry.targets.iter().copied().filter(configured).collect()
    } else {
        request.targets.to_vec()
    };
    let mut named = BTreeSet::new();
    required.into_iter().filter(|target| named.insert(target.name())).collect()
}

/// Whether something is true of every target that the job has a block of, and it has one.
fn all_own(request: &Request<'_>, plan: &Plan, is: impl Fn(&dyn AnyTarget) -> bool) -> bool {
    let mut own =
        request.registry.targets.iter().filter(|target| plan.targets.contains_key(target.name())).peekable();
    own.peek().is_some() && own.all(|target| is(*target))
}
