//! Signals to this process, handled on a separate thread, so that they do not wait for output.
use super::message::Message;
use crate::outcome::Failure;
use rustix::process::Signal;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXFSZ};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::WithRawSiginfo;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

/// Maximum time between two arrivals of a signal that count as one request. One stop may send the signal to this process and to
/// its process group.
const TWICE: Duration = Duration::from_millis(100);

/// `SI_KERNEL` of `asm-generic/siginfo.h`: the code of a signal that the terminal driver sends for a key. Programs cannot set
/// this code.
const BY_KERNEL: i32 = 0x80;

/// Cause of a stop from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-\.
    Quit,
    /// SIGTERM, as `kill` sends it.
    Terminate,
    /// The terminal was closed.
    Hangup,
    /// Standard output was closed.
    Closed,
}

impl Cause {
    /// Returns the cause for a signal.
    pub const fn of(signal: i32) -> Self {
        match signal {
            SIGINT => Self::Interrupt,
            SIGQUIT => Self::Quit,
            SIGHUP => Self::Hangup,
            _ => Self::Terminate,
        }
    }

    /// Returns the exit code: 128 + the signal number, as in shells.
    pub const fn code(self) -> u8 {
        match self {
            Self::Hangup => 129,
            Self::Interrupt => 130,
            Self::Quit => 131,
            // 128 plus the number of SIGPIPE.
            Self::Closed => 141,
            Self::Terminate => 143,
        }
    }

    /// Returns the name for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Interrupt => "SIGINT",
            Self::Quit => "SIGQUIT",
            Self::Terminate => "SIGTERM",
            Self::Hangup => "SIGHUP (terminal closed)",
            Self::Closed => "closed standard output",
        }
    }
}

/// Returns whether a signal was ignored when this process started, as with `nohup`.
pub fn ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask & (1 << (signal - 1)) != 0)
}

/// Makes `write` return an error if the file size limit is exceeded, as on a full disk. Otherwise, a signal would kill this
/// process. Programs are not affected.
///
/// # Errors
/// Returns an error if the signal cannot be handled.
pub fn survive_sizes() -> Result<(), Failure> {
    let handled = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    handled.map(drop).map_err(|e| Failure::new(format!("cannot handle signals: {e}")))
}

/// Starts the thread that receives signals. `hangup`: whether to receive SIGHUP too.
///
/// # Errors
/// Returns an error if signals cannot be handled.
pub fn listen(hangup: bool, tell: Sender<Message>) -> Result<(), Failure> {
    let fault = |e| Failure::new(format!("cannot handle signals: {e}"));
    let hangup = hangup.then_some(SIGHUP);
    // A script without job control starts `tfjob run &` with SIGINT and SIGQUIT ignored, so that Ctrl-C stops only the script. A
    // signal that is ignored at the start stays ignored.
    let left = [SIGINT, SIGQUIT, SIGUSR1, SIGUSR2].into_iter().filter(|signal| !ignored(*signal));
    let heard = [SIGTERM].into_iter().chain(left).chain(hangup);
    let mut signals = SignalsInfo::<WithRawSiginfo>::new(heard).map_err(fault)?;
    let forward = move || {
        let mut last = BTreeMap::new();
        for info in signals.forever() {
            let signal = info.si_signo;
            let message = match signal {
                SIGUSR1 => Message::Pass(Signal::USR1),
                SIGUSR2 => Message::Pass(Signal::USR2),
                _ => Message::Signal { signal, typed: info.si_code == BY_KERNEL },
            };
            // Only stop signals are deduplicated; each SIGUSR1 and SIGUSR2 counts.
            let now = Instant::now();
            let stops = matches!(message, Message::Signal { .. });
            let twice = stops && last.insert(signal, now).is_some_and(|at| now - at < TWICE);
            if !twice && tell.send(message).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(forward).map_err(fault)?;
    Ok(())
}
