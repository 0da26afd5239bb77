//! The result of a job: when it is decided, and its messages.
use super::signals::Cause;
use super::task::{State, Task};
use std::fmt;
use std::time::Duration;
use tfjob_contract::{Contract, RoleKind};
use tfjob_targets::local::Job;

/// Hint that a second Ctrl-C kills the tasks.
pub const AGAIN: &str = " (Ctrl-C again kills all tasks)";

/// Exit code of a task, and of a job, that exceeds `deadline`.
pub const LATE: u8 = 124;

/// The result of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// All tasks that decide job success have succeeded.
    Succeeded,
    /// The task with this number has failed with this exit code.
    Failed(usize, u8),
    /// The wait of the task with this number has timed out.
    Late(usize),
    /// The job has exceeded its `deadline`, in seconds.
    Overdue(u64),
    /// The job was stopped from outside.
    Stopped(Cause),
}

/// Returns the result once it is decided. A failed task ends the job, unless `keep_going`. If several tasks fail, the first one
/// determines the result, because the others may have failed as a consequence.
pub fn judge(job: &Job, contract: &Contract, tasks: &[Task], keep_going: bool) -> Option<Verdict> {
    let failed = |task: &Task| match task.state {
        State::Ended(code) if code != 0 && !task.stopped => Some(code),
        State::Waits | State::Runs | State::Ended(_) | State::Never => None,
    };
    let deciders = deciders(job, contract, tasks);
    let all = |is: fn(&Task) -> bool| deciders.iter().all(|number| is(&tasks[*number]));
    let well = all(|task| task.state == State::Ended(0)).then_some(Verdict::Succeeded);
    let helps = |number: usize| job.roles[tasks[number].role_id].kind == RoleKind::Helper;
    // A failed helper, such as TensorBoard, fails the job only if a role waits for the helper. That role will never start, and its
    // peers would wait for it indefinitely.
    let given_up = (0..tasks.len())
        .any(|number| tasks[number].state == State::Never && (!helps(number) || deciders.contains(&number)));
    let failures = tasks.iter().enumerate().filter_map(|(number, task)| Some((number, failed(task)?)));
    let first = failures
        .filter(|(number, _)| !helps(*number) || given_up || deciders.contains(number))
        .min_by_key(|(number, _)| tasks[*number].ended_at());
    let over = all(|task| matches!(task.state, State::Ended(_) | State::Never));
    let failed = first.filter(|_| !keep_going || over).map(|(number, code)| Verdict::Failed(number, code));
    if keep_going { failed.or(well) } else { well.or(failed) }
}

/// Returns the numbers of the tasks that decide job success: those of `success`, as far as they are selected and exit on their own.
/// If there are none, all selected tasks that exit on their own decide. If no selected task exits on its own, all selected tasks
/// decide.
pub fn deciders(job: &Job, contract: &Contract, tasks: &[Task]) -> Vec<usize> {
    let those = |is: &dyn Fn(&Task) -> bool| {
        let numbers = tasks.iter().enumerate().filter(|(_, task)| is(task));
        numbers.map(|(number, _)| number).collect::<Vec<usize>>()
    };
    let deciding = contract.deciding(job.success.0);
    let mut deciders = those(&|task| {
        // A long-running task never finishes, so it cannot decide.
        !job.roles[task.role_id].serves.0
            && deciding.iter().any(|other| other.role == task.role && other.index == task.index)
    });
    if deciders.is_empty() {
        deciders = those(&|task| ends(job.roles[task.role_id].kind));
    }
    if deciders.is_empty() {
        deciders = those(&|_| true);
    }
    deciders
}

/// Returns whether tasks of this kind may exit on their own. A helper, such as a notebook, may.
const fn ends(kind: RoleKind) -> bool {
    !kind.never_exits() || matches!(kind, RoleKind::Helper)
}

/// Describes why the running tasks are stopped.
pub fn why(verdict: &Verdict, tasks: &[Task], limit: u64) -> String {
    match verdict {
        Verdict::Succeeded => {
            "the tasks that decide job success have succeeded; stopping the tasks that are still running"
                .to_owned()
        }
        Verdict::Failed(number, _) => format!("{} failed; stopping the other tasks", tasks[*number].name),
        Verdict::Late(number) => format!(
            "{} was not started, because the roles that it waits for were not ready within {limit} s (`start timeout`); stopping the job",
            tasks[*number].name
        ),
        Verdict::Overdue(seconds) => format!("`deadline` ({seconds} s) exceeded; stopping the job"),
        Verdict::Stopped(cause) => {
            // The hint is only for stops by Ctrl-C, because only an interactive user can press Ctrl-C again.
            let hint = match cause {
                Cause::Interrupt => AGAIN,
                Cause::Quit | Cause::Terminate | Cause::Hangup | Cause::Closed => "",
            };
            format!("received {}; stopping all tasks{hint}", cause.name())
        }
    }
}

/// The summary of a run.
#[derive(Debug)]
pub struct Ending {
    verdict: Verdict,
    failed: Option<String>,
    took: Duration,
    restarts: u32,
    tasks: usize,
}

impl Ending {
    /// Returns the summary for these tasks.
    pub fn new(tasks: &[Task], verdict: Verdict, took: Duration) -> Self {
        let failed = match verdict {
            Verdict::Failed(number, _) | Verdict::Late(number) => {
                tasks.get(number).map(|task| task.name.clone())
            }
            Verdict::Succeeded | Verdict::Stopped(_) | Verdict::Overdue(_) => None,
        };
        let restarts = tasks.iter().map(|task| task.attempt.saturating_sub(1)).sum();
        Self { verdict, failed, took, restarts, tasks: tasks.len() }
    }

    /// Returns the exit code of the job.
    pub const fn code(&self) -> u8 {
        match self.verdict {
            Verdict::Succeeded => 0,
            Verdict::Failed(_, code) => code,
            // The same code as that of a shim that waits too long for peers.
            Verdict::Late(_) => 75,
            Verdict::Overdue(_) => LATE,
            Verdict::Stopped(cause) => cause.code(),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.verdict, &self.failed) {
            (Verdict::Succeeded, _) => f.write_str("job succeeded in")?,
            (Verdict::Failed(..) | Verdict::Late(_), Some(task)) => {
                write!(f, "job failed with exit code {} ({task}) after", self.code())?;
            }
            (Verdict::Failed(..) | Verdict::Late(_), None) => f.write_str("job failed after")?,
            (Verdict::Overdue(seconds), _) => write!(f, "job stopped by `deadline` of {seconds} s after")?,
            (Verdict::Stopped(cause), _) => write!(f, "job stopped by {} after", cause.name())?,
        }
        write!(f, " {:.1} s: {}", self.took.as_secs_f64(), counted(self.tasks, "task"))?;
        match self.restarts {
            0 => Ok(()),
            restarts => write!(f, ", {}", counted(restarts as usize, "restart")),
        }
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
