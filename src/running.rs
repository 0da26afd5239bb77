//! A job as processes on this machine: each task under the shim, started in its order, stopped when the job is over.
//!
//! ```text
//! program --pipe--> pump thread --> log, byte for byte
//!                               \-> queue (bounded) --> screen thread --> standard output
//! shim --events---> pump thread \
//! signal thread -----------------> messages --> the thread that decides --> starts and stops shims
//! ```
//!
//! Only the screen thread waits for a terminal. What it cannot show in time is dropped from the screen and counted.
mod board;
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
use board::Board;
use ending::Verdict;
use message::Message;
use orphans::Orphans;
use peers::Held;
use queue::{Line, Queue};
use ready::Watch;
use screen::Screen;
use signal_hook::consts::SIGHUP;
use signals::Cause;
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
use tfjob_shim::{begin_with_signals, unblock_keyboard_signals};
use tfjob_targets::local::Job;

/// The folder beside a spec that holds the folders of its runs.
pub const RUNS: &str = ".tfjob";
/// How often tasks are looked at while nothing is heard.
const ROUND: Duration = Duration::from_millis(100);
/// How long before the end of the tasks that decide others may fail because of it: a program closes its connections first.
const AT_THE_END: Duration = Duration::from_secs(2);
/// What a shim may need beyond the job's own grace, before it is killed.
const MORE: Duration = Duration::from_secs(10);

/// Where a job runs.
#[derive(Debug)]
pub struct RunContext {
    /// The run's own folder: contract, logs, scratch.
    pub folder: PathBuf,
    /// The directory that holds the scratch directories of the tasks.
    pub scratch: PathBuf,
    /// The spec's folder, where tasks start.
    pub here: PathBuf,
    /// This program, which is the shim too.
    pub program: PathBuf,
    /// Whether the other tasks go on when one has failed.
    pub keep_going: bool,
    /// The tasks that are run. Nobody waits for the others.
    pub chosen: Chosen,
    /// What holds the run's folder and that of the checkpoints. Shims inherit it: one that outlives this process still
    /// writes there.
    pub locks: Vec<File>,
    /// The directory of checkpoints, if this run writes them.
    pub checkpoints: Option<PathBuf>,
    /// The contract, as its file has it.
    pub contract: String,
    /// The limit on open files with which programs start, where this process has raised its own.
    pub files: Option<u64>,
}

/// A run under way.
pub struct Run<'a> {
    job: &'a Job,
    contract: &'a Contract,
    context: &'a RunContext,
    tasks: Vec<Task>,
    queue: Arc<Queue>,
    tell: Sender<Message>,
    hear: Receiver<Message>,
    peers: Held,
    /// The peers, as every task is told them.
    told: String,
    orphans: Orphans,
    /// What looks whether tasks are ready.
    watch: Watch,
    /// Whether a closed terminal is no reason to stop, as under `nohup`.
    detached: bool,
    /// How the tasks stand, where that can be drawn.
    board: Option<Board>,
    stopping: Option<Stopping>,
    /// Whether a key has asked for the end.
    pressed: bool,
    /// The tasks whose logs are incomplete, and what is missing.
    lost: Vec<(usize, String)>,
}

/// That every task is asked to end, and when that becomes an order.
struct Stopping {
    verdict: Verdict,
    until: Instant,
}

