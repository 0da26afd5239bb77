//! Messages to the editor: a queue with a limit in bytes. An editor may read slowly, or not at all.
use lsp_server::{Connection, Message};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Where the server sends messages.
pub trait Outlet {
    /// Sends a message. May wait until the editor has read earlier messages.
    fn send(&self, message: Message);

    /// Returns whether nobody waits for further messages.
    fn is_closed(&self) -> bool;
}

impl Outlet for Connection {
    fn send(&self, message: Message) {
        // If the connection is closed, the next receive ends the server.
        drop(self.sender.send(message));
    }

    fn is_closed(&self) -> bool {
        false
    }
}

/// Size of the queue above which the server waits: 16 MiB.
const MOST_BYTES: usize = 16 << 20;

/// Number of bytes that are written at once.
const PART: usize = 64 << 10;

/// Time after the end of the input, or after `exit`, in which the editor must read something.
const GRACE: Duration = Duration::from_millis(400);

/// The messages that are not written yet. Several threads share it.
#[derive(Debug, Default)]
pub struct Output {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    queue: VecDeque<Vec<u8>>,
    /// Number of bytes that are not written yet.
    waiting: usize,
    /// Number of bytes that were written.
    written: usize,
    /// Whether no more messages follow.
    is_complete: bool,
    /// Whether the input has ended.
    has_no_input: bool,
    /// When the editor sent `exit`.
    exit: Option<Instant>,
    /// Whether the editor did not read in time.
    is_given_up: bool,
    /// The result of the writer, after its end.
    result: Option<io::Result<()>>,
}

impl State {
    fn is_closed(&self) -> bool {
        let is_over = self.exit.is_some_and(|exit| exit.elapsed() >= GRACE);
        self.is_given_up || self.result.is_some() || is_over
    }
}

impl Output {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the bytes of a message if there is space for them. The reader of the input must not wait, because it must see `exit`.
    pub fn offer(&self, bytes: Vec<u8>) {
        let mut state = self.state();
        if state.waiting <= MOST_BYTES && !state.is_closed() {
            state.waiting += bytes.len();
            state.queue.push_back(bytes);
            self.changed.notify_all();
        }
    }

    /// Notes that the editor sent `exit`.
    pub fn exit(&self) {
        self.state().exit.get_or_insert_with(Instant::now);
        self.changed.notify_all();
    }

    /// Notes that the input has ended.
    pub fn end_of_input(&self) {
        self.state().has_no_input = true;
        self.changed.notify_all();
    }

    /// Writes the messages until the last one is written, or the output fails.
    pub fn write_to(&self, output: &mut dyn Write) {
        let result = self.write(output);
        self.state().result = Some(result);
        self.changed.notify_all();
    }

    fn write(&self, output: &mut dyn Write) -> io::Result<()> {
        while let Some(message) = self.next() {
            for part in message.chunks(PART) {
                output.write_all(part)?;
                let mut state = self.state();
                state.waiting -= part.len();
                state.written += part.len();
                self.changed.notify_all();
            }
            output.flush()?;
        }
        Ok(())
    }

    fn next(&self) -> Option<Vec<u8>> {
        let mut state = self.state();
        while state.queue.is_empty() && !state.is_complete {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.queue.pop_front()
    }

    /// Waits for a change. If the editor has ended its input, it must read something in [`GRACE`].
    fn wait<'s>(&'s self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        if !state.has_no_input && state.exit.is_none() {
            return self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let before = state.written;
        let is_same = |state: &mut State| state.written == before && state.result.is_none();
        let waited = self.changed.wait_timeout_while(state, GRACE, is_same);
        let (mut state, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        state.is_given_up |= timeout.timed_out();
        state
    }

    /// Waits until all messages are written, or the editor does not read them in time.
    ///
    /// # Errors
    /// Returns an error if the output fails.
    pub fn finish(&self) -> io::Result<()> {
        let mut state = self.state();
        state.is_complete = true;
        // Also without an end of the input, nothing follows.
        state.has_no_input = true;
        self.changed.notify_all();
        while state.result.is_none() && !state.is_given_up {
            state = self.wait(state);
        }
        state.result.take().unwrap_or(Ok(()))
    }
}

impl Outlet for Output {
    fn send(&self, message: Message) {
        let mut bytes = Vec::new();
        // A vector accepts all bytes.
        if message.write(&mut bytes).is_err() {
            return;
        }
        let mut state = self.state();
        while state.waiting > MOST_BYTES && !state.is_closed() {
            state = self.wait(state);
        }
        drop(state);
        self.offer(bytes);
    }

    fn is_closed(&self) -> bool {
        self.state().is_closed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_server::Notification;
    use serde_json::json;
    use std::sync::{Arc, mpsc};

    fn message(size: usize) -> Message {
        Notification::new("x".to_owned(), json!("x".repeat(size))).into()
    }

    /// A reader that accepts bytes only when it is told to.
    struct Blocked(mpsc::Receiver<()>);

    impl Write for Blocked {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.recv().map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Sends messages of 1 MiB until the server has to wait. Returns how many were sent.
    fn sent_until_full(output: &Arc<Output>) -> mpsc::Receiver<usize> {
        let (sender, receiver) = mpsc::channel();
        let output = Arc::clone(output);
        std::thread::spawn(move || {
            for number in 1.. {
                output.send(message(1 << 20));
                if sender.send(number).is_err() || output.is_closed() {
                    return;
                }
            }
        });
        receiver
    }

    fn last(numbers: &mpsc::Receiver<usize>) -> usize {
        let mut last = 0;
        while let Ok(number) = numbers.recv_timeout(Duration::from_millis(1_000)) {
            last = number;
        }
        last
    }

    #[test]
    fn an_editor_that_does_not_read_stops_the_server() {
        let (go, blocked) = mpsc::channel();
        let output = Arc::new(Output::default());
        let writer = Arc::clone(&output);
        std::thread::spawn(move || writer.write_to(&mut Blocked(blocked)));
        let numbers = sent_until_full(&output);
        let count = last(&numbers);
        assert!((10..30).contains(&count), "{count}");
        // The editor reads again.
        (0..40).for_each(|_| go.send(()).expect("a writer"));
        assert!(last(&numbers) > count);
        let begun = Instant::now();
        output.end_of_input();
        last(&numbers);
        output.finish().expect("no error");
        assert!(output.is_closed() && begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
        drop(go);
    }

    #[test]
    fn a_failure_of_the_output_ends_all_waits() {
        let (go, blocked) = mpsc::channel();
        let output = Arc::new(Output::default());
        let writer = Arc::clone(&output);
        std::thread::spawn(move || writer.write_to(&mut Blocked(blocked)));
        let numbers = sent_until_full(&output);
        last(&numbers);
        drop(go);
        last(&numbers);
        assert!(output.is_closed());
        output.finish().expect_err("the error of the writer");
    }

    #[test]
    fn all_messages_are_written_before_the_end() {
        let output = Output::default();
        (0..3).for_each(|_| output.send(message(100_000)));
        output.exit();
        let mut bytes = Vec::new();
        output.state().is_complete = true;
        output.write_to(&mut bytes);
        output.finish().expect("no error");
        assert_eq!(bytes.len() / 100_000, 3);
    }
}
