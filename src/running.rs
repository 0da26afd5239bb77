//! Local runs: one supervised process per task, started in order, and stopped when the job is done.
//!
//! ```text
//! program --pipe--> pump thread --> log, byte for byte
//!                               \-> queue (bounded) --> screen thread --> standard output
//! shim --events---> pump thread \
//! signal thread -----------------> messages --> control thread --> starts and stops shims
//! ```
//!
//! Only the screen thread waits for a terminal. Lines that it cannot show in time are dropped from the screen and counted.
mod chosen;
mod ending;
mod folder;
mod gpus;
mod leftover;
mod limits;
mod log;
mod machine;
mod message;
mod mounts;
mod orphans;
mod output;
mod peers;
mod ports;
mod previous;
mod programs;
mod pump;
mod queue;
mod ready;
mod row;
mod scratch;
mod screen;
mod shared;
mod signals;
mod starting;
mod status;
mod status_lines;
mod task;

pub use chosen::{Chosen, choose};
pub use ending::Ending;
pub use limits::with_stack;
pub use machine::prepare;
pub use output::Output;
pub use scratch::directory as scratch_directory;
pub use screen::Style;
pub use signals::{ignored as is_ignored, survive_sizes};

use crate::outcome::Failure;
use ending::Verdict;
use message::Message;
use orphans::Orphans;
use peers::Held;
use queue::{Line, Queue};
use ready::Watch;
use screen::Screen;
use signal_hook::consts::SIGHUP;
use signals::Cause;
use status_lines::StatusLines;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};
use task::{State, Task};
use tfjob_contract::Contract;
use tfjob_shim::{begin_with_signals, signal_name, unblock_keyboard_signals};
use tfjob_targets::local::Job;

/// Name of the directory next to a spec that contains the run directories.
pub const RUNS: &str = ".tfjob";
/// Interval of checks of the tasks while there is no message.
const ROUND: Duration = Duration::from_millis(100);
/// How long a job may still succeed after a task has failed: the task may have failed only because its peers were exiting.
const AT_THE_END: Duration = Duration::from_secs(2);
/// Additional time for a shim to exit after the grace of the job. A shim that is still running then is killed.
const MORE: Duration = Duration::from_secs(10);

/// Settings of a run.
#[derive(Debug)]
pub struct RunContext {
    /// Run directory: job contract, logs, and scratch directories.
    pub folder: PathBuf,
    /// Parent directory of the scratch directories.
    pub scratch: PathBuf,
    /// Directory of the spec, where tasks start.
    pub here: PathBuf,
    /// Path of this program, which contains the shim.
    pub program: PathBuf,
    /// Whether other tasks continue after a failure.
    pub keep_going: bool,
    /// Selected tasks. They do not wait for tasks that are not selected.
    pub chosen: Chosen,
    /// Locks of the run and checkpoint directories. Shims inherit the locks, because a shim may outlive this process.
    pub locks: Vec<File>,
    /// Checkpoint directory, if this run writes checkpoints.
    pub checkpoints: Option<PathBuf>,
    /// Text of the job contract, the compiled job that the shims read.
    pub contract: String,
    /// Keys of `--set` for the GPUs of each role, in the order of the roles.
    pub gpu_keys: Vec<String>,
    /// Original limit on open files, which programs get, if this process has raised its own limit.
    pub files: Option<u64>,
}

/// An active run.
pub struct Run<'a> {
    job: &'a Job,
    contract: &'a Contract,
    context: &'a RunContext,
    tasks: Vec<Task>,
    queue: Arc<Queue>,
    tell: Sender<Message>,
    hear: Receiver<Message>,
    peers: Held,
    /// The peer addresses as JSON, which each task gets.
    peers_json: String,
    orphans: Orphans,
    /// Readiness probes.
    watch: Watch,
    /// Whether the run continues after the terminal is closed, as under `nohup`.
    detached: bool,
    /// Status lines, on a terminal that supports them.
    status_lines: Option<StatusLines>,
    stopping: Option<Stopping>,
    /// Whether a key press has requested a stop, such as Ctrl-C.
    pressed: bool,
    /// Tasks with incomplete logs, and what is missing.
    lost: Vec<(usize, String)>,
}

/// A stop of all tasks, and the time at which they are killed.
struct Stopping {
    verdict: Verdict,
    until: Instant,
}

