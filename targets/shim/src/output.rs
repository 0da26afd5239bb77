//! Lines for a reader that may have stopped reading: signals, restarts and deadlines do not wait for it.
use crate::sys::nonblocking;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{Error, ErrorKind, IsTerminal, PipeReader, PipeWriter, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};

/// What lines that wait may take, in bytes.
const MOST: usize = 1 << 16;
/// `PIPE_BUF`: a pipe takes so many bytes whole.
const PIECE: usize = 4096;

/// Where lines go.
#[derive(Debug)]
pub struct Output {
    file: File,
    way: Way,
    lines: VecDeque<Vec<u8>>,
    /// Bytes of all lines that wait.
    size: usize,
    /// Bytes of the first line that are written.
    written: usize,
    /// Lines that there was no room for.
    dropped: u32,
}

/// How to write without waiting.
#[derive(Debug)]
enum Way {
    /// A pipe or a terminal, opened again: flags of its own. It may belong to another user, who does not allow this.
    Again(File),
    /// Into a pipe, through one of this process, which holds so many bytes: `splice` can move these without waiting. Each event
    /// then takes a page of the reader's pipe, whatever its length: 16 unread events fill it.
    Pipe(PipeReader, PipeWriter, usize),
    Socket,
    /// Files and devices: only if there is room.
    Plain,
}

impl Way {
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
            Ok(again) => Self::Again(again),
            Err(_) if pipe => {
                std::io::pipe().map_or(Self::Plain, |(reader, writer)| Self::Pipe(reader, writer, 0))
            }
            Err(_) => Self::Plain,
        }
    }

    /// Writes some of these bytes.
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
            Self::Again(again) => again.write(piece),
            Self::Socket => nonblocking::send(file, bytes),
            Self::Plain if nonblocking::has_room(file) => file.write(piece),
            Self::Plain => Err(ErrorKind::WouldBlock.into()),
        }
    }
}

impl Output {
    /// To this file.
    pub fn new(file: File) -> Self {
        let way = Way::to(&file);
        Self { file, way, lines: VecDeque::new(), size: 0, written: 0, dropped: 0 }
    }

    /// Writes a line, or keeps it for later. `last`: whatever is kept already.
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

    /// Writes what is kept. Whether nothing is left.
    pub fn flush(&mut self) -> bool {
        while let Some(line) = self.lines.front() {
            let rest = line.get(self.written..).unwrap_or_default();
            match self.way.write(&self.file, rest) {
                Ok(count) if count < rest.len() => {
                    self.written = self.written.saturating_add(count);
                    continue;
                }
                Ok(_) => {}
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(e) if e.kind() == ErrorKind::WouldBlock => return false,
                // Where the kernel does not splice.
                Err(e) if matches!(self.way, Way::Pipe(..)) && e.kind() != ErrorKind::BrokenPipe => {
                    self.way = Way::Plain;
                    continue;
                }
                // Nobody is there, or there is no room on the disk.
                Err(_) => self.way = Way::to(&self.file),
            }
            self.size = self.size.saturating_sub(line.len());
            self.lines.pop_front();
            self.written = 0;
        }
        true
    }

    /// How many lines were dropped since the last call, once the reader reads again.
    pub fn dropped(&mut self) -> u32 {
        if self.flush() { std::mem::take(&mut self.dropped) } else { 0 }
    }
}
