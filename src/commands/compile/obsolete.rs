//! Files in the output directory that are no longer generated.
use super::{Checked, Made, outputs, provenance, scripts};
use crate::files;
use crate::outcome::Failure;
use std::collections::{BTreeMap, BTreeSet};
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

/// A spec that is not compiled in an environment, because another spec extends it.
pub struct Base {
    /// Output directory of the environment, with a slash at its end; empty without an environment.
    above: String,
    /// Name of the spec in the headers of its files.
    origin: String,
    /// Why the spec has no output.
    why: String,
}

impl Base {
    /// Returns the specs of all environments that are not compiled. `project`: the directory of the project file.
    pub fn all(checked: &[Checked], project: Option<&Path>) -> Vec<Self> {
        let parts = checked.iter().flat_map(|one| one.parts.iter().map(move |part| (&one.environment, part)));
        parts
            .map(|(environment, part)| Self {
                above: environment.as_ref().map(|name| format!("{name}/")).unwrap_or_default(),
                origin: outputs::one_line(&outputs::origin(project, Path::new(part.base()))),
                why: part.no_job(),
            })
            .collect()
    }
}

/// Returns why obsolete files are no longer generated, if their spec has become the base of another spec. The keys are the
/// directories `JOB/TARGET` of the files, with a slash at the end.
pub fn reasons(folder: &Path, names: &[String], bases: &[Base]) -> BTreeMap<String, String> {
    let reason = |name: &String| {
        let origin = provenance::origin(folder, name)?;
        let base = bases.iter().find(|base| base.origin == origin && name.starts_with(&base.above))?;
        let (directory, _) = name.rsplit_once('/')?;
        Some((format!("{directory}/"), base.why.clone()))
    };
    names.iter().filter_map(reason).collect()
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
