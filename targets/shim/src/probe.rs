//! Probes of other tasks in a child process, so that slow DNS servers do not delay signal handling.
mod calls;

use crate::sys::{self, Pid};
use calls::probe_all;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Error, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::time::Instant;
use tfjob_contract::TaskId;

/// Line that a shim sends while its program waits for its start or restart.
pub const WAITS: &str = "tfjob-shim waits\n";
/// Line that a shim sends after its program has succeeded.
pub const DONE: &str = "tfjob-shim done\n";
/// Line that a shim sends after its task has failed permanently.
pub const FAILED: &str = "tfjob-shim failed\n";

/// A task to probe.
#[derive(Debug, Clone)]
pub struct Target {
    /// Task whose state the probe determines.
    pub task: TaskId,
    /// Host name or IP address.
    pub host: String,
    /// Port. `None`: only DNS is checked.
    pub port: Option<u16>,
    /// HTTP path that must answer 2xx on the port.
    pub path: Option<String>,
}

/// The result of a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeResult {
    /// The host has no address.
    NoAddress,
    /// The host has no address, but DNS lookups fail for a search domain.
    PartialDns,
    /// DNS lookups fail.
    DnsFailed,
    /// The host has an address, but the port or path does not answer.
    NoAnswer,
    /// The port or path answers.
    Answers,
    /// The shim of the target reports that the program waits for its start or restart.
    Waiting,
    /// The shim of the target reports success.
    Done,
    /// The shim of the target reports a permanent failure.
    Failed,
    /// The round ended before the target was probed.
    NotProbed,
}

/// Size of a record in the pipe: the number of a target, and the result.
const ANSWER: usize = 5;
const RESULT_CODES: [(u8, ProbeResult); 9] = [
    (b'n', ProbeResult::NoAddress),
    (b'p', ProbeResult::PartialDns),
    (b'u', ProbeResult::DnsFailed),
    (b's', ProbeResult::NoAnswer),
    (b'l', ProbeResult::Answers),
    (b'w', ProbeResult::Waiting),
    (b'd', ProbeResult::Done),
    (b'f', ProbeResult::Failed),
    (b'0', ProbeResult::NotProbed),
];

/// Host, port, and path of a target.
type Place = (String, Option<u16>, Option<String>);

fn place(target: &Target) -> Place {
    (target.host.clone(), target.port, target.path.clone())
}

/// A probe round in progress.
#[derive(Debug)]
pub struct Round {
    pid: Pid,
    begun: Instant,
    answers: File,
    /// Bytes of an incomplete record.
    part: Vec<u8>,
    places: Vec<Place>,
    results: BTreeMap<Place, ProbeResult>,
}

impl Round {
    /// Starts a round over all targets. Targets with the same host, port, and path are probed once.
    ///
    /// # Errors
    /// The process cannot be created.
    pub fn begin(targets: &[Target]) -> Result<Self, Error> {
        // The map is filled in a loop, because `collect` would add another sorting function to the binary.
        let mut each: BTreeMap<Place, Target> = BTreeMap::new();
        for target in targets {
            each.entry(place(target)).or_insert_with(|| target.clone());
        }
        let (places, targets): (Vec<Place>, Vec<Target>) = each.into_iter().unzip();
        let (answers, mut to) = std::io::pipe()?;
        let begun = Instant::now();
        let pid = sys::fork_helper(Some(to.as_raw_fd()), || {
            // The error is ignored: if no file descriptor is free, this round has no results.
            let _ = probe_all(&targets, &mut |number, sight| {
                let byte =
                    RESULT_CODES.iter().find(|(_, known)| *known == sight).map_or(b's', |(byte, _)| *byte);
                let number = u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes();
                let _ = to.write_all(&[number.as_slice(), &[byte]].concat());
            });
        })?;
        let answers = File::from(OwnedFd::from(answers));
        sys::set_nonblocking(&answers);
        Ok(Self { pid, begun, answers, part: Vec::new(), places, results: BTreeMap::new() })
    }

    /// Returns the PID of the probe process.
    pub const fn pid(&self) -> Pid {
        self.pid
    }

    /// Returns the start time.
    pub const fn begun(&self) -> Instant {
        self.begun
    }

    /// Reads new results. Returns whether there are any.
    pub fn read(&mut self) -> bool {
        let _ = self.answers.read_to_end(&mut self.part);
        let whole = self.part.len() - self.part.len() % ANSWER;
        for answer in self.part.drain(..whole).collect::<Vec<u8>>().chunks_exact(ANSWER) {
            let Some((number, [byte])) = answer.split_first_chunk() else { continue };
            let place = usize::try_from(u32::from_le_bytes(*number)).ok().and_then(|at| self.places.get(at));
            let sight = RESULT_CODES.iter().find(|(known, _)| known == byte);
            if let (Some(place), Some((_, sight))) = (place, sight) {
                self.results.insert(place.clone(), *sight);
            }
        }
        whole > 0
    }

    /// Returns the result of a target. `None` if the target is not probed yet.
    pub fn result(&self, target: &Target) -> Option<ProbeResult> {
        self.results.get(&place(target)).copied()
    }
}

/// Probes one target: waits up to 1 second for the connection, and then for the first bytes.
#[must_use]
pub fn probe(target: &Target) -> ProbeResult {
    let mut seen = ProbeResult::DnsFailed;
    // The error is ignored: if no file descriptor is free, the result stays `DnsFailed`.
    let _ = probe_all(std::slice::from_ref(target), &mut |_, sight| seen = sight);
    seen
}

#[cfg(test)]
mod tests {
    use super::{ProbeResult, Target, probe};
    use crate::status_listener::StatusListener;
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
        let looker = thread::spawn(move || (probe(&target), target));
        thread::sleep(Duration::from_millis(100));
        drop(listener);
        let (sight, target) = looker.join().unwrap();
        assert_eq!(sight, ProbeResult::NoAnswer);
        // A shim that has sent nothing yet closes its port to start its program.
        let mut beacon = StatusListener::open(target.port.unwrap(), "").unwrap();
        let looker = thread::spawn(move || probe(&target));
        thread::sleep(Duration::from_millis(100));
        beacon.answer();
        drop(beacon);
        assert_eq!(looker.join().unwrap(), ProbeResult::NoAnswer);
    }
}
