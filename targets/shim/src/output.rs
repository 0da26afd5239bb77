//! Non-blocking output of lines: signals, restarts, and deadlines do not wait for a slow reader.
use crate::sys::nonblocking;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{Error, ErrorKind, IsTerminal, PipeReader, PipeWriter, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};

/// Maximum size of buffered lines, in bytes.
const MOST: usize = 1 << 16;
/// `PIPE_BUF`: maximum size of an atomic write to a pipe.
const PIECE: usize = 4096;

/// A buffered output.
#[derive(Debug)]
pub struct Output {
    file: File,
    mode: Mode,
    lines: VecDeque<Vec<u8>>,
    /// Size of the buffered lines.
    size: usize,
    /// Number of bytes of the first buffered line that are already written.
    written: usize,
    /// Number of dropped lines.
    dropped: u32,
}

/// How to write without blocking.
#[derive(Debug)]
enum Mode {
    /// A pipe or terminal that was opened again, so that it has its own flags. Opening fails if the pipe or terminal belongs to
    /// another user.
    Reopened(File),
    /// An output pipe, filled by a non-blocking `splice` from a private pipe. Fields: both ends of the private pipe, and the number
    /// of bytes in it. Each event takes a page of the output pipe, so 16 unread events fill the output pipe.
    Pipe(PipeReader, PipeWriter, usize),
    Socket,
    /// A file or a device, written if `poll` reports that a write would not block.
    Plain,
}

impl Mode {
    fn to(file: &File) -> Self {
        let kind = file.metadata().map(|about| about.file_type()).ok();
        let is = |test: fn(&std::fs::FileType) -> bool| kind.as_ref().is_some_and(test);
        if is(FileTypeExt::is_socket) {
            return Self::Socket;
        }
        let pipe = is(FileTypeExt::is_fifo);
        if !pipe && !file.is_terminal() {
            return Self::Plain;
        }
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        let flags = libc::O_NONBLOCK | libc::O_NOCTTY;
        match File::options().write(true).custom_flags(flags).open(path) {
            Ok(again) => Self::Reopened(again),
            Err(_) if pipe => {
                std::io::pipe().map_or(Self::Plain, |(reader, writer)| Self::Pipe(reader, writer, 0))
            }
            Err(_) => Self::Plain,
        }
    }

    /// Writes at most [`PIECE`] bytes without blocking. Returns how many bytes were written.
    fn write(&mut self, mut file: &File, bytes: &[u8]) -> Result<usize, Error> {
        let piece = bytes.get(..PIECE).unwrap_or(bytes);
        match self {
            Self::Pipe(reader, writer, held) => {
                if *held == 0 {
                    *held = writer.write(piece)?;
                }
                let moved = nonblocking::splice(reader, file, *held)?;
                *held = held.saturating_sub(moved);
                Ok(moved)
            }
            Self::Reopened(file) => file.write(piece),
            Self::Socket => nonblocking::send(file, bytes),
            Self::Plain if nonblocking::has_room(file) => file.write(piece),
            Self::Plain => Err(ErrorKind::WouldBlock.into()),
        }
    }
}

impl Output {
    /// Returns an output to this file.
    pub fn new(file: File) -> Self {
        let mode = Mode::to(&file);
        Self { file, mode, lines: VecDeque::new(), size: 0, written: 0, dropped: 0 }
    }

    /// Writes or buffers a line. With `last`, it is buffered even if the buffer is full.
    pub fn put(&mut self, line: Vec<u8>, last: bool) {
        self.flush();
        if self.size.saturating_add(line.len()) > MOST && !last {
            self.dropped = self.dropped.saturating_add(1);
            return;
        }
        self.size = self.size.saturating_add(line.len());
        self.lines.push_back(line);
        self.flush();
    }

    /// Writes buffered lines. Returns whether the buffer is empty.
    pub fn flush(&mut self) -> bool {
        while let Some(line) = self.lines.front() {
            let rest = line.get(self.written..).unwrap_or_default();
            match self.mode.write(&self.file, rest) {
                Ok(count) if count < rest.len() => {
                    self.written = self.written.saturating_add(count);
                    continue;
                }
                Ok(_) => {}
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(e) if e.kind() == ErrorKind::WouldBlock => return false,
                // The kernel does not support splice here.
                Err(e) if matches!(self.mode, Mode::Pipe(..)) && e.kind() != ErrorKind::BrokenPipe => {
                    self.mode = Mode::Plain;
                    continue;
                }
                // The reader is gone, or the disk is full, so the line is dropped.
                Err(_) => self.mode = Mode::to(&self.file),
            }
            self.size = self.size.saturating_sub(line.len());
            self.lines.pop_front();
            self.written = 0;
        }
        true
    }

    /// Returns how many lines were dropped since this was last reported; 0 while the buffer is not empty.
    pub fn dropped(&mut self) -> u32 {
        if self.flush() { std::mem::take(&mut self.dropped) } else { 0 }
    }
}
