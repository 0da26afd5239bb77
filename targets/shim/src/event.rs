//! Events, one line of JSON each. `tfjob run` reads them from a descriptor that programs do not inherit (`TFJOB_EVENTS_FD`).
//! Otherwise they go to standard error, followed by a last plain-text line.
//!
//! If `TFJOB_STATUS` is the path of a file, that file contains the current state as one line of JSON. It is replaced atomically at
//! each event:
//!
//! | field | |
//! |---|---|
//! | `task` | `worker:1` |
//! | `state` | `starting`, `waiting` (for peers), `running`, `backoff` (before a restart), `stopping`, `holding` (succeeded, but stays up), `ended` |
//! | `since` | start of the state |
//! | `attempt` | number of starts of the program |
//! | `budget_left` | restarts left; `null`: unlimited |
//! | `step` | step of the newest checkpoint; `null`: unknown |
//! | `reason` | `reason` of the last event |
//! | `code` | only when `ended`: exit code of the shim |
use crate::output::Output;
use crate::{atomic_write, sys};
use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::Read;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The variable with the number of the event descriptor. The variable is removed from the environment of the program.
pub const DESCRIPTOR: &str = "TFJOB_EVENTS_FD";
/// The variable with the numbers of descriptors that this process only keeps open, separated by commas. These are the lock of
/// `tfjob run` on its directory, and the read end of the output pipe of the program.
pub const HELD: &str = "TFJOB_HOLD_FDS";

/// Maximum wait at exit for a reader of the last lines. It is short, because the platform may kill a container that does not exit.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time at which the wait for a reader ends. All last lines share one wait of [`PATIENCE`].
static PATIENT_UNTIL: OnceLock<Instant> = OnceLock::new();

/// The event descriptor, taken before the first program starts.
static CHANNEL: OnceLock<Option<File>> = OnceLock::new();
/// The output of events: the descriptor, or standard error.
static OUTPUT: Mutex<Option<Output>> = Mutex::new(None);
/// The descriptors of [`HELD`].
static KEPT: OnceLock<Vec<File>> = OnceLock::new();
/// Whether the program may have left an unterminated line on standard error.
static OPEN_LINE: AtomicBool = AtomicBool::new(false);

/// Emits the events of a task, and writes its status file.
#[derive(Debug)]
pub struct Events {
    /// Name of the task, `worker:1`; `None`: no events, only the last line.
    task: Option<String>,
    /// Path of the status file.
    status: Option<PathBuf>,
    /// The status line that could not be written yet.
    unwritten: RefCell<Option<String>>,
    /// Whether a failed write of the status file was reported.
    told: Cell<bool>,
    /// The current state and its start.
    state: Cell<(&'static str, Duration)>,
}

/// The progress of a task at an event.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Number of starts of the program.
    pub attempt: u32,
    /// Restarts left; `None`: unlimited.
    pub left: Option<u32>,
    /// Step of the newest checkpoint, if known.
    pub step: Option<u64>,
}

impl Events {
    /// Creates the emitter for a task. `task` is `None` if the shim runs a program without a job contract; then it emits no events.
    pub fn of(task: Option<String>) -> Self {
        let _ = channel();
        let _ = KEPT.get_or_init(|| inherited(HELD));
        let status = std::env::var_os("TFJOB_STATUS").filter(|path| !path.is_empty()).map(PathBuf::from);
        // The path becomes absolute, because the program may start in another directory.
        let status = status.map(|path| std::path::absolute(&path).unwrap_or(path));
        let (unwritten, told) = (RefCell::new(None), Cell::new(false));
        Self { task, status, unwritten, told, state: Cell::new(("starting", now())) }
    }

