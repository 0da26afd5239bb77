//! Directories for logs, events, and status files behind a link or a mount, which several runs may share. Locks prevent two runs
//! from writing to the same file.
use super::{RunContext, mounts};
use crate::outcome::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Name prefix of a lock file. The lock file lists the files that a run writes in the directory, and is locked during the run.
const NAME: &str = ".tfjob-run-";

/// File name extensions of the files of a task: log, events, status.
pub const ENDINGS: [&str; 3] = ["log", "jsonl", "json"];

/// Locks the files of these tasks in shared directories. In each directory, the files with all extensions are locked, because the
/// start of a run moves all of them.
///
/// # Errors
/// Returns an error if another run writes to one of the files, or has locked the directory.
pub fn hold(context: &RunContext, tasks: &[String]) -> Result<Vec<File>, Failure> {
    let files: BTreeSet<String> =
        tasks.iter().flat_map(|task| ENDINGS.map(|ending| format!("{task}.{ending}"))).collect();
    // Several links or mounts may point to the same directory, so each directory is counted once.
    let own: BTreeSet<_> =
        own(context).into_iter().chain([context.folder.clone()]).filter_map(identity).collect();
    let places: BTreeMap<_, PathBuf> = directories(context)
        .filter(|path| mounts::leads_elsewhere(path))
        .filter_map(|path| Some((identity(&path)?, fs::canonicalize(path).ok()?)))
        .collect();
    let mut locks = Vec::new();
    for (identity, place) in places {
        if !own.contains(&identity) {
            locks.extend(lock_directory(&place, File::try_lock_shared)?);
        }
        locks.extend(hold_in(&place, &files)?.map(|held| held.lock));
    }
    Ok(locks)
}

/// Locks the directories of this run, because the start of a run moves them with their content.
///
/// # Errors
/// Returns an error if an active run has a link to one of the directories.
pub fn hold_own(context: &RunContext) -> Result<Vec<File>, Failure> {
    let locks: Result<Vec<_>, _> =
        own(context).iter().map(|path| lock_directory(path, File::try_lock)).collect();
    Ok(locks?.into_iter().flatten().collect())
}

fn directories(context: &RunContext) -> impl Iterator<Item = PathBuf> {
    ["logs", "events", "status"]
        .into_iter()
        .map(|name| context.folder.join(name))
        .filter(|path| path.is_dir())
}

fn own(context: &RunContext) -> Vec<PathBuf> {
    directories(context).filter(|path| !mounts::leads_elsewhere(path)).collect()
}

fn identity(path: impl AsRef<Path>) -> Option<(u64, u64)> {
    fs::metadata(path).ok().map(|about| (about.dev(), about.ino()))
}

/// Locks a directory. `None` without read permission, or if the file system does not support locks.
fn lock_directory(
    place: &Path,
    lock: fn(&File) -> Result<(), TryLockError>,
) -> Result<Option<File>, Failure> {
    let Ok(directory) = File::open(place) else { return Ok(None) };
    match lock(&directory) {
        Err(TryLockError::WouldBlock) => Err(taken(place)),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(directory)),
    }
}

fn taken(path: &Path) -> Failure {
    Failure::new(format!(
        "another run writes to `{}`: wait for it to finish, or use another `--directory`",
        path.display()
    ))
}

/// Returns the names of the files in this directory that active runs write, including this run.
pub fn under_way(place: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    let locks = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(NAME));
    locks.flat_map(|lock| written(&lock.path())).collect()
}

/// The files that this run has locked, as long as this value exists.
pub struct Held {
    path: PathBuf,
    lock: File,
}

impl Held {
    /// Unlocks the files, and removes the lock file.
    pub fn release(self) {
        // An error is ignored: a later run removes the lock file.
        let _ = fs::remove_file(&self.path);
    }
}

