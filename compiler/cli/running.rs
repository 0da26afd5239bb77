//! A job as processes on this machine: each task under the shim, started in its order, stopped when the job is over.
mod chosen;
mod ending;
mod machine;
mod orphans;
mod programs;
mod ready;
mod screen;
mod task;
mod voice;

pub use chosen::{Chosen, choose};
pub use ending::Ending;
pub use machine::prepare;
pub use screen::Screen;

use crate::outcome::Failure;
use ending::Verdict;
use orphans::Orphans;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use task::{State, Task};
use tfjob_contract::{After, Contract, TaskId, When};
use tfjob_targets::local::Job;
use voice::Heard;

/// How often tasks are looked at while nothing is heard.
const ROUND: Duration = Duration::from_millis(100);
/// What a shim may need beyond the job's own grace, before it is killed.
const MORE: Duration = Duration::from_secs(10);

/// `host:port` of every task, by role.
type Peers = BTreeMap<String, Vec<String>>;

/// Where a job runs.
#[derive(Debug)]
pub struct Ground {
    /// The run's own folder: contract, logs, scratch.
    pub folder: PathBuf,
    /// The spec's folder, where tasks start.
    pub here: PathBuf,
    /// This program, which is the shim too.
    pub program: PathBuf,
    /// Whether the other tasks go on when one has failed.
    pub keep_going: bool,
    /// The tasks that are run. Nobody waits for the others.
    pub chosen: Chosen,
}

/// A run under way.
pub struct Run<'a> {
    job: &'a Job,
    contract: &'a Contract,
    ground: &'a Ground,
    tasks: Vec<Task>,
    tell: Sender<Heard>,
    hear: Receiver<Heard>,
    peers: Peers,
    /// The peers, as every task is told them.
    told: String,
    orphans: Orphans,
    stopping: Option<Stopping>,
}

/// That every task is asked to end, and when that becomes an order.
struct Stopping {
    verdict: Verdict,
    until: Instant,
}

impl<'a> Run<'a> {
    /// Prepares it: from now on Ctrl-C ends the job.
    ///
    /// # Errors
    /// Where the machine has no free port, or no second Ctrl-C can be heard.
    pub fn new(job: &'a Job, contract: &'a Contract, ground: &'a Ground) -> Result<Self, Failure> {
        let (tell, hear) = channel();
        let asked = tell.clone();
        ctrlc::set_handler(move || drop(asked.send(Heard::Asked)))
            .map_err(|e| Failure::new(format!("signals cannot be heard: {e}")))?;
        let mut gpus = 0;
        let tasks = ground.chosen.iter().map(|(role, index)| {
            let first = gpus;
            gpus += job.roles[*role].gpus.0;
            Task::new(job, *role, *index, first)
        });
        let tasks = tasks.collect();
        let peers = peers(job)?;
        let told = serde_json::to_string(&peers).map_err(io::Error::from)?;
        let orphans = Orphans::adopt();
        Ok(Self { job, contract, ground, tasks, tell, hear, peers, told, orphans, stopping: None })
    }

