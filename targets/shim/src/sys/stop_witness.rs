//! The stop witness: a process in the process group of the program that only records signals. If it receives a signal of the
//! terminal, the program has received the signal too. The same holds for a signal to the whole group, process tree, or container.
use super::{Error, Pid, Signals, Status, fork_helper, kill};
use std::mem::zeroed;
use std::time::{Duration, Instant};

/// Signals that a witness has received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// No stop signal.
    Nothing,
    /// A signal of the terminal.
    Terminal(i32),
    /// SIGTERM, SIGINT, or both, recently received from a process.
    Process {
        /// SIGINT.
        int: bool,
        /// SIGTERM.
        term: bool,
    },
}

/// Maximum age of a recorded signal: an older one belongs to another stop. A sender that stops a whole container takes less time to
/// signal all processes.
const RECENT: Duration = Duration::from_secs(5);

/// Signal that ends a witness. Pending signals are delivered lowest number first (`next_signal` in signal.c of the kernel), so all
/// other signals are received before this one. The kernel never sends this signal to a witness.
const ASK: i32 = libc::SIGSTKFLT;

/// Exit codes of a witness that received SIGINT (64) or SIGTERM (128) from a process; 192 means both. After a signal of the
/// terminal, the exit code is the signal number.
const TOLD_INT: i32 = 64;
const TOLD_TERM: i32 = 128;

/// Starts a witness in this process group.
///
/// # Errors
/// The process cannot be created.
pub fn watch(group: Pid, signals: Signals) -> Result<Pid, Error> {
    fork_helper(None, move || {
        // SAFETY: plain calls. The process gets another name than a shim, because shims skip processes that look like a shim.
        unsafe {
            libc::prctl(libc::PR_SET_NAME, c"stop-witness".as_ptr(), 0, 0, 0);
            if libc::setpgid(0, group) == 0 {
                let code = receive(signals);
                libc::_exit(code)
            }
        }
    })
}

/// Receives signals until the terminal sends a stop signal, or the parent ends the witness. Returns the exit code.
fn receive(signals: Signals) -> i32 {
    let (mut int, mut term): (Option<Instant>, Option<Instant>) = (None, None);
    let code = |told: Option<Instant>, code: i32| {
        if told.is_some_and(|at| at.elapsed() < RECENT) { code } else { 0 }
    };
    loop {
        // SAFETY: both pointers are valid for the call, which fills the second; the PID is read only after a signal was received.
        let (signal, why, sender) = unsafe {
            let mut about: libc::siginfo_t = zeroed();
            let signal = libc::sigwaitinfo(&raw const signals.held, &raw mut about);
            (signal, about.si_code, if signal > 0 { about.si_pid() } else { 0 })
        };
        match signal {
            libc::SIGINT | libc::SIGQUIT | libc::SIGHUP if why == libc::SI_KERNEL => return signal,
            // A program may signal its own group for other reasons, so such a signal does not count.
            libc::SIGINT if !is_of_group(sender) => int = Some(Instant::now()),
            libc::SIGTERM if !is_of_group(sender) => term = Some(Instant::now()),
            ASK if sender == super::parent() => return code(int, TOLD_INT) + code(term, TOLD_TERM),
            _ => {}
        }
    }
}

/// Whether a process is in the group of this one. A process of a parent PID namespace has PID 0 here, and does not count.
fn is_of_group(process: Pid) -> bool {
    // SAFETY: a plain call; a process that is gone gives an error.
    process > 0 && unsafe { libc::getpgid(process) } == super::own_group()
}

/// Ends a witness, and returns the signals that it has received before this call.
pub fn dismiss(witness: Pid) -> Seen {
    // The whole group may be suspended, so the witness is also continued.
    kill(witness, ASK);
    kill(witness, libc::SIGCONT);
    let mut status = 0;
    // SAFETY: `status` is valid for writing; the witness exits when it receives `ASK`.
    unsafe { libc::waitpid(witness, &raw mut status, 0) };
    seen(super::ended(status))
}

/// Decodes the exit status of a witness.
pub fn seen(status: Status) -> Seen {
    let code = match status {
        Status::Code(code) => i32::from(code),
        Status::Signal(_) => 0,
    };
    match code {
        0 => Seen::Nothing,
        code if code >= TOLD_INT => Seen::Process { int: code & TOLD_INT != 0, term: code & TOLD_TERM != 0 },
        signal => Seen::Terminal(signal),
    }
}
