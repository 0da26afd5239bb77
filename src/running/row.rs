//! Display of the lines of a task: those of its program after `|`, those of tfjob after `*`.
use super::queue::Gap;
use crate::terminal::plain;

/// Maximum length of a displayed line in bytes. A longer line is shown in pieces.
const LONGEST: usize = 1 << 14;

/// Display of the lines of one task, or of the lines about the job.
#[derive(Debug)]
pub struct Row {
    /// Prefix of a line of the program.
    program: String,
    /// Prefix and suffix of a line of tfjob.
    own: (String, &'static str),
    /// An incomplete line.
    open: Vec<u8>,
    /// Whether the rest of the current line is dropped.
    dropping: bool,
    /// Lines that were not shown.
    pub lost: u64,
}

impl Row {
    /// Returns a row whose lines start with `name`, padded to `width` columns. `color`: parameters of an SGR sequence.
    pub fn new(name: &str, width: usize, color: Option<&str>) -> Self {
        let (program, own) = match color {
            Some(color) => (
                format!("\x1b[{color}m{name:width$} |\x1b[0m "),
                (format!("\x1b[{color}m{name:width$} *\x1b[0m \x1b[1m"), "\x1b[0m\n"),
            ),
            None => (format!("{name:width$} | "), (format!("{name:width$} * "), "\n")),
        };
        Self { program, own, open: Vec::new(), dropping: false, lost: 0 }
    }

    /// Draws output of the program. An incomplete line is kept.
    pub fn output(&mut self, bytes: &[u8], to: &mut Vec<u8>) {
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let (line, more) = rest.split_at(end);
            rest = more.get(1..).unwrap_or_default();
            if std::mem::take(&mut self.dropping) {
                continue;
            }
            if self.open.is_empty() && line.len() <= LONGEST {
                self.line(line, to);
            } else {
                self.append(line, to);
                self.end(to);
            }
        }
        if !self.dropping {
            self.append(rest, to);
        }
    }

    /// Draws a line about dropped output.
    pub fn gap(&mut self, gap: Gap, to: &mut Vec<u8>) {
        // Drops the partial lines on both sides of the gap.
        self.open.clear();
        self.dropping = gap.open;
        let lines = gap.lines + u64::from(gap.open);
        self.lost += lines;
        self.own(&format!("{lines} lines not shown here; see the log"), to);
    }

    /// Draws a line of tfjob. If the program has left an incomplete line, draws that line first.
    pub fn own(&mut self, text: &str, to: &mut Vec<u8>) {
        self.end(to);
        let (before, behind) = &self.own;
        to.extend_from_slice(format!("{before}{}{behind}", plain(text)).as_bytes());
    }

    /// Draws the incomplete line, if there is one.
    pub fn end(&mut self, to: &mut Vec<u8>) {
        if !self.open.is_empty() {
            let open = std::mem::take(&mut self.open);
            self.line(&open, to);
        }
    }

    fn append(&mut self, bytes: &[u8], to: &mut Vec<u8>) {
        let mut rest = bytes;
        while self.open.len() + rest.len() > LONGEST {
            let (piece, more) = rest.split_at(LONGEST.saturating_sub(self.open.len()));
            self.open.extend_from_slice(piece);
            rest = more;
            // A progress bar that is redrawn with carriage returns is one line.
            match self.open.iter().rposition(|byte| *byte == b'\r') {
                Some(at @ 1..) => drop(self.open.drain(..at)),
                Some(0) | None => self.end(to),
            }
        }
        self.open.extend_from_slice(rest);
    }

    fn line(&self, line: &[u8], to: &mut Vec<u8>) {
        to.extend_from_slice(self.program.as_bytes());
        if line.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\t')) {
            to.extend_from_slice(line);
        } else {
            let text = String::from_utf8_lossy(line);
            to.extend_from_slice(plain(&shown(&text)).as_bytes());
        }
        to.push(b'\n');
    }
}

/// Returns the text that a terminal would show for a line, without overwritten text and colors.
fn shown(line: &str) -> String {
    let last = line.rsplit('\r').find(|part| !part.is_empty()).unwrap_or_default();
    let mut text = String::with_capacity(last.len());
    let mut rest = last.chars();
    while let Some(c) = rest.next() {
        if c == '\u{1b}' {
            // A control sequence of ECMA-48: a bracket, parameters, and one final character from `@` to `~`.
            if rest.as_str().starts_with('[') {
                rest.by_ref().skip(1).find(|c| ('@'..='~').contains(c));
            }
        } else {
            text.push(c);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, Row, shown};
    use crate::running::queue::Gap;

    fn drawn(parts: &[&[u8]]) -> String {
        let (mut row, mut to) = (Row::new("a:0", 3, None), Vec::new());
        parts.iter().for_each(|part| row.output(part, &mut to));
        row.end(&mut to);
        String::from_utf8(to).unwrap()
    }

    #[test]
    fn a_line_is_shown_as_on_a_terminal_of_its_own() {
        assert_eq!(shown("\r1/20 loss: 0.0\r2/20 loss: 0.1\r"), "2/20 loss: 0.1");
        assert_eq!(shown("\u{1b}[31mred\u{1b}[0m \u{1b}]x\u{1b}[1;32mgreen"), "red ]xgreen");
        assert_eq!((shown(""), shown("\u{1b}[")), (String::new(), String::new()));
    }

    #[test]
    fn lines_are_put_together_and_what_is_no_text_is_replaced() {
        assert_eq!(drawn(&[b"one\ntw", b"o\n", b"three"]), "a:0 | one\na:0 | two\na:0 | three\n");
        assert_eq!(drawn(&[b"a\xff\x1b[2Jb\x07\r\n\n"]), "a:0 | a\u{fffd}b?\na:0 | \n");
    }

    #[test]
    fn a_line_without_an_end_is_cut_and_a_bar_is_not() {
        let long = drawn(&[&vec![b'x'; LONGEST * 2 + 1]]);
        assert_eq!(long.lines().count(), 3);
        assert_eq!(long.matches('x').count(), LONGEST * 2 + 1);
        assert_eq!(drawn(&[&b"\r50%".repeat(LONGEST)]), "a:0 | 50%\n");
    }

    #[test]
    fn after_a_gap_no_half_line_is_shown() {
        let (mut row, mut to) = (Row::new("a:0", 3, None), Vec::new());
        row.output(b"one\ntw", &mut to);
        row.gap(Gap { lines: 7, open: true }, &mut to);
        row.output(b"ighth", &mut to);
        row.output(b" half\nnine\n", &mut to);
        let text = String::from_utf8(to).unwrap();
        assert_eq!(text, "a:0 | one\na:0 * 8 lines not shown here; see the log\na:0 | nine\n");
        assert_eq!(row.lost, 8);
    }
}
