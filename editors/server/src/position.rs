//! Conversion between byte offsets and the positions of LSP.
use lsp_types::{Position, Range};
use std::cell::OnceCell;
use std::ops;

/// Unit of the column of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// Bytes of UTF-8.
    Utf8,
    /// Code units of UTF-16: the default of the protocol.
    #[default]
    Utf16,
}

impl Encoding {
    /// Returns the length of a text in this unit.
    #[must_use]
    pub fn length(self, text: &str) -> u32 {
        number(match self {
            Self::Utf8 => text.len(),
            Self::Utf16 => units(text),
        })
    }
}

fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Returns the number of UTF-16 code units of a text: one per character, and one more per character of four bytes.
fn units(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.bytes().map(|byte| usize::from(byte & 0xc0 != 0x80) + usize::from(byte >= 0xf0)).sum()
}

/// Returns the offset after this number of UTF-16 code units; the end of the line if it has fewer.
fn after_units(line: &str, units: usize) -> usize {
    let mut left = units;
    for (byte, c) in line.char_indices() {
        if left < c.len_utf16() {
            return byte;
        }
        left -= c.len_utf16();
    }
    line.len()
}

/// Length of a part of a text for which the code units are counted together.
const PART: usize = 256;

/// Offsets of the first byte of each line of a text. As in LSP, a line ends with `\n`, `\r\n`, or `\r`.
#[derive(Debug, Clone, Default)]
pub struct Lines {
    starts: Vec<usize>,
    /// The number of UTF-16 code units before each part of the text. Counted only if the text has a long line: otherwise, each position
    /// in this line would count them from its start.
    units: OnceCell<Vec<usize>>,
}

impl Lines {
    /// Finds the lines of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let starts = std::iter::once(0).chain(ends(text, 0..text.len())).collect();
        Self { starts, units: OnceCell::new() }
    }

    /// Finds the changed lines of a text in which `old`, a byte range of the text before, was replaced by `inserted` bytes. The
    /// other lines are not read again, because an editor may send thousands of changes together.
    pub fn replace(&mut self, text: &str, old: ops::Range<usize>, inserted: usize) {
        self.units.take();
        // The line before and the line after may change too: a `\r` may get or lose its `\n`.
        let first = self.starts.partition_point(|start| *start <= old.start).saturating_sub(2);
        let last = (self.starts.partition_point(|start| *start <= old.end) + 1).min(self.starts.len());
        let moved = |byte: usize| byte - old.end + old.start + inserted;
        let to = self.starts.get(last).map_or(text.len(), |start| moved(*start));
        let start = self.starts.get(first).copied().unwrap_or_default();
        let mut changed: Vec<usize> = std::iter::once(start).chain(ends(text, start..to)).collect();
        if last < self.starts.len() {
            // The last offset is the start of the first line that is not read again.
            changed.pop();
        }
        self.starts[last..].iter_mut().for_each(|start| *start = moved(*start));
        drop(self.starts.splice(first..last, changed));
    }

    /// Returns the line of a byte offset, from 0.
    #[must_use]
    pub fn line(&self, byte: usize) -> u32 {
        number(self.starts.partition_point(|start| *start <= byte).saturating_sub(1))
    }

    /// Returns the offset of the first byte of a line; the start of the text if there is no such line.
    #[must_use]
    pub fn start(&self, line: u32) -> usize {
        self.starts.get(line as usize).copied().unwrap_or_default()
    }

    /// Returns the position of a byte offset.
    #[must_use]
    pub fn position(&self, text: &str, byte: usize, encoding: Encoding) -> Position {
        let byte = text.floor_char_boundary(byte.min(text.len()));
        let line = self.line(byte);
        Position::new(line, number(self.length(text, self.start(line)..byte, encoding)))
    }

    /// Returns the length of a part of a text in the unit of columns.
    fn length(&self, text: &str, bytes: ops::Range<usize>, encoding: Encoding) -> usize {
        match encoding {
            Encoding::Utf8 => bytes.len(),
            Encoding::Utf16 if bytes.len() <= PART => units(text.get(bytes).unwrap_or_default()),
            Encoding::Utf16 => self.units_before(text, bytes.end) - self.units_before(text, bytes.start),
        }
    }

    /// Returns the number of UTF-16 code units before an offset.
    fn units_before(&self, text: &str, byte: usize) -> usize {
        let part = byte / PART;
        let before = self.units(text).get(part).copied().unwrap_or_default();
        before + units(text.get(text.floor_char_boundary(part * PART)..byte).unwrap_or_default())
    }

    /// Returns the number of UTF-16 code units before each part of a text. A character between two parts belongs to the second one.
    fn units(&self, text: &str) -> &[usize] {
        self.units.get_or_init(|| {
            let bounds = (0..=text.len() / PART).map(|part| text.floor_char_boundary(part * PART));
            let parts = bounds.scan((0, 0), |(start, all), end| {
                *all += units(text.get(*start..end).unwrap_or_default());
                *start = end;
                Some(*all)
            });
            parts.collect()
        })
    }

    /// Converts a byte range to a range of positions.
    #[must_use]
    pub fn range(&self, text: &str, bytes: ops::Range<usize>, encoding: Encoding) -> Range {
        Range::new(self.position(text, bytes.start, encoding), self.position(text, bytes.end, encoding))
    }

    /// Returns the byte offset of a position. A position after the end of its line or of the text means that end.
    #[must_use]
    pub fn byte(&self, text: &str, position: Position, encoding: Encoding) -> usize {
        let Some(&start) = self.starts.get(position.line as usize) else { return text.len() };
        let end = self.starts.get(position.line as usize + 1).copied().unwrap_or(text.len());
        let line = text.get(start..end).unwrap_or_default().trim_end_matches(['\n', '\r']);
        let end = start + line.len();
        let column = position.character as usize;
        match encoding {
            Encoding::Utf8 => text.floor_char_boundary(start.saturating_add(column).min(end)),
            Encoding::Utf16 if line.len() <= PART => start + after_units(line, column),
            Encoding::Utf16 => {
                let wanted = self.units_before(text, start).saturating_add(column);
                let all = self.units(text);
                let part = all.partition_point(|before| *before <= wanted).saturating_sub(1);
                let from = text.floor_char_boundary(part * PART).clamp(start, end);
                from + after_units(&text[from..end], wanted - self.units_before(text, from))
            }
        }
    }

    /// Converts a range of positions to a byte range. If the end is before the start, the byte range is empty.
    #[must_use]
    pub fn bytes(&self, text: &str, range: Range, encoding: Encoding) -> ops::Range<usize> {
        let start = self.byte(text, range.start, encoding);
        start..self.byte(text, range.end, encoding).max(start)
    }
}

