//! Files that are written whole or not at all.
use std::fs::{File, rename, set_permissions};
use std::io::{Error, Write};
use std::path::Path;

/// Writes a file beside, onto the disk, and then puts it in the place of the old one, whose rights it gets.
///
/// # Errors
/// The disk's; the old file is as it was.
pub fn write(path: &Path, beside: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut file = File::create(beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    if let Ok(about) = path.metadata() {
        let _ = set_permissions(beside, about.permissions());
    }
    rename(beside, path)?;
    // The new name itself must reach the disk too; some file systems have nothing to do for it.
    let _ = path.parent().map(|folder| File::open(folder).and_then(|folder| folder.sync_all()));
    Ok(())
}

/// The same for a file that need not outlive the machine.
///
/// # Errors
/// The disk's; the old file is as it was.
pub fn put(path: &Path, beside: &Path, bytes: &[u8]) -> Result<(), Error> {
    std::fs::write(beside, bytes)?;
    rename(beside, path)
}
