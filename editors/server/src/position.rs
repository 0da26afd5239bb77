//! Conversion between byte offsets and the positions of LSP.
use lsp_types::{Position, Range};
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
        let units = match self {
            Self::Utf8 => text.len(),
            Self::Utf16 => text.encode_utf16().count(),
        };
        u32::try_from(units).unwrap_or(u32::MAX)
    }

    /// Returns the byte offset of a column in a line; the end of the line if the column is after it.
    fn byte(self, line: &str, column: u32) -> usize {
        let mut left = column;
        for (byte, c) in line.char_indices() {
            let units = match self {
                Self::Utf8 => c.len_utf8(),
                Self::Utf16 => c.len_utf16(),
            } as u32;
            if left < units {
                return byte;
            }
            left -= units;
        }
        line.len()
    }
}

/// Offsets of the first byte of each line of a text. As in LSP, a line ends with `\n`, `\r\n`, or `\r`.
#[derive(Debug, Clone, Default)]
pub struct Lines(Vec<usize>);

impl Lines {
    /// Finds the lines of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self(std::iter::once(0).chain(ends(text, 0..text.len())).collect())
    }

    /// Finds the changed lines of a text in which `old`, a byte range of the text before, was replaced by `inserted` bytes. The
    /// other lines are not read again, because an editor may send thousands of changes together.
    pub fn replace(&mut self, text: &str, old: ops::Range<usize>, inserted: usize) {
        // The line before and the line after may change too: a `\r` may get or lose its `\n`.
        let first = self.0.partition_point(|start| *start <= old.start).saturating_sub(2);
        let last = (self.0.partition_point(|start| *start <= old.end) + 1).min(self.0.len());
        let moved = |byte: usize| byte - old.end + old.start + inserted;
        let to = self.0.get(last).map_or(text.len(), |start| moved(*start));
        let start = self.0.get(first).copied().unwrap_or_default();
        let mut changed: Vec<usize> = std::iter::once(start).chain(ends(text, start..to)).collect();
        if last < self.0.len() {
            // The last offset is the start of the first line that is not read again.
            changed.pop();
        }
        self.0[last..].iter_mut().for_each(|start| *start = moved(*start));
        drop(self.0.splice(first..last, changed));
    }

    /// Returns the position of a byte offset.
    #[must_use]
    pub fn position(&self, text: &str, byte: usize, encoding: Encoding) -> Position {
        let byte = text.floor_char_boundary(byte.min(text.len()));
        let line = self.0.partition_point(|start| *start <= byte) - 1;
        let before = text.get(self.0[line]..byte).unwrap_or_default();
        Position::new(u32::try_from(line).unwrap_or(u32::MAX), encoding.length(before))
    }

    /// Converts a byte range to a range of positions.
    #[must_use]
    pub fn range(&self, text: &str, bytes: ops::Range<usize>, encoding: Encoding) -> Range {
        Range::new(self.position(text, bytes.start, encoding), self.position(text, bytes.end, encoding))
    }

    /// Returns the byte offset of a position. A position after the end of its line or of the text means that end.
    #[must_use]
    pub fn byte(&self, text: &str, position: Position, encoding: Encoding) -> usize {
        let Some(&start) = self.0.get(position.line as usize) else { return text.len() };
        let end = self.0.get(position.line as usize + 1).copied().unwrap_or(text.len());
        let line = text.get(start..end).unwrap_or_default().trim_end_matches(['\n', '\r']);
        start + encoding.byte(line, position.character)
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
                    assert_eq!(lines.0, Lines::of(&text).0, "{before:?} {start}..{end} {new:?}");
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
