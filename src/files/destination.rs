//! Where a file that the user names is written: its name may lead to an output of this process, to a pipe or to a device.
use super::outputs::{Output, write_all};
use crate::outcome::Failure;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Links that are followed; Linux allows as many.
const LINKS: usize = 40;

/// Where a file is written.
#[derive(Debug, PartialEq, Eq)]
pub enum Destination {
    /// Standard output, whatever its name: `-`, `/dev/stdout`, `/dev/fd/1`, or the file that the shell redirected it to.
    StandardOutput,
    /// Standard error, whatever its name.
    StandardError,
    /// A pipe, a device, or a file that is open under this name, such as `/dev/fd/3`. It keeps its place and what is in it.
    Open(PathBuf),
    /// A regular file, or none yet, under the name that links lead to.
    File(PathBuf),
}

impl Destination {
    /// Returns where `path` leads.
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

    /// Returns the name of the file that is written; `None` where it has none.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::StandardOutput | Self::StandardError | Self::Open(_) => None,
        }
    }

    /// Writes all bytes: a file is replaced as a whole, and anything else takes them after what it has.
    ///
    /// # Errors
    /// Where it takes no bytes.
    pub fn write(&self, bytes: Vec<u8>, out: &mut dyn Write, err: &mut dyn Write) -> Result<(), Failure> {
        match self {
            Self::StandardOutput => Ok(out.write_all(&bytes)?),
            Self::StandardError => Ok(err.write_all(&bytes)?),
            Self::Open(path) => {
                // It may be what `out` writes to.
                out.flush()?;
                let write = || File::options().append(true).open(path)?.write_all(&bytes);
                write().map_err(|error| Failure::at("cannot write", path, &error))
            }
            Self::File(path) => {
                let name = path.file_name().ok_or_else(|| Failure::new("`--sarif` names no file"))?;
                let file = Output { path: name.to_string_lossy().into_owned(), bytes, executable: false };
                write_all(path.parent().unwrap_or_else(|| Path::new("")), &[file])
            }
        }
    }
}

/// The name that links lead to, with a file or without. `None`: a link of `/proc` leads to an open file, which may have no name.
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

/// Whether the name leads to this open file.
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
