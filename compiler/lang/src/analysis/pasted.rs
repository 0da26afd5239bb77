//! A document or a command line of another system where a spec is due: told once, with what stands for its fields.
use super::Loaded;
use crate::codes::FOREIGN_FORMAT;
use crate::diagnostic::Diagnostic;
use crate::sources::Source;
use crate::syntax::foreign::first_line;
use crate::syntax::guard::span;
use crate::target::{AnyTarget, COMMANDS, Pasted};
use std::ops::Range;

/// Fields that a help speaks of at most.
const MOST_FIELDS: usize = 5;

/// A text that is no spec.
pub(super) struct Found {
    line: Range<usize>,
    fact: String,
    help: String,
}

impl Found {
    /// The one error of that text.
    pub(super) fn tell(self, source: &Source) -> Diagnostic {
        let at = span(source, self.line.start, self.line.end);
        Diagnostic::new(&FOREIGN_FORMAT, at, self.fact).help(self.help)
    }
}

/// What a text is, if it is no spec but what people paste from another system.
pub(super) fn find(text: &Loaded, targets: &[&dyn AnyTarget]) -> Option<Found> {
    let known = || targets.iter().flat_map(|target| target.pasted()).chain([&COMMANDS]);
    let started = program(&text.text);
    let command = started.and_then(|program| known().find(|pasted| pasted.programs.contains(&program)));
    let found = match command {
        Some(command) => command,
        None if is_key(&text.text, "job") || is_spec(&text.text) => return None,
        None => known().find(|pasted| is_document(&text.text, pasted))?,
    };
    let line = if found.programs.is_empty() { first_line(&text.text) } else { first_command(&text.text) }?;
    let start = line.as_ptr() as usize - text.text.as_ptr() as usize;
    let kind = if found.keys.contains(&"kind") { value(&text.text, "kind") } else { None };
    let kind = kind.map(|kind| format!(" ({kind})")).unwrap_or_default();
    let fact = format!("this is {}{kind}, not a job spec", found.what);
    let there = found.fields.iter().filter(|(theirs, _)| position(&text.text, theirs).is_some());
    let fields: Vec<String> =
        there.take(MOST_FIELDS).map(|(theirs, ours)| format!("`{theirs}` as `{ours}`")).collect();
    let mut help = "create a starter spec with `tfjob init NAME`".to_owned();
    if !fields.is_empty() {
        help = format!("{help}, and write {}", fields.join(", "));
    }
    Some(Found { line: start..start + line.len(), fact, help })
}

fn is_document(text: &str, pasted: &Pasted) -> bool {
    !pasted.keys.is_empty() && pasted.keys.iter().all(|key| is_key(text, key))
}

/// Whether a text begins as a spec in KDL.
fn is_spec(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with("//"));
    let word = first.and_then(|line| line.split([' ', '\t', '"', ':', '{']).next()).unwrap_or_default();
    matches!(word, "job" | "extends" | "/*" | "/-")
}

/// Whether a key stands somewhere as YAML, JSON or XML write keys.
fn is_key(text: &str, key: &str) -> bool {
    let mut rest = text;
    while let Some(at) = position(rest, key) {
        let before = rest[..at].trim_end_matches(['"', '\'', ' ', '\t', '-']);
        let after = rest[at + key.len()..].trim_start_matches(['"', '\'']).trim_start_matches([' ', '\t']);
        let opens = before.is_empty() || before.ends_with(['\n', '{', ',', '[', '<', '>']);
        if opens && (after.starts_with([':', '>']) || rest[..at].ends_with(['<', '>'])) {
            return true;
        }
        rest = &rest[at + key.len()..];
    }
    false
}

/// Where a word stands first as a whole.
fn position(text: &str, word: &str) -> Option<usize> {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let whole = |at: &usize| {
        let before = text[..*at].chars().next_back().is_some_and(part);
        let after = text[*at + word.len()..].chars().next().is_some_and(part);
        !before && !after
    };
    text.match_indices(word).map(|(at, _)| at).find(whole)
}

/// The plain value of a key.
fn value<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let at = position(text, key)? + key.len();
    let rest = text[at..].trim_start_matches(['"', '\'', ':', ' ', '\t']);
    let end = rest.find(|c: char| !c.is_alphanumeric())?;
    (end > 0).then(|| &rest[..end])
}

/// The first line of a script that does something.
fn first_command(text: &str) -> Option<&str> {
    let idle = |line: &str| {
        let word = line.split_whitespace().next().unwrap_or_default();
        line.is_empty()
            || line.starts_with('#')
            || matches!(word, "set" | "export" | "cd" | "source" | "module")
    };
    text.trim_start_matches('\u{feff}').lines().map(str::trim).find(|line| !idle(line))
}

/// The program that a command line starts, without its folder; `None` where the text is none.
fn program(text: &str) -> Option<&str> {
    let shell = text.trim_start_matches('\u{feff}').starts_with("#!");
    let mut words = first_command(text)?.split_whitespace();
    let first = words.find(|word| !matches!(*word, "$" | ">" | "%" | "sudo" | "nohup" | "exec" | "time"))?;
    let name = first.rsplit('/').next()?;
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    // `docker:` is a key, and `python = 3` no command either.
    let argument = words.next();
    (plain && !name.is_empty() && argument.is_none_or(|next| !next.starts_with(['=', ':', '{'])) || shell)
        .then_some(name)
}
