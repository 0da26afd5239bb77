//! One task of a run: its process and how far it is.
use super::RunContext;
use super::folder::Owner;
use super::gpus::VISIBLE;
use super::leftover;
use super::limits;
use super::log::Log;
use super::machine;
use super::message::{Event, Message};
use super::pump::{CHUNK, Pump};
use super::queue::Queue;
use crate::outcome::Failure;
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pipe::fcntl_setpipe_size;
use rustix::process::{Pid, Signal, kill_process};
use std::io::{PipeWriter, pipe};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};
use tfjob_shim::spawn_without_keyboard_signals;
use tfjob_targets::local::Job;

/// How long after a task's end its output is read at the most, where another process goes on writing.
const LONGEST: Duration = Duration::from_secs(60);
/// Asks a shim to stop its task: `tfjob_shim::STOP`, which never merges with a TERM that somebody else sends to the shim.
const STOP: Signal = Signal::STKFLT;
const _: () = assert!(STOP.as_raw() == tfjob_shim::STOP);
/// The exit code where the machine lacks something, as the shim's.
const MACHINE: u8 = 71;
/// How long after its process is gone the last events of a shim may take.
const MOMENT: Duration = Duration::from_secs(1);

/// How far a task is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Others come first.
    Waits,
    /// Its shim runs.
    Runs,
    /// Its shim has ended with this code; 128 and more for a signal.
    Ended(u8),
    /// It was never started.
    Never,
}

/// One task.
pub struct Task {
    /// `worker:0`.
    pub name: String,
    /// Its role's name.
    pub role: String,
    /// Its role's number.
    pub role_id: usize,
    /// Its index there.
    pub index: u32,
    /// Its GPUs.
    gpus: Vec<String>,
    /// How far it is.
    pub state: State,
    /// How often its program has been started.
    pub attempt: u32,
    /// Its program's process.
    pub process: Option<u32>,
    /// The step of its newest checkpoint, where one is seen.
    pub step: Option<u64>,
    /// Whether it was seen to be ready, and its program has not ended since.
    pub ready: bool,
    /// When it is said again for whom it waits, and how long after the last time.
    pub told: Option<(Instant, Duration)>,
    /// Whether its program was ready before it ended.
    pub was_ready: bool,
    /// Since when it waits for nothing but starts.
    pub waits: Instant,
    /// Whether its work is done, and it stays for its peers.
    stays: bool,
    /// Whether its program has said that its work is done.
    done: bool,
    /// Whether its shim has said anything: from then on it passes signals on.
    hears: bool,
    /// Signals for its program that came before.
    early: Vec<Signal>,
    /// The signal by which somebody else has asked for its end.
    asked: Option<u8>,
    /// Whether its program has ended and is started again.
    pub pauses: bool,
    /// Whether it was asked to end.
    pub stopped: bool,
    /// Whether its shim has closed its events: all of them are here.
    pub gone: bool,
    /// Whether nothing more is read of its output.
    pub drained: bool,
    /// Whether it was killed on request.
    killed: bool,
    /// How its shim ended, and when.
    ended: Option<(ExitStatus, Instant)>,
    child: Option<Child>,
}

impl Task {
    /// A task that is not started.
    pub fn new(job: &Job, role_id: usize, index: u32, gpus: Vec<String>) -> Self {
        let role = &job.roles[role_id];
        Self {
            name: format!("{}:{index}", role.name.0),
            role: role.name.0.clone(),
            role_id,
            index,
            gpus,
            state: State::Waits,
            attempt: 0,
            process: None,
            step: None,
            ready: false,
            told: None,
            was_ready: false,
            waits: Instant::now(),
            stays: false,
            done: false,
            hears: false,
            early: Vec::new(),
            asked: None,
            pauses: false,
            stopped: false,
            gone: false,
            drained: false,
            killed: false,
            ended: None,
            child: None,
        }
    }

    /// `worker-0`, as files are called.
    pub fn file(&self) -> String {
        format!("{}-{}", self.role, self.index)
    }

