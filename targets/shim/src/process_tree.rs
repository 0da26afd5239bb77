//! The processes of a task: all that are below this one, in any process group and session.
use crate::sys::{self, Pid};
use std::os::unix::fs::{FileTypeExt, MetadataExt};

/// A process, as `/proc` shows it.
#[derive(Debug, Clone, Copy)]
pub struct Process {
    /// Its number.
    pub pid: Pid,
    /// Its parent: this process itself where its own has ended.
    pub parent: Pid,
    /// Its process group.
    pub group: Pid,
    /// Start time in ticks since boot; together with the PID it is unique.
    pub started: u64,
    /// Whether it is a shim or a `tfjob run`, by its name.
    supervises: bool,
    /// Its number in `/proc`.
    shown: Pid,
}

/// Programs that run other programs and pass no signal on, by the names of their files without a version.
const SHELLS: [&str; 12] =
    ["ash", "bash", "busybox", "csh", "dash", "fish", "ksh", "mksh", "sh", "tcsh", "yash", "zsh"];

/// What a process does with its signals. Empty where the kernel does not tell it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Actions {
    ignored: u64,
    handled: u64,
}

impl Actions {
    /// Whether the process does something of its own on the signal: by a handler, or by `sigwait` and the like.
    pub const fn handle(self, signal: i32) -> bool {
        self.handled & bit(signal) != 0
    }

    /// Whether a shell has started the process as `program &`: without job control it ignores INT and QUIT then (POSIX, 2.12
    /// Signals and Error Handling). A program may set one of them again.
    pub const fn of_background(self) -> bool {
        self.ignored & (bit(libc::SIGINT) | bit(libc::SIGQUIT)) != 0
    }
}

const fn bit(signal: i32) -> u64 {
    1 << (signal - 1)
}

impl Process {
    /// What it does with its signals now.
    pub fn actions(&self) -> Actions {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.shown)).unwrap_or_default();
        let mask = |field| {
            let line = status.lines().find_map(|line| line.strip_prefix(field));
            line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
        };
        Actions { ignored: mask("SigIgn:"), handled: mask("SigCgt:") | mask("SigBlk:") }
    }

    /// Whether it is a shell.
    pub fn is_shell(&self) -> bool {
        let Ok(file) = std::fs::read_link(format!("/proc/{}/exe", self.shown)) else { return false };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let name = name.trim_end_matches(" (deleted)");
        SHELLS.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-')))
    }

    /// Whether it reads what another process writes, by a pipe or a FIFO: it ends with that one.
    pub fn reads(&self, other: &Self) -> bool {
        let pipe = |process: &Self, number| {
            let file = std::fs::metadata(format!("/proc/{}/fd/{number}", process.shown)).ok()?;
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

/// All living processes below this one, except `apart` and what is below those. `None` where `/proc` is not mounted, or does not show this process.
pub fn below(apart: &[Pid]) -> Option<Vec<Process>> {
    let own = shown()?;
    let mut rest: Vec<Process> = numbers().filter_map(process).collect();
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
    found = own_numbers(found, own)?;
    let mut skipped = apart.to_vec();
    // Each comes after its parent.
    found.retain(|process| {
        let skip = skipped.contains(&process.pid) || skipped.contains(&process.parent);
        if skip {
            skipped.push(process.pid);
        }
        !skip
    });
    Some(found)
}

/// Whether no process is below this one, except `apart`. `false` where that cannot be seen.
pub fn is_empty(apart: &[Pid]) -> bool {
    // What has lost its parent is a child of this process.
    listed().is_some_and(|children| children.len() <= apart.len())
        || below(apart).is_some_and(|found| found.is_empty())
}

/// The children of this process, which has one thread, by their numbers in `/proc`. `None`: some kernels have no such file.
fn listed() -> Option<Vec<Pid>> {
    let children = std::fs::read_to_string("/proc/thread-self/children").ok()?;
    children.split_whitespace().map(|number| number.parse().ok()).collect()
}

/// Children from before: an entrypoint may start some, and become this process then.
pub fn inherited() -> Vec<Pid> {
    match listed() {
        Some(children) if children.is_empty() || shown() == Some(sys::own()) => children,
        Some(_) | None => self::children(),
    }
}

/// The number of this process in `/proc`, which may be that of a namespace above.
fn shown() -> Option<Pid> {
    std::fs::read_link("/proc/self").ok()?.to_str()?.parse().ok()
}

/// The same processes with the numbers of this namespace: those of `/proc` mean others where it shows one above. `None` where
/// the kernel does not tell them.
fn own_numbers(processes: Vec<Process>, shown: Pid) -> Option<Vec<Process>> {
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
    // One that has ended in the meantime is none.
    Some(processes.iter().filter_map(own).collect())
}

/// The numbers of a process in the namespaces of `/proc` and below, this one's last or before the last.
fn namespaced(pid: Pid, field: &str) -> Option<Vec<Pid>> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    Some(line.split_whitespace().filter_map(|number| number.parse().ok()).collect())
}

/// Those of [`below`] that no other shim or `tfjob run` passes signals to: what it passes would come twice.
pub fn unsupervised(apart: &[Pid]) -> Option<Vec<Process>> {
    let mut found = below(apart)?;
    let mut passing = Vec::new();
    // Each comes after its parent.
    found.retain(|process| {
        let supervised = passing.contains(&process.parent);
        if supervised || process.supervises {
            passing.push(process.pid);
        }
        !supervised
    });
    Some(found)
}

/// Whether no other living process is in the process group of this one, as far as that can be seen; the one that only passes signals
/// to it does not count.
pub fn is_alone_in_group() -> bool {
    let Some(own) = shown().and_then(process) else { return true };
    let is_front = |process: &Process| process.pid == own.parent && process.supervises;
    let mut group = numbers().filter_map(process).filter(|process| process.group == own.group);
    group.all(|process| process == own || is_front(&process))
}

/// The numbers of all processes that can be seen.
fn numbers() -> impl Iterator<Item = Pid> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// The processes whose parent this one is, those that have ended and were not reaped among them.
#[must_use]
pub fn children() -> Vec<Pid> {
    let Some(own) = shown() else { return Vec::new() };
    let children = numbers().filter_map(stat).map(|(_, process)| process);
    let children = own_numbers(children.filter(|process| process.parent == own).collect(), own);
    children.unwrap_or_default().iter().map(|process| process.pid).collect()
}

/// One process; `None` for one that has ended.
fn process(pid: Pid) -> Option<Process> {
    stat(pid).filter(|(ended, _)| !ended).map(|(_, process)| process)
}

/// A process, and whether it has ended. One whose first thread alone has ended goes on, although the kernel calls it a zombie.
fn stat(pid: Pid) -> Option<(bool, Process)> {
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The name in brackets may hold anything, brackets too; state, parent and group follow the last one.
    let stat = String::from_utf8_lossy(&stat);
    let (name, fields) = stat.rsplit_once(')')?;
    let supervises = (name.ends_with("(tfjob") || name.ends_with("(tfjob-shim")) && is_built(pid);
    let mut fields = fields.split_whitespace();
    let state = fields.next()?.chars().next()?;
    let (parent, group) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    let threads: u32 = fields.nth(14)?.parse().ok()?;
    let started = fields.nth(1)?.parse().ok()?;
    let ended = state == 'X' || state == 'Z' && threads < 2;
    Some((ended, Process { pid, parent, group, started, supervises, shown: pid }))
}

/// Whether a process runs a file of such a name: a script or an interpreter may have the name too. One that cannot be read
/// gets the benefit of the doubt.
fn is_built(pid: Pid) -> bool {
    let Ok(file) = std::fs::read_link(format!("/proc/{pid}/exe")) else { return true };
    file.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"tfjob"))
}

