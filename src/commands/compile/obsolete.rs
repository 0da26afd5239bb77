//! Files in the output directory that are no longer generated.
use super::{Made, provenance, scripts};
use crate::files::{self, SHIM};
use crate::outcome::Failure;
use std::collections::BTreeSet;
use std::path::Path;
use tfjob_lang::lowered::{SHARED, SHARED_FILES, Word};

/// The files that a command compares with its artifacts.
pub enum Scope {
    /// The directories of the jobs and targets that the command compiles.
    Jobs,
    /// All directories `JOB/TARGET` and `ENVIRONMENT/JOB/TARGET` that tfjob has written, and the shared files: the command compiles
    /// a whole project with these environments.
    Project(Vec<String>),
}

impl Made<'_> {
    /// Returns the path of the shim, below the output directory, if a step copies it next to the scripts.
    pub fn copied_shim(&self) -> Option<String> {
        let mut words = self.lowered.steps.iter().flat_map(|step| &step.argv);
        let is_copied = words.any(|word| matches!(word, Word::File { path, .. } if path == SHIM));
        is_copied.then(|| format!("{}/{SHIM}", self.folder))
    }
}

/// Returns the copied shims that are not the shim of tfjob. A shim that cannot be compared, because tfjob has none, is among them.
fn other_shims(folder: &Path, made: &[Made]) -> Vec<String> {
    let copied = made.iter().filter_map(Made::copied_shim);
    let copied: Vec<String> = copied.filter(|name| folder.join(name).symlink_metadata().is_ok()).collect();
    let own = if copied.is_empty() { None } else { files::shim_bytes().ok() };
    let is_own = |name: &String| own.is_some() && files::bytes(&folder.join(name)) == own;
    copied.into_iter().filter(|name| !is_own(name)).collect()
}

/// Returns the files that are no longer generated, and the copied shims that are not the shim of tfjob, as paths below the output
/// directory.
///
/// # Errors
/// Returns an error if a directory cannot be read.
pub fn all(folder: &Path, made: &[Made], scope: &Scope) -> Result<Vec<String>, Failure> {
    let mut names: BTreeSet<String> = other_shims(folder, made).into_iter().collect();
    for one in made {
        names.extend(of_job(folder, one)?);
    }
    if matches!(scope, Scope::Project(_)) {
        let shared: BTreeSet<String> = made.iter().flat_map(Made::shared_paths).collect();
        let current =
            |name: &str| shared.contains(name) || made.iter().any(|one| contains(&one.folder, name));
        let found: Vec<String> = files::list(folder, "")?.into_iter().filter(|name| !current(name)).collect();
        names.extend(generated(folder, &found).cloned());
    }
    Ok(names.into_iter().collect())
}

/// Filters names of files. Keeps the files in each target directory that tfjob has written, and the shared files that tfjob has
/// written.
fn generated<'a>(folder: &Path, names: &'a [String]) -> impl Iterator<Item = &'a String> {
    let is_target = |name: &str| tfjob_targets::ALL.iter().any(|target| target.name() == name);
    let directory = |name: &'a String| {
        let directory = name.rsplit_once('/')?.0;
        let parts: Vec<&str> = directory.split('/').collect();
        let of_target = matches!(parts.as_slice(), [_, target] | [_, _, target] if is_target(target));
        (of_target && provenance::is_artifact(folder, name)).then_some(directory)
    };
    let written: BTreeSet<&str> = names.iter().filter_map(directory).collect();
    names.iter().filter(move |name| {
        let parts: Vec<&str> = name.split('/').collect();
        name.match_indices('/').any(|(end, _)| written.contains(&name[..end]))
            || parts.iter().take(2).any(|part| *part == SHARED)
                && parts.last().is_some_and(|last| SHARED_FILES.contains(last))
                && provenance::is_shared(folder, name)
    })
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
pub fn contains(path: &str, name: &str) -> bool {
    name.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
