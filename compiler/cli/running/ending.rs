//! When a job is over, and what is said of it then.
use super::task::{State, Task};
use std::fmt;
use std::time::Duration;
use tfjob_contract::Contract;
use tfjob_targets::local::{Job, Kind};

/// What became of the job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Those whose success is the job's have ended well.
    Well,
    /// The task of this number has ended with this code.
    Failed(usize, u8),
    /// The task of this number has waited for others too long.
    Late(usize),
    /// The job has taken longer than so many seconds.
    Overdue(u64),
    /// Somebody asked for the end.
    Asked,
}

/// The verdict, once there is one. A task that fails ends the job, unless the others are to go on.
pub fn judge(job: &Job, contract: &Contract, tasks: &[Task], keep_going: bool) -> Option<Verdict> {
    let failed = |task: &Task| match task.state {
        State::Ended(code) if code != 0 && !task.stopped => Some(code),
        State::Waits | State::Runs | State::Ended(_) | State::Never => None,
    };
    let deciding = contract.deciding(job.success.0);
    let decides = |task: &Task| {
        // What only serves never ends, and nobody waits for it.
        !job.roles[task.role_id].serves.0
            && deciding.iter().any(|other| other.role == task.role && other.index == task.index)
    };
    let mut deciders: Vec<&Task> = tasks.iter().filter(|task| decides(task)).collect();
    // Of a job of which only others were chosen each of them counts that ever ends.
    if deciders.is_empty() {
        deciders = tasks.iter().filter(|task| ends(job.roles[task.role_id].kind)).collect();
    }
    if deciders.is_empty() {
        deciders = tasks.iter().collect();
    }
    let first = tasks.iter().enumerate().find_map(|(number, task)| Some((number, failed(task)?)));
    if let Some((number, code)) = first
        && (!keep_going || deciders.iter().all(|task| matches!(task.state, State::Ended(_))))
    {
        return Some(Verdict::Failed(number, code));
    }
    deciders.iter().all(|task| task.state == State::Ended(0)).then_some(Verdict::Well)
}

/// Whether tasks of a kind end by themselves.
const fn ends(kind: Kind) -> bool {
    match kind {
        Kind::Ps | Kind::Scheduler | Kind::Server => false,
        Kind::Chief | Kind::Worker | Kind::Evaluator | Kind::Master | Kind::Own | Kind::Helper => true,
    }
}

/// Why the tasks that still run are stopped.
pub fn why(verdict: &Verdict, tasks: &[Task]) -> String {
    match verdict {
        Verdict::Well => "the job is done: what only serves is stopped".to_owned(),
        Verdict::Failed(number, code) => {
            format!("{} ended with code {code}: the others are stopped", tasks[*number].name)
        }
        Verdict::Late(number) => {
            format!("{} has waited as long as `start timeout` says: the job is stopped", tasks[*number].name)
        }
        Verdict::Overdue(seconds) => format!("the job may take {seconds} s and has: it is stopped"),
        Verdict::Asked => "stopping; Ctrl-C once more ends all at once".to_owned(),
    }
}

/// The end of a run.
#[derive(Debug)]
pub struct Ending {
    verdict: Verdict,
    failed: Option<String>,
    /// What the shim said last of it.
    last: String,
    took: Duration,
    starts: u32,
    tasks: usize,
}

impl Ending {
    /// Of these tasks.
    pub fn new(tasks: &[Task], verdict: Verdict, took: Duration) -> Self {
        let failed = match verdict {
            Verdict::Failed(number, _) | Verdict::Late(number) => {
                tasks.get(number).map(|task| task.name.clone())
            }
            Verdict::Well | Verdict::Asked | Verdict::Overdue(_) => None,
        };
        let last = match verdict {
            Verdict::Failed(number, code) => tasks
                .get(number)
                .and_then(|task| task.last.clone())
                .unwrap_or_else(|| format!("ended with code {code}")),
            Verdict::Well | Verdict::Late(_) | Verdict::Asked | Verdict::Overdue(_) => String::new(),
        };
        let starts = tasks.iter().map(|task| task.attempt).sum();
        Self { verdict, failed, last, took, starts, tasks: tasks.len() }
    }

    /// The job's own exit code.
    pub const fn code(&self) -> u8 {
        match self.verdict {
            Verdict::Well => 0,
            Verdict::Failed(_, code) => code,
            // As the shim, where others are missing for too long.
            Verdict::Late(_) => 75,
            Verdict::Overdue(_) => 124,
            Verdict::Asked => 130,
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let again = (self.starts as usize).saturating_sub(self.tasks);
        let again = match again {
            0 => String::new(),
            1 => ", one restart".to_owned(),
            many => format!(", {many} restarts"),
        };
        let tasks = if self.tasks == 1 { "one task".to_owned() } else { format!("{} tasks", self.tasks) };
        let took = format!("{:.1} s, {tasks}{again}", self.took.as_secs_f64());
        match (&self.verdict, &self.failed) {
            (Verdict::Well, _) => write!(f, "the job ended well: {took}"),
            (Verdict::Failed(_, code), Some(task)) => {
                write!(f, "the job failed with code {code}: {task} {}: {took}", self.last)
            }
            (Verdict::Overdue(seconds), _) => {
                write!(f, "the job was stopped: it may take {seconds} s: {took}")
            }
            (Verdict::Late(_), Some(task)) => {
                write!(f, "the job failed: {task} waited for others too long: {took}")
            }
            (Verdict::Failed(..) | Verdict::Late(_), None) => write!(f, "the job failed: {took}"),
            (Verdict::Asked, _) => write!(f, "the job was stopped: {took}"),
        }
    }
}
