//! Events, one line of JSON each. `tfjob run` reads them from a descriptor of its own, which no program inherits: its
//! number is in `TFJOB_EVENTS_FD`. Elsewhere they go to standard error, with a last line for people.
//!
//! Where the variable `TFJOB_STATUS` names a file, that file holds one line more: how the task stands now. It is put in
//! place whole at each event, for probes of readiness and for people:
//!
//! | field | |
//! |---|---|
//! | `task` | `worker-1` |
//! | `state` | `starting`, `waiting` (for others), `running`, `pausing` (before a restart), `stopping`, `staying` (its own work is done), `ended` |
//! | `since` | when that state began |
//! | `attempt` | how often the program has been started |
//! | `budget_left` | how often it still may be; `null`: any number |
//! | `step` | step of the newest checkpoint; `null`: not known |
//! | `reason` | the words of the last event |
//! | `code` | only when `ended`: the code that the shim ends with |
use crate::output::Output;
use crate::{sys, whole};
use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::Read;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The variable with the number of the descriptor for events. The program does not get it.
pub const DESCRIPTOR: &str = "TFJOB_EVENTS_FD";
/// The same of descriptors that this process only keeps open, with commas between: the lock of `tfjob run` on its folder, and
/// the end of the pipe at which it reads the program's output.
pub const HELD: &str = "TFJOB_HOLD_FDS";

/// How long the last lines may wait for a reader: the platform may kill what does not end.
const PATIENCE: Duration = Duration::from_secs(1);
/// When they have waited so long.
static PATIENT_UNTIL: OnceLock<Instant> = OnceLock::new();

/// The descriptor for events, taken before the first program starts.
static CHANNEL: OnceLock<Option<File>> = OnceLock::new();
/// What is written there, or to standard error.
static OUTPUT: Mutex<Option<Output>> = Mutex::new(None);
/// The descriptors that are kept open to the end.
static KEPT: OnceLock<Vec<File>> = OnceLock::new();
/// Whether a program may have written to standard error since the last own line, and left its line open.
static OPEN_LINE: AtomicBool = AtomicBool::new(false);

/// Who speaks.
#[derive(Debug)]
pub struct Events {
    /// `worker-1`; `None`: nothing is said but the last line.
    task: Option<String>,
    /// The file that says how the task stands.
    status: Option<PathBuf>,
    /// What could not be written there yet.
    unwritten: RefCell<Option<String>>,
    /// Whether that was said.
    told: Cell<bool>,
    /// The state that it is in, and since when.
    state: Cell<(&'static str, Duration)>,
}

/// Where a task stands when something happens.
#[derive(Debug, Clone, Copy)]
pub struct Standing {
    /// How often the program has been started.
    pub attempt: u32,
    /// How often it still may be; `None`: any number.
    pub left: Option<u32>,
    /// The step of the newest checkpoint, where it is known.
    pub step: Option<u64>,
}

impl Events {
    /// The events of this task; of none where there is no contract.
    pub fn of(task: Option<String>) -> Self {
        let _ = channel();
        let _ = KEPT.get_or_init(|| inherited(HELD));
        let status = std::env::var_os("TFJOB_STATUS").filter(|path| !path.is_empty()).map(PathBuf::from);
        // The program may start in another directory.
        let status = status.map(|path| std::path::absolute(&path).unwrap_or(path));
        let (unwritten, told) = (RefCell::new(None), Cell::new(false));
        Self { task, status, unwritten, told, state: Cell::new(("starting", now())) }
    }

    /// Says one event, and where the task stood.
    pub fn say(&self, event: &str, reason: &str, at: Standing) {
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
        // The file keeps the code of the end.
        if before.0 == "ended" {
            return;
        }
        let state = state(event).unwrap_or(before.0);
        self.stand(state, if state == before.0 { before.1 } else { now }, reason, at, None);
    }

    /// Writes lines that the reader had no room for, and how many were dropped meanwhile. Whether nothing is left.
    pub fn flush(&self, at: Standing) -> bool {
        let done = flush();
        match with_output(Output::dropped).unwrap_or_default() {
            0 => {}
            1 => self.say("dropped", "1 event was dropped: nobody read the events", at),
            many => self.say("dropped", &format!("{many} events were dropped: nobody read the events"), at),
        }
        done
    }

