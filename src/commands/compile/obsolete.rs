//! Files in the output directory that are no longer generated.
use super::{Made, scripts};
use crate::files;
use crate::outcome::Failure;
use std::collections::BTreeSet;
use std::path::Path;
use tfjob_lang::lowered::{SHARED, SHARED_FILES, Word};

/// The files that a command compares with its artifacts.
pub enum Scope {
    /// The directories of the jobs and targets that the command compiles.
    Jobs,
    /// All directories `JOB/TARGET`, `ENVIRONMENT/JOB/TARGET`, and those of shared files in the output directory: the command compiles a whole project.
    Project,
}

/// Returns the files that are no longer generated, as paths below the output directory.
///
/// # Errors
/// Returns an error if a directory cannot be read.
pub fn all(folder: &Path, made: &[Made], scope: &Scope) -> Result<Vec<String>, Failure> {
    let mut names = BTreeSet::new();
    for one in made {
        names.extend(of_job(folder, one)?);
    }
    if matches!(scope, Scope::Project) {
        let shared: BTreeSet<String> = made.iter().flat_map(Made::shared_paths).collect();
        let current =
            |name: &str| shared.contains(name) || made.iter().any(|one| contains(&one.folder, name));
        let is_target = |part: Option<&str>| {
            part.is_some_and(|part| tfjob_targets::ALL.iter().any(|target| target.name() == part))
        };
        let generated = |name: &str| {
            let parts: Vec<&str> = name.split('/').collect();
            parts.len() > 2 && is_target(parts.get(1).copied())
                || parts.len() > 3 && is_target(parts.get(2).copied())
                || parts.iter().take(2).any(|part| *part == SHARED)
                    && parts.last().is_some_and(|last| SHARED_FILES.contains(last))
        };
        names.extend(files::list(folder, "")?.into_iter().filter(|name| generated(name) && !current(name)));
    }
    Ok(names.into_iter().collect())
}

/// Returns the files in the output directory of a target that are no longer part of the job.
///
/// # Errors
/// Returns an error if a directory cannot be read.
pub fn of_job(folder: &Path, made: &Made) -> Result<Vec<String>, Failure> {
    let names = files::list(folder, &made.folder)?;
    let created_by_step = |name: &str| {
        let mut words = made.lowered.steps.iter().flat_map(|step| &step.argv);
        words.any(|word| match word {
            Word::File { path, .. } => contains(path, name),
            Word::Encoded { path } => contains(path, name),
            Word::Plain(_) | Word::Shared { .. } | Word::Spec => false,
        })
    };
    let known = |name: &String| {
        let files = made.lowered.artifacts.iter().chain(&made.lowered.companions);
        let scripts = scripts::names(made);
        files.into_iter().any(|file| file.path == *name)
            || scripts.contains(&name.as_str())
            || created_by_step(name)
    };
    Ok(names.into_iter().filter(|name| !known(name)).map(|name| format!("{}/{name}", made.folder)).collect())
}

/// Returns whether `name` is `path`, or a file below `path`.
fn contains(path: &str, name: &str) -> bool {
    name.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
