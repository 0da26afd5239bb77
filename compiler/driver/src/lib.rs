//! From a request to findings, compiled outputs and fixes. All in memory: no disk, no clock, no terminal.
//!
//! ```text
//! Request --analyze--> Analysis --check--> Checked { findings, plan, outputs } --fixes::apply--> new texts
//! texts    tfjob-lang              each target
//! ```
//!
//! A caller (the command line, a test, an editor's server) makes a [`Driver`] of the [`Registry`] of its targets, gives
//! it texts, and prints or writes what comes back. The crate of the targets is not among its dependencies.
pub mod bases;
mod cluster;
pub mod files;
pub mod fixes;
mod request;
mod target_summary;

pub use request::Request;
pub use target_summary::TargetSummary;
pub use tfjob_lang::analysis::{Analysis, Loaded};
pub use tfjob_lang::cluster::ClusterFile;
pub use tfjob_lang::target::Registry;

use std::fmt;
use tfjob_lang::codes::OF_FRAMEWORK;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::Lowered;
use tfjob_lang::plan::Plan;
use tfjob_lang::sources::Sources;
use tfjob_lang::target::{AnyTarget, Until};
use tfjob_lang::tree::Tree;

/// A platform that jobs are put to.
pub type Target = &'static dyn AnyTarget;

/// Texts and all findings about them.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    /// Where the spans of the findings point.
    pub sources: Sources,
    /// What was found, in any order.
    pub diagnostics: Vec<Diagnostic>,
}

/// What came of one job description.
#[derive(Debug, Default)]
pub struct Checked {
    /// Its texts, and all that is wrong with them.
    pub batch: Batch,
    /// The plan, where the language finds no error.
    pub plan: Option<Plan>,
    /// The description as written, its bases merged in; `None` where there was no text.
    pub tree: Option<Tree>,
    /// What each target made of it, in the order asked; nothing where it refuses or no artifacts are wanted.
    pub compiled: Vec<(Target, Option<Lowered>)>,
    /// Targets that were not checked, or not fully, each with what must be fixed first.
    pub unchecked: Vec<Unchecked>,
}

/// Targets that were not checked, or only in part: what they say would depend on a guess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unchecked {
    /// What must be fixed first.
    pub until: Until,
    /// The names of the targets.
    pub targets: Vec<&'static str>,
}

impl fmt::Display for Unchecked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let targets = self.targets.join(", ");
        match &self.until {
            Until::Fixed(all) => {
                let names: Vec<String> = all.iter().map(|what| format!("`{what}`")).collect();
                let verb = if all.len() == 1 { "is" } else { "are" };
                write!(f, "{targets} not checked until {} {verb} fixed", names.join(", "))
            }
            Until::NoErrors => write!(f, "{targets} not fully checked until all errors are fixed"),
        }
    }
}

/// Analyzes job descriptions and cluster files for the targets of a registry.
#[derive(Clone, Copy)]
pub struct Driver {
    registry: Registry,
}

impl Driver {
    /// A driver for these targets.
    #[must_use]
    pub const fn new(registry: Registry) -> Self {
        Self { registry }
    }

    /// The targets, and what may stand in a file for them.
    #[must_use]
    pub const fn registry(&self) -> &Registry {
        &self.registry
    }

    /// What the language says of a job description. What a target says is [`Analysis::check`]'s.
    #[must_use]
    pub fn analyze(&self, request: &Request<'_>) -> Analysis {
        tfjob_lang::analyze(&request.of(self.registry))
    }

    /// All errors of the language and of every target in one pass; artifacts where the request wants them and there is
    /// no error.
    #[must_use]
    pub fn check(&self, request: &Request<'_>) -> Checked {
        let mut analysis = self.analyze(request);
        // What a target says depends on the cluster, and nobody knows it.
        let faulty = request.cluster.is_some_and(|cluster| cluster.target().is_none());
        let targets = if faulty { Vec::new() } else { std::mem::take(&mut analysis.targets) };
        let mut compiled = Vec::new();
        let mut found = Vec::new();
        let mut unchecked: Vec<Unchecked> = Vec::new();
        let mut possible = targets.is_empty();
        for target in targets {
            let done = if request.artifacts { analysis.compile(target) } else { analysis.check(target) };
            found.extend(done.diagnostics);
            possible |= !done.decisive;
            compiled.push((target, done.lowered));
            if let Some(until) = done.unchecked {
                match unchecked.iter_mut().find(|one| one.until == until) {
                    Some(one) => one.targets.push(target.name()),
                    None => unchecked.push(Unchecked { until, targets: vec![target.name()] }),
                }
            }
        }
        let plan = if analysis.accepted() { analysis.plan.take() } else { None };
        let mut diagnostics = analysis.diagnostics;
        // Where no target can run the framework, its rules for roles are of no use.
        diagnostics.retain(|d| possible || !OF_FRAMEWORK.contains(&d.code));
        diagnostics.extend(found);
        let batch = Batch { sources: analysis.sources, diagnostics };
        Checked { batch, plan, tree: Some(analysis.tree), compiled, unchecked }
    }

    /// Reads a cluster file. Never fails: what is wrong is in its `diagnostics`.
    #[must_use]
    pub fn cluster(&self, text: &Loaded) -> ClusterFile {
        cluster::read(self, text)
    }
}
