//! Limits on open files, on the size of files and on the stack, before anything starts.
use crate::outcome::Failure;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::process::ExitCode;
use std::thread;

/// File descriptors per task: output, events, two logs, readiness probe, reserved port.
const TASK: u64 = 6;
/// What is open besides: locks, and for a moment the other ends of pipes and the locks of a task that starts, files of `/proc`.
const MORE: u64 = 36;

/// A stack that is enough for every spec. The main thread has what the limit says, any other what it is given.
const STACK: usize = 8 << 20;
/// A limit on the stack below this is not relied on: reading a spec takes 100 KiB and more.
const LITTLE: u64 = 2 << 20;

/// The option of `tfjob shim` with the limit that a program begins with.
pub const OPTION: &str = "--open-files=";

/// Raises the limit as far as so many tasks need it. Returns what it was, if it was too low.
///
/// # Errors
/// Where the hard limit is lower.
pub fn raise(tasks: usize) -> Result<Option<u64>, Failure> {
    let open = std::fs::read_dir("/proc/self/fd").map_or(0, |entries| entries.count() as u64);
    let need = open + MORE + TASK * tasks as u64;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current.is_none_or(|current| current >= need) {
        return Ok(None);
    }
    if maximum.is_none_or(|maximum| maximum >= need)
        && setrlimit(Resource::Nofile, Rlimit { current: Some(need), maximum }).is_ok()
    {
        return Ok(current);
    }
    let limit = maximum.or(current).unwrap_or_default();
    let (noun, verb) = if tasks == 1 { ("task", "needs") } else { ("tasks", "need") };
    Err(Failure::new(format!(
        "{tasks} {noun} {verb} {need} open files, but the hard limit is {limit}: raise the hard limit to {need} (`limits.conf`, `LimitNOFILE=`), or run as root with `ulimit -n {need}`"
    )))
}

/// Looks whether files as large as the contract may be written. Logs that may not be are counted as incomplete.
///
/// # Errors
/// Where the limit on the size of files is lower.
pub fn sizes(contract: &str) -> Result<(), Failure> {
    let need = contract.len() as u64;
    let limit = getrlimit(Resource::Fsize).current.filter(|limit| *limit < need);
    limit.map_or(Ok(()), |limit| {
        Err(Failure::new(format!(
            "files may have {limit} bytes, but the contract of the job has {need}: raise the limit on the size of files (`ulimit -f unlimited`)"
        )))
    })
}

/// Sets the limit of this option again: a program that uses `select` may not expect more.
pub fn lower(option: &str) {
    let number = option.strip_prefix(OPTION).and_then(|number| number.parse().ok());
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    if number.is_some() {
        // A number below the hard limit is always taken.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: number, maximum });
    }
}

/// Does `work` on a thread with a stack of its own, if the limit leaves the main thread little. Programs keep the limit.
pub fn with_stack(work: fn() -> ExitCode) -> ExitCode {
    let is_little = getrlimit(Resource::Stack).current.is_some_and(|limit| limit < LITTLE);
    let thread = is_little.then(|| thread::Builder::new().stack_size(STACK).spawn(work).ok()).flatten();
    match thread {
        // A panic has been told.
        Some(thread) => thread.join().unwrap_or(ExitCode::from(101)),
        None => work(),
    }
}
