//! The screen: output of the tasks, lines of tfjob, and status lines on a terminal. One thread writes it, and only that thread
//! waits for the terminal.
use super::message::Message;
use super::output::{Output, report};
use super::queue::{Item, Line, Queue};
use super::row::Row;
use crate::terminal::plain;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

/// Maximum size of a write in bytes.
const FULL: usize = 1 << 15;
/// Pause after dropped output, to leave CPU time to the tasks.
const REST: Duration = Duration::from_millis(20);
/// Interval of the check whether standard output is still open.
const LOOK: Duration = Duration::from_secs(1);
/// Name in front of lines about the job.
const JOB: &str = "tfjob";
/// Colors that every terminal has.
const FEW: [u8; 6] = [36, 32, 33, 35, 34, 31];

/// What standard output supports: cursor movement, colors.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// Whether the output is a terminal.
    pub terminal: bool,
    /// Whether the output is a notebook cell, which supports colors but no cursor movement.
    pub notebook: bool,
    /// Whether to use colors.
    pub color: bool,
    /// Whether the terminal supports 256 colors.
    pub many: bool,
}

impl Style {
    /// Returns whether lines can be redrawn.
    pub const fn is_interactive(self) -> bool {
        self.terminal && self.color && !self.notebook
    }
}

/// The state of the screen: buffered bytes, and the status lines that are drawn below the output.
pub struct Screen {
    output: Output,
    style: Style,
    /// Names of the tasks and of the job.
    names: Vec<String>,
    rows: Vec<Row>,
    /// Bytes that are not written yet.
    buffer: Vec<u8>,
    status: Vec<String>,
    /// Number of status lines on the terminal.
    drawn: usize,
    /// Whether `status` must be redrawn.
    stale: bool,
    /// Whether the terminal may have echoed a key on the current line.
    echoed: bool,
}

impl Screen {
    /// Returns a screen for tasks with these names.
    pub fn new(output: Output, style: Style, names: &[String]) -> Self {
        let width = names.iter().map(String::len).chain([JOB.len()]).max().unwrap_or(0);
        let colors = if style.color { colors(names.len(), style.many) } else { Vec::new() };
        let row =
            |(task, name): (usize, &String)| Row::new(name, width, colors.get(task).map(String::as_str));
        let mut rows: Vec<Row> = names.iter().enumerate().map(row).collect();
        rows.push(Row::new(JOB, width, style.color.then_some("1")));
        let names = names.iter().cloned().chain([JOB.to_owned()]).collect();
        Self {
            output,
            style,
            names,
            rows,
            buffer: Vec::new(),
            status: Vec::new(),
            drawn: 0,
            stale: false,
            echoed: false,
        }
    }

    /// Shows all items until the end.
    pub fn show(mut self, queue: &Queue, tell: &Sender<Message>) {
        let mut told = false;
        loop {
            let item = queue.next(Duration::ZERO).or_else(|| {
                self.flush();
                self.output.check_closed();
                queue.next(LOOK)
            });
            match item {
                Some(Item::Output { task, gap, bytes }) => {
                    if gap.is_some() {
                        self.flush();
                        thread::sleep(REST);
                    }
                    if let Some(row) = self.rows.get_mut(task) {
                        gap.into_iter().for_each(|gap| row.gap(gap, &mut self.buffer));
                        row.output(&bytes, &mut self.buffer);
                    }
                }
                Some(Item::Line(line)) => self.line(&line),
                Some(Item::Status(lines)) => (self.status, self.stale) = (lines, true),
                Some(Item::End(lines)) => {
                    self.end(lines);
                    break;
                }
                None => {}
            }
            if self.buffer.len() >= FULL {
                self.flush();
            }
            if self.output.is_closed() && !told {
                told = true;
                tell.send(Message::Closed).unwrap_or_default();
            }
        }
        tell.send(Message::Shown).unwrap_or_default();
    }

    /// Writes a line of tfjob. If standard output fails, the line goes to standard error.
    fn line(&mut self, line: &Line) {
        self.echoed |= line.echoed && self.style.terminal;
        let number = line.task.unwrap_or(self.rows.len() - 1);
        let (Some(row), Some(name)) = (self.rows.get_mut(number), self.names.get(number)) else { return };
        let told = format!("{name}: {}", plain(&line.text));
        row.own(&line.text, &mut self.buffer);
        if !self.flush() {
            report(&told);
        }
    }

    fn end(&mut self, lines: Vec<String>) {
        self.rows.iter_mut().for_each(|row| row.end(&mut self.buffer));
        (self.status, self.stale) = (Vec::new(), true);
        self.flush();
        let lost = self.output.lost + self.rows.iter().map(|row| row.lost).sum::<u64>();
        let lost = (lost > 0).then(|| format!("{lost} lines were not shown on the terminal"));
        for text in lost.into_iter().chain(lines) {
            self.line(&Line { task: None, text, echoed: false });
        }
    }

    /// Writes the buffer, and the status lines below it. Returns whether that succeeded.
    fn flush(&mut self) -> bool {
        if self.buffer.is_empty() && !self.stale {
            return true;
        }
        let mut bytes = Vec::with_capacity(self.buffer.len() + 256);
        let echoed = std::mem::take(&mut self.echoed);
        if self.drawn > 0 {
            bytes.extend_from_slice(format!("\r\x1b[{}A\x1b[J", self.drawn).as_bytes());
        } else if self.style.is_interactive() {
            // The terminal may have echoed a key on this line at any time, so the line is cleared.
            bytes.extend_from_slice(b"\r\x1b[J");
        } else if echoed {
            bytes.push(b'\n');
        }
        bytes.append(&mut self.buffer);
        for line in &self.status {
            bytes.extend_from_slice(line.as_bytes());
            bytes.push(b'\n');
        }
        (self.drawn, self.stale) = (self.status.len(), false);
        self.output.write(&bytes)
    }
}

/// Returns one color per task. The colors are distinct if the terminal has enough colors.
fn colors(tasks: usize, many: bool) -> Vec<String> {
    let few = || FEW.iter().map(u8::to_string);
    let some: Vec<String> = if tasks <= FEW.len() {
        few().collect()
    } else if many {
        // The colors of the 6 x 6 x 6 cube that are readable on any background: neither gray, nor too dark, nor too bright.
        let level = |color: usize, at: u32| color / 6_usize.pow(at) % 6;
        let clear = |color: &usize| {
            let [red, green, blue] = [2, 1, 0].map(|at| level(*color, at));
            let (low, high) = (red.min(green).min(blue), red.max(green).max(blue));
            high - low >= 2 && (10..=30).contains(&(2 * red + 4 * green + blue)) && high >= 3
        };
        let all: Vec<usize> = (0..216).filter(clear).collect();
        // The steps are large, so that adjacent tasks have different colors. Each color is used once.
        let step = (all.len() * 5 / 13..).find(|step| gcd(*step, all.len()) == 1).unwrap_or(1);
        (0..all.len()).map(|at| format!("38;5;{}", 16 + all[at * step % all.len()])).collect()
    } else {
        few().chain(FEW.iter().map(|color| (color + 60).to_string())).collect()
    };
    some.into_iter().cycle().take(tasks).collect()
}

const fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::colors;
    use std::collections::BTreeSet;

    #[test]
    fn each_task_has_a_color_of_its_own() {
        for (tasks, many) in [(6, false), (12, false), (7, true), (40, true), (90, true)] {
            assert_eq!(colors(tasks, many).into_iter().collect::<BTreeSet<_>>().len(), tasks);
        }
        assert_eq!(colors(1000, true).len(), 1000);
    }
}
