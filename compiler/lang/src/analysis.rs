//! Runs all stages that need no target: reads the texts, checks them, resolves them to a plan, and collects the findings.
mod aliases;
#[cfg(test)]
pub(crate) mod alone;
mod block_scalars;
mod collector;
mod credentials;
mod in_help;
mod moved;
mod part;
mod pasted;
mod settings;
mod suggestions;
mod targets;
mod task_limit;
mod texts;
mod twice;

pub(crate) use aliases::suggest as tell_nicknames;
pub(crate) use credentials::check_cluster as credentials_of_cluster;
pub(crate) use in_help::{Nodes, suggest_edits};
pub(crate) use texts::read_one as text;

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
use targets::{all_configured, mounts_nfs, selected};

/// Input of an analysis.
pub struct Request<'a> {
    /// Name of the text in reports: a path, or `-`.
    pub name: &'a str,
    /// Text of the spec.
    pub text: &'a str,
    /// Format of the text.
    pub format: Format,
    /// `KEY=VALUE` of each `--set`, in order. White space before the key is ignored.
    pub set: &'a [String],
    /// Name of the project file, and the number of its settings: the first ones in `set`.
    pub project: Option<(&'a str, usize)>,
    /// Name of the file that the other settings come from: then they must set different fields. `None`: the command line.
    pub settings_file: Option<&'a str>,
    /// Loads a base file: gets the name of the extending text and the value of `extends`, and returns the text or the reason
    /// why it cannot be read.
    pub load: &'a dyn Fn(&str, &str) -> Result<Loaded, String>,
    /// The known targets, and the shapes of specs and cluster files.
    pub registry: Registry,
    /// The requested targets. If empty, the job is checked for the target of the cluster file; without a cluster file, for the
    /// targets with a block in the job.
    pub targets: &'a [&'static dyn AnyTarget],
    /// The cluster file, if there is one.
    pub cluster: Option<&'a ClusterFile>,
}

/// The name, text, and format of a file, such as a base file.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// Name of the text in reports. Equal names mean the same text.
    pub name: String,
    /// Content of the file.
    pub text: String,
    /// Format of the text.
    pub format: Format,
}

/// The result of an analysis.
#[derive(Debug)]
pub struct Analysis {
    /// The cluster file, the spec, its base files, and each `--set`.
    pub sources: Sources,
    /// The spec merged with its base files, before defaults are applied and errors are repaired.
    pub tree: Tree,
    /// The plan; `None` if the spec has no `job` block, or its defaults are too large to apply.
    pub plan: Option<Plan>,
    /// All findings except those that a target reports, sorted by position in the texts.
    pub diagnostics: Vec<Diagnostic>,
    /// The targets to check, without duplicates: those of the request; if it has none, the target of the cluster file; without a
    /// cluster file, those with a block in the job.
    pub targets: Vec<&'static dyn AnyTarget>,
    /// Drops findings that follow from other errors.
    collector: Collector,
    /// The shape of specs.
    shape: Shape,
    /// Format of the spec itself; its base files may have other formats.
    format: Format,
    /// The nodes in which the findings get their edits.
    nodes: Nodes,
}

