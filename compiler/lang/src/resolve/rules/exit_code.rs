//! Reports shell scripts that do not return the exit code of the program, although this exit code decides whether the task
//! succeeds.
use super::Job;
use super::shell::{commands, pieces, program};
use crate::codes::LOST_EXIT_CODE;
use crate::diagnostic::Diagnostic;
use crate::sources::Span;
use crate::spec;
use std::collections::BTreeSet;

pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    // Several roles can inherit the command of the job, so each script is reported only once.
    let mut reported = BTreeSet::new();
    for (role, _) in job.roles() {
        let Some((text, span)) = script(role).filter(|(_, span)| reported.insert(*span)) else { continue };
        // A script need not set `pipefail` if `run` passes this option to bash: `run "bash" "-o" "pipefail" …`.
        let mut arguments = role.run.iter().flat_map(|run| &run.value.0);
        let pipefail = arguments.any(|argument| argument.value.as_str() == "pipefail");
        let loss = lost(text).filter(|loss| *loss != Loss::Pipe || !pipefail);
        let (fact, help) = match &loss {
            Some(Loss::Background) => (
                "the last command runs in the background, so the shell exits immediately and the task ends",
                "remove the `&` at the end, or add a line `wait $!`",
            ),
            Some(Loss::Wait) => (
                "`wait` without a process ID always returns 0, even if the background program failed",
                "run the program without `&`, or wait for its process ID, as in `python3 train.py & pid=$!; wait $pid`",
            ),
            Some(Loss::Pipe) => (
                "a pipeline returns the exit code of its last command, so the task succeeds even if the program fails",
                "remove the pipe (`tee` is not needed: the output of each task is kept anyway), or use `run \"bash\" \"-c\" \"set -eo pipefail; …\"`",
            ),
            None => continue,
        };
        // The help moves a `shell` script into `run`, where each literal `{` must be escaped.
        let braces = loss == Some(Loss::Pipe) && role.run.is_none() && text.contains('{');
        let help = format!("{help}{}", if braces { ", with each `{` escaped as `{{`" } else { "" });
        out.push(
            Diagnostic::new(&LOST_EXIT_CODE, span, fact)
                .here("the exit code of the program is lost")
                .help(help),
        );
    }
}

/// Returns the script of a role: the text of `shell`, or the script that `run` passes to a shell.
pub(super) fn script(role: &spec::Role) -> Option<(&str, Span)> {
    let Some(run) = &role.run else {
        return role.shell.as_ref().map(|shell| (shell.value.as_str(), shell.span));
    };
    let [program, rest @ ..] = run.value.0.as_slice() else { return None };
    if !matches!(program.value.as_str().rsplit('/').next(), Some("sh" | "bash" | "dash")) {
        return None;
    }
    let after = rest.iter().position(|word| {
        let text = word.value.as_str();
        text.starts_with('-') && !text.starts_with("--") && text.ends_with('c')
    })?;
    rest.get(after + 1).map(|text| (text.value.as_str(), text.span))
}

/// Programs that only copy or filter lines, and are never the main program of a task.
const FILTERS: [&str; 7] = ["tee", "grep", "ts", "logger", "cat", "tail", "head"];

#[derive(Debug, PartialEq, Eq)]
enum Loss {
    /// The program runs in the background: `program &`.
    Background,
    /// `wait` discards the exit code of a program in the background: `program & wait`.
    Wait,
    /// A pipe returns the exit code of its last command: `program | tee log`.
    Pipe,
}

/// Returns how a script loses the exit code of its program, if it does.
fn lost(text: &str) -> Option<Loss> {
    let pieces = pieces(text);
    let last = pieces.iter().rposition(|(command, _)| !command.is_empty())?;
    let (command, after) = pieces[last];
    if after == "&" {
        let waits = |words: Vec<&str>| words.get(program(&words)) == Some(&"wait");
        return (!commands(text).any(waits)).then_some(Loss::Background);
    }
    if waits_for_all(&pieces) {
        return Some(Loss::Wait);
    }
    let piped = last.checked_sub(1).is_some_and(|before| matches!(pieces[before].1, "|" | "|&"));
    let filters = command.split_whitespace().next().is_some_and(|program| FILTERS.contains(&program));
    let handled = ["pipefail", "PIPESTATUS"].iter().any(|word| text.contains(word));
    (piped && filters && !handled).then_some(Loss::Pipe)
}

