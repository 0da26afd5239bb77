//! System calls that std does not provide. All `unsafe` blocks of the shim are here, each with its reason.
#![expect(unsafe_code, reason = "signals, reaping and forking have no safe form in std")]
pub mod connect;
mod helper_process;
pub mod keyboard_signals;
pub mod nonblocking;
pub mod pending;
pub mod signal_proxy;
pub mod stop_witness;

pub use helper_process::fork_helper;

use std::ffi::CString;
use std::fs::File;
use std::io::Error;
use std::mem::zeroed;
use std::net::TcpStream;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::ptr::null_mut;
use std::time::Duration;

/// A process ID.
pub type Pid = i32;

/// Signals that this process ignores instead of forwarding them. Its own writes cause the first two: a write to a pipe without a
/// reader, or beyond the file size limit. The terminal sends the other two to background processes.
const IGNORED: [i32; 4] = [libc::SIGPIPE, libc::SIGXFSZ, libc::SIGTTIN, libc::SIGTTOU];

/// Signal by which the parent stops the task. The kernel also sends it when the parent exits. It never merges with a SIGTERM from
/// another sender, so the shim receives both. Nothing else sends it: neither the kernel nor programs have another use for it.
pub const STOP: i32 = libc::SIGSTKFLT;

/// Signal dispositions that are restored for programs. std restores SIGPIPE.
const RESTORED: [i32; 3] = [libc::SIGXFSZ, libc::SIGTTIN, libc::SIGTTOU];

/// Signal masks of a supervisor and of its programs.
#[derive(Clone, Copy)]
pub struct Signals {
    /// Blocked signals, which [`Signals::next`] receives.
    held: libc::sigset_t,
    /// Signal mask that this process inherited, for its programs.
    mask: libc::sigset_t,
    /// Which of [`RESTORED`] were ignored before this process became a supervisor.
    ignored: [bool; RESTORED.len()],
}

impl std::fmt::Debug for Signals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Signals")
    }
}

/// Makes this process a supervisor: it blocks signals, and becomes the parent of orphaned descendants.
pub fn become_supervisor() -> Signals {
    let hangup = is_ignored(libc::SIGHUP);
    let ignored = RESTORED.map(is_ignored);
    // SAFETY: a signal set is plain data, which sigfillset and sigprocmask fill.
    let (mut held, mut mask): (libc::sigset_t, libc::sigset_t) = unsafe { (zeroed(), zeroed()) };
    // SAFETY: plain calls on valid values. The parent may have left SIGCHLD ignored, which would lose exit statuses.
    unsafe {
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        libc::sigfillset(&raw mut held);
        for signal in IGNORED {
            libc::signal(signal, libc::SIG_IGN);
            libc::sigdelset(&raw mut held, signal);
        }
        // For `nohup`, SIGHUP is not blocked, because the kernel discards an ignored signal only if it is not blocked.
        if hangup {
            libc::sigdelset(&raw mut held, libc::SIGHUP);
        }
        libc::sigprocmask(libc::SIG_SETMASK, &raw const held, &raw mut mask);
        // Stop signals must reach every program, so programs start with these signals unblocked.
        libc::sigdelset(&raw mut mask, libc::SIGTERM);
        libc::sigdelset(&raw mut mask, libc::SIGINT);
        libc::sigdelset(&raw mut mask, STOP);
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    }
    Signals { held, mask, ignored }
}

fn is_ignored(signal: i32) -> bool {
    // SAFETY: plain data, which the call fills; without a new action it changes nothing.
    unsafe {
        let mut old: libc::sigaction = zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut old) == 0 && old.sa_sigaction == libc::SIG_IGN
    }
}

/// Resets the inherited signal mask, and SIGCHLD if it is ignored. Programs that this process starts inherit these settings.
pub fn begin_with_signals() {
    // SAFETY: plain calls; a signal set is plain data, which sigemptyset fills.
    unsafe {
        let mut none: libc::sigset_t = zeroed();
        libc::sigemptyset(&raw mut none);
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, null_mut());
    }
}

/// Makes the kernel send [`STOP`] when the parent exits. Returns whether `parent` is still the parent. Also detaches from the
/// terminal: a program that reads a password from it would be suspended, and no shell would continue it.
pub fn end_with(parent: Pid) -> bool {
    if let Some(terminal) = terminal::of_session() {
        // SAFETY: a plain call on an open file.
        unsafe { libc::ioctl(terminal.as_raw_fd(), libc::TIOCNOTTY) };
    }
    // SAFETY: plain calls. Without the first one, this process would be named `exe`: `tfjob run` starts `/proc/self/exe`.
    unsafe {
        libc::prctl(libc::PR_SET_NAME, c"tfjob".as_ptr(), 0, 0, 0);
        libc::prctl(libc::PR_SET_PDEATHSIG, STOP, 0, 0, 0);
    }
    // If the parent exited before `prctl`, the kernel sends no signal.
    self::parent() == parent
}

