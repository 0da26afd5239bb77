//! Rules about the job as a whole: those of the framework, and those that no single field can break.
mod bash;
mod below_file;
mod command;
mod ends;
mod environment;
mod equal_gpus;
mod exit_code;
mod framework;
mod fresh;
mod kerberos;
mod launcher;
mod names;
mod peers;
mod proxy;
mod script;
mod shadow;
pub mod shell;
mod storage;
mod tasks;
mod unfit;
mod unused;
mod words;

use super::Whereabouts;
use crate::diagnostic::Diagnostic;
use crate::doubt::Doubts;
use crate::plan::{Plan, Role, RoleKind};
use crate::sources::Sources;
use crate::spec;
use crate::tree::Tree;

/// What the rules look at.
pub(super) struct Job<'a> {
    /// As it was written, faults mended.
    pub spec: &'a spec::Job,
    /// The merged tree that it was read from, with the defaults in each role.
    pub tree: &'a Tree,
    /// What it means.
    pub plan: &'a Plan,
    /// Where it may run.
    pub place: &'a Whereabouts<'a>,
    /// The texts that it was read from.
    pub sources: &'a Sources,
    /// What cannot be known.
    pub doubts: &'a Doubts,
}

/// Every fault of the job as a whole.
pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    framework::judge(job, out);
    names::judge(job, out);
    command::judge(job, out);
    launcher::judge(job, out);
    exit_code::judge(job, out);
    bash::judge(job, out);
    below_file::judge(job, out);
    environment::judge(job, out);
    shadow::judge(job, out);
    proxy::judge(job, out);
    kerberos::judge(job, out);
    storage::judge(job, out);
    fresh::judge(job, out);
    unfit::judge(job.plan, out);
    tasks::judge(job, out);
    ends::judge(job, out);
    peers::judge(job, out);
    words::judge(job, out);
    unused::judge(job, out);
    script::judge(job, out);
}

impl<'a> Job<'a> {
    /// The roles and helpers of the spec beside those of the plan, in the same order.
    fn roles(&self) -> impl Iterator<Item = (&'a spec::Role, &'a Role)> + use<'a> {
        let written = self.spec.role.0.iter().chain(&self.spec.helper.0).map(|(_, role)| &role.value);
        written.zip(&self.plan.roles)
    }

    /// Whether what the job seems to lack may stand in words that could not be read.
    fn lost(&self, path: &[&str]) -> bool {
        let whole: Vec<&str> = std::iter::once("job").chain(path.iter().copied()).collect();
        self.doubts.lost(&whole)
    }

    /// The same of a role, which may have it from the job.
    fn lost_in(&self, role: &'a Role, path: &[&'a str]) -> bool {
        self.doubts.lost(&path_in(role, path))
    }

    /// Whether this very node of the job lost words.
    fn torn(&self, node: &str) -> bool {
        self.doubts.torn(&["job", node])
    }

    /// Whether this very node of a role, or the role itself, lost words.
    fn torn_in(&self, role: &'a Role, path: &[&'a str]) -> bool {
        self.doubts.torn(&path_in(role, path))
    }
}

fn path_in<'a>(role: &'a Role, path: &[&'a str]) -> Vec<&'a str> {
    let node = if role.kind == RoleKind::Helper { "helper" } else { "role" };
    ["job", node, &role.name.value].into_iter().chain(path.iter().copied()).collect()
}
