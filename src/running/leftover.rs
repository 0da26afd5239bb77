//! Leftover processes of an earlier run that was killed together with its shims. They may still write to the run directory and its
//! checkpoints.
use super::RunContext;
use crate::outcome::Failure;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// Environment variable that tells programs the run directory.
pub const RUN: &str = "TFJOB_RUN";
/// Environment variable that tells programs the checkpoint directory of the run.
pub const CHECKPOINTS: &str = "TFJOB_RUN_CHECKPOINTS";
/// How long a killed process may take to exit.
const PATIENCE: Duration = Duration::from_secs(2);
/// Maximum number of processes in a message.
const FEW: usize = 8;

/// A process of another run that uses the run directory or the checkpoint directory of this run.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Left {
    pid: u32,
    name: String,
    /// Run directory of the run that the process belongs to, if that run is active.
    run: Option<String>,
}

/// Checks that no process of another run uses the run directory or the checkpoint directory.
///
/// # Errors
/// Returns a message that lists the processes.
pub fn check(context: &RunContext) -> Result<(), Failure> {
    let folders = [(RUN, Some(&context.folder)), (CHECKPOINTS, context.checkpoints.as_ref())];
    for (variable, folder) in folders.into_iter().filter_map(|(variable, folder)| Some((variable, folder?))) {
        let end = Instant::now() + PATIENCE;
        let mut left = with(variable, folder);
        while !left.is_empty() && Instant::now() < end {
            thread::sleep(PATIENCE / 20);
            left = with(variable, folder);
        }
        if !left.is_empty() {
            return Err(refused(&left, folder));
        }
    }
    Ok(())
}

fn refused(left: &[Left], folder: &Path) -> Failure {
    // The message must not advise the user to kill a process of an active run, because the job of that run would fail.
    let runs: BTreeSet<String> =
        left.iter().filter_map(|one| Some(format!("`{}`", one.run.as_ref()?))).collect();
    if !runs.is_empty() {
        let runs: Vec<String> = runs.into_iter().collect();
        return Failure::new(format!(
            "another run (run directory {}) is active and may write to `{}`: wait for it to finish, or change `checkpoints`",
            runs.join(", "),
            folder.display()
        ));
    }
    let named: Vec<String> = left.iter().take(FEW).map(|one| format!("{} ({})", one.pid, one.name)).collect();
    let more = match left.len().saturating_sub(FEW) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let pids: Vec<String> = left.iter().map(|one| one.pid.to_string()).collect();
    Failure::new(format!(
        "processes of another run are still running and may write to `{}`: {}{more}; stop them with `kill {}`",
        folder.display(),
        named.join(", "),
        pids.join(" ")
    ))
}

/// Returns the running processes that have this directory in this environment variable. Processes of other users cannot be read.
fn with(variable: &str, folder: &Path) -> Vec<Left> {
    let Some(own) = identity(folder) else { return Vec::new() };
    // The ancestors of this process are skipped: a program of an earlier run may have started this run.
    let above = with_parents(std::process::id());
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let mut left: Vec<Left> = pids
        .filter(|pid| !above.contains(pid))
        .filter_map(|pid| {
            let process = PathBuf::from(format!("/proc/{pid}"));
            let environment = fs::read(process.join("environ")).ok()?;
            let value = value(&environment, variable)?;
            // In another container, the same path may be another directory, so the two directories are compared.
            let theirs = process.join("root").join(value.strip_prefix("/").ok()?);
            (identity(&theirs)? == own).then_some(())?;
            let run = is_supervised(pid).then(|| run(&environment));
            // For the run directory, a process of an active run is no conflict: that run may have used this path before the
            // directory was removed. Two runs must never share a checkpoint directory.
            (variable == CHECKPOINTS || run.is_none()).then_some(())?;
            let name = fs::read_to_string(process.join("comm")).ok()?;
            Some(Left { pid, name: name.trim().to_owned(), run })
        })
        .collect();
    left.sort_by_key(|one| one.pid);
    left
}

/// Returns the run directory of a process.
fn run(environment: &[u8]) -> String {
    value(environment, RUN).unwrap_or(Path::new("unknown")).display().to_string()
}

fn value<'e>(environment: &'e [u8], variable: &str) -> Option<&'e Path> {
    let mut entries = environment.split(|byte| *byte == 0);
    let value = entries.find_map(|entry| entry.strip_prefix(variable.as_bytes())?.strip_prefix(b"="))?;
    Some(Path::new(std::ffi::OsStr::from_bytes(value)))
}

fn identity(path: &Path) -> Option<(u64, u64)> {
    fs::metadata(path).ok().map(|about| (about.dev(), about.ino()))
}

/// Returns whether a process belongs to an active run: the process itself or one of its ancestors is a shim.
fn is_supervised(pid: u32) -> bool {
    let is_shim =
        |pid| fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| line.starts_with(b"tfjob\0shim\0"));
    with_parents(pid).into_iter().any(is_shim)
}

/// Returns a process and its ancestors.
fn with_parents(pid: u32) -> Vec<u32> {
    let mut pids = vec![pid];
    while let Some(parent) = pids.last().and_then(|pid| parent(*pid)).filter(|parent| *parent > 0) {
        pids.push(parent);
    }
    pids
}

fn parent(pid: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
}
