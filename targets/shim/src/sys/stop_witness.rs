//! A process in the program's group, which does nothing but take signals. What the terminal sends there reaches it, and so does
//! what is sent to a whole group, tree of processes or container: then the program has got it too.
use super::{Error, Pid, Signals, Status, fork_helper, kill};
use std::mem::zeroed;
use std::time::{Duration, Instant};

/// What a watcher has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// Nothing that asks for the end.
    Nothing,
    /// This signal of the terminal.
    Typed(i32),
    /// TERM, INT, or both of another process, not long ago.
    Told {
        /// INT.
        int: bool,
        /// TERM.
        term: bool,
    },
}

/// How long ago that may be: whoever stops a whole container needs no longer to ask all of its processes.
const RECENT: Duration = Duration::from_secs(5);

/// Asks a watcher what it has got. Signals that wait are taken lowest first (`next_signal` in the kernel's signal.c), so that
/// the others come before. Nobody sends this one: no kernel has used it.
const ASK: i32 = libc::SIGSTKFLT;

/// The exit codes of a watcher that was told INT, TERM, or by their sum both; that of one that a key has ended is the signal.
const TOLD_INT: i32 = 64;
const TOLD_TERM: i32 = 128;

/// Starts a watcher in this process group.
pub fn watch(group: Pid, signals: Signals) -> Result<Pid, Error> {
    fork_helper(None, move || {
        // SAFETY: plain calls; the parent ends this process with the group. By its name nobody takes it for a shim.
        unsafe {
            libc::prctl(libc::PR_SET_NAME, c"stop-witness".as_ptr(), 0, 0, 0);
            if libc::setpgid(0, group) == 0 {
                let code = take(signals);
                libc::_exit(code)
            }
        }
    })
}

/// Takes signals until the terminal sends one that asks for the end, or the parent asks. Returns the exit code.
fn take(signals: Signals) -> i32 {
    let (mut int, mut term): (Option<Instant>, Option<Instant>) = (None, None);
    let code = |told: Option<Instant>, code: i32| {
        if told.is_some_and(|at| at.elapsed() < RECENT) { code } else { 0 }
    };
    loop {
        // SAFETY: both are valid for the call, which fills the second; its process is read of a signal only.
        let (signal, why, sender) = unsafe {
            let mut about: libc::siginfo_t = zeroed();
            let signal = libc::sigwaitinfo(&raw const signals.held, &raw mut about);
            (signal, about.si_code, if signal > 0 { about.si_pid() } else { 0 })
        };
        match signal {
            libc::SIGINT | libc::SIGQUIT | libc::SIGHUP if why == libc::SI_KERNEL => return signal,
            // A program may signal its own group for its own reasons.
            libc::SIGINT if !is_of_group(sender) => int = Some(Instant::now()),
            libc::SIGTERM if !is_of_group(sender) => term = Some(Instant::now()),
            ASK if sender == super::parent() => return code(int, TOLD_INT) + code(term, TOLD_TERM),
            _ => {}
        }
    }
}

/// Whether a process is in the group of this one. One of a namespace above has the number 0.
fn is_of_group(process: Pid) -> bool {
    // SAFETY: a plain call; a process that is gone gives an error.
    process > 0 && unsafe { libc::getpgid(process) } == super::own_group()
}

/// Ends a watcher, and says what it had got by then: all that was sent before this call.
pub fn dismiss(watcher: Pid) -> Seen {
    // What the whole group was sent may have stopped it.
    kill(watcher, ASK);
    kill(watcher, libc::SIGCONT);
    let mut status = 0;
    // SAFETY: `status` is valid for writing; the watcher ends when it is asked.
    unsafe { libc::waitpid(watcher, &raw mut status, 0) };
    seen(super::ended(status))
}

/// What a watcher says with its end.
pub fn seen(status: Status) -> Seen {
    let code = match status {
        Status::Code(code) => i32::from(code),
        Status::Signal(_) => 0,
    };
    match code {
        0 => Seen::Nothing,
        code if code >= TOLD_INT => Seen::Told { int: code & TOLD_INT != 0, term: code & TOLD_TERM != 0 },
        signal => Seen::Typed(signal),
    }
}
