//! One task from before its first start to its end: waiting, runs, pauses, and what comes after success.
mod after;
mod before;
mod hearing;
mod meeting;
mod run;

use crate::beacon::Beacon;
use crate::budget::{self, Past, Run, Verdict};
use crate::checkpoints::{Survey, Torn};
use crate::ears::Ears;
use crate::event::{self, Events, Standing};
use crate::exit::{self, Exit};
use crate::memory;
use crate::probe::{Target, WAITS};
use crate::program::Program;
use crate::spoken;
use crate::state::Store;
use crate::sys::{self, Pid, Status};
use crate::watch::Watch;
use hearing::Hearing;
use meeting::Meeting;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tfjob_contract::{Contract, Duties, KEPT, Notice, Restart, RoleDuties, SUBMISSION, TaskId};

/// How often the output is read that nobody else reads, and events are written that nobody has read.
const DRAINED: Duration = Duration::from_millis(100);
/// How often it is tried again to write what a full disk has refused.
const RETRY: Duration = Duration::from_secs(5);

/// Why a program is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// By this signal from outside.
    Asked(i32),
    /// The job has taken too long.
    Deadline,
    /// The job is done, and this task only served.
    Done,
    /// Others have not come.
    Missed,
    /// Its work is done, as it said, and it goes on.
    Said,
}

/// The life of a task.
pub struct Life {
    program: Program,
    duties: Duties,
    role: RoleDuties,
    name: String,
    events: Events,
    ears: Ears,
    store: Option<Store>,
    past: Past,
    attempt: u32,
    /// The step of the newest whole checkpoint.
    step: Option<u64>,
    /// The task's own rendezvous port.
    port: Option<u16>,
    /// The process with which it ends, `tfjob run`.
    parent: Option<Pid>,
    /// Whether there are processes from before this one was a shim, as of an entrypoint.
    inherited: bool,
    /// Whether others look whether this task has ended.
    watched: bool,
    /// When its port says that the program is down.
    notice: Notice,
    /// Whether its end ends the job: tasks that only serve stop when all such tasks have ended.
    decides: bool,
    /// Those with whose end this task stops.
    watch: Option<Watch>,
    /// Those whom the program must meet, as long as some of them do not listen.
    meeting: Option<Meeting>,
    /// The program's own word that its work is done.
    hearing: Option<Hearing>,
    deadline: Option<Instant>,
    /// What is there once the task has met the others, in each container after that ([`KEPT`]).
    mark: Option<PathBuf>,
    /// Whether the state of the task is not kept, and whether that was said.
    unkept: bool,
    told: bool,
    /// When to try again to write what could not be written.
    retry: Option<Instant>,
}

/// How one run ended.
struct Ended {
    status: Status,
    lived: Duration,
    stop: Option<Why>,
    /// Whether it had ended before the shim began to stop it.
    before: bool,
    starved: bool,
}

impl Life {
    /// Prepares it: from now on signals are the shim's, and the end of `parent` is one.
    ///
    /// # Errors
    /// What the platform did not say about other tasks; a parent that is gone already.
    pub fn new(program: Program, parent: Option<u32>, inherited: bool) -> Result<Self, Exit> {
        let begun = Instant::now();
        let parent = parent.map(u32::cast_signed);
        let ears = Ears::new(!program.is_task(), parent, inherited);
        if parent.is_some_and(|parent| !sys::end_with(parent)) {
            return Err(Exit::Machine("who started this is gone".to_owned()));
        }
        let mut life = Self {
            duties: Duties::default(),
            role: RoleDuties::default(),
            name: program.name(),
            events: Events::of(program.is_task().then(|| program.name())),
            ears,
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
            meeting: None,
            hearing: None,
            deadline: None,
            mark: std::env::var_os(KEPT).map(|folder| Path::new(&folder).join("met")),
            unkept: false,
            told: false,
            retry: None,
            program,
        };
        if let Program::Task { contract, task, env } = &life.program {
            life.duties = contract.duties.clone().unwrap_or_default();
            life.role = contract.role_of(task)?.duties.clone().unwrap_or_default();
            // The program may start in another directory, which this process enters too.
            let folder = life.duties.checkpoints.iter_mut().map(|folder| &mut folder.path);
            folder.chain(&mut life.role.reads).for_each(make_absolute);
            life.port =
                contract.places(std::slice::from_ref(task), env).ok().and_then(|found| found.first()?.port);
            let deciding = life.duties.ends_with.map(|ends| contract.deciding(ends)).unwrap_or_default();
            let outlived = |role: &RoleDuties| role.outlives.contains(&task.role);
            life.decides = deciding.contains(task);
            life.notice = contract.notice(contract.role_of(task)?);
            // Where every task decides, only those read of an end that wait for a start.
            let is_read = life.notice != Notice::Never || contract.tasks().count() > deciding.len();
            life.watched = life.decides && is_read
                || contract.roles.iter().filter_map(|r| r.duties.as_ref()).any(outlived);
            if !deciding.is_empty() && !life.decides {
                let returns = deciding.iter().map(|task| returns(contract, task));
                life.watch =
                    Some(Watch::deciding(targets(&life.program, &deciding)?.into_iter().zip(returns)));
            }
            if let (Some(folder), Some(_)) = (&life.duties.checkpoints, &life.role.restart) {
                let submission = std::env::var(SUBMISSION).ok();
                life.store = Some(Store::new(&folder.path, &contract.job, task, submission));
            }
        }
        life.deadline =
            life.duties.deadline.and_then(|seconds| begun.checked_add(Duration::from_secs(seconds)));
        Ok(life)
    }

