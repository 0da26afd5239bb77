//! Where own lines go. A reader that has stopped reading holds up a program, but no stop of it: a line that it does not take
//! in time is dropped.
use crate::sys;
use std::fs::File;
use std::io::{Error, ErrorKind, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a line may wait for its reader. Where one has waited for nothing, the next ones do not wait.
const PATIENCE: Duration = Duration::from_secs(2);
/// So much goes into a pipe in one piece, or not at all.
const PIECE: usize = 4096;

/// The same pipe, opened again: to write there without waiting is then a matter of this process alone.
static PIPE: OnceLock<Option<File>> = OnceLock::new();
/// Whether the last line was dropped.
static STUCK: AtomicBool = AtomicBool::new(false);

/// Writes to a descriptor, always the same one. A closed one leaves nobody to tell.
pub fn write(to: BorrowedFd<'_>, bytes: &[u8]) {
    let patience = if STUCK.load(Ordering::Relaxed) { Duration::ZERO } else { PATIENCE };
    let end = Instant::now() + patience;
    let sent = bytes.chunks(PIECE).all(|piece| sent(to, piece, end));
    STUCK.store(!sent, Ordering::Relaxed);
}

/// Writes a piece; whether the reader has taken it, or is gone.
fn sent(to: BorrowedFd<'_>, piece: &[u8], end: Instant) -> bool {
    let mut rest = piece;
    while !rest.is_empty() {
        if !sys::takes_more(to.as_raw_fd(), end.saturating_duration_since(Instant::now())) {
            return false;
        }
        match put(to, rest) {
            Ok(0) => return true,
            Ok(length) => rest = rest.get(length..).unwrap_or_default(),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            // Somebody else was faster.
            Err(e) if e.kind() == ErrorKind::WouldBlock && Instant::now() < end => {}
            Err(e) => return e.kind() != ErrorKind::WouldBlock,
        }
    }
    true
}

fn put(to: BorrowedFd<'_>, bytes: &[u8]) -> Result<usize, Error> {
    match PIPE.get_or_init(|| again(to)).as_ref() {
        Some(mut pipe) => pipe.write(bytes),
        None => File::from(to.try_clone_to_owned()?).write(bytes),
    }
}

/// A file has a place in it, which would not be shared; so only a pipe is opened again.
fn again(to: BorrowedFd<'_>) -> Option<File> {
    use std::os::unix::fs::FileTypeExt;
    let path = format!("/proc/self/fd/{}", to.as_fd().as_raw_fd());
    let is_pipe = std::fs::metadata(&path).ok()?.file_type().is_fifo();
    let mut options = File::options();
    let options = options.write(true).custom_flags(sys::WITHOUT_WAITING);
    is_pipe.then(|| options.open(path).ok()).flatten()
}
