//! Several arguments in one text, as a shell would split them: `"train.py --lr 0.1"`, `"--steps 100"`, `"> log.txt"`.
use super::{shown, split};
use crate::at::At;
use crate::codes::UNEXPANDED_SYNTAX;
use crate::diagnostic::{Diagnostic, Fix};
use crate::resolve::rules::Job;
use crate::shape::splits_plainly;
use crate::spec::values::Text;

/// Programs whose first argument that is no option is the path of a script.
const INTERPRETERS: &[&str] = &["Rscript", "bash", "julia", "perl", "ruby", "sh"];
/// Ends of the names of scripts.
const SCRIPTS: &[&str] = &[".R", ".jl", ".pl", ".py", ".rb", ".sh"];
/// What a shell does not hand to the program.
const OPERATORS: &[&str] = &["|", "||", "&&", "&", ";", ">", ">>", "<", "2>", "2>>", "&>", "&>>"];

/// The finding of the last of `words`, the arguments of `program`. What may be the value of an option is left alone: its
/// program may split it.
pub(super) fn judge(job: &Job<'_>, program: &str, words: &[At<Text>], of_option: bool) -> Option<Diagnostic> {
    let (word, before) = words.split_last()?;
    let text = word.value.as_str();
    let file = program.rsplit('/').next().unwrap_or_default();
    let interpreter = file.starts_with("python") || INTERPRETERS.contains(&file);
    if !of_option && redirects(text) {
        let fact = format!("`{}` is one plain argument here", shown(text));
        let told = Diagnostic::new(&UNEXPANDED_SYNTAX, word.span, fact).here("no shell reads this");
        return Some(told.help("write the whole command as the text of `shell`"));
    }
    let (first, rest) = text.split_once(char::is_whitespace)?;
    let script = interpreter
        && before.iter().all(|word| word.value.as_str().starts_with('-'))
        && SCRIPTS.iter().any(|end| first.ends_with(end));
    if rest.trim().is_empty() || !(script || !of_option && is_option(first, interpreter)) {
        return None;
    }
    let what = if script { "the path of the script" } else { "an option with a blank in its name" };
    let fact = format!("`{}` is one argument: {what}", shown(text));
    let told = Diagnostic::new(&UNEXPANDED_SYNTAX, word.span, fact).here("not split at blanks");
    let told = told.help("quote each argument on its own");
    let plain = splits_plainly(text) && !text.contains('{');
    Some(match split(job, word.span, text).filter(|_| plain) {
        Some(words) => told.suggest(Fix::replace(word.span, words)),
        None => told,
    })
}

/// `> log.txt`, `2>err.txt`, `| tee log`.
fn redirects(text: &str) -> bool {
    let path = |rest: &str| rest.starts_with(|c: char| c.is_alphabetic() || "/.~\"'$&".contains(c));
    OPERATORS.iter().any(|operator| {
        text.strip_prefix(operator).is_some_and(|rest| match rest.strip_prefix(' ') {
            Some(rest) => path(rest.trim_start()),
            None => operator.ends_with('>') && !rest.starts_with('&') && path(rest),
        })
    })
}

/// `--steps`, and `-b` of a program that does not take a blank before the value. An option with `=` has a value, which
/// may hold blanks.
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
    fn what_a_program_may_mean_is_no_redirection() {
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