    /// Lives it.
    pub fn live(mut self) -> Exit {
        let exit = match self.lived() {
            Ok(exit) | Err(exit) => exit,
        };
        self.say_the_end(&exit);
        let (code, text) = exit.parts();
        self.events.end(code, text.unwrap_or_default(), self.standing());
        exit
    }

    fn lived(&mut self) -> Result<Exit, Exit> {
        self.preflight()?;
        if let Some(store) = &self.store {
            let (past, said) = store.load();
            self.past = past;
            if let Some(said) = said {
                self.say("state", &said);
            }
        }
        self.wait()?;
        loop {
            self.expect()?;
            let before = self.resume()?;
            let (starts, ended) = (self.attempt, self.run());
            let ended = match ended {
                Err(fault) if starts > 0 => {
                    self.unstarted(fault)?;
                    continue;
                }
                ended => ended?,
            };
            let done = self.hearing.as_ref().is_some_and(Hearing::heard);
            let code = if done { 0 } else { code(ended.status) };
            // No scan of the checkpoints when the task is being stopped.
            let progress = ended.stop.is_none() && self.survey(None).mark().is_progress(&before);
            self.say("ended", &format!("the program {}", self.told(&ended)));
            match ended.stop {
                // Whoever says that it is done has succeeded; only its own bound leaves a restart to the terms.
                Some(Why::Said) | None => {}
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
                    self.keep();
                    self.say("restart", &format!("{}; {}", self.told(&ended), self.again(&terms, pause)));
                    self.pause(pause)?;
                }
            }
        }
    }

    /// Ends while no program runs: by a signal, or by the deadline.
    fn over(&self) -> Result<(), Exit> {
        if let Some(signal) = self.ears.asked {
            let why = format!("{} was asked to end by signal {signal} while no program ran", self.name);
            return Err(Exit::Ended { code: exit::of_signal(signal), text: Some(why) });
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(self.late());
        }
        Ok(())
    }

    /// The same, with what waits to be heard.
    fn heed(&mut self) -> Result<(), Exit> {
        while self.ears.asked.is_none() && self.ears.is_asked() {
            self.listen(Some(Instant::now()));
        }
        self.over()
    }

    fn late(&self) -> Exit {
        let seconds = self.duties.deadline.unwrap_or_default();
        Exit::Deadline(format!("{} was stopped: the job may take {seconds} s and has", self.name))
    }

    /// The pause before a restart; the port says meanwhile that the task comes back, where no client of the program is
    /// hurt by it.
    fn pause(&mut self, pause: Duration) -> Result<(), Exit> {
        if self.notice == Notice::WheneverDown && (self.watched || self.duties.wait.is_some()) {
            self.beacon(WAITS);
        }
        self.rest(pause)?;
        self.ears.beacon = None;
        self.over()
    }

    /// Lets time pass, unless the end comes meanwhile.
    fn rest(&mut self, time: Duration) -> Result<(), Exit> {
        let end = Instant::now() + time;
        while Instant::now() < end {
            self.over()?;
            self.listen([Some(end), self.deadline].into_iter().flatten().min());
        }
        Ok(())
    }

    /// Stands on the task's own port with one word.
    fn beacon(&mut self, word: &'static str) {
        let Some(port) = self.port else { return };
        match Beacon::open(port, word) {
            Ok(beacon) => self.ears.beacon = Some(beacon),
            Err(e) => self.say("port", &format!("the task's own port {port} cannot be opened: {e}")),
        }
    }

    /// Keeps what a new container must know; a folder that is not there yet keeps nothing.
    fn keep(&mut self) {
        let Some(store) = &self.store else { return };
        let fault = store.save(&self.past).err();
        self.unkept = fault.is_some();
        if let Some(why) = fault.filter(|_| !self.told) {
            self.told = true;
            self.say("state", &why);
        }
    }

    /// Waits until something happens, or until that time. What could not be written is tried again meanwhile.
    fn listen(&mut self, until: Option<Instant>) {
        let now = Instant::now();
        if self.retry.is_none_or(|retry| now >= retry) {
            if self.unkept {
                self.keep();
            }
            let done = self.events.retry() && !self.unkept;
            self.retry = (!done).then(|| now + RETRY);
        }
        let unread = (!self.events.flush(self.standing())).then(|| now + DRAINED);
        // Its reader was killed: a program that prints while it saves would wait for it.
        let drained = self.parent.is_some_and(|parent| sys::parent() != parent).then(|| {
            event::drain();
            now + DRAINED
        });
        self.ears.listen(until.into_iter().chain(self.retry).chain(unread).chain(drained).min());
    }

    /// The folder of checkpoints as it is now.
    fn survey(&mut self, settled: Option<&Torn>) -> Survey {
        let Some(folder) = &self.duties.checkpoints else { return Survey::default() };
        // A stop and the deadline wait for no slow disk.
        let over =
            || self.ears.is_asked() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let survey = Survey::of(Path::new(&folder.path), settled, &over);
        self.step = survey.step();
        survey
    }

    /// Which restart this is, and when it comes.
    fn again(&self, terms: &Restart, pause: Duration) -> String {
        let (limit, left) = (terms.limit.unwrap_or(0), budget::left(terms, &self.past, now()));
        let which =
            left.map_or_else(String::new, |left| format!(" {} of {limit}", limit.saturating_sub(left)));
        format!("restart{which} in {}", spoken::time(pause))
    }

    /// How the program ended, after how long and how far it had come.
    fn told(&self, ended: &Ended) -> String {
        let limit = ended.starved.then(|| memory::limit(Path::new("/"))).flatten();
        let limit = limit.map_or_else(String::new, |limit| format!(" (limit {})", spoken::bytes(limit)));
        let how = match ended.status {
            Status::Code(0) => "ended well".to_owned(),
            Status::Signal(9) if ended.starved => {
                format!("was ended by the kernel for want of memory{limit}")
            }
            Status::Code(code) => format!("ended with code {code}"),
            Status::Signal(signal) => format!("was killed by signal {signal}"),
        };
        let starved = if ended.starved && ended.status != Status::Signal(9) {
            // All tasks of a machine are in the group of who has started them.
            let whose =
                if self.parent.is_some() { "this task or of another one" } else { "its control group" };
            format!("; meanwhile the kernel killed a process of {whose} for want of memory{limit}")
        } else {
            String::new()
        };
        let step = self.step.map_or_else(String::new, |step| format!(" at step {}", spoken::count(step)));
        format!("{how} after {}{step}{starved}", spoken::time(ended.lived))
    }

    fn say(&self, event: &str, reason: &str) {
        self.events.say(event, reason, self.standing());
    }

    fn standing(&self) -> Standing {
        let left = |terms: &Restart| budget::left(terms, &self.past, now());
        let left = self.role.restart.as_ref().map_or(Some(0), left);
        Standing { attempt: self.attempt, left, step: self.step }
    }
}

/// Where these tasks listen.
fn targets(program: &Program, tasks: &[TaskId]) -> Result<Vec<Target>, Exit> {
    let Program::Task { contract, env, .. } = program else { return Ok(Vec::new()) };
    let places = contract.places(tasks, env)?;
    Ok(places.into_iter().map(|p| Target { task: p.task, host: p.host, port: p.port, path: None }).collect())
}

fn make_absolute(path: &mut String) {
    let whole = std::path::absolute(&*path).ok().and_then(|path| path.into_os_string().into_string().ok());
    *path = whole.unwrap_or_else(|| path.clone());
}

/// Whether the platform asks for another container when a task's has failed or is lost.
fn returns(contract: &Contract, task: &TaskId) -> bool {
    contract.role_of(task).ok().and_then(|role| role.duties.as_ref()).is_some_and(|duties| duties.returns)
}

/// The code that shells give: 128 and more for a signal.
fn code(status: Status) -> u8 {
    match status {
        Status::Code(code) => code,
        Status::Signal(signal) => signal.saturating_add(128),
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