    /// Emits an event and updates the status file.
    pub fn emit(&self, event: &str, reason: &str, at: Progress) {
        let Some(task) = &self.task else { return };
        let now = now();
        let mut line = format!("{{\"ts\":\"{}\",\"task\":{},\"event\":\"{event}\"", date(now), quoted(task));
        line.push_str(&format!(",\"reason\":{}{}", quoted(reason), at.fields()));
        if let Some(step) = at.step {
            line.push_str(&format!(",\"step\":{step}"));
        }
        line.push_str("}\n");
        write(line, false);
        match event {
            "started" => OPEN_LINE.store(true, Ordering::Relaxed),
            "ended" => OPEN_LINE.store(false, Ordering::Relaxed),
            _ => {}
        }
        let before = self.state.get();
        // The final status contains the exit code, so later events must not overwrite it.
        if before.0 == "ended" {
            return;
        }
        let state = state(event).unwrap_or(before.0);
        self.write_status(state, if state == before.0 { before.1 } else { now }, reason, at, None);
    }

    /// Writes buffered events, and an event that reports dropped events. Returns whether the buffer is empty.
    pub fn flush(&self, at: Progress) -> bool {
        let done = flush();
        match with_output(Output::dropped).unwrap_or_default() {
            0 => {}
            1 => {
                self.emit("dropped", "1 event is missing here: the event buffer of tfjob-shim was full, because the events were read too slowly", at)
            }
            many => self.emit(
                "dropped",
                &format!("{many} events are missing here: the event buffer of tfjob-shim was full, because the events were read too slowly"),
                at,
            ),
        }
        done
    }

    /// Writes the final status with the exit code, and waits for the reader of the events.
    pub fn end(&self, code: u8, reason: &str, at: Progress) {
        // The status is written first, because the platform may kill this process while it waits for a reader of the events.
        self.write_status("ended", now(), reason, at, Some(code));
        settle();
        let _ = self.flush(at);
    }

    /// Writes the status file, if there is one.
    fn write_status(
        &self,
        state: &'static str,
        since: Duration,
        reason: &str,
        at: Progress,
        code: Option<u8>,
    ) {
        self.state.set((state, since));
        let (Some(path), Some(task)) = (&self.status, &self.task) else { return };
        let step = at.step.map_or_else(|| "null".to_owned(), |step| step.to_string());
        let mut line =
            format!("{{\"task\":{},\"state\":\"{state}\",\"since\":\"{}\"", quoted(task), date(since));
        line.push_str(&format!("{},\"step\":{step},\"reason\":{}", at.fields(), quoted(reason)));
        if let Some(code) = code {
            line.push_str(&format!(",\"code\":{code}"));
        }
        line.push_str("}\n");
        if let Err(e) = self.put(line, code.is_some())
            && !self.told.replace(true)
        {
            let path = path.display();
            self.emit(
                "status",
                &format!("cannot write the status file {path}: {e}; the task continues, and tfjob-shim retries the write every 5 s"),
                at,
            );
        }
    }

    /// Writes a line to the status file, or keeps it for a retry. If the final status cannot be written, the file is removed.
    fn put(&self, line: String, ended: bool) -> std::io::Result<()> {
        let Some(path) = &self.status else { return Ok(()) };
        let done = atomic_write::write_unsynced(path, &temporary(path), line.as_bytes());
        let own = path.symlink_metadata().is_ok_and(|about| about.is_file());
        if done.is_err() && ended && own && !atomic_write::is_output(path) {
            let _ = std::fs::remove_file(path);
        }
        self.unwritten.replace(done.is_err().then_some(line));
        done
    }

    /// Retries a failed write of the status file. Returns whether nothing is left to write.
    pub fn retry(&self) -> bool {
        let line = self.unwritten.borrow_mut().take();
        line.is_none_or(|line| self.put(line, false).is_ok())
    }
}

/// Writes the reason of the exit: an event for `tfjob run`, or else a plain-text line.
pub fn last(code: u8, reason: &str) {
    if channel().is_some() {
        let (at, reason) = (date(now()), quoted(reason));
        let line = format!("{{\"ts\":\"{at}\",\"event\":\"exit\",\"reason\":{reason},\"code\":{code}}}\n");
        write(line, true);
    } else {
        let reason: String = reason.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        write(format!("tfjob-shim: {reason}\n"), true);
    }
    settle();
}

/// Waits until the last lines are read, at most [`PATIENCE`] for all of them together.
fn settle() {
    let end = *PATIENT_UNTIL.get_or_init(|| Instant::now() + PATIENCE);
    while !flush() && Instant::now() < end {
        std::thread::sleep(PATIENCE / 50);
    }
}

