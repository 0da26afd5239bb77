//! Destination of a file that the user names: a regular file, an output stream of this process, a pipe, or a device.
use super::outputs::{Output, write_all};
use crate::outcome::Failure;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Maximum number of symbolic links that are followed, as on Linux.
const LINKS: usize = 40;

/// Where a file that the user names is written.
#[derive(Debug, PartialEq, Eq)]
pub enum Destination {
    /// Standard output, whatever its name: `-`, `/dev/stdout`, `/dev/fd/1`, or the file that the shell redirected it to.
    StandardOutput,
    /// Standard error, whatever its name: `/dev/stderr`, `/dev/fd/2`, or the file that the shell redirected it to.
    StandardError,
    /// A pipe, a device, or an open file such as `/dev/fd/3`. Bytes are appended to it; it is not replaced.
    Open(PathBuf),
    /// A regular file, which may not exist yet. Symbolic links are already resolved.
    File(PathBuf),
}

impl Destination {
    /// Returns the destination that `path` refers to.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        if path == Path::new("-") || leads_to(path, &io::stdout()) {
            return Self::StandardOutput;
        }
        if leads_to(path, &io::stderr()) {
            return Self::StandardError;
        }
        match named(path) {
            Some(name) if fs::metadata(&name).is_ok_and(|about| !about.is_file() && !about.is_dir()) => {
                Self::Open(name)
            }
            Some(name) => Self::File(name),
            None => Self::Open(path.to_path_buf()),
        }
    }

    /// Returns the path of the regular file; `None` for any other destination.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::StandardOutput | Self::StandardError | Self::Open(_) => None,
        }
    }

    /// Writes all bytes. A regular file is replaced atomically; any other destination is appended to.
    ///
    /// # Errors
    /// Returns an error if the destination cannot be written.
    pub fn write(&self, bytes: Vec<u8>, out: &mut dyn Write, err: &mut dyn Write) -> Result<(), Failure> {
        match self {
            Self::StandardOutput => Ok(out.write_all(&bytes)?),
            Self::StandardError => Ok(err.write_all(&bytes)?),
            Self::Open(path) => {
                // `out` may write to the same file, so it is flushed first.
                out.flush()?;
                let write = || File::options().append(true).open(path)?.write_all(&bytes);
                write().map_err(|error| Failure::at("cannot write", path, &error))
            }
            Self::File(path) => {
                let name =
                    path.file_name().ok_or_else(|| Failure::new("the path of `--sarif` has no file name"))?;
                let file = Output { path: name.to_string_lossy().into_owned(), bytes, executable: false };
                write_all(path.parent().unwrap_or_else(|| Path::new("")), &[file])
            }
        }
    }
}

/// Returns the path after following symbolic links. `None` for a link in `/proc`, because it refers to an open file that may have
/// no path.
fn named(path: &Path) -> Option<PathBuf> {
    let mut at = path.to_path_buf();
    for _ in 0..LINKS {
        let Ok(next) = fs::read_link(&at) else { break };
        let folder = at.parent().unwrap_or_else(|| Path::new(""));
        if fs::canonicalize(folder).is_ok_and(|folder| folder.starts_with("/proc")) {
            return None;
        }
        at = folder.join(next);
    }
    Some(at)
}

/// Returns whether the path refers to this open file.
#[cfg(unix)]
fn leads_to(path: &Path, open: &impl std::os::fd::AsFd) -> bool {
    use std::os::unix::fs::MetadataExt;
    let about = open.as_fd().try_clone_to_owned().and_then(|open| File::from(open).metadata());
    let same = |about: fs::Metadata| {
        fs::metadata(path).is_ok_and(|named| (named.dev(), named.ino()) == (about.dev(), about.ino()))
    };
    about.is_ok_and(same)
}

#[cfg(not(unix))]
fn leads_to<T>(_: &Path, _: &T) -> bool {
    false
}
