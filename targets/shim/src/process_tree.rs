//! The process tree of a task: all descendants of this process, in any process group and session.
use crate::sys::{self, Pid};
use std::os::unix::fs::{FileTypeExt, MetadataExt};

/// A process, as in `/proc`.
#[derive(Debug, Clone, Copy)]
pub struct Process {
    /// PID.
    pub pid: Pid,
    /// Parent PID. The parent of an orphan is this process.
    pub parent: Pid,
    /// Process group.
    pub group: Pid,
    /// Start time in ticks since boot; together with the PID it is unique.
    pub started: u64,
    /// Whether the process is a shim or `tfjob run`, judged by its name.
    supervises: bool,
    /// PID in `/proc`, which may belong to a parent PID namespace.
    proc_pid: Pid,
}

/// Shells, by file name without version. They run other programs and do not forward signals.
const SHELLS: [&str; 12] =
    ["ash", "bash", "busybox", "csh", "dash", "fish", "ksh", "mksh", "sh", "tcsh", "yash", "zsh"];

/// Signal dispositions of a process. Empty if unknown.
#[derive(Debug, Clone, Copy, Default)]
pub struct Actions {
    ignored: u64,
    handled: u64,
}

impl Actions {
    /// Whether the process handles the signal, by a handler or by `sigwait`.
    pub const fn handles(self, signal: i32) -> bool {
        self.handled & bit(signal) != 0
    }

    /// Whether SIGINT or SIGQUIT is ignored, as after `program &` in a shell without job control (POSIX, 2.12 Signals and Error
    /// Handling). The program may have reset one of them.
    pub const fn is_background(self) -> bool {
        self.ignored & (bit(libc::SIGINT) | bit(libc::SIGQUIT)) != 0
    }
}

const fn bit(signal: i32) -> u64 {
    1 << (signal - 1)
}

impl Process {
    /// Returns the current signal dispositions.
    pub fn actions(&self) -> Actions {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.proc_pid)).unwrap_or_default();
        let mask = |field| {
            let line = status.lines().find_map(|line| line.strip_prefix(field));
            line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
        };
        Actions { ignored: mask("SigIgn:"), handled: mask("SigCgt:") | mask("SigBlk:") }
    }

    /// Whether the process is a shell.
    pub fn is_shell(&self) -> bool {
        let Ok(file) = std::fs::read_link(format!("/proc/{}/exe", self.proc_pid)) else { return false };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let name = name.trim_end_matches(" (deleted)");
        SHELLS.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-')))
    }

    /// Whether the process `self` reads the output of `other` through a pipe. If so, `self` exits after `other`.
    pub fn reads(&self, other: &Self) -> bool {
        let pipe = |process: &Self, number| {
            let file = std::fs::metadata(format!("/proc/{}/fd/{number}", process.proc_pid)).ok()?;
            file.file_type().is_fifo().then(|| (file.dev(), file.ino()))
        };
        let input = pipe(self, 0);
        input.is_some() && [1, 2].into_iter().any(|number| pipe(other, number) == input)
    }
}

/// Compares PID and start time only; the parent may change.
impl PartialEq for Process {
    fn eq(&self, other: &Self) -> bool {
        (self.pid, self.started) == (other.pid, other.started)
    }
}

/// Returns all running descendants of this process, except `unrelated` and their descendants. `None` if `/proc` is not available.
pub fn descendants(unrelated: &[Pid]) -> Option<Vec<Process>> {
    let own = own_proc_pid()?;
    let mut rest: Vec<Process> = pids().filter_map(process).collect();
    let mut found: Vec<Process> = Vec::new();
    loop {
        let before = found.len();
        rest.retain(|process| {
            let ours = process.parent == own || found.iter().any(|above| above.pid == process.parent);
            if ours {
                found.push(*process);
            }
            !ours
        });
        if found.len() == before {
            break;
        }
    }
    found = translate(found, own)?;
    let mut skipped = unrelated.to_vec();
    // Parents come first, so all descendants of a skipped process are skipped too.
    found.retain(|process| {
        let skip = skipped.contains(&process.pid) || skipped.contains(&process.parent);
        if skip {
            skipped.push(process.pid);
        }
        !skip
    });
    Some(found)
}