impl<'a> Run<'a> {
    /// Prepares a run. From now on, signals stop the job, and lines are written to `output`.
    ///
    /// # Errors
    /// Returns an error if no port is free, a thread cannot be created, or signals cannot be handled.
    pub fn new(
        job: &'a Job,
        contract: &'a Contract,
        context: &'a RunContext,
        output: Output,
        style: Style,
    ) -> Result<Self, Failure> {
        let (tell, hear) = channel();
        begin_with_signals();
        let detached = signals::ignored(SIGHUP);
        signals::listen(!detached, tell.clone())?;
        let mut gpus = gpus::usable().names.into_iter();
        let tasks = context.chosen.iter().map(|(role, index)| {
            let own = gpus.by_ref().take(job.roles[*role].gpus.0 as usize).collect();
            Task::new(job, *role, *index, own)
        });
        let tasks: Vec<Task> = tasks.collect();
        let peers = peers::free(job, contract, &context.chosen)?;
        let peers_json = serde_json::to_string(&peers.peers).map_err(io::Error::from)?;
        let orphans = Orphans::adopt();
        let names: Vec<String> = tasks.iter().map(|task| task.name.clone()).collect();
        let queue = Arc::new(Queue::new(tasks.len()));
        let screen = Screen::new(output, style, &names);
        let (shown, done) = (Arc::clone(&queue), tell.clone());
        let show = move || screen.show(&shown, &done);
        thread::Builder::new()
            .name("screen".to_owned())
            .spawn(show)
            .map_err(|e| Failure::new(format!("cannot start a thread: {e}")))?;
        let watch =
            Watch::new(tell.clone()).map_err(|e| Failure::new(format!("cannot start a thread: {e}")))?;
        let status_lines = style.is_interactive().then(StatusLines::new);
        Ok(Self {
            job,
            contract,
            context,
            tasks,
            queue,
            tell,
            hear,
            peers,
            peers_json,
            orphans,
            watch,
            detached,
            status_lines,
            stopping: None,
            pressed: false,
            lost: Vec::new(),
        })
    }

    /// Runs the job to its end. Disk and terminal errors do not stop the job.
    pub fn run_to_end(mut self) -> Ending {
        let begun = Instant::now();
        while !self.is_over() {
            self.start_due(begun);
            self.report_waiting();
            // The run holds a sender too, so the channel stays connected, and the only possible error is the timeout.
            if let Ok(message) = self.hear.recv_timeout(ROUND) {
                self.handle(message);
            }
            while let Ok(message) = self.hear.try_recv() {
                self.handle(message);
            }
            self.check_shims();
            self.decide(begun);
            if let Some(lines) = self.status_lines.as_mut().and_then(|lines| lines.due(&self.tasks)) {
                self.queue.status(lines);
            }
        }
        self.finish(begun.elapsed())
    }

    fn is_over(&self) -> bool {
        self.tasks.iter().all(Task::is_over) && !self.orphans.are_left()
    }

    /// Prints the result. Returns when the result is printed, or on another signal.
    fn finish(mut self, took: Duration) -> Ending {
        let verdict = self.stopping.take().map_or_else(
            || {
                let judged = ending::judge(self.job, self.contract, &self.tasks, false);
                judged.unwrap_or(Verdict::Stopped(Cause::Terminate))
            },
            |stopping| stopping.verdict,
        );
        let ending = Ending::new(&self.tasks, verdict, took);
        let logs = self.context.folder.join("logs");
        let here = std::env::current_dir().ok();
        let logs = here.and_then(|here| logs.strip_prefix(here).ok()).unwrap_or(&logs).display();
        let incomplete = self.lost.iter();
        let incomplete = incomplete
            .map(|(task, what)| format!("incomplete log: {logs}/{}.log: {what}", self.tasks[*task].file()));
        self.queue.close(incomplete.chain([format!("{ending}; logs in {logs}")]).collect());
        while !matches!(self.hear.recv(), Ok(Message::Shown | Message::Signal { .. }) | Err(_)) {}
        ending
    }

    fn say(&self, task: usize, text: impl Into<String>) {
        self.queue.line(Line { task: Some(task), text: text.into(), echoed: false });
    }

    /// Checks which shims have exited. If a shim was killed, the processes that it supervised still run, so they are killed.
    fn check_shims(&mut self) {
        for number in 0..self.tasks.len() {
            let signal = self.tasks[number].check_exit();
            if matches!(self.tasks[number].state, State::Ended(_)) {
                self.watch.forget(number);
            }
            if let Some(signal) = signal {
                self.orphans.expect();
                let task = &self.tasks[number];
                status::killed(&self.context.folder, &task.file(), &task.name, signal);
                self.say(
                    number,
                    format!("tfjob-shim, which supervises this task, was killed by {}; killing the processes of the task", signal_name(signal)),
                );
            }
        }
        let tasks = &self.tasks;
        self.orphans.sweep(|process| tasks.iter().any(|task| task.is_shim(process)));
    }

    fn address(&self, task: &Task) -> &str {
        let list = self.peers.peers.get(&task.role);
        list.and_then(|list| list.get(task.index as usize)).map_or("", String::as_str)
    }

    /// Returns the `deadline` if it is exceeded. Each shim counts from the start of its task, and has one more second to report.
    fn exceeded_deadline(&self, begun: Instant) -> Option<u64> {
        let seconds = self.contract.duties.as_ref().and_then(|duties| duties.deadline)?;
        (begun.elapsed() >= Duration::from_secs(seconds.saturating_add(1))).then_some(seconds)
    }