    /// Starts its shim, and what reads of it.
    ///
    /// # Errors
    /// Where the machine says no.
    pub fn start(
        &mut self,
        number: usize,
        context: &RunContext,
        peers: &str,
        queue: &Arc<Queue>,
        tell: &Sender<Message>,
    ) -> Result<(), Failure> {
        let fault = |e: std::io::Error| Failure::new(format!("cannot start the task: {e}"));
        machine::again(context, &self.file())?;
        let (output, written) = pipe().map_err(fault)?;
        let (events, told) = pipe().map_err(fault)?;
        // A user may have only so many large pipes: a small one is slower, and holds less of what is not read yet.
        let _ = fcntl_setpipe_size(&written, 4 * CHUNK);
        let mut command = self.command(context, peers, &told);
        // If this process is killed, the shim still holds the folder, and its program can print while it saves.
        let mut held: Vec<OwnedFd> = vec![output.try_clone().map_err(fault)?.into()];
        for lock in &context.locks {
            held.push(lock.try_clone().map_err(fault)?.into());
        }
        for one in &held {
            fcntl_setfd(one, FdFlags::empty()).map_err(|e| fault(e.into()))?;
        }
        let numbers: Vec<String> = held.iter().map(|one| one.as_raw_fd().to_string()).collect();
        command.env("TFJOB_HOLD_FDS", numbers.join(","));
        command.stdout(written.try_clone().map_err(fault)?).stderr(written);
        // Only this thread starts processes, and this one is to inherit it.
        fcntl_setfd(&told, FdFlags::empty()).map_err(|e| fault(e.into()))?;
        let child = spawn_without_keyboard_signals(&mut command).map_err(fault)?;
        drop((command, told, held));
        self.child = Some(child);
        self.state = State::Runs;
        let log = |folder: &str, ending: &str| {
            let path = context.folder.join(folder).join(format!("{}.{ending}", self.file()));
            Log::new(path, Owner::of(context))
        };
        let (log, journal) = (log("logs", "log"), log("events", "jsonl"));
        let (queue, tell) = (Arc::clone(queue), tell.clone());
        Pump { task: number, output, events, log, journal, queue, tell }.start().map_err(fault)
    }

    fn command(&self, context: &RunContext, peers: &str, events: &PipeWriter) -> Command {
        let mut command = Command::new(&context.program);
        command
            .arg0("tfjob")
            .arg("shim")
            .args(context.files.map(|files| format!("{}{files}", limits::OPTION)))
            .arg("--contract")
            .arg(context.folder.join("contract.json"))
            .args(["--parent", &std::process::id().to_string()])
            .env("TFJOB_TASK_ROLE", &self.role)
            .env("TFJOB_TASK_INDEX", self.index.to_string())
            .env("TFJOB_PEERS", peers)
            .env("TFJOB_HERE", &context.here)
            .env(leftover::RUN, &context.folder)
            .envs(context.checkpoints.iter().map(|folder| (leftover::CHECKPOINTS, folder)))
            .env("TFJOB_SCRATCH", context.scratch.join(self.file()))
            .env("TFJOB_STATUS", context.folder.join("status").join(self.file() + ".json"))
            .env("TFJOB_EVENTS_FD", events.as_raw_fd().to_string())
            .current_dir(&context.here)
            .stdin(Stdio::null())
            // The terminal's own signals reach this process alone, which passes them on.
            .process_group(0);
        if !self.gpus.is_empty() {
            command.env(VISIBLE, self.gpus.join(","));
        }
        command
    }

    /// Takes an event of its shim. Returns what a person is told of it.
    pub fn note(&mut self, event: &Event) -> Option<String> {
        self.attempt = event.attempt.unwrap_or(self.attempt);
        self.step = event.step.or(self.step);
        let reason = &event.reason;
        self.hears = true;
        for signal in std::mem::take(&mut self.early) {
            self.signal(signal);
        }
        self.stays |= event.event == "staying";
        self.done |= event.event == "done";
        if event.event == "stop" && !self.stopped {
            let signal = reason.strip_prefix("signal ").and_then(|rest| rest.split(' ').next());
            self.asked = self.asked.or_else(|| signal?.parse().ok());
        }
        match event.event.as_str() {
            "started" => {
                self.process = reason.rsplit(' ').next().and_then(|pid| pid.parse().ok());
                None
            }
            "ended" => {
                (self.process, self.pauses) = (None, false);
                None
            }
            // What this program asked for itself is no news.
            "stop" if self.stopped && reason.starts_with("signal") => None,
            "restart" => {
                self.pauses = true;
                Some(reason.clone())
            }
            // The reason of the exit says it.
            "refused" | "gave-up" => None,
            "exit" if self.stopped => Some("stopped".to_owned()),
            "exit" => Some(reason.strip_prefix(&format!("{} ", self.file())).unwrap_or(reason).to_owned()),
            what => Some(format!("{what}: {reason}")),
        }
    }

