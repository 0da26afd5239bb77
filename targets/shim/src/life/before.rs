//! What comes before the first start: the folder of checkpoints, and the others.
use super::Life;
use super::hearing::Hearing;
use crate::checkpoints::{self, Mark, Saved, Survey};
use crate::exit::Exit;
use crate::preflight;
use crate::probe::WAITS;
use crate::program::Program;
use crate::spoken;
use crate::waiting::Missing;
use std::net::Ipv4Addr;
use std::path::Path;
use std::time::{Duration, Instant};
use tfjob_contract::{Contract, Notice, Role};

/// How often a line says who is missing.
const SAY: Duration = Duration::from_secs(5);

/// How long a port may stay taken: by the task's own program in the container before, which is being stopped.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a torn checkpoint must stay as it is: one that another task is writing right now changes.
const SETTLE: Duration = Duration::from_secs(2);

/// Refuses a folder that holds something, where the job begins only on nothing.
fn fresh(path: &Path) -> Result<(), Exit> {
    checkpoints::occupied(path).map_or(Ok(()), |found| {
        let path = path.display();
        Err(Exit::Fresh(format!("{path} holds `{found}` already, and the job begins only where nothing is")))
    })
}

/// What a program goes on from, as far as a format is known: nobody can tell for the others.
fn found(survey: &Survey, path: &str) -> Option<String> {
    let Some(Saved { format, name, step, .. }) = &survey.saved else {
        let fresh = if survey.has_others() { "" } else { "; starting fresh" };
        let none = || format!("no complete TensorFlow or Orbax checkpoint in {path}{fresh}");
        return (survey.known && !survey.cut() && !survey.undecided).then(none);
    };
    let step = step.map_or_else(String::new, |step| format!(" (step {})", spoken::count(step)));
    Some(format!("newest complete {format} checkpoint: {name}{step}"))
}

/// The numbered ports of a role. Where several tasks declare the same number, only one of them can listen on a host: such a port
/// is looked at only if it shows that the task is ready.
fn declared(contract: &Contract, role: &Role, ready: Option<u16>) -> Vec<(String, u16)> {
    let declares = |number: u16| {
        let of = contract.roles.iter().filter(|role| role.ports.values().any(|port| *port == number));
        of.map(|role| u64::from(role.count)).sum::<u64>()
    };
    let numbered = role.ports.iter().filter(|(_, number)| **number > 0);
    let own = numbered.filter(|(_, number)| ready == Some(**number) || declares(**number) == 1);
    own.map(|(name, number)| (name.clone(), *number)).collect()
}

impl Life {
    /// Looks at all that a first start needs, before anybody is waited for, and names every fault at once.
    ///
    /// # Errors
    /// The faults.
    pub(super) fn preflight(&mut self) -> Result<(), Exit> {
        let mut listens = false;
        let mut faults: Vec<Exit> = self.program.check().err().into_iter().collect();
        if self.role.done {
            match Hearing::new() {
                Ok(hearing) => self.hearing = Some(hearing),
                Err(why) => faults.push(Exit::Machine(why)),
            }
        }
        // What others make before this task is looked for after them.
        if self.role.after.is_empty() {
            faults.extend(self.data());
        }
        let mut judge = |judged: Result<Option<String>, Exit>| match judged {
            Ok(None) => {}
            Ok(Some(said)) => self.say("preflight", &said),
            Err(fault) => faults.push(fault),
        };
        if let Some(folder) = self.duties.checkpoints.as_ref().filter(|_| self.program.leads()) {
            let path = Path::new(&folder.path);
            let fresh = if folder.fresh { fresh(path) } else { Ok(()) };
            // What is there already is not added to.
            let writable = fresh.is_ok().then(|| preflight::folder(path));
            judge(fresh.map(|()| None));
            writable.into_iter().for_each(&mut judge);
        }
        if let Program::Task { contract, task, .. } = &self.program {
            let role = contract.role_of(task)?;
            if let Some(promised) = role.gpus.filter(|gpus| *gpus > 0) {
                let visible = std::env::var("NVIDIA_VISIBLE_DEVICES").ok();
                judge(preflight::gpus(Path::new("/dev"), visible.as_deref(), promised));
            }
            listens = contract.all_listen(role) && role.kind.is_peer();
        }
        if let Some(port) = self.port.filter(|_| listens) {
            faults.extend(self.taken(&|| preflight::port(port).err())?);
        }
        faults.extend(self.strangers()?);
        self.refuse(faults)
    }

