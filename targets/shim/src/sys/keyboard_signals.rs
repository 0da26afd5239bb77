//! Signals at the start of a shim that gets a group of its own. Until then it is in the group that the terminal signals, and
//! TERM may come before it takes signals.
use std::io::Error;
use std::mem::zeroed;
use std::process::{Child, Command};
use std::ptr::null_mut;

/// The signals that keys send.
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

/// Starts a process that no key ends or stops before it calls [`unblock_keyboard_signals`]. TERM and [`super::STOP`] wait until it
/// supervises its program, and are taken then.
///
/// # Errors
/// Those of [`Command::spawn`].
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

/// Drops the keys that came before this process had its group, and hears those that come from now on.
pub fn unblock_keyboard_signals() {
    let keys = keys();
    // SAFETY: plain calls. A signal that waits is dropped when its action is to ignore it.
    unsafe {
        for key in KEYS {
            let before = libc::signal(key, libc::SIG_IGN);
            libc::signal(key, before);
        }
        libc::sigprocmask(libc::SIG_UNBLOCK, &raw const keys, null_mut());
    }
}
