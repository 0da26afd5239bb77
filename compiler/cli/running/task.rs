//! One task of a run: its process, its log and how far it is.
use super::voice::{self, Event, Heard, listen};
use super::{Ground, Screen};
use crate::outcome::Failure;
use rustix::process::{Pid, Signal, kill_process};
use std::fs::File;
use std::io::Write;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::Sender;
use std::time::Instant;
use tfjob_targets::local::Job;

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
    /// The first of its GPUs, and how many.
    gpus: (u32, u32),
    /// How far it is.
    pub state: State,
    /// How often its program has been started.
    pub attempt: u32,
    /// Its program's process.
    pub process: Option<u32>,
    /// The step of its newest checkpoint, where one is seen.
    pub step: Option<u64>,
    /// Whether it was seen to be ready.
    pub ready: bool,
    /// What its shim said last.
    pub last: Option<String>,
    /// Whether its program has ended and is started again.
    pub pauses: bool,
    /// Whether it was asked to end.
    pub stopped: bool,
    /// How many of its two streams have ended.
    pub closed: u8,
    ended: Option<Instant>,
    child: Option<Child>,
    log: Option<File>,
}

impl Task {
    /// A task that is not started. Its GPUs are counted from `first_gpu`.
    pub fn new(job: &Job, role_id: usize, index: u32, first_gpu: u32) -> Self {
        let role = &job.roles[role_id];
        Self {
            name: format!("{}:{index}", role.name.0),
            role: role.name.0.clone(),
            role_id,
            index,
            gpus: (first_gpu, role.gpus.0),
            state: State::Waits,
            attempt: 0,
            process: None,
            step: None,
            ready: false,
            last: None,
            pauses: false,
            stopped: false,
            closed: 0,
            ended: None,
            child: None,
            log: None,
        }
    }

    /// Starts its shim.
    ///
    /// # Errors
    /// Where the disk or the machine says no.
    pub fn start(
        &mut self,
        number: usize,
        ground: &Ground,
        peers: &str,
        tell: &Sender<Heard>,
    ) -> Result<(), Failure> {
        let file = format!("{}-{}", self.role, self.index);
        let log = ground.folder.join("logs").join(format!("{file}.log"));
        self.log = Some(File::create(&log).map_err(|e| Failure::at("cannot write", &log, &e))?);
        let scratch = ground.folder.join("scratch").join(&file);
        std::fs::create_dir_all(&scratch).map_err(|e| Failure::at("cannot make", &scratch, &e))?;
        let gpus: Vec<String> = (self.gpus.0..self.gpus.0 + self.gpus.1).map(|gpu| gpu.to_string()).collect();
        let status = ground.folder.join("status");
        std::fs::create_dir_all(&status).map_err(|e| Failure::at("cannot make", &status, &e))?;
        let mut command = Command::new(&ground.program);
        command
            .args(["shim", "--contract"])
            .arg(ground.folder.join("contract.json"))
            .args(["--parent", &std::process::id().to_string()])
            .env("TFJOB_TASK_ROLE", &self.role)
            .env("TFJOB_TASK_INDEX", self.index.to_string())
            .env("TFJOB_PEERS", peers)
            .env("TFJOB_HERE", &ground.here)
            .env("TFJOB_RUN", &ground.folder)
            .env("TFJOB_SCRATCH", &scratch)
            .env("TFJOB_STATUS", status.join(format!("{file}.json")))
            .current_dir(&ground.here)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // The terminal's own signals reach this process alone, which passes them on.
            .process_group(0);
        if self.gpus.1 > 0 {
            command.env("CUDA_VISIBLE_DEVICES", gpus.join(","));
        }
        let mut child = command.spawn().map_err(|e| Failure::at("cannot start", &ground.program, &e))?;
        if let (Some(out), Some(err)) = (child.stdout.take(), child.stderr.take()) {
            listen(number, out, tell.clone());
            listen(number, err, tell.clone());
        }
        self.child = Some(child);
        self.state = State::Runs;
        Ok(())
    }

    /// Takes an event of its shim.
    ///
    /// # Errors
    /// Where the screen cannot be written to.
    pub fn note(&mut self, event: &Event, screen: &mut Screen<'_>) -> Result<(), Failure> {
        self.attempt = event.attempt;
        self.step = event.step.or(self.step);
        match event.event.as_str() {
            "started" => self.process = event.reason.rsplit(' ').next().and_then(|pid| pid.parse().ok()),
            "ended" => (self.process, self.pauses) = (None, false),
            // What this program asked for itself is no news.
            "stop" if self.stopped && event.reason.starts_with("signal") => {}
            "restart" => {
                self.pauses = true;
                screen.line(self, &event.reason)?;
            }
            // The last line says it.
            "refused" | "gave-up" => {}
            what => screen.line(self, &format!("{what}: {}", event.reason))?,
        }
        Ok(())
    }

    /// Takes a line of its program, or the last one of its shim.
    ///
    /// # Errors
    /// Where the screen cannot be written to.
    pub fn say(&mut self, line: &str, screen: &mut Screen<'_>) -> Result<(), Failure> {
        let Some(last) = voice::last(line, &self.role, self.index).map(str::to_owned) else {
            return screen.line(self, &voice::shown(line));
        };
        // Who has asked for it knows that it came from outside.
        let asked = self.stopped && last.starts_with("was stopped by signal");
        screen.line(self, if asked { "stopped" } else { &last })?;
        self.last = Some(last);
        Ok(())
    }

    /// Writes a line to its log.
    ///
    /// # Errors
    /// Where the disk says no.
    pub fn log(&mut self, line: &str) -> Result<(), Failure> {
        let Some(log) = &mut self.log else { return Ok(()) };
        writeln!(log, "{line}")
            .map_err(|e| Failure::new(format!("the log of {} cannot be written: {e}", self.name)))
    }

    /// Looks whether its shim has ended, and says by which signal where it was killed.
    ///
    /// # Errors
    /// Where the system does not say.
    pub fn look(&mut self) -> Result<Option<i32>, Failure> {
        let Some(child) = &mut self.child else { return Ok(None) };
        let Some(status) = child.try_wait()? else { return Ok(None) };
        let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1);
        (self.state, self.child) = (State::Ended(u8::try_from(code).unwrap_or(1)), None);
        (self.process, self.ended) = (None, Some(Instant::now()));
        Ok(status.signal())
    }

    /// Whether this process is its shim, which lives or is not reaped yet.
    pub fn is_shim(&self, process: Pid) -> bool {
        self.child.as_ref().is_some_and(|child| Pid::from_child(child) == process)
    }

    /// Whether nothing more comes of it.
    pub fn is_over(&self) -> bool {
        match self.state {
            State::Waits | State::Runs => false,
            State::Never => true,
            // What it left behind may hold its streams open.
            State::Ended(_) => self.closed == 2 || self.ended.is_some_and(|at| at.elapsed().as_secs() >= 1),
        }
    }

    /// Asks it to end.
    pub fn stop(&mut self) {
        match self.state {
            State::Waits => self.state = State::Never,
            State::Runs => {
                self.stopped = true;
                self.signal(Signal::TERM);
            }
            State::Ended(_) | State::Never => {}
        }
    }

    /// Ends it.
    pub fn kill(&self) {
        self.signal(Signal::KILL);
    }

    fn signal(&self, signal: Signal) {
        if let Some(child) = &self.child {
            // What is gone needs no signal.
            let _ = kill_process(Pid::from_child(child), signal);
        }
    }
}
