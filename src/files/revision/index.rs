//! The index of a repository: its submodules, and the files that the work tree does not have.
use super::Revision;
use super::git::{git, git_in};
use super::submodules::{is_checked_out, real};
use crate::outcome::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A part of the index: entries below a directory, with paths relative to it.
#[derive(Debug, Default)]
pub struct Index {
    /// The files that the sparse checkout excludes.
    sparse: BTreeSet<String>,
    /// The submodules, each with its commit.
    pub submodules: BTreeMap<String, String>,
    /// The submodules whose index `git` cannot read, each with the error.
    pub unreadable: BTreeMap<String, String>,
}

/// The command that lists the index, with what is not checked out.
const LIST: [&str; 4] = ["ls-files", "-z", "-t", "--stage"];

impl Index {
    /// Reads the index, and those of the submodules that are checked out.
    ///
    /// # Errors
    /// Returns an error if `git` cannot be started, or fails in the repository of the directory.
    fn of(directory: &Path) -> Result<Self, Failure> {
        let [command, ends, tags, stage] = LIST;
        let listed = git(["-C", &directory.to_string_lossy(), command, ends, tags, stage])?;
        let mut found = Self::read(&String::from_utf8_lossy(&listed));
        let mut pending: Vec<String> = found.submodules.keys().cloned().collect();
        while let Some(path) = pending.pop() {
            let Some(submodule) = real(directory, Path::new(&path)) else { continue };
            let listed = match git_in(Some(&submodule), LIST) {
                Ok(listed) => listed,
                Err(failure) => {
                    found.unreadable.insert(path, failure.to_string());
                    continue;
                }
            };
            let below = Self::read(&String::from_utf8_lossy(&listed));
            let whole = |inner: String| format!("{path}/{inner}");
            pending.extend(below.submodules.keys().cloned().map(whole));
            found
                .submodules
                .extend(below.submodules.into_iter().map(|(inner, commit)| (whole(inner), commit)));
            found.sparse.extend(below.sparse.into_iter().map(whole));
        }
        Ok(found)
    }

    /// Reads lines of the form `TAG MODE OBJECT STAGE`, a tab, and a path.
    fn read(listed: &str) -> Self {
        let mut found = Self::default();
        for (fields, path) in listed.split_terminator('\0').filter_map(|line| line.split_once('\t')) {
            let mut fields = fields.split(' ');
            match (fields.next(), fields.next(), fields.next()) {
                (_, Some("160000"), Some(commit)) => {
                    found.submodules.insert(path.to_owned(), commit.to_owned());
                }
                // Lower case: also "assume unchanged".
                (Some("S" | "s"), _, _) => drop(found.sparse.insert(path.to_owned())),
                (_, _, _) => {}
            }
        }
        found
    }
}

impl Revision {
    /// Returns the index of the work tree. It is read once.
    ///
    /// # Errors
    /// Returns an error if `git` cannot be started, or fails.
    pub(super) fn index(&self) -> Result<&Index, Failure> {
        match self.index.get() {
            Some(index) => Ok(index),
            None => {
                let read = Index::of(&self.top)?;
                Ok(self.index.get_or_init(|| Box::new(read)))
            }
        }
    }

    /// Returns the files that the sparse checkout excludes from the work tree, as paths below the root of the repository.
    ///
    /// # Errors
    /// Returns an error if `git` cannot be started, or fails.
    pub fn excluded(&self) -> Result<BTreeSet<PathBuf>, Failure> {
        let all = self.index()?.sparse.iter().map(PathBuf::from);
        Ok(all.filter(|path| !self.top.join(path).exists()).collect())
    }
}

/// Returns whether a directory looks like one of a repository, without `git`. An empty directory `.git` is none.
fn is_in_repository(directory: &Path) -> bool {
    let exists = |path: PathBuf| path.symlink_metadata().is_ok();
    let is_git = |path: PathBuf| path.is_file() || exists(path.join("HEAD"));
    let Ok(whole) = fs::canonicalize(directory) else { return true };
    whole.ancestors().any(|above| is_git(above.join(".git")))
}

/// The files and submodules of a directory that are not checked out, as paths relative to this directory.
#[derive(Debug, Default)]
pub struct NotCheckedOut(Index);

/// Why a file is not in the work tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence<'a> {
    /// The sparse checkout excludes the file.
    Sparse,
    /// The submodule at this path is not checked out.
    Submodule(&'a str),
    /// `git` cannot read the submodule at this path.
    Unreadable(&'a str),
}

impl NotCheckedOut {
    /// Reads the index: nothing outside of a repository.
    ///
    /// # Errors
    /// Returns an error if the directory is in a repository, and `git` cannot be started, or fails.
    pub fn of(directory: &Path) -> Result<Self, Failure> {
        let mut found = match Index::of(directory) {
            Err(_) if !is_in_repository(directory) => Index::default(),
            other => other?,
        };
        let is_known =
            |path: &str| is_checked_out(&directory.join(path)) && !found.unreadable.contains_key(path);
        found.submodules.retain(|path, _| !is_known(path));
        Ok(Self(found))
    }

    /// Returns why a file is not in the work tree. `None` if the repository does not have it, or if it is checked out.
    pub fn why(&self, path: &str) -> Option<Absence<'_>> {
        let is_above =
            |module: &&String| path.strip_prefix(module.as_str()).is_some_and(|rest| rest.starts_with('/'));
        let module = self.0.submodules.keys().find(is_above);
        let sparse = || self.0.sparse.contains(path).then_some(Absence::Sparse);
        match module {
            Some(module) if self.0.unreadable.contains_key(module) => Some(Absence::Unreadable(module)),
            Some(module) => Some(Absence::Submodule(module)),
            None => sparse(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Absence, Index, NotCheckedOut};

    #[test]
    fn the_index_tells_what_is_not_checked_out() {
        let listed = "H 160000 cf1c 0\tp/sm\0S 100644 7898 0\tx y/a.kdl\0H 100644 7898 0\tb.kdl\0s 100644 78 0\tc.kdl\0";
        let found = NotCheckedOut(Index::read(listed));
        for (path, why) in [
            ("x y/a.kdl", Some(Absence::Sparse)),
            ("c.kdl", Some(Absence::Sparse)),
            ("p/sm/a.kdl", Some(Absence::Submodule("p/sm"))),
            ("p/smaller/a.kdl", None),
            ("b.kdl", None),
            ("d.kdl", None),
        ] {
            assert_eq!(found.why(path), why, "{path}");
        }
        assert_eq!(found.0.submodules["p/sm"], "cf1c");
    }
}
