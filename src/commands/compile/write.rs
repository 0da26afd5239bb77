//! Writes the artifacts, and prints what was written.
use super::kept::{self, Kept};
use super::obsolete::{self, Scope};
use super::reasons::Unused;
use super::{Made, attributes, foreign, left, next_steps, outputs, scripts, shim};
use crate::files::{self, Output};
use crate::outcome::{Failure, Outcome};
use crate::terminal::plain;
use left::Content;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

/// Writes the artifacts of jobs, and prints each file. Also prints the next steps of each job, if `steps` is true.
///
/// # Errors
/// Returns an error if a file cannot be written.
pub fn jobs(
    folder: &Path,
    made: &[Made],
    sets: &[String],
    steps: bool,
    err: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let shared = outputs::shared(made)?;
    let own: Vec<Vec<Output>> = made.iter().map(|one| one.outputs(folder).collect()).collect();
    let count = own.iter().flatten().count() + shared.len();
    let changed = |all: Vec<Output>| changed(folder, all);
    let (shared, own) = (changed(shared), own.into_iter().map(changed).collect::<Vec<_>>());
    let all: Vec<Output> = own.iter().flatten().chain(&shared).cloned().collect();
    replaces_shim(folder, &shared, err)?;
    files::write_all(folder, &all)?;
    wrote(folder, &shared, err)?;
    for (one, outputs) in made.iter().zip(own) {
        wrote(folder, &outputs, err)?;
        let mut removed = Vec::new();
        for name in obsolete::of_job(folder, one)? {
            writeln!(err, "obsolete: {} (no longer part of the job)", folder.join(&name).display())?;
            removed.push(name);
        }
        left::print(folder, (&removed, &Content::of(folder, &removed)), false, err)?;
        if let Some(added) = &one.added {
            writeln!(err, "{}", plain(added))?;
        }
        if steps {
            next_steps::print(folder, one, one.lowered.steps.iter(), &scripts::names(one), sets, err)?;
        }
    }
    if all.len() < count {
        writeln!(err, "{}", changes(count, all.len()))?;
    }
    Ok(Outcome::Clean)
}

/// Returns the files that must be written: those that are missing or differ, and those behind a symbolic link.
fn changed(folder: &Path, outputs: Vec<Output>) -> Vec<Output> {
    let same = |output: &Output| {
        files::link(folder, &output.path).is_none() && files::same(&folder.join(&output.path), output)
    };
    outputs.into_iter().filter(|output| !same(output)).collect()
}

/// Warns of each file whose shim will be replaced by another build under the same name.
fn replaces_shim(folder: &Path, changed: &[Output], err: &mut dyn Write) -> std::io::Result<()> {
    for output in changed {
        let path = folder.join(&output.path);
        let Some(name) = files::bytes(&path).and_then(|old| shim::replaced(&old, &output.bytes)) else {
            continue;
        };
        writeln!(
            err,
            "warning: `{}` contains another build of the shim than this command writes into the ConfigMap `{}`; to keep it, \
             restore the file, {}",
            plain(&path.to_string_lossy()),
            plain(&name),
            shim::KEEP
        )?;
    }
    Ok(())
}

fn wrote(folder: &Path, outputs: &[Output], err: &mut dyn Write) -> std::io::Result<()> {
    let mut paths = outputs.iter().map(|output| folder.join(&output.path));
    paths.try_for_each(|path| writeln!(err, "wrote {}", plain(&path.to_string_lossy())))
}

/// Returns a line such as `35 files, 2 changed`, or `35 files up to date`.
fn changes(files: usize, changed: usize) -> String {
    match changed {
        0 => format!("{} up to date", counted(files)),
        _ => format!("{}, {changed} changed", counted(files)),
    }
}

/// Returns a number of files, such as `1 file`.
fn counted(files: usize) -> String {
    format!("{files} {}", if files == 1 { "file" } else { "files" })
}

