//! Looks at many tasks at the same time: it takes no longer for many than for the slowest.
use super::{DONE, FAILED, ProbeResult, Target, WAITS};
use crate::resolver::{Known, Resolver};
use crate::sys::connect::{self, For};
use std::collections::{BTreeMap, VecDeque};
use std::io::{Error, ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

/// How long one address may take to accept, how long it may take to speak, and how long a page may take to answer: a model server
/// may compute something for it.
const ACCEPTS: Duration = Duration::from_millis(1000);
const SPEAKS: Duration = Duration::from_millis(400);
const ANSWERS: Duration = Duration::from_secs(5);
/// How many connections are open at the same time.
const MOST: usize = 256;

/// Looks once at each, and tells what it sees as soon as it does, by the number of the target. Each address gets a second to
/// accept, and then a moment for its first words, or 5 seconds for a page.
///
/// # Errors
/// Where the process can open nothing more.
pub fn probe_all(targets: &[Target], tell: &mut dyn FnMut(usize, ProbeResult)) -> Result<(), Error> {
    let mut hosts: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, target) in targets.iter().enumerate() {
        hosts.entry(&target.host).or_default().push(number);
    }
    let mut calls = Calls { targets, tell, next: VecDeque::new(), open: Vec::new() };
    // An address in the place of a name needs no name server.
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

/// A connection that is being made, or that is listened to.
struct Call {
    number: usize,
    stream: TcpStream,
    /// Further addresses of its host, the next one last.
    rest: Vec<SocketAddr>,
    until: Instant,
    /// What the other end has said; `None`: it has not accepted yet.
    heard: Option<Vec<u8>>,
}

/// What becomes of a call.
enum Step {
    /// It goes on.
    On,
    /// This address does not accept.
    Shut,
    /// That is seen.
    Seen(ProbeResult),
}

struct Calls<'t> {
    targets: &'t [Target],
    tell: &'t mut dyn FnMut(usize, ProbeResult),
    /// Whom to call next, each with its addresses, the next one last.
    next: VecDeque<(usize, Vec<SocketAddr>)>,
    open: Vec<Call>,
}

impl Calls<'_> {
    /// Takes the addresses of the host of these targets.
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

    /// Begins as many calls as there may be.
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
                // Until one of them is over.
                Err(e) if connect::is_scarce(&e) && !self.open.is_empty() => {
                    rest.push(address);
                    self.next.push_front((number, rest));
                    return;
                }
                Err(_) => self.next.push_front((number, rest)),
            }
        }
    }

    /// Waits until something happens: with names, or with a call. Says of each call whether it is ready.
    fn wait(&self, names: Option<&Resolver>) -> Vec<bool> {
        let now = Instant::now();
        let sockets = names.map(Resolver::sockets).unwrap_or_default();
        let until = self.open.iter().map(|call| call.until).chain(names.and_then(Resolver::until)).min();
        let longest = until.map_or(Duration::from_secs(3600), |until| until.saturating_duration_since(now));
        let wish = |call: &Call| if call.heard.is_none() { For::Room } else { For::Words };
        let calls = self.open.iter().map(|call| (call.stream.as_raw_fd(), wish(call)));
        let ready = connect::wait(sockets.iter().map(|names| (*names, For::Words)).chain(calls), longest);
        ready.into_iter().skip(sockets.len()).collect()
    }

    /// Takes each call as far as it goes now.
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

    /// Whether the connection is made, and to another end: where nobody listens, Linux may connect a port of its own choice
    /// to itself.
    fn is_made(&self) -> bool {
        let other = self.stream.peer_addr().is_ok_and(|peer| self.stream.local_addr().ok() != Some(peer));
        other && matches!(self.stream.take_error(), Ok(None))
    }
}

/// Hears what is there. `None`: more may come; true: nobody is there any more.
fn hear(stream: &mut TcpStream, heard: &mut Vec<u8>) -> Option<bool> {
    let mut part = [0; 64];
    loop {
        match stream.read(&mut part) {
            Err(e) if e.kind() == ErrorKind::WouldBlock => return None,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            // A shim that closes its port, or nobody any more.
            Err(e) => return Some(e.kind() == ErrorKind::ConnectionReset && heard.is_empty()),
            Ok(0) => return Some(false),
            Ok(length) => heard.extend_from_slice(part.get(..length).unwrap_or_default()),
        }
        if heard.contains(&b'\n') || heard.len() >= FAILED.len().max(WAITS.len()) {
            return Some(false);
        }
    }
}

/// What is at the other end. A program that says nothing of itself listens, and that is all that was asked.
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
