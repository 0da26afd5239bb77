//! Reads specs of a Git revision, through the program `git`.
//!
//! Only objects are read, and of the index only the submodules and the files that are not checked out: `git` runs no hooks and no filters.
mod directory;
mod git;
mod index;
mod names;
mod submodules;

use super::work_tree::without_dots;
use crate::outcome::Failure;
use crate::terminal::plain;
use directory::Directory;
use git::{Blobs, git, text};
use names::Listed;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tfjob_lang::syntax::guard::MAX_BYTES;

pub use git::is_sparse;
pub use git::parse_range;
pub use index::{Absence, NotCheckedOut};
pub use submodules::{Repository, Uncompared};

/// Maximum length of the target of a symbolic link in bytes, as in Linux.
const MAX_LINK: usize = 4096;

/// Maximum number of symbolic links in a path, as in Linux.
const MAX_LINKS: usize = 40;

/// Name of the directory with the files of a revision, in its temporary directory.
const TREE: &str = "tree";

/// The specs of a Git revision in a temporary directory, which is deleted when dropped.
#[derive(Debug)]
pub struct Revision {
    /// The revision, as reports name it.
    pub name: String,
    /// The directory that corresponds to the current directory.
    pub directory: PathBuf,
    /// The directory that corresponds to the root of the repository.
    pub root: PathBuf,
    /// The submodules, each with its commit. Their files are not extracted.
    submodules: BTreeMap<PathBuf, String>,
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
        // Marks the root of the project directory, as in a repository: base files outside of it are refused.
        temporary.write(|| write(&root.join(".git"), b""))?;
        let mut blobs = Blobs::open()?;
        let listed = names::listed(&git(["ls-tree", "-r", "-z", "--full-tree", &commit])?);
        let links = links(&listed, &mut blobs)?;
        let ends: BTreeMap<&Path, &Path> = links.iter().map(|(link, _, end)| (&**link, &**end)).collect();
        let linked = links.iter().filter(|(link, ..)| names::is_wanted(link));
        let linked = linked.filter_map(|(.., end)| listed.others.get_key_value(followed(end, &ends)));
        for (path, object) in listed.wanted.iter().chain(linked) {
            let bytes = blobs.read(object, MAX_BYTES + 1)?;
            temporary.write(|| write(&root.join(path), &bytes))?;
        }
        // The links come last, so that no file is written through a link.
        for (link, target, _) in &links {
            temporary.write(|| create_link(&root.join(link), target))?;
        }
        temporary.write(|| fs::create_dir_all(&directory)).map_err(cannot_extract)?;
        let submodules = listed.submodules;
        Ok(Self { name: name.to_owned(), directory, root, submodules, top, _temporary: temporary })
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

/// A symbolic link: its path, its target as it is written, and the path to which it leads.
type Link = (PathBuf, PathBuf, PathBuf);

/// Returns the symbolic links that stay in the revision.
fn links(listed: &Listed, blobs: &mut Blobs) -> Result<Vec<Link>, Failure> {
    let mut links = Vec::new();
    for (link, object) in &listed.links {
        let target = names::path(&blobs.read(object, MAX_LINK)?);
        if let Some(end) = names::end(link, &target) {
            links.push((link.clone(), target, end));
        }
    }
    Ok(links)
}

/// Returns the path to which a path leads if it is a link itself. `ends`: where each link leads.
fn followed<'l>(mut end: &'l Path, ends: &BTreeMap<&'l Path, &'l Path>) -> &'l Path {
    // Links that lead to each other have no end.
    for _ in 0..MAX_LINKS {
        let Some(next) = ends.get(end) else { break };
        end = next;
    }
    end
}

#[cfg(unix)]
fn create_link(path: &Path, target: &Path) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(cannot_extract)?;
    }
    std::os::unix::fs::symlink(target, path).map_err(cannot_extract)
}

#[cfg(not(unix))]
fn create_link(_path: &Path, _target: &Path) -> Result<(), Failure> {
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(cannot_extract)?;
    }
    fs::write(path, bytes).map_err(cannot_extract)
}

fn cannot_extract(error: std::io::Error) -> Failure {
    Failure::at("cannot extract the revision to", Path::new(&std::env::temp_dir()), &error)
}
