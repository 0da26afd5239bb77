//! Concurrent probes of many tasks.
use super::{DONE, FAILED, ProbeResult, Target, WAITS};
use crate::resolver::{Known, Resolver};
use crate::sys::connect::{self, Condition};
use std::collections::{BTreeMap, VecDeque};
use std::io::{Error, ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

/// Timeouts of the connection (`ACCEPTS`), of the first bytes (`SPEAKS`), and of an HTTP answer (`ANSWERS`). The timeout of an HTTP
/// answer is long, because a model server may run a computation first.
const ACCEPTS: Duration = Duration::from_millis(1000);
const SPEAKS: Duration = Duration::from_millis(400);
const ANSWERS: Duration = Duration::from_secs(5);
/// Maximum number of open connections.
const MOST: usize = 256;

/// Probes each target once, and calls `tell` with the number of the target and the result. Each address has 1 second to accept, and
/// then 0.4 seconds for its first bytes, or 5 seconds for an HTTP answer.
///
/// # Errors
/// No free file descriptor.
pub fn probe_all(targets: &[Target], tell: &mut dyn FnMut(usize, ProbeResult)) -> Result<(), Error> {
    let mut hosts: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, target) in targets.iter().enumerate() {
        hosts.entry(&target.host).or_default().push(number);
    }
    let mut calls = Calls { targets, tell, next: VecDeque::new(), open: Vec::new() };
    // An IP address needs no DNS lookup.
    hosts.retain(|host, numbers| {
        let known: Option<IpAddr> = host.parse().ok();
        known.iter().for_each(|ip| calls.found(numbers, &Known::Addresses(vec![*ip])));
        known.is_none()
    });
    let mut names = if hosts.is_empty() {
        None
    } else {
        Some(Resolver::new(hosts.keys().map(|host| (*host).to_owned()))?)
    };
    loop {
        for (host, known) in names.as_mut().map(Resolver::take).unwrap_or_default() {
            let numbers = hosts.remove(host.as_str()).unwrap_or_default();
            calls.found(&numbers, &known);
        }
        names = names.filter(|names| !names.is_over());
        calls.begin();
        if names.is_none() && calls.open.is_empty() {
            return Ok(());
        }
        let ready = calls.wait(names.as_ref());
        calls.go_on(&ready);
    }
}

/// A connection in progress.
struct Call {
    number: usize,
    stream: TcpStream,
    /// Remaining addresses of the host, the next one last.
    rest: Vec<SocketAddr>,
    until: Instant,
    /// Received bytes. `None`: not connected yet.
    heard: Option<Vec<u8>>,
}

/// The next step of a connection.
enum Step {
    /// Wait until the connection is ready again, or times out.
    On,
    /// Close the connection, and try the next address of the host.
    Shut,
    /// Close the connection, and return this result.
    Seen(ProbeResult),
}

struct Calls<'t> {
    targets: &'t [Target],
    tell: &'t mut dyn FnMut(usize, ProbeResult),
    /// Targets to connect to, with their addresses, the next one last.
    next: VecDeque<(usize, Vec<SocketAddr>)>,
    open: Vec<Call>,
}

