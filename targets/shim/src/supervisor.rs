//! The lifecycle of one task: wait for peers, runs of the program, restart delays, and the steps after success.
mod completion;
mod completion_watch;
mod messages;
mod peer_wait;
mod program_run;
mod startup;

use crate::budget::{self, Past, Run, Verdict};
use crate::checkpoints::{Incomplete, Survey};
use crate::event::{self, Events, Progress};
use crate::event_loop::EventLoop;
use crate::exit::{self, Exit};
use crate::exit_watch::ExitWatch;
use crate::humanize;
use crate::probe::{Target, WAITS};
use crate::program::Program;
use crate::state::Store;
use crate::status_listener::StatusListener;
use crate::sys::{self, Pid, Status};
use completion_watch::CompletionWatch;
use peer_wait::PeerWait;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tfjob_contract::{Contract, Duties, KEPT, Notice, Restart, RoleDuties, SUBMISSION, TaskId};

/// Interval for reading unread program output, and for retrying unread events.
const DRAINED: Duration = Duration::from_millis(100);
/// Interval for retrying failed writes, such as on a full disk.
const RETRY: Duration = Duration::from_secs(5);

/// Why a program is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// Signal from outside.
    Signal(i32),
    /// `deadline` exceeded.
    Deadline,
    /// The tasks that decide job success have finished, and this task is long-running.
    JobDone,
    /// Peers were not ready in time.
    PeersMissing,
    /// The program reported completion, but did not exit in time.
    CompletionTimeout,
}

/// Supervises one task.
pub struct Supervisor {
    program: Program,
    duties: Duties,
    role: RoleDuties,
    name: String,
    events: Events,
    event_loop: EventLoop,
    store: Option<Store>,
    past: Past,
    attempt: u32,
    /// Step of the newest complete checkpoint.
    step: Option<u64>,
    /// Rendezvous port of this task.
    port: Option<u16>,
    /// Parent process (`tfjob run`); the task is stopped when the parent exits.
    parent: Option<Pid>,
    /// Whether there are child processes from before the shim started, such as those of an entrypoint.
    inherited: bool,
    /// Whether other shims probe whether this task has finished.
    watched: bool,
    /// Whether the shim answers on the rendezvous port before the first start of the program, and before restarts.
    notice: Notice,
    /// Whether this task is one of those that decide job success. When all of these have finished, long-running tasks stop.
    decides: bool,
    /// The tasks whose exit stops this task.
    watch: Option<ExitWatch>,
    /// The wait of the running program for peers that do not listen yet.
    peer_wait: Option<PeerWait>,
    /// Watches for completion that the program reports.
    completion: Option<CompletionWatch>,
    deadline: Option<Instant>,
    /// Marker file for later containers of the task ([`KEPT`]). It exists once the peers were ready.
    mark: Option<PathBuf>,
    /// Whether the last save of the restart state failed (`unkept`), and whether a failure was reported (`told`).
    unkept: bool,
    told: bool,
    /// When to retry failed writes.
    retry: Option<Instant>,
}

/// The end of one run of the program.
struct ProgramEnd {
    status: Status,
    lived: Duration,
    stop: Option<StopReason>,
    /// Whether the program exited before the shim began to stop it.
    before: bool,
    /// Whether the program failed, and the kernel OOM killer has killed a process of its cgroup meanwhile.
    starved: bool,
}

impl Supervisor {
    /// Prepares the supervision of a program. From now on this process handles signals, and the exit of `parent` counts as a stop
    /// signal.
    ///
    /// # Errors
    /// A variable with the addresses of other tasks is unset or invalid, or the parent has exited already.
    pub fn new(program: Program, parent: Option<u32>, inherited: bool) -> Result<Self, Exit> {
        let begun = Instant::now();
        let parent = parent.map(u32::cast_signed);
        let event_loop = EventLoop::new(!program.is_task(), parent, inherited);
        if parent.is_some_and(|parent| !sys::end_with(parent)) {
            return Err(Exit::Machine("not started: the parent process (`--parent`) has exited".to_owned()));
        }
        let mut supervisor = Self {
            duties: Duties::default(),
            role: RoleDuties::default(),
            name: program.name(),
            events: Events::of(program.is_task().then(|| program.name())),
            event_loop,
            store: None,
            past: Past::default(),
            attempt: 0,
            step: None,
            port: None,
            parent,
            inherited,
            watched: false,
            notice: Notice::Never,
            decides: false,
            watch: None,
            peer_wait: None,
            completion: None,
            deadline: None,
            mark: std::env::var_os(KEPT).map(|folder| Path::new(&folder).join("met")),
            unkept: false,
            told: false,
            retry: None,
            program,
        };
        supervisor.configure()?;
        let deadline = supervisor.duties.deadline;
        supervisor.deadline = deadline.and_then(|seconds| begun.checked_add(Duration::from_secs(seconds)));
        Ok(supervisor)
    }