    /// Looks who listens on the numbered ports of the task. Only by the one that shows whether it is ready could a stranger be
    /// taken for the task: the others are told of.
    fn strangers(&mut self) -> Result<Option<Exit>, Exit> {
        let Program::Task { contract, task, env } = &self.program else { return Ok(None) };
        let role = contract.role_of(task)?;
        let ready = contract.ready_port(role);
        let mut declared = declared(contract, role, ready);
        let told = |(name, port): &(String, u16)| {
            format!("port {port} (`{name}` of this task) is already in use on this host")
        };
        let shows = declared.iter().position(|(_, port)| Some(*port) == ready).map(|at| declared.remove(at));
        // Where the task has a number for a name, nobody looks at other addresses of this host.
        let place = contract.places(std::slice::from_ref(task), env).ok();
        let address =
            place.and_then(|place| place.first()?.host.parse().ok()).unwrap_or(Ipv4Addr::UNSPECIFIED);
        let is_taken = |port: &&(String, u16)| preflight::is_taken(address, port.1);
        declared.iter().filter(is_taken).for_each(|port| self.say("preflight", &told(port)));
        let Some(shows) = shows else { return Ok(None) };
        // An entrypoint, or another container of a pod, may listen there for the task.
        if self.inherited {
            Some(&shows).filter(is_taken).into_iter().for_each(|port| self.say("preflight", &told(port)));
            return Ok(None);
        }
        self.taken(&|| Some(&shows).filter(is_taken).map(|port| Exit::Taken(told(port))))
    }

    /// The data of the node that is not there.
    fn data(&self) -> Vec<Exit> {
        let mut faults = Vec::new();
        for path in &self.role.reads {
            match preflight::data(path) {
                Ok(said) => said.iter().for_each(|said| self.say("preflight", said)),
                Err(fault) => faults.push(fault),
            }
        }
        faults
    }

    /// Says each fault, and makes one end of them.
    fn refuse(&self, faults: Vec<Exit>) -> Result<(), Exit> {
        for fault in &faults {
            self.say("refused", fault.parts().1.unwrap_or_default());
        }
        Exit::all(faults).map_or(Ok(()), Err)
    }

    /// Whether a port stays taken, and what is to be said then.
    fn taken(&mut self, look: &dyn Fn() -> Option<Exit>) -> Result<Option<Exit>, Exit> {
        let end = Instant::now() + PATIENCE;
        loop {
            match look() {
                Some(taken) if Instant::now() >= end => return Ok(Some(taken)),
                Some(_) => self.rest(PATIENCE / 20)?,
                None => return Ok(None),
            }
        }
    }

    /// What the program will go on from, and how new the state of the job is. The task that leads sets aside what is
    /// torn: it is the one that writes.
    ///
    /// # Errors
    /// The end that came meanwhile.
    pub(super) fn resume(&mut self) -> Result<Mark, Exit> {
        let leads = self.program.leads();
        let mut survey = self.survey(None);
        self.heed()?;
        if leads && (survey.stale || !survey.torn.is_empty()) {
            let torn = std::mem::take(&mut survey.torn);
            if !torn.is_empty() {
                self.rest(SETTLE)?;
            }
            survey = self.survey(Some(&torn));
            self.heed()?;
        }
        if let Some(folder) = self.duties.checkpoints.as_ref().filter(|_| leads) {
            let found = found(&survey, &folder.path);
            if found.is_some() || !survey.said.is_empty() {
                let said: Vec<&str> = found.iter().chain(&survey.said).map(String::as_str).collect();
                self.say("resume", &said.join("; "));
            }
        }
        Ok(survey.mark())
    }

    /// Waits for others before the first start.
    pub(super) fn wait(&mut self) -> Result<(), Exit> {
        let Program::Task { contract, task, env } = &self.program else { return Ok(()) };
        let mut missing =
            Missing::of(contract, task, env, self.mark.as_ref().is_some_and(|mark| mark.exists()))?;
        if missing.nobody() {
            return Ok(());
        }
        if self.notice != Notice::Never {
            self.beacon(WAITS);
        }
        let begun = Instant::now();
        let bound = self.duties.wait.and_then(|seconds| begun.checked_add(Duration::from_secs(seconds)));
        let mut next = begun + SAY;
        while !missing.nobody() {
            self.over()?;
            // Nobody is given up who has not been looked at once more.
            if bound.is_some_and(|bound| Instant::now() >= bound && self.ears.have_looked(bound)) {
                missing.excuse();
                if missing.nobody() {
                    break;
                }
                let seconds = self.duties.wait.unwrap_or_default();
                let why = format!("after {seconds} s still missing: {}", missing.who());
                self.say("gave-up", &why);
                return Err(Exit::Late(why));
            }
            if missing.is_hopeless() {
                let why = format!("waits no longer: {}", missing.who());
                self.say("gave-up", &why);
                return Err(Exit::Late(why));
            }
            if Instant::now() >= next {
                next = Instant::now() + SAY;
                self.say("waiting", &missing.who());
            }
            let (sights, again) = self.ears.look(&missing.targets());
            match sights {
                Some(sights) if missing.note(&sights, Instant::now()) => self.ears.look_away(),
                Some(_) => {}
                None => {
                    let bound = bound.filter(|bound| Instant::now() < *bound);
                    let until = [again, bound, self.deadline, Some(next)].into_iter().flatten().min();
                    self.listen(until);
                }
            }
        }
        self.say("met", &format!("all peers reachable after {}", spoken::time(begun.elapsed())));
        if let Some(mark) = &self.mark
            && let Err(why) = std::fs::write(mark, "")
        {
            self.say("state", &format!("{} cannot be written: {why}", mark.display()));
        }
        self.ears.beacon = None;
        self.ears.look_away();
        if self.role.after.is_empty() { Ok(()) } else { self.refuse(self.data()) }
    }
}