/// Returns the offset after each end of a line in a byte range of a text.
fn ends(text: &str, range: ops::Range<usize>) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let is_end = |at: &usize| match bytes[*at] {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    range.filter(is_end).map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All texts of up to six characters, with each replacement.
    #[test]
    fn lines_after_a_change_are_those_of_the_text() {
        let text_of = |mut number: usize, length: usize| -> String {
            (0..length)
                .map(|_| {
                    let c = ['a', '\r', '\n'][number % 3];
                    number /= 3;
                    c
                })
                .collect()
        };
        for before in (0..=6)
            .flat_map(|length| (0..3_usize.pow(length)).map(move |number| text_of(number, length as usize)))
        {
            for (start, end) in
                (0..=before.len()).flat_map(|start| (start..=before.len()).map(move |end| (start, end)))
            {
                for new in ["", "\n", "\r", "a\r\nb"] {
                    let mut text = before.clone();
                    text.replace_range(start..end, new);
                    let mut lines = Lines::of(&before);
                    lines.replace(&text, start..end, new.len());
                    assert_eq!(lines.starts, Lines::of(&text).starts, "{before:?} {start}..{end} {new:?}");
                }
            }
        }
    }

    #[test]
    fn columns_count_the_negotiated_unit() {
        let text = "a\r\n\u{1f600}é b\rc";
        let lines = Lines::of(text);
        let b = text.find('b').unwrap_or_default();
        assert_eq!(lines.position(text, b, Encoding::Utf16), Position::new(1, 4));
        assert_eq!(lines.position(text, b, Encoding::Utf8), Position::new(1, 7));
        assert_eq!(lines.position(text, text.len(), Encoding::Utf8), Position::new(2, 1));
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            for (byte, _) in text.char_indices().filter(|(byte, _)| *byte != 2) {
                let position = lines.position(text, byte, encoding);
                assert_eq!(lines.byte(text, position, encoding), byte, "{encoding:?}");
            }
        }
    }

    /// In long lines, the code units of parts of the text are counted only once.
    #[test]
    fn positions_in_long_lines_are_those_of_short_ones() {
        for unit in ["a", "é", "\u{1f600}", "a\u{1f600}é\u{2028}", "abcde\u{1f600}"] {
            let text = format!("first\n{}\nlast {}", unit.repeat(400), unit.repeat(300));
            let lines = Lines::of(&text);
            for encoding in [Encoding::Utf8, Encoding::Utf16] {
                let (mut line, mut column) = (0, 0);
                for (byte, c) in text.char_indices() {
                    let position = Position::new(line, column);
                    assert_eq!(lines.position(&text, byte, encoding), position, "{unit} {byte}");
                    assert_eq!(lines.byte(&text, position, encoding), byte, "{unit} {position:?}");
                    column += encoding.length(c.encode_utf8(&mut [0; 4]));
                    if c == '\n' {
                        (line, column) = (line + 1, 0);
                    }
                }
                assert_eq!(lines.byte(&text, Position::new(1, u32::MAX), encoding), 6 + unit.len() * 400);
                // Inside of a character.
                let inside = lines.byte(&text, Position::new(1, 1), encoding);
                assert!(text.is_char_boundary(inside), "{unit} {inside}");
            }
        }
    }

    #[test]
    fn a_position_outside_the_text_means_the_nearest_end() {
        let text = "ab\ncd";
        let lines = Lines::of(text);
        assert_eq!(lines.byte(text, Position::new(0, 9), Encoding::Utf16), 2);
        assert_eq!(lines.byte(text, Position::new(9, 0), Encoding::Utf16), 5);
        // In the middle of a surrogate pair.
        let pair = "\u{1f600}";
        assert_eq!(Lines::of(pair).byte(pair, Position::new(0, 1), Encoding::Utf16), 0);
    }
}
