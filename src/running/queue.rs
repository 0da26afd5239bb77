//! Bounded queue of the screen. If the screen is too slow, the queue drops the oldest lines of the tasks with the most output, and
//! counts them. No task waits.
use crate::running::output::lines;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Maximum size of the queued output of all tasks, in bytes.
const ALL: usize = 2 << 20;
/// Lower bound of the limit on the queued output of a task, in bytes. It applies to jobs with many tasks.
const LEAST: usize = 1 << 15;
/// Upper bound of the limit on the queued output of a task, in bytes. It applies to jobs with few tasks.
const MOST: usize = 1 << 20;
/// Overhead per piece of output, in bytes.
const PIECE: usize = 64;

/// An item to show on the screen.
#[derive(Debug)]
pub enum Item {
    /// Output of a task.
    Output {
        /// Number of the task.
        task: usize,
        /// The output of the task before `bytes`, if it was dropped.
        gap: Option<Gap>,
        /// The bytes of the program, in any encoding.
        bytes: Vec<u8>,
    },
    /// A line of tfjob.
    Line(Line),
    /// New status lines.
    Status(Vec<String>),
    /// The end of the run, with its last lines.
    End(Vec<String>),
}

/// A line of tfjob.
#[derive(Debug)]
pub struct Line {
    /// The task that the line is about; `None`: the job.
    pub task: Option<usize>,
    /// Text of the line, without the name of the task.
    pub text: String,
    /// Whether the terminal may have echoed a key just before.
    pub echoed: bool,
}

/// Output that is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// Number of line feeds.
    pub lines: u64,
    /// Whether the dropped output ends with an incomplete line.
    pub open: bool,
}

/// Output of one or several consecutive reads.
#[derive(Debug)]
struct Piece {
    number: u64,
    bytes: Vec<u8>,
    /// Number of line feeds.
    lines: u64,
}

#[derive(Debug, Default)]
struct Stream {
    pieces: VecDeque<Piece>,
    size: usize,
    gap: Option<Gap>,
}

#[derive(Debug, Default)]
struct State {
    streams: Vec<Stream>,
    lines: VecDeque<(u64, Line)>,
    /// Number of messages of tfjob that were dropped.
    dropped: u64,
    next: u64,
    status: Option<Vec<String>>,
    last: Option<Vec<String>>,
}

/// The bounded queue of items for the screen. Threads of tasks add to it; only the thread of the screen takes from it.
#[derive(Debug)]
pub struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    /// Maximum size of the queued output of a task, in bytes.
    most: usize,
}

impl Queue {
    /// Returns an empty queue for this number of tasks.
    pub fn new(tasks: usize) -> Self {
        let streams = (0..tasks).map(|_| Stream::default()).collect();
        let most = (ALL / tasks.max(1)).clamp(LEAST, MOST);
        Self { state: Mutex::new(State { streams, ..State::default() }), changed: Condvar::new(), most }
    }

    /// Adds output of a task.
    pub fn output(&self, task: usize, bytes: &[u8]) {
        // Expensive work is done before the queue is locked.
        let lines = lines(bytes);
        let bytes = bytes.to_vec();
        let mut state = self.lock();
        let number = state.next;
        state.next += 1;
        // Once the summary is in the queue, later output is dropped, because the summary must be the end of the output.
        let open = state.last.is_none();
        if let Some(stream) = state.streams.get_mut(task).filter(|_| open) {
            stream.push(Piece { number, bytes, lines }, self.most);
        }
        self.changed.notify_one();
    }

    /// Adds a line of tfjob.
    pub fn line(&self, line: Line) {
        let mut state = self.lock();
        let number = state.next;
        state.next += 1;
        state.lines.push_back((number, line));
        let size: usize = state.lines.iter().map(|(_, line)| line.text.len() + PIECE).sum();
        if size > MOST {
            state.lines.pop_front();
            state.dropped += 1;
        }
        self.changed.notify_one();
    }

    /// Replaces the status lines.
    pub fn status(&self, lines: Vec<String>) {
        self.lock().status = Some(lines);
        self.changed.notify_one();
    }

    /// Closes the queue with the last lines.
    pub fn close(&self, last: Vec<String>) {
        self.lock().last = Some(last);
        self.changed.notify_one();
    }

