//! Variables that a patch sets in an app: the rules of `env`, and no value that the app's own command replaces.
use crate::dcos::marathon::lower::app::{EXPORT, rendered};
use crate::dcos::marathon::support::variables::{Setter, is_for_the_program, setter};
use crate::patch::Merged;
use std::collections::BTreeSet;
use tfjob_contract::owner;
use tfjob_lang::lowered::Lowered;
use tfjob_lang::origin::pointer_step;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{Program, Requirement};

/// Judges the variables of every app of a role.
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
                merged.fault(&[&place(name)], &fact);
            }
        }
    }
}

/// Why a patch cannot set a variable, if it cannot. `again`: the command of the app sets it after the agent has.
fn fact(role: RoleId, name: &str, plan: &Plan, again: bool) -> Option<String> {
    let hadoop = plan
        .requirements
        .iter()
        .any(|required| matches!(required.requirement, Requirement::Program(Program::Hadoop { .. })));
    // A patch may choose among the GPUs of the agent.
    let owner = owner(name, plan.framework.name.value, hadoop).filter(|owner| *owner != "resources gpus");
    match setter(role, name, plan) {
        Some(Setter::Agent) => {
            return Some(format!(
                "`{name}` is set by the agent and read by the task's command: use another name"
            ));
        }
        Some(Setter::Shell) => {
            return Some(format!("`{name}` is set by the shell that starts the program: use another name"));
        }
        None => {}
    }
    if let Some(owner) = owner {
        return Some(format!("`{name}` is set by `{owner}`: remove it from the patch"));
    }
    if again {
        return Some(format!(
            "the app's command sets `{name}` to the spec's value, and the patch has no effect: write the value in `env`"
        ));
    }
    // A loader's variable reaches the program too.
    (is_for_the_program(name) && !name.starts_with("LD_")).then(|| {
        format!(
            "`{name}` is read or replaced by the shell that starts the program: write it in `env`, which sets it for the program alone"
        )
    })
}

/// The variables that the shim sets in the tasks of a role.
fn of_the_shim(lowered: &Lowered, role: RoleId) -> BTreeSet<String> {
    let Some((contract, _)) = &lowered.contract else { return BTreeSet::new() };
    // Hadoop's have an owner, or build on what the app has.
    let mut contract = contract.clone();
    contract.hadoop = None;
    rendered(&contract, role, 0).unwrap_or_default().into_iter().map(|(name, _)| name).collect()
}
