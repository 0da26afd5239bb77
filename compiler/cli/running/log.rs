//! A log file that no full disk can stop: bytes that cannot be written are counted, and writing is tried again.
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long after a failure the next write is tried.
const RETRY: Duration = Duration::from_secs(1);

/// The log of one task.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: Option<File>,
    /// When writing failed last.
    failed: Option<Instant>,
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
        Self { path, file, failed: None, why: None, gap: 0, lost: 0 }
    }

    /// Writes these bytes. Returns the error if it is the first one.
    pub fn write(&mut self, bytes: &[u8]) -> Option<String> {
        if self.failed.is_some_and(|at| at.elapsed() < RETRY) {
            self.miss(bytes.len());
            return None;
        }
        let mut rest = bytes;
        let Err(e) = self.put(&mut rest) else { return None };
        self.failed = Some(Instant::now());
        self.miss(rest.len());
        let first = self.why.is_none();
        let why = self.why.get_or_insert_with(|| e.to_string());
        first.then(|| why.clone())
    }

    /// Ends it. Returns how much of it is missing and why, if anything is.
    pub fn finish(mut self) -> Option<String> {
        self.failed = None;
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
            None => File::create(&self.path)?,
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
                    Ok(written) => *rest = rest.get(written..).unwrap_or_default(),
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
