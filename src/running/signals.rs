//! Signals to this process, on a thread of their own: none waits for output.
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

/// A signal that comes twice within this time was sent once to this process and once to its group.
const TWICE: Duration = Duration::from_millis(100);

/// `SI_KERNEL` of `asm-generic/siginfo.h`: the terminal's driver sends what a key asks for, and no program can say so.
const BY_KERNEL: i32 = 0x80;

/// Why a job is stopped from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-\.
    Quit,
    /// `kill`.
    Terminate,
    /// The terminal is gone.
    Hangup,
    /// Nobody reads standard output any more.
    Closed,
}

impl Cause {
    /// The cause of a signal.
    pub const fn of(signal: i32) -> Self {
        match signal {
            SIGINT => Self::Interrupt,
            SIGQUIT => Self::Quit,
            SIGHUP => Self::Hangup,
            _ => Self::Terminate,
        }
    }

    /// The exit code: 128 and the signal, as shells count.
    pub const fn code(self) -> u8 {
        match self {
            Self::Hangup => 129,
            Self::Interrupt => 130,
            Self::Quit => 131,
            // As a program that SIGPIPE ends.
            Self::Closed => 141,
            Self::Terminate => 143,
        }
    }

    /// What stopped the job.
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

/// Whether the one who started this process has it ignore a signal, as `nohup` does with hangups.
pub fn ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask & (1 << (signal - 1)) != 0)
}

/// From now on a limit on the size of files is an error of the write, as a full disk is. Programs begin without this.
///
/// # Errors
/// Where the system does not let the signal be handled.
pub fn survive_sizes() -> Result<(), Failure> {
    let handled = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    handled.map(drop).map_err(|e| Failure::new(format!("cannot handle signals: {e}")))
}

/// Passes signals on from now on; `hangup`: SIGHUP too.
///
/// # Errors
/// Where the system does not let them be handled.
pub fn listen(hangup: bool, tell: Sender<Message>) -> Result<(), Failure> {
    let fault = |e| Failure::new(format!("cannot handle signals: {e}"));
    let hangup = hangup.then_some(SIGHUP);
    // A script starts `tfjob run &` with keys ignored, so that Ctrl-C ends the script alone. Programs ignore what this process
    // ignores, and none of them expects a signal of users that it has not heard before.
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
            // Only a stop may come twice for one cause; each signal of users counts.
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