    /// Runs it to its end.
    ///
    /// # Errors
    /// Where a log cannot be written.
    pub fn live(mut self, screen: &mut Screen<'_>) -> Result<Ending, Failure> {
        let begun = Instant::now();
        self.start_due(screen)?;
        self.say_who_waits(screen)?;
        loop {
            self.start_due(screen)?;
            match self.hear.recv_timeout(ROUND) {
                Ok(heard) => self.take(heard, screen)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.look(screen)?;
            self.judge(begun, screen)?;
            screen.status(&self.tasks, begun)?;
            if self.tasks.iter().all(Task::is_over) && !self.orphans.are_left() {
                break;
            }
        }
        screen.clear()?;
        let verdict = self.stopping.take().map_or_else(
            || ending::judge(self.job, self.contract, &self.tasks, false).unwrap_or(Verdict::Asked),
            |stopping| stopping.verdict,
        );
        Ok(Ending::new(&self.tasks, verdict, begun.elapsed()))
    }

    /// Looks which shims have ended. One that was killed has swept nothing.
    fn look(&mut self, screen: &mut Screen<'_>) -> Result<(), Failure> {
        for task in &mut self.tasks {
            if let Some(signal) = task.look()? {
                self.orphans.expect();
                let fact =
                    format!("its shim was killed by signal {signal}: all that it started is killed too");
                screen.line(task, &fact)?;
            }
        }
        let tasks = &self.tasks;
        self.orphans.sweep(|process| tasks.iter().any(|task| task.is_shim(process)));
        Ok(())
    }

    /// Starts what waits for nothing more.
    fn start_due(&mut self, screen: &mut Screen<'_>) -> Result<(), Failure> {
        if self.stopping.is_some() {
            return Ok(());
        }
        let due: Vec<usize> = (0..self.tasks.len()).filter(|number| self.is_due(*number)).collect();
        for number in due {
            self.tasks[number].start(number, self.ground, &self.told, &self.tell)?;
            screen.line(&self.tasks[number], "starts")?;
            let task = &self.tasks[number];
            let after = || self.job.roles.iter().flat_map(|role| &role.after);
            if after().any(|after| after.0.role == task.role && after.0.when == When::Ready) {
                let id = TaskId { role: task.role.clone(), index: task.index };
                ready::watch(number, ready::view(self.contract, &id, self.address(task)), self.tell.clone());
            }
        }
        Ok(())
    }

    /// Names, once, those for whom tasks wait that are not started yet.
    fn say_who_waits(&self, screen: &mut Screen<'_>) -> Result<(), Failure> {
        for task in self.tasks.iter().filter(|task| matches!(task.state, State::Waits)) {
            let after = self.job.roles[task.role_id].after.iter().filter(|after| !self.is_met(&after.0));
            let names: Vec<String> = after.map(|after| format!("`{}`", after.0.role)).collect();
            screen.line(task, &format!("waits for {}", names.join(" and ")))?;
        }
        Ok(())
    }

    fn is_due(&self, number: usize) -> bool {
        let task = &self.tasks[number];
        matches!(task.state, State::Waits)
            && self.job.roles[task.role_id].after.iter().all(|after| self.is_met(&after.0))
    }

    fn is_met(&self, after: &After) -> bool {
        let mut first = self.tasks.iter().filter(|task| task.role == after.role);
        first.all(|task| match (&task.state, after.when) {
            (State::Waits | State::Never, _) | (State::Runs, When::Done) => false,
            (State::Runs, When::Started) => true,
            (State::Runs, When::Ready) => task.ready,
            (State::Ended(code), _) => *code == 0,
        })
    }

    fn address(&self, task: &Task) -> &str {
        let list = self.peers.get(&task.role);
        list.and_then(|list| list.get(task.index as usize)).map_or("", String::as_str)
    }

    /// A task that has waited for others to come as long as it may. For their end it may wait for ever.
    fn late(&self, begun: Instant) -> Option<usize> {
        let limit = self.contract.duties.as_ref().and_then(|duties| duties.wait)?;
        let ends = |task: &Task| {
            let mut after = self.job.roles[task.role_id].after.iter();
            after.any(|after| after.0.when == When::Done && !self.is_met(&after.0))
        };
        let waits = |task: &Task| matches!(task.state, State::Waits) && !ends(task);
        (begun.elapsed() >= Duration::from_secs(limit)).then(|| self.tasks.iter().position(waits)).flatten()
    }

    /// How long the job may take, where it has. Each shim counts from the start of its own task, and is given a moment to
    /// say so itself.
    fn overdue(&self, begun: Instant) -> Option<u64> {
        let seconds = self.contract.duties.as_ref().and_then(|duties| duties.deadline)?;
        (begun.elapsed() >= Duration::from_secs(seconds.saturating_add(1))).then_some(seconds)
    }

    fn take(&mut self, heard: Heard, screen: &mut Screen<'_>) -> Result<(), Failure> {
        match heard {
            Heard::Line { task, text } => {
                let task = &mut self.tasks[task];
                task.log(&text)?;
                match voice::event(&text) {
                    Some(event) => task.note(&event, screen)?,
                    None => task.say(&text, screen)?,
                }
            }
            Heard::Ready { task } => self.tasks[task].ready = true,
            Heard::Closed { task } => self.tasks[task].closed += 1,
            Heard::Asked if self.stopping.is_some() => {
                for task in &self.tasks {
                    task.kill();
                }
            }
            Heard::Asked => self.stop(Verdict::Asked, screen)?,
        }
        Ok(())
    }

    /// Ends the job when it is decided.
    fn judge(&mut self, begun: Instant, screen: &mut Screen<'_>) -> Result<(), Failure> {
        if let Some(stopping) = &self.stopping {
            if Instant::now() >= stopping.until {
                for task in &self.tasks {
                    task.kill();
                }
            }
            return Ok(());
        }
        let verdict = ending::judge(self.job, self.contract, &self.tasks, self.ground.keep_going);
        let verdict = verdict.or_else(|| self.late(begun).map(Verdict::Late));
        match verdict.or_else(|| self.overdue(begun).map(Verdict::Overdue)) {
            Some(verdict) => self.stop(verdict, screen),
            None => Ok(()),
        }
    }

    fn stop(&mut self, verdict: Verdict, screen: &mut Screen<'_>) -> Result<(), Failure> {
        let stopped = self.tasks.iter().any(|task| matches!(task.state, State::Waits | State::Runs));
        for task in &mut self.tasks {
            task.stop();
        }
        if stopped {
            screen.note(&ending::why(&verdict, &self.tasks))?;
        }
        let until = Instant::now() + Duration::from_secs(self.job.grace.0) + MORE;
        self.stopping = Some(Stopping { verdict, until });
        Ok(())
    }
}

/// `TFJOB_PEERS`: a port for each task, all free at this moment.
fn peers(job: &Job) -> Result<Peers, Failure> {
    let mut held = Vec::new();
    let mut peers = Peers::new();
    for role in &job.roles {
        let mut list = Vec::new();
        for _ in 0..role.count.0 {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
                .map_err(|e| Failure::new(format!("no free port for a task of `{}`: {e}", role.name.0)))?;
            list.push(listener.local_addr()?.to_string());
            held.push(listener);
        }
        peers.insert(role.name.0.clone(), list);
    }
    Ok(peers)
}

/// The words of a task's shim, where this process is one: `tfjob shim …`.
#[must_use]
pub fn as_shim() -> Option<impl Iterator<Item = OsString>> {
    let mut words = std::env::args_os().skip(1);
    (words.next()? == *"shim").then_some(words)
}
