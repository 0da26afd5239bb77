//! One thread per task: what the program writes goes to the log, byte for byte, and to the queue of the screen; the
//! shim's events go to the thread that decides. It never waits for a terminal.
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

/// How many bytes are read at once: a part of what the pipe holds, so that the program can go on writing.
pub const CHUNK: usize = 1 << 16;
/// What the thread may use of its stack; pages that it does not use take no memory.
const STACK: usize = 1 << 18;
/// How long another process may hold the output open, once the task has ended, without writing anything.
const SILENCE: Duration = Duration::from_secs(5);

/// What is read of a task, and where it goes.
pub struct Pump {
    /// The task's number.
    pub task: usize,
    /// Standard output and standard error of the program, in one.
    pub output: PipeReader,
    /// The shim's events.
    pub events: PipeReader,
    /// The log of the output.
    pub log: Log,
    /// The log of the events.
    pub journal: Log,
    /// The screen's queue.
    pub queue: Arc<Queue>,
    /// To the thread that decides.
    pub tell: Sender<Message>,
}

impl Pump {
    /// Reads until the end, on a thread of its own.
    ///
    /// # Errors
    /// Where the system has no thread to spare.
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
                // The program wrote this before its shim wrote the event.
                let before = ioctl_fionread(&self.output).unwrap_or(0);
                if !self.take(&mut buffer, before) {
                    break false;
                }
                alive = self.hear(&mut told, &mut buffer);
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

    /// Waits until there is something to read of the output or of the events; neither: the time is over.
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

    /// Reads so many bytes of the output or some more. Whether there may be more of them.
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

    /// Reads events. Whether the shim may write more of them.
    fn hear(&mut self, told: &mut Vec<u8>, buffer: &mut [u8]) -> bool {
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
        // The receiver is gone once the run has ended.
        self.tell.send(message).unwrap_or_default();
    }
}

/// Reads some bytes; `Some(0)` at the end.
fn read(from: &mut PipeReader, buffer: &mut [u8]) -> Option<usize> {
    loop {
        match from.read(buffer) {
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            read => return read.ok(),
        }
    }
}
