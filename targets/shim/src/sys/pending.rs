//! Pending signals.
use std::mem::zeroed;

/// Whether one of these blocked signals is pending.
pub fn is_pending(signals: &[i32]) -> bool {
    // SAFETY: a signal set is plain data, which sigpending fills.
    unsafe {
        let mut pending: libc::sigset_t = zeroed();
        libc::sigpending(&raw mut pending) == 0
            && signals.iter().any(|signal| libc::sigismember(&raw const pending, *signal) == 1)
    }
}
