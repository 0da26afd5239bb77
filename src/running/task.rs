//! One task of a run: its shim process and its state.
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
use tfjob_shim::{signal_number, spawn_without_keyboard_signals};
use tfjob_targets::local::Job;

/// How long the output is read after the task has exited, if another process continues to write.
const LONGEST: Duration = Duration::from_secs(60);
/// Signal that stops a task: `tfjob_shim::STOP`. It never merges with a SIGTERM from another sender.
const STOP: Signal = Signal::STKFLT;
const _: () = assert!(STOP.as_raw() == tfjob_shim::STOP);
/// Exit code of the shim if a resource of the machine is missing.
const MACHINE: u8 = 71;
/// How long to wait for the last events after the exit of a shim.
const MOMENT: Duration = Duration::from_secs(1);

/// The beginning of the reason of a `stop` event that a signal causes.
const RECEIVED: &str = "stopping the program: received ";

/// The state of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Not started yet: the task waits until other roles have reached a state (`after`).
    Waits,
    /// The shim of the task is running.
    Runs,
    /// The shim of the task has exited with this code; 128 + N if signal N killed it.
    Ended(u8),
    /// Never started: a task that it waited for failed or was not started, or the job was stopped first.
    Never,
}

/// One task of a run: its shim process, and the state that the events of the shim report.
pub struct Task {
    /// Name of the task, such as `worker:0`.
    pub name: String,
    /// Name of the role.
    pub role: String,
    /// Position of the role in the job.
    pub role_id: usize,
    /// Index within the role.
    pub index: u32,
    /// GPUs of the task.
    gpus: Vec<String>,
    /// State of the task.
    pub state: State,
    /// Number of starts of the program.
    pub attempt: u32,
    /// PID of the program.
    pub process: Option<u32>,
    /// Step of the newest checkpoint, if known.
    pub step: Option<u64>,
    /// Whether the task is ready.
    pub ready: bool,
    /// When to report again which roles the task waits for, and the interval between two reports.
    pub told: Option<(Instant, Duration)>,
    /// Whether the program was ready before it exited.
    pub was_ready: bool,
    /// Time since which the task waits only for the start of other roles.
    pub waits: Instant,
    /// Whether the program has succeeded, but the shim keeps the task running (event `holding`).
    stays: bool,
    /// Whether the program has reported completion.
    done: bool,
    /// Whether the shim has sent an event. From then on, the shim forwards signals.
    hears: bool,
    /// Signals for the program that arrived before the first event of the shim.
    early: Vec<Signal>,
    /// Number of the signal by which a sender other than this run has stopped the task.
    asked: Option<u8>,
    /// Whether the program waits for a restart.
    pub pauses: bool,
    /// Whether this run has stopped the task.
    pub stopped: bool,
    /// Whether the shim has closed the event pipe, so that all events have arrived.
    pub gone: bool,
    /// Whether the output of the task was read to the end.
    pub drained: bool,
    /// Whether this run has killed the task.
    killed: bool,
    /// Exit status of the shim, and the time of its exit.
    ended: Option<(ExitStatus, Instant)>,
    child: Option<Child>,
}

impl Task {
    /// Returns a task that is not started.
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

    /// Returns the base name of the files of the task: `worker-0`. Messages contain the name of the task instead: `worker:0`.
    pub fn file(&self) -> String {
        format!("{}-{}", self.role, self.index)
    }

    /// Starts the shim of the task, and the thread that reads its output.
    ///
    /// # Errors
    /// Returns the errors of the operating system.
    pub fn start(
        &mut self,
        number: usize,
        context: &RunContext,
        peers: &str,
        queue: &Arc<Queue>,
        tell: &Sender<Message>,
    ) -> Result<(), Failure> {
        let fault = |e: std::io::Error| Failure::new(format!("cannot start the task: {e}"));
        machine::restore(context, &self.file())?;
        let (output, written) = pipe().map_err(fault)?;
        let (events, told) = pipe().map_err(fault)?;
        // The number of large pipes per user is limited. A small pipe also works, but is slower.
        let _ = fcntl_setpipe_size(&written, 4 * CHUNK);
        let mut command = self.command(context, peers, &told);
        // If this process is killed, the shim still holds the lock of the run directory and the read end of the output pipe. So the
        // program can still print while it saves a checkpoint.
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
        // Only this thread starts processes, so only this shim inherits `told`.
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
            // Signals of the terminal reach only this process, which forwards them to the shims.
            .process_group(0);
        if !self.gpus.is_empty() {
            command.env(VISIBLE, self.gpus.join(","));
        }
        command
    }