/// Writes buffered lines. Returns whether the buffer is empty.
fn flush() -> bool {
    with_output(Output::flush).unwrap_or(true)
}

/// Returns the event descriptor, with close-on-exec. `None` if [`DESCRIPTOR`] is unset or invalid.
fn channel() -> Option<&'static File> {
    CHANNEL.get_or_init(|| inherited(DESCRIPTOR).pop()).as_ref()
}

fn inherited(variable: &str) -> Vec<File> {
    let numbers = std::env::var(variable).unwrap_or_default();
    numbers.split(',').filter_map(|number| sys::inherited(number.parse().ok()?)).collect()
}

/// Reads and discards the content of the pipes that are kept open.
pub fn drain() {
    let mut part = [0; 4096];
    for mut file in KEPT.get().into_iter().flatten() {
        sys::set_nonblocking(file);
        // 256 reads of 4 KiB are 1 MiB, the maximum size of a pipe for an unprivileged user on Linux.
        let mut left = 256;
        while left > 0 && file.read(&mut part).is_ok_and(|length| length > 0) {
            left -= 1;
        }
    }
}

/// Writes a line to the output, without blocking. On standard error it starts on a new line.
fn write(mut line: String, last: bool) {
    if channel().is_none() && OPEN_LINE.load(Ordering::Relaxed) {
        line.insert(0, '\n');
    }
    with_output(|output| output.put(line.into_bytes(), last));
}

/// Runs `work` with the output of events. `None` if it is closed.
fn with_output<T>(work: impl FnOnce(&mut Output) -> T) -> Option<T> {
    let mut output = OUTPUT.lock().unwrap_or_else(PoisonError::into_inner);
    if output.is_none() {
        let file = match channel() {
            Some(channel) => channel.try_clone(),
            None => std::io::stderr().as_fd().try_clone_to_owned().map(File::from),
        };
        *output = file.ok().map(Output::new);
    }
    output.as_mut().map(work)
}

impl Progress {
    fn fields(self) -> String {
        let left = self.left.map_or_else(|| "null".to_owned(), |left| left.to_string());
        format!(",\"attempt\":{},\"budget_left\":{left}", self.attempt)
    }
}

/// Returns the state that begins with an event. `None` if the event does not change the state.
fn state(event: &str) -> Option<&'static str> {
    match event {
        "waiting" => Some("waiting"),
        "peers-ready" => Some("starting"),
        "started" => Some("running"),
        "stop" => Some("stopping"),
        "restart" => Some("backoff"),
        "holding" => Some("holding"),
        _ => None,
    }
}

fn temporary(path: &Path) -> PathBuf {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".new");
    temporary.into()
}

/// Returns the time since 1970.
fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Returns the current time in the format of events: `2026-01-31T23:59:59.000Z`.
#[must_use]
pub fn timestamp() -> String {
    date(now())
}

/// Formats the time since 1970 as `2026-01-31T23:59:59.000Z`, by Howard Hinnant's `civil_from_days`.
fn date(time: Duration) -> String {
    let (seconds, millis) = (time.as_secs(), time.subsec_millis());
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// Returns the text as a JSON string.
pub fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::quoted;
    use std::time::Duration;

    #[test]
    fn seconds_are_a_date() {
        let date = |seconds, millis: u32| super::date(Duration::new(seconds, millis * 1_000_000));
        assert_eq!(date(0, 7), "1970-01-01T00:00:00.007Z");
        assert_eq!(date(951_782_399, 999), "2000-02-28T23:59:59.999Z");
        assert_eq!(date(951_782_400, 0), "2000-02-29T00:00:00.000Z");
        assert_eq!(date(4_107_542_400, 0), "2100-03-01T00:00:00.000Z");
    }

    #[test]
    fn every_text_is_a_json_string() {
        let text = "a\"\\\n\u{1}\u{7f}ü";
        assert_eq!(serde_json::from_str::<String>(&quoted(text)).unwrap(), text);
    }
}
