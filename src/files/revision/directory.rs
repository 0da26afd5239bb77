//! A directory for the files of a revision. It is deleted when dropped. On Linux, it is also deleted at a signal that ends the process,
//! and otherwise by the next command.
#[cfg(target_os = "linux")]
mod abandoned;

#[cfg(target_os = "linux")]
use std::fs::File;
use std::io;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::path::PathBuf;
#[cfg(target_os = "linux")]
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;

/// Start of the name of the directory.
const PREFIX: &str = "tfjob-diff-";

/// A temporary directory of this process.
#[derive(Debug)]
pub struct Directory {
    temporary: TempDir,
    /// Tells other processes that the directory is in use.
    #[cfg(target_os = "linux")]
    _lock: File,
}

impl Directory {
    /// Creates a directory, and deletes those of processes that were killed.
    ///
    /// # Errors
    /// Returns an error if the directory cannot be created.
    pub fn create() -> io::Result<Self> {
        Self::create_in(&std::env::temp_dir())
    }

    #[cfg(target_os = "linux")]
    fn create_in(parent: &Path) -> io::Result<Self> {
        abandoned::remove_all(parent);
        deleted_at_signal(|| {
            let temporary = private(parent)?;
            Ok(Self { _lock: abandoned::lock(temporary.path())?, temporary })
        })
    }

    #[cfg(not(target_os = "linux"))]
    fn create_in(parent: &Path) -> io::Result<Self> {
        Ok(Self { temporary: private(parent)? })
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

/// Creates a directory that only this user can read: specs of a private repository may contain credentials.
fn private(parent: &Path) -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir_in(parent)
}

/// The directories to delete at a signal.
#[cfg(target_os = "linux")]
static DIRECTORIES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Creates a directory that is deleted if the user or the system ends the process.
#[cfg(target_os = "linux")]
fn deleted_at_signal(create: impl FnOnce() -> io::Result<Directory>) -> io::Result<Directory> {
    // A signal waits for this lock, so that it finds the directory in the list.
    let mut all = DIRECTORIES.lock().unwrap_or_else(PoisonError::into_inner);
    if all.is_empty() {
        watch_signals()?;
    }
    let directory = create()?;
    all.push(directory.path().to_path_buf());
    Ok(directory)
}

/// Starts a thread that deletes the directories at a signal, and then ends the process as the signal does.
#[cfg(target_os = "linux")]
fn watch_signals() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    // A signal that is ignored at the start stays ignored (`nohup`, background processes).
    let heard = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| !crate::running::is_ignored(*signal));
    let mut signals = signal_hook::iterator::Signals::new(heard)?;
    std::thread::Builder::new().spawn(move || {
        for signal in signals.forever() {
            // Until the process ends, no other thread writes a file.
            let all = DIRECTORIES.lock().unwrap_or_else(PoisonError::into_inner);
            all.iter().for_each(|directory| abandoned::remove(directory));
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    })?;
    Ok(())
}
