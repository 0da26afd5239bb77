//! Repositories below the repository of a comparison: their specs are not compared.
use super::super::specs::has_no_spec;
use super::Revision;
use super::git::git;
use super::index;
use super::names;
use crate::outcome::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use tfjob_driver::files::{is_cluster, is_spec};

/// A repository whose specs are not compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uncompared {
    /// Its path below the root of the repository.
    pub path: String,
    /// What is known about it.
    pub kind: Repository,
}

/// What is known about a repository below another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Repository {
    /// A submodule with specs.
    WithSpecs,
    /// A submodule that is not checked out.
    NotCheckedOut,
    /// A submodule that only the old version has.
    Removed,
    /// A submodule whose commits `git` cannot read, with its error.
    Unreadable(String),
    /// A repository with specs that is not a submodule.
    Nested,
}

/// Returns whether the files of a submodule are in the work tree.
pub fn is_checked_out(directory: &Path) -> bool {
    directory.join(".git").symlink_metadata().is_ok()
}

impl Revision {
    /// Returns the submodules that may have changed specs since this revision, and the repositories `found`. `other`: the other
    /// revision; without it, the work tree.
    ///
    /// # Errors
    /// Returns an error if `git` cannot read the index.
    pub fn uncompared(
        &self,
        other: Option<&Self>,
        found: &BTreeSet<PathBuf>,
    ) -> Result<Vec<Uncompared>, Failure> {
        let new = match other {
            Some(other) => other.submodules.clone(),
            None => index::submodules(&self.top)?,
        };
        let all: BTreeSet<&PathBuf> = self.submodules.keys().chain(new.keys()).collect();
        let judged = all.iter().filter_map(|path| {
            let commits = [&self.submodules, &new].map(|all| all.get(*path).map(String::as_str));
            Some(((*path).clone(), judge(&self.top.join(path), commits, other.is_none())?))
        });
        let mut uncompared: BTreeMap<PathBuf, Repository> = judged.collect();
        let top = fs::canonicalize(&self.top).unwrap_or_else(|_| self.top.clone());
        for root in found {
            let path = root.strip_prefix(&top).unwrap_or(root).to_path_buf();
            let kind = if all.contains(&path) { Repository::WithSpecs } else { Repository::Nested };
            uncompared.entry(path).or_insert(kind);
        }
        let named =
            |(path, kind): (PathBuf, _)| Uncompared { path: path.to_string_lossy().into_owned(), kind };
        Ok(uncompared.into_iter().map(named).collect())
    }
}

/// Returns what is known about a submodule. `None` if it has not changed, or has no specs. `commits`: those of both versions.
/// `is_work_tree`: whether the new version consists of the files in the directory, which may have changed since the commit.
fn judge(directory: &Path, commits: [Option<&str>; 2], is_work_tree: bool) -> Option<Repository> {
    let [old, new] = commits;
    match (is_checked_out(directory), old == new) {
        (false, true) => return None,
        (false, false) if new.is_none() => return Some(Repository::Removed),
        (false, false) => return Some(Repository::NotCheckedOut),
        (true, true) if !is_work_tree => return None,
        (true, _) if !has_no_spec(directory) => return Some(Repository::WithSpecs),
        (true, _) => {}
    }
    // The work tree has only the files of one commit.
    let compared = if is_work_tree { &commits[..1] } else { &commits };
    for commit in compared.iter().flatten() {
        match has_specs(directory, commit) {
            Ok(true) => return Some(Repository::WithSpecs),
            Ok(false) => {}
            Err(failure) => return Some(Repository::Unreadable(failure.to_string())),
        }
    }
    None
}

/// Returns whether a commit of a submodule has specs or cluster files.
///
/// # Errors
/// Returns an error if `git` cannot read the commit, such as in a shallow clone.
fn has_specs(directory: &Path, commit: &str) -> Result<bool, Failure> {
    let listed = git(["-C", &directory.to_string_lossy(), "ls-tree", "-r", "-z", "--full-tree", commit])?;
    let listed = names::listed(&listed);
    let mut files = listed.wanted.keys().chain(listed.links.keys());
    Ok(files.any(|path| is_spec(&path.to_string_lossy()) || is_cluster(path)))
}
