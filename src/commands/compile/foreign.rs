//! Files in the directory of an environment that tfjob did not write and that are not in the directory of a job and target. A GitOps
//! tool that deploys all directories of an environment would deploy them too.
use super::obsolete::{self, Scope};
use super::{Made, attributes};
use crate::files;
use crate::outcome::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tfjob_lang::lowered::SHARED;

/// Returns the directories, links, and files that are not generated, as paths below the output directory, each with its first file.
/// A file directly in the directory of an environment, such as a `kustomization.yaml` for all jobs, is not returned. `obsolete`:
/// the files that tfjob has written, but no longer generates.
///
/// # Errors
/// Returns an error if a directory cannot be read.
pub fn all(
    folder: &Path,
    made: &[Made],
    scope: &Scope,
    obsolete: &[String],
) -> Result<BTreeMap<String, String>, Failure> {
    let mut found = BTreeMap::new();
    let environments = match scope {
        Scope::Project(environments) if !environments.is_empty() => environments,
        Scope::Project(_) | Scope::Jobs => return Ok(found),
    };
    let shared: BTreeSet<String> = made.iter().flat_map(Made::shared_paths).collect();
    let known = |name: &String| {
        obsolete.contains(name)
            || shared.contains(name)
            || made.iter().any(|one| obsolete::contains(&one.folder, name))
    };
    let has_files = |directory: &str| {
        let mut all = made.iter().map(|one| &one.folder).chain(&shared);
        all.any(|path| obsolete::contains(directory, path))
    };
    // Attributes in the directory of a job have their own finding.
    let attributes = attributes::foreign(folder, made, scope);
    let is_unknown = |name: &String| !known(name) && !attributes.contains(name);
    for name in files::list(folder, "")?.into_iter().filter(is_unknown) {
        let Some((environment, rest)) = name.split_once('/') else { continue };
        if !environments.iter().any(|known| known == environment) {
            continue;
        }
        let below = |count: usize| {
            let parts: Vec<&str> = name.split('/').take(1 + count).collect();
            parts.join("/")
        };
        let unit = match rest.split('/').collect::<Vec<_>>().as_slice() {
            // A link in the place of the directory of a job is not reported here: the comparison of that job reports it.
            [_] if folder.join(&name).is_symlink() && !has_files(&name) => name.clone(),
            [_] => continue,
            [SHARED, _, _, ..] if has_files(&below(2)) => name.clone(),
            // The directory of a job and target: the comparison of that job reports it.
            [_, _, ..] if has_files(&below(2)) => continue,
            [SHARED, ..] => below(2),
            [_, ..] if has_files(&below(1)) => below(2),
            [..] => below(1),
        };
        found.entry(unit).or_insert(name);
    }
    Ok(found)
}
