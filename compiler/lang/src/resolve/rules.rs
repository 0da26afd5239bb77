//! Rules about the job as a whole: those of the framework, and those that no single field can break.
mod command;
mod ends;
mod environment;
mod framework;
mod names;
mod storage;
mod tasks;

use crate::diagnostic::Diagnostic;
use crate::plan::Plan;
use crate::spec;

/// Every fault of the job as a whole. `targets` are the names that `allow … on=` may take.
pub(super) fn judge(spec: &spec::Job, plan: &Plan, targets: &[&str], out: &mut Vec<Diagnostic>) {
    framework::judge(spec, plan, out);
    names::judge(spec, plan, targets, out);
    command::judge(spec, plan, out);
    environment::judge(spec, plan, out);
    storage::judge(spec, plan, out);
    tasks::judge(spec, plan, out);
    ends::judge(spec, plan, out);
}

/// The roles and helpers of the spec beside those of the plan, in the same order.
fn roles<'a>(
    spec: &'a spec::Job,
    plan: &'a Plan,
) -> impl Iterator<Item = (&'a spec::Role, &'a crate::plan::Role)> {
    let written = spec.role.0.iter().chain(&spec.helper.0).map(|(_, role)| &role.value);
    written.zip(&plan.roles)
}