    /// Reads the duties of a task from its contract.
    fn configure(&mut self) -> Result<(), Exit> {
        let Program::Task { contract, task, env } = &self.program else { return Ok(()) };
        self.duties = contract.duties.clone().unwrap_or_default();
        self.role = contract.role_of(task)?.duties.clone().unwrap_or_default();
        // Paths are made absolute, because the program may start in another directory, to which this process changes too.
        let folder = self.duties.checkpoints.iter_mut().map(|folder| &mut folder.path);
        folder.chain(&mut self.role.reads).for_each(make_absolute);
        self.port = contract
            .peer_addresses(std::slice::from_ref(task), env)
            .ok()
            .and_then(|found| found.first()?.port);
        let deciding = self.duties.ends_with.map(|ends| contract.deciding(ends)).unwrap_or_default();
        let outlived = |role: &RoleDuties| role.outlives.contains(&task.role);
        self.decides = deciding.contains(task);
        self.notice = contract.notice(contract.role_of(task)?);
        // Two kinds of tasks probe whether this one has exited: tasks that do not decide job success, and tasks that wait for it.
        let is_read = self.notice != Notice::Never || contract.tasks().count() > deciding.len();
        self.watched =
            self.decides && is_read || contract.roles.iter().filter_map(|r| r.duties.as_ref()).any(outlived);
        if !deciding.is_empty() && !self.decides {
            let returns = deciding.iter().map(|task| returns(contract, task));
            self.watch =
                Some(ExitWatch::deciding(targets(&self.program, &deciding)?.into_iter().zip(returns)));
        }
        if let (Some(folder), Some(_)) = (&self.duties.checkpoints, &self.role.restart) {
            let submission = std::env::var(SUBMISSION).ok();
            self.store = Some(Store::new(&folder.path, &contract.job, task, submission));
        }
        Ok(())
    }

    /// Runs the task to its end.
    pub fn run(mut self) -> Exit {
        let exit = match self.run_to_end() {
            Ok(exit) | Err(exit) => exit,
        };
        self.announce_failure(&exit);
        let (code, text) = exit.parts();
        self.events.end(code, text.unwrap_or_default(), self.progress());
        exit
    }

    fn run_to_end(&mut self) -> Result<Exit, Exit> {
        self.preflight()?;
        if let Some(store) = &self.store {
            let (past, said) = store.load();
            self.past = past;
            if let Some(said) = said {
                self.emit("state", &said);
            }
        }
        self.wait_for_peers()?;
        loop {
            self.start_peer_wait()?;
            let before = self.resume()?;
            let (starts, ended) = (self.attempt, self.run_program());
            let ended = match ended {
                Err(fault) if starts > 0 => {
                    self.retry_failed_start(fault)?;
                    continue;
                }
                ended => ended?,
            };
            let done = self.completion.as_ref().is_some_and(CompletionWatch::is_done);
            let code = if done { 0 } else { code(ended.status) };
            // Checkpoints are not scanned while the task is being stopped.
            let progress = ended.stop.is_none() && self.survey(None).mark().is_progress(&before);
            self.emit("ended", &format!("program {}", self.describe_end(&ended)));
            match ended.stop {
                // After a completion timeout, `restart` of the role decides whether the program is restarted, as after any exit.
                // Any other stop after a reported completion is a success.
                Some(StopReason::CompletionTimeout) | None => {}
                Some(_) if done => return self.after_success(&ended),
                Some(why) => return Ok(self.stopped(why, &ended)),
            }
            let Some(terms) = self.role.restart.clone() else {
                return if code == 0 { self.after_success(&ended) } else { Ok(self.failed(&ended, None)) };
            };
            let run = Run { code, lived: ended.lived, progress, now: now() };
            match budget::judge(&terms, &mut self.past, run, RandomState::new().build_hasher().finish()) {
                Verdict::End(_) if code == 0 => return self.after_success(&ended),
                Verdict::End(why) => return Ok(self.failed(&ended, Some(&why))),
                Verdict::Again(pause) => {
                    self.save_state();
                    self.emit(
                        "restart",
                        &format!("{}; {}", self.describe_end(&ended), self.describe_restart(&terms, pause)),
                    );
                    self.pause(pause)?;
                }
            }
        }
    }

    /// Checks whether a signal or the deadline ends the task while no program is running.
    fn check_end(&self) -> Result<(), Exit> {
        if let Some(signal) = self.event_loop.asked {
            let why = format!(
                "{}: stopped by {} while no program was running",
                self.name,
                humanize::signal(signal)
            );
            return Err(Exit::Ended { code: exit::signal_code(signal), text: Some(why) });
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(self.deadline_exceeded());
        }
        Ok(())
    }

