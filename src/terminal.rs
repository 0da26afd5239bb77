//! Output to terminals, files, and pipes: style, closed pipes, differences, and removal of control characters.
use crate::args::Color;
use diffy::DiffOptions;
use std::borrow::Cow;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::OnceLock;

/// The value of `--color`.
static COLOR: OnceLock<Color> = OnceLock::new();

/// Sets the value of `--color` for all streams.
pub fn set_color(choice: Color) {
    // A process has one command line, so this value is set only once.
    let _ = COLOR.set(choice);
}

/// Width and color of text output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextStyle {
    /// Width in columns.
    pub width: usize,
    /// Maximum columns of a source line. Longer lines are cut around the marked ranges.
    pub source_width: usize,
    /// Whether to use colors.
    pub color: bool,
}

impl TextStyle {
    /// Style of files and pipes: text wraps at 80 columns, source lines are cut at 140 columns, no color.
    pub const PLAIN: Self = Self { width: 80, source_width: 140, color: false };

    /// Returns the style for a stream. On a terminal, text wraps at the width of the terminal, at most at 100 columns. With
    /// `--color auto`, color is used on a terminal, unless `NO_COLOR` is set or the terminal is `dumb`.
    #[must_use]
    pub fn of(stream: &impl IsTerminal) -> Self {
        let choice = COLOR.get().copied().unwrap_or_default();
        if !stream.is_terminal() {
            return Self { color: choice == Color::Always, ..Self::PLAIN };
        }
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let color = match choice {
            Color::Auto => set("NO_COLOR").is_none() && set("TERM").is_none_or(|term| term != "dumb"),
            Color::Always => true,
            Color::Never => false,
        };
        let columns = size().map_or(Self::PLAIN.width, |(columns, _)| columns);
        Self { width: columns.clamp(40, 100), source_width: columns.max(40), color }
    }
}

/// Returns the current columns and rows of the terminal that this process writes to; `None` without a terminal.
#[must_use]
pub fn size() -> Option<(usize, usize)> {
    terminal_size::terminal_size().map(|(columns, rows)| (usize::from(columns.0), usize::from(rows.0)))
}

/// A writer to a stream that its reader may close early, as `head` does. Later output is then dropped, without an effect on the
/// exit code. The text is written unchanged: [`plain`] replaces control characters.
#[derive(Debug)]
pub struct PipeWriter<W> {
    to: W,
    closed: bool,
}

impl<W: Write> PipeWriter<W> {
    /// Creates a writer to `to`.
    pub const fn new(to: W) -> Self {
        Self { to, closed: false }
    }

    fn unless_closed<T>(&mut self, done: T, write: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        if self.closed {
            return Ok(done);
        }
        match write(&mut self.to) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(done)
            }
            other => other,
        }
    }
}

impl<W: Write> Write for PipeWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |to| to.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), Write::flush)
    }
}

/// Writes the unified diff of two texts.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub fn difference(old: &str, new: &str, out: &mut dyn Write) -> io::Result<()> {
    // Longer texts get one hunk, because the time for a diff is proportional to the number of lines times the number of changes.
    const MOST: usize = 2_000;
    let lines = |text: &str| text.lines().count();
    if lines(old).max(lines(new)) > MOST {
        return one_hunk(old, new, out);
    }
    let patch = DiffOptions::new()
        .set_original_filename("before")
        .set_modified_filename("after")
        .create_patch(old, new);
    write!(out, "{}", plain(&patch.to_string()))
}

/// Writes the diff of long texts as one hunk, from the first line that differs to the last.
fn one_hunk(old: &str, new: &str, out: &mut dyn Write) -> io::Result<()> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let start = old.iter().zip(&new).take_while(same).count();
    let end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(same).count();
    let (gone, come) = (&old[start..old.len() - end], &new[start..new.len() - end]);
    writeln!(out, "--- before\n+++ after")?;
    if gone.is_empty() && come.is_empty() {
        return writeln!(out, "only line endings differ");
    }
    writeln!(out, "@@ -{},{} +{},{} @@", start + 1, gone.len(), start + 1, come.len())?;
    let marked = gone.iter().map(|line| ('-', line)).chain(come.iter().map(|line| ('+', line)));
    for (mark, line) in marked {
        writeln!(out, "{mark}{}", plain(line))?;
    }
    Ok(())
}

/// Replaces control characters and bidirectional formatting characters. Each replacement has the same length in UTF-8, so that
/// spans remain valid. Tabs and line ends are kept.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(|c| c == '\r' || is_control(c)) {
        return Cow::Borrowed(text);
    }
    let mut rest = text.chars().peekable();
    let mut shown = String::with_capacity(text.len());
    while let Some(c) = rest.next() {
        // A carriage return without a newline would overwrite the line on a terminal, so it is replaced too.
        let overwrites = c == '\r' && rest.peek() != Some(&'\n');
        shown.push(match c.len_utf8() {
            _ if !overwrites && !is_control(c) => c,
            1 => '?',
            2 => '\u{bf}',
            _ => char::REPLACEMENT_CHARACTER,
        });
    }
    Cow::Owned(shown)
}

/// Returns a text in one line: names of files and revisions may contain line breaks.
pub fn one_line(text: &str) -> String {
    plain(text).replace(['\n', '\r'], "?")
}

/// Returns a JSON text with escapes for all characters that [`plain`] replaces.
#[must_use]
pub fn escaped_json(json: &str) -> Cow<'_, str> {
    if !json.contains(is_control) {
        return Cow::Borrowed(json);
    }
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if is_control(c) {
            let mut units = [0; 2];
            text.extend(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            text.push(c);
        }
    }
    Cow::Owned(text)
}

fn is_control(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => false,
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => true,
        _ => c.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Closed;

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(ErrorKind::BrokenPipe.into())
        }
    }

    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn every_difference_is_shown_however_long_the_text_is() {
        for lines in [3, 3_000] {
            let old = "a\n".repeat(lines);
            for new in [
                old.replace('\n', "\r\n"),
                old.trim_end().to_owned(),
                old.replacen('a', "b", 1),
                format!("{old}c\n"),
            ] {
                let mut shown = Vec::new();
                difference(&old, &new, &mut shown).unwrap();
                let shown = String::from_utf8(shown).unwrap();
                assert!(shown.lines().count() > 2, "{lines} lines: {shown}");
            }
        }
    }

    #[test]
    fn a_closed_pipe_is_no_error() {
        let mut tap = PipeWriter::new(Closed);
        assert!(tap.write_all(b"words").is_ok());
        assert!(tap.flush().is_ok());
    }

    #[test]
    fn a_full_disk_is_an_error() {
        assert!(PipeWriter::new(Full).write_all(b"words").is_err());
    }

    #[test]
    fn control_characters_lose_their_power_and_keep_their_length() {
        let nasty = "a\u{1b}[31m\u{9b}b\u{202e}c\rd\t\r\n";
        let shown = plain(nasty);
        assert_eq!(shown, "a?[31m\u{bf}b\u{fffd}c?d\t\r\n");
        assert_eq!(shown.len(), nasty.len());
        assert!(matches!(plain("é \u{1f600}"), Cow::Borrowed(_)));
    }
}
