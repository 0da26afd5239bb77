//! Files that are written whole or not at all.
use std::fs::{File, remove_file, rename, set_permissions};
use std::io::{Error, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Writes a file beside, onto the disk, and then puts it in the place of the old one, whose rights it gets.
///
/// # Errors
/// The disk's; the old file is as it was.
pub fn write(path: &Path, beside: &Path, bytes: &[u8]) -> Result<(), Error> {
    let done = File::create(beside).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    if let Err(fault) = done {
        let _ = remove_file(beside);
        return Err(fault);
    }
    if let Ok(about) = path.metadata() {
        let _ = set_permissions(beside, about.permissions());
    }
    rename(beside, path)?;
    // The new name itself must reach the disk too; some file systems have nothing to do for it.
    let _ = path.parent().map(|folder| File::open(folder).and_then(|folder| folder.sync_all()));
    Ok(())
}

/// The same for a file that need not outlive the machine. On a full disk the old file is written over: its room is there.
/// What is no regular file, such as `/dev/stderr` or a link, keeps its place and is written to.
///
/// # Errors
/// The disk's; the old file is as it was, unless it was being written over.
pub fn put(path: &Path, beside: &Path, bytes: &[u8]) -> Result<(), Error> {
    if path.symlink_metadata().is_ok_and(|about| !about.is_file()) {
        let mut options = File::options();
        // A pipe that nobody reads is no reason to wait.
        options.write(true).truncate(true).create(true).custom_flags(libc::O_NONBLOCK);
        return options.open(path)?.write_all(bytes);
    }
    let Err(fault) = std::fs::write(beside, bytes).and_then(|()| rename(beside, path)) else { return Ok(()) };
    let _ = remove_file(beside);
    match fault.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => over(path, bytes).map_err(|_| fault),
        _ => Err(fault),
    }
}

fn over(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut file = File::options().write(true).open(path)?;
    file.write_all(bytes)?;
    file.set_len(u64::try_from(bytes.len()).unwrap_or(u64::MAX))
}
