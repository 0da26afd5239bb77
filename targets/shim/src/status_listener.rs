//! What stands on the task's own port while its program does not: it tells other shims how far this task is.
use crate::sys;
use std::io::{Error, Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// How long a caller may keep its connection.
const PATIENCE: Duration = Duration::from_secs(2);
/// How many callers are held at once; the kernel keeps the others in its queue.
const MOST: usize = 64;

/// An open port with one word for every caller.
#[derive(Debug)]
pub struct StatusListener {
    listener: TcpListener,
    word: &'static str,
    callers: Vec<(TcpStream, Instant)>,
}

impl StatusListener {
    /// Opens the port.
    pub fn open(port: u16, word: &'static str) -> Result<Self, Error> {
        let listener = TcpListener::bind((Ipv6Addr::UNSPECIFIED, port));
        let listener = listener.or_else(|_| TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)))?;
        listener.set_nonblocking(true)?;
        Ok(Self { listener, word, callers: Vec::new() })
    }

    /// Answers whoever has called. No connection that is closed here holds the port: it is free immediately for the program,
    /// even if that sets no `SO_REUSEADDR`.
    pub fn answer(&mut self) {
        self.callers.retain_mut(|(caller, since)| {
            let waits = match caller.read(&mut [0; 64]) {
                Ok(0) => false,
                Ok(_) => true,
                Err(e) => e.kind() == std::io::ErrorKind::WouldBlock,
            };
            waits && since.elapsed() < PATIENCE
        });
        while self.callers.len() < MOST
            && let Ok((mut caller, _)) = self.listener.accept()
        {
            sys::reset_on_close(&caller);
            let told = caller.set_nonblocking(true).and_then(|()| caller.write_all(self.word.as_bytes()));
            if told.is_ok() {
                self.callers.push((caller, Instant::now()));
            }
        }
    }
}
