//! One thread per task. It copies the output of the program to the log, byte for byte, and to the queue of the screen. It sends
//! events of the shim to the control thread. It never waits for a terminal.
use super::log::Log;
use super::message::Message;
use super::queue::Queue;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionread;
use std::io::{PipeReader, Read};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

/// Size of a read in bytes. It is a quarter of the size of the pipe, so that the program can write meanwhile.
pub const CHUNK: usize = 1 << 16;
/// Stack size of the thread in bytes. Unused pages take no memory.
const STACK: usize = 1 << 18;
/// How long another process may keep the output open without writing, after the task has exited.
const SILENCE: Duration = Duration::from_secs(5);

/// The inputs and outputs of the thread of a task.
pub struct Pump {
    /// Number of the task.
    pub task: usize,
    /// Standard output and standard error of the program, combined.
    pub output: PipeReader,
    /// Events of the shim.
    pub events: PipeReader,
    /// Log of the output.
    pub log: Log,
    /// Log of the events.
    pub journal: Log,
    /// Queue of the screen.
    pub queue: Arc<Queue>,
    /// Channel to the control thread.
    pub tell: Sender<Message>,
}

impl Pump {
    /// Starts the thread. It runs until the output ends, or stays silent for `SILENCE` after the exit of the task.
    ///
    /// # Errors
    /// Returns an error if the thread cannot be created.
    pub fn start(self) -> std::io::Result<()> {
        thread::Builder::new()
            .name(format!("pump {}", self.task))
            .stack_size(STACK)
            .spawn(|| self.drain())?;
        Ok(())
    }

    fn drain(mut self) {
        let mut buffer = vec![0; CHUNK];
        let (mut told, mut alive) = (Vec::new(), true);
        let held = loop {
            let (output, events) = self.wait(alive);
            if events {
                // The program wrote this output before its shim wrote the event, so the output is read first.
                let before = ioctl_fionread(&self.output).unwrap_or(0);
                if !self.take(&mut buffer, before) {
                    break false;
                }
                alive = self.read_events(&mut told, &mut buffer);
                if !alive {
                    self.say(Message::Gone { task: self.task });
                }
            } else if output {
                if !self.take(&mut buffer, 1) {
                    break false;
                }
            } else {
                break true;
            }
        };
        if alive {
            self.say(Message::Gone { task: self.task });
        }
        let lost = self.log.finish();
        let _ = self.journal.finish();
        self.tell.send(Message::Drained { task: self.task, held, lost }).unwrap_or_default();
    }

    /// Waits until output or events can be read. Returns which of the two can be read; neither after a timeout.
    fn wait(&self, alive: bool) -> (bool, bool) {
        let time = Timespec { tv_sec: SILENCE.as_secs().cast_signed(), tv_nsec: 0 };
        loop {
            let mut both =
                [PollFd::new(&self.output, PollFlags::IN), PollFd::new(&self.events, PollFlags::IN)];
            let polled = if alive { &mut both[..] } else { &mut both[..1] };
            match poll(polled, if alive { None } else { Some(&time) }) {
                Ok(_) => {
                    let [output, events] = both.map(|one| !one.revents().is_empty());
                    return (output, events && alive);
                }
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return (false, false),
            }
        }
    }

    /// Reads output: at least `least` bytes, if so many are available. Returns whether more may follow.
    fn take(&mut self, buffer: &mut [u8], mut least: u64) -> bool {
        while least > 0 {
            let Some(read @ 1..) = read(&mut self.output, buffer) else { return false };
            let bytes = buffer.get(..read).unwrap_or_default();
            if let Some(why) = self.log.write(bytes) {
                self.say(Message::Unwritten { task: self.task, why });
            }
            self.queue.output(self.task, bytes);
            least = least.saturating_sub(read as u64);
        }
        true
    }

    /// Reads events. Returns whether more may follow.
    fn read_events(&mut self, told: &mut Vec<u8>, buffer: &mut [u8]) -> bool {
        let Some(read @ 1..) = read(&mut self.events, buffer) else { return false };
        let bytes = buffer.get(..read).unwrap_or_default();
        let _ = self.journal.write(bytes);
        told.extend_from_slice(bytes);
        while let Some(end) = told.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = told.drain(..=end).collect();
            if let Ok(event) = serde_json::from_slice(&line) {
                self.say(Message::Event { task: self.task, event });
            }
        }
        true
    }

    fn say(&self, message: Message) {
        // The receiver is dropped when the run has ended, so an error is ignored.
        self.tell.send(message).unwrap_or_default();
    }
}

/// Reads available bytes, and returns their number. `Some(0)` at the end of the stream; `None` after an error.
fn read(from: &mut PipeReader, buffer: &mut [u8]) -> Option<usize> {
    loop {
        match from.read(buffer) {
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            read => return read.ok(),
        }
    }
}