/// Makes the kernel reset the connection when it is closed, so that the kernel keeps no state of the connection.
pub fn reset_on_close(stream: &TcpStream) {
    let linger = libc::linger { l_onoff: 1, l_linger: 0 };
    let size = u32::try_from(size_of::<libc::linger>()).unwrap_or(0);
    // SAFETY: a plain call on an open socket; the option is read from a valid value of that size.
    unsafe {
        libc::setsockopt(
            stream.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_LINGER,
            (&raw const linger).cast(),
            size,
        )
    };
}

/// Returns the PID of the parent.
pub fn parent() -> Pid {
    // SAFETY: a plain call that cannot fail.
    unsafe { libc::getppid() }
}

/// Makes reads of the file non-blocking.
pub fn set_nonblocking(file: &File) {
    // SAFETY: a plain call on an open file.
    unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) };
}

impl Signals {
    /// Waits for the next signal, for `longest` at most. Returns the signal with the PID of its sender.
    pub fn next(&self, longest: Duration) -> Option<(i32, Pid)> {
        let time = libc::timespec {
            tv_sec: longest.as_secs().min(86_400).cast_signed(),
            tv_nsec: i64::from(longest.subsec_nanos()),
        };
        // SAFETY: all pointers are valid for the call, which fills the second; the PID is read only after a signal was received.
        unsafe {
            let mut about: libc::siginfo_t = zeroed();
            let signal = libc::sigtimedwait(&raw const self.held, &raw mut about, &raw const time);
            (signal > 0).then(|| (signal, about.si_pid()))
        }
    }
}

/// Job control of the terminal of this session.
pub mod terminal {
    use super::{AsRawFd, File, Pid};

    /// Opens the controlling terminal. `None` if this process has none.
    pub fn of_session() -> Option<File> {
        File::open("/dev/tty").ok()
    }

    /// Whether the group of this process is in the foreground.
    pub fn is_ours() -> bool {
        // SAFETY: plain calls on an open file.
        of_session().is_some_and(|file| unsafe { libc::tcgetpgrp(file.as_raw_fd()) == libc::getpgrp() })
    }

    /// Moves a process group to the foreground, so that the group can read from the terminal and gets Ctrl-C.
    pub fn give(group: Pid) {
        if let Some(file) = of_session() {
            // SAFETY: a plain call on an open file. SIGTTOU, which a background process gets for this call, is ignored.
            unsafe { libc::tcsetpgrp(file.as_raw_fd(), group) };
        }
    }

    /// Moves the group of this process to the foreground.
    pub fn take() {
        let group = super::own_group();
        // A process group of another PID namespace has ID 0 here, so it cannot be moved.
        if group > 0 {
            give(group);
        }
    }

    /// Suspends this process and its group until the shell continues them. Returns false if no shell would continue them: the group
    /// is that of the session leader, or there is no terminal.
    pub fn suspend(signal: i32) -> bool {
        if of_session().is_none() {
            return false;
        }
        // SAFETY: plain calls. The signal is blocked or ignored in this process, so the rest of the group stops first.
        unsafe {
            if libc::getpgrp() == libc::getsid(0) || libc::getpgrp() <= 0 {
                return false;
            }
            if signal == libc::SIGTSTP {
                take();
            }
            libc::kill(0, signal);
            libc::raise(libc::SIGSTOP);
        }
        true
    }
}

/// Exit status of a child process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Exit code.
    Code(u8),
    /// Signal that killed the child.
    Signal(u8),
}

/// Result of reaping.
#[derive(Debug)]
pub enum Reaped {
    /// The child has exited.
    Ended(Pid, Status),
    /// The child was suspended by this signal.
    Stopped(Pid, i32),
    /// All children are running.
    Alive,
    /// There is no child.
    Childless,
}

/// Reaps one child, if one has exited.
pub fn reap() -> Reaped {
    let mut status = 0;
    // SAFETY: `status` is valid for writing.
    let pid = unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG | libc::WUNTRACED) };
    match pid {
        0 => Reaped::Alive,
        1.. if libc::WIFSTOPPED(status) => Reaped::Stopped(pid, libc::WSTOPSIG(status)),
        1.. => Reaped::Ended(pid, ended(status)),
        _ => Reaped::Childless,
    }
}

