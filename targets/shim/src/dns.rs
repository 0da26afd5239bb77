//! A concurrent DNS client. With the C library, each lookup would block a thread.
use crate::resolver::Answer;
use crate::sys::connect::is_scarce;
use std::collections::BTreeMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{Error, ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, UdpSocket};
use std::os::fd::{AsRawFd, RawFd};
use std::time::{Duration, Instant};

/// DNS port.
pub const PORT: u16 = 53;
/// Maximum number of servers (`MAXNS` of resolv.h).
const SERVERS: usize = 3;
/// Maximum number of open queries, so that the answers fit into the receive buffer of a socket.
const MOST: usize = 64;
/// Interval after which a query is sent to the next server (`AGAIN`), and timeout of a query (`LONGEST`).
const AGAIN: Duration = Duration::from_millis(1500);
const LONGEST: Duration = Duration::from_secs(if cfg!(test) { 2 } else { 5 });

/// Size of the message header in bytes (`HEAD`), and codes of the record types (RFC 1035, RFC 3596).
const HEAD: usize = 12;
const A: u16 = 1;
const AAAA: u16 = 28;
const CNAME: u16 = 5;

/// The answer of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Found {
    /// Addresses of one family (IPv4 or IPv6); may be empty.
    Addresses(Vec<IpAddr>),
    /// The name does not exist.
    NoName,
    /// No usable answer.
    Nothing,
}

/// The state of a query.
#[derive(Debug)]
enum State {
    Waits,
    /// Sent: time of the first attempt, time of the next retry, next server, and failed servers.
    Open {
        begun: Instant,
        again: Instant,
        next: usize,
        failed: [bool; SERVERS],
    },
    Over(Found),
}

#[derive(Debug)]
struct Question {
    packet: Vec<u8>,
    /// Whether the name was built with a search domain.
    made: bool,
    state: State,
}

/// The DNS client of one probe round, with all queries of the round.
#[derive(Debug)]
pub struct Dns {
    servers: Vec<(SocketAddr, UdpSocket)>,
    /// Two per name: A and AAAA.
    questions: Vec<Question>,
    names: BTreeMap<(String, bool), usize>,
    /// ID of the first query.
    first: u16,
    /// Search domains, in lower case.
    domains: Vec<String>,
}

impl Dns {
    /// Returns a client of these servers, which are queried in order. Without servers, queries localhost, as the C library does.
    ///
    /// # Errors
    /// No free file descriptor.
    pub fn new(servers: &[SocketAddr], domains: &[&str]) -> Result<Self, Error> {
        let own = [SocketAddr::from((Ipv4Addr::LOCALHOST, PORT))];
        let servers = if servers.is_empty() { &own } else { servers };
        Self::at(servers.iter().copied(), domains)
    }

    fn at(servers: impl Iterator<Item = SocketAddr>, domains: &[&str]) -> Result<Self, Error> {
        let mut open = Vec::new();
        for server in servers.take(SERVERS) {
            match socket(server) {
                Ok(socket) => open.push((server, socket)),
                Err(e) if is_scarce(&e) => return Err(e),
                // The server is skipped, because there is no route to it.
                Err(_) => {}
            }
        }
        let chance = RandomState::new().build_hasher().finish();
        let first = u16::try_from(chance & 0xffff).unwrap_or(0);
        let domains = domains.iter().map(|domain| domain.to_ascii_lowercase()).collect();
        Ok(Self { servers: open, questions: Vec::new(), names: BTreeMap::new(), first, domains })
    }

