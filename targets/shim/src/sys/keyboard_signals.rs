//! Keyboard signals at the start of a shim. Until the shim has its own process group, it is in the foreground group of the
//! terminal. SIGTERM may arrive before the shim handles signals.
use std::io::Error;
use std::mem::zeroed;
use std::process::{Child, Command};
use std::ptr::null_mut;

/// Signals that keys send.
const KEYS: [i32; 3] = [libc::SIGINT, libc::SIGQUIT, libc::SIGTSTP];

fn keys() -> libc::sigset_t {
    // SAFETY: a signal set is plain data, which sigemptyset fills.
    unsafe {
        let mut keys: libc::sigset_t = zeroed();
        libc::sigemptyset(&raw mut keys);
        for key in KEYS {
            libc::sigaddset(&raw mut keys, key);
        }
        keys
    }
}

/// Starts a shim process in which keyboard signals are blocked until it calls [`unblock_keyboard_signals`]. SIGTERM and
/// [`super::STOP`] stay pending until the shim supervises its program.
///
/// # Errors
/// Errors of [`Command::spawn`].
pub fn spawn_without_keyboard_signals(command: &mut Command) -> Result<Child, Error> {
    let mut held = keys();
    // SAFETY: plain data, which the calls fill; the mask is that of this thread alone.
    let before = unsafe {
        libc::sigaddset(&raw mut held, libc::SIGTERM);
        libc::sigaddset(&raw mut held, super::STOP);
        let mut before: libc::sigset_t = zeroed();
        libc::pthread_sigmask(libc::SIG_BLOCK, &raw const held, &raw mut before);
        before
    };
    let child = command.spawn();
    // SAFETY: a plain call on a valid set.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, null_mut()) };
    child
}

/// Discards pending keyboard signals, and unblocks later ones.
pub fn unblock_keyboard_signals() {
    let keys = keys();
    // SAFETY: plain calls. A pending signal is discarded when its action is set to ignore.
    unsafe {
        for key in KEYS {
            let before = libc::signal(key, libc::SIG_IGN);
            libc::signal(key, before);
        }
        libc::sigprocmask(libc::SIG_UNBLOCK, &raw const keys, null_mut());
    }
}
