//! Which project files a comparison does not use.
use crate::files;
use crate::project::Run;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tfjob_driver::files::PROJECT;

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
