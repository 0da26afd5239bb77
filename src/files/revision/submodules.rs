//! Submodules of a revision, and other repositories below the directory.
use super::Revision;
use crate::outcome::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A repository whose files are not read, so that its specs are not compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uncompared {
    /// Its path below the root of the repository.
    pub path: String,
    /// Why its files are not read.
    pub kind: Repository,
}

/// Reasons why the files of a repository are not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Repository {
    /// A submodule that is not checked out.
    NotCheckedOut,
    /// A submodule that only the old version has.
    Removed,
    /// A submodule of which `git` cannot read a commit, with the error.
    Unreadable(String),
    /// A repository with specs that is not a submodule.
    Nested,
}

/// A submodule of a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submodule {
    /// ID of its commit.
    pub commit: String,
    /// Why its files are not read. `None` if they are.
    pub unread: Option<Unread>,
}

/// Why the files of a submodule are not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unread {
    /// It is not checked out, so there is no repository of it.
    NotCheckedOut,
    /// `git` fails with this error, such as in a shallow clone.
    Failed(String),
}

/// Returns whether the files of a submodule are in the work tree.
pub fn is_checked_out(directory: &Path) -> bool {
    directory.join(".git").symlink_metadata().is_ok()
}

/// Returns the directory of a submodule that is checked out. `None` also if a symbolic link leads to it: the link may come from a
/// repository that nobody has reviewed, and reports show parts of the files.
pub fn real(top: &Path, path: &Path) -> Option<PathBuf> {
    let directory = fs::canonicalize(top).ok()?.join(path);
    let is_real = fs::canonicalize(&directory).is_ok_and(|real| real == directory);
    (is_real && is_checked_out(&directory)).then_some(directory)
}

impl Revision {
    /// Returns the first submodule whose files are not read, with the reason.
    #[must_use]
    pub fn unread(&self) -> Option<(String, Unread)> {
        let mut all = self.submodules.iter();
        all.find_map(|(path, module)| Some((path.to_string_lossy().into_owned(), module.unread.clone()?)))
    }

    /// Returns the submodules that may have changed specs since this revision and whose files are not read, and the repositories `found` in
    /// the work tree that are no submodules. `other`: the other revision; without it, the work tree.
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
            None => self.checked_out()?,
        };
        let all: BTreeSet<&PathBuf> = self.submodules.keys().chain(new.keys()).collect();
        let judged = all.iter().filter_map(|path| {
            Some(((*path).clone(), judge(self.submodules.get(*path), new.get(*path), other.is_none())?))
        });
        let mut uncompared: BTreeMap<PathBuf, Repository> = judged.collect();
        let top = fs::canonicalize(&self.top).unwrap_or_else(|_| self.top.clone());
        let below = found.iter().map(|root| root.strip_prefix(&top).unwrap_or(root).to_path_buf());
        uncompared.extend(below.map(|path| (path, Repository::Nested)));
        let named =
            |(path, kind): (PathBuf, _)| Uncompared { path: path.to_string_lossy().into_owned(), kind };
        Ok(uncompared.into_iter().map(named).collect())
    }

    /// Returns the directories of the submodules of the work tree, including submodules of submodules.
    ///
    /// # Errors
    /// Returns an error if `git` cannot read the index.
    pub fn submodule_directories(&self) -> Result<BTreeSet<PathBuf>, Failure> {
        let top = fs::canonicalize(&self.top).unwrap_or_else(|_| self.top.clone());
        Ok(self.checked_out()?.into_keys().map(|path| top.join(path)).collect())
    }

    /// Returns the submodules of the work tree.
    fn checked_out(&self) -> Result<BTreeMap<PathBuf, Submodule>, Failure> {
        let index = self.index()?;
        let submodule = |(path, commit): (&String, &String)| {
            let failed = index.unreadable.get(path).map(|error| Unread::Failed(error.clone()));
            let is_absent = !is_checked_out(&self.top.join(path));
            let unread = failed.or(is_absent.then_some(Unread::NotCheckedOut));
            (PathBuf::from(path), Submodule { commit: commit.clone(), unread })
        };
        Ok(index.submodules.iter().map(submodule).collect())
    }
}

/// Returns why the specs of a submodule are not compared. `None` if they are, or if both versions have the same files. `is_work_tree`:
/// whether the new version consists of the files in the directory, which may have changed since the commit.
fn judge(old: Option<&Submodule>, new: Option<&Submodule>, is_work_tree: bool) -> Option<Repository> {
    let is_equal = old.map(|old| &old.commit) == new.map(|new| &new.commit);
    let is_absent = |module: &Submodule| module.unread == Some(Unread::NotCheckedOut);
    if is_equal && (!is_work_tree || new.is_some_and(is_absent)) {
        return None;
    }
    let unread = old.into_iter().chain(new).find_map(|module| module.unread.as_ref())?;
    Some(match unread {
        Unread::NotCheckedOut if new.is_none() => Repository::Removed,
        Unread::NotCheckedOut => Repository::NotCheckedOut,
        Unread::Failed(error) => Repository::Unreadable(error.clone()),
    })
}