/// Whether this process has no descendants except `unrelated`. `false` if unknown.
pub fn is_empty(unrelated: &[Pid]) -> bool {
    // Orphans become children of this process, so without children there are no descendants.
    listed_children().is_some_and(|children| children.len() <= unrelated.len())
        || descendants(unrelated).is_some_and(|found| found.is_empty())
}

/// Returns the child PIDs of this thread, the only thread of the process. `None` on kernels without the file in `/proc`.
fn listed_children() -> Option<Vec<Pid>> {
    let children = std::fs::read_to_string("/proc/thread-self/children").ok()?;
    children.split_whitespace().map(|number| number.parse().ok()).collect()
}

/// Returns inherited child processes: an entrypoint may have started them before it became this process by `exec`.
pub fn inherited() -> Vec<Pid> {
    match listed_children() {
        Some(children) if children.is_empty() || own_proc_pid() == Some(sys::own()) => children,
        Some(_) | None => self::children(),
    }
}

/// Returns the PID that `/proc` shows for this process. It differs from the own PID if `/proc` is of a parent PID namespace.
fn own_proc_pid() -> Option<Pid> {
    std::fs::read_link("/proc/self").ok()?.to_str()?.parse().ok()
}

/// Translates PIDs in `/proc` to PIDs of this namespace, if `/proc` belongs to a parent PID namespace. `None` if unknown.
fn translate(processes: Vec<Process>, shown: Pid) -> Option<Vec<Process>> {
    if shown == sys::own() {
        return Some(processes);
    }
    let level = namespaced(shown, "NSpid:")?.len().checked_sub(1)?;
    let number = |pid, field| namespaced(pid, field)?.get(level).copied();
    let own = |process: &Process| {
        let parent = if process.parent == shown { sys::own() } else { number(process.parent, "NSpid:")? };
        let (pid, group) = (number(process.pid, "NSpid:")?, number(process.pid, "NSpgid:")?);
        Some(Process { pid, parent, group, ..*process })
    };
    // Processes that have exited meanwhile are skipped.
    Some(processes.iter().filter_map(own).collect())
}

/// Returns the PIDs of a process in the PID namespace of `/proc` and in its child namespaces. `field`: the
/// beginning of the line of `/proc/PID/status` that contains the PIDs. `None` if unknown.
fn namespaced(pid: Pid, field: &str) -> Option<Vec<Pid>> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    Some(line.split_whitespace().filter_map(|number| number.parse().ok()).collect())
}

/// Returns the [`descendants`] to which no other shim or `tfjob run` forwards signals. Other descendants would receive a signal
/// twice. `None` if `/proc` is not available.
pub fn unsupervised(unrelated: &[Pid]) -> Option<Vec<Process>> {
    let mut found = descendants(unrelated)?;
    let mut passing = Vec::new();
    // Parents come first, so all descendants of a supervising process are left out.
    found.retain(|process| {
        let supervised = passing.contains(&process.parent);
        if supervised || process.supervises {
            passing.push(process.pid);
        }
        !supervised
    });
    Some(found)
}

/// Whether no other process is known to run in the process group of this one. The signal proxy does not count.
pub fn is_alone_in_group() -> bool {
    let Some(own) = own_proc_pid().and_then(process) else { return true };
    let is_front = |process: &Process| process.pid == own.parent && process.supervises;
    let mut group = pids().filter_map(process).filter(|process| process.group == own.group);
    group.all(|process| process == own || is_front(&process))
}

