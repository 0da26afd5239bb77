//! Rules about the job as a whole: those of the framework, and those that involve several fields.
mod bash;
mod below_file;
mod board;
mod command;
mod ends;
mod environment;
mod equal_gpus;
mod exit_code;
mod framework;
mod fresh;
mod helper_secrets;
mod kerberos;
mod launcher;
mod names;
mod peers;
mod proxy;
mod script;
mod secrets;
mod shadow;
pub mod shell;
mod storage;
mod tasks;
mod unfit;
mod unshared;
mod unused;
mod words;

use super::ResolveContext;
use crate::at::At;
use crate::codes::UNUSED_SETTING;
use crate::diagnostic::{Diagnostic, Premise};
use crate::plan::{Plan, Role, RoleKind};
use crate::sources::{Sources, Span};
use crate::spec;
use crate::tree::Tree;
use std::collections::BTreeMap;

/// Input of all rules.
pub(super) struct Job<'a> {
    /// The typed spec, with placeholders for missing and invalid values.
    pub spec: &'a spec::Job,
    /// The merged tree that the spec was decoded from, with the defaults of the job in each role.
    pub tree: &'a Tree,
    /// The plan of the job.
    pub plan: &'a Plan,
    /// The targets and the cluster that the job may run on.
    pub context: &'a ResolveContext<'a>,
    /// The source texts of the spec.
    pub sources: &'a Sources,
}

/// Applies all rules to a job.
pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    framework::check(job, out);
    names::check(job, out);
    command::check(job, out);
    launcher::check(job, out);
    exit_code::check(job, out);
    bash::check(job, out);
    below_file::check(job, out);
    environment::check(job, out);
    shadow::check(job, out);
    proxy::check(job, out);
    kerberos::check(job, out);
    storage::check(job, out);
    fresh::check(job, out);
    unfit::check(job.plan, out);
    tasks::check(job, out);
    board::check(job, out);
    ends::check(job, out);
    peers::check(job, out);
    words::check(job, out);
    unused::check(job, out);
    script::check(job, out);
    secrets::check(job, out);
    helper_secrets::check(job, out);
}

impl<'a> Job<'a> {
    /// Returns each role and helper of the spec with its resolved role in the plan.
    fn roles(&self) -> impl Iterator<Item = (&'a spec::Role, &'a Role)> + use<'a> {
        let written = self.spec.role.0.iter().chain(&self.spec.helper.0).map(|(_, role)| &role.value);
        written.zip(&self.plan.roles)
    }
}

/// Applies a rule, and adds the premises to all findings of the rule.
fn with_premises(premises: &[Premise], out: &mut Vec<Diagnostic>, rule: impl FnOnce(&mut Vec<Diagnostic>)) {
    let before = out.len();
    rule(out);
    out[before..].iter_mut().for_each(|found| found.premises.extend_from_slice(premises));
}

/// Returns the path from `job` to a block in a role. `path`: the part after the name of the role.
fn path_in<'a>(role: &'a Role, path: &[&'a str]) -> Vec<&'a str> {
    let block = if role.kind == RoleKind::Helper { "helper" } else { "role" };
    ["job", block, &role.name.value].into_iter().chain(path.iter().copied()).collect()
}

/// Reports each repeated value of a list. `list`: the name of the list in messages. `name`: returns the name of a value in
/// messages.
fn repeated<T: Ord>(values: &[At<T>], list: &str, name: impl Fn(&T) -> String, out: &mut Vec<Diagnostic>) {
    let mut seen: BTreeMap<&T, Span> = BTreeMap::new();
    for value in values {
        let Some(first) = seen.get(&value.value).copied() else {
            seen.insert(&value.value, value.span);
            continue;
        };
        let fact = format!("{} occurs twice in `{list}`", name(&value.value));
        let found = Diagnostic::new(&UNUSED_SETTING, value.span, fact).from_value(first);
        let found = found.here("no effect").label(first, "first occurrence");
        out.push(found.help("remove one of them"));
    }
}
