//! The differences between two texts, by lines.
use std::ops::Range;

/// A part of the old text, and what replaces it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    /// Bytes of whole lines in the old text.
    pub old: Range<usize>,
    /// The new lines.
    pub new: String,
}

/// Maximum size of the table of a comparison. A larger part of a text is compared line by line, or replaced as a whole.
const MAX_COMPARED: usize = 4_000_000;

/// Returns the changed lines, in order. Lines that occur in both texts are not changed.
pub(super) fn changes(old: &str, new: &str) -> Vec<Change> {
    let (a, b): (Vec<&str>, Vec<&str>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let head = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let most = a.len().min(b.len()) - head;
    let tail = a.iter().rev().zip(b.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let (middle_a, middle_b) = (&a[head..a.len() - tail], &b[head..b.len() - tail]);
    let mut all = Vec::new();
    let mut byte = a[..head].iter().map(|line| line.len()).sum::<usize>();
    for (old, new) in groups(middle_a, middle_b, |a, b| a == b) {
        if old.len() == new.len() {
            byte = line_by_line(old, new, byte, &mut all);
            continue;
        }
        // Some of these lines are split or joined. Those that only move to another column are changed on their own.
        for (old, new) in groups(old, new, |a, b| a.trim() == b.trim()) {
            if old.len() == new.len() {
                byte = line_by_line(old, new, byte, &mut all);
                continue;
            }
            let end = byte + old.iter().map(|line| line.len()).sum::<usize>();
            all.push(Change { old: byte..end, new: new.concat() });
            byte = end;
        }
    }
    all
}

/// Adds the changed lines of two lists of the same length. `byte`: offset of the first old line. Returns the offset after the last one.
fn line_by_line(old: &[&str], new: &[&str], mut byte: usize, changes: &mut Vec<Change>) -> usize {
    for (old, new) in old.iter().zip(new) {
        if old != new {
            changes.push(Change { old: byte..byte + old.len(), new: (*new).to_owned() });
        }
        byte += old.len();
    }
    byte
}

/// Lines of the old text, and the lines of the new text that replace them.
type Group<'l, 't> = (&'l [&'t str], &'l [&'t str]);

/// Splits two lists of lines into groups of equal lines and of changed lines, in order. `is_same`: whether two lines are equal.
fn groups<'l, 't>(
    a: &'l [&'t str],
    b: &'l [&'t str],
    is_same: impl Fn(&str, &str) -> bool,
) -> Vec<Group<'l, 't>> {
    if a.len().saturating_mul(b.len()) > MAX_COMPARED {
        return vec![(a, b)];
    }
    // `common[i][j]`: number of lines that `a[i..]` and `b[j..]` have in common.
    let width = b.len() + 1;
    let mut common = vec![0_u16; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i * width + j] = if is_same(a[i], b[j]) {
                common[(i + 1) * width + j + 1].saturating_add(1)
            } else {
                common[(i + 1) * width + j].max(common[i * width + j + 1])
            };
        }
    }
    let (mut groups, mut i, mut j) = (Vec::new(), 0, 0);
    while i < a.len() || j < b.len() {
        let (from_i, from_j) = (i, j);
        while i < a.len() && j < b.len() && is_same(a[i], b[j]) {
            (i, j) = (i + 1, j + 1);
        }
        if i > from_i {
            groups.push((&a[from_i..i], &b[from_j..j]));
        }
        let (from_i, from_j) = (i, j);
        while (i < a.len() || j < b.len()) && !(i < a.len() && j < b.len() && is_same(a[i], b[j])) {
            let down =
                i < a.len() && (j == b.len() || common[(i + 1) * width + j] >= common[i * width + j + 1]);
            (i, j) = if down { (i + 1, j) } else { (i, j + 1) };
        }
        groups.push((&a[from_i..i], &b[from_j..j]));
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(old: &str, changes: &[Change]) -> String {
        let mut text = old.to_owned();
        for change in changes.iter().rev() {
            text.replace_range(change.old.clone(), &change.new);
        }
        text
    }

    #[test]
    fn only_changed_lines_are_replaced() {
        for (old, new, wanted) in [
            ("a\nb\nc\n", "a\nb\nc\n", 0),
            ("a\n  b\nc\n  d\n", "a\nb\nc\nd\n", 2),
            ("a\nb\nc\nd", "a\nc\nd\n", 2),
            ("", "a\n", 1),
            ("a\n", "", 1),
            ("x\na\nb\n", "a\ny\nb\nz\n", 3),
            ("  a\n  b\n", "a\nb\n", 2),
            // A line is split, and the lines around it move.
            (" a\n b; c\n d\n e\n", "  a\n  b\n  c\n  d\n  e\n", 4),
        ] {
            let changes = changes(old, new);
            assert_eq!(applied(old, &changes), new);
            assert_eq!(changes.len(), wanted, "{old:?} {new:?} {changes:?}");
        }
    }

    #[test]
    fn large_texts_are_compared_too() {
        let old = "  a\n".repeat(3_000);
        let new = "a\n".repeat(3_000);
        assert_eq!(applied(&old, &changes(&old, &new)), new);
        assert_eq!(applied(&old, &changes(&old, "b\n")), "b\n");
    }
}
