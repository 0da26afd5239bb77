//! A directory for the files of a revision. It is deleted when dropped, at a signal that ends the process, and otherwise by the next
//! command.
use std::fs::{self, File};
use std::io;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::path::PathBuf;
#[cfg(target_os = "linux")]
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tempfile::TempDir;

const PREFIX: &str = "tfjob-diff-";

/// File that the process locks while it uses the directory.
const LOCK: &str = "lock";

/// Minimum age of a directory that is deleted. The process of a younger one may not have locked it yet.
const MIN_AGE: Duration = Duration::from_secs(2);

/// A temporary directory of this process.
#[derive(Debug)]
pub struct Directory {
    temporary: TempDir,
    _lock: File,
}

impl Directory {
    /// Creates a directory, and deletes those of processes that were killed.
    ///
    /// # Errors
    /// Returns an error if the directory cannot be created.
    pub fn create() -> io::Result<Self> {
        let parent = std::env::temp_dir();
        remove_stale(&parent);
        let create = || tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent);
        #[cfg(target_os = "linux")]
        let temporary = deleted_at_signal(create)?;
        #[cfg(not(target_os = "linux"))]
        let temporary = create()?;
        let lock = File::create(temporary.path().join(LOCK))?;
        // Some file systems have no locks. There, the directory of a killed process is deleted although another one may use it.
        let _ = lock.try_lock();
        Ok(Self { temporary, _lock: lock })
    }

    /// Runs a function that writes into the directory. A signal waits for its end.
    pub fn write<T>(&self, run: impl FnOnce() -> T) -> T {
        #[cfg(target_os = "linux")]
        let _all = DIRECTORIES.lock().unwrap_or_else(PoisonError::into_inner);
        run()
    }

    /// Returns the path of the directory.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }
}

/// The directories to delete at a signal.
#[cfg(target_os = "linux")]
static DIRECTORIES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Creates a directory that is deleted if the user or the system ends the process.
#[cfg(target_os = "linux")]
fn deleted_at_signal(create: impl FnOnce() -> io::Result<TempDir>) -> io::Result<TempDir> {
    // A signal waits for this lock, so that it finds the directory in the list.
    let mut all = DIRECTORIES.lock().unwrap_or_else(PoisonError::into_inner);
    if all.is_empty() {
        watch_signals()?;
    }
    let temporary = create()?;
    all.push(temporary.path().to_path_buf());
    Ok(temporary)
}

/// Starts a thread that deletes the directories at a signal, and then ends the process as the signal does.
#[cfg(target_os = "linux")]
fn watch_signals() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    std::thread::Builder::new().spawn(move || {
        for signal in signals.forever() {
            // Until the process ends, no other thread writes a file.
            let all = DIRECTORIES.lock().unwrap_or_else(PoisonError::into_inner);
            all.iter().for_each(|directory| drop(fs::remove_dir_all(directory)));
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    })?;
    Ok(())
}

/// Deletes the directories of processes that were killed.
fn remove_stale(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let is_own = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        if is_own && is_abandoned(&entry.path()) {
            // Another process may have deleted the directory already.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Returns whether no process holds the lock of a directory.
fn is_abandoned(path: &Path) -> bool {
    let is_old = fs::symlink_metadata(path).is_ok_and(|about| {
        about.is_dir() && about.modified().is_ok_and(|time| time.elapsed().is_ok_and(|age| age >= MIN_AGE))
    });
    is_old && File::open(path.join(LOCK)).is_ok_and(|file| file.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_abandoned_directories_are_deleted() {
        let parent = tempfile::tempdir().unwrap();
        let create = |name: &str| {
            let path = parent.path().join(name);
            fs::create_dir(&path).unwrap();
            File::create(path.join(LOCK)).unwrap();
            path
        };
        let (left, used, young) = (create("tfjob-diff-a"), create("tfjob-diff-b"), create("tfjob-diff-c"));
        let other = create("other");
        let lock = File::open(used.join(LOCK)).unwrap();
        lock.lock().unwrap();
        for path in [&left, &used, &other] {
            File::open(path).unwrap().set_modified(std::time::SystemTime::now() - MIN_AGE).unwrap();
        }
        remove_stale(parent.path());
        assert!(!left.exists(), "no process has locked it");
        assert!(used.exists() && young.exists() && other.exists());
    }
}