impl<'a> Run<'a> {
    /// Prepares it: from now on signals stop the job, and lines are shown on `output`.
    ///
    /// # Errors
    /// Where the machine has no free port or no thread, or signals cannot be handled.
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
        let told = serde_json::to_string(&peers.peers).map_err(io::Error::from)?;
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
        let board = style.live().then(Board::new);
        Ok(Self {
            job,
            contract,
            context,
            tasks,
            queue,
            tell,
            hear,
            peers,
            told,
            orphans,
            watch,
            detached,
            board,
            stopping: None,
            pressed: false,
            lost: Vec::new(),
        })
    }

    /// Runs it to its end. No error of a disk or of the terminal ends it.
    pub fn live(mut self) -> Ending {
        let begun = Instant::now();
        while !self.is_over() {
            self.start_due(begun);
            self.say_who_waits();
            // The run itself holds an end to send to, so that only the time ends this.
            if let Ok(message) = self.hear.recv_timeout(ROUND) {
                self.take(message);
            }
            while let Ok(message) = self.hear.try_recv() {
                self.take(message);
            }
            self.look();
            self.judge(begun);
            if let Some(lines) = self.board.as_mut().and_then(|board| board.due(&self.tasks)) {
                self.queue.status(lines);
            }
        }
        self.finish(begun.elapsed())
    }

    fn is_over(&self) -> bool {
        self.tasks.iter().all(Task::is_over) && !self.orphans.are_left()
    }

    /// Prints the result; returns when it is shown, or on another signal.
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

    /// Looks which shims have ended. One that was killed has swept nothing.
    fn look(&mut self) {
        for number in 0..self.tasks.len() {
            let signal = self.tasks[number].look();
            if matches!(self.tasks[number].state, State::Ended(_)) {
                self.watch.forget(number);
            }
            if let Some(signal) = signal {
                self.orphans.expect();
                status::killed(&self.context.folder, &self.tasks[number].file(), signal);
                self.say(
                    number,
                    format!("its shim was killed by signal {signal}; killing the processes that it started"),
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

    /// How long the job may take, where it has. Each shim counts from the start of its own task, and is given a moment to
    /// say so itself.
    fn overdue(&self, begun: Instant) -> Option<u64> {
        let seconds = self.contract.duties.as_ref().and_then(|duties| duties.deadline)?;
        (begun.elapsed() >= Duration::from_secs(seconds.saturating_add(1))).then_some(seconds)
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Event { task, event } => {
                if event.event == "restart" {
                    // Its next start says what is missing.
                    let _ = machine::again(self.context, &self.tasks[task].file());
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
                        "closed the output after 5 s of silence; another process still had it open",
                    );
                }
            }
            Message::Unwritten { task, why } => {
                self.say(task, format!("its log is incomplete: {why}; the task continues"));
            }
            Message::Ready { task } => self.note_ready(task),
            Message::Signal { signal, typed } => self.asked(Cause::of(signal), typed),
            Message::Pass(signal) => self.tasks.iter_mut().for_each(|task| task.pass(signal)),
            Message::Closed if self.detached => {}
            Message::Closed => self.asked(Cause::Closed, false),
            Message::Shown => {}
        }
    }

    /// Somebody asks for the end. Only a second key that a person types kills: programs send several signals for one stop.
    fn asked(&mut self, cause: Cause, typed: bool) {
        let key = typed && matches!(cause, Cause::Interrupt | Cause::Quit);
        let again = key && std::mem::replace(&mut self.pressed, key);
        match &self.stopping {
            None => self.stop(Verdict::Stopped(cause)),
            Some(_) if again => {
                self.note("killing all tasks".to_owned(), true);
                self.tasks.iter_mut().for_each(Task::kill);
            }
            Some(_) if key => self.note(format!("stopping all tasks already{}", ending::AGAIN), true),
            Some(_) => {}
        }
    }

    fn note(&self, text: String, echoed: bool) {
        self.queue.line(Line { task: None, text, echoed });
    }

    /// Ends the job when it is decided.
    fn judge(&mut self, begun: Instant) {
        if let Some(stopping) = &self.stopping {
            if Instant::now() >= stopping.until {
                self.tasks.iter_mut().for_each(Task::kill);
            }
            return;
        }
        let verdict = ending::judge(self.job, self.contract, &self.tasks, self.context.keep_going);
        let verdict = verdict.filter(|verdict| !self.may_end_well(verdict));
        let verdict = verdict.map(|verdict| self.of_deadline(verdict, begun));
        let verdict = verdict.or_else(|| self.late().map(Verdict::Late));
        if let Some(verdict) = verdict.or_else(|| self.overdue(begun).map(Verdict::Overdue)) {
            self.stop(verdict);
        }
    }

    /// A shim ends its task at the deadline on its own: no failure of that task.
    fn of_deadline(&self, verdict: Verdict, begun: Instant) -> Verdict {
        match (&verdict, self.contract.duties.as_ref().and_then(|duties| duties.deadline)) {
            (Verdict::Failed(_, ending::LATE), Some(seconds))
                if begun.elapsed() >= Duration::from_secs(seconds) =>
            {
                Verdict::Overdue(seconds)
            }
            _ => verdict,
        }
    }

    /// Whether a failure is that of a task that the job does not need, at the very end of those that it needs.
    fn may_end_well(&self, verdict: &Verdict) -> bool {
        let Verdict::Failed(failed, _) = verdict else { return false };
        let deciders = ending::deciders(self.job, self.contract, &self.tasks);
        let recent = self.tasks[*failed].ended_at().is_some_and(|at| at.elapsed() < AT_THE_END);
        !self.context.keep_going
            && !deciders.contains(failed)
            && deciders.iter().all(|number| self.tasks[*number].may_end_well(recent))
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

/// The words of a task's shim, where this process is one: `tfjob shim …`.
#[must_use]
pub fn as_shim() -> Option<impl Iterator<Item = OsString>> {
    let mut words = std::env::args_os().skip(1).peekable();
    if words.next()? != *"shim" {
        return None;
    }
    unblock_keyboard_signals();
    // Other words are the shim's own.
    if let Some(files) = words.next_if(|word| word.to_string_lossy().starts_with(limits::OPTION)) {
        limits::lower(&files.to_string_lossy());
    }
    Some(words)
}