    /// Handles pending signals, then checks whether the task ends.
    fn drain_signals(&mut self) -> Result<(), Exit> {
        while self.event_loop.asked.is_none() && self.event_loop.is_stop_requested() {
            self.listen(Some(Instant::now()));
        }
        self.check_end()
    }

    fn deadline_exceeded(&self) -> Exit {
        let seconds = self.duties.deadline.unwrap_or_default();
        Exit::Deadline(format!("{}: stopped because `deadline` ({seconds} s) was exceeded", self.name))
    }

    /// Waits before a restart. Meanwhile the shim reports on the rendezvous port that the task restarts, if clients of the program
    /// tolerate the answer.
    fn pause(&mut self, pause: Duration) -> Result<(), Exit> {
        if self.notice == Notice::WheneverDown && (self.watched || self.duties.wait.is_some()) {
            self.open_status_listener(WAITS);
        }
        self.sleep(pause)?;
        self.event_loop.status_listener = None;
        self.check_end()
    }

    /// Sleeps, unless a signal or the deadline ends the task.
    fn sleep(&mut self, time: Duration) -> Result<(), Exit> {
        let end = Instant::now() + time;
        while Instant::now() < end {
            self.check_end()?;
            self.listen([Some(end), self.deadline].into_iter().flatten().min());
        }
        Ok(())
    }

    /// Answers on the rendezvous port with the state of the task.
    fn open_status_listener(&mut self, line: &'static str) {
        let Some(port) = self.port else { return };
        match StatusListener::open(port, line) {
            Ok(listener) => self.event_loop.status_listener = Some(listener),
            Err(e) => self.emit(
                "port",
                &format!("cannot listen on port {port} (`rendezvous`) to report the state of this task to its peers: {e}; the task continues"),
            ),
        }
    }

    /// Saves the restart state for the next container. Reports the first failure.
    fn save_state(&mut self) {
        let Some(store) = &self.store else { return };
        let fault = store.save(&self.past).err();
        self.unkept = fault.is_some();
        if let Some(why) = fault.filter(|_| !self.told) {
            self.told = true;
            self.emit("state", &why);
        }
    }

    /// Waits for an event, at most until `until`, and retries failed writes.
    fn listen(&mut self, until: Option<Instant>) {
        let now = Instant::now();
        if self.retry.is_none_or(|retry| now >= retry) {
            if self.unkept {
                self.save_state();
            }
            let done = self.events.retry() && !self.unkept;
            self.retry = (!done).then(|| now + RETRY);
        }
        let unread = (!self.events.flush(self.progress())).then(|| now + DRAINED);
        // If `tfjob run` was killed, the shim reads the output of the program. Without a reader, a program that prints while it
        // saves would block.
        let drained = self.parent.is_some_and(|parent| sys::parent() != parent).then(|| {
            event::drain();
            now + DRAINED
        });
        self.event_loop.listen(until.into_iter().chain(self.retry).chain(unread).chain(drained).min());
    }

    /// Scans the checkpoint directory.
    fn survey(&mut self, settled: Option<&Incomplete>) -> Survey {
        let Some(folder) = &self.duties.checkpoints else { return Survey::default() };
        // A stop and the deadline must not wait for a slow disk.
        let over = || {
            self.event_loop.is_stop_requested()
                || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
        };
        let survey = Survey::of(Path::new(&folder.path), settled, &over);
        self.step = survey.step();
        survey
    }

    fn emit(&self, event: &str, reason: &str) {
        self.events.emit(event, reason, self.progress());
    }

    fn progress(&self) -> Progress {
        let left = |terms: &Restart| budget::left(terms, &self.past, now());
        let left = self.role.restart.as_ref().map_or(Some(0), left);
        Progress { attempt: self.attempt, left, step: self.step }
    }
}

/// Returns the rendezvous addresses of these tasks, to probe them.
fn targets(program: &Program, tasks: &[TaskId]) -> Result<Vec<Target>, Exit> {
    let Program::Task { contract, env, .. } = program else { return Ok(Vec::new()) };
    let places = contract.peer_addresses(tasks, env)?;
    Ok(places.into_iter().map(|p| Target { task: p.task, host: p.host, port: p.port, path: None }).collect())
}

fn make_absolute(path: &mut String) {
    let whole = std::path::absolute(&*path).ok().and_then(|path| path.into_os_string().into_string().ok());
    *path = whole.unwrap_or_else(|| path.clone());
}

/// Whether the platform replaces a container of a task that has failed or is lost.
fn returns(contract: &Contract, task: &TaskId) -> bool {
    contract.role_of(task).ok().and_then(|role| role.duties.as_ref()).is_some_and(|duties| duties.returns)
}

/// Returns the exit code of a program as shells do: 128 + the signal number if a signal killed it.
fn code(status: Status) -> u8 {
    match status {
        Status::Code(code) => code,
        Status::Signal(signal) => signal.saturating_add(128),
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