/// Analyzes a spec. Never fails: all errors are in `diagnostics`.
#[must_use]
pub fn analyze(request: &Request<'_>) -> Analysis {
    let _span = tracing::debug_span!("analyze", name = request.name).entered();
    let known = request.cluster.and_then(ClusterFile::known);
    let (mut analysis, repaired) = read(request, known);
    if let Some(repaired) = &repaired {
        analysis.resolve(repaired, request, known);
    }
    let mismatch = known.filter(|_| request.targets.is_empty()).and_then(|known| {
        let targets = request.registry.targets;
        let is_meant = analysis.collector.is_meant(known.cluster.value.target.value.as_str());
        cluster::other_target(known, &analysis.tree, targets).filter(|_| !is_meant)
    });
    if let Some(mismatch) = mismatch {
        analysis.targets.clear();
        analysis.collector.add(vec![mismatch]);
    } else if let (Some(known), Some(plan)) = (known, &analysis.plan) {
        let named = known.cluster.value.target.value.as_str();
        let target = request.registry.target(named);
        let found = cluster::judge(known, plan, target, analysis.accepted());
        let independent = analysis.collector.independent(found);
        analysis.collector.add(independent);
    }
    let mut found = Vec::new();
    let form = analysis.plan.as_ref().and_then(|plan| credentials::accepted_form(plan, &analysis.targets));
    credentials::check(&analysis.tree, &analysis.sources, form, &mut found);
    analysis.collector.add(found);
    aliases::suggest(&mut analysis.collector.kept, request.registry.targets, &analysis.sources);
    analysis.finished()
}

/// Returns the analysis before the plan is built, and the repaired tree. The tree is `None` if the defaults are too large to apply.
/// `known`: the content of the cluster file; `None` without a cluster file.
fn read(request: &Request<'_>, known: Option<&cluster::Known>) -> (Analysis, Option<Tree>) {
    let shape = request.registry.jobs;
    // The cluster file is the first source, so that its spans are the same for every job.
    let mut sources =
        request.cluster.filter(|_| known.is_some()).map_or_else(Sources::default, |c| c.sources.clone());
    let (mut out, nodes) = (Vec::new(), Nodes::default());
    let mut tree = texts::read(request, &mut sources, &nodes, &mut out);
    settings::apply(request, &mut tree, &mut sources, &mut out);
    let mut spread = tree.clone();
    if let Some(known) = known {
        spread = known.under(spread, shape);
    }
    if let Err(too_many) = merge::give_defaults(&mut spread, shape) {
        out.push(*too_many);
        let collector = Collector::new(out, Recovery::default(), Vec::new());
        return (Analysis::new(request, sources, (tree, nodes), collector), None);
    }
    let mut missing = shape::require(&spread, shape, &sources);
    if tree.get("job").is_none() && pasted::cluster_instead(&mut out, &sources) {
        missing.clear();
    }
    // In a cycle of `extends`, one of the files probably names the wrong base file. The right base file was not read, and may set
    // the missing fields of the job.
    let circular = out.iter().any(|d| d.code == &EXTENDS_CYCLE);
    let job = spread.entries().iter().find(|entry| entry.key == "job").map(|entry| entry.key_span);
    out.extend(missing.into_iter().filter(|d| !(circular && Some(d.span()) == job)));
    aliases::suggest(&mut out, request.registry.targets, &sources);
    let mut repaired = shape::repair(&spread, shape, &sources);
    out.extend(task_limit::apply(&mut repaired.tree, &mut repaired.recovery));
    let collector = Collector::new(out, repaired.recovery, repaired.open);
    (Analysis::new(request, sources, (tree, nodes), collector), Some(repaired.tree))
}

/// Reads one file without its base files, its cluster file, or its targets: returns its text, its tree, and its syntax errors and
/// invalid fields. `shape`: the shape of this kind of file.
#[must_use]
pub fn read_file(file: &Loaded, shape: &Shape) -> (Sources, Tree, Vec<Diagnostic>) {
    let (mut sources, mut out) = (Sources::default(), Vec::new());
    let tree = text(file, shape, &mut sources, &Nodes::default(), &mut out);
    (sources, tree, out)
}

/// Returns the tree of one text without its base files, even if the text has errors. The errors are not returned.
#[must_use]
pub fn tree_of(text: &Loaded, shape: &Shape) -> Tree {
    read_file(text, shape).1
}

/// Returns the shape of cluster files for these targets.
///
/// # Panics
/// Never for the targets of tfjob: a test builds the shape.
#[must_use]
pub fn cluster_shape_of(targets: &[&dyn AnyTarget]) -> Shape {
    Shape::from_schema(&shape::cluster_schema(&options(targets)))
        .expect("a test builds the shape of every target")
}

