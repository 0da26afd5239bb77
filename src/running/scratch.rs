//! Scratch directories of a run: in the run directory, or on another disk that runs may share.
use super::folder::make;
use super::{RunContext, mounts};
use crate::hash::fnv1a;
use crate::outcome::Failure;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Name of the parent directory of the scratch directories, in the run directory.
const NAME: &str = "scratch";

/// Returns the parent directory of the scratch directories. The lock of the run directory does not protect a directory behind a
/// link or a mount. There, each run has a subdirectory that is named after the path of the run directory.
pub fn directory(folder: &Path) -> PathBuf {
    let path = folder.join(NAME);
    if !mounts::leads_elsewhere(&path) {
        return path;
    }
    let run = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    let name = run.file_name().unwrap_or_default().to_string_lossy();
    // File names have at most 255 bytes, and the hash with its dash needs 17 of them.
    let name = &name[..name.floor_char_boundary(255 - 17)];
    path.join(format!("{name}-{:016x}", fnv1a(run.as_os_str().as_bytes())))
}

/// Locks the parent directory of the scratch directories if it is on another disk: two containers may use that disk, and their run
/// directories may have the same path. Returns the lock file; `None` if no lock is needed.
///
/// # Errors
/// Returns an error if an active run uses the directory, or if a link leads to a missing directory. Returns I/O errors.
pub fn hold(context: &RunContext) -> Result<Option<File>, Failure> {
    let link = context.folder.join(NAME);
    if context.scratch == link {
        return Ok(None);
    }
    if !link.is_dir() {
        return Err(Failure::new(format!(
            "`{}` is a symbolic link to a missing directory: create the directory, or remove the link",
            link.display()
        )));
    }
    make(&context.scratch)?;
    let path = context.scratch.join("lock");
    let open = File::options().create(true).truncate(false).write(true).open(&path);
    let lock = open.map_err(|e| Failure::at("cannot write", &path, &e))?;
    match lock.try_lock() {
        Err(TryLockError::WouldBlock) => Err(Failure::new(format!(
            "another run uses the scratch directory `{}`: wait for it to finish, or use another `--directory`",
            context.scratch.display()
        ))),
        // Some file systems do not support locks, so this error is ignored.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(lock)),
    }
}

/// Makes directories writable. Some tools create read-only ones, such as the module cache of Go.
fn unlock(path: &Path) {
    // Permissions behind a symbolic link are not changed.
    if path.is_symlink() {
        return;
    }
    // This fails for a directory of another user, which cannot be emptied in any case.
    let _ = fs::set_permissions(path, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            unlock(&entry.path());
        }
    }
}

/// Creates the scratch directory of a task, or empties it. Nothing may be mounted in it.
///
/// # Errors
/// Returns I/O errors.
pub fn empty(path: &Path) -> Result<(), Failure> {
    let mut removed = fs::remove_dir_all(path);
    if removed.as_ref().is_err_and(|e| e.kind() == ErrorKind::PermissionDenied) {
        unlock(path);
        removed = fs::remove_dir_all(path);
    }
    match removed {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(Failure::at("cannot empty", path, &e)),
        Ok(()) | Err(_) => make(path),
    }
}
