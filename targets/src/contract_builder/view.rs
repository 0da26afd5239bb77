//! Environment, command, and working directory of one task, derived from the contract.
use super::variable_of;
use std::collections::BTreeMap;
use tfjob_contract::{Contract, PlaceholderMachine, Run, TaskId, render};
use tfjob_lang::lowered::{TaskView, reference};

/// Returns environment, command, and working directory of one task, as the shim sets them. `platform`: environment variables that
/// the platform sets.
///
/// If the shim would refuse the contract, the field `fault` of the view says why.
#[must_use]
pub fn view(contract: &Contract, mut platform: BTreeMap<String, String>, role: &str, index: u32) -> TaskView {
    let unknown: Vec<String> = required(contract, role).filter(|name| !platform.contains_key(name)).collect();
    let later = |name: &String| reference(&format!("${name}"));
    platform.extend(unknown.iter().map(|name| (name.clone(), later(name))));
    let mut view = rendered(contract, platform, role, index);
    for name in unknown {
        if view.env.get(&name).is_some_and(|value| *value == later(&name)) {
            view.env.remove(&name);
        }
    }
    view
}

/// Returns which of the environment variables in `names` the shim overwrites, so that their values in `env` do not reach the
/// program. The result is empty if the task cannot start. `env`: environment variables of the task before the shim starts.
/// Variables that the platform sets only at startup may be missing in `env`.
pub fn lost_variables<'n>(
    contract: &Contract,
    mut env: BTreeMap<String, String>,
    role: &str,
    names: impl Iterator<Item = &'n String> + Clone,
) -> Vec<&'n String> {
    const MARK: &str = "\u{1}patched";
    for name in contract.variables() {
        env.entry(name.to_owned()).or_insert_with(|| format!("${name}"));
    }
    env.extend(names.clone().map(|name| (name.clone(), MARK.to_owned())));
    let view = view(contract, env, role, 0);
    let arrives = |name: &&String| view.env.get(*name).is_some_and(|value| value.contains(MARK));
    names.filter(|name| view.fault.is_none() && !arrives(name)).collect()
}

/// Returns the environment variables to which a role refers, and which the image or the platform sets. Their values are known only
/// at run time.
fn required<'c>(contract: &'c Contract, role: &str) -> impl Iterator<Item = String> + use<'c> {
    let role = contract.roles.iter().find(|known| known.name == role);
    let words = role.into_iter().flat_map(|role| match &role.run {
        Run::Argv(words) => words.as_slice(),
        Run::Shell(_) => &[],
    });
    let others = role.into_iter().flat_map(|role| role.workdir.iter().chain(role.env.iter().map(|(_, v)| v)));
    words.chain(others).flatten().filter_map(variable_of).map(str::to_owned)
}

fn rendered(contract: &Contract, platform: BTreeMap<String, String>, role: &str, index: u32) -> TaskView {
    let task = TaskId { role: role.to_owned(), index };
    match render(contract, &task, &platform, &mut PlaceholderMachine) {
        Ok(rendered) => {
            let mut env = platform;
            for name in &rendered.unset {
                env.remove(name);
            }
            env.extend(rendered.env);
            TaskView {
                env,
                argv: rendered.argv,
                workdir: rendered.workdir,
                rendezvous: "the shim".to_owned(),
                fault: None,
            }
        }
        Err(why) => TaskView { fault: Some(why.to_string()), ..TaskView::default() },
    }
}
