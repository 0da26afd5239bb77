//! Reports a `~` that is not expanded to the home directory, because no shell reads it.
use super::{NO_SHELL, shown};
use crate::at::At;
use crate::codes::UNEXPANDED_SYNTAX;
use crate::diagnostic::Diagnostic;
use crate::escape::Escaped;
use crate::spec::values::Text;
use std::collections::BTreeSet;

/// Suffixes of options and environment variables that have a directory as their value. In other options and variables, `~` may be
/// a separator.
const DIRECTORIES: [&str; 5] = ["HOME", "DIR", "PATH", "ROOT", "FOLDER"];

/// Reports a `~` in an argument of `run`, such as `~/train.py` and `--dir=~/logs`. `of_option`: the option before the argument, or
/// an empty string.
pub(super) fn in_run(word: &At<Text>, of_option: &str) -> Option<Diagnostic> {
    let text = word.value.as_str();
    let option = text.starts_with('-').then(|| text.split_once('=')).flatten();
    let (before, path) = option.map_or(("", text), |(name, path)| (&text[..=name.len()], path));
    let below = below(path)?;
    let name = if option.is_some() { before } else { of_option }.trim_end_matches('=').to_uppercase();
    if below.is_empty() && !name.is_empty() && !DIRECTORIES.iter().any(|end| name.ends_with(end)) {
        return None;
    }
    let place = if text == "~" { String::new() } else { format!(" in `{}`", shown(text)) };
    let (before, below) = (before.escaped(), below.escaped());
    if option.is_some() {
        // A shell expands `~` only at the start of a word, so `shell` would not help.
        let fact = format!("`~` is not expanded{place}: the program gets the character `~`");
        let diagnostic = Diagnostic::new(&UNEXPANDED_SYNTAX, word.span, fact).here("`~` is not expanded");
        return Some(diagnostic.help(format!("write `\"{before}{{env.HOME}}{below}\"`")));
    }
    let fact = format!("`~` is not expanded{place}, because `run` uses no shell");
    let diagnostic = Diagnostic::new(&UNEXPANDED_SYNTAX, word.span, fact).here(NO_SHELL);
    Some(
        diagnostic.help(format!(
            "write `\"{before}{{env.HOME}}{below}\"`, or use `shell \"…\"` for the whole command"
        )),
    )
}

/// Reports a `~` in a value of `env`, as in `HOME "~"` and `PATH "~/bin:/usr/bin"`. `set`: the variables that the job sets.
pub(super) fn in_env(name: &str, value: &At<Text>, set: &BTreeSet<&str>) -> Option<Diagnostic> {
    let text = value.value.as_str();
    let parts: Vec<&str> = text.split(':').collect();
    let path = DIRECTORIES.iter().any(|end| name.ends_with(end));
    let home = |part: &&str| below(part).is_some_and(|below| path || below.len() > 1);
    parts.iter().find(|part| home(part))?;
    let diagnostic =
        Diagnostic::new(&UNEXPANDED_SYNTAX, value.span, "`~` is not expanded in `env`").here(NO_SHELL);
    if set.contains("HOME") {
        let help = if text == "~" && name == "HOME" {
            "remove this line; `HOME` then keeps the value of the container"
        } else {
            "write the absolute path, such as `/home/user`"
        };
        return Some(diagnostic.help(help));
    }
    let with = parts.iter().map(|part| match below(part).filter(|_| home(part)) {
        Some(below) => format!("{{env.HOME}}{below}"),
        None => (*part).to_owned(),
    });
    let with = with.collect::<Vec<_>>().join(":");
    Some(diagnostic.help(format!("write `\"{}\"`", with.escaped())))
}

/// Returns the part of a path after a leading `~`.
fn below(path: &str) -> Option<&str> {
    path.strip_prefix('~').filter(|below| below.is_empty() || below.starts_with('/'))
}
