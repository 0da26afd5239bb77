//! Finds the variables that a script reads, in one pass for all names.
use crate::resolve::rules::shell::{program, runs_other_text, unread};
use std::collections::BTreeMap;
use std::ops::Range;

/// Returns those variables that a script reads and for which `counts` returns true, each with its first position. A variable is
/// skipped if the script may set it, or handles its absence, as in `${NAME:-}` and `[ "$NAME" ]`.
pub(super) fn reads(script: &str, counts: impl Fn(&str) -> bool) -> Vec<(&str, usize)> {
    // A quoted here-document may be a script for another program, so a script with such a document is not checked.
    if script.contains("<<'") || script.contains("<<\"") {
        return Vec::new();
    }
    let words: Vec<(usize, &str)> = words(script).filter(|(_, name)| counts(name)).collect();
    // The scans below take longer. They are needed only if the script contains one of the variables.
    if words.is_empty() || runs_other_text(script) {
        return Vec::new();
    }
    let (unread, tests) = (unread(script), tests(script));
    // `None`: the script may set the variable, or handles its absence.
    let mut first: BTreeMap<&str, Option<usize>> = BTreeMap::new();
    for (at, name) in words {
        // Whether a comment (`true`) or a single-quoted string (`false`) contains the position.
        let quoted = containing(&unread, |(_, range)| range, at).map(|(comment, _)| *comment);
        match role_of(script, at, name, quoted) {
            Word::Other => {}
            Word::Read if containing(&tests, |range| range, at).is_none() => {
                first.entry(name).or_insert(Some(at));
            }
            Word::Read | Word::Handled => {
                first.insert(name, None);
            }
        }
    }
    first.into_iter().filter_map(|(name, at)| Some((name, at?))).collect()
}

/// What a word with the name of a variable is.
enum Word {
    /// A read of the variable.
    Read,
    /// A place that may set the variable, or that handles its absence.
    Handled,
    /// Text that is not related to the variable, such as a comment.
    Other,
}

/// Returns what the word at a position is. `quoted`: whether a comment (`true`) or a single-quoted string (`false`) contains the
/// word.
fn role_of(script: &str, at: usize, name: &str, quoted: Option<bool>) -> Word {
    let (before, after) = (&script[..at], &script[at + name.len()..]);
    let braced = before.ends_with("${");
    if !braced && !before.ends_with('$') {
        let part = before.ends_with(['-', '.', '/']) || quoted == Some(true);
        return if part { Word::Other } else { Word::Handled };
    }
    let before = &before[..at - if braced { 2 } else { 1 }];
    if before.ends_with('\\') || quoted.is_some() {
        return Word::Other;
    }
    let test = before.strip_suffix('"').unwrap_or(before);
    let default = braced && after.trim_start_matches(':').starts_with(['-', '+', '=']);
    if default || test.ends_with("-n ") || test.ends_with("-z ") { Word::Handled } else { Word::Read }
}

/// Returns the sequences of ASCII letters, digits, and underscores in a script, each with its position.
fn words(script: &str) -> impl Iterator<Item = (usize, &str)> {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = script.split(move |c| !part(c)).filter(|word| !word.is_empty());
    words.map(|word| (word.as_ptr() as usize - script.as_ptr() as usize, word))
}

/// Returns the entry with the range that contains a position. The ranges are sorted and do not overlap.
fn containing<T>(all: &[T], range: impl Fn(&T) -> &Range<usize>, at: usize) -> Option<&T> {
    let next = all.get(all.partition_point(|entry| range(entry).end <= at))?;
    (range(next).start <= at).then_some(next)
}

/// Returns the commands of a script that compare a value: `[`, `[[`, `test`, and the first line of `case`. In `[[ … ]]`, operators
/// do not end the command.
fn tests(script: &str) -> Vec<Range<usize>> {
    let last = script.rfind("]]");
    let (mut all, mut start) = (Vec::new(), 0);
    while let Some(rest) = script.get(start..).filter(|rest| !rest.is_empty()) {
        let end = rest.find(['\n', ';', '&', '|', '(', ')', '`']).map_or(script.len(), |end| start + end);
        let command: Vec<&str> = script[start..end].split_whitespace().collect();
        let closed = last.is_some_and(|last| start <= last);
        let end = match command.get(program(&command)) {
            Some(&"[[") if closed => rest.find("]]").map_or(end, |end| start + end),
            Some(_) | None => end,
        };
        if command.get(program(&command)).is_some_and(|name| matches!(*name, "[" | "[[" | "test" | "case")) {
            all.push(start..end);
        }
        start = end + 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::reads;

    #[test]
    fn a_script_reads_a_variable_unless_it_sets_or_tests_it() {
        let read = |script: &str| !reads(script, |name| name == "K").is_empty();
        for script in [
            "a $K",
            "a \"${K}\" b",
            "set -e\na --x=$K/y",
            "echo ${K:?no key}",
            "# K\na $K",
            "echo $KK '$K' $K",
            "[ \"$L\" ] && a $K",
            "test -e /a; a $K",
            "[[ -e /a ]]; a $K",
            "a test $K",
        ] {
            assert!(read(script), "{script}");
        }
        for script in [
            "a $KEY $A_K $k",
            "a '$K' \\$K",
            "a # $K",
            "K=$(cat /k); a $K",
            "read -r K < /k; a $K",
            "a ${K:-none} ${K+x}",
            "[ -n \"$K\" ] && a $K",
            "if [ -z $K ]; then exit 0; fi; a $K",
            "if [ \"$K\" ]; then a $K; fi",
            "[ \"$K\" != \"\" ] && a $K",
            "if ! [ x\"$K\" = x ]; then a $K; fi",
            "test \"$K\" || exit 0\na $K",
            "[[ -e /a && $K ]] && a $K",
            "case $K in \"\") exit 0;; esac; a $K",
            "a $K; if [ \"$K\" ]; then b; fi",
            ". ./k.sh; a $K",
            "cat <<'E'\n$K\nE",
        ] {
            assert!(!read(script), "{script}");
        }
    }

    #[test]
    fn the_first_position_of_each_variable_is_found() {
        assert_eq!(reads("a $B ${A} $B é$A", |name| name != "a"), [("A", 7), ("B", 3)]);
    }
}
