//! Output behind a link or a mount, where other runs may have theirs: no two runs write to one file there.
use super::{Ground, mounts};
use crate::outcome::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// What the file begins with that names the output of a run, and is locked as long as the run lasts.
const NAME: &str = ".tfjob-run-";

/// Holds the files of these tasks wherever the lock of the run's directory does not.
///
/// # Errors
/// Where another run writes one of them.
pub fn hold(ground: &Ground, tasks: &[String]) -> Result<Vec<File>, Failure> {
    // Several links may lead to one directory.
    let mut places: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
    for (name, ending) in [("logs", "log"), ("events", "jsonl"), ("status", "json")] {
        let path = ground.folder.join(name);
        if path.is_dir()
            && mounts::leads_elsewhere(&path)
            && let Ok(place) = fs::canonicalize(&path)
        {
            places.entry(place).or_default().extend(tasks.iter().map(|task| format!("{task}.{ending}")));
        }
    }
    let locks: Result<Vec<_>, _> = places.iter().map(|(place, files)| hold_in(place, files)).collect();
    Ok(locks?.into_iter().flatten().collect())
}

/// The files in this directory that a run writes which is under way, this one's among them.
pub fn under_way(place: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    let locks = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(NAME));
    locks.flat_map(|lock| written(&lock.path())).collect()
}

/// The lock is written before others are looked for: of two runs that start at the same moment, at least one sees the other.
fn hold_in(place: &Path, files: &BTreeSet<String>) -> Result<Option<File>, Failure> {
    // A directory where nothing can be written holds no other run's output.
    let Some((path, mut lock)) = new(place) else { return Ok(None) };
    let lines: String = files.iter().map(|file| format!("{file}\n")).collect();
    if !claimed(&mut lock, &lines) {
        // A file system without locks keeps no other run out, and a full disk is told with the logs.
        let _ = fs::remove_file(&path);
        return Ok(None);
    }
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    let others = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(NAME));
    for other in others.map(|entry| entry.path()).filter(|other| *other != path) {
        if let Some(file) = written(&other).into_iter().find(|file| files.contains(file)) {
            // Nobody else looks for it.
            let _ = fs::remove_file(&path);
            return Err(Failure::new(format!(
                "another run writes to `{}`: wait for its end, or name another `--folder`",
                place.join(file).display()
            )));
        }
    }
    Ok(Some(lock))
}

/// Locks the file, then writes it. Another run that holds the lock only looks whether it is locked, and lets go at once.
fn claimed(lock: &mut File, lines: &str) -> bool {
    lock.lock().is_ok() && lock.write_all(lines.as_bytes()).is_ok()
}

fn new(place: &Path) -> Option<(PathBuf, File)> {
    (std::process::id()..).find_map(|number| {
        let path = place.join(format!("{NAME}{number}"));
        match File::options().create_new(true).read(true).write(true).open(&path) {
            Ok(file) => Some(Some((path, file))),
            // A process of another container may have the same number.
            Err(e) if e.kind() == ErrorKind::AlreadyExists => None,
            Err(_) => Some(None),
        }
    })?
}

/// The files that another run writes, if it is under way. What a former run has left is removed.
fn written(path: &Path) -> Vec<String> {
    let mut lines = String::new();
    let Ok(mut file) = File::options().read(true).write(true).open(path) else { return Vec::new() };
    let locked = file.try_lock();
    if file.read_to_string(&mut lines).is_err() {
        return Vec::new();
    }
    match locked {
        Err(TryLockError::WouldBlock) => lines.lines().map(str::to_owned).collect(),
        Ok(()) => {
            // An empty one may be about to be locked. One that cannot be removed is in nobody's way.
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
    use super::claimed;
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
                drop(other);
            });
            assert!(claimed(&mut own, "a-0.log\n"));
        });
        assert!(File::open(&path).unwrap().try_lock().is_err());
    }
}
