//! The steps before a start: preflight checks, checkpoint repair, and the wait for peers.
use super::Supervisor;
use super::completion_watch::CompletionWatch;
use crate::checkpoints::{self, Mark, Saved, Survey};
use crate::exit::Exit;
use crate::humanize;
use crate::missing_peers::MissingPeers;
use crate::preflight;
use crate::probe::WAITS;
use crate::program::Program;
use std::net::Ipv4Addr;
use std::path::Path;
use std::time::{Duration, Instant};
use tfjob_contract::{Contract, Notice, Role};

/// Interval of the event that lists missing peers before the program starts.
const SAY: Duration = Duration::from_secs(5);

/// How long a port may stay in use before it is a fault: the program of the previous container may still be stopping.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long an incomplete checkpoint must stay unchanged before it is moved: another task may be writing it.
const SETTLE: Duration = Duration::from_secs(2);

/// Checks that a checkpoint directory contains no files, for `if-exists="fail"`.
fn fresh(path: &Path) -> Result<(), Exit> {
    checkpoints::occupied(path).map_or(Ok(()), |found| {
        let path = path.display();
        Err(Exit::CheckpointsExist(format!(
            "checkpoint directory {path} already contains `{found}`, but `if-exists=\"fail\"` of `checkpoints` requires an empty directory"
        )))
    })
}

/// Describes the checkpoint from which the program resumes. `None` if the directory has no TensorFlow or Orbax checkpoint, because
/// the program may use another format, or if the scan was incomplete or ambiguous.
fn found(survey: &Survey, path: &str) -> Option<String> {
    let Some(Saved { format, name, step, .. }) = &survey.saved else {
        let fresh = if survey.has_others() { "" } else { "; starting fresh" };
        let none = || format!("no complete TensorFlow or Orbax checkpoint in {path}{fresh}");
        return (survey.known && !survey.cut() && !survey.undecided).then(none);
    };
    let step = step.map_or_else(String::new, |step| format!(" (step {})", humanize::count(step)));
    Some(format!("newest complete {format} checkpoint: {name}{step}"))
}

/// Returns the names and numbers of the ports to check for a role. A number that several tasks declare may be in use by one of them
/// on the same host, so it is checked only if it is the readiness port.
fn declared(contract: &Contract, role: &Role, ready: Option<u16>) -> Vec<(String, u16)> {
    let declares = |number: u16| {
        let of = contract.roles.iter().filter(|role| role.ports.values().any(|port| *port == number));
        of.map(|role| u64::from(role.count)).sum::<u64>()
    };
    let numbered = role.ports.iter().filter(|(_, number)| **number > 0);
    let own = numbered.filter(|(_, number)| ready == Some(**number) || declares(**number) == 1);
    own.map(|(name, number)| (name.clone(), *number)).collect()
}

impl Supervisor {
    /// Checks everything that the first start needs, before the wait for peers, and reports all faults together.
    ///
    /// # Errors
    /// All faults, combined into one error.
    pub(super) fn preflight(&mut self) -> Result<(), Exit> {
        let mut listens = false;
        let mut faults: Vec<Exit> = self.program.check().err().into_iter().collect();
        if self.role.done {
            match CompletionWatch::new() {
                Ok(completion) => self.completion = Some(completion),
                Err(why) => faults.push(Exit::Machine(why)),
            }
        }
        // If this role starts after other roles, these may create the data, so the data is checked later.
        if self.role.after.is_empty() {
            faults.extend(self.check_data());
        }
        let mut judge = |judged: Result<Option<String>, Exit>| match judged {
            Ok(None) => {}
            Ok(Some(said)) => self.emit("preflight", &said),
            Err(fault) => faults.push(fault),
        };
        if let Some(folder) = self.duties.checkpoints.as_ref().filter(|_| self.program.leads()) {
            let path = Path::new(&folder.path);
            let fresh = if folder.fail_if_exists { fresh(path) } else { Ok(()) };
            // A rejected directory must stay unchanged, so it is not checked for write access.
            let writable = fresh.is_ok().then(|| preflight::check_directory(path));
            judge(fresh.map(|()| None));
            writable.into_iter().for_each(&mut judge);
        }
        if let Program::Task { contract, task, .. } = &self.program {
            let role = contract.role_of(task)?;
            if let Some(promised) = role.gpus.filter(|gpus| *gpus > 0) {
                let visible = std::env::var("NVIDIA_VISIBLE_DEVICES").ok();
                judge(preflight::check_gpus(Path::new("/dev"), visible.as_deref(), promised));
            }
            listens = contract.all_listen(role) && role.kind.is_peer();
        }
        if let Some(port) = self.port.filter(|_| listens) {
            faults.extend(self.wait_until_free(&|| preflight::check_port(port).err())?);
        }
        faults.extend(self.check_declared_ports()?);
        self.report_faults(faults)
    }

