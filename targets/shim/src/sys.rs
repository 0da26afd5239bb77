//! The system calls that std lacks; the only file with `unsafe`, each with its reason.
#![expect(unsafe_code, reason = "signals, reaping and forking have no safe form in std")]
use std::ffi::CString;
use std::fs::File;
use std::io::Error;
use std::mem::zeroed;
use std::os::fd::FromRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::ptr::null_mut;
use std::time::Duration;

/// The number of a process.
pub type Pid = i32;

/// Signals that a fault of this process itself raises, and those of a terminal: they are never held back.
const OWN: [i32; 9] = [
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGFPE,
    libc::SIGILL,
    libc::SIGABRT,
    libc::SIGTRAP,
    libc::SIGSYS,
    libc::SIGTTIN,
    libc::SIGTTOU,
];

fn held() -> libc::sigset_t {
    // SAFETY: a signal set is plain data, and sigfillset fills all of it.
    let mut set: libc::sigset_t = unsafe { zeroed() };
    // SAFETY: `set` is a valid set and each number a valid signal.
    unsafe {
        libc::sigfillset(&raw mut set);
        for signal in OWN {
            libc::sigdelset(&raw mut set, signal);
        }
    }
    set
}

/// The signals that were held back before this process became a supervisor: its programs begin with them.
#[derive(Clone, Copy)]
pub struct Mask(libc::sigset_t);

impl std::fmt::Debug for Mask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Mask")
    }
}

/// Makes this process a supervisor: its signals wait to be asked for, and orphans below it become its children.
pub fn become_supervisor() -> Mask {
    let set = held();
    // SAFETY: a signal set is plain data; sigprocmask fills it.
    let mut old: libc::sigset_t = unsafe { zeroed() };
    // SAFETY: plain calls on valid values; who started us may have left SIGCHLD ignored, which would lose statuses.
    unsafe {
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const set, &raw mut old);
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    }
    Mask(old)
}

/// From now on the end of the parent is a TERM. Says whether that is still this process.
pub fn end_with(parent: u32) -> bool {
    // SAFETY: plain calls; the parent may have ended before the first, and is looked at after it.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM, 0, 0, 0);
        libc::getppid().cast_unsigned() == parent
    }
}

/// The next signal, waited for at most so long.
pub fn next_signal(longest: Duration) -> Option<i32> {
    let set = held();
    let time = libc::timespec {
        tv_sec: longest.as_secs().min(86_400).cast_signed(),
        tv_nsec: i64::from(longest.subsec_nanos()),
    };
    // SAFETY: set and time are valid for the call; nothing is written.
    let signal = unsafe { libc::sigtimedwait(&raw const set, null_mut(), &raw const time) };
    (signal > 0).then_some(signal)
}

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// With this code.
    Code(u8),
    /// By this signal.
    Signal(u8),
}

/// What reaping found.
#[derive(Debug)]
pub enum Reaped {
    /// This child ended so.
    Ended(Pid, Status),
    /// All children live.
    Alive,
    /// There is no child.
    Childless,
}

/// Takes one ended child, if there is one.
pub fn reap() -> Reaped {
    let mut status = 0;
    // SAFETY: `status` is valid for writing.
    let pid = unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG) };
    let byte = |number: i32| u8::try_from(number & 0xff).unwrap_or(u8::MAX);
    match pid {
        0 => Reaped::Alive,
        1.. if libc::WIFSIGNALED(status) => Reaped::Ended(pid, Status::Signal(byte(libc::WTERMSIG(status)))),
        1.. => Reaped::Ended(pid, Status::Code(byte(libc::WEXITSTATUS(status)))),
        _ => Reaped::Childless,
    }
}

/// How much room a file system has.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// Bytes in all; 0: it does not say.
    pub whole: u64,
    /// Bytes that this user may still write.
    pub left: u64,
}

/// The room of the file system of a folder; `None` where it does not say.
pub fn room(folder: &Path) -> Option<Room> {
    let folder = CString::new(folder.as_os_str().as_bytes()).ok()?;
    // SAFETY: plain data, which the call fills.
    let mut about: libc::statvfs = unsafe { zeroed() };
    // SAFETY: both are valid for the call.
    let done = unsafe { libc::statvfs(folder.as_ptr(), &raw mut about) };
    (done == 0).then(|| Room {
        whole: about.f_blocks.saturating_mul(about.f_frsize),
        left: about.f_bavail.saturating_mul(about.f_frsize),
    })
}

/// Takes a descriptor that the parent has opened, other than the three standard ones. Programs do not inherit it. `None`:
/// it is not open.
pub fn inherited(number: i32) -> Option<File> {
    // SAFETY: a plain call; a number that is no open descriptor gives an error.
    if number < 3 || unsafe { libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC) } != 0 {
        return None;
    }
    // SAFETY: it is open, and the parent passed it for this process to own: nothing here opened it.
    Some(unsafe { File::from_raw_fd(number) })
}

/// Sends a signal to a process; to its group where `pid` is negative.
pub fn kill(pid: Pid, signal: i32) {
    // SAFETY: a plain call; a process that is gone gives an error, which says nothing new.
    unsafe { libc::kill(pid, signal) };
}

/// Lets the child die with its parent, this process, and begin with the signals that this one began with; those of the
/// stop ladder it gets undamped, since a shell that starts this one in the background leaves INT ignored.
pub fn die_together(command: &mut Command, mask: Mask) {
    let parent = std::process::id().cast_signed();
    // SAFETY: the closure runs between fork and exec and makes only async-signal-safe calls.
    unsafe {
        command.pre_exec(move || {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0);
            libc::signal(libc::SIGTERM, libc::SIG_DFL);
            libc::signal(libc::SIGINT, libc::SIG_DFL);
            libc::sigprocmask(libc::SIG_SETMASK, &raw const mask.0, null_mut());
            // The parent may have died before that.
            if libc::getppid() == parent { Ok(()) } else { Err(Error::from_raw_os_error(libc::ESRCH)) }
        });
    }
}

/// Does `work` in a child process, which ends with it.
pub fn aside(work: impl FnOnce()) -> Result<Pid, Error> {
    // SAFETY: this process has one thread, so the child finds every lock free.
    let pid = unsafe { libc::fork() };
    match pid {
        0 => {
            // SAFETY: plain calls; _exit runs nothing of the parent's.
            unsafe {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0);
                work();
                libc::_exit(0)
            }
        }
        1.. => Ok(pid),
        _ => Err(Error::last_os_error()),
    }
}
