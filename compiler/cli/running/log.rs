//! A log file that no full disk can stop: bytes that cannot be written are counted, and writing is tried again. A file that
//! somebody removes is made again.
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
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

impl Log {
    /// A new, empty file at this path, which the first write makes again if it cannot be made now.
    pub fn new(path: PathBuf) -> Self {
        let file = File::create(&path).ok();
        Self { path, file, failed: None, seen: Instant::now(), written: 0, why: None, gap: 0, lost: 0 }
    }

    /// Writes these bytes. Returns the error if it is the first one.
    pub fn write(&mut self, bytes: &[u8]) -> Option<String> {
        if self.failed.is_some_and(|at| at.elapsed() < RETRY) {
            self.miss(bytes.len());
            return None;
        }
        let removed = if self.seen.elapsed() < RETRY || self.is_there() {
            None
        } else {
            self.first("the file was removed")
        };
        let mut rest = bytes;
        let Err(e) = self.put(&mut rest) else { return removed };
        self.failed = Some(Instant::now());
        self.miss(rest.len());
        removed.or_else(|| self.first(&e.to_string()))
    }

    /// Whether the file still has a name. Where it has none, what it holds is lost, and the next write makes another.
    fn is_there(&mut self) -> bool {
        self.seen = Instant::now();
        let gone = |file: &File| file.metadata().is_ok_and(|about| about.nlink() == 0);
        if !self.file.as_ref().is_some_and(gone) {
            return true;
        }
        self.file = None;
        let written = std::mem::take(&mut self.written);
        self.gap += written;
        self.lost += written;
        false
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
        if !self.is_there() {
            self.first("the file was removed");
        }
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
                File::create(&self.path)?
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