fn ended(status: i32) -> Status {
    let byte = |number: i32| u8::try_from(number & 0xff).unwrap_or(u8::MAX);
    if libc::WIFSIGNALED(status) {
        Status::Signal(byte(libc::WTERMSIG(status)))
    } else {
        Status::Code(byte(libc::WEXITSTATUS(status)))
    }
}

/// Space of a file system.
#[derive(Debug, Clone, Copy)]
pub struct Space {
    /// Total bytes. 0: unknown.
    pub total: u64,
    /// Bytes that are available to this user.
    pub available: u64,
}

/// Returns the space of the file system of a directory. `None` if unknown.
pub fn space(folder: &Path) -> Option<Space> {
    let folder = CString::new(folder.as_os_str().as_bytes()).ok()?;
    // SAFETY: plain data, which the call fills.
    let mut about: libc::statvfs = unsafe { zeroed() };
    // SAFETY: both are valid for the call.
    let done = unsafe { libc::statvfs(folder.as_ptr(), &raw mut about) };
    (done == 0).then(|| Space {
        total: about.f_blocks.saturating_mul(about.f_frsize),
        available: about.f_bavail.saturating_mul(about.f_frsize),
    })
}

/// Takes ownership of an inherited descriptor other than the three standard ones, and sets close-on-exec. `None` if the descriptor
/// is not open.
pub fn inherited(number: i32) -> Option<File> {
    // SAFETY: a plain call; a number that is not an open descriptor gives an error.
    if number < 3 || unsafe { libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC) } != 0 {
        return None;
    }
    // SAFETY: the descriptor is open, and the parent passed it for this process to own: nothing here has opened it.
    Some(unsafe { File::from_raw_fd(number) })
}

/// Returns the stack size limit of this process in bytes. `None` if unknown.
pub fn stack() -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the value is valid for the call, which fills it.
    let done = unsafe { libc::getrlimit(libc::RLIMIT_STACK, &raw mut limit) };
    (done == 0).then_some(limit.rlim_cur)
}

/// Returns the PID of this process.
pub fn own() -> Pid {
    std::process::id().cast_signed()
}

/// Returns the process group of this process.
pub fn own_group() -> Pid {
    // SAFETY: a plain call that cannot fail.
    unsafe { libc::getpgrp() }
}

/// Returns the time since boot, and the number of ticks per second in `/proc`.
pub fn since_boot() -> (Duration, u64) {
    // SAFETY: plain data, which the call fills, and a plain call.
    let (time, ticks) = unsafe {
        let mut time: libc::timespec = zeroed();
        libc::clock_gettime(libc::CLOCK_BOOTTIME, &raw mut time);
        (time, libc::sysconf(libc::_SC_CLK_TCK))
    };
    let nanos = u32::try_from(time.tv_nsec).unwrap_or(0);
    (Duration::new(time.tv_sec.cast_unsigned(), nanos), ticks.max(1).cast_unsigned())
}

/// Sends a signal to a process, or to a process group if `pid` is negative.
pub fn kill(pid: Pid, signal: i32) {
    // SAFETY: a plain call; if the process is gone, the error can be ignored.
    unsafe { libc::kill(pid, signal) };
}

/// Makes the child get SIGKILL when this process exits, and restores its signal mask. SIGTERM, SIGINT, and SIGQUIT get their
/// default action, because a shell that starts this process in the background leaves SIGINT and SIGQUIT ignored. With `foreground`,
/// the group of the child gets the terminal before the program starts.
pub fn die_together(command: &mut Command, signals: Signals, foreground: bool) {
    let parent = std::process::id().cast_signed();
    // SAFETY: the closure runs between fork and exec and makes only async-signal-safe calls.
    unsafe {
        command.pre_exec(move || {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0);
            if foreground {
                terminal::give(libc::getpid());
            }
            libc::signal(libc::SIGTERM, libc::SIG_DFL);
            libc::signal(libc::SIGINT, libc::SIG_DFL);
            libc::signal(libc::SIGQUIT, libc::SIG_DFL);
            for (signal, ignored) in RESTORED.into_iter().zip(signals.ignored) {
                libc::signal(signal, if ignored { libc::SIG_IGN } else { libc::SIG_DFL });
            }
            libc::sigprocmask(libc::SIG_SETMASK, &raw const signals.mask, null_mut());
            // If the parent exited before `prctl`, the kernel will not kill this process.
            if libc::getppid() == parent { Ok(()) } else { Err(Error::from_raw_os_error(libc::ESRCH)) }
        });
    }
}