    /// Returns the answer for a fully qualified name if it has arrived; otherwise starts the queries, if needed, and returns
    /// `None`. `made`: whether the name was built with a search domain.
    pub fn ask(&mut self, name: &str, made: bool) -> Option<Answer> {
        let key = (name.to_owned(), made);
        if let Some(number) = self.names.get(&key) {
            return match self.questions.get(*number..number + 2)? {
                [four, six] => combined(&four.state, &six.state),
                _ => None,
            };
        }
        let Some(packets) =
            [A, AAAA].map(|kind| self.packet(name, kind)).into_iter().collect::<Option<Vec<_>>>()
        else {
            return Some(Some(Vec::new()));
        };
        self.names.insert(key, self.questions.len());
        for (more, mut packet) in (0_u16..).zip(packets) {
            let number = u16::try_from(self.questions.len()).unwrap_or(more);
            let id = self.first.wrapping_add(number).to_be_bytes();
            packet.splice(..2, id);
            self.questions.push(Question { packet, made, state: State::Waits });
        }
        None
    }

    /// Encodes a query. `None` for an invalid name.
    fn packet(&self, name: &str, kind: u16) -> Option<Vec<u8>> {
        let name = name.trim_end_matches('.');
        let mut packet = vec![0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
        for label in name.split('.') {
            let length = u8::try_from(label.len()).ok().filter(|length| (1..=63).contains(length))?;
            packet.push(length);
            packet.extend(label.as_bytes());
        }
        packet.push(0);
        packet.extend([kind.to_be_bytes(), [0, 1]].concat());
        (name.len() <= 253).then_some(packet)
    }

    /// Returns the sockets to poll.
    pub fn sockets(&self) -> impl Iterator<Item = RawFd> {
        self.servers.iter().map(|(_, socket)| socket.as_raw_fd())
    }

    /// Returns the time until which the caller may wait for the sockets. `None` if no query is open.
    pub fn until(&self) -> Option<Instant> {
        let until = |question: &Question| match &question.state {
            State::Open { again, .. } => Some(*again),
            State::Waits | State::Over(_) => None,
        };
        self.questions.iter().filter_map(until).min()
    }

    /// Whether queries can be sent now.
    pub fn is_due(&self) -> bool {
        let count =
            |is: fn(&State) -> bool| self.questions.iter().filter(|question| is(&question.state)).count();
        count(|state| matches!(state, State::Waits)) > 0
            && count(|state| matches!(state, State::Open { .. })) < MOST
    }

    /// Receives answers and sends due queries.
    pub fn advance(&mut self) {
        let mut bytes = vec![0; 1 << 12];
        for server in 0..self.servers.len() {
            while let Some((_, socket)) = self.servers.get(server) {
                match socket.recv(&mut bytes) {
                    Ok(length) => self.take(server, bytes.get(..length).unwrap_or_default()),
                    Err(e) if e.kind() == ErrorKind::Interrupted => {}
                    Err(e) if e.kind() == ErrorKind::WouldBlock => break,
                    // The server is unreachable.
                    Err(_) => {
                        self.failed(server);
                        break;
                    }
                }
            }
        }
        let now = Instant::now();
        let mut open = 0;
        for number in 0..self.questions.len() {
            if open >= MOST {
                return;
            }
            while let Some(server) = self.send(number, now) {
                self.failed(server);
            }
            let is_open = |question: &Question| matches!(question.state, State::Open { .. });
            open += usize::from(self.questions.get(number).is_some_and(is_open));
        }
    }

    /// Sends query `number` if it is due. Returns the server if it is unreachable.
    fn send(&mut self, number: usize, now: Instant) -> Option<usize> {
        let Question { packet, state, .. } = self.questions.get_mut(number)?;
        if matches!(state, State::Waits) {
            *state = State::Open { begun: now, again: now, next: 0, failed: [false; SERVERS] };
        }
        let State::Open { begun, again, next, failed } = state else { return None };
        if now < *again {
            return None;
        }
        let count = self.servers.len();
        let mut each = (0..count).map(|more| (*next + more) % count);
        let server = each.find(|server| failed.get(*server) == Some(&false));
        let server = server.filter(|_| now < *begun + LONGEST);
        let Some((server, (_, socket))) = server.and_then(|at| Some((at, self.servers.get(at)?))) else {
            *state = State::Over(Found::Nothing);
            return None;
        };
        (*next, *again) = (server + 1, (now + AGAIN).min(*begun + LONGEST));
        socket.send(packet).is_err().then_some(server)
    }

    /// Marks a server as failed, and sends its queries to the next one.
    fn failed(&mut self, server: usize) {
        for question in &mut self.questions {
            if let State::Open { again, next, failed, begun } = &mut question.state
                && *next == server + 1
                && let Some(failed) = failed.get_mut(server)
            {
                (*failed, *again) = (true, *begun);
            }
        }
    }

    /// Handles a message of a server.
    fn take(&mut self, server: usize, bytes: &[u8]) {
        let Some(([high, low, flags, code], _)) = bytes.split_first_chunk() else { return };
        let number = u16::from_be_bytes([*high, *low]).wrapping_sub(self.first);
        let Some(Question { packet, made, state }) = self.questions.get_mut(usize::from(number)) else {
            return;
        };
        let State::Open { begun, again, failed, .. } = state else { return };
        let (asked, said) = (packet.get(HEAD..), bytes.get(HEAD..packet.len()));
        if flags & 0x80 == 0 || !asked.zip(said).is_some_and(|(asked, said)| asked.eq_ignore_ascii_case(said))
        {
            return;
        }
        let found = match code & 15 {
            // The server has applied the search list itself and found another name. A separate query asks for that name, so this
            // query has no result.
            0 if *made && is_searched(bytes, packet.len(), &self.domains) => Some(Found::NoName),
            0 if is_lame(bytes) => None,
            0 => {
                let found = addresses(bytes, packet.len());
                let complete = || query_tcp(self.servers.get(server)?.0, packet).ok();
                match flags & 2 != 0 && found.is_empty() {
                    true => complete().map(|bytes| Found::Addresses(addresses(&bytes, packet.len()))),
                    false => Some(Found::Addresses(found)),
                }
            }
            3 => Some(Found::NoName),
            _ => None,
        };
        if let Some(found) = found {
            *state = State::Over(found);
            return;
        }
        if let Some(failed) = failed.get_mut(server) {
            *failed = true;
        }
        // The query is due now, so it goes to the next server immediately.
        *again = *begun;
    }
}

/// Whether the answer is a lame delegation: neither authoritative nor recursive (`next_ns` in `res_send.c` of glibc).
fn is_lame(bytes: &[u8]) -> bool {
    let Some([_, _, flags, more, _, _, records @ ..]) = bytes.get(..HEAD) else { return false };
    let [answers_high, answers_low, _, _, more_high, more_low] = *records else { return false };
    let empty = [answers_high, answers_low, more_high, more_low] == [0; 4];
    empty && flags & 4 == 0 && more & 0x80 == 0
}

fn socket(server: SocketAddr) -> Result<UdpSocket, Error> {
    let any =
        if server.is_ipv4() { IpAddr::from(Ipv4Addr::UNSPECIFIED) } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = UdpSocket::bind((any, 0))?;
    socket.connect(server)?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

/// Combines the answers of the A and AAAA queries. `None` if a required answer has not arrived yet.
fn combined(four: &State, six: &State) -> Option<Answer> {
    let six = match (four, six) {
        // Some servers do not answer AAAA queries, so the A answer alone is used after `AGAIN`.
        (State::Over(Found::Addresses(_)), State::Open { begun, .. }) if begun.elapsed() >= AGAIN => {
            &Found::Nothing
        }
        (_, State::Over(six)) => six,
        (_, State::Waits | State::Open { .. }) => return None,
    };
    let State::Over(four) = four else { return None };
    Some(match (four, six) {
        (Found::Addresses(four), Found::Addresses(six)) => Some([four.as_slice(), six].concat()),
        (Found::Addresses(found), _) | (_, Found::Addresses(found)) if !found.is_empty() => {
            Some(found.clone())
        }
        (Found::NoName, _) | (_, Found::NoName) => Some(Vec::new()),
        (Found::Addresses(_) | Found::Nothing, Found::Addresses(_) | Found::Nothing) => None,
    })
}

/// Whether a server has applied the search list itself. CoreDNS answers a query in the first search domain with a CNAME to the name
/// that it found (`cnamer` of the plugin autopath).
fn is_searched(bytes: &[u8], at: usize, domains: &[String]) -> bool {
    let end = |at: usize| bytes.get(at..)?.split_first_chunk::<10>().map(|(head, _)| *head);
    let alias = || {
        let [high, low, ..] = end(past(bytes, at)?)?;
        (u16::from_be_bytes([high, low]) == CNAME).then(|| name(bytes, past(bytes, at)? + 10))?
    };
    let (Some(asked), Some(alias)) = (name(bytes, HEAD), alias()) else { return false };
    let base = |domain: &String| asked.strip_suffix(domain.as_str())?.strip_suffix('.');
    let mut rests = domains.iter().filter_map(base).filter_map(|base| alias.strip_prefix(base));
    let is_other = |rest: &str| domains.iter().any(|domain| rest.strip_prefix('.') == Some(domain));
    alias != asked && rests.any(|rest| rest.is_empty() || is_other(rest))
}

/// Decodes a name, in lower case. `None` for an invalid name.
fn name(bytes: &[u8], mut at: usize) -> Option<String> {
    let mut labels = Vec::new();
    // Limits pointer loops.
    for _ in 0..256 {
        match usize::from(*bytes.get(at)?) {
            0 => return Some(labels.join(".")),
            high if high >= 0xc0 => at = (high & 0x3f) << 8 | usize::from(*bytes.get(at + 1)?),
            length => {
                let label = bytes.get(at + 1..at + 1 + length)?;
                labels.push(String::from_utf8_lossy(label).to_ascii_lowercase());
                at += 1 + length;
            }
        }
    }
    None
}

/// Returns the offset after a name, which ends with an empty label or a pointer. `None` if the message ends before that.
fn past(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match *bytes.get(at)? {
            0 => return Some(at + 1),
            length if length >= 0xc0 => return Some(at + 2),
            length => at += 1 + usize::from(length),
        }
    }
}

/// Returns the addresses in the answer section. Other sections are skipped, because they contain addresses of name servers.
fn addresses(bytes: &[u8], mut at: usize) -> Vec<IpAddr> {
    let mut found = Vec::new();
    let count = bytes.get(6..8).map_or(0, |count| count.iter().fold(0, |sum, b| sum << 8 | u16::from(*b)));
    for _ in 0..count {
        let Some((address, next)) = record(bytes, at) else { break };
        found.extend(address);
        at = next;
    }
    found
}

/// Decodes a resource record. Returns its address, if it has one, and the offset of the next record.
fn record(bytes: &[u8], at: usize) -> Option<(Option<IpAddr>, usize)> {
    let at = past(bytes, at)?;
    let (head, rest) = bytes.get(at..)?.split_first_chunk::<10>()?;
    let [kind_high, kind_low, .., high, low] = *head;
    let data = rest.get(..usize::from(u16::from_be_bytes([high, low])))?;
    let address = match u16::from_be_bytes([kind_high, kind_low]) {
        A => <[u8; 4]>::try_from(data).ok().map(IpAddr::from),
        AAAA => <[u8; 16]>::try_from(data).ok().map(IpAddr::from),
        _ => None,
    };
    Some((address, at + head.len() + data.len()))
}

/// Sends the query over TCP, for an answer that is too long for UDP.
fn query_tcp(server: SocketAddr, packet: &[u8]) -> Result<Vec<u8>, Error> {
    let patience = Duration::from_secs(1);
    let mut stream = TcpStream::connect_timeout(&server, patience)?;
    stream.set_read_timeout(Some(patience))?;
    let length = u16::try_from(packet.len()).unwrap_or(0).to_be_bytes();
    stream.write_all(&[&length, packet].concat())?;
    let mut length = [0; 2];
    stream.read_exact(&mut length)?;
    let mut bytes = vec![0; usize::from(u16::from_be_bytes(length))];
    stream.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests;