/// Commands with an exit code that does not depend on the program before them.
const INDEPENDENT: [&str; 16] = [
    "echo", "printf", "date", "sleep", "true", ":", "set", "trap", "cd", "fi", "done", "}", "esac", "touch",
    "sync", "unset",
];

/// Returns whether a script discards the exit code of its last background command. It does so if a `wait` without operands follows
/// this command, and all other commands after it ignore its exit code (see [`INDEPENDENT`]).
fn waits_for_all(pieces: &[(&str, &str)]) -> bool {
    let Some(last) = pieces.iter().rposition(|(command, after)| *after == "&" && !command.is_empty()) else {
        return false;
    };
    let mut waits = false;
    let independent = pieces[last + 1..].iter().all(|(command, _)| {
        let words: Vec<&str> = command.split_whitespace().collect();
        let Some((first, rest)) = words.get(program(&words)..).and_then(<[_]>::split_first) else {
            return true;
        };
        let bare = rest.is_empty() || rest[0].starts_with(['>', '<', '2']);
        waits |= *first == "wait" && bare;
        match *first {
            "wait" => bare,
            "exit" | "return" => rest.is_empty() || rest == ["$?"],
            name => INDEPENDENT.contains(&name),
        }
    });
    waits && independent
}

#[cfg(test)]
mod tests {
    use super::{Loss, lost};

    /// Scripts that return the exit code of their program, or another exit code on purpose.
    const KEPT: &[&str] = &[
        "",
        "# a &",
        "server &\nexec python t.py",
        "a & wait $!",
        "a & wait \"$!\"",
        "a & pid=$!; wait $pid",
        "a & pid=$!\ntrap 'kill $pid' TERM\nwait \"$pid\"; wait",
        "server & python t.py; wait",
        "server & exec python t.py",
        "wait",
        "a & b=$!; c & d=$!; wait $b && wait $d",
        "for i in 1 2; do a & p=\"$p $!\"; done; for i in $p; do wait $i; done",
        "a & wait $(jobs -p)",
        "a & wait; test -e /out/done",
        "a & wait; exit $code",
        "a & wait; exit 0",
        "echo 'a & wait'",
        "test -e x && python t.py",
        "python t.py | tee log\nexit 0",
        "set -o pipefail; python t.py | tee log",
        "a || tee b",
        "cat words | python tee",
        "python t.py &&",
        "python t.py | tee log; exit 0",
        "echo \"a | tail b\"; exec python t.py",
        "echo 'a &'",
        "exec python t.py # out | cat",
        "exec python t.py # &",
        "x=$(cat a | head -1)",
        "python t.py > log 2>&1",
        "python t.py >&2",
    ];

    #[test]
    fn the_end_of_a_script_decides_its_exit_code() {
        for text in [
            "python t.py &",
            "python wait.py &",
            "python t.py & # it's | cat",
            "cd /a\nnohup python t.py > log 2>&1 &\n# end\n",
            "a & b &",
        ] {
            assert_eq!(lost(text), Some(Loss::Background), "{text}");
        }
        for text in [
            "python t.py | tee log",
            "python t.py 2>&1 |tee -a log",
            "python t.py | grep loss",
            "python t.py | tee log # all",
            "python t.py | tee log;",
            "echo 'a;b'; python t.py \"x\" 2>&1 | tee \"$LOG\"",
            "a\npython t.py |& tee log\n",
        ] {
            assert_eq!(lost(text), Some(Loss::Pipe), "{text}");
        }
        for text in [
            "python3 train.py & wait",
            "python3 train.py &\nwait\n",
            "a & b &\nwait",
            "a & b &\nFOO=1 wait",
            "pip install x; python3 train.py > log 2>&1 & pid=$!; wait",
            "python3 train.py & wait; exit $?",
            "if true; then python3 train.py & wait; fi",
            "(cd /a; python3 train.py) & wait; echo done",
            "trap 'kill $!' TERM; python3 train.py & wait # all",
        ] {
            assert_eq!(lost(text), Some(Loss::Wait), "{text}");
        }
        for text in KEPT {
            assert_eq!(lost(text), None, "{text}");
        }
    }
}