    /// Checks whether the numbered ports of the task are free. A port in use is a fault if it is the readiness port, because peers
    /// would take the other process for the task. For other ports, an event is enough.
    fn check_declared_ports(&mut self) -> Result<Option<Exit>, Exit> {
        let Program::Task { contract, task, env } = &self.program else { return Ok(None) };
        let role = contract.role_of(task)?;
        let ready = contract.ready_port(role);
        let mut declared = declared(contract, role, ready);
        let told = |(name, port): &(String, u16)| {
            format!("port {port} (`{name}` of this task) is already in use on this host")
        };
        let shows = declared.iter().position(|(_, port)| Some(*port) == ready).map(|at| declared.remove(at));
        // If the host name of the task is an IP address, peers use only this address, so the port is checked only there.
        let place = contract.peer_addresses(std::slice::from_ref(task), env).ok();
        let address =
            place.and_then(|place| place.first()?.host.parse().ok()).unwrap_or(Ipv4Addr::UNSPECIFIED);
        let is_taken = |port: &&(String, u16)| preflight::is_taken(address, port.1);
        let warn = |port: &(String, u16)| {
            self.emit("preflight", &format!("{}; the program is started anyway", told(port)));
        };
        declared.iter().filter(is_taken).for_each(warn);
        let Some(shows) = shows else { return Ok(None) };
        // An entrypoint, or another container of the pod, may listen on the port for the task. So this is not a fault.
        if self.inherited {
            Some(&shows).filter(is_taken).into_iter().for_each(warn);
            return Ok(None);
        }
        self.wait_until_free(&|| Some(&shows).filter(is_taken).map(|port| Exit::PortInUse(told(port))))
    }

    /// Checks whether the data paths on the node exist.
    fn check_data(&self) -> Vec<Exit> {
        let mut faults = Vec::new();
        for path in &self.role.reads {
            match preflight::check_data(path) {
                Ok(said) => said.iter().for_each(|said| self.emit("preflight", said)),
                Err(fault) => faults.push(fault),
            }
        }
        faults
    }

    /// Emits an event per fault, and returns all as one error.
    fn report_faults(&self, faults: Vec<Exit>) -> Result<(), Exit> {
        for fault in &faults {
            self.emit("refused", fault.parts().1.unwrap_or_default());
        }
        Exit::all(faults).map_or(Ok(()), Err)
    }

    /// Waits until `look` finds no fault, such as a port in use. Returns the fault if it persists for [`PATIENCE`].
    fn wait_until_free(&mut self, look: &dyn Fn() -> Option<Exit>) -> Result<Option<Exit>, Exit> {
        let end = Instant::now() + PATIENCE;
        loop {
            match look() {
                Some(taken) if Instant::now() >= end => return Ok(Some(taken)),
                Some(_) => self.sleep(PATIENCE / 20)?,
                None => return Ok(None),
            }
        }
    }