    fn handle(&mut self, message: Message) {
        match message {
            Message::Event { task, event } => {
                if event.event == "restart" {
                    // An error is ignored, because the next start of the task reports it.
                    let _ = machine::restore(self.context, &self.tasks[task].file());
                }
                if let Some(text) = self.tasks[task].note(&event) {
                    self.say(task, text);
                }
                self.follow(task, &event.event);
            }
            Message::Gone { task } => self.tasks[task].gone = true,
            Message::Drained { task, held, lost } => {
                self.tasks[task].drained = true;
                self.lost.extend(lost.map(|lost| (task, lost)));
                if held {
                    self.say(
                        task,
                        "the task has exited, but another process still has its output open; no data for 5 s, so tfjob stopped reading it",
                    );
                }
            }
            Message::Unwritten { task, why } => {
                self.say(task, format!("the log of this task is incomplete: {why}; the task continues"));
            }
            Message::Ready { task } => self.note_ready(task),
            Message::Signal { signal, typed } => self.request_stop(Cause::of(signal), typed),
            Message::Pass(signal) => self.tasks.iter_mut().for_each(|task| task.pass(signal)),
            Message::Closed if self.detached => {}
            Message::Closed => self.request_stop(Cause::Closed, false),
            Message::Shown => {}
        }
    }

    /// Handles a stop request. Only a second key press kills, because other senders may send several signals for one stop.
    fn request_stop(&mut self, cause: Cause, typed: bool) {
        let key = typed && matches!(cause, Cause::Interrupt | Cause::Quit);
        let again = key && std::mem::replace(&mut self.pressed, key);
        match &self.stopping {
            None => self.stop(Verdict::Stopped(cause)),
            Some(_) if again => {
                self.note("killing all tasks".to_owned(), true);
                self.tasks.iter_mut().for_each(Task::kill);
            }
            Some(_) if key => self.note(format!("already stopping all tasks{}", ending::AGAIN), true),
            Some(_) => {}
        }
    }

    fn note(&self, text: String, echoed: bool) {
        self.queue.line(Line { task: None, text, echoed });
    }

    /// Stops the job once its result is decided.
    fn decide(&mut self, begun: Instant) {
        if let Some(stopping) = &self.stopping {
            if Instant::now() >= stopping.until {
                self.tasks.iter_mut().for_each(Task::kill);
            }
            return;
        }
        let verdict = ending::judge(self.job, self.contract, &self.tasks, self.context.keep_going);
        let verdict = verdict.filter(|verdict| !self.may_succeed(verdict));
        let verdict = verdict.map(|verdict| self.or_deadline(verdict, begun));
        let verdict = verdict.or_else(|| self.timed_out_task().map(Verdict::Late));
        if let Some(verdict) = verdict.or_else(|| self.exceeded_deadline(begun).map(Verdict::Overdue)) {
            self.stop(verdict);
        }
    }

    /// Returns the deadline as the result if a shim stopped the failed task at the deadline; otherwise `verdict`.
    fn or_deadline(&self, verdict: Verdict, begun: Instant) -> Verdict {
        match (&verdict, self.contract.duties.as_ref().and_then(|duties| duties.deadline)) {
            (Verdict::Failed(_, ending::LATE), Some(seconds))
                if begun.elapsed() >= Duration::from_secs(seconds) =>
            {
                Verdict::Overdue(seconds)
            }
            _ => verdict,
        }
    }

    /// Returns whether the job may still succeed: all tasks that decide job success have succeeded, or may succeed soon.
    fn may_succeed(&self, verdict: &Verdict) -> bool {
        let Verdict::Failed(failed, _) = verdict else { return false };
        let deciders = ending::deciders(self.job, self.contract, &self.tasks);
        let recent = self.tasks[*failed].ended_at().is_some_and(|at| at.elapsed() < AT_THE_END);
        !self.context.keep_going
            && !deciders.contains(failed)
            && deciders.iter().all(|number| self.tasks[*number].may_succeed(recent))
    }

    fn stop(&mut self, verdict: Verdict) {
        let stopped = self.tasks.iter().any(|task| matches!(task.state, State::Waits | State::Runs));
        self.tasks.iter_mut().for_each(Task::stop);
        if stopped {
            let limit = self.contract.duties.as_ref().and_then(|duties| duties.wait).unwrap_or_default();
            let key = matches!(verdict, Verdict::Stopped(Cause::Interrupt | Cause::Quit));
            self.note(ending::why(&verdict, &self.tasks, limit), key);
        }
        let until = Instant::now() + Duration::from_secs(self.job.grace.0) + MORE;
        self.stopping = Some(Stopping { verdict, until });
    }
}

/// Returns the arguments of the shim if this process was started as a shim: `tfjob shim …`.
#[must_use]
pub fn as_shim() -> Option<impl Iterator<Item = OsString>> {
    let mut arguments = std::env::args_os().skip(1).peekable();
    if arguments.next()? != *"shim" {
        return None;
    }
    unblock_keyboard_signals();
    // The first argument may be the limit on open files. All other arguments are for the shim.
    if let Some(files) = arguments.next_if(|word| word.to_string_lossy().starts_with(limits::OPTION)) {
        limits::lower(&files.to_string_lossy());
    }
    Some(arguments)
}
