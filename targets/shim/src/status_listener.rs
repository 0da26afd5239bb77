//! The listener on the rendezvous port while the program is not running: it reports the state of the task to other shims.
use crate::sys;
use std::io::{Error, Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// Maximum duration of a connection.
const PATIENCE: Duration = Duration::from_secs(2);
/// Maximum number of open connections; further ones wait in the backlog of the kernel.
const MOST: usize = 64;

/// An open port that sends the same line to every client.
#[derive(Debug)]
pub struct StatusListener {
    listener: TcpListener,
    line: &'static str,
    callers: Vec<(TcpStream, Instant)>,
}

impl StatusListener {
    /// Opens the port.
    ///
    /// # Errors
    /// The port cannot be bound.
    pub fn open(port: u16, line: &'static str) -> Result<Self, Error> {
        let listener = TcpListener::bind((Ipv6Addr::UNSPECIFIED, port));
        let listener = listener.or_else(|_| TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)))?;
        listener.set_nonblocking(true)?;
        Ok(Self { listener, line, callers: Vec::new() })
    }

    /// Answers new connections. Each connection is closed with a reset, so that the program can then bind the port immediately,
    /// even without `SO_REUSEADDR`.
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
            let told = caller.set_nonblocking(true).and_then(|()| caller.write_all(self.line.as_bytes()));
            if told.is_ok() {
                self.callers.push((caller, Instant::now()));
            }
        }
    }
}
