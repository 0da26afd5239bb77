//! Checks of environment variables that a patch sets in an app. They must follow the rules of the spec's `env`, and the command of
//! the app must not overwrite them.
use crate::dcos::marathon::lower::app::{EXPORT, rendered};
use crate::dcos::marathon::support::variables::{Setter, is_for_the_program, setter};
use crate::patch::Merged;
use std::collections::BTreeSet;
use tfjob_contract::owner;
use tfjob_lang::lowered::Lowered;
use tfjob_lang::origin::pointer_step;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{Program, Requirement};

/// Checks the environment variables of each app of a role.
pub fn judge(merged: &mut Merged<'_>, plan: &Plan, lowered: &Lowered) {
    let roles = plan.roles.iter().enumerate();
    let roles = roles.flat_map(|(id, role)| (0..role.count.value).map(move |_| id));
    let mut shims: Option<(RoleId, BTreeSet<String>)> = None;
    for ((at, app), role) in merged.items("/apps").zip(roles) {
        let names: Vec<&String> =
            app["env"].as_object().into_iter().flatten().map(|(name, _)| name).collect();
        let place = |name: &str| format!("{at}/env/{}", pointer_step(name));
        for name in names.into_iter().filter(|name| !name.is_empty()) {
            if !merged.wrote(&place(name)) {
                continue;
            }
            if shims.as_ref().is_none_or(|(other, _)| *other != role) {
                shims = Some((role, of_the_shim(lowered, role)));
            }
            let by_shim = shims.as_ref().is_some_and(|(_, names)| names.contains(name));
            let by_command = merged.is_of_spec(&format!("{at}{EXPORT}/{name}"));
            if let Some(fact) = fact(role, name, plan, by_shim || by_command) {
                merged.fault_in_patch(&[&place(name)], &fact);
            }
        }
    }
}

/// Returns why a patch cannot set an environment variable, or `None` if it can. `overwritten`: whether the command of the app sets
/// it later.
fn fact(role: RoleId, name: &str, plan: &Plan, overwritten: bool) -> Option<String> {
    let hadoop = plan
        .requirements
        .iter()
        .any(|required| matches!(required.requirement, Requirement::Program(Program::Hadoop { .. })));
    // A patch may set `CUDA_VISIBLE_DEVICES`, the variable of `resources gpus`, to select GPUs of the agent.
    let owner = owner(name, plan.framework.name.value, hadoop).filter(|owner| *owner != "resources gpus");
    match setter(role, name, plan) {
        Some(Setter::Agent) => {
            return Some(format!(
                "the agent sets `{name}`, and the command of the app reads it: use another name"
            ));
        }
        Some(Setter::Shell) => {
            return Some(format!("the shell that starts the program overwrites `{name}`: use another name"));
        }
        None => {}
    }
    if let Some(owner) = owner {
        return Some(format!("`{owner}` sets `{name}`: remove the variable from the patch"));
    }
    if overwritten {
        return Some(format!(
            "before the program starts, `{name}` is set to the value of the spec, so the patch has no effect: set the value in `env`"
        ));
    }
    // A variable of the dynamic loader (`LD_…`) in `env` of the app also reaches the program, so it is accepted.
    (is_for_the_program(name) && !name.starts_with("LD_")).then(|| {
        format!(
            "the shell that starts the program reads or replaces `{name}`: to set `{name}` only for the program, write it in `env` instead of the patch"
        )
    })
}

/// Returns the environment variables that the shim sets in the tasks of a role.
fn of_the_shim(lowered: &Lowered, role: RoleId) -> BTreeSet<String> {
    let Some((contract, _)) = &lowered.contract else { return BTreeSet::new() };
    // The Hadoop variables are not included. Another check reports some of them. For the rest, the shim keeps the value that the
    // app sets, and appends text to it.
    let mut contract = contract.clone();
    contract.hadoop = None;
    rendered(&contract, role, 0).unwrap_or_default().into_iter().map(|(name, _)| name).collect()
}
