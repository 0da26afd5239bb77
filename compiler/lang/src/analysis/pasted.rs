//! Detects documents and command lines of other systems in place of a spec, and suggests the fields of a spec.
use super::Loaded;
use crate::codes::{UNKNOWN_KEY, UNKNOWN_NODE, UNSUPPORTED_FORMAT};
use crate::diagnostic::Diagnostic;
use crate::sources::{Source, Sources};
use crate::syntax::foreign::first_line;
use crate::syntax::guard::span;
use crate::target::{AnyTarget, COMMANDS, Pasted};
use std::ops::Range;

/// Maximum number of fields in a help text.
const MAX_FIELDS: usize = 5;

/// The error about a document or command line of another system: the line to report, the message, and the help.
pub(super) struct Found {
    line: Range<usize>,
    fact: String,
    help: String,
}

impl Found {
    /// Returns the error about the text. It is the only one that is reported for this text.
    pub(super) fn diagnostic(self, source: &Source) -> Diagnostic {
        let at = span(source, self.line.start, self.line.end);
        Diagnostic::new(&UNSUPPORTED_FORMAT, at, self.fact).help(self.help)
    }
}

/// Detects the document or command line of another system; `None` if the text may be a spec.
pub(super) fn find(text: &Loaded, targets: &[&dyn AnyTarget]) -> Option<Found> {
    if is_spec(&text.text) {
        return None;
    }
    let known = || targets.iter().flat_map(|target| target.pasted()).chain([&COMMANDS]);
    let started = program(&text.text);
    let command = started.and_then(|program| known().find(|pasted| pasted.programs.contains(&program)));
    let found = match command {
        Some(command) => command,
        None if is_top_key(&text.text, "job") => return None,
        None => known().find(|pasted| is_document(&text.text, pasted))?,
    };
    let line = if found.programs.is_empty() { first_line(&text.text) } else { first_command(&text.text) }?;
    let start = line.as_ptr() as usize - text.text.as_ptr() as usize;
    let kind = if found.keys.contains(&"kind") { value(&text.text, "kind") } else { None };
    let kind = kind.map(|kind| format!(" ({kind})")).unwrap_or_default();
    let fact = format!("this is {}{kind}, not a job spec", found.what);
    let present = found.fields.iter().filter(|(theirs, _)| position(&text.text, theirs).is_some());
    let fields: Vec<String> =
        present.take(MAX_FIELDS).map(|(theirs, ours)| format!("`{theirs}` as `{ours}`")).collect();
    let mut help = "create a starter spec with `tfjob init NAME`".to_owned();
    if !fields.is_empty() {
        help = format!("{help}, and write {}", fields.join(", "));
    }
    Some(Found { line: start..start + line.len(), fact, help })
}

/// If a spec has a `cluster` block, replaces all errors by one error: this file is a cluster file, not a spec. Returns whether the
/// spec has such a block.
pub(super) fn cluster_instead(out: &mut Vec<Diagnostic>, sources: &Sources) -> bool {
    let unknown = |d: &Diagnostic| d.code == &UNKNOWN_NODE || d.code == &UNKNOWN_KEY;
    let is_cluster =
        |d: &Diagnostic| unknown(d) && sources.slice(d.span()).trim_matches(['"', '\'']) == "cluster";
    let Some(at) = out.iter().find(|d| is_cluster(d)).map(Diagnostic::span) else { return false };
    out.retain(|d| !d.is_error());
    let told = Diagnostic::new(&UNSUPPORTED_FORMAT, at, "expected a job spec, but this is a cluster file");
    let file = sources.find(at).map_or("", |source| source.name.rsplit('/').next().unwrap_or_default());
    let renamed = file.rsplit_once('.').map(|(name, ending)| {
        format!("rename the file to `{}.cluster.{ending}`, or ", name.trim_end_matches(".tfjob"))
    });
    let renamed = renamed.unwrap_or_default();
    out.push(told.here("cluster file").help(format!("{renamed}use it with `--cluster` to check a job spec")));
    true
}

fn is_document(text: &str, pasted: &Pasted) -> bool {
    !pasted.keys.is_empty() && pasted.keys.iter().all(|key| is_key(text, key))
}

/// Returns whether a text begins like a spec. The first line that is neither empty nor a comment must start with a keyword such
/// as `job`, or open a named KDL block.
fn is_spec(text: &str) -> bool {
    let mut lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let Some(line) = lines.find(|line| !line.is_empty() && !line.starts_with("//")) else { return false };
    let word = line.split([' ', '\t', '"', ':', '{']).next().unwrap_or_default();
    let named = line[word.len()..].trim_start();
    let block = named.strip_prefix('"').and_then(|rest| rest.split_once('"')).is_some_and(|(_, rest)| {
        !word.is_empty() && rest.trim_start().starts_with('{') && !rest.trim_end().ends_with('}')
    });
    matches!(word, "job" | "extends" | "/*" | "/-") || block
}

