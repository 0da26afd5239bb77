//! `~` where no shell puts the home directory.
use super::shown;
use crate::at::At;
use crate::codes::UNEXPANDED_SYNTAX;
use crate::diagnostic::Diagnostic;
use crate::spec::values::Text;
use std::collections::BTreeSet;

/// What the name of an option or variable ends in whose value is a directory. The value `~` of another may be a separator.
const DIRECTORIES: [&str; 5] = ["HOME", "DIR", "PATH", "ROOT", "FOLDER"];

/// `~/train.py`, `--dir=~/logs`: only a shell puts the home directory there. `of_option`: the option before it,
/// or nothing.
pub(super) fn in_run(word: &At<Text>, of_option: &str) -> Option<Diagnostic> {
    let text = word.value.as_str();
    let option = text.starts_with('-').then(|| text.split_once('=')).flatten();
    let (before, path) = option.map_or(("", text), |(name, path)| (&text[..=name.len()], path));
    let below = below(path)?;
    let name = if option.is_some() { before } else { of_option }.trim_end_matches('=').to_uppercase();
    if below.is_empty() && !name.is_empty() && !DIRECTORIES.iter().any(|end| name.ends_with(end)) {
        return None;
    }
    let fact = format!("`{}` is a plain word here, and `~` is no directory", shown(text));
    let told = Diagnostic::new(&UNEXPANDED_SYNTAX, word.span, fact).here("no shell reads this");
    let (before, below) = (before.escape_debug(), below.escape_debug());
    Some(told.help(format!(
        "write `\"{before}{{env.HOME}}{below}\"`, or the whole command as the text of `shell`"
    )))
}

/// `HOME "~"`, `PATH "~/bin:/usr/bin"`: a variable of the job, of which `set` has the names.
pub(super) fn in_env(name: &str, value: &At<Text>, set: &BTreeSet<&str>) -> Option<Diagnostic> {
    let text = value.value.as_str();
    let parts: Vec<&str> = text.split(':').collect();
    let path = DIRECTORIES.iter().any(|end| name.ends_with(end));
    let home = |part: &&str| below(part).is_some_and(|below| path || below.len() > 1);
    parts.iter().find(|part| home(part))?;
    let told = Diagnostic::new(&UNEXPANDED_SYNTAX, value.span, "`~` is not replaced here")
        .here("no shell reads this");
    if set.contains("HOME") {
        let help = if text == "~" && name == "HOME" {
            "remove this: without it `HOME` is the container's own"
        } else {
            "write the directory itself, such as `/home/user`"
        };
        return Some(told.help(help));
    }
    let with = parts.iter().map(|part| match below(part).filter(|_| home(part)) {
        Some(below) => format!("{{env.HOME}}{below}"),
        None => (*part).to_owned(),
    });
    let with = with.collect::<Vec<_>>().join(":");
    Some(told.help(format!("write `\"{}\"`", with.escape_debug())))
}

/// What stands behind the home directory at the beginning of a path.
fn below(path: &str) -> Option<&str> {
    path.strip_prefix('~').filter(|below| below.is_empty() || below.starts_with('/'))
}