/// How many processes are named.
const NAMED: usize = 3;

/// The first of these processes for people, by their commands and numbers.
pub fn names(processes: &[Process]) -> String {
    let same = shown() == Some(sys::own());
    let name = |process: &Process| {
        let name = std::fs::read(format!("/proc/{}/comm", process.pid)).ok().filter(|_| same);
        let name = name.map(|name| String::from_utf8_lossy(name.trim_ascii()).into_owned());
        name.map_or_else(|| format!("PID {}", process.pid), |name| format!("{name} (PID {})", process.pid))
    };
    let named: Vec<String> = processes.iter().take(NAMED).map(name).collect();
    let more = processes.len().saturating_sub(NAMED);
    named.join(", ") + &if more > 0 { format!(", and {more} more") } else { String::new() }
}

/// The time now, in the ticks of [`Process::started`].
pub fn ticks() -> u64 {
    let (since_boot, a_second) = sys::since_boot();
    let parts = u64::from(since_boot.subsec_millis()).saturating_mul(a_second) / 1000;
    since_boot.as_secs().saturating_mul(a_second).saturating_add(parts)
}

/// Sends a signal to all that a look found: to whole groups, so that a process which forks meanwhile does not escape, but
/// not to the group of this process itself.
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
    use super::{below, process, ticks};
    use crate::sys;
    use std::process::Command;

    #[test]
    fn a_process_is_found_below_this_one_until_it_has_ended() {
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let pid = child.id().cast_signed();
        let found = below(&[]).unwrap().into_iter().find(|found| found.pid == pid).unwrap();
        assert_eq!((found.parent, found.group), (sys::own(), sys::own_group()));
        assert!(found.started <= ticks() && found.started + 1000 > ticks());
        assert!(below(&[pid]).unwrap().iter().all(|found| found.pid != pid));
        assert_eq!(process(pid), Some(found));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(process(pid).is_none());
    }
}
