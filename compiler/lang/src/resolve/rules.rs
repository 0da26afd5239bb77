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

use super::ResolveContext;
use crate::diagnostic::{Diagnostic, Premise};
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
    pub place: &'a ResolveContext<'a>,
    /// The texts that it was read from.
    pub sources: &'a Sources,
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
}

/// Adds premises to all that a rule finds.
fn given(premises: &[Premise], out: &mut Vec<Diagnostic>, rule: impl FnOnce(&mut Vec<Diagnostic>)) {
    let before = out.len();
    rule(out);
    out[before..].iter_mut().for_each(|found| found.premises.extend_from_slice(premises));
}

/// The path of a node of a role in the tree.
fn path_in<'a>(role: &'a Role, path: &[&'a str]) -> Vec<&'a str> {
    let node = if role.kind == RoleKind::Helper { "helper" } else { "role" };
    ["job", node, &role.name.value].into_iter().chain(path.iter().copied()).collect()
}
