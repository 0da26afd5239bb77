//! Where the words go: a terminal, a file or a pipe that may close; none is sent what could take it over.
use diffy::DiffOptions;
use std::borrow::Cow;
use std::io::{self, ErrorKind, IsTerminal, Write};

/// How text for a person is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextStyle {
    /// Columns.
    pub width: usize,
    /// Columns of a source line; a longer one is cut around what is marked.
    pub source_width: usize,
    /// Whether colors are welcome.
    pub color: bool,
}

impl TextStyle {
    /// Style of files and pipes: text wraps at 80 columns, source lines are cut at 140, no color.
    pub const PLAIN: Self = Self { width: 80, source_width: 140, color: false };

    /// Returns the style for a stream. On a terminal: its own width (text wraps at 100 columns at most), and color unless
    /// `NO_COLOR` is set.
    #[must_use]
    pub fn of(stream: &impl IsTerminal) -> Self {
        if !stream.is_terminal() {
            return Self::PLAIN;
        }
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let color = set("NO_COLOR").is_none() && set("TERM").is_none_or(|term| term != "dumb");
        let columns = size().map_or(Self::PLAIN.width, |(columns, _)| columns);
        Self { width: columns.clamp(40, 100), source_width: columns.max(40), color }
    }
}

/// Columns and rows of the terminal that this process writes to, as they are now; nothing where there is none.
#[must_use]
pub fn size() -> Option<(usize, usize)> {
    terminal_size::terminal_size().map(|(columns, rows)| (usize::from(columns.0), usize::from(rows.0)))
}

/// A stream that a reader may close, as `head` does: what comes later is dropped, and the exit code stays what it is.
#[derive(Debug)]
pub struct SanitizingWriter<W> {
    to: W,
    closed: bool,
}

impl<W: Write> SanitizingWriter<W> {
    /// Writes to `to` for as long as it is read.
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

impl<W: Write> Write for SanitizingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |to| to.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), Write::flush)
    }
}

/// Shows what changes between two texts, line by line.
///
/// # Errors
/// Those of `out`.
pub fn difference(old: &str, new: &str, out: &mut dyn Write) -> io::Result<()> {
    // The time of a comparison is the lines times the changes.
    const MOST: usize = 2_000;
    let lines = |text: &str| text.lines().count();
    if lines(old).max(lines(new)) > MOST {
        return whole(old, new, out);
    }
    let patch = DiffOptions::new()
        .set_original_filename("before")
        .set_modified_filename("after")
        .create_patch(old, new);
    write!(out, "{}", plain(&patch.to_string()))
}

/// The same for long texts: one hunk, from the first line that differs to the last.
fn whole(old: &str, new: &str, out: &mut dyn Write) -> io::Result<()> {
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

/// `text` without the characters that a terminal obeys or that turn the order of others around. Each is replaced by
/// one of the same length in UTF-8, so that spans stay true. A tab and the ends of lines are kept.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(|c| c == '\r' || obeyed(c)) {
        return Cow::Borrowed(text);
    }
    let mut rest = text.chars().peekable();
    let mut shown = String::with_capacity(text.len());
    while let Some(c) = rest.next() {
        // Alone it would put what follows over what stands before it.
        let overwrites = c == '\r' && rest.peek() != Some(&'\n');
        shown.push(match c.len_utf8() {
            _ if !overwrites && !obeyed(c) => c,
            1 => '?',
            2 => '\u{bf}',
            _ => char::REPLACEMENT_CHARACTER,
        });
    }
    Cow::Owned(shown)
}

fn obeyed(c: char) -> bool {
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
        let mut tap = SanitizingWriter::new(Closed);
        assert!(tap.write_all(b"words").is_ok());
        assert!(tap.flush().is_ok());
    }

    #[test]
    fn a_full_disk_is_an_error() {
        assert!(SanitizingWriter::new(Full).write_all(b"words").is_err());
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
