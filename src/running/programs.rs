//! Checks the programs of a run before any task starts.
use super::RunContext;
use super::peers::Peers;
use crate::outcome::Failure;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use tfjob_contract::{Contract, PlaceholderMachine, Rendered, TaskId, When, render};
use tfjob_shim::{Lookup, find_program, is_path};
use tfjob_targets::local::{BOARD, HERE, INDEX, Job, PEERS, ROLE, RUN, Role, SCRATCH};

/// Returns a failure for each missing program, with its roles. `data_missing`: whether paths that the job reads are missing. These
/// paths may contain the programs, so a program that is given as a path is then not reported.
pub fn missing(job: &Job, contract: &Contract, context: &RunContext, data_missing: bool) -> Vec<Failure> {
    let mut found: BTreeMap<(String, String), Vec<&str>> = BTreeMap::new();
    for (id, role) in job.roles.iter().enumerate() {
        let Some((_, index)) = context.chosen.iter().find(|(chosen, _)| *chosen == id) else { continue };
        // The shim of the task reports rendering errors, so they are skipped here.
        let Some(task) = rendered(job, contract, context, role, *index) else { continue };
        if let Some((program, why)) = fault(&task, context, data_missing || made_later(role)) {
            let told = (without_secrets(program, role), without_secrets(why, role));
            found.entry(told).or_default().push(role.name.0.as_str());
        }
    }
    found.iter().map(|((program, why), roles)| told(program, why, roles)).collect()
}

/// Returns a text with secrets masked.
fn without_secrets(text: String, role: &Role) -> String {
    let values = role.secrets.iter().filter_map(|name| std::env::var(&name.0).ok());
    values.filter(|value| !value.is_empty()).fold(text, |text, value| text.replace(&value, "***"))
}

fn told(program: &str, why: &str, roles: &[&str]) -> Failure {
    if roles == [BOARD] && program == BOARD {
        return Failure::new(format!(
            "`{BOARD}` starts the program `{BOARD}`, which {why}: install it, remove `{BOARD}` from the job, or select \
             only other tasks with `--task`"
        ));
    }
    let all: Vec<String> = roles.iter().map(|role| format!("`{role}`")).collect();
    let (who, starts) = if all.len() == 1 { ("role", "starts") } else { ("roles", "start") };
    Failure::new(format!("{who} {} {starts} `{program}`, which {why}", all.join(", ")))
}

/// Returns whether a role that must finish before this one starts may create the program.
fn made_later(role: &Role) -> bool {
    role.after.iter().any(|after| after.0.when == When::Done)
}

/// Renders a task as its shim will, but with other ports. `None` if the task cannot be rendered.
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

/// Returns the program and why it cannot be started. `None` if it can be started, or if this is unknown. `later`: whether a
/// program that is given as a path may still be created.
fn fault(task: &Rendered, context: &RunContext, later: bool) -> Option<(String, String)> {
    let program = task.argv.first()?;
    let name = OsStr::new(program);
    // The program is looked up relative to the working directory of the task.
    let workdir = context.here.join(task.workdir.as_deref().unwrap_or_default());
    let unknown = later || !workdir.is_dir();
    let path = if is_path(name) {
        if unknown {
            return None;
        }
        OsString::new()
    } else {
        let own = task.env.iter().find(|(name, _)| name == "PATH").map(|(_, value)| OsString::from(value));
        // If PATH is unset in the task and in this process, the C library uses its own default, so the program is not checked.
        let path = own.or_else(|| std::env::var_os("PATH"))?;
        if unknown && std::env::split_paths(&path).any(|folder| folder.is_relative()) {
            return None;
        }
        path
    };
    let why = match find_program(name, &path, &workdir) {
        Lookup::Found(_) => return None,
        Lookup::NotExecutable => "is not executable".to_owned(),
        Lookup::NotFound if is_path(name) => "does not exist".to_owned(),
        Lookup::NotFound => {
            let hint = versioned(program, &path, &workdir).map_or_else(String::new, |other| {
                format!(": write `{other}`, which was found, or install `{program}`")
            });
            format!("was not found in PATH{hint}")
        }
    };
    Some((program.clone(), why))
}

/// Returns the program with the version 3 in its name, if it is in PATH: many systems have `python3`, but no `python`.
fn versioned(program: &str, path: &OsStr, workdir: &Path) -> Option<String> {
    let other = format!("{program}3");
    matches!(find_program(OsStr::new(&other), path, workdir), Lookup::Found(_)).then_some(other)
}
