//! The scratch directories of a run: in its own directory, or on another disk, where other runs may have theirs.
use super::folder::make;
use super::{RunContext, mounts};
use crate::hash::fnv1a;
use crate::outcome::Failure;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The name in the directory of a run.
const NAME: &str = "scratch";

/// The directory that holds those of the tasks. The lock of the run's directory keeps nobody from what lies behind a link or
/// a mount: there, each run has a directory that is named for its own path.
pub fn directory(folder: &Path) -> PathBuf {
    let path = folder.join(NAME);
    if !mounts::leads_elsewhere(&path) {
        return path;
    }
    let run = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    let name = run.file_name().unwrap_or_default().to_string_lossy();
    // The name of a file has at most 255 bytes.
    let name = &name[..name.floor_char_boundary(255 - 17)];
    path.join(format!("{name}-{:016x}", fnv1a(run.as_os_str().as_bytes())))
}

/// Holds the directory where it is on another disk: two containers may have runs of the same path.
///
/// # Errors
/// Where another run holds it, where the link leads nowhere, and where the disk says no.
pub fn hold(context: &RunContext) -> Result<Option<File>, Failure> {
    let link = context.folder.join(NAME);
    if context.scratch == link {
        return Ok(None);
    }
    if !link.is_dir() {
        return Err(Failure::new(format!(
            "`{}` is a link that leads to no directory: create the directory, or remove the link",
            link.display()
        )));
    }
    make(&context.scratch)?;
    let path = context.scratch.join("lock");
    let open = File::options().create(true).truncate(false).write(true).open(&path);
    let lock = open.map_err(|e| Failure::at("cannot write", &path, &e))?;
    match lock.try_lock() {
        Err(TryLockError::WouldBlock) => Err(Failure::new(format!(
            "another run has its scratch directories in `{}`: wait for its end, or name another `--folder`",
            context.scratch.display()
        ))),
        // A file system without locks keeps no other run out.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(lock)),
    }
}

/// Makes directories writable, which some tools leave read-only, such as the module cache of Go.
fn unlock(path: &Path) {
    // The rights of what a link names are not ours to change.
    if path.is_symlink() {
        return;
    }
    // A directory of somebody else stays as it is, and cannot be emptied.
    let _ = fs::set_permissions(path, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            unlock(&entry.path());
        }
    }
}

/// Makes the scratch directory of a task, empty as on each platform. Nothing is mounted there.
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
