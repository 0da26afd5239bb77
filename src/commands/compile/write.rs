//! Writes the artifacts, and prints what was written.
use super::obsolete::{self, Scope};
use super::{Made, next_steps, outputs, scripts};
use crate::files::{self, Output};
use crate::outcome::{Failure, Outcome};
use crate::terminal::plain;
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
    files::write_all(folder, &own.iter().flatten().chain(&shared).cloned().collect::<Vec<_>>())?;
    for output in &shared {
        writeln!(err, "wrote {}", plain(&folder.join(&output.path).to_string_lossy()))?;
    }
    for (one, outputs) in made.iter().zip(own) {
        for output in outputs {
            writeln!(err, "wrote {}", plain(&folder.join(&output.path).to_string_lossy()))?;
        }
        for name in obsolete::of_job(folder, one)? {
            writeln!(err, "obsolete: {} (no longer part of the job)", folder.join(name).display())?;
        }
        if let Some(added) = &one.added {
            writeln!(err, "{}", plain(added))?;
        }
        if steps {
            next_steps::print(folder, one, one.lowered.steps.iter(), &scripts::names(one), sets, err)?;
        }
    }
    Ok(Outcome::Clean)
}

/// Writes the artifacts of a project, and prints the files that have changed. `prune`: whether to delete files that are no longer
/// generated.
///
/// # Errors
/// Returns an error if a file cannot be written or deleted.
pub fn project(folder: &Path, made: &[Made], prune: bool, err: &mut dyn Write) -> Result<Outcome, Failure> {
    let mut outputs = outputs::all(folder, made)?;
    outputs.extend(attributes(folder));
    let changed: Vec<_> =
        outputs.iter().filter(|output| !files::same(&folder.join(&output.path), output)).cloned().collect();
    files::write_all(folder, &changed)?;
    for output in &changed {
        writeln!(err, "wrote {}", plain(&folder.join(&output.path).to_string_lossy()))?;
    }
    for one in made {
        let is_changed = changed.iter().any(|output| output.path.starts_with(&format!("{}/", one.folder)));
        if let Some(added) = one.added.as_ref().filter(|_| is_changed) {
            // The line begins with the target, which is the last part of the directory.
            let above = one.folder.rsplit_once('/').map_or("", |(above, _)| above);
            writeln!(err, "{}/{}", plain(above), plain(added))?;
        }
    }
    let obsolete = obsolete::all(folder, made, &Scope::Project)?;
    for name in &obsolete {
        let path = folder.join(name);
        if prune {
            files::remove(folder, name)?;
        }
        let verb = if prune { "deleted" } else { "obsolete:" };
        writeln!(err, "{verb} {}", plain(&path.to_string_lossy()))?;
    }
    if !prune && !obsolete.is_empty() {
        writeln!(err, "to delete obsolete files, run `tfjob compile --prune`")?;
    }
    let count = |number: usize, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
    writeln!(err, "{}, {} changed", count(outputs.len(), "file"), changed.len())?;
    Ok(Outcome::Clean)
}

/// Returns the file that tells Git about the output directory: the files are generated, and have the same line ends on each machine.
/// `None` if the directory has a file with other attributes, which is kept.
pub fn attributes(folder: &Path) -> Option<Output> {
    let file = Output {
        path: ".gitattributes".to_owned(),
        bytes: b"* text eol=lf linguist-generated\n".to_vec(),
        executable: false,
    };
    let path = folder.join(&file.path);
    Some(file).filter(|file| path.symlink_metadata().is_err() || files::same(&path, file))
}