    /// Looks whether its shim has ended and all its events are here. Returns the signal that killed it, if one did.
    pub fn look(&mut self) -> Option<i32> {
        let child = self.child.as_mut()?;
        if self.ended.is_none() {
            self.ended = child.try_wait().ok().flatten().map(|status| (status, Instant::now()));
        }
        let (status, _) = self.ended.filter(|(_, at)| self.gone || at.elapsed() >= MOMENT)?;
        let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1);
        let code = match (u8::try_from(code).unwrap_or(1), self.asked) {
            // It was stopped before its work was done.
            (0, Some(signal)) if !self.stopped && !self.done => signal.saturating_add(128),
            (code, _) => code,
        };
        (self.state, self.child, self.process) = (State::Ended(code), None, None);
        status.signal()
    }

    /// Whether this process is its shim, which lives or is not reaped yet.
    pub fn is_shim(&self, process: Pid) -> bool {
        self.ended.is_none() && self.child.as_ref().is_some_and(|child| Pid::from_child(child) == process)
    }

    /// Whether nothing more comes of it.
    pub fn is_over(&self) -> bool {
        match self.state {
            State::Waits | State::Runs => false,
            State::Never => true,
            State::Ended(_) => {
                let longest = if self.killed { MOMENT } else { LONGEST };
                self.drained || self.ended.is_none_or(|(_, at)| at.elapsed() >= longest)
            }
        }
    }

    /// When it has ended, or could not be started.
    pub fn ended_at(&self) -> Option<Instant> {
        self.ended.map(|(_, at)| at)
    }

    /// Whether its success may be near: it has ended well, or its program has ended and what that left is being stopped.
    /// `soon`: also where the program runs.
    pub fn may_end_well(&self, soon: bool) -> bool {
        let process = self.process.map(|process| Path::new("/proc").join(process.to_string()));
        let runs = self.attempt == 0 || process.is_some_and(|process| process.exists());
        match self.state {
            State::Ended(code) => code == 0,
            State::Waits | State::Never => false,
            State::Runs => self.done || (!self.pauses && !self.stays && (soon || !runs)),
        }
    }

    /// Marks it as failed to start.
    pub fn fail(&mut self) {
        self.kill();
        if let Some(mut child) = self.child.take() {
            // A process that was killed ends.
            let _ = child.wait();
        }
        self.ended = Some((ExitStatus::from_raw(i32::from(MACHINE) << 8), Instant::now()));
        (self.state, self.drained) = (State::Ended(MACHINE), true);
    }

    /// Asks it to end.
    pub fn stop(&mut self) {
        match self.state {
            State::Waits => self.state = State::Never,
            State::Runs => {
                self.stopped = true;
                self.signal(STOP);
                // A shim that somebody has stopped handles nothing.
                self.signal(Signal::CONT);
            }
            State::Ended(_) | State::Never => {}
        }
    }

    /// Ends it.
    pub fn kill(&mut self) {
        self.killed = true;
        self.signal(Signal::KILL);
    }

    /// Sends its program a signal, once there is somebody who passes it on.
    pub fn pass(&mut self, signal: Signal) {
        match self.state {
            State::Runs if !self.hears => self.early.push(signal),
            State::Runs => self.signal(signal),
            State::Waits | State::Ended(_) | State::Never => {}
        }
    }

    /// Sends its shim a signal.
    pub fn signal(&self, signal: Signal) {
        if let Some(child) = self.child.as_ref().filter(|_| self.ended.is_none()) {
            // What is gone needs no signal.
            let _ = kill_process(Pid::from_child(child), signal);
        }
    }
}
