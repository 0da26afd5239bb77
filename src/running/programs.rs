//! Whether this machine has the programs that a run will start, told before any of its tasks starts.
use super::RunContext;
use super::peers::Peers;
use crate::outcome::Failure;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use tfjob_contract::{Contract, PlaceholderMachine, Rendered, TaskId, When, render};
use tfjob_shim::{Lookup, find_program, is_path};
use tfjob_targets::local::{BOARD, HERE, INDEX, Job, PEERS, ROLE, RUN, Role, SCRATCH};

/// What is missing, a failure for each program, with the roles that start it. `torn`: folders that the job reads are
/// missing, in which programs may lie.
pub fn missing(job: &Job, contract: &Contract, context: &RunContext, torn: bool) -> Vec<Failure> {
    let mut found: BTreeMap<(String, &'static str), Vec<&str>> = BTreeMap::new();
    for (id, role) in job.roles.iter().enumerate() {
        let Some((_, index)) = context.chosen.iter().find(|(chosen, _)| *chosen == id) else { continue };
        // What the task's own shim would say of it, it says itself.
        let Some(task) = rendered(job, contract, context, role, *index) else { continue };
        if let Some((program, why)) = fault(&task, context, torn || made_later(role)) {
            found.entry((without_secrets(program, role), why)).or_default().push(role.name.0.as_str());
        }
    }
    found.iter().map(|((program, why), roles)| told(program, why, roles)).collect()
}

/// A path as it may be shown.
fn without_secrets(program: String, role: &Role) -> String {
    let values = role.secrets.iter().filter_map(|name| std::env::var(&name.0).ok());
    values.filter(|value| !value.is_empty()).fold(program, |text, value| text.replace(&value, "***"))
}

fn told(program: &str, why: &str, roles: &[&str]) -> Failure {
    if roles == [BOARD] && program == BOARD {
        return Failure::new(format!(
            "the job's `{BOARD}` starts a program of that name, which {why}: install it, leave `{BOARD}` out of the job, or \
             name the tasks that run by `--task`"
        ));
    }
    let all: Vec<String> = roles.iter().map(|role| format!("`{role}`")).collect();
    let (who, starts) = if all.len() == 1 { ("role", "starts") } else { ("roles", "start") };
    Failure::new(format!("{who} {} {starts} `{program}`, which {why}", all.join(", ")))
}

/// Whether another role may make the program before this one starts.
fn made_later(role: &Role) -> bool {
    role.after.iter().any(|after| after.0.when == When::Done)
}

/// One task as its shim will start it, but for its ports.
fn rendered(
    job: &Job,
    contract: &Contract,
    context: &RunContext,
    role: &Role,
    index: u32,
) -> Option<Rendered> {
    let mut env: BTreeMap<String, String> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    let ports = |role: &Role| (0..role.count.0).map(|_| "127.0.0.1:1".to_owned()).collect();
    let peers: Peers = job.roles.iter().map(|role| (role.name.0.clone(), ports(role))).collect();
    let name = &role.name.0;
    let scratch = context.scratch.join(format!("{name}-{index}"));
    env.extend([
        (ROLE.to_owned(), name.clone()),
        (INDEX.to_owned(), index.to_string()),
        (PEERS.to_owned(), serde_json::to_string(&peers).ok()?),
        (HERE.to_owned(), context.here.to_str()?.to_owned()),
        (RUN.to_owned(), context.folder.to_str()?.to_owned()),
        (SCRATCH.to_owned(), scratch.to_str()?.to_owned()),
    ]);
    render(contract, &TaskId { role: name.clone(), index }, &env, &mut PlaceholderMachine).ok()
}

/// The program, and why it cannot be started. `later`: one that is named by its path may come yet.
fn fault(task: &Rendered, context: &RunContext, later: bool) -> Option<(String, &'static str)> {
    let program = task.argv.first()?;
    let name = OsStr::new(program);
    // The program is looked up from where the task starts.
    let workdir = context.here.join(task.workdir.as_deref().unwrap_or_default());
    let unknown = later || !workdir.is_dir();
    let path = if is_path(name) {
        if unknown {
            return None;
        }
        OsString::new()
    } else {
        let own = task.env.iter().find(|(name, _)| name == "PATH").map(|(_, value)| OsString::from(value));
        // An unset PATH is the C library's own.
        let path = own.or_else(|| std::env::var_os("PATH"))?;
        if unknown && std::env::split_paths(&path).any(|folder| folder.is_relative()) {
            return None;
        }
        path
    };
    let why = match find_program(name, &path, &workdir) {
        Lookup::Found(_) => return None,
        Lookup::NotExecutable => "is there and cannot be executed",
        Lookup::NotFound if is_path(name) => "is not there",
        Lookup::NotFound => "is in none of the folders of PATH",
    };
    Some((program.clone(), why))
}
