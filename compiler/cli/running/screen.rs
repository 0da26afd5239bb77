//! What a person sees of a run: every line behind the name of its task, and on a terminal how far each task is.
use super::task::{State, Task};
use crate::outcome::Failure;
use crate::terminal::{self, Look, plain};
use std::io::Write;
use std::time::{Duration, Instant};

/// How often the state is drawn anew.
const DRAWN: Duration = Duration::from_millis(250);
/// Rows of a terminal that says nothing of its size, as those of old have.
const ROWS: usize = 24;
/// So many tasks have a line each wherever it fits.
const FEW: usize = 8;
const COLOURS: [u8; 6] = [36, 32, 33, 35, 34, 31];

/// Where it is drawn.
pub struct Screen<'o> {
    out: &'o mut dyn Write,
    look: Look,
    live: bool,
    width: usize,
    drawn: usize,
    next: Instant,
}

impl<'o> Screen<'o> {
    /// On this stream; `live`: it is a terminal that can be drawn on again.
    pub fn new(out: &'o mut dyn Write, look: Look, live: bool, width: usize) -> Self {
        Self { out, look, live, width, drawn: 0, next: Instant::now() }
    }

    /// A line of a task.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn line(&mut self, task: &Task, text: &str) -> Result<(), Failure> {
        self.clear()?;
        let (width, name) = (self.width, &task.name);
        let colour = COLOURS[task.role_id % COLOURS.len()];
        match self.look.colour {
            true => writeln!(self.out, "\x1b[{colour}m{name:width$} |\x1b[0m {}", plain(text))?,
            false => writeln!(self.out, "{name:width$} | {}", plain(text))?,
        }
        Ok(self.out.flush()?)
    }

    /// A line about the job.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn note(&mut self, text: &str) -> Result<(), Failure> {
        self.clear()?;
        writeln!(self.out, "{}", plain(text))?;
        Ok(self.out.flush()?)
    }

    /// Takes away what was drawn of the state.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn clear(&mut self) -> Result<(), Failure> {
        if self.drawn > 0 {
            write!(self.out, "\x1b[{}A\x1b[J", self.drawn)?;
            self.drawn = 0;
        }
        Ok(())
    }

    /// How far each task is; only on a terminal.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn status(&mut self, tasks: &[Task], begun: Instant) -> Result<(), Failure> {
        let now = Instant::now();
        if !self.live || (now < self.next && self.drawn > 0) {
            return Ok(());
        }
        self.next = now + DRAWN;
        self.clear()?;
        let (columns, rows) = terminal::size().unwrap_or((self.look.width, ROWS));
        let lines = self.lines(tasks, room(rows));
        for line in &lines {
            // A line that fills its row would be two of them on some terminals.
            let line: String = line.chars().take(columns.saturating_sub(1)).collect();
            writeln!(self.out, "{line}")?;
        }
        writeln!(self.out, "{} s", begun.elapsed().as_secs())?;
        self.drawn = lines.len() + 1;
        Ok(self.out.flush()?)
    }

    /// A line for each task, as far as there is room; those that are over stand back, and who has no line is counted.
    fn lines(&self, tasks: &[Task], room: usize) -> Vec<String> {
        if tasks.len() <= room {
            return tasks.iter().map(|task| self.of_task(task)).collect();
        }
        let over = |task: &Task| matches!(task.state, State::Ended(_) | State::Never);
        let mut order: Vec<usize> = (0..tasks.len()).collect();
        order.sort_by_key(|number| over(&tasks[*number]));
        let (mut shown, rest) = {
            let (shown, rest) = order.split_at(room.saturating_sub(1));
            (shown.to_vec(), rest)
        };
        shown.sort_unstable();
        let mut lines: Vec<String> = shown.iter().map(|number| self.of_task(&tasks[*number])).collect();
        if room > 0 {
            let rest: Vec<&Task> = rest.iter().map(|number| &tasks[*number]).collect();
            lines.push(format!("… and {} more: {}", rest.len(), counted(&rest)));
        }
        lines
    }

    fn of_task(&self, task: &Task) -> String {
        let width = self.width;
        let state = match &task.state {
            State::Waits => "waits for others".to_owned(),
            State::Never => "not started".to_owned(),
            State::Ended(0) => "ended well".to_owned(),
            State::Ended(_) if task.stopped => "stopped".to_owned(),
            State::Ended(code) => format!("ended with code {code}"),
            State::Runs if task.stopped => "is being stopped".to_owned(),
            State::Runs => match task.process {
                Some(process) => {
                    let memory = memory(process).map_or_else(String::new, |mib| format!(", {mib} MiB"));
                    let step = task.step.map_or_else(String::new, |step| format!(", step {step} kept"));
                    format!("runs, start {}{step}{memory}", task.attempt)
                }
                None if task.attempt == 0 => "starts".to_owned(),
                None if task.pauses => "between two starts".to_owned(),
                None => "has ended, and says so to others".to_owned(),
            },
        };
        format!("{:width$} : {state}", task.name)
    }
}

/// How many rows the tasks may take. A row is the clock's, and one stays free, where the cursor stands; of a terminal with
/// more than a few, half is left to what the tasks say.
fn room(rows: usize) -> usize {
    (rows / 2).max(rows.saturating_sub(2).min(FEW))
}

/// `3 running, 1 ended`: how many there are of each kind.
fn counted(tasks: &[&Task]) -> String {
    let count = |is: fn(&State) -> bool| tasks.iter().filter(|task| is(&task.state)).count();
    let all = [
        (count(|state| matches!(state, State::Runs)), "running"),
        (count(|state| matches!(state, State::Waits)), "waiting"),
        (count(|state| matches!(state, State::Ended(_) | State::Never)), "ended"),
    ];
    let some: Vec<String> =
        all.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    some.join(", ")
}

/// MiB of a process, as Linux counts what is resident.
fn memory(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().split(' ').next()?.parse::<u64>().ok()? / 1024)
}
