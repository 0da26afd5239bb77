//! What a run needs of the machine, asked and made before anything starts.
use super::{Ground, folder, limits, programs};
use crate::outcome::Failure;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;
use tfjob_contract::Contract;
use tfjob_shim::devices;
use tfjob_targets::local::Job;

/// Looks whether all that the job needs is there, and makes the run's folder, which is this run's as long as the file is
/// open. `text` is the contract as the shims read it.
///
/// # Errors
/// What the machine lacks, all of it at once; where the disk says no.
pub fn prepare(job: &Job, contract: &Contract, text: &str, ground: &Ground) -> Result<File, Failure> {
    ready(job, contract, ground)?;
    limits::raise(job.tasks().count())?;
    let lock = folder::hold(ground)?;
    for (role, index) in &ground.chosen {
        folder::scratch(&ground.folder, &format!("{}-{index}", job.roles[*role].name.0))?;
    }
    make(job, ground)?;
    let path = ground.folder.join("contract.json");
    fs::write(&path, text).map_err(|e| Failure::at("cannot write", &path, &e))?;
    Ok(lock)
}

/// What the machine lacks, all of it at once.
fn ready(job: &Job, contract: &Contract, ground: &Ground) -> Result<(), Failure> {
    let mut missing = Vec::new();
    let chosen = |id| ground.chosen.iter().any(|(role, _)| *role == id);
    let needs = job.needs.iter().map(|path| &path.0);
    for path in needs.filter(|path| !ground.here.join(path).exists()) {
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
    missing.extend(programs::missing(job, contract, ground, torn));
    let (asked, there) = (
        ground.chosen.iter().map(|(role, _)| job.roles[*role].gpus.0).sum::<u32>(),
        devices(Path::new("/dev")),
    );
    if asked > there {
        missing.push(Failure::new(format!("the tasks ask for {asked} GPUs, and this machine has {there}")));
    }
    if let Some(failure) = Failure::all(missing) {
        return Err(failure);
    }
    Ok(())
}

/// Makes the folders that the job writes to.
fn make(job: &Job, ground: &Ground) -> Result<(), Failure> {
    for path in job.makes.iter().map(|path| ground.here.join(&path.0)) {
        fs::create_dir_all(&path).map_err(|e| Failure::at("cannot make", &path, &e))?;
        // What shims of an earlier run kept of their restarts is not this one's.
        for (role, index) in &ground.chosen {
            let kept = format!(".tfjob-{}-{}-{index}.json", job.name.0, job.roles[*role].name.0);
            match fs::remove_file(path.join(kept)) {
                Err(e) if e.kind() != ErrorKind::NotFound => {
                    return Err(Failure::at("cannot remove the state in", &path, &e));
                }
                Ok(()) | Err(_) => {}
            }
        }
    }
    Ok(())
}
