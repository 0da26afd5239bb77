//! Preparation of a run: checks of the machine, directories, and locks, before any task starts.
use super::{RunContext, folder, gpus, leftover, limits, ports, programs, scratch, shared};
use crate::outcome::Failure;
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::PathBuf;
use tfjob_contract::{Contract, TaskId};
use tfjob_targets::local::Job;

/// Checks the resources of the machine, and creates and locks the run directory. The locks last as long as `context`. `text`: the
/// job contract.
///
/// # Errors
/// Returns all missing resources together, and I/O errors.
pub fn prepare(job: &Job, contract: &Contract, text: &str, context: &mut RunContext) -> Result<(), Failure> {
    ready(job, contract, context)?;
    limits::sizes(text)?;
    // These checks come before anything is created, because a rejected run must leave nothing behind.
    let paths = job.needs.iter().chain(&job.makes).map(|path| path.0.as_str());
    folder::apart(context, paths)?;
    outside_checkpoints(job, contract, context)?;
    context.files = limits::raise(context.chosen.len())?;
    context.locks.extend(folder::hold(context)?);
    context.locks.extend(scratch::hold(context)?);
    let tasks = context.chosen.iter().map(|(role, index)| format!("{}-{index}", job.roles[*role].name.0));
    let tasks: Vec<String> = tasks.collect();
    context.locks.extend(shared::hold(context, &tasks)?);
    hold_checkpoints(job, contract, context)?;
    let before = shared::hold_own(context)?;
    leftover::check(context)?;
    folder::renew(context, &tasks)?;
    // The locks in `before` are released: their directories were moved to `previous`, or stayed because they were empty. The
    // directories that this run uses are locked next.
    drop(before);
    context.locks.extend(shared::hold_own(context)?);
    make(job, context)?;
    context.contract = text.to_owned();
    write(context)
}

fn write(context: &RunContext) -> Result<(), Failure> {
    let path = context.folder.join("contract.json");
    fs::write(&path, &context.contract).map_err(|e| Failure::at("cannot write", &path, &e))
}

/// Creates the directories of a task and the file of the job contract again, if they were removed during the run.
///
/// # Errors
/// Returns I/O errors, and an error if the run directory belongs to another run now.
pub fn restore(context: &RunContext, task: &str) -> Result<(), Failure> {
    if !folder::Owner::of(context).holds() {
        return Err(Failure::new(format!(
            "the run directory `{}` was removed, and another run has recreated it: start the job again after that run has finished, or use another `--directory`",
            context.folder.display()
        )));
    }
    folder::make(&context.folder.join("status"))?;
    folder::make(&context.scratch.join(task))?;
    if context.folder.join("contract.json").exists() { Ok(()) } else { write(context) }
}

/// Returns the checkpoint directory, if the leader, which writes the checkpoints, is among the selected tasks.
fn checkpoints(job: &Job, contract: &Contract, context: &RunContext) -> Option<PathBuf> {
    let checkpoints = contract.duties.as_ref()?.checkpoints.as_ref()?;
    let writes = |(role, index): &(usize, u32)| {
        contract.leads(&TaskId { role: job.roles[*role].name.0.clone(), index: *index })
    };
    context.chosen.iter().any(writes).then(|| context.here.join(&checkpoints.path))
}

/// Checks that the run directory is not inside the checkpoint directory, where each of its files would count as progress.
fn outside_checkpoints(job: &Job, contract: &Contract, context: &RunContext) -> Result<(), Failure> {
    match checkpoints(job, contract, context) {
        Some(path) if folder::resolved(&context.folder).starts_with(folder::resolved(&path)) => {
            Err(Failure::new(format!(
                "the run directory `{}` is inside the checkpoint directory `{}`, where each new file counts as training progress: use another `--directory`",
                context.folder.display(),
                path.display()
            )))
        }
        Some(_) | None => Ok(()),
    }
}

