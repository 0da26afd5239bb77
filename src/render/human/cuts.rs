//! Long source lines, cut around the marked ranges.
use std::ops::Range;

/// Text that replaces a removed part of a line.
const ELLIPSIS: &str = "…";

/// Removed parts of a text, ascending.
#[derive(Debug, Default)]
pub(super) struct Cuts(Vec<Cut>);

#[derive(Debug)]
struct Cut {
    /// Removed bytes of the source.
    removed: Range<usize>,
    /// Whether the start of a line is removed. Otherwise, its end is removed.
    head: bool,
}

impl Cuts {
    /// Cuts one line to `width` columns if it is longer. Lines must be cut in ascending order. `marks`: the marked ranges, the
    /// primary one first.
    pub fn cut(&mut self, text: &str, line: Range<usize>, marks: &[Range<usize>], width: usize) {
        if columns(&text[line.clone()]) <= width {
            return;
        }
        let on_line = |mark: &&Range<usize>| mark.start <= line.end && mark.end >= line.start;
        let clipped = |mark: &Range<usize>| mark.start.max(line.start)..mark.end.min(line.end);
        let mut marked = marks.iter().filter(on_line).map(clipped);
        let first = marked.next();
        let all = marked
            .fold(first.clone(), |all, one| all.map(|all| all.start.min(one.start)..all.end.max(one.end)));
        // If the marks are too far apart, only the first one is kept, because it is the primary one.
        let marked = all.filter(|all| columns(&text[all.clone()]) <= width).or(first);
        let kept = window(text, &line, marked, width.saturating_sub(2 * ELLIPSIS.chars().count()));
        if kept.start > line.start {
            self.0.push(Cut { removed: line.start..kept.start, head: true });
        }
        if kept.end < line.end {
            self.0.push(Cut { removed: kept.end..line.end, head: false });
        }
    }

    /// Returns the text without the removed parts; `None` if there are none.
    pub fn apply(&self, text: &str) -> Option<String> {
        let mut shown = String::new();
        let mut from = 0;
        for cut in &self.0 {
            shown.push_str(&text[from..cut.removed.start]);
            shown.push_str(ELLIPSIS);
            from = cut.removed.end;
        }
        shown.push_str(&text[from..]);
        (!self.0.is_empty()).then_some(shown)
    }

    /// Maps a byte of the source to a byte of the cut text. A removed byte maps to the nearest byte that is kept.
    pub fn to_shown(&self, byte: usize) -> usize {
        let mut shown = byte;
        for cut in self.0.iter().filter(|cut| cut.removed.start < byte) {
            let gone = cut.removed.end.min(byte) - cut.removed.start;
            shown -= gone;
            if cut.head || byte >= cut.removed.end {
                shown += ELLIPSIS.len();
            }
        }
        shown
    }

    /// Maps a byte of the cut text to a byte of the source.
    pub fn to_source(&self, shown: usize) -> usize {
        let mut byte = shown;
        for cut in self.0.iter() {
            if cut.removed.start + ELLIPSIS.len() <= byte {
                byte = byte + cut.removed.len() - ELLIPSIS.len();
            }
        }
        byte
    }
}

/// Returns the part of a line to keep: `width` columns with the marked range in the middle. If the marked range is longer, only its
/// start is kept.
fn window(text: &str, line: &Range<usize>, marked: Option<Range<usize>>, width: usize) -> Range<usize> {
    let Some(marked) = marked else { return line.start..forward(text, line.start, line.end, width) };
    let margin = width.saturating_sub(columns(&text[marked.clone()])).max(width / 5) / 2;
    let start = backward(text, marked.start, line.start, margin);
    let end = forward(text, start, line.end, width);
    // If the line ends before the width is used up, the rest of the width is used before the marked range.
    let rest = width.saturating_sub(columns(&text[start..end]));
    backward(text, start, line.start, rest)..end
}

/// Returns the position at most `width` columns after `from`, and not after `end`.
fn forward(text: &str, from: usize, end: usize, width: usize) -> usize {
    let mut used = 0;
    let over = text[from..end].char_indices().find(|(_, c)| {
        used += column(*c);
        used > width
    });
    over.map_or(end, |(at, _)| from + at)
}

/// Returns the position at most `width` columns before `from`, and not before `start`.
fn backward(text: &str, from: usize, start: usize, width: usize) -> usize {
    let mut used = 0;
    let over = text[start..from].char_indices().rev().find(|(_, c)| {
        used += column(*c);
        used > width
    });
    over.map_or(start, |(at, c)| start + at + c.len_utf8())
}

fn columns(text: &str) -> usize {
    text.chars().map(column).sum()
}

/// Returns the maximum number of columns of a character on a terminal. A tab is drawn as four columns.
const fn column(c: char) -> usize {
    match c {
        '\t' => 4,
        c if c.is_ascii() => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the only line of the text, cut to 20 columns, with brackets around the marks.
    fn cut(text: &str, marks: &[(usize, usize)]) -> String {
        let marks: Vec<_> = marks.iter().map(|(start, end)| *start..*end).collect();
        let mut cuts = Cuts::default();
        cuts.cut(text, 0..text.len(), &marks, 20);
        let mut shown = cuts.apply(text).unwrap_or_else(|| text.to_owned());
        for mark in marks.iter().rev() {
            let removed = cuts.0.iter().any(|cut| cut.removed.contains(&mark.start));
            assert!(removed || cuts.to_source(cuts.to_shown(mark.start)) == mark.start);
            shown.insert(cuts.to_shown(mark.end), ']');
            shown.insert(cuts.to_shown(mark.start), '[');
        }
        shown
    }

    #[test]
    fn a_long_line_is_cut_around_its_marks() {
        let text = "0123456789abcdefghijklmnopqrstuvwxyz";
        assert_eq!(cut("0123456789abcdefghij", &[(3, 5)]), "012[34]56789abcdefghij");
        assert_eq!(cut(text, &[]), "0123456789abcdefgh…");
        assert_eq!(cut(text, &[(0, 2)]), "[01]23456789abcdefgh…");
        assert_eq!(cut(text, &[(18, 20)]), "…abcdefgh[ij]klmnopqr…");
        assert_eq!(cut(text, &[(34, 36)]), "…ijklmnopqrstuvwx[yz]");
        assert_eq!(cut(text, &[(16, 17), (20, 21)]), "…abcdef[g]hij[k]lmnopqr…");
        assert_eq!(cut(text, &[(10, 36)]), "…9[abcdefghijklmnopq…]");
        assert_eq!(cut(text, &[(33, 35), (2, 3)]), "…[]ijklmnopqrstu[vw]xyz");
        assert_eq!(cut("éééééééééééééé", &[(14, 16)]), "…éééé[é]éééé…");
    }
}