    /// Handles an event of the shim. Returns the line for the user, if there is one.
    pub fn note(&mut self, event: &Event) -> Option<String> {
        self.attempt = event.attempt.unwrap_or(self.attempt);
        self.step = event.step.or(self.step);
        let reason = &event.reason;
        self.hears = true;
        for signal in std::mem::take(&mut self.early) {
            self.signal(signal);
        }
        self.stays |= event.event == "holding";
        self.done |= event.event == "done";
        if event.event == "stop" && !self.stopped {
            let signal = reason.strip_prefix(RECEIVED).and_then(signal_number);
            self.asked = self.asked.or_else(|| u8::try_from(signal?).ok());
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
            // This run requested the stop itself, so the user gets no line about it.
            "stop" if self.stopped && reason.starts_with(RECEIVED) => None,
            "restart" => {
                self.pauses = true;
                Some(reason.clone())
            }
            // The later `exit` event repeats this reason, so only the `exit` event is reported.
            "refused" | "peers-missing" => None,
            "exit" if self.stopped => Some("stopped".to_owned()),
            "exit" => Some(reason.strip_prefix(&format!("{}: ", self.name)).unwrap_or(reason).to_owned()),
            _ => Some(reason.clone()),
        }
    }

    /// Checks whether the shim has exited and all its events have arrived. Returns the signal that killed the shim, if one did.
    pub fn check_exit(&mut self) -> Option<i32> {
        let child = self.child.as_mut()?;
        if self.ended.is_none() {
            self.ended = child.try_wait().ok().flatten().map(|status| (status, Instant::now()));
        }
        let (status, _) = self.ended.filter(|(_, at)| self.gone || at.elapsed() >= MOMENT)?;
        let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1);
        let code = match (u8::try_from(code).unwrap_or(1), self.asked) {
            // A sender other than this run stopped the program before it reported completion, so exit code 0 is no success.
            (0, Some(signal)) if !self.stopped && !self.done => signal.saturating_add(128),
            (code, _) => code,
        };
        (self.state, self.child, self.process) = (State::Ended(code), None, None);
        status.signal()
    }

    /// Returns whether `process` is the shim of this task, running or not reaped yet.
    pub fn is_shim(&self, process: Pid) -> bool {
        self.ended.is_none() && self.child.as_ref().is_some_and(|child| Pid::from_child(child) == process)
    }

    /// Returns whether the task is finished and its output was read.
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

    /// Returns when the task exited, or failed to start.
    pub fn ended_at(&self) -> Option<Instant> {
        self.ended.map(|(_, at)| at)
    }

    /// Returns whether the task has succeeded, or may succeed soon: its program has exited, and leftover processes are being
    /// stopped. `soon`: whether a running program counts too.
    pub fn may_succeed(&self, soon: bool) -> bool {
        let process = self.process.map(|process| Path::new("/proc").join(process.to_string()));
        let runs = self.attempt == 0 || process.is_some_and(|process| process.exists());
        match self.state {
            State::Ended(code) => code == 0,
            State::Waits | State::Never => false,
            State::Runs => self.done || (!self.pauses && !self.stays && (soon || !runs)),
        }
    }

    /// Marks the task as failed to start.
    pub fn fail(&mut self) {
        self.kill();
        if let Some(mut child) = self.child.take() {
            // Reaps the process. It was killed, so it ends soon. Its exit status is not needed.
            let _ = child.wait();
        }
        self.ended = Some((ExitStatus::from_raw(i32::from(MACHINE) << 8), Instant::now()));
        (self.state, self.drained) = (State::Ended(MACHINE), true);
    }

    /// Stops the task.
    pub fn stop(&mut self) {
        match self.state {
            State::Waits => self.state = State::Never,
            State::Runs => {
                self.stopped = true;
                self.signal(STOP);
                // A shim that is suspended (SIGSTOP) handles no signals, so SIGCONT resumes it.
                self.signal(Signal::CONT);
            }
            State::Ended(_) | State::Never => {}
        }
    }

    /// Kills the task.
    pub fn kill(&mut self) {
        self.killed = true;
        self.signal(Signal::KILL);
    }

    /// Sends a signal to the program, once the shim forwards signals.
    pub fn pass(&mut self, signal: Signal) {
        match self.state {
            State::Runs if !self.hears => self.early.push(signal),
            State::Runs => self.signal(signal),
            State::Waits | State::Ended(_) | State::Never => {}
        }
    }

    /// Sends a signal to the shim.
    pub fn signal(&self, signal: Signal) {
        if let Some(child) = self.child.as_ref().filter(|_| self.ended.is_none()) {
            // The process may have exited, so an error is ignored.
            let _ = kill_process(Pid::from_child(child), signal);
        }
    }
}
