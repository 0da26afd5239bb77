//! A look at other tasks, made by a child process: a name server that does not answer holds up no signal.
mod calls;

use crate::sys::{self, Pid};
use calls::probe_all;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Error, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::time::Instant;
use tfjob_contract::TaskId;

/// What a shim says on the port of its task while the program is not there: it waits, or pauses before a restart.
pub const WAITS: &str = "tfjob-shim waits\n";
/// What it says there once the program has ended well.
pub const DONE: &str = "tfjob-shim done\n";
/// What it says there once the task has failed and nothing brings it back.
pub const FAILED: &str = "tfjob-shim failed\n";

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
pub enum ProbeResult {
    /// Its host has no address.
    NoAddress,
    /// Its host has no address where name servers answer; for another domain of the search list they fail.
    PartialDns,
    /// Nobody says whether its host has an address: name servers fail.
    DnsFailed,
    /// It has an address, and what was tried there does not answer as it should.
    NoAnswer,
    /// What was tried there answers.
    Answers,
    /// Its shim is there and its program is not yet, or not just now.
    Waiting,
    /// Its program has ended well.
    Done,
    /// It has failed, and does not come back.
    Failed,
    /// It was not looked at: the round ended before.
    NotProbed,
}

/// The length of an answer: the number of a target, and what was seen.
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

/// Where to look: its host, its port, its path.
type Place = (String, Option<u16>, Option<String>);

fn place(target: &Target) -> Place {
    (target.host.clone(), target.port, target.path.clone())
}

/// A round of looks that is under way.
#[derive(Debug)]
pub struct Round {
    pid: Pid,
    begun: Instant,
    answers: File,
    /// Bytes of an answer that is not whole yet.
    part: Vec<u8>,
    places: Vec<Place>,
    seen: BTreeMap<Place, ProbeResult>,
}

impl Round {
    /// Begins to look at all of them, at each place once.
    ///
    /// # Errors
    /// Where the machine has no process to spare.
    pub fn begin(targets: &[Target]) -> Result<Self, Error> {
        // A map that is collected brings a sort of its own into the program.
        let mut each: BTreeMap<Place, Target> = BTreeMap::new();
        for target in targets {
            each.entry(place(target)).or_insert_with(|| target.clone());
        }
        let (places, targets): (Vec<Place>, Vec<Target>) = each.into_iter().unzip();
        let (answers, mut to) = std::io::pipe()?;
        let begun = Instant::now();
        let pid = sys::fork_helper(Some(to.as_raw_fd()), || {
            // Where nothing more can be opened, nothing is seen.
            let _ = probe_all(&targets, &mut |number, sight| {
                let byte =
                    RESULT_CODES.iter().find(|(_, known)| *known == sight).map_or(b's', |(byte, _)| *byte);
                let number = u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes();
                let _ = to.write_all(&[number.as_slice(), &[byte]].concat());
            });
        })?;
        let answers = File::from(OwnedFd::from(answers));
        sys::wait_for_nothing(&answers);
        Ok(Self { pid, begun, answers, part: Vec::new(), places, seen: BTreeMap::new() })
    }

    /// The process that looks.
    pub const fn pid(&self) -> Pid {
        self.pid
    }

    /// When it began.
    pub const fn begun(&self) -> Instant {
        self.begun
    }

    /// Takes what has been seen by now. Whether there is more than before.
    pub fn read(&mut self) -> bool {
        let _ = self.answers.read_to_end(&mut self.part);
        let whole = self.part.len() - self.part.len() % ANSWER;
        for answer in self.part.drain(..whole).collect::<Vec<u8>>().chunks_exact(ANSWER) {
            let Some((number, [byte])) = answer.split_first_chunk() else { continue };
            let place = usize::try_from(u32::from_le_bytes(*number)).ok().and_then(|at| self.places.get(at));
            let sight = RESULT_CODES.iter().find(|(known, _)| known == byte);
            if let (Some(place), Some((_, sight))) = (place, sight) {
                self.seen.insert(place.clone(), *sight);
            }
        }
        whole > 0
    }

    /// What was seen there.
    pub fn sight(&self, target: &Target) -> Option<ProbeResult> {
        self.seen.get(&place(target)).copied()
    }
}

/// Looks once: waits for no more than a second to be let in, and then for the first words.
#[must_use]
pub fn probe(target: &Target) -> ProbeResult {
    let mut seen = ProbeResult::DnsFailed;
    // Where nothing more can be opened, nothing is known.
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
        // A shim that has said nothing yet, and starts its program.
        let mut beacon = StatusListener::open(target.port.unwrap(), "").unwrap();
        let looker = thread::spawn(move || probe(&target));
        thread::sleep(Duration::from_millis(100));
        beacon.answer();
        drop(beacon);
        assert_eq!(looker.join().unwrap(), ProbeResult::NoAnswer);
    }
}