/// Returns the schemas of the options of each target.
#[must_use]
pub fn options<'a>(targets: &[&'a dyn AnyTarget]) -> Vec<shape::Options<'a>> {
    let of = |target: &&'a dyn AnyTarget| {
        let (job, role) = target.schemas();
        (target.name(), job, role)
    };
    targets.iter().map(of).collect()
}

/// Returns the shape of specs for these targets.
///
/// # Panics
/// Never for the targets of tfjob: a test builds the shape of each.
#[must_use]
pub fn shape_of(targets: &[&dyn AnyTarget]) -> Shape {
    Shape::job(&options(targets)).expect("a test builds the shape of every target")
}

impl<'a> Request<'a> {
    /// Returns a request for a text without settings, base files, or a cluster.
    #[must_use]
    pub fn new(name: &'a str, text: &'a str, format: Format, registry: Registry) -> Self {
        let load = &no_base;
        Self {
            name,
            text,
            format,
            set: &[],
            project: None,
            settings_file: None,
            load,
            registry,
            targets: &[],
            cluster: None,
        }
    }
}

fn no_base(_: &str, _: &str) -> Result<Loaded, String> {
    Err("no such file".to_owned())
}

impl Analysis {
    /// Returns an analysis without a plan.
    fn new(
        request: &Request<'_>,
        sources: Sources,
        (tree, nodes): (Tree, Nodes),
        collector: Collector,
    ) -> Self {
        Self {
            sources,
            tree,
            plan: None,
            diagnostics: Vec::new(),
            targets: Vec::new(),
            collector,
            shape: *request.registry.jobs,
            format: request.format,
            nodes,
        }
    }

    /// Sorts the findings in the order of the texts, and rewrites each help in the format of its text.
    fn finished(mut self) -> Self {
        let mut diagnostics = std::mem::take(&mut self.collector.kept);
        diagnostics.sort_by_key(|d| (d.span(), d.code.name));
        self.restate(&mut diagnostics);
        Self { diagnostics, ..self }
    }

    /// Adds the edits that the helps name, and rewrites each help in the format of its text: KDL, YAML, or JSON.
    fn restate(&self, diagnostics: &mut [Diagnostic]) {
        suggest_edits(diagnostics, &self.sources, &self.shape, &self.nodes);
        let short = in_help::expand(diagnostics, &self.tree, &self.sources);
        shape::restate(diagnostics, &self.sources, self.format, &self.shape);
        short.into_iter().for_each(|number| in_help::add_fix(&mut diagnostics[number]));
    }

    /// Resolves a repaired tree to a plan, and adds the findings about the job as a whole.
    fn resolve(&mut self, repaired: &Tree, request: &Request<'_>, known: Option<&cluster::Known>) {
        let (Some(job), true) = (repaired.get("job"), self.tree.get("job").is_some()) else { return };
        let read: Result<spec::File, _> = tree::decode(repaired, &self.sources);
        let Ok(file) = read else {
            debug_assert!(false, "a repaired tree can be decoded: {:?}", read.err());
            return;
        };
        let targets: Vec<&str> = request.registry.targets.iter().map(|t| t.name()).collect();
        let context = resolve::ResolveContext {
            targets: &targets,
            passes_checkpoints: &|plan| {
                all_configured(request, plan, |target| target.passes_checkpoints(plan))
            },
            has_hadoop: &|plan| all_configured(request, plan, |target| target.has_hadoop(plan)),
            example_target: &|plan| {
                let mut targets = selected(request, plan, &self.collector)
                    .into_iter()
                    .chain(request.registry.targets.iter().copied());
                targets.find(|target| !target.one_machine()).map(|target| target.name())
            },
            mounts_nfs: &|plan| {
                let targets = selected(request, plan, &self.collector);
                !targets.is_empty() && targets.iter().all(|target| mounts_nfs(*target, plan))
            },
            cluster: known,
            faulty_cluster: request.cluster.is_some() && known.is_none(),
        };
        let recovery = &self.collector.recovery;
        let (plan, found) = resolve::resolve(&file.job, job, &context, &self.sources, recovery);
        self.targets = selected(request, &plan, &self.collector);
        self.collector.one_machine = self.on_one_machine();
        // The name of an unknown target may be a misspelling of a target that runs on one machine. Findings that require several
        // machines are then dropped.
        self.collector.one_machine |=
            self.targets.iter().any(|target| target.one_machine() && self.collector.is_meant(target.name()));
        self.plan = Some(plan);
        self.collector.add_once(found);
    }

