//! Standard output. The job continues if standard output is full or closed.
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fs::File;
use std::io::{Error, ErrorKind, Write};
use std::time::{Duration, Instant};

/// Interval of retries after a failed write.
const RETRY: Duration = Duration::from_secs(1);
/// Error of a closed terminal (EIO).
const HUNG_UP: i32 = 5;

/// A stream to which lines are written.
#[derive(Debug)]
pub struct Output {
    to: File,
    terminal: bool,
    /// Whether the stream was closed.
    closed: bool,
    /// Time of the last failed write.
    failed: Option<Instant>,
    /// Whether a failure was reported.
    reported: bool,
    /// Number of lines that could not be written.
    pub lost: u64,
}

impl Output {
    /// Returns the output for this stream.
    pub const fn new(to: File, terminal: bool) -> Self {
        Self { to, terminal, closed: false, failed: None, reported: false, lost: 0 }
    }

    /// Returns whether the stream was closed.
    pub const fn is_closed(&self) -> bool {
        self.closed
    }

    /// Checks, without a write, whether the reader of a pipe has closed it.
    pub fn check_closed(&mut self) {
        let mut pipe = [PollFd::new(&self.to, PollFlags::empty())];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        let seen = !self.terminal && poll(&mut pipe, Some(&now)).is_ok_and(|found| found > 0);
        self.closed |= seen && pipe[0].revents().intersects(PollFlags::ERR | PollFlags::HUP);
    }

    /// Writes all bytes, waiting as needed. Returns false if some bytes could not be written. Only the first failure is reported,
    /// on standard error.
    pub fn write(&mut self, bytes: &[u8]) -> bool {
        if self.closed || self.failed.is_some_and(|at| at.elapsed() < RETRY) {
            self.lost += lines(bytes);
            return false;
        }
        let mut rest = bytes;
        let Err(e) = self.put(&mut rest) else {
            self.failed = None;
            return true;
        };
        self.lost += lines(rest);
        self.failed = Some(Instant::now());
        self.closed = e.kind() == ErrorKind::BrokenPipe || self.terminal && e.raw_os_error() == Some(HUNG_UP);
        if !self.closed && !self.reported {
            self.reported = true;
            report(&format!("warning: cannot write to standard output: {e}; the job continues"));
        }
        false
    }

    fn put(&mut self, rest: &mut &[u8]) -> Result<(), Error> {
        while !rest.is_empty() {
            match self.to.write(rest) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(written) => *rest = rest.get(written..).unwrap_or_default(),
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                // Another process has set O_NONBLOCK on the terminal, so wait until the terminal is writable.
                Err(e) if e.kind() == ErrorKind::WouldBlock => {
                    poll(&mut [PollFd::new(&self.to, PollFlags::OUT)], None)?;
                }
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }
}

/// Writes a line to standard error.
pub fn report(line: &str) {
    // An error is ignored, because standard error may be closed too.
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// Returns the number of line feeds.
pub fn lines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}
