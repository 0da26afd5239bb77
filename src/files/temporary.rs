//! Temporary files: created next to the file that they replace, so that they can be renamed atomically.
use super::outputs::Output;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;
use tempfile::NamedTempFile;

const PREFIX: &str = ".tfjob-";
const SUFFIX: &str = ".tmp";

/// Minimum age of a temporary file that is deleted. A younger one may belong to a process that has not locked it yet.
const MIN_AGE: Duration = Duration::from_secs(2);

/// Number of files above which one `syncfs` of the whole file system is faster than one `fsync` per file.
#[cfg(target_os = "linux")]
const MANY: usize = 16;

/// Creates a temporary file in `folder`. It is locked while this process uses it, and deleted when dropped.
///
/// # Errors
/// Returns an error if the file cannot be written. The error does not contain the name of the temporary file, which the user does
/// not know.
pub fn create(folder: &Path, file: &Output) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    let mode = std::os::unix::fs::PermissionsExt::from_mode(if file.executable { 0o777 } else { 0o666 });
    #[cfg(unix)]
    builder.permissions(mode);
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    let mut temp = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
    // Some file systems have no locks. There, the temporary file of a killed process is never deleted.
    let _ = temp.as_file().try_lock();
    temp.write_all(&file.bytes)?;
    Ok(temp)
}

/// Waits until the contents of these files are on disk.
///
/// # Errors
/// Returns an error if the disk reports an error.
pub fn sync(files: &[&File]) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    if files.len() > MANY
        && let Some(file) = files.first()
    {
        return Ok(rustix::fs::syncfs(file)?);
    }
    files.iter().try_for_each(|file| file.sync_all())
}

/// Deletes temporary files of processes that were killed.
pub fn remove_stale(folder: &Path) {
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    // A directory that cannot be read is reported when the file is created.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let ours = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        if ours && is_abandoned(&entry.path()) {
            // Another process may have deleted the file already.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Returns whether no process holds the lock of a temporary file.
fn is_abandoned(path: &Path) -> bool {
    let old = fs::symlink_metadata(path).is_ok_and(|about| {
        about.is_file() && about.modified().is_ok_and(|time| time.elapsed().is_ok_and(|age| age >= MIN_AGE))
    });
    old && File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_abandoned_files_are_deleted() {
        let dir = tempfile::tempdir().unwrap();
        let output = Output { path: String::new(), bytes: b"x".to_vec(), executable: false };
        let used = create(dir.path(), &output).unwrap();
        let left = dir.path().join(".tfjob-left.tmp");
        let young = dir.path().join(".tfjob-young.tmp");
        let other = dir.path().join("other.tmp");
        for path in [&left, &young, &other] {
            fs::write(path, "").unwrap();
        }
        let before = std::time::SystemTime::now() - MIN_AGE;
        for path in [left.as_path(), &other, used.path()] {
            File::options().write(true).open(path).unwrap().set_modified(before).unwrap();
        }
        remove_stale(dir.path());
        assert!(!left.exists(), "no process has locked it");
        assert!(used.path().exists() && young.exists() && other.exists());
    }
}
