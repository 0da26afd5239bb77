//! The signal proxy, for a shim with inherited child processes. Orphans become children of the shim, whether the program or an
//! inherited process started them, and `/proc` cannot tell them apart. So the shim runs as two processes: the proxy stays the
//! parent of inherited processes and forwards signals, and its child supervises the program.
use super::{Pid, own, parent, terminal};
use std::mem::zeroed;
use std::ptr::null_mut;

/// Keyboard signals: the kernel sends them to the whole process group.
const GROUP: [i32; 3] = [libc::SIGINT, libc::SIGQUIT, libc::SIGTSTP];
/// Signals that a background process gets when it accesses the terminal. The child handles them.
const STOPS: [i32; 2] = [libc::SIGTTIN, libc::SIGTTOU];

/// Continues in a child process. This process forwards all signals to the child, and exits with the exit code of the child. If no
/// process can be created, this process continues itself.
pub fn fork_below() {
    let above = own();
    // SAFETY: plain data, which the calls fill; this process has one thread, so the child finds every lock free.
    unsafe {
        let (mut all, mut mask): (libc::sigset_t, libc::sigset_t) = (zeroed(), zeroed());
        libc::sigfillset(&raw mut all);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const all, &raw mut mask);
        let child = libc::fork();
        if child > 0 {
            libc::signal(libc::SIGCHLD, libc::SIG_DFL);
            libc::_exit(pass(child, &all));
        }
        if child == 0 {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0);
            if parent() != above {
                libc::_exit(0);
            }
        }
        libc::sigprocmask(libc::SIG_SETMASK, &raw const mask, null_mut());
    }
}

/// Forwards signals to the child until the child exits. Returns the exit code of the child.
fn pass(child: Pid, all: &libc::sigset_t) -> i32 {
    loop {
        // The child may have exited before the first wait.
        if let Some(code) = reap(child) {
            return code;
        }
        // SAFETY: both are valid for the call, which fills the second.
        let (signal, why) = unsafe {
            let mut about: libc::siginfo_t = zeroed();
            (libc::sigwaitinfo(all, &raw mut about), about.si_code)
        };
        let has_it = why == libc::SI_KERNEL && GROUP.contains(&signal);
        if signal > 0 && signal != libc::SIGCHLD && !has_it && !STOPS.contains(&signal) {
            super::kill(child, signal);
        }
    }
}

/// Reaps all exited children. Returns the exit code of `child` if it has exited.
fn reap(child: Pid) -> Option<i32> {
    loop {
        let mut status = 0;
        // SAFETY: `status` is valid for writing.
        let pid = unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG | libc::WUNTRACED) };
        match pid {
            ..=0 => return None,
            _ if pid != child => {}
            // The child was suspended. On a terminal, a shell waits for this process, so this process is suspended too.
            _ if libc::WIFSTOPPED(status) => {
                if terminal::of_session().is_some() {
                    // SAFETY: a plain call.
                    unsafe { libc::raise(libc::SIGSTOP) };
                }
            }
            _ if libc::WIFSIGNALED(status) => return Some(128 + libc::WTERMSIG(status)),
            _ => return Some(libc::WEXITSTATUS(status)),
        }
    }
}
