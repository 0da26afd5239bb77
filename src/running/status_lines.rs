//! Status lines of the tasks below the output on a terminal.
use super::task::{State, Task};
use crate::terminal;
use std::time::{Duration, Instant};

/// Interval at which the status lines are redrawn.
const DRAWN: Duration = Duration::from_millis(250);
/// Columns and rows that are assumed for a terminal that does not report its size.
const SIZE: (usize, usize) = (80, 24);
/// Number of tasks that have a line each even on a small terminal, if they fit.
const FEW: usize = 8;

/// The clock of the status lines: when the run began, and when the lines are due next.
#[derive(Debug)]
pub struct StatusLines {
    begun: Instant,
    next: Instant,
}

impl StatusLines {
    /// Creates the status lines, and starts their clock.
    pub fn new() -> Self {
        let now = Instant::now();
        Self { begun: now, next: now }
    }

    /// Returns the lines if they are due.
    pub fn due(&mut self, tasks: &[Task]) -> Option<Vec<String>> {
        let now = Instant::now();
        if now < self.next {
            return None;
        }
        self.next = now + DRAWN;
        let (columns, rows) = terminal::size().unwrap_or(SIZE);
        let mut lines = lines(tasks, room(rows));
        lines.push(format!("{} s", self.begun.elapsed().as_secs()));
        // On some terminals, a full line wraps, so each line is one column shorter.
        let cut = |line: String| line.chars().take(columns.saturating_sub(1)).collect();
        Some(lines.into_iter().map(cut).collect())
    }
}

/// Returns one line per task. If the lines do not fit, shows lines of unfinished tasks first, and counts the tasks without a line.
fn lines(tasks: &[Task], room: usize) -> Vec<String> {
    let width = tasks.iter().map(|task| task.name.len()).max().unwrap_or(0);
    if tasks.len() <= room {
        return tasks.iter().map(|task| of_task(task, width)).collect();
    }
    let over = |task: &Task| matches!(task.state, State::Ended(_) | State::Never);
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    order.sort_by_key(|number| over(&tasks[*number]));
    let (mut shown, rest) = {
        let (shown, rest) = order.split_at(room.saturating_sub(1));
        (shown.to_vec(), rest)
    };
    shown.sort_unstable();
    let mut lines: Vec<String> = shown.iter().map(|number| of_task(&tasks[*number], width)).collect();
    if room > 0 {
        let rest: Vec<&Task> = rest.iter().map(|number| &tasks[*number]).collect();
        lines.push(format!("… and {} more: {}", rest.len(), counted(&rest)));
    }
    lines
}

fn of_task(task: &Task, width: usize) -> String {
    let state = match &task.state {
        State::Waits => "waiting for other roles".to_owned(),
        State::Never => "not started".to_owned(),
        State::Ended(0) => "succeeded".to_owned(),
        State::Ended(_) if task.stopped => "stopped".to_owned(),
        State::Ended(code) => format!("failed with exit code {code}"),
        State::Runs if task.stopped => "stopping".to_owned(),
        State::Runs => match task.process {
            Some(process) => {
                let memory = memory(process).map_or_else(String::new, |mib| format!(", {mib} MiB"));
                let step = task.step.map_or_else(String::new, |step| format!(", checkpoint of step {step}"));
                format!("running, attempt {}{step}{memory}", task.attempt)
            }
            None if task.attempt == 0 => "starting".to_owned(),
            None if task.pauses => "restarting".to_owned(),
            None => "program has exited, tfjob-shim still running".to_owned(),
        },
    };
    format!("{:width$} : {state}", task.name)
}

/// Returns the number of rows for tasks: half of the rows of a large terminal. On a small terminal, up to [`FEW`] rows, excluding
/// those of the clock and the cursor.
fn room(rows: usize) -> usize {
    (rows / 2).max(rows.saturating_sub(2).min(FEW))
}

/// Counts tasks by state: `3 running, 1 finished`.
fn counted(tasks: &[&Task]) -> String {
    let count = |is: fn(&State) -> bool| tasks.iter().filter(|task| is(&task.state)).count();
    let all = [
        (count(|state| matches!(state, State::Runs)), "running"),
        (count(|state| matches!(state, State::Waits)), "waiting"),
        (count(|state| matches!(state, State::Ended(_) | State::Never)), "finished"),
    ];
    let some: Vec<String> =
        all.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    some.join(", ")
}

/// Returns the resident memory of a process in MiB. `None` if unknown.
fn memory(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().split(' ').next()?.parse::<u64>().ok()? / 1024)
}