impl Calls<'_> {
    /// Records the DNS result of the host of these targets.
    fn found(&mut self, numbers: &[usize], known: &Known) {
        for number in numbers {
            let port = self.targets.get(*number).and_then(|target| target.port);
            match (known, port) {
                (Known::Nothing, _) => (self.tell)(*number, ProbeResult::DnsFailed),
                (Known::Partly, _) => (self.tell)(*number, ProbeResult::PartialDns),
                (Known::NoAddress, _) => (self.tell)(*number, ProbeResult::NoAddress),
                (Known::Addresses(_), None) => (self.tell)(*number, ProbeResult::NoAnswer),
                (Known::Addresses(found), Some(port)) => {
                    let each = found.iter().rev().map(|address| SocketAddr::new(*address, port));
                    self.next.push_back((*number, each.collect()));
                }
            }
        }
    }

    /// Starts connections until [`MOST`] are open.
    fn begin(&mut self) {
        while self.open.len() < MOST
            && let Some((number, mut rest)) = self.next.pop_front()
        {
            let Some(address) = rest.pop() else {
                (self.tell)(number, ProbeResult::NoAnswer);
                continue;
            };
            match connect::begin(&address) {
                Ok(stream) => {
                    let until = Instant::now() + ACCEPTS;
                    self.open.push(Call { number, stream, rest, until, heard: None });
                }
                // Without free descriptors or memory, wait until a connection is closed.
                Err(e) if connect::is_scarce(&e) && !self.open.is_empty() => {
                    rest.push(address);
                    self.next.push_front((number, rest));
                    return;
                }
                Err(_) => self.next.push_front((number, rest)),
            }
        }
    }

    /// Waits for DNS answers or connections. Returns for each connection whether it is ready.
    fn wait(&self, names: Option<&Resolver>) -> Vec<bool> {
        let now = Instant::now();
        let sockets = names.map(Resolver::sockets).unwrap_or_default();
        let until = self.open.iter().map(|call| call.until).chain(names.and_then(Resolver::until)).min();
        let longest = until.map_or(Duration::from_secs(3600), |until| until.saturating_duration_since(now));
        let wish = |call: &Call| if call.heard.is_none() { Condition::Writable } else { Condition::Readable };
        let calls = self.open.iter().map(|call| (call.stream.as_raw_fd(), wish(call)));
        let ready =
            connect::wait(sockets.iter().map(|names| (*names, Condition::Readable)).chain(calls), longest);
        ready.into_iter().skip(sockets.len()).collect()
    }

    /// Advances each connection.
    fn go_on(&mut self, ready: &[bool]) {
        let now = Instant::now();
        for (mut call, ready) in std::mem::take(&mut self.open).into_iter().zip(ready) {
            let Some(target) = self.targets.get(call.number) else { continue };
            match call.step(target, *ready, now) {
                Step::On => self.open.push(call),
                Step::Shut => self.next.push_front((call.number, call.rest)),
                Step::Seen(sight) => (self.tell)(call.number, sight),
            }
        }
    }
}

impl Call {
    fn step(&mut self, target: &Target, ready: bool, now: Instant) -> Step {
        let late = now >= self.until;
        let made = self.heard.is_none() && ready && self.is_made();
        match &mut self.heard {
            None if made => {
                if let Some(path) = &target.path {
                    let host = &target.host;
                    let request = format!("GET {path} HTTP/1.0\r\nHost: {host}\r\nConnection: close\r\n\r\n");
                    let _ = self.stream.write_all(request.as_bytes());
                }
                self.until = now + if target.path.is_some() { ANSWERS } else { SPEAKS };
                self.heard = Some(Vec::new());
                Step::On
            }
            None if ready || late => Step::Shut,
            Some(heard) if ready => match hear(&mut self.stream, heard) {
                Some(true) => Step::Seen(ProbeResult::NoAnswer),
                Some(false) => Step::Seen(judge(heard, target)),
                None => Step::On,
            },
            Some(heard) if late => Step::Seen(judge(heard, target)),
            None | Some(_) => Step::On,
        }
    }

    /// Whether the connection is established. A socket that is connected to itself does not count: Linux may connect a socket to
    /// itself if the port is ephemeral and has no listener.
    fn is_made(&self) -> bool {
        let other = self.stream.peer_addr().is_ok_and(|peer| self.stream.local_addr().ok() != Some(peer));
        other && matches!(self.stream.take_error(), Ok(None))
    }
}

/// Reads available bytes. Returns `None` if more may follow; otherwise whether the connection was reset before the first byte.
fn hear(stream: &mut TcpStream, heard: &mut Vec<u8>) -> Option<bool> {
    let mut part = [0; 64];
    loop {
        match stream.read(&mut part) {
            Err(e) if e.kind() == ErrorKind::WouldBlock => return None,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            // A shim that closes its port resets the connection.
            Err(e) => return Some(e.kind() == ErrorKind::ConnectionReset && heard.is_empty()),
            Ok(0) => return Some(false),
            Ok(length) => heard.extend_from_slice(part.get(..length).unwrap_or_default()),
        }
        if heard.contains(&b'\n') || heard.len() >= FAILED.len().max(WAITS.len()) {
            return Some(false);
        }
    }
}

/// Returns the result for the received bytes. Without a path, a program that accepts the connection and sends nothing counts as
/// listening.
fn judge(heard: &[u8], target: &Target) -> ProbeResult {
    let well = || heard.starts_with(b"HTTP/1.") && heard.get(8..10) == Some(b" 2");
    match &target.path {
        _ if heard.starts_with(WAITS.as_bytes()) => ProbeResult::Waiting,
        _ if heard.starts_with(DONE.as_bytes()) => ProbeResult::Done,
        _ if heard.starts_with(FAILED.as_bytes()) => ProbeResult::Failed,
        Some(_) if !well() => ProbeResult::NoAnswer,
        Some(_) | None => ProbeResult::Answers,
    }
}
