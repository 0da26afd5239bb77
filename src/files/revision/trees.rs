//! Writes the specs of a commit, and those of the commits of its submodules, to a directory.
use super::cannot_extract;
use super::directory::Directory;
use super::git::{Blobs, git_in};
use super::names::{self, Listed};
use super::submodules::{self, Submodule, Unread};
use crate::outcome::Failure;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tfjob_lang::syntax::guard::MAX_BYTES;

/// Maximum length of the target of a symbolic link in bytes, as in Linux.
const MAX_LINK: usize = 4096;

/// Maximum number of symbolic links in a path, as in Linux.
const MAX_LINKS: usize = 40;

/// Writes the files to `root`. `top`: the root of the work tree, which has the repositories of the submodules. Returns the submodules.
///
/// # Errors
/// Returns an error if `git` cannot read the commit of the repository, or a file cannot be written.
pub fn extract(
    top: &Path,
    commit: String,
    root: &Path,
    into: &Directory,
) -> Result<BTreeMap<PathBuf, Submodule>, Failure> {
    let listed = list(None, &commit)?;
    let mut links = Vec::new();
    let mut pending = files(None, &listed, root, into, &mut links).map_err(Fault::failure)?;
    let mut found = BTreeMap::new();
    while let Some((path, commit)) = pending.pop() {
        let directory = submodules::real(top, &path);
        let own = directory.as_deref().map(|directory| {
            let listed = list(Some(directory), &commit).map_err(Fault::Git)?;
            files(Some(directory), &listed, &root.join(&path), into, &mut links)
        });
        let unread = match own {
            Some(Ok(own)) => {
                pending.extend(own.into_iter().map(|(below, commit)| (path.join(below), commit)));
                None
            }
            Some(Err(Fault::Git(failure))) => Some(Unread::Failed(failure.to_string())),
            Some(Err(Fault::Written(failure))) => return Err(failure),
            None => Some(Unread::NotCheckedOut),
        };
        found.insert(path, Submodule { commit, unread });
    }
    // The links come last, so that no file is written through a link.
    for (link, target) in &links {
        into.write(|| create_link(link, target))?;
    }
    Ok(found)
}

/// Why the files of a commit cannot be written.
enum Fault {
    /// `git` cannot read the commit or an object.
    Git(Failure),
    /// A file cannot be written.
    Written(Failure),
}

impl Fault {
    fn failure(self) -> Failure {
        match self {
            Self::Git(failure) | Self::Written(failure) => failure,
        }
    }
}

/// Returns the files of a commit of the repository, or of a submodule.
fn list(submodule: Option<&Path>, commit: &str) -> Result<Listed, Failure> {
    Ok(names::listed(&git_in(submodule, ["ls-tree", "-r", "-z", "--full-tree", commit])?))
}

/// Writes the files of the repository, or of a submodule, to `root`. Adds its links, each with its target, and returns its submodules, each
/// with its commit.
fn files(
    submodule: Option<&Path>,
    listed: &Listed,
    root: &Path,
    into: &Directory,
    all_links: &mut Vec<(PathBuf, PathBuf)>,
) -> Result<Vec<(PathBuf, String)>, Fault> {
    // Marks the root of the project directory, as in a repository: base files outside of it are refused.
    into.write(|| write(&root.join(".git"), b"")).map_err(Fault::Written)?;
    let mut blobs = Blobs::open(submodule).map_err(Fault::Git)?;
    let links = links(listed, &mut blobs).map_err(Fault::Git)?;
    let ends: BTreeMap<&Path, &Path> = links.iter().map(|(link, _, end)| (&**link, &**end)).collect();
    let linked = links.iter().filter(|(link, ..)| names::is_wanted(link));
    let linked = linked.filter_map(|(.., end)| listed.others.get_key_value(followed(end, &ends)));
    for (path, object) in listed.wanted.iter().chain(linked) {
        let bytes = blobs.read(object, MAX_BYTES + 1).map_err(Fault::Git)?;
        into.write(|| write(&root.join(path), &bytes)).map_err(Fault::Written)?;
    }
    all_links.extend(links.iter().map(|(link, target, _)| (root.join(link), target.clone())));
    Ok(listed.submodules.clone().into_iter().collect())
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
