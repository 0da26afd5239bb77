//! What a run needs of the machine, asked and made before anything starts.
use super::{RunContext, folder, gpus, leftover, limits, ports, programs, scratch, shared};
use crate::outcome::Failure;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::PathBuf;
use tfjob_contract::{Contract, TaskId};
use tfjob_targets::local::Job;

/// Looks whether all that the job needs is there, and makes the run's folder, which is this run's as long as `ground` is
/// there. `text` is the contract as the shims read it.
///
/// # Errors
/// What the machine lacks, all of it at once; where the disk says no.
pub fn prepare(job: &Job, contract: &Contract, text: &str, context: &mut RunContext) -> Result<(), Failure> {
    ready(job, contract, context)?;
    limits::sizes(text)?;
    // Before anything is made: a run that is refused leaves nothing.
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
    leftover::none(context)?;
    folder::renew(context, &tasks)?;
    // Those that were moved, and those that stayed because they were empty.
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

/// Makes again what a task needs of the run's folder, if somebody has removed it.
///
/// # Errors
/// Where the disk says no, and where another run has the folder by now.
pub fn again(context: &RunContext, task: &str) -> Result<(), Failure> {
    if !folder::Owner::of(context).holds() {
        return Err(Failure::new(format!(
            "`{}` was removed, and is the directory of another run now: start the job again after its end",
            context.folder.display()
        )));
    }
    folder::make(&context.folder.join("status"))?;
    folder::make(&context.scratch.join(task))?;
    if context.folder.join("contract.json").exists() { Ok(()) } else { write(context) }
}

/// The directory of checkpoints, if the task that writes them is started here.
fn checkpoints(job: &Job, contract: &Contract, context: &RunContext) -> Option<PathBuf> {
    let checkpoints = contract.duties.as_ref()?.checkpoints.as_ref()?;
    let writes = |(role, index): &(usize, u32)| {
        contract.leads(&TaskId { role: job.roles[*role].name.0.clone(), index: *index })
    };
    context.chosen.iter().any(writes).then(|| context.here.join(&checkpoints.path))
}

/// Refuses a run among its checkpoints, where each of its own files would count as progress.
fn outside_checkpoints(job: &Job, contract: &Contract, context: &RunContext) -> Result<(), Failure> {
    match checkpoints(job, contract, context) {
        Some(path) if folder::resolved(&context.folder).starts_with(folder::resolved(&path)) => {
            Err(Failure::new(format!(
                "the run directory `{}` is inside the checkpoints directory `{}`, where each new file counts as progress: choose another `--folder`",
                context.folder.display(),
                path.display()
            )))
        }
        Some(_) | None => Ok(()),
    }
}

/// Keeps other runs from the directory of checkpoints, if the task that writes them is started here.
fn hold_checkpoints(job: &Job, contract: &Contract, context: &mut RunContext) -> Result<(), Failure> {
    let Some(path) = checkpoints(job, contract, context) else { return Ok(()) };
    folder::make(&path)?;
    context.checkpoints = fs::canonicalize(&path).ok();
    // Some file systems cannot open or lock a directory: they keep no other run out.
    let Ok(folder) = File::open(&path) else { return Ok(()) };
    match folder.try_lock() {
        Err(TryLockError::WouldBlock) => Err(Failure::new(format!(
            "another run writes checkpoints in `{}`: wait for its end, or change `checkpoints`",
            path.display()
        ))),
        Err(TryLockError::Error(_)) => Ok(()),
        Ok(()) => {
            context.locks.push(folder);
            Ok(())
        }
    }
}

/// What the machine lacks, all of it at once.
fn ready(job: &Job, contract: &Contract, context: &RunContext) -> Result<(), Failure> {
    let mut missing = Vec::new();
    let chosen = |id| context.chosen.iter().any(|(role, _)| *role == id);
    let needs = job.needs.iter().map(|path| &path.0);
    for path in needs.filter(|path| !context.here.join(path).exists()) {
        missing.push(Failure::new(format!("`{path}` is not there, and the job reads it")));
    }
    let torn = !missing.is_empty();
    for role in job.roles.iter().enumerate().filter_map(|(id, role)| chosen(id).then_some(role)) {
        let secrets = role.secrets.iter().map(|name| &name.0);
        for name in secrets.filter(|name| std::env::var_os(name).is_none()) {
            let fact = format!("role `{}` needs the secret `{name}`: set the variable `{name}`", role.name.0);
            missing.push(Failure::new(fact));
        }
    }
    missing.extend(programs::missing(job, contract, context, torn));
    missing.extend(ports::taken(job, contract, context));
    let asked = context.chosen.iter().map(|(role, _)| job.roles[*role].gpus.0 as usize).sum::<usize>();
    let usable = gpus::usable();
    if asked > usable.names.len() {
        missing.push(Failure::new(format!("the tasks ask for {asked} GPUs, and {usable}")));
    }
    if let Some(failure) = Failure::all(missing) {
        return Err(failure);
    }
    Ok(())
}

/// Makes the folders that the job writes to.
fn make(job: &Job, context: &RunContext) -> Result<(), Failure> {
    for path in job.makes.iter().map(|path| context.here.join(&path.0)) {
        folder::make(&path)?;
        // What shims of an earlier run kept of their restarts is not this one's.
        for (role, index) in &context.chosen {
            let kept = format!(".tfjob-{}-{}-{index}.json", job.name.0, job.roles[*role].name.0);
            let kept = path.join(kept);
            match fs::remove_file(&kept) {
                Err(e) if e.kind() != ErrorKind::NotFound => {
                    // Linux looks at the file system before it looks for the file (`do_unlinkat`).
                    let tried = if kept.exists() { "cannot remove the state in" } else { "cannot write to" };
                    return Err(Failure::at(tried, &path, &e));
                }
                Ok(()) | Err(_) => {}
            }
        }
    }
    Ok(())
}