/// Locks the checkpoint directory, if the leader, which writes the checkpoints, is among the selected tasks.
fn hold_checkpoints(job: &Job, contract: &Contract, context: &mut RunContext) -> Result<(), Failure> {
    let Some(path) = checkpoints(job, contract, context) else { return Ok(()) };
    folder::make(&path)?;
    context.checkpoints = fs::canonicalize(&path).ok();
    // Some file systems cannot open or lock directories. The run continues without this lock.
    let Ok(folder) = File::open(&path) else { return Ok(()) };
    match folder.try_lock() {
        Err(TryLockError::WouldBlock) => Err(Failure::new(format!(
            "another run writes to the checkpoint directory `{}`: wait for it to finish, or change `checkpoints`",
            path.display()
        ))),
        Err(TryLockError::Error(_)) => Ok(()),
        Ok(()) => {
            context.locks.push(folder);
            Ok(())
        }
    }
}

/// Checks the resources of the machine, and reports all that are missing.
fn ready(job: &Job, contract: &Contract, context: &RunContext) -> Result<(), Failure> {
    let mut missing = Vec::new();
    let chosen = |id| context.chosen.iter().any(|(role, _)| *role == id);
    let needs = job.needs.iter().map(|path| &path.0);
    for path in needs.filter(|path| !context.here.join(path).exists()) {
        missing.push(Failure::new(format!("`{path}` does not exist, but the job needs it")));
    }
    let data_missing = !missing.is_empty();
    for role in job.roles.iter().enumerate().filter_map(|(id, role)| chosen(id).then_some(role)) {
        let secrets = role.secrets.iter().map(|name| &name.0);
        for name in secrets.filter(|name| std::env::var_os(name).is_none()) {
            let fact =
                format!("role `{}` needs secret `{name}`: set environment variable `{name}`", role.name.0);
            missing.push(Failure::new(fact));
        }
    }
    missing.extend(programs::missing(job, contract, context, data_missing));
    missing.extend(ports::taken(job, contract, context));
    missing.extend(missing_gpus(job, context));
    if let Some(failure) = Failure::all(missing) {
        return Err(failure);
    }
    Ok(())
}

/// Returns the failure if this process can use fewer GPUs than the selected tasks request together.
fn missing_gpus(job: &Job, context: &RunContext) -> Option<Failure> {
    let ids = || context.chosen.iter().map(|(role, _)| *role).filter(|role| job.roles[*role].gpus.0 > 0);
    let requested = ids().map(|role| job.roles[role].gpus.0 as usize).sum::<usize>();
    let usable = gpus::usable();
    if requested <= usable.names.len() {
        return None;
    }
    let roles: BTreeSet<&str> = ids().map(|role| job.roles[role].name.0.as_str()).collect();
    let names: Vec<String> = roles.iter().map(|role| format!("`{role}`")).collect();
    let keys: BTreeSet<&str> =
        ids().filter_map(|role| context.gpu_keys.get(role)).map(String::as_str).collect();
    let edits: Vec<String> = keys.iter().map(|key| format!("--set {key}=0")).collect();
    let (noun, verb) = if ids().count() == 1 { ("task", "requests") } else { ("tasks", "request") };
    Some(Failure::new(format!(
        "the {noun} of {} {verb} {requested} GPU{}, but {usable}; to run without GPUs, add `{}`",
        names.join(" and "),
        if requested == 1 { "" } else { "s" },
        edits.join(" ")
    )))
}

/// Creates the directories that the job writes to.
fn make(job: &Job, context: &RunContext) -> Result<(), Failure> {
    for path in job.makes.iter().map(|path| context.here.join(&path.0)) {
        folder::make(&path)?;
        // The restart state of an earlier run is removed, so that the restarts of that run do not count for this run.
        for (role, index) in &context.chosen {
            let kept = format!(".tfjob-{}-{}-{index}.json", job.name.0, job.roles[*role].name.0);
            let kept = path.join(kept);
            match fs::remove_file(&kept) {
                Err(e) if e.kind() != ErrorKind::NotFound => {
                    // Linux checks for a read-only file system before it looks up the file (`do_unlinkat`). So this error may
                    // occur although the file does not exist.
                    let tried = if kept.exists() {
                        "cannot remove the restart state of an earlier run in"
                    } else {
                        "cannot write to"
                    };
                    return Err(Failure::at(tried, &path, &e));
                }
                Ok(()) | Err(_) => {}
            }
        }
    }
    Ok(())
}
