//! A look at other tasks, made by a child process: a name server that does not answer holds up no signal.
use crate::names::{self, Failing};
use crate::sys::{self, Pid};
use std::io::{Error, ErrorKind, PipeReader, Read, Write};
use std::net::TcpStream;
use std::os::fd::AsRawFd;
use std::time::Duration;
use tfjob_contract::TaskId;

/// How long one address may take to accept, and how long it may take to speak.
const ACCEPTS: Duration = Duration::from_millis(1000);
const SPEAKS: Duration = Duration::from_millis(400);

/// What a shim says on the port of its task while the program is not there: it waits, or pauses before a restart.
pub const WAITS: &str = "tfjob-shim waits\n";
/// What it says there once the program has ended well.
pub const DONE: &str = "tfjob-shim done\n";

/// Whom to look at.
#[derive(Debug, Clone)]
pub struct Target {
    /// Who it is.
    pub task: TaskId,
    /// Its host.
    pub host: String,
    /// The port to try; `None`: only the name is looked up.
    pub port: Option<u16>,
    /// The path that must answer 2xx on that port.
    pub path: Option<String>,
}

/// What was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    /// Its host has no address.
    Nameless,
    /// Nobody says whether its host has an address: name servers fail.
    Unknown,
    /// It has an address, and what was tried there does not answer as it should.
    Silent,
    /// What was tried there answers.
    Listens,
    /// Its shim is there and its program is not yet, or not just now.
    Waits,
    /// Its program has ended well.
    Done,
}

const SIGHTS: [(u8, Sight); 6] = [
    (b'n', Sight::Nameless),
    (b'u', Sight::Unknown),
    (b's', Sight::Silent),
    (b'l', Sight::Listens),
    (b'w', Sight::Waits),
    (b'd', Sight::Done),
];

/// A round of looks that is under way.
#[derive(Debug)]
pub struct Round {
    pid: Pid,
    answers: PipeReader,
}

impl Round {
    /// Begins to look at all of them.
    pub fn begin(targets: &[Target]) -> Result<Self, Error> {
        let (answers, mut to) = std::io::pipe()?;
        let pid = sys::aside(Some(to.as_raw_fd()), || {
            let failing = Failing::default();
            for target in targets {
                let sight = sight(target, &failing);
                let byte = SIGHTS.iter().find(|(_, known)| *known == sight).map_or(b's', |(byte, _)| *byte);
                if to.write_all(&[byte]).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { pid, answers })
    }

    /// The process that looks.
    pub const fn pid(&self) -> Pid {
        self.pid
    }

    /// What was seen, in the order of the targets; fewer where the looking was cut short. To be asked when the process
    /// has ended, so that it does not wait.
    pub fn seen(mut self) -> Vec<Sight> {
        let mut bytes = Vec::new();
        let _ = self.answers.read_to_end(&mut bytes);
        let sight = |byte: &u8| SIGHTS.iter().find(|(known, _)| known == byte).map(|(_, sight)| *sight);
        bytes.iter().filter_map(sight).collect()
    }
}

/// Looks once: waits for no more than a second to be let in, and then for the first words.
#[must_use]
pub fn look(target: &Target) -> Sight {
    sight(target, &Failing::default())
}

fn sight(target: &Target, failing: &Failing) -> Sight {
    let Some(addresses) = names::addresses(&target.host, target.port.unwrap_or(1), failing) else {
        return Sight::Unknown;
    };
    if addresses.is_empty() {
        return Sight::Nameless;
    }
    if target.port.is_none() {
        return Sight::Silent;
    }
    let found = addresses.iter().find_map(|address| TcpStream::connect_timeout(address, ACCEPTS).ok());
    // Where nobody listens, Linux may connect a port of its own choice to itself.
    let found = found.filter(|stream| stream.local_addr().ok() != stream.peer_addr().ok());
    found.map_or(Sight::Silent, |stream| listen(stream, target))
}

/// What is at the other end. A program that says nothing of itself listens, and that is all that was asked.
fn listen(mut stream: TcpStream, target: &Target) -> Sight {
    let patience = if target.path.is_some() { ACCEPTS } else { SPEAKS };
    let _ = stream.set_read_timeout(Some(patience));
    if let Some(path) = &target.path {
        let request = format!("GET {path} HTTP/1.0\r\nHost: {}\r\nConnection: close\r\n\r\n", target.host);
        let _ = stream.write_all(request.as_bytes());
    }
    let mut answer = Vec::new();
    let mut part = [0; 64];
    while answer.len() < DONE.len().max(WAITS.len()) {
        match stream.read(&mut part) {
            // A shim that closes its port, or nobody any more.
            Err(e) if e.kind() == ErrorKind::ConnectionReset && answer.is_empty() => return Sight::Silent,
            Ok(0) | Err(_) => break,
            Ok(length) => answer.extend_from_slice(part.get(..length).unwrap_or_default()),
        }
        if answer.contains(&b'\n') {
            break;
        }
    }
    let well = || answer.starts_with(b"HTTP/1.") && answer.get(8..10) == Some(b" 2");
    match &target.path {
        _ if answer.starts_with(WAITS.as_bytes()) => Sight::Waits,
        _ if answer.starts_with(DONE.as_bytes()) => Sight::Done,
        Some(_) if !well() => Sight::Silent,
        Some(_) | None => Sight::Listens,
    }
}

#[cfg(test)]
mod tests {
    use super::{Sight, Target, look};
    use crate::beacon::Beacon;
    use std::net::TcpListener;
    use std::thread;
    use std::time::Duration;
    use tfjob_contract::TaskId;

    fn at(port: u16) -> Target {
        let task = TaskId { role: "worker".to_owned(), index: 0 };
        Target { task, host: "127.0.0.1".to_owned(), port: Some(port), path: None }
    }

    #[test]
    fn a_port_that_is_closed_while_it_is_looked_at_does_not_listen() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let target = at(listener.local_addr().unwrap().port());
        let looker = thread::spawn(move || (look(&target), target));
        thread::sleep(Duration::from_millis(100));
        drop(listener);
        let (sight, target) = looker.join().unwrap();
        assert_eq!(sight, Sight::Silent);
        // A shim that has said nothing yet, and starts its program.
        let mut beacon = Beacon::open(target.port.unwrap(), "").unwrap();
        let looker = thread::spawn(move || look(&target));
        thread::sleep(Duration::from_millis(100));
        beacon.answer();
        drop(beacon);
        assert_eq!(looker.join().unwrap(), Sight::Silent);
    }
}