/// Returns the PIDs of all visible processes.
fn pids() -> impl Iterator<Item = Pid> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Returns the child PIDs of this process, including zombies.
#[must_use]
pub fn children() -> Vec<Pid> {
    let Some(own) = own_proc_pid() else { return Vec::new() };
    let children = pids().filter_map(stat).map(|(_, process)| process);
    let children = translate(children.filter(|process| process.parent == own).collect(), own);
    children.unwrap_or_default().iter().map(|process| process.pid).collect()
}

/// Returns a process. `None` if it has exited.
fn process(pid: Pid) -> Option<Process> {
    stat(pid).filter(|(ended, _)| !ended).map(|(_, process)| process)
}

/// Returns a process, and whether it has exited. If only its first thread has exited, the process is running, although the kernel
/// reports a zombie.
fn stat(pid: Pid) -> Option<(bool, Process)> {
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may contain parentheses; the other fields follow the last `)`.
    let stat = String::from_utf8_lossy(&stat);
    let (name, fields) = stat.rsplit_once(')')?;
    let supervises = (name.ends_with("(tfjob") || name.ends_with("(tfjob-shim")) && is_tfjob_binary(pid);
    let mut fields = fields.split_whitespace();
    let state = fields.next()?.chars().next()?;
    let (parent, group) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    let threads: u32 = fields.nth(14)?.parse().ok()?;
    let started = fields.nth(1)?.parse().ok()?;
    let ended = state == 'X' || state == 'Z' && threads < 2;
    Some((ended, Process { pid, parent, group, started, supervises, proc_pid: pid }))
}

/// Whether a process runs a tfjob binary, not a script with such a name. `true` if unknown.
fn is_tfjob_binary(pid: Pid) -> bool {
    let Ok(file) = std::fs::read_link(format!("/proc/{pid}/exe")) else { return true };
    file.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"tfjob"))
}

/// Maximum number of processes in a message.
const NAMED: usize = 3;

/// Lists the first of these processes for messages, by command and PID.
pub fn describe(processes: &[Process]) -> String {
    let same = own_proc_pid() == Some(sys::own());
    let name = |process: &Process| {
        let name = std::fs::read(format!("/proc/{}/comm", process.pid)).ok().filter(|_| same);
        let name = name.map(|name| String::from_utf8_lossy(name.trim_ascii()).into_owned());
        name.map_or_else(|| format!("PID {}", process.pid), |name| format!("{name} (PID {})", process.pid))
    };
    let named: Vec<String> = processes.iter().take(NAMED).map(name).collect();
    let more = processes.len().saturating_sub(NAMED);
    named.join(", ") + &if more > 0 { format!(", and {more} more") } else { String::new() }
}

/// Returns the current time in ticks, as in [`Process::started`].
pub fn ticks() -> u64 {
    let (since_boot, a_second) = sys::since_boot();
    let parts = u64::from(since_boot.subsec_millis()).saturating_mul(a_second) / 1000;
    since_boot.as_secs().saturating_mul(a_second).saturating_add(parts)
}

/// Sends a signal to the process groups of these processes, so that a process that forks meanwhile does not escape. Skips the group
/// of this process.
pub fn signal_groups(processes: &[Process], signal: i32) {
    let own = sys::own_group();
    let mut done: Vec<Pid> = Vec::new();
    for process in processes {
        if process.group == own || process.group <= 1 {
            sys::kill(process.pid, signal);
        } else if !done.contains(&process.group) {
            done.push(process.group);
            sys::kill(-process.group, signal);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{descendants, process, ticks};
    use crate::sys;
    use std::process::Command;

    #[test]
    fn a_process_is_found_below_this_one_until_it_has_ended() {
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let pid = child.id().cast_signed();
        let found = descendants(&[]).unwrap().into_iter().find(|found| found.pid == pid).unwrap();
        assert_eq!((found.parent, found.group), (sys::own(), sys::own_group()));
        assert!(found.started <= ticks() && found.started + 1000 > ticks());
        assert!(descendants(&[pid]).unwrap().iter().all(|found| found.pid != pid));
        assert_eq!(process(pid), Some(found));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(process(pid).is_none());
    }
}
