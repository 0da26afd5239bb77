//! A log file that no full disk can stop: bytes that cannot be written are counted, and writing is tried again. A file that
//! somebody removes is made again, and one that somebody truncates goes on.
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long after a failure the next write is tried, and how often a look tells whether the file is still there.
const RETRY: Duration = Duration::from_secs(1);

/// The log of one task.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: Option<File>,
    /// When writing failed last.
    failed: Option<Instant>,
    /// When the file was seen to be there.
    seen: Instant,
    /// Bytes that the file holds.
    written: u64,
    /// The first error.
    why: Option<String>,
    /// Bytes that are missing since the last one written.
    gap: u64,
    /// All bytes that are missing.
    lost: u64,
}

/// A new file: one that is there belongs to another run, which began when this one's directory was removed. What somebody
/// truncates goes on at its end.
fn create(path: &Path) -> std::io::Result<File> {
    File::options().append(true).create_new(true).open(path)
}

impl Log {
    /// A new, empty file at this path, which the first write makes again if it cannot be made now.
    pub fn new(path: PathBuf) -> Self {
        let file = create(&path).ok();
        Self { path, file, failed: None, seen: Instant::now(), written: 0, why: None, gap: 0, lost: 0 }
    }

    /// Writes these bytes. Returns the error if it is the first one.
    pub fn write(&mut self, bytes: &[u8]) -> Option<String> {
        if self.failed.is_some_and(|at| at.elapsed() < RETRY) {
            self.miss(bytes.len());
            return None;
        }
        let removed = if self.seen.elapsed() < RETRY { None } else { self.look() };
        let mut rest = bytes;
        let Err(e) = self.put(&mut rest) else { return removed };
        self.failed = Some(Instant::now());
        self.miss(rest.len());
        removed.or_else(|| self.first(&e.to_string()))
    }

    /// Looks whether the file still has a name and what was written. What it has lost is counted; where it has no name, the
    /// next write makes another. Returns the error if it is the first one.
    fn look(&mut self) -> Option<String> {
        self.seen = Instant::now();
        let about = self.file.as_ref()?.metadata().ok()?;
        let why = if about.nlink() == 0 {
            self.file = None;
            "the file was removed"
        } else if about.is_file() && about.len() < self.written {
            "the file was truncated"
        } else {
            return None;
        };
        let left = if self.file.is_some() { about.len() } else { 0 };
        let missing = self.written - left;
        self.written = left;
        self.gap += missing;
        self.lost += missing;
        if missing > 0 { self.first(why) } else { None }
    }

    /// Keeps the error and returns it if it is the first one.
    fn first(&mut self, error: &str) -> Option<String> {
        let first = self.why.is_none();
        let why = self.why.get_or_insert_with(|| error.to_owned());
        first.then(|| why.clone())
    }

    /// Ends it. Returns how much of it is missing and why, if anything is.
    pub fn finish(mut self) -> Option<String> {
        self.failed = None;
        self.look();
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

    /// Writes `rest`, from which it takes what is written; before it a line about what is missing there.
    fn put(&mut self, rest: &mut &[u8]) -> std::io::Result<()> {
        let mut file = match self.file.take() {
            Some(file) => file,
            None => {
                self.path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
                create(&self.path)?
            }
        };
        let done = (|| {
            if self.gap > 0 {
                // Written whole or, as far as that can be told, not at all.
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
        done
    }
}
