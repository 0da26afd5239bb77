//! Automatic fixes: combines the fixes of all findings without overlaps.
use crate::Batch;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use tfjob_lang::diagnostic::{Diagnostic, Edit};
use tfjob_lang::sources::{Format, Sources};

/// The replacement of a byte range of a file by `text`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Change<'a> {
    start: usize,
    end: usize,
    text: &'a str,
}

impl Change<'_> {
    /// Returns whether the changes overlap, insert at the same position, or insert directly before or after the new text of the
    /// other: two fixes could each add a block.
    fn clashes(&self, other: &Self) -> bool {
        let inserts = self.start == self.end || other.start == other.end;
        let touches = self.start == other.end || self.end == other.start;
        let both = !self.text.trim().is_empty() && !other.text.trim().is_empty();
        (self.start < other.end && other.start < self.end)
            || inserts && (self.start == other.start || touches && both)
    }
}

/// The old and the new text of a file.
pub type Changed = (String, String);

/// Applies automatic fixes to the files for which `may` returns true. Returns the changed files by name, and the names of the
/// other files with fixes.
///
/// Suggestions, and the fixes of a finding with several fixes, are not applied. All edits of a fix are applied, or none. If
/// two fixes overlap, the fix of the earlier finding is applied. The caller checks the new texts and may apply fixes again.
#[must_use]
pub fn apply(batches: &[Batch], may: &dyn Fn(&str) -> bool) -> (BTreeMap<String, Changed>, BTreeSet<String>) {
    let mut left = BTreeSet::new();
    let mut texts: BTreeMap<&str, &str> = BTreeMap::new();
    let mut changes: BTreeMap<&str, Vec<Change>> = BTreeMap::new();
    for Batch { sources, diagnostics } in batches {
        for source in sources.iter() {
            // If a file changed between two reads, `sources` contains both texts. Only the fixes of the first text are applied,
            // because positions in one text do not apply to the other.
            texts.entry(&source.name).or_insert(&source.text);
        }
        for edits in diagnostics.iter().filter_map(only_fix) {
            let wanted: Option<Vec<_>> = edits.iter().map(|edit| change(sources, edit, &texts)).collect();
            let Some(wanted) = wanted else { continue };
            let others: Vec<&str> = wanted.iter().map(|(file, _)| *file).filter(|file| !may(file)).collect();
            if !others.is_empty() {
                left.extend(others.into_iter().map(str::to_owned));
                continue;
            }
            let fits = |(file, change): &(&str, Change)| {
                changes.get(file).is_none_or(|made| made.iter().all(|other| !change.clashes(other)))
            };
            if wanted.iter().all(fits) {
                wanted.into_iter().for_each(|(file, change)| changes.entry(file).or_default().push(change));
            }
        }
    }
    let made = changes.into_iter().map(|(file, made)| {
        let old = texts[file];
        (file.to_owned(), (old.to_owned(), edited(old, made)))
    });
    (made.collect(), left)
}

fn only_fix(diagnostic: &Diagnostic) -> Option<&[Edit]> {
    match diagnostic.fixes.as_slice() {
        [only] if only.is_automatic() && !only.edits.is_empty() => Some(&only.edits),
        _ => None,
    }
}

fn change<'a>(
    sources: &'a Sources,
    edit: &'a Edit,
    texts: &BTreeMap<&str, &str>,
) -> Option<(&'a str, Change<'a>)> {
    // An edit in a `--set` argument cannot be applied, because it is not in a file.
    let source = sources.find(edit.span).filter(|source| source.format != Format::Set)?;
    texts.get(source.name.as_str()).filter(|text| **text == source.text)?;
    let range = source.local(edit.span);
    source.text.get(range.clone())?;
    Some((&source.name, Change { start: range.start, end: range.end, text: &edit.text }))
}

fn edited(text: &str, mut changes: Vec<Change>) -> String {
    changes.sort();
    let mut text = text.to_owned();
    let is_crlf = ends_with_crlf(&text);
    for change in changes.iter().rev() {
        let new = if is_crlf { Cow::Owned(with_crlf(change.text)) } else { Cow::Borrowed(change.text) };
        text.replace_range(change.start..change.end, &new);
    }
    text
}

/// Returns whether the lines of a text end with `\r\n`: the first line decides.
#[must_use]
pub fn ends_with_crlf(text: &str) -> bool {
    text.find('\n').is_some_and(|at| text[..at].ends_with('\r'))
}

