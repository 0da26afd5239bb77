//! Limits on open files, file size, and stack size, checked before any task starts.
use crate::outcome::Failure;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::process::ExitCode;
use std::thread;

/// Number of file descriptors that each task needs: output, events, two logs, readiness probe, reserved port.
const TASK: u64 = 6;
/// Number of other file descriptors: locks, files of `/proc`, and temporary ones while a task starts.
const MORE: u64 = 36;

/// Stack size in bytes that is enough for every spec, for the thread of [`with_stack`]. `ulimit -s` limits only the main thread.
const STACK: usize = 8 << 20;
/// If the stack limit of the main thread is below this number of bytes, another thread does the work, with a stack of [`STACK`]
/// bytes. 2 MiB is the default stack size of Rust threads, such as those of the tests, which read deeply nested specs.
const LITTLE: u64 = 2 << 20;

/// The option of `tfjob shim` with the limit on open files for the program.
pub const OPTION: &str = "--open-files=";

/// Raises the soft limit on open files if this number of tasks needs more. Returns the old limit if it was raised.
///
/// # Errors
/// Returns an error if the hard limit is too low.
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
        "{tasks} {noun} {verb} {need} open files, but the hard limit is {limit}: raise the hard limit to {need} (`limits.conf`, `LimitNOFILE=`), or run `ulimit -n {need}` and then `tfjob run` in a root shell"
    )))
}

/// Checks whether the file size limit allows `contract.json`, the file of the job contract. Logs that exceed the limit are reported
/// as incomplete later.
///
/// # Errors
/// Returns an error if the limit is too low.
pub fn sizes(contract: &str) -> Result<(), Failure> {
    let need = contract.len() as u64;
    let limit = getrlimit(Resource::Fsize).current.filter(|limit| *limit < need);
    limit.map_or(Ok(()), |limit| {
        Err(Failure::new(format!(
            "the file size limit is {limit} bytes, but `contract.json`, the compiled job that this run writes, has {need} bytes: raise the limit (`ulimit -f unlimited`)"
        )))
    })
}

/// Restores the limit on open files from this option. Programs that use `select` may not support a higher limit.
pub fn lower(option: &str) {
    let number = option.strip_prefix(OPTION).and_then(|number| number.parse().ok());
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    if number.is_some() {
        // Setting a number below the hard limit cannot fail, so the result is ignored.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: number, maximum });
    }
}

/// Runs `work` on a thread with a larger stack, if the limit of the main thread is low. The stack limit of programs is not changed.
pub fn with_stack(work: fn() -> ExitCode) -> ExitCode {
    let is_little = getrlimit(Resource::Stack).current.is_some_and(|limit| limit < LITTLE);
    let thread = is_little.then(|| thread::Builder::new().stack_size(STACK).spawn(work).ok()).flatten();
    match thread {
        // `join` fails only after a panic, whose message is already printed. 101 is the exit code of a Rust program that panics.
        Some(thread) => thread.join().unwrap_or(ExitCode::from(101)),
        None => work(),
    }
}