    /// Returns the next item, the oldest first. If there is none, returns the status lines. `None` after a timeout.
    pub fn next(&self, time: Duration) -> Option<Item> {
        let mut state = self.lock();
        if let Some(item) = state.take() {
            return Some(item);
        }
        state = self.changed.wait_timeout(state, time).unwrap_or_else(PoisonError::into_inner).0;
        state.take()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stream {
    fn push(&mut self, new: Piece, most: usize) {
        match self.pieces.back_mut() {
            // Consecutive output of the same task is merged into one piece.
            Some(last)
                if last.number + 1 == new.number && last.bytes.len() + new.bytes.len() <= LEAST / 2 =>
            {
                last.bytes.extend_from_slice(&new.bytes);
                last.number = new.number;
                last.lines += new.lines;
                self.size += new.bytes.len();
            }
            _ => {
                self.size += new.bytes.len() + PIECE;
                self.pieces.push_back(new);
            }
        }
        // The newest piece stays: it may contain the last message of the program.
        while self.size > most && self.pieces.len() > 1 {
            let Some(piece) = self.pieces.pop_front() else { break };
            self.size -= piece.bytes.len() + PIECE;
            let before = self.gap.map_or(0, |gap| gap.lines);
            self.gap = Some(Gap { lines: before + piece.lines, open: piece.bytes.last() != Some(&b'\n') });
        }
    }
}

impl State {
    fn take(&mut self) -> Option<Item> {
        let heads = self.streams.iter().enumerate();
        let heads = heads.filter_map(|(task, stream)| Some((stream.pieces.front()?.number, task)));
        let output = heads.min();
        let line = self.lines.front().map(|(number, _)| *number);
        if self.dropped > 0 {
            let text = format!(
                "{} messages of tfjob are not shown here, because standard output was too slow",
                std::mem::take(&mut self.dropped)
            );
            return Some(Item::Line(Line { task: None, text, echoed: false }));
        }
        if line.is_some_and(|line| output.is_none_or(|(number, _)| line < number)) {
            return self.lines.pop_front().map(|(_, line)| Item::Line(line));
        }
        if let Some((_, task)) = output {
            let stream = self.streams.get_mut(task)?;
            let bytes = stream.pieces.pop_front()?.bytes;
            stream.size -= bytes.len() + PIECE;
            return Some(Item::Output { task, gap: stream.gap.take(), bytes });
        }
        if let Some(lines) = self.status.take() {
            return Some(Item::Status(lines));
        }
        self.last.take().map(Item::End)
    }
}

#[cfg(test)]
mod tests {
    use super::{Gap, Item, LEAST, Line, Queue};
    use std::time::Duration;

    fn all(queue: &Queue) -> Vec<String> {
        queue.close(Vec::new());
        let mut found = Vec::new();
        loop {
            found.push(match queue.next(Duration::ZERO) {
                Some(Item::Output { task, gap: None, bytes }) => {
                    format!("{task} {}", String::from_utf8(bytes).unwrap())
                }
                Some(Item::Output { gap: Some(Gap { lines, open }), .. }) => format!("gap {lines} {open}"),
                Some(Item::Line(line)) => line.text,
                Some(Item::Status(lines)) => lines.join(","),
                Some(Item::End(_)) | None => return found,
            });
        }
    }

    fn line(text: &str) -> Line {
        Line { task: None, text: text.to_owned(), echoed: false }
    }

    #[test]
    fn what_is_said_is_shown_in_its_order() {
        let queue = Queue::new(2);
        queue.status(vec!["runs".to_owned()]);
        queue.output(1, b"a\n");
        queue.output(1, b"b\n");
        queue.line(line("stops"));
        queue.output(0, b"c\n");
        queue.output(1, b"d");
        assert_eq!(all(&queue), ["1 a\nb\n", "stops", "0 c\n", "1 d", "runs"]);
    }

    #[test]
    fn a_flood_loses_its_own_oldest_lines_and_they_are_counted() {
        let queue = Queue::new(200);
        queue.output(1, b"kept\n");
        for _ in 0..10 {
            queue.output(0, &b"x\n".repeat(LEAST / 2));
        }
        queue.output(0, b"END\n");
        assert_eq!(all(&queue)[..2], ["1 kept\n".to_owned(), format!("gap {} false", LEAST / 2 * 10)]);
    }

    #[test]
    fn what_waits_is_bounded_for_small_pieces_too() {
        let queue = Queue::new(2);
        for _ in 0..1_000_000 {
            queue.output(0, b"x");
            queue.output(1, b"y");
        }
        let state = queue.lock();
        let held: usize =
            state.streams.iter().flat_map(|s| &s.pieces).map(|piece| piece.bytes.len() + 48).sum();
        assert!(held < 4 << 20, "{held}");
    }
}
