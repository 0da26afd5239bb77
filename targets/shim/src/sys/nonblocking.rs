//! Non-blocking writes that do not change the flags of the open file, which programs share.
use std::fs::File;
use std::io::{Error, ErrorKind, PipeReader};
use std::os::fd::AsRawFd;
use std::ptr::null_mut;

fn taken(count: isize) -> Result<usize, Error> {
    match usize::try_from(count) {
        Ok(0) => Err(ErrorKind::WriteZero.into()),
        Ok(count) => Ok(count),
        Err(_) => Err(Error::last_os_error()),
    }
}

/// Moves bytes from a pipe to another one.
///
/// # Errors
/// `WouldBlock`, or errors of the system.
pub fn splice(from: &PipeReader, to: &File, most: usize) -> Result<usize, Error> {
    // SAFETY: a plain call on open pipes, which have no offsets.
    taken(unsafe {
        libc::splice(from.as_raw_fd(), null_mut(), to.as_raw_fd(), null_mut(), most, libc::SPLICE_F_NONBLOCK)
    })
}

/// Sends bytes to a socket.
///
/// # Errors
/// `WouldBlock`, or errors of the system.
pub fn send(to: &File, bytes: &[u8]) -> Result<usize, Error> {
    let flags = libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL;
    // SAFETY: the pointer and the length are those of one slice.
    taken(unsafe { libc::send(to.as_raw_fd(), bytes.as_ptr().cast(), bytes.len(), flags) })
}

/// Whether a write would not block.
pub fn has_room(file: &File) -> bool {
    let mut asked = libc::pollfd { fd: file.as_raw_fd(), events: libc::POLLOUT, revents: 0 };
    // SAFETY: one valid element, which the call fills; it does not wait.
    unsafe { libc::poll(&raw mut asked, 1, 0) == 1 }
}
