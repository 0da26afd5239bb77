//! A process that nothing but its end happens to: it shows whether a signal to this process was sent to all of the task.
use super::Pid;
use std::io::Error;
use std::mem::zeroed;
use std::ptr::null_mut;

/// Its name: nobody who looks for this program by its name finds it.
const NAME: &std::ffi::CStr = c"stop-witness";

/// Starts it, in a group of its own: a signal to the group of this process is for this process.
///
/// # Errors
/// The machine has no process to spare.
pub fn start() -> Result<Pid, Error> {
    super::aside(|| {
        // SAFETY: plain calls on valid memory; the set is plain data, which sigfillset fills.
        unsafe {
            libc::setpgid(0, 0);
            libc::prctl(libc::PR_SET_NAME, NAME.as_ptr());
            let mut held: libc::sigset_t = zeroed();
            libc::sigfillset(&raw mut held);
            for signal in [libc::SIGTERM, libc::SIGINT] {
                libc::signal(signal, libc::SIG_DFL);
                libc::sigdelset(&raw mut held, signal);
            }
            libc::sigprocmask(libc::SIG_SETMASK, &raw const held, null_mut());
            loop {
                libc::pause();
            }
        }
    })
}

/// Ends it.
pub fn dismiss(witness: Pid) {
    super::kill(witness, libc::SIGKILL);
    // SAFETY: a plain call; the process ends on KILL, and how it ended is not asked.
    unsafe { libc::waitpid(witness, null_mut(), 0) };
}