/// Locks files in a directory. `None` if locks are not supported. The lock file is written before the lock files of other runs
/// are checked. So if two runs start at the same time, at least one detects the other.
///
/// # Errors
/// Returns an error if another run writes to one of the files.
pub fn hold_in(place: &Path, files: &BTreeSet<String>) -> Result<Option<Held>, Failure> {
    let lines: String = files.iter().map(|file| format!("{file}\n")).collect();
    let mut held = new(place).map(|(path, lock)| Held { path, lock });
    // `claimed` fails if the file system has no locks, so that other runs cannot be detected, or if the disk is full. The
    // run continues in both cases, and a full disk is reported with the logs.
    if let Some(unlocked) = held.take_if(|held| !claimed(&mut held.lock, &lines)) {
        unlocked.release();
    }
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    let others = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(NAME));
    let others = others.map(|entry| entry.path());
    for other in others.filter(|other| held.as_ref().is_none_or(|held| held.path != *other)) {
        let both: Vec<PathBuf> = written(&other)
            .into_iter()
            .filter(|file| files.contains(file))
            .map(|file| place.join(file))
            .collect();
        if !both.is_empty() {
            if let Some(held) = held {
                held.release();
            }
            // The other run may not have created the file yet. The message then names the directory.
            return Err(taken(both.iter().find(|path| path.exists()).map_or(place, PathBuf::as_path)));
        }
    }
    Ok(held)
}

/// Locks the file, then writes it. Returns whether both succeeded. The wait for the lock is short: another run holds it only while
/// that run checks the file.
fn claimed(lock: &mut File, lines: &str) -> bool {
    lock.lock().is_ok() && lock.write_all(lines.as_bytes()).is_ok()
}

fn new(place: &Path) -> Option<(PathBuf, File)> {
    (std::process::id()..).find_map(|number| {
        let path = place.join(format!("{NAME}{number}"));
        match File::options().create_new(true).read(true).write(true).open(&path) {
            Ok(file) => Some(Some((path, file))),
            // The name is taken: a process of another container may have the same PID. So the next higher number is tried.
            Err(e) if e.kind() == ErrorKind::AlreadyExists => None,
            Err(_) => Some(None),
        }
    })?
}

/// Returns the files that another run writes, if that run is active. Removes the lock file of a finished run.
fn written(path: &Path) -> Vec<String> {
    let mut lines = String::new();
    // The file is opened for reading, because a file of another user cannot be opened for writing. The lock is shared, so that
    // two runs that check the file do not block each other.
    let Ok(mut file) = File::open(path) else { return Vec::new() };
    let locked = file.try_lock_shared();
    if file.read_to_string(&mut lines).is_err() {
        return Vec::new();
    }
    match locked {
        Err(TryLockError::WouldBlock) => lines.lines().map(str::to_owned).collect(),
        Ok(()) => {
            // An empty file is kept, because another run may be about to lock it.
            if !lines.is_empty() {
                let _ = fs::remove_file(path);
            }
            Vec::new()
        }
        Err(TryLockError::Error(_)) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{claimed, written};
    use std::fs::File;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn a_lock_that_another_run_only_looks_at_is_waited_for() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("lock");
        let mut own = File::create(&path).unwrap();
        let other = File::open(&path).unwrap();
        other.try_lock().unwrap();
        thread::scope(|scope| {
            scope.spawn(move || {
                thread::sleep(Duration::from_millis(100));
                other.unlock().unwrap();
            });
            assert!(claimed(&mut own, "a-0.log\n"));
        });
        assert!(File::open(&path).unwrap().try_lock().is_err());
    }

    #[test]
    fn two_starts_that_look_at_the_lock_of_a_former_run_do_not_take_each_other_for_it() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("lock");
        std::fs::write(&path, "a-0.log\n").unwrap();
        let other = File::open(&path).unwrap();
        other.try_lock_shared().unwrap();
        assert!(written(&path).is_empty());
        other.unlock().unwrap();
        std::fs::write(&path, "a-0.log\n").unwrap();
        let live = File::open(&path).unwrap();
        live.try_lock().unwrap();
        assert_eq!(written(&path), ["a-0.log"]);
    }
}
