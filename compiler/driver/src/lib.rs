//! Checks and compiles specs in memory: from a request to findings, artifacts, and fixes. Uses no files, clock, or terminal.
//!
//! ```text
//! Request --analyze--> Analysis --check--> Checked { findings, plan, outputs } --fixes::apply--> new texts
//! texts    tfjob-lang              each target
//! ```
//!
//! A caller (the command line, a test, an editor server) creates a [`Driver`] with the [`Registry`] of its targets, passes texts,
//! and prints or writes the results. The driver does not depend on the crate of the targets.
pub mod bases;
mod cluster;
pub mod conflicts;
pub mod difference;
pub mod environments;
pub mod files;
pub mod fixes;
mod request;
mod target_summary;

pub use request::Request;
pub use target_summary::TargetSummary;
pub use tfjob_lang::analysis::{Analysis, Loaded};
pub use tfjob_lang::cluster::ClusterFile;
pub use tfjob_lang::project::{Project, ProjectFile};
pub use tfjob_lang::target::Registry;

use std::fmt;
use tfjob_lang::codes::OF_FRAMEWORK;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::Lowered;
use tfjob_lang::plan::Plan;
use tfjob_lang::sources::Sources;
use tfjob_lang::target::{AnyTarget, Until};
use tfjob_lang::tree::Tree;

/// A platform for which jobs are compiled.
pub type Target = &'static dyn AnyTarget;

/// Texts and their findings.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    /// The texts to which the spans of the findings refer.
    pub sources: Sources,
    /// Findings, in any order.
    pub diagnostics: Vec<Diagnostic>,
}

/// The result of checking one spec.
#[derive(Debug, Default)]
pub struct Checked {
    /// Texts and findings.
    pub batch: Batch,
    /// The plan; `None` if the spec has errors. Errors that only a target reports do not count.
    pub plan: Option<Plan>,
    /// The spec merged with its base files; `None` for a cluster file, or if the spec could not be read.
    pub tree: Option<Tree>,
    /// The output of each target, in the order of the request; `None` if the target refuses the job, or no artifacts are requested.
    pub compiled: Vec<(Target, Option<Lowered>)>,
    /// Targets that were not checked, or not fully, grouped by the errors that must be fixed first.
    pub unchecked: Vec<Unchecked>,
    /// Which targets accept the spec, if it was checked for no target. See [`Driver::summarize`].
    pub summary: Option<TargetSummary>,
}

/// Targets that were not checked, or not fully, because the spec has errors that must be fixed first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unchecked {
    /// The errors to fix before these targets can be checked.
    pub until: Until,
    /// Names of the targets.
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

/// Analyzes specs and cluster files for the targets of a registry.
#[derive(Clone, Copy)]
pub struct Driver {
    registry: Registry,
}

impl Driver {
    /// Creates a driver for these targets.
    #[must_use]
    pub const fn new(registry: Registry) -> Self {
        Self { registry }
    }

    /// Returns the known targets, and the shapes of specs and cluster files.
    #[must_use]
    pub const fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Analyzes a spec without its targets. For the findings of a target, see [`Analysis::check`].
    #[must_use]
    pub fn analyze(&self, request: &Request<'_>) -> Analysis {
        tfjob_lang::analyze(&request.of(self.registry))
    }

    /// Analyzes a spec, and checks it for each target. Builds artifacts if they are requested and there is no error.
    #[must_use]
    pub fn check(&self, request: &Request<'_>) -> Checked {
        let mut analysis = self.analyze(request);
        // If the cluster file has errors, no target is checked, because the findings of a target depend on the cluster file.
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
        // If no target supports the framework, errors about the roles of the framework are not reported.
        diagnostics.retain(|d| possible || !OF_FRAMEWORK.contains(&d.code));
        diagnostics.extend(found);
        let batch = Batch { sources: analysis.sources, diagnostics };
        Checked { batch, plan, tree: Some(analysis.tree), compiled, unchecked, summary: None }
    }

    /// Reads a project file. Never fails: errors are in `diagnostics` of the result.
    #[must_use]
    pub fn project(&self, text: &Loaded) -> ProjectFile {
        tfjob_lang::project::read(text, (self.registry.projects)())
    }

    /// Reads a cluster file. Never fails: errors are in `diagnostics` of the result.
    #[must_use]
    pub fn cluster(&self, text: &Loaded) -> ClusterFile {
        cluster::read(self, text)
    }
}
