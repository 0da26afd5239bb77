//! Words of bash in the text of `shell`, which `/bin/sh` reads: dash in images of Debian and Ubuntu (dash 0.5.12: "Bad
//! substitution", "[[: not found", "Illegal option -o pipefail").
use super::Job;
use super::shell::{commands, pieces, program, unread};
use crate::codes::UNREAD_WORD;
use crate::diagnostic::Diagnostic;
use std::collections::BTreeSet;

pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    // A job's command belongs to each of its roles.
    let mut told = BTreeSet::new();
    for (role, _) in job.roles() {
        let Some(shell) = role.shell.as_ref().filter(|shell| !job.doubts.guessed(shell.span)) else {
            continue;
        };
        let Some((word, help)) = of_bash(shell.value.as_str()).filter(|_| told.insert(shell.span)) else {
            continue;
        };
        let fact = format!("`{word}` is known to bash, and `/bin/sh` reads the text of `shell`");
        out.push(
            Diagnostic::new(&UNREAD_WORD, shell.span, fact).here("fails where `/bin/sh` is dash").help(help),
        );
    }
}

const START: &str = "if the image has bash, start it: `run \"bash\" \"-euc\" \"…\"`";

/// The first word of bash in a script, and what to write instead.
fn of_bash(script: &str) -> Option<(&'static str, &'static str)> {
    let is_bash = |words: Vec<&str>| {
        words.get(program(&words)).is_some_and(|name| name.rsplit('/').next() == Some("bash"))
    };
    if script.contains("<<") || commands(script).any(is_bash) {
        return None;
    }
    let quoted = unread(script);
    let mut found = script.match_indices("PIPESTATUS").map(|(at, _)| at);
    let is_read = |at: usize| script[..at].ends_with(['$', '{']);
    if found.any(|at| is_read(at) && !quoted.iter().any(|(_, range)| range.contains(&at))) {
        return Some((
            "PIPESTATUS",
            "remove the pipe, since the output of each task is kept; or start bash: `run \"bash\" \"-c\" \"set -euo pipefail; …\"`",
        ));
    }
    pieces(script).into_iter().find_map(|(command, _)| {
        let words: Vec<&str> = command.split_whitespace().collect();
        match *words.get(program(&words))? {
            "[[" => Some((
                "[[",
                "write `[ … ]` with `=` for a comparison; or start bash: `run \"bash\" \"-euc\" \"…\"`",
            )),
            "source" => Some(("source", "write `.`, and a path: `. ./FILE`")),
            "set" if words.contains(&"pipefail") => Some(("pipefail", START)),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::of_bash;

    #[test]
    fn a_word_of_bash_is_one_that_dash_does_not_know() {
        for (script, word) in [
            ("python t.py 2>&1 | tee log; exit ${PIPESTATUS[0]}", "PIPESTATUS"),
            ("python t.py | tee log\nexit \"$PIPESTATUS\"", "PIPESTATUS"),
            ("if [[ -e x ]]; then python t.py; fi", "[["),
            ("[[ -n \"$A\" ]] && python t.py", "[["),
            ("source env.sh; exec python t.py", "source"),
            ("set -eo pipefail; python t.py | tee log", "pipefail"),
        ] {
            assert_eq!(of_bash(script).map(|(word, _)| word), Some(word), "{script}");
        }
        for script in [
            "",
            "[ -e x ] && exec python t.py",
            ". ./env.sh; exec python t.py",
            "bash -c 'set -o pipefail; python t.py | tee log'",
            "exec /bin/bash -c \"[[ -e x ]] && python t.py\"",
            "python source.py # [[ source",
            "echo '${PIPESTATUS[0]}'",
            "python t.py --source pipefail '[['",
            "cat > x <<'E'\nsource a\nE\n",
        ] {
            assert_eq!(of_bash(script), None, "{script}");
        }
    }
}