/// Writes the artifacts of a project, and prints the files that have changed. `prune`: whether to delete files that are no longer
/// generated. `unused`: the specs that are not compiled.
///
/// # Errors
/// Returns an error if a file cannot be written or deleted, or if it is not known which files to delete.
pub fn project(
    folder: &Path,
    (made, unused): (&[Made], &Unused),
    scope: &Scope,
    prune: bool,
    err: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let new = new_jobs(folder, made);
    let outputs = outputs::of(folder, made, scope)?;
    let old = Old::of(folder, (made, unused), scope, prune)?;
    let count = outputs.len();
    let changed = changed(folder, outputs);
    replaces_shim(folder, &changed, err)?;
    files::write_all(folder, &changed)?;
    wrote(folder, &changed, err)?;
    for one in made {
        let is_changed = changed.iter().any(|output| output.path.starts_with(&format!("{}/", one.folder)));
        if let Some(added) = one.added.as_ref().filter(|_| is_changed) {
            // `added` begins with the target, which is the last part of the directory, so only the rest of the directory is printed
            // before it.
            let above = one.folder.rsplit_once('/').map_or("", |(above, _)| above);
            writeln!(err, "{}/{}", plain(above), plain(added))?;
        }
    }
    new.iter().try_for_each(|line| writeln!(err, "{}", plain(line)))?;
    for name in attributes::foreign(folder, made, scope) {
        let path = folder.join(name);
        writeln!(err, "kept {}: it may hide manifests in a review", plain(&path.to_string_lossy()))?;
    }
    old.clean_up(folder, prune, err)?;
    writeln!(err, "{}", changes(count, changed.len()))?;
    Ok(Outcome::Clean)
}

/// Files in the output directory that are not those of the compiled jobs.
struct Old {
    /// Files that are no longer generated, as paths below the output directory.
    obsolete: Vec<String>,
    /// Why they are no longer generated.
    reasons: BTreeSet<String>,
    /// Files of specs that are not checked out.
    kept: Kept,
    /// Files and directories that tfjob has not generated.
    foreign: Vec<String>,
}

impl Old {
    /// Finds the files.
    ///
    /// # Errors
    /// Returns an error if a directory cannot be read, or if it is not known which files to delete (`prune`).
    fn of(
        folder: &Path,
        (made, unused): (&[Made], &Unused),
        scope: &Scope,
        prune: bool,
    ) -> Result<Self, Failure> {
        let mut obsolete = obsolete::all(folder, made, scope)?;
        let foreign = foreign::all(folder, made, scope, &obsolete)?.into_keys().collect();
        let mut kept = kept::split(folder, unused.project.as_deref(), &mut obsolete);
        if let Some(failure) = kept.failure.take().filter(|_| prune) {
            return Err(failure);
        }
        let reasons = unused.reasons(folder, made, &obsolete).into_values().map(|reason| reason.line);
        Ok(Self { reasons: reasons.collect(), obsolete, kept, foreign })
    }

    /// Deletes the files that are no longer generated (`prune`), or only reports them. Also reports the other files.
    fn clean_up(&self, folder: &Path, prune: bool, err: &mut dyn Write) -> Result<(), Failure> {
        let content = Content::of(folder, &self.obsolete);
        for name in &self.obsolete {
            let path = folder.join(name);
            if prune {
                files::remove(folder, name)?;
            }
            let verb = if prune { "deleted" } else { "obsolete:" };
            writeln!(err, "{verb} {}", plain(&path.to_string_lossy()))?;
        }
        for name in &self.kept.names {
            writeln!(err, "not compiled, kept: {}", plain(&folder.join(name).to_string_lossy()))?;
        }
        let mut reasons = self.reasons.iter().chain(&self.kept.reasons);
        reasons.try_for_each(|reason| writeln!(err, "{}", plain(reason)))?;
        left::print(folder, (&self.obsolete, &content), prune, err)?;
        match (prune, self.obsolete.len()) {
            (_, 0) => {}
            (true, deleted) => writeln!(err, "deleted {}", counted(deleted))?,
            (false, _) => writeln!(err, "to delete obsolete files, run `tfjob compile --prune`")?,
        }
        for name in &self.foreign {
            writeln!(err, "not generated by tfjob, kept: {}", plain(&folder.join(name).to_string_lossy()))?;
        }
        if !self.foreign.is_empty() {
            writeln!(
                err,
                "`tfjob compile --check` fails until you delete these files, or move them out of the directory of the environment"
            )?;
        }
        Ok(())
    }
}

/// Returns a line for each job that has no output yet, if other jobs of the project have one. A base file becomes a job when the
/// last spec that extends it is deleted or excluded.
fn new_jobs(folder: &Path, made: &[Made]) -> Vec<String> {
    let (known, new): (Vec<&Made>, Vec<&Made>) =
        made.iter().partition(|one| folder.join(&one.folder).symlink_metadata().is_ok());
    let line =
        |one: &Made| format!("new: {} (job of `{}`)", folder.join(&one.folder).display(), one.spec.display());
    if known.is_empty() { Vec::new() } else { new.into_iter().map(line).collect() }
}
