//! Specs that the sparse checkout excludes: the work tree has them in the index only. So their jobs are not compared, and not removed.
use super::sides::Side;
use crate::files::{self, Revision};
use crate::outcome::Failure;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Removes the excluded specs from the old version, and adds them to the list of the new version, the work tree. Also those that the old
/// version does not have. `named`: the specs of the command line, as paths of the old version.
///
/// # Errors
/// Returns an error if `git` cannot read the index.
pub fn exclude(
    old: &Revision,
    named: &[PathBuf],
    before: &mut Side,
    after: &mut Side,
) -> Result<(), Failure> {
    let excluded = old.excluded()?;
    if excluded.is_empty() {
        return Ok(());
    }
    let mut found: BTreeSet<PathBuf> = BTreeSet::new();
    before.retain(&mut |spec| match old.below(spec).filter(|path| excluded.contains(path)) {
        Some(path) => {
            found.insert(path);
            false
        }
        None => true,
    });
    let home = if after.root == Path::new("") { Path::new(".") } else { &after.root };
    let wanted: Vec<PathBuf> = match named {
        [] => old.below_top(home).into_iter().collect(),
        named => named.iter().filter_map(|path| old.below(path)).collect(),
    };
    let is_new = |path: &&PathBuf| {
        files::is_spec(&path.to_string_lossy())
            && wanted.iter().any(|above| path.starts_with(above))
            && !files::exists(&old.root.join(path))
    };
    found.extend(excluded.iter().filter(is_new).cloned());
    after.excluded = found.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    Ok(())
}