/// Returns a text with `\r\n` at the end of each line.
#[must_use]
pub fn with_crlf(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tfjob_lang::codes::SYNTAX;
    use tfjob_lang::diagnostic::Fix;
    use tfjob_lang::sources::{Format, Span};

    fn batch(text: &str, fixes: &[(u32, u32, &str)]) -> Batch {
        let mut sources = Sources::default();
        sources.add("a", Format::Kdl, text);
        let diagnostics = fixes
            .iter()
            .map(|(start, end, with)| {
                let span = Span::new(*start, *end);
                Diagnostic::new(&SYNTAX, span, "a fact").fix(Fix::replace(span, *with))
            })
            .collect();
        Batch { sources, diagnostics }
    }

    fn text(batches: &[Batch]) -> String {
        apply(batches, &|_| true).0.remove("a").unwrap_or_default().1
    }

    #[test]
    fn edits_are_applied_at_their_original_positions() {
        assert_eq!(text(&[batch("one two three", &[(8, 13, "3"), (0, 3, "first"), (4, 7, "")])]), "first  3");
    }

    #[test]
    fn of_two_overlapping_fixes_the_first_is_applied() {
        assert_eq!(text(&[batch("abcdef", &[(1, 4, "X"), (3, 5, "Y"), (4, 5, "Z")])]), "aXZf");
    }

    #[test]
    fn of_two_insertions_at_one_position_one_is_applied() {
        assert_eq!(text(&[batch("ab", &[(1, 1, "x"), (1, 1, "y"), (1, 2, "z")])]), "axb");
    }

    #[test]
    fn of_an_insertion_and_a_replacement_next_to_it_one_is_applied() {
        assert_eq!(text(&[batch("abcd", &[(1, 3, "x"), (3, 3, "y"), (1, 1, "z")])]), "axd");
        assert_eq!(text(&[batch("abcd", &[(3, 3, "y"), (1, 3, "x"), (3, 4, "")])]), "abcyd");
        assert_eq!(text(&[batch("abcd", &[(1, 3, "x"), (3, 4, "y")])]), "axy");
        assert_eq!(text(&[batch("abcd", &[(1, 3, ""), (3, 3, "y")])]), "ayd");
    }

    #[test]
    fn all_edits_of_a_fix_are_applied_or_none() {
        let mut one = batch("abcdef", &[(2, 3, "C")]);
        let first = Edit { span: Span::new(0, 1), text: "A".into() };
        let two = Fix::of("both", vec![first, Edit { span: Span::new(2, 3), text: "X".into() }]);
        one.diagnostics.push(Diagnostic::new(&SYNTAX, Span::new(0, 1), "a fact").fix(two));
        assert_eq!(text(&[one]), "abCdef");
    }

    #[test]
    fn a_file_that_was_not_named_is_left_alone() {
        let (made, left) = apply(&[batch("ab", &[(0, 1, "x")])], &|name| name == "b");
        assert_eq!((made.len(), left.into_iter().collect::<Vec<_>>()), (0, vec!["a".to_owned()]));
    }

    #[test]
    fn a_finding_with_several_fixes_is_not_fixed() {
        let mut one = batch("ab", &[(0, 1, "x")]);
        one.diagnostics[0].fixes.push(Fix::replace(Span::new(0, 1), "y"));
        assert!(apply(&[one], &|_| true).0.is_empty());
    }

    #[test]
    fn a_suggestion_is_not_applied() {
        let mut one = batch("ab", &[]);
        let told = Diagnostic::new(&SYNTAX, Span::new(0, 1), "a fact");
        one.diagnostics.push(told.suggest(Fix::replace(Span::new(0, 1), "y")));
        assert!(apply(&[one], &|_| true).0.is_empty());
    }

    #[test]
    fn a_file_that_was_saved_between_two_readings_is_changed_as_it_was_read_first() {
        let batches = [batch("ab", &[(0, 1, "x")]), batch("// new\nab", &[(7, 8, "x")])];
        let (made, _) = apply(&batches, &|_| true);
        assert_eq!(made["a"], ("ab".to_owned(), "xb".to_owned()));
    }

    #[test]
    fn a_file_that_two_specs_share_is_changed_once() {
        assert_eq!(text(&[batch("ab", &[(0, 1, "xx")]), batch("ab", &[(0, 1, "xx")])]), "xxb");
    }
}
