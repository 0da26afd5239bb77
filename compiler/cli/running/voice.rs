//! What tasks say: lines of their programs, and the shim's events among them.
use super::task::Task;
use serde::Deserialize;
use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::Sender;
use std::thread;

/// A longer line is cut: a program that never ends one may not fill the memory.
const LONGEST: u64 = 1 << 16;

/// Something that was heard.
#[derive(Debug)]
pub enum Heard {
    /// A line of a task's program or shim.
    Line {
        /// The task's number.
        task: usize,
        /// Without its end.
        text: String,
    },
    /// One of a task's two streams has ended.
    Closed {
        /// The task's number.
        task: usize,
    },
    /// A task is ready.
    Ready {
        /// The task's number.
        task: usize,
    },
    /// Somebody wants the job to end.
    Asked,
}

/// An event of the shim.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// When; not read.
    #[serde(rename = "ts")]
    _at: String,
    /// Whose; the stream says it too.
    #[serde(rename = "task")]
    _task: String,
    /// What.
    pub event: String,
    /// Why, in a person's words.
    pub reason: String,
    /// How often the program has been started.
    pub attempt: u32,
    /// How often it still may be; the reason of a restart says it too.
    #[serde(rename = "budget_left")]
    _left: Option<u32>,
    /// The step of the newest checkpoint, where the shim sees one.
    #[serde(default)]
    pub step: Option<u64>,
}

/// The event that a line is, if it is one.
pub fn event(line: &str) -> Option<Event> {
    line.starts_with("{\"ts\":").then(|| serde_json::from_str(line).ok()).flatten()
}

/// A line as it is shown: the shim's last word stands behind its task's name already.
pub fn words<'l>(line: &'l str, task: &Task) -> &'l str {
    let own = line.strip_prefix("tfjob-shim: ");
    own.map_or(line, |own| own.strip_prefix(&format!("{}-{} ", task.role, task.index)).unwrap_or(own))
}

/// Listens to a stream until its end, aside.
pub fn listen(task: usize, stream: impl Read + Send + 'static, tell: Sender<Heard>) {
    thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        let mut line = Vec::new();
        while let Ok(1..) = stream.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
            let text = String::from_utf8_lossy(&line);
            let text = text.trim_end_matches(['\n', '\r']).to_owned();
            if tell.send(Heard::Line { task, text }).is_err() {
                return;
            }
            line.clear();
        }
        drop(tell.send(Heard::Closed { task }));
    });
}

#[cfg(test)]
mod tests {
    use super::event;

    #[test]
    fn only_the_shims_own_lines_are_events() {
        let line = r#"{"ts":"2026-01-01T00:00:00.000Z","task":"worker-0","event":"restart","reason":"in 1.0 s","attempt":1,"budget_left":2}"#;
        let heard = event(line).unwrap();
        assert_eq!((heard.event.as_str(), heard.attempt), ("restart", 1));
        assert!(event(r#"{"ts":"1","loss":0.5}"#).is_none());
        assert!(event("step 1").is_none());
    }
}
