//! Files that are written whole or not at all.
use std::fs::{File, Metadata, remove_file, rename, set_permissions};
use std::io::{Error, ErrorKind, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

/// Writes a file beside, onto the disk, and then puts it in the place of the old one, whose rights it gets.
///
/// # Errors
/// The disk's; the old file is as it was.
pub fn write(path: &Path, beside: &Path, bytes: &[u8]) -> Result<(), Error> {
    let done = new(beside).and_then(|mut file| {
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
/// What is no regular file, such as a pipe or a link, keeps its place and is written to. A file that is open in this process,
/// such as its standard error, is continued.
///
/// # Errors
/// The disk's; the old file is as it was, unless it was being written over.
pub fn put(path: &Path, beside: &Path, bytes: &[u8]) -> Result<(), Error> {
    if let Some(output) = opened(path) {
        return output?.write_all(bytes);
    }
    if path.symlink_metadata().is_ok_and(|about| !about.is_file()) {
        let mut options = File::options();
        // A pipe that nobody reads is no reason to wait.
        options.write(true).truncate(true).create(true).custom_flags(libc::O_NONBLOCK);
        return options.open(path)?.write_all(bytes);
    }
    let Err(fault) =
        new(beside).and_then(|mut file| file.write_all(bytes)).and_then(|()| rename(beside, path))
    else {
        return Ok(());
    };
    let _ = remove_file(beside);
    match fault.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => over(path, bytes).map_err(|_| fault),
        _ => Err(fault),
    }
}

/// Whether the path is a regular file that this process has open, as the output of the task is.
pub fn is_output(path: &Path) -> bool {
    opened(path).is_some()
}

/// The regular file at this path as this process has it open: `/dev/stderr`, or a link to the log that standard output is.
fn opened(path: &Path) -> Option<Result<File, Error>> {
    let about = path.metadata().ok().filter(Metadata::is_file)?;
    let is_same = |other: &Metadata| (other.dev(), other.ino()) == (about.dev(), about.ino());
    let (error, output) = (std::io::stderr(), std::io::stdout());
    let known = [error.as_fd(), output.as_fd()].into_iter().filter_map(|one| one.try_clone_to_owned().ok());
    // What is written there later follows at its end.
    if let Some(file) = known.map(File::from).find(|file| file.metadata().is_ok_and(|other| is_same(&other)))
    {
        return Some(Ok(file));
    }
    let all = std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let mut all = all.filter_map(|one| one.path().metadata().ok());
    all.any(|other| is_same(&other)).then(|| File::options().append(true).open(path))
}

/// Makes a file of this name. What has the name is removed: a link there would lead to a file of somebody else.
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
    use super::{put, write};
    use std::fs::{create_dir_all, hard_link, read_to_string, remove_dir_all};
    use std::os::unix::fs::symlink;

    #[test]
    fn nothing_is_written_through_a_link_at_the_name_beside() {
        let folder = std::env::temp_dir().join(format!("tfjob-whole-{}", std::process::id()));
        create_dir_all(&folder).unwrap();
        let [victim, beside, path] = ["victim", "beside", "path"].map(|name| folder.join(name));
        let link: [&dyn Fn(); 3] =
            [&|| symlink(&victim, &beside).unwrap(), &|| hard_link(&victim, &beside).unwrap(), &|| {
                std::fs::write(&beside, "stale").unwrap()
            }];
        for write in [write, put] {
            for link in link {
                std::fs::write(&victim, "precious").unwrap();
                link();
                write(&path, &beside, b"new").unwrap();
                assert_eq!(read_to_string(&victim).unwrap(), "precious");
                assert_eq!(read_to_string(&path).unwrap(), "new");
                assert!(path.symlink_metadata().unwrap().is_file() && !beside.exists());
            }
        }
        remove_dir_all(folder).unwrap();
    }
}