/// Returns whether a YAML or JSON text has this key at the top level.
fn is_top_key(text: &str, key: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    if !text.trim_start().starts_with('{') {
        return text.lines().any(|line| {
            let rest = line.trim_start_matches(['"', '\'']).strip_prefix(key);
            rest.is_some_and(|rest| rest.trim_start_matches(['"', '\'']).trim_start().starts_with(':'))
        });
    }
    let (mut depth, mut string, mut escaped) = (0_usize, None, false);
    for (at, c) in text.char_indices() {
        match (c, string) {
            (_, Some(_)) if escaped => escaped = false,
            ('\\', Some(_)) => escaped = true,
            ('"', Some(start)) => {
                if depth == 1 && &text[start..at] == key && text[at + 1..].trim_start().starts_with(':') {
                    return true;
                }
                string = None;
            }
            (_, Some(_)) => {}
            ('"', None) => string = Some(at + 1),
            ('{' | '[', None) => depth += 1,
            ('}' | ']', None) => depth = depth.saturating_sub(1),
            (_, None) => {}
        }
    }
    false
}

/// Returns whether a text contains a key in the syntax of YAML, JSON, or XML.
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

/// Returns the position of the first occurrence of `word` that is not a part of a longer word.
fn position(text: &str, word: &str) -> Option<usize> {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let whole = |at: &usize| {
        let before = text[..*at].chars().next_back().is_some_and(part);
        let after = text[*at + word.len()..].chars().next().is_some_and(part);
        !before && !after
    };
    text.match_indices(word).map(|(at, _)| at).find(whole)
}

/// Returns the value of a key, without its quotes.
fn value<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let at = position(text, key)? + key.len();
    let rest = text[at..].trim_start_matches(['"', '\'', ':', ' ', '\t']);
    let end = rest.find(|c: char| !c.is_alphanumeric())?;
    (end > 0).then(|| &rest[..end])
}

/// Returns the first line of a script that is neither empty, nor a comment, nor a setup command such as `cd`.
fn first_command(text: &str) -> Option<&str> {
    let idle = |line: &str| {
        let word = line.split_whitespace().next().unwrap_or_default();
        line.is_empty()
            || line.starts_with('#')
            || line.starts_with("//")
            || matches!(word, "set" | "export" | "cd" | "source" | "module")
    };
    text.trim_start_matches('\u{feff}').lines().map(str::trim).find(|line| !idle(line))
}

/// Returns the program of a command line, such as `python` of `/usr/bin/python train.py`; `None` if the text is not a command line.
fn program(text: &str) -> Option<&str> {
    let shell = text.trim_start_matches('\u{feff}').starts_with("#!");
    let mut words = first_command(text)?.split_whitespace();
    let first = words.find(|word| !matches!(*word, "$" | ">" | "%" | "sudo" | "nohup" | "exec" | "time"))?;
    let name = first.rsplit('/').next()?;
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    // `docker:` is a YAML key, and `python = 3` is an assignment, so neither is a command line.
    let argument = words.next();
    (plain && !name.is_empty() && argument.is_none_or(|next| !next.starts_with(['=', ':', '{'])) || shell)
        .then_some(name)
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::analysis::Loaded;
    use crate::sources::Format;
    use crate::target::COMMANDS;

    fn detected(text: &str) -> Option<(String, String, String)> {
        let loaded = Loaded { name: "a".to_owned(), text: text.to_owned(), format: Format::Kdl };
        find(&loaded, &[]).map(|found| (text[found.line].to_owned(), found.fact, found.help))
    }

    #[test]
    fn command_lines_are_detected_with_the_matching_fields() {
        for program in COMMANDS.programs {
            for (before, after) in
                [("", ""), ("#!/bin/sh\n\n# run\n// run\nset -e\ncd /x\n", "\n"), ("$ sudo /usr/bin/", "")]
            {
                let text = format!("{before}{program} train.py --x 1{after}");
                let (line, fact, _) = detected(&text).unwrap_or_else(|| panic!("not detected: {text}"));
                assert!(line.ends_with(&format!("{program} train.py --x 1")), "{line}");
                assert_eq!(fact, "this is a command line, not a job spec");
            }
        }
        for (theirs, ours) in COMMANDS.fields {
            let (_, _, help) = detected(&format!("docker run {theirs} x")).unwrap_or_default();
            assert!(help.contains(&format!("`{theirs}` as `{ours}`")), "{theirs}: {help}");
        }
    }

    #[test]
    fn specs_are_not_detected_whatever_their_comments_and_strings_contain() {
        let words =
            ["python notes", "docker image", "/see/python", "sbatch x.sh", "apiVersion: v1", "kind: Pod"];
        for mark in ["", "\u{feff}"] {
            for word in words {
                for text in [
                    format!("{mark}//{word}\njob \"a\" {{\n}}"),
                    format!("{mark}// {word}\n\n//{word}\nextends \"b\"\njob \"a\""),
                    format!("{mark}/* {word} */\njob \"a\""),
                    format!("{mark}job \"a\" {{\n run \"x\" \"{word}\"\n}}"),
                    format!("{mark}jbo \"a\" {{\n shell \"\"\"\n{word}\n\"\"\"\n}}"),
                    format!("{mark}job:\n  name: a\n  shell: |\n    {word}\n"),
                    format!("{mark}{{\"job\": {{\"shell\": \"{word}\"}}}}"),
                    format!("{mark}python = 3\n{word}"),
                ] {
                    assert_eq!(detected(&text), None, "{text}");
                }
            }
        }
        assert_eq!(detected(""), None);
        assert_eq!(detected("cluster \"a\" target=\"site\"\njob \"a\" {}"), None);
    }
}
