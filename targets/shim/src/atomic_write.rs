//! Atomic file writes.
use std::fs::{File, Metadata, remove_file, rename, set_permissions};
use std::io::{Error, ErrorKind, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

/// Writes and syncs a temporary file, then renames it to `path`. Keeps the permissions of the old file.
///
/// # Errors
/// I/O errors; the old file is unchanged.
pub fn write(path: &Path, temporary: &Path, bytes: &[u8]) -> Result<(), Error> {
    let done = new(temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    if let Err(fault) = done {
        let _ = remove_file(temporary);
        return Err(fault);
    }
    if let Ok(about) = path.metadata() {
        let _ = set_permissions(temporary, about.permissions());
    }
    rename(temporary, path)?;
    // The sync of the directory makes the rename durable. An error is ignored, because some file systems cannot sync a directory.
    let _ = path.parent().map(|folder| File::open(folder).and_then(|folder| folder.sync_all()));
    Ok(())
}

/// Replaces a file without a sync. If the disk is full, the old file is overwritten in place. A special file or the target of a
/// symbolic link is overwritten, not replaced. If this process has the file open, such as for standard error, the bytes are
/// appended.
///
/// # Errors
/// I/O errors; the old file is unchanged, unless it was being overwritten.
pub fn write_unsynced(path: &Path, temporary: &Path, bytes: &[u8]) -> Result<(), Error> {
    if let Some(output) = opened(path) {
        return output?.write_all(bytes);
    }
    if path.symlink_metadata().is_ok_and(|about| !about.is_file()) {
        let mut options = File::options();
        // Opening a pipe without a reader must not block.
        options.write(true).truncate(true).create(true).custom_flags(libc::O_NONBLOCK);
        return options.open(path)?.write_all(bytes);
    }
    let Err(fault) =
        new(temporary).and_then(|mut file| file.write_all(bytes)).and_then(|()| rename(temporary, path))
    else {
        return Ok(());
    };
    let _ = remove_file(temporary);
    match fault.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => over(path, bytes).map_err(|_| fault),
        _ => Err(fault),
    }
}

/// Whether the path is a regular file that is open in this process, such as the log to which this process prints.
pub fn is_output(path: &Path) -> bool {
    opened(path).is_some()
}

/// Returns a handle of the regular file at `path` if this process has that file open. Examples of `path`: `/dev/stderr`, or a
/// link to the log that standard output writes to. `None` if it is another file.
fn opened(path: &Path) -> Option<Result<File, Error>> {
    let about = path.metadata().ok().filter(Metadata::is_file)?;
    let is_same = |other: &Metadata| (other.dev(), other.ino()) == (about.dev(), about.ino());
    let (error, output) = (std::io::stderr(), std::io::stdout());
    let known = [error.as_fd(), output.as_fd()].into_iter().filter_map(|one| one.try_clone_to_owned().ok());
    // A duplicated descriptor shares the file offset, so later output of the task follows these bytes.
    if let Some(file) = known.map(File::from).find(|file| file.metadata().is_ok_and(|other| is_same(&other)))
    {
        return Some(Ok(file));
    }
    let all = std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let mut all = all.filter_map(|one| one.path().metadata().ok());
    all.any(|other| is_same(&other)).then(|| File::options().append(true).open(path))
}

/// Creates a file. An existing one is removed, because it may be a symbolic link to another file.
fn new(path: &Path) -> Result<File, Error> {
    match File::create_new(path) {
        Err(e) if e.kind() == ErrorKind::AlreadyExists => {
            remove_file(path)?;
            File::create_new(path)
        }
        made => made,
    }
}

fn over(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut file = File::options().write(true).open(path)?;
    file.write_all(bytes)?;
    file.set_len(u64::try_from(bytes.len()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::{write, write_unsynced};
    use std::fs::{create_dir_all, hard_link, read_to_string, remove_dir_all};
    use std::os::unix::fs::symlink;

    #[test]
    fn nothing_is_written_through_a_link_at_the_name_temporary() {
        let folder = std::env::temp_dir().join(format!("tfjob-whole-{}", std::process::id()));
        create_dir_all(&folder).unwrap();
        let [victim, temporary, path] = ["victim", "temporary", "path"].map(|name| folder.join(name));
        let link: [&dyn Fn(); 3] =
            [&|| symlink(&victim, &temporary).unwrap(), &|| hard_link(&victim, &temporary).unwrap(), &|| {
                std::fs::write(&temporary, "stale").unwrap()
            }];
        for write in [write, write_unsynced] {
            for link in link {
                std::fs::write(&victim, "precious").unwrap();
                link();
                write(&path, &temporary, b"new").unwrap();
                assert_eq!(read_to_string(&victim).unwrap(), "precious");
                assert_eq!(read_to_string(&path).unwrap(), "new");
                assert!(path.symlink_metadata().unwrap().is_file() && !temporary.exists());
            }
        }
        remove_dir_all(folder).unwrap();
    }
}
