//! Reads specs of a Git revision, through the program `git`.
//!
//! Only objects are read, and of the index only the submodules and the files that are not checked out: `git` runs no hooks and no filters.
mod directory;
mod git;
mod index;
mod names;
mod submodules;
mod trees;

use super::work_tree::without_dots;
use crate::outcome::Failure;
use crate::terminal::plain;
use directory::Directory;
use git::{git, text};
use index::Index;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use submodules::Submodule;

pub use git::is_sparse;
pub use git::parse_range;
pub use index::{Absence, NotCheckedOut};
pub use submodules::{Repository, Uncompared, Unread};

/// Name of the directory with the files of a revision, in its temporary directory.
const TREE: &str = "tree";

/// The specs of a Git revision and of its submodules in a temporary directory, which is deleted when dropped.
#[derive(Debug)]
pub struct Revision {
    /// The revision, as reports name it.
    pub name: String,
    /// The directory that corresponds to the current directory.
    pub directory: PathBuf,
    /// The directory that corresponds to the root of the repository.
    pub root: PathBuf,
    /// The submodules, also those of other submodules.
    submodules: BTreeMap<PathBuf, Submodule>,
    /// The index of the work tree, if it was read.
    index: OnceCell<Box<Index>>,
    /// Root of the work tree of the repository.
    top: PathBuf,
    _temporary: Directory,
}

impl Revision {
    /// Extracts the specs of a revision. `name`: how reports name it.
    ///
    /// # Errors
    /// Returns an error if `git` cannot be started, the current directory is not in a repository, the revision does not exist, or
    /// the files cannot be written.
    pub fn extract(revision: &str, name: &str) -> Result<Self, Failure> {
        let commit = git::commit(revision)?;
        let below = text(&git(["rev-parse", "--show-prefix"])?);
        let top = PathBuf::from(text(&git(["rev-parse", "--show-toplevel"])?));
        let temporary = Directory::create().map_err(cannot_extract)?;
        let root = temporary.path().join(TREE);
        // Without a separator at the end.
        let directory: PathBuf = root.join(below).components().collect();
        let submodules = trees::extract(&top, commit, &root, &temporary)?;
        temporary.write(|| fs::create_dir_all(&directory)).map_err(cannot_extract)?;
        Ok(Self {
            name: name.to_owned(),
            directory,
            root,
            submodules,
            index: OnceCell::new(),
            top,
            _temporary: temporary,
        })
    }

    /// Returns the path in this revision of a path on the command line.
    ///
    /// # Errors
    /// Returns an error if the path is outside of the repository.
    pub fn path(&self, path: &Path) -> Result<PathBuf, Failure> {
        let here =
            fs::canonicalize(".").map_err(|error| Failure::at("cannot read", Path::new("."), &error))?;
        let whole = without_dots(&here.join(path));
        let top = fs::canonicalize(&self.top).unwrap_or_else(|_| self.top.clone());
        match whole.strip_prefix(top) {
            Ok(below) => Ok(self.root.join(below)),
            Err(_) => Err(Failure::new(format!(
                "`{}` is outside of the repository of `{}`",
                plain(&path.to_string_lossy()),
                plain(&self.name)
            ))),
        }
    }

    /// Returns the path below the root of the repository of a file of this revision, which may not exist.
    #[must_use]
    pub fn below(&self, path: &Path) -> Option<PathBuf> {
        without_dots(path).strip_prefix(&self.root).ok().map(Path::to_path_buf)
    }

    /// Returns the path below the root of the repository of a file of the work tree, without symbolic links.
    #[must_use]
    pub fn below_top(&self, path: &Path) -> Option<PathBuf> {
        let top = fs::canonicalize(&self.top).ok()?;
        fs::canonicalize(path).ok()?.strip_prefix(top).ok().map(Path::to_path_buf)
    }

    /// Returns a text in which the files of this revision have the names that they have in the repository.
    #[must_use]
    pub fn renamed(&self, text: &str) -> String {
        // The name of the temporary directory is random, so the text contains it only in names of files.
        let root = self.root.display().to_string();
        text.replace(&format!("{root}{}", std::path::MAIN_SEPARATOR), "").replace(&root, ".")
    }
}

fn cannot_extract(error: std::io::Error) -> Failure {
    Failure::at("cannot extract the revision to", Path::new(&std::env::temp_dir()), &error)
}
