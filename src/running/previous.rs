//! Files that an earlier run has created: logs, events, status files, and the contract. They are moved to `previous/N`, either all
//! or none.
use super::folder::make;
use super::{mounts, shared};
use crate::outcome::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use tfjob_contract::Contract;

/// Name of the directory for the files of earlier runs.
const PREVIOUS: &str = "previous";
/// Names of the files and directories that a run creates. The next run moves them.
pub const OUTPUT: [&str; 4] = ["logs", "events", "status", "contract.json"];

/// Moves the files of the earlier run. `tasks`: the tasks of this run.
///
/// # Errors
/// Returns I/O errors. Then all moves are undone.
pub fn keep(folder: &Path, tasks: &[String]) -> Result<(), Failure> {
    let known = Tasks::of(folder, tasks);
    let is_left = |name: &&str| {
        let path = folder.join(name);
        if path.is_dir() && mounts::leads_elsewhere(&path) {
            return !known.output(&path).is_empty();
        }
        path.is_file() || fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some())
    };
    let left: Vec<&str> = OUTPUT.into_iter().filter(is_left).collect();
    if left.is_empty() {
        return Ok(());
    }
    let previous = folder.join(PREVIOUS);
    make(&previous)?;
    let entries = fs::read_dir(&previous).map_err(|e| Failure::at("cannot read", &previous, &e))?;
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u64>().ok());
    let number = numbers.max().unwrap_or(0).saturating_add(1).to_string();
    let to = previous.join(&number);
    make(&to)?;
    let mut moved = Vec::new();
    for name in left {
        let from = folder.join(name);
        if let Err(e) = known.moved(&from, (&number, &to.join(name)), &mut moved) {
            undo(&moved, &to);
            return Err(Failure::at("cannot move", &from, &e));
        }
    }
    Ok(())
}

/// Moves everything back as far as possible, so that the next run can try again.
fn undo(moved: &[(PathBuf, PathBuf)], number: &Path) {
    for (from, to) in moved.iter().rev() {
        let _ = relocate(to, from);
        let _ = to.parent().map(fs::remove_dir);
    }
    for link in OUTPUT.map(|name| number.join(name)).iter().filter(|link| link.is_symlink() && link.is_dir())
    {
        let _ = fs::remove_file(link);
    }
    let _ = fs::remove_dir(number);
}

/// Moves a file or directory. Copies it if it cannot be renamed: `to` is on another file system, or `from` is in a lower layer
/// of an image (overlayfs).
fn relocate(from: &Path, to: &Path) -> std::io::Result<()> {
    match fs::rename(from, to) {
        Err(e) if e.kind() == ErrorKind::CrossesDevices => {}
        moved => return moved,
    }
    // The files of a mounted file system must not be deleted, so nothing may be mounted below `from`.
    mounts::none_below(from).map_err(|fault| Error::other(fault.to_string()))?;
    if let Err(e) = copy(from, to) {
        // Each run tries again, so incomplete copies would fill the disk if they were kept.
        let _ = remove(to);
        return Err(e);
    }
    remove(from)
}

/// Removes a file or a directory.
fn remove(path: &Path) -> std::io::Result<()> {
    if !fs::symlink_metadata(path)?.is_dir() {
        return fs::remove_file(path);
    }
    for entry in fs::read_dir(path)? {
        remove(&entry?.path())?;
    }
    fs::remove_dir(path)
}

/// Copies a file or directory to a path that does not exist.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    let kind = fs::symlink_metadata(from)?.file_type();
    if kind.is_dir() {
        fs::create_dir(to)?;
        fs::set_permissions(to, fs::symlink_metadata(from)?.permissions())?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
    } else if kind.is_symlink() {
        std::os::unix::fs::symlink(fs::read_link(from)?, to)?;
    } else if kind.is_file() {
        // Pipes and sockets are skipped: reading them would block.
        fs::copy(from, to)?;
    }
    Ok(())
}

/// The tasks whose files may be in a run directory.
struct Tasks {
    /// Tasks of this run, such as `worker-0`. This run has locked their files.
    own: BTreeSet<OsString>,
    /// Tasks that have a file in a directory of [`OUTPUT`]. A directory behind a link or a mount is skipped.
    seen: BTreeSet<OsString>,
    /// Roles of the earlier run, with their counts.
    roles: BTreeMap<String, u32>,
}

impl Tasks {
    fn of(folder: &Path, tasks: &[String]) -> Self {
        let directories = OUTPUT.into_iter().map(|name| folder.join(name));
        let directories = directories.filter(|path| !mounts::leads_elsewhere(path));
        let entries = directories.filter_map(|path| fs::read_dir(path).ok()).flatten().flatten();
        let seen = entries.filter_map(|entry| Some(entry.path().file_stem()?.to_owned())).collect();
        // If all directories are links or mounts, only the contract lists the tasks.
        let text = fs::read_to_string(folder.join("contract.json")).unwrap_or_default();
        let roles = Contract::read(&text).map(|contract| contract.roles).unwrap_or_default();
        let roles = roles.into_iter().map(|role| (role.name, role.count)).collect();
        Self { own: tasks.iter().map(OsString::from).collect(), seen, roles }
    }

    /// Returns the files of these tasks in a shared directory, such as `worker-0.log`. The directory may contain files of an active
    /// run too.
    fn output(&self, folder: &Path) -> Vec<PathBuf> {
        let others = shared::under_way(folder);
        let is_ours = |path: &PathBuf| {
            let known = shared::ENDINGS.iter().any(|known| path.extension().is_some_and(|own| own == *known));
            let name = path.file_name().and_then(|name| name.to_str());
            let stem = path.file_stem().unwrap_or_default();
            let task = stem.to_str().and_then(|stem| stem.rsplit_once('-'));
            let Some((role, Ok(index))) = task.map(|(role, index)| (role, index.parse::<u32>())) else {
                return false;
            };
            let earlier =
                self.seen.contains(stem) || self.roles.get(role).is_some_and(|count| index < *count);
            let free = name.is_some_and(|name| !others.contains(name));
            known && path.is_file() && (self.own.contains(stem) || earlier && free)
        };
        let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        entries.filter(is_ours).collect()
    }

    /// Moves one file or directory of [`OUTPUT`], and records each move in `moved`. If a directory is behind a link or a mount, its
    /// files stay on their file system.
    fn moved(
        &self,
        from: &Path,
        (number, to): (&str, &Path),
        moved: &mut Vec<(PathBuf, PathBuf)>,
    ) -> std::io::Result<()> {
        if !(from.is_dir() && mounts::leads_elsewhere(from)) {
            relocate(from, to)?;
            moved.push((from.to_path_buf(), to.to_path_buf()));
            return Ok(());
        }
        let there = fs::canonicalize(from)?;
        let mut below = there.join(PREVIOUS).join(number);
        for more in 1.. {
            if !below.exists() {
                break;
            }
            below = there.join(PREVIOUS).join(format!("{number}.{more}"));
        }
        fs::create_dir_all(&below)?;
        let files = self.output(&there);
        // This run has already locked its own files. Another run may start now and write to one of the other files, so the other
        // files are locked too.
        let others =
            files.iter().filter(|path| !path.file_stem().is_some_and(|stem| self.own.contains(stem)));
        let others = others.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect();
        let held = shared::hold_in(&there, &others).map_err(|fault| Error::other(fault.to_string()))?;
        for path in files {
            let kept = below.join(path.file_name().unwrap_or_default());
            fs::rename(&path, &kept)?;
            moved.push((path, kept));
        }
        if let Some(held) = held {
            held.release();
        }
        std::os::unix::fs::symlink(&below, to)
    }
}
