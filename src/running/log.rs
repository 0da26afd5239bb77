//! A log file that tolerates a full disk: bytes that cannot be written are counted, and writes are retried. A removed file is
//! created again. A truncated or replaced file is continued.
use super::folder::Owner;
use rustix::fs::OFlags;
use std::fs::{File, Metadata};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Interval of retries after a failed write, and of checks whether the file still exists.
const RETRY: Duration = Duration::from_secs(1);

/// Errors after which writes to the open file can succeed again.
const ROOM: [ErrorKind; 6] = [
    ErrorKind::StorageFull,
    ErrorKind::QuotaExceeded,
    ErrorKind::FileTooLarge,
    ErrorKind::WriteZero,
    ErrorKind::WouldBlock,
    ErrorKind::BrokenPipe,
];

/// The log of one task.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    /// Owner of the run directory.
    owner: Owner,
    file: Option<File>,
    /// Time of the last failed write.
    failed: Option<Instant>,
    /// Time of the last check of the file.
    seen: Instant,
    /// Number of bytes in the file.
    written: u64,
    /// The first error.
    why: Option<String>,
    /// Number of bytes that are missing after the last successful write.
    gap: u64,
    /// Number of missing bytes in total.
    lost: u64,
}

/// Opens the file for appending, so that a truncated file is continued at its end. If another program, such as an editor or
/// logrotate, has replaced the file, the new file is continued. If another run has taken over the directory, an existing file is
/// the log of that run, so opening it is an error.
fn open(path: &Path, owner: &Owner) -> std::io::Result<File> {
    let mut options = File::options();
    options.append(true);
    if owner.holds() {
        options.create(true)
    } else {
        options.create_new(true)
    };
    // A FIFO without a reader must not block the task.
    options.custom_flags(OFlags::NONBLOCK.bits().cast_signed()).open(path)
}

impl Log {
    /// Creates the file. If that fails, the first write tries again.
    pub fn new(path: PathBuf, owner: Owner) -> Self {
        let file = open(&path, &owner).ok();
        Self { path, owner, file, failed: None, seen: Instant::now(), written: 0, why: None, gap: 0, lost: 0 }
    }

    /// Writes these bytes. Returns the error message only if it is the first error of this log.
    pub fn write(&mut self, bytes: &[u8]) -> Option<String> {
        if self.failed.is_some_and(|at| at.elapsed() < RETRY) {
            self.miss(bytes.len());
            return None;
        }
        let removed = if self.seen.elapsed() < RETRY { None } else { self.check() };
        let mut rest = bytes;
        let Err(e) = self.put(&mut rest) else { return removed };
        self.failed = Some(Instant::now());
        self.miss(rest.len());
        removed.or_else(|| self.first(&e.to_string()))
    }

    /// Checks whether the file was removed or truncated. Lost bytes are counted; a removed file is created again by the next
    /// write. Returns an error only if it is the first error of this log.
    fn check(&mut self) -> Option<String> {
        self.seen = Instant::now();
        let Ok(about) = self.file.as_ref()?.metadata() else {
            self.stale();
            return None;
        };
        let why = if about.nlink() == 0 {
            self.file = None;
            "the file was removed"
        } else if about.is_file() && about.len() < self.written {
            "the file was truncated"
        } else {
            if self.is_moved(&about) {
                self.stale();
            }
            return None;
        };
        let left = if self.file.is_some() { about.len() } else { 0 };
        let missing = self.written - left;
        self.written = left;
        self.gap += missing;
        self.lost += missing;
        if missing > 0 { self.first(why) } else { None }
    }

    /// Returns whether the path no longer refers to the open file, although the run directory still belongs to this run.
    fn is_moved(&self, about: &Metadata) -> bool {
        let same = |there: Metadata| (there.dev(), there.ino()) == (about.dev(), about.ino());
        about.is_file() && !std::fs::metadata(&self.path).is_ok_and(same) && self.owner.holds()
    }

    /// Makes the next write open the path again. After a restart of a file server, the open file is invalid, but the path is not.
    fn stale(&mut self) {
        (self.file, self.written) = (None, 0);
    }

    /// Records an error. Returns the error only if it is the first error of this log.
    fn first(&mut self, error: &str) -> Option<String> {
        let first = self.why.is_none();
        let why = self.why.get_or_insert_with(|| error.to_owned());
        first.then(|| why.clone())
    }

    /// Finishes the log. Returns how much is missing and why; `None` if nothing is missing.
    pub fn finish(mut self) -> Option<String> {
        self.failed = None;
        self.check();
        if self.gap > 0 {
            let _ = self.write(&[]);
        }
        let why = self.why?;
        Some(format!("{} bytes missing ({why})", self.lost))
    }

    fn miss(&mut self, bytes: usize) {
        self.gap += bytes as u64;
        self.lost += bytes as u64;
    }

    /// Writes `rest` and removes the written bytes from it. If bytes are missing, first writes a line about them.
    fn put(&mut self, rest: &mut &[u8]) -> std::io::Result<()> {
        let mut file = match self.file.take() {
            Some(file) => file,
            None => {
                self.path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
                open(&self.path, &self.owner)?
            }
        };
        let done = (|| {
            if self.gap > 0 {
                // The gap counts as reported only after this line was written completely.
                file.write_all(
                    format!("\n[tfjob: {} bytes of output are missing here]\n", self.gap).as_bytes(),
                )?;
                self.gap = 0;
            }
            while !rest.is_empty() {
                match file.write(rest) {
                    Ok(0) => return Err(ErrorKind::WriteZero.into()),
                    Ok(written) => {
                        *rest = rest.get(written..).unwrap_or_default();
                        self.written += written as u64;
                    }
                    Err(e) if e.kind() == ErrorKind::Interrupted => {}
                    Err(e) => return Err(e),
                }
            }
            Ok(())
        })();
        self.file = Some(file);
        if done.as_ref().is_err_and(|e| !ROOM.contains(&e.kind())) {
            self.stale();
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use super::{Log, Owner, RETRY};
    use std::fs::{File, create_dir_all, read_to_string, remove_dir_all};
    use std::time::Instant;

    #[test]
    fn a_file_that_takes_no_more_writes_is_opened_again_by_its_path() {
        let folder = std::env::temp_dir().join(format!("tfjob-log-{}", std::process::id()));
        create_dir_all(&folder).unwrap();
        let path = folder.join("worker-0.log");
        let mut log = Log::new(path.clone(), Owner::default());
        assert_eq!(log.write(b"one\n"), None);
        // Each write to this file fails, as with a stale NFS file handle.
        log.file = Some(File::open(&path).unwrap());
        assert!(log.write(b"two\n").is_some());
        log.failed = Instant::now().checked_sub(RETRY);
        assert_eq!(log.write(b"three\n"), None);
        let text = "one\n\n[tfjob: 4 bytes of output are missing here]\nthree\n";
        assert_eq!(read_to_string(&path).unwrap(), text);
        remove_dir_all(folder).unwrap();
    }
}