    /// Notes the end, with the code.
    pub fn end(&self, code: u8, reason: &str, at: Standing) {
        // The platform may end this process while it waits for a reader.
        self.stand("ended", now(), reason, at, Some(code));
        settle();
        let _ = self.flush(at);
    }

    /// Writes how the task stands, where somebody wants to know.
    fn stand(&self, state: &'static str, since: Duration, reason: &str, at: Standing, code: Option<u8>) {
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
            self.say(
                "status",
                &format!("{path} cannot be written: {e}; the task continues; retrying every 5 s"),
                at,
            );
        }
    }

    /// Puts a line into the status file, or remembers it. A file that cannot say that the task has ended is removed.
    fn put(&self, line: String, ended: bool) -> std::io::Result<()> {
        let Some(path) = &self.status else { return Ok(()) };
        let done = whole::put(path, &beside(path), line.as_bytes());
        let own = path.symlink_metadata().is_ok_and(|about| about.is_file());
        if done.is_err() && ended && own && !whole::is_output(path) {
            let _ = std::fs::remove_file(path);
        }
        self.unwritten.replace(done.is_err().then_some(line));
        done
    }

    /// Tries again to write what could not be written. Whether nothing is left.
    pub fn retry(&self) -> bool {
        let line = self.unwritten.borrow_mut().take();
        line.is_none_or(|line| self.put(line, false).is_ok())
    }
}

/// Writes the reason for which this process ends: an event where `tfjob run` listens, else a line for people.
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

/// Gives the reader a moment, which is one for all lines of the end.
fn settle() {
    let end = *PATIENT_UNTIL.get_or_init(|| Instant::now() + PATIENCE);
    while !flush() && Instant::now() < end {
        std::thread::sleep(PATIENCE / 50);
    }
}

/// Writes lines that the reader had no room for. Whether nothing is left.
fn flush() -> bool {
    with_output(Output::flush).unwrap_or(true)
}

/// The descriptor that the variable names, closed in programs; `None`: there is none.
fn channel() -> Option<&'static File> {
    CHANNEL.get_or_init(|| inherited(DESCRIPTOR).pop()).as_ref()
}

fn inherited(variable: &str) -> Vec<File> {
    let numbers = std::env::var(variable).unwrap_or_default();
    numbers.split(',').filter_map(|number| sys::inherited(number.parse().ok()?)).collect()
}

/// Takes what is in the pipes that are kept open, and drops it.
pub fn drain() {
    let mut part = [0; 4096];
    for mut file in KEPT.get().into_iter().flatten() {
        sys::wait_for_nothing(file);
        // As much as a pipe of Linux holds at the most, for an ordinary user.
        let mut left = 256;
        while left > 0 && file.read(&mut part).is_ok_and(|length| length > 0) {
            left -= 1;
        }
    }
}

/// Writes a line to the descriptor, as soon as it takes one; on standard error it begins a line of its own.
fn write(mut line: String, last: bool) {
    if channel().is_none() && OPEN_LINE.load(Ordering::Relaxed) {
        line.insert(0, '\n');
    }
    with_output(|output| output.put(line.into_bytes(), last));
}

/// The descriptor, or standard error. `None`: it is closed, and nobody is there to tell.
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

impl Standing {
    fn fields(self) -> String {
        let left = self.left.map_or_else(|| "null".to_owned(), |left| left.to_string());
        format!(",\"attempt\":{},\"budget_left\":{left}", self.attempt)
    }
}

/// The state that an event begins; `None`: it changes none.
fn state(event: &str) -> Option<&'static str> {
    match event {
        "waiting" => Some("waiting"),
        "met" => Some("starting"),
        "started" => Some("running"),
        "stop" => Some("stopping"),
        "restart" => Some("pausing"),
        "staying" => Some("staying"),
        _ => None,
    }
}

fn beside(path: &Path) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    beside.into()
}

/// The time since 1970.
fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// The time now, as events have it: `2026-01-31T23:59:59.000Z`.
#[must_use]
pub fn timestamp() -> String {
    date(now())
}

/// `2026-01-31T23:59:59.000Z` of the time since 1970, by Howard Hinnant's `civil_from_days`.
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

/// A JSON text.
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
    fn a_text_is_json_whatever_it_holds() {
        let text = "a\"\\\n\u{1}\u{7f}ü";
        assert_eq!(serde_json::from_str::<String>(&quoted(text)).unwrap(), text);
    }
}
