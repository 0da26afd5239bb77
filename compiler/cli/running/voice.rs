//! What tasks say: lines of their programs, and the shim's events among them.
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

/// The shim's last word on its task, without the task's name, if the line is that.
pub fn last<'l>(line: &'l str, role: &str, index: u32) -> Option<&'l str> {
    let own = line.strip_prefix("tfjob-shim: ")?;
    Some(own.strip_prefix(&format!("{role}-{index} ")).unwrap_or(own))
}

/// A line of a program as a person reads it on its own terminal: what was written over is gone, and colours are left out.
pub fn shown(line: &str) -> String {
    let last = line.rsplit('\r').find(|part| !part.is_empty()).unwrap_or_default();
    let mut text = String::with_capacity(last.len());
    let mut rest = last.chars();
    while let Some(c) = rest.next() {
        if c == '\u{1b}' {
            // A sequence of ECMA-48: a bracket, numbers, and one letter that ends it.
            if rest.as_str().starts_with('[') {
                rest.by_ref().skip(1).find(|c| ('@'..='~').contains(c));
            }
        } else {
            text.push(c);
        }
    }
    text
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
    use super::{event, last, shown};

    #[test]
    fn only_the_shims_own_lines_are_events() {
        let line = r#"{"ts":"2026-01-01T00:00:00.000Z","task":"worker-0","event":"restart","reason":"in 1.0 s","attempt":1,"budget_left":2}"#;
        let heard = event(line).unwrap();
        assert_eq!((heard.event.as_str(), heard.attempt), ("restart", 1));
        assert!(event(r#"{"ts":"1","loss":0.5}"#).is_none());
        assert!(event("step 1").is_none());
    }

    #[test]
    fn a_line_is_shown_as_on_a_terminal_of_its_own() {
        assert_eq!(shown("\r1/20 loss: 0.0\r2/20 loss: 0.1\r"), "2/20 loss: 0.1");
        assert_eq!(shown("\u{1b}[31mred\u{1b}[0m \u{1b}]x\u{1b}[1;32mgreen"), "red ]xgreen");
        assert_eq!((shown(""), shown("\u{1b}[")), (String::new(), String::new()));
    }

    #[test]
    fn the_last_word_stands_without_the_name() {
        assert_eq!(last("tfjob-shim: ps-0 ended well", "ps", 0), Some("ended well"));
        assert_eq!(last("tfjob-shim: no contract", "ps", 0), Some("no contract"));
        assert_eq!(last("ps-0 ended well", "ps", 0), None);
    }
}
