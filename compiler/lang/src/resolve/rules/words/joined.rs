//! Reports several arguments in one string, such as `"train.py --lr 0.1"`, `"--steps 100"`, and `"> log.txt"`. Only a shell would
//! split them.
use super::{QUOTE, shell_help, shown, split};
use crate::at::At;
use crate::codes::UNEXPANDED_SYNTAX;
use crate::diagnostic::{Diagnostic, Fix};
use crate::resolve::rules::Job;
use crate::shape::splits_plainly;
use crate::spec::values::Text;

/// Programs that take the path of a script as the first argument that is not an option.
const INTERPRETERS: &[&str] = &["Rscript", "bash", "julia", "perl", "ruby", "sh"];
/// Suffixes of scripts.
const SCRIPTS: &[&str] = &[".R", ".jl", ".pl", ".py", ".rb", ".sh"];
/// Operators that a shell interprets and does not pass to the program.
const OPERATORS: &[&str] = &["|", "||", "&&", "&", ";", ">", ">>", "<", "2>", "2>>", "&>", "&>>"];

/// Checks one argument of `program`. `words`: the arguments up to and including this one. `of_option`: whether the argument
/// is the value of an option. Such a value is skipped, because the program may split it itself.
pub(super) fn check(job: &Job<'_>, program: &str, words: &[At<Text>], of_option: bool) -> Option<Diagnostic> {
    let (word, before) = words.split_last()?;
    let text = word.value.as_str();
    let file = program.rsplit('/').next().unwrap_or_default();
    let interpreter = file.starts_with("python") || INTERPRETERS.contains(&file);
    if !of_option && redirects(text) {
        let fact = format!("`{}` is passed as an argument, because `run` uses no shell", shown(text));
        let diagnostic =
            Diagnostic::new(&UNEXPANDED_SYNTAX, word.span, fact).here("no shell interprets this");
        return Some(diagnostic.help(shell_help(text)));
    }
    let (first, rest) = text.split_once(char::is_whitespace)?;
    let script = interpreter
        && before.iter().all(|word| word.value.as_str().starts_with('-'))
        && SCRIPTS.iter().any(|end| first.ends_with(end));
    if rest.trim().is_empty() || !(script || !of_option && is_option(first, interpreter)) {
        return None;
    }
    let text_shown = shown(text);
    let fact = match script {
        true => format!("`{text_shown}` is one argument, so `{file}` looks for a script with this name"),
        false => format!("`{text_shown}` is one argument, so the option name contains a space"),
    };
    let diagnostic =
        Diagnostic::new(&UNEXPANDED_SYNTAX, word.span, fact).here("not split at spaces").help(QUOTE);
    let plain = splits_plainly(text) && !text.contains('{');
    Some(match split(job, word.span, text).filter(|_| plain) {
        Some(words) => diagnostic.suggest(Fix::replace(word.span, words)),
        None => diagnostic,
    })
}

/// Returns whether an argument is a redirection or pipe, such as `> log.txt`, `2>err.txt`, or `| tee log`.
fn redirects(text: &str) -> bool {
    let path = |rest: &str| rest.starts_with(|c: char| c.is_alphabetic() || "/.~\"'$&".contains(c));
    OPERATORS.iter().any(|operator| {
        text.strip_prefix(operator).is_some_and(|rest| match rest.strip_prefix(' ') {
            Some(rest) => path(rest.trim_start()),
            None => operator.ends_with('>') && !rest.starts_with('&') && path(rest),
        })
    })
}

/// Returns whether `first` is an option without a value, such as `--steps`. A value after `=` may contain spaces.
fn is_option(first: &str, interpreter: bool) -> bool {
    let name = first.trim_start_matches('-');
    let dashes = first.len() - name.len();
    let plain = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    plain && (dashes == 2 || dashes == 1 && (interpreter || name.len() > 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_redirections_and_pipes_are_found() {
        for text in [
            "> log.txt",
            ">log.txt",
            ">> /x",
            "2>err.txt",
            "&> log",
            "&>>log",
            "| tee log",
            "&& ls",
            "< in.txt",
        ] {
            assert!(redirects(text), "{text}");
        }
        for text in
            [">=2.0", "> 5", "<unk>", "<3", ">", "|", "a > b", "2>&1", ">>> x >= 3", "&amp", "; 1", "x | y"]
        {
            assert!(!redirects(text), "{text}");
        }
    }

    #[test]
    fn an_option_has_a_name() {
        for text in ["--steps", "--lr-decay", "-Xmx4g"] {
            assert!(is_option(text, false), "{text}");
        }
        assert!(is_option("-b", true));
        for text in ["-n", "-", "--", "-1", "--flag=a", "---", "—x", "-{x}"] {
            assert!(!is_option(text, false), "{text}");
        }
    }
}
