//! Helper child processes of the shim. They are killed with it, and inherit only a few descriptors.
use super::{Error, Pid, own, parent};
use std::os::fd::RawFd;

/// Highest descriptor that is closed if `close_range` fails. Higher ones then stay open, because closing each of them takes long.
const MOST: i64 = 1 << 16;

/// Runs `work` in a child process. The child exits after `work`, or when this process exits. It inherits only the three standard
/// descriptors and `kept`, because other descriptors may lock the run directory.
///
/// # Errors
/// The process cannot be created.
pub fn fork_helper(kept: Option<RawFd>, work: impl FnOnce()) -> Result<Pid, Error> {
    let above = own();
    // SAFETY: this process has one thread, so the child finds every lock free.
    let pid = unsafe { libc::fork() };
    match pid {
        0 => {
            // SAFETY: plain calls; `_exit` runs no code of the parent.
            unsafe {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0);
                // If the parent was killed before this call, no signal is sent, so `work` must not run.
                if parent() == above {
                    close_others(kept);
                    work();
                }
                libc::_exit(0)
            }
        }
        1.. => Ok(pid),
        _ => Err(Error::last_os_error()),
    }
}

/// Closes all descriptors except the standard ones and `kept`.
fn close_others(kept: Option<RawFd>) {
    let kept = kept.and_then(|kept| u32::try_from(kept).ok()).filter(|kept| *kept > 2);
    let ranges = match kept {
        Some(kept) => [(3, kept - 1), (kept.saturating_add(1), u32::MAX)],
        None => [(3, u32::MAX), (u32::MAX, u32::MAX)],
    };
    for (first, last) in ranges.into_iter().filter(|(first, last)| first <= last) {
        // SAFETY: nothing in this process uses the closed descriptors: it exits without running destructors.
        unsafe {
            // `close_range` requires Linux 5.9, and some containers forbid it. If it fails, the descriptors are closed one by one.
            if libc::syscall(libc::SYS_close_range, first, last, 0) != 0 {
                let most = libc::sysconf(libc::_SC_OPEN_MAX).clamp(0, MOST);
                let last = last.min(u32::try_from(most).unwrap_or(0));
                for number in first..=last {
                    libc::close(number.cast_signed());
                }
            }
        }
    }
}