    /// Finds the checkpoint from which the program resumes. The leader, which writes the checkpoints, also moves incomplete ones
    /// aside.
    ///
    /// # Errors
    /// A signal or the deadline.
    pub(super) fn resume(&mut self) -> Result<Mark, Exit> {
        let leads = self.program.leads();
        let mut survey = self.survey(None);
        self.drain_signals()?;
        if leads && (survey.stale || !survey.incomplete.is_empty()) {
            let incomplete = std::mem::take(&mut survey.incomplete);
            if !incomplete.is_empty() {
                self.sleep(SETTLE)?;
            }
            survey = self.survey(Some(&incomplete));
            self.drain_signals()?;
        }
        if let Some(folder) = self.duties.checkpoints.as_ref().filter(|_| leads) {
            let found = found(&survey, &folder.path);
            if found.is_some() || !survey.said.is_empty() {
                let said: Vec<&str> = found.iter().chain(&survey.said).map(String::as_str).collect();
                self.emit("resume", &said.join("; "));
            }
        }
        Ok(survey.mark())
    }

    /// Waits for peers before the first start.
    ///
    /// # Errors
    /// Peers that are not ready in time or have failed, a signal, or the deadline.
    pub(super) fn wait_for_peers(&mut self) -> Result<(), Exit> {
        let Program::Task { contract, task, env } = &self.program else { return Ok(()) };
        let mut missing =
            MissingPeers::of(contract, task, env, self.mark.as_ref().is_some_and(|mark| mark.exists()))?;
        if missing.is_empty() {
            return Ok(());
        }
        if self.notice != Notice::Never {
            self.open_status_listener(WAITS);
        }
        let only_addresses = missing.needs_only_addresses();
        let begun = Instant::now();
        let bound = self.duties.wait.and_then(|seconds| begun.checked_add(Duration::from_secs(seconds)));
        let mut next = begun + SAY;
        while !missing.is_empty() {
            self.check_end()?;
            // The wait ends only when every missing peer was probed once more after the timeout.
            if bound.is_some_and(|bound| Instant::now() >= bound && self.event_loop.has_probed_since(bound)) {
                missing.excuse();
                if missing.is_empty() {
                    break;
                }
                let seconds = self.duties.wait.unwrap_or_default();
                let why = format!("peers were not ready within {seconds} s (`start timeout`)");
                return Err(self.peers_missing(&why, &missing));
            }
            if missing.has_failed() {
                return Err(self.peers_missing("a peer failed", &missing));
            }
            if Instant::now() >= next {
                next = Instant::now() + SAY;
                let missing = missing.describe();
                self.emit("waiting", &format!("waiting for peers before the program starts: {missing}"));
            }
            let (sights, again) = self.event_loop.probe(&missing.targets());
            match sights {
                Some(sights) if missing.note(&sights, Instant::now()) => self.event_loop.cancel_probe(),
                Some(_) => {}
                None => {
                    let bound = bound.filter(|bound| Instant::now() < *bound);
                    let until = [again, bound, self.deadline, Some(next)].into_iter().flatten().min();
                    self.listen(until);
                }
            }
        }
        let ready = if only_addresses { "all peers had addresses" } else { "all peers were ready" };
        let waited = humanize::duration(begun.elapsed());
        self.emit("peers-ready", &format!("waited {waited} until {ready}; starting the program"));
        self.set_mark();
        self.event_loop.status_listener = None;
        self.event_loop.cancel_probe();
        if self.role.after.is_empty() { Ok(()) } else { self.report_faults(self.check_data()) }
    }

    /// Reports why the task is not started, and returns the error.
    fn peers_missing(&self, why: &str, missing: &MissingPeers) -> Exit {
        let why = format!("{}: not started because {why}: {}", self.name, missing.describe());
        self.emit("peers-missing", &why);
        Exit::PeersMissing(why)
    }

    /// Creates the marker file, so that later containers of the task do not wait for all peers again.
    fn set_mark(&self) {
        if let Some(mark) = &self.mark
            && let Err(why) = std::fs::write(mark, "")
        {
            self.emit(
                "state",
                &format!(
                    "cannot write {}, which records that all peers were ready: {why}; a later container of this task will wait for all peers again",
                    mark.display()
                ),
            );
        }
    }
}
