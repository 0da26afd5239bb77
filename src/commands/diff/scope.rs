//! Which environments compile the specs of the command line, and which project files a comparison does not use.
use crate::files;
use crate::outcome::Failure;
use crate::project::Run;
use crate::selection::{self, Selection, Wanted};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tfjob_driver::files::PROJECT;

/// Removes the specs of the command line from the environments that do not have them. Without environments, all are kept.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub fn restrict(selection: &mut Selection, wanted: &Wanted<'_>) -> Result<(), Failure> {
    let environments = wanted.options.environments;
    if !selection.is_named || !environments.is_empty() || selection.project.is_none() {
        return Ok(());
    }
    let options = crate::project::Options { unsaved: wanted.options.unsaved.clone(), ..wanted.options };
    let all = selection::select(&Wanted { paths: &[], options, ..*wanted })?;
    for (run, own) in selection.runs.iter_mut().zip(&all.runs).filter(|(run, _)| run.environment.is_some()) {
        run.specs.retain(|spec| own.specs.iter().any(|other| files::same_file(&other.path, &spec.path)));
    }
    Ok(())
}

/// Returns the project files between the specs and the directory of a version without a project: none of them is used.
pub fn unused(runs: &[Run], root: &Path) -> BTreeSet<PathBuf> {
    let specs = runs.iter().flat_map(|run| &run.specs);
    specs.filter_map(|spec| nearest(&spec.path, root)).collect()
}

/// Returns the project file of the spec's directory or of its nearest parent below `root`.
fn nearest(spec: &Path, root: &Path) -> Option<PathBuf> {
    let folders = spec.ancestors().skip(1).take_while(|folder| {
        let folder = if *folder == Path::new("") { Path::new(".") } else { folder };
        folder != root && !files::same_file(folder, root)
    });
    folders.map(|folder| folder.join(PROJECT)).find(|file| files::exists(file))
}