    /// Returns whether all tasks run on one machine on every target.
    fn on_one_machine(&self) -> bool {
        !self.targets.is_empty() && self.targets.iter().all(|target| target.one_machine())
    }

    /// Returns whether the job can be compiled: it has a plan and no errors.
    #[must_use]
    pub fn accepted(&self) -> bool {
        self.plan.is_some() && self.collector.accepted()
    }

    /// Compiles the plan for a target. The result has artifacts only if neither the analysis nor the target reports an error.
    #[must_use]
    pub fn compile(&self, target: &dyn AnyTarget) -> Compiled {
        let _span = tracing::debug_span!("compile", target = target.name()).entered();
        self.run_target(target, |target, plan| target.compile(plan))
    }

    /// Returns the same findings as [`Analysis::compile`], without artifacts.
    #[must_use]
    pub fn check(&self, target: &dyn AnyTarget) -> Compiled {
        let _span = tracing::debug_span!("check", target = target.name()).entered();
        self.run_target(target, |target, plan| target.check(plan))
    }

    fn run_target(&self, target: &dyn AnyTarget, run: fn(&dyn AnyTarget, &Plan) -> Compiled) -> Compiled {
        let Some(plan) = &self.plan else { return Compiled::default() };
        let unchecked = |what| Compiled { unchecked: Some(Until::Fixed(what)), ..Compiled::default() };
        let guesses = self.collector.guesses_before(target.name(), plan);
        if !guesses.is_empty() {
            return unchecked(guesses);
        }
        let mut compiled = run(target, plan);
        let names = self.collector.names_before(target.name(), plan);
        if !names.is_empty() && !compiled.decisive {
            return unchecked(names);
        }
        let found = std::mem::take(&mut compiled.diagnostics);
        compiled.diagnostics = if compiled.decisive {
            // `decisive`: the target can run no variant of this job, whatever its fields are. So this refusal is reported even if
            // its entry has another error.
            compiled.unchecked = Some(Until::NoErrors);
            found.into_iter().filter(|d| !self.collector.recovery.substituted(d.span())).collect()
        } else {
            let (kept, dropped) = self.collector.of_target(found);
            // Patches are merged, and their errors found, only if the target reports no other error.
            let unmerged = plan.is_patched(target.name()) && kept.iter().any(Diagnostic::is_error);
            compiled.unchecked = (dropped || unmerged).then_some(Until::NoErrors);
            kept
        };
        let of_base = |d: &Diagnostic| self.sources.is_of_base(plan.name.span, d.span());
        compiled.diagnostics.retain(|d| d.code != &UNUSED_ALLOW || !of_base(d));
        moved::add_fixes(&mut compiled, &self.sources);
        part::mark(&mut compiled.diagnostics, &self.tree, &self.sources);
        self.restate(&mut compiled.diagnostics);
        compiled.diagnostics.sort_by_key(|d| (d.span(), d.code.name));
        if !self.accepted() {
            compiled.lowered = None;
        }
        compiled
    }
}

#[cfg(test)]
mod disabled;
#[cfg(test)]
mod field_names;
#[cfg(test)]
mod fixed;
#[cfg(test)]
mod tests;
