//! Values of other systems that mean another value of ours, or a whole entry.
use super::theirs::folded;
use crate::shape::{literal, splits_plainly};
use crate::sources::Format;

/// Their field, its value, and the entry that has its meaning; `None` where no entry has it.
const ENTRIES: &[(&str, &str, Option<&str>)] = &[
    // There `None` deletes no task; here "none" keeps none.
    ("clean-pod-policy", "all", Some("keep \"none\"")),
    ("clean-pod-policy", "none", Some("keep \"all\"")),
    ("clean-pod-policy", "running", None),
    ("host-network", "false", None),
];

/// What to say for a value of another system: the entry for it, or that none is needed.
pub(super) fn entry(word: &str, value: &str) -> Option<Result<String, String>> {
    let (word, value) = (folded(word), folded(value));
    let (.., ours) = ENTRIES.iter().find(|(theirs, of, _)| *theirs == word && *of == value)?;
    Some(ours.map(str::to_owned).ok_or_else(|| "remove this: it is the default".to_owned()))
}

/// The entry that runs a command line: `run` where it is a program with its arguments, `shell` for all else.
pub(super) fn command(line: &str) -> String {
    let quoted = |word: &str| literal::text(Format::Kdl, word);
    let words: Vec<&str> = line.split_whitespace().collect();
    let program = |name: &str, words: &[&str]| {
        let words: Vec<String> = std::iter::once(&name).chain(words).map(|word| quoted(word)).collect();
        format!("run {}", words.join(" "))
    };
    match words.as_slice() {
        _ if !splits_plainly(line) => format!("shell {}", quoted(line)),
        [script] if script.ends_with(".py") => program("python", &words),
        [script] if script.ends_with(".sh") => program("bash", &words),
        [first, rest @ ..] => program(first, rest),
        [] => format!("shell {}", quoted(line)),
    }
}
