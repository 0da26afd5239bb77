//! Reports bash syntax in scripts that `/bin/sh` runs. In Debian and Ubuntu images, `/bin/sh` is dash, which rejects this syntax
//! or interprets it differently.
mod command;
mod scan;
mod table;

use super::Job;
use crate::at::At;
use crate::codes::UNEXPANDED_SYNTAX;
use crate::diagnostic::Diagnostic;
use crate::sources::Span;
use crate::spec;
use crate::spec::values::Text;
use crate::syntax::literal::Places;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use table::{ROWS, Row};

pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    // Several roles can inherit the command of the job, so each script is reported only once.
    let mut reported = BTreeSet::new();
    for (role, _) in job.roles() {
        let Some((text, span)) = sh_script(role) else { continue };
        if !reported.insert(span) {
            continue;
        }
        let script = if role.run.is_some() { "this script" } else { "the `shell` script" };
        let source = job.sources.find(span).filter(|_| matches!(text, Cow::Borrowed(_)));
        let places = source.map(|source| Places::of(source, span));
        let at = |range: &Range<usize>| places.as_ref().map_or(span, |places| places.at(range.clone()));
        if let Some((line, other)) = interpreter(&text) {
            let fact = format!("`{line}` has no effect, because `/bin/sh` runs {script}");
            let help = match other {
                "bash" => use_bash(role, &text),
                _ => format!("save the script in a file, and write `run \"{other}\" \"FILE\"`"),
            };
            let line = text.find(line).map_or(0..0, |begin| begin..begin + line.len());
            out.push(Diagnostic::new(&UNEXPANDED_SYNTAX, at(&line), fact).here("ignored").help(help));
            if other != "bash" {
                continue;
            }
        }
        let is_set = |name: &str| sets(role, name);
        for (row, range) in bash_syntax(&text, is_set) {
            let Row { name, effect, instead } = row;
            let fact = format!(
                "`{name}` is bash syntax, but `/bin/sh` runs {script} and may be dash, which {effect}"
            );
            let help = match *instead {
                "" => use_bash(role, &text),
                instead => format!("{instead}; or {}", use_bash(role, &text)),
            };
            let label = match *name {
                "&>" | "&>>" => "runs in the background in dash",
                _ => "not supported by dash",
            };
            out.push(Diagnostic::new(&UNEXPANDED_SYNTAX, at(&range), fact).here(label).help(help));
        }
    }
}

/// Returns the help for running a script with bash. It moves a `shell` script into `run`, where each literal `{` must be escaped.
fn use_bash(role: &spec::Role, text: &str) -> String {
    let braces =
        if role.run.is_none() && text.contains('{') { ", with each `{` escaped as `{{`" } else { "" };
    format!("if the image contains bash, write `run \"bash\" \"-ec\" \"…\"`{braces}")
}

/// Returns the script that `/bin/sh` runs: the text of `shell`, or the argument after `run "sh" "-c"`. In `run`, `{{` stands for
/// one brace.
fn sh_script(role: &spec::Role) -> Option<(Cow<'_, str>, Span)> {
    if role.run.is_none() {
        return role.shell.as_ref().map(|At { value, span }: &At<Text>| (value.as_str().into(), *span));
    }
    let program = role.run.as_ref()?.value.0.first()?.value.as_str().rsplit('/').next();
    let (text, span) = super::exit_code::script(role).filter(|_| matches!(program, Some("sh" | "dash")))?;
    Some((if text.contains("{{") { text.replace("{{", "{").into() } else { text.into() }, span))
}

/// Returns whether `env` or a secret of a role sets an environment variable.
fn sets(role: &spec::Role, name: &str) -> bool {
    role.env.0.iter().any(|(own, _)| own.value.as_str() == name)
        || role.secret.0.iter().any(|(own, _)| own.value.as_str() == name)
}

/// Returns the first line, such as `#!/bin/bash`, and the name of its interpreter. `None` if the text has no such line, or if the
/// interpreter is `sh`, `dash`, `ash`, or `busybox`.
fn interpreter(text: &str) -> Option<(&str, &str)> {
    let line = text.trim_start().lines().next()?.trim_end();
    let mut words = line.strip_prefix("#!")?.split_whitespace();
    let name = |path: &'_ str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let first = words.next()?;
    let program = if name(first) == "env" { words.find(|word| !word.starts_with('-'))? } else { first };
    let program = program.rsplit('/').next().unwrap_or_default();
    (!matches!(program, "sh" | "dash" | "ash" | "busybox")).then_some((line, program))
}

/// Returns each bash construct in a script once, with the range of its first occurrence. `is_set` returns whether the
/// environment contains a variable.
fn bash_syntax(text: &str, is_set: impl Fn(&str) -> bool) -> Vec<(&'static Row, Range<usize>)> {
    // A script that tests `$BASH_VERSION` handles other shells itself, so it is not checked.
    if text.contains("BASH_VERSION") {
        return Vec::new();
    }
    let found = scan::scan(text);
    // `(set -o pipefail)` in a subshell tests whether the shell supports this option. The option is then not reported.
    let tested = text.contains("(set -o pipefail");
    let mut all: Vec<(&str, Range<usize>)> = found.rows;
    all.retain(|(row, _)| !(found.functions.contains(row) || tested && *row == "set -o pipefail"));
    for (name, at) in found.read {
        let row = ROWS.iter().find(|row| row.name.strip_prefix('$') == Some(name));
        if let Some(row) = row.filter(|_| !is_set(name) && !assigns(text, name)) {
            all.push((row.name, at));
        }
    }
    all.sort_by_key(|(_, at)| at.start);
    let mut reported = BTreeSet::new();
    all.retain(|(row, _)| reported.insert(*row));
    all.into_iter().filter_map(|(name, at)| Some((ROWS.iter().find(|row| row.name == name)?, at))).collect()
}

/// Returns whether a script sets a variable, with `=`, `for`, or `read`.
fn assigns(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let line = before.rsplit(['\n', ';']).next().unwrap_or_default().trim_start();
        let begins = before.is_empty() || before.ends_with(|c: char| c.is_whitespace() || ";&|(".contains(c));
        begins && (after.starts_with('=') || ["for ", "read "].iter().any(|word| line.starts_with(word)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&'static str> {
        bash_syntax(text, |_| false).into_iter().map(|(row, _)| row.name).collect()
    }

    /// Scripts that behave differently in dash 0.5.12 and bash 5.2, each with the reported construct.
    const TOLD: &[(&str, &str)] = &[
        ("python3 train.py &> train.log", "&>"),
        ("python3 train.py &>/dev/null", "&>"),
        ("python3 train.py &>> train.log", "&>>"),
        ("python3 train.py >& train.log", ">&FILE"),
        ("python3 train.py >&\"train.log\"", ">&FILE"),
        ("echo a |& cat", "|&"),
        ("cat <<< hi", "<<<"),
        ("cat <(echo a)", "<(…)"),
        ("echo a > >(cat)", ">(…)"),
        ("case a in a) echo 1;;& *) echo 2;; esac", ";&"),
        ("case a in a) echo 1;& *) echo 2;; esac", ";&"),
        ("i=1; ((i=i+1)); echo $i", "((…))"),
        ("if ((2 > 1)); then echo y; fi", "((…))"),
        ("for ((i=0;i<2;i++)); do echo $i; done", "for ((…))"),
        ("x=(a b); echo", "x=(…)"),
        ("x+=(c)", "x=(…)"),
        ("x=\"$(y=(a))\"", "x=(…)"),
        ("a[0]=1", "x[…]="),
        ("x=a; x+=b; echo $x", "x+="),
        ("export PATH+=:/opt/bin", "x+="),
        ("x=a; echo ${x[@]}", "${x[…]}"),
        ("x=a; echo \"${#x[@]}\"", "${x[…]}"),
        ("y=x; x=1; echo ${!y}", "${!x}"),
        ("x=a; echo ${x//a/b}", "${x/…}"),
        ("x=a; echo \"${x/a/b}\"", "${x/…}"),
        ("x=abc; echo ${x:1:2}", "${x:…}"),
        ("x=abc; echo ${x: -1}", "${x:…}"),
        ("echo ${@:1}", "${x:…}"),
        ("x=a; echo ${x^^}", "${x^}"),
        ("x=a; echo ${x,,}", "${x,}"),
        ("x=a; echo ${x@Q}", "${x@…}"),
        ("cat <<E\n${HOME^^}\nE", "${x^}"),
        ("echo $'a\\tb'", "$'…'"),
        ("echo $\"a\"", "$\"…\""),
        ("echo $(< file)", "$(<FILE)"),
        ("x=\"$(<file)\"; echo $x", "$(<FILE)"),
        ("i=1; echo $((i++))", "$((x++))"),
        ("i=1; echo $(( --i ))", "$((x++))"),
        ("echo $((10#010))", "$((10#x))"),
        ("echo $((2**3))", "$((x**y))"),
        ("for i in {1..4}; do echo $i; done", "{1..4}"),
        ("echo {1..4}", "{1..4}"),
        ("mkdir -p \"$OUT\"/{logs,ckpt}", "{a,b}"),
        ("cp a{,.old}", "{a,b}"),
        ("echo port $RANDOM", "$RANDOM"),
        ("echo \"$((RANDOM)) ${RANDOM}\"", "$RANDOM"),
        ("python t.py 2>&1 | tee log; exit ${PIPESTATUS[0]}", "$PIPESTATUS"),
        ("python t.py | tee log\nexit \"$PIPESTATUS\"", "$PIPESTATUS"),
        ("echo $SECONDS", "$SECONDS"),
        ("[ \"$EUID\" = 0 ]", "$EUID"),
        ("echo $BASHPID", "$BASHPID"),
        ("echo $EPOCHSECONDS", "$EPOCHSECONDS"),
        ("f() { echo $FUNCNAME; }; f", "$FUNCNAME"),
        ("echo $OSTYPE", "$OSTYPE"),
        ("if [[ -e x ]]; then python t.py; fi", "[["),
        ("[[ -n \"$A\" ]] && python t.py", "[["),
        ("! [[ -e x ]]", "[["),
        ("[ \"$A\" == b ] && echo", "[ a == b ]"),
        ("test a == a", "[ a == b ]"),
        ("[ -v HOME ]", "[ -v x ]"),
        ("source env.sh; exec python t.py", "source"),
        ("cat <<'E' > x\na\nE\nsource x", "source"),
        ("set -eo pipefail; python t.py | tee log", "set -o pipefail"),
        ("set -o pipefail || true; python t.py", "set -o pipefail"),
        ("set -o errtrace", "set -o errtrace"),
        ("set -o functrace", "set -o functrace"),
        ("let i=1", "let"),
        ("declare -a x", "declare"),
        ("typeset x=1", "typeset"),
        ("shopt -s nullglob", "shopt"),
        ("function f { echo a; }; f", "function"),
        ("function f() { echo a; }; f", "function"),
        ("pushd /app", "pushd"),
        ("cd /; popd", "popd"),
        ("select x in a; do echo $x; done", "select"),
        ("mapfile x < r", "mapfile"),
        ("readarray x < r", "readarray"),
        ("sleep 1 & disown", "disown"),
        ("coproc cat", "coproc"),
        ("builtin echo a", "builtin"),
        ("compgen -A function", "compgen"),
        ("read -ra x < r", "read -a"),
        ("read -r -d b x < r", "read -d"),
        ("read -n 1 x < r", "read -n"),
        ("read -N 1 x < r", "read -N"),
        ("read -s x < r", "read -s"),
        ("read -t 1 x < r", "read -t"),
        ("printf -v x hi", "printf -v"),
        ("printf '%q' 'a b'", "printf %q"),
        ("f() { :; }; export -f f", "export -f"),
        ("export -n HOME", "export -n"),
        ("f() { local -r x=1; }; f", "local -r"),
        ("trap 'echo e' ERR", "trap … ERR"),
        ("trap 'kill $pid' SIGTERM SIGINT", "trap … SIG…"),
        ("trap 'echo d' DEBUG", "trap … DEBUG"),
        ("trap 'echo r' RETURN", "trap … RETURN"),
        ("kill -SIGTERM $$", "kill -SIG…"),
        ("kill -s SIGCONT $$", "kill -SIG…"),
        ("sleep 0 & wait -n", "wait -n"),
        ("echo -e 'a\\tb'", "echo -e"),
        ("exec -a name sh", "exec -a"),
        ("type -t ls", "type -t"),
        ("type -P ls", "type -P"),
        ("type -p ls", "type -p"),
        ("type -a ls", "type -a"),
        ("type -f ls", "type -f"),
        ("ulimit -u 100", "ulimit -u"),
        ("ulimit -i 100", "ulimit -i"),
        ("ulimit -q 100", "ulimit -q"),
        ("ulimit -x 100", "ulimit -x"),
    ];

    /// Scripts that behave the same in dash and bash, or that `/bin/sh` does not run.
    const SILENT: &[&str] = &[
        "",
        "[ -e x ] && exec python t.py",
        ". ./env.sh; exec python t.py",
        "bash -c 'set -o pipefail; python t.py | tee log'",
        "exec /bin/bash -c \"[[ -e x ]] && python t.py\"",
        "python source.py # [[ source &> x",
        "echo '${PIPESTATUS[0]} &> <(a) <<< $RANDOM'",
        "echo \"a &> b <(c) <<< x=(a) {1..3} [[ ((1)) |& source $'a'\"",
        "python t.py --source pipefail '[['",
        "cat > x <<'E'\nsource a\n${x^^}\nx=(a)\nE\n",
        "cat > x <<\\E\n[[ a ]]\nE\necho",
        "cat > x <<E\nsource a; x=(a b) $(echo a) \\${x^^}\nit's\nE\necho 'x' > y",
        "python t.py > log 2>&1 & pid=$!; wait $pid",
        "python t.py >&2; echo a >&$FD; echo a >&\"$FD\" 2>&-",
        "a && b || c; d | e & wait $!",
        "awk '{print $1; x[$2]++; if (a == b) y = x[1]}' f",
        "python -c 'x = [i for i in {1, 2}]; print(x[1:2], 2**3)'",
        "python -c \"import os; print({'a': [1][0]}, 2**3, 1 == 1)\"",
        "python - <<'END'\nlet = (1 == 1)\nfor x in (a): print(x[0])\nEND\n",
        "echo ${x:-1} ${x:=a} ${x:+b} ${x:?no} ${x%.*} ${x##*/} ${#x} ${x#a/b} ${x%/*} \"${x:-a/b}\"",
        "echo ${x:-${y:-/a/b,c^}} ${x%\"}\"} ${x-[a]} ${1#0} $((${1#0} + 1))",
        "echo $# ${#} $$ $! ${!} $? ${?} $- ${-} $@ \"$@\" ${@} ${*} ${#@} $0 ${0} $10 $${x}",
        "i=$((i + 1)); j=$((i - -1)); k=$((j += 2)); l=$(( (1 + 2) * 3 )); m=$((1 << 2))",
        "n=$((a--1)); o=$((5 - --1))",
        "(cd /a; python t.py); ( (a); (b) ); ((a); (b))",
        "x=$( (cd /a; ls) ); y=$((cd /a; ls) | wc -l); z=`ls | wc -l`",
        "f() { echo a; }; f\ng () {\n local x=1\n}\n",
        "source() { . \"$1\"; }; source ./x",
        "read -r a b < f; read -p x y; while IFS=, read -r l; do echo; done",
        "trap 'kill $pid' TERM INT EXIT; trap - 0; kill -TERM $$; kill -9 1; kill -s TERM 1",
        "echo -n a; echo a -e; printf '%s\\n' a; printf '%5d' 1",
        "export A=1 B; export -p; local x; exec python t.py; type ls",
        "ulimit -n 100; ulimit -c 0; ulimit -l unlimited; ulimit -s unlimited",
        "[ a = b ]; test a = '=='; [ \"$a\" = \"$b\" -o -n x ]; expr 1 == 1",
        "case $x in a|b) echo;; (let) echo;; *) x;; esac",
        "case $x in\n source) a;;\n select|let) b;;\n esac; echo $(case $x in a) b;; esac)",
        "m=\"$(case $A in\n a) echo 1;; esac)\"\npython t.py --note \"x &> y\"",
        "m=\"$(case $A in\n a) case b in\n b) c;; esac;; esac)\"; echo \"x &> y\"",
        "for f in a b; do echo $f; done; for x; do :; done; while :; do break; done",
        "if [ -n \"$BASH_VERSION\" ]; then set -o pipefail; fi",
        "(set -o pipefail) 2>/dev/null && set -o pipefail; python t.py | tee log",
        "RANDOM=3; echo $RANDOM ${SECONDS:-0}",
        "hdfs dfs -get '/d/{a,b}' .; hdfs dfs -cat /d/{a,b}/x; python t.py s3://b/{0000..0999}.tar",
        "python t.py --x={a,b} {} {a} {index} ${x}{a}; find . -exec cat {} ;",
        "mkdir -p \"a/{b,c}\" 'd/{e,f}' g\\{h,i\\}",
        "curl -s 'http://a?b&c=(d)' \"http://a?b&>c\" | sh",
        "echo \\$'a' \\<(a) a\\&\\>b \\[[ 'x'+=1 --a+=b --lr+=1",
        "python t.py trainer.x+=1 +a=[1,2] a.b[0]=1 model=x",
        "test -d x || git clone https://a/b x; echo a#b; echo $x#y",
        "export LD_LIBRARY_PATH=/usr/local/cuda/lib64:$LD_LIBRARY_PATH",
        "grep -E 'a(b|c)' f | sort | uniq -c; ls *.py; echo [a-z]* ?; ~/x",
        "#!/bin/sh\nexec python t.py",
        "cat <<E",
        "echo 'open",
        "echo \"open $(a ${b",
        "$((",
        "((",
        "${",
        "$",
        "<<",
        ">&",
        "é=ü; echo ${é^}",
    ];

    #[test]
    fn constructs_that_dash_handles_differently_are_reported() {
        for (text, row) in TOLD {
            assert!(names(text).contains(row), "{text}: {:?}", names(text));
        }
        for row in ROWS {
            assert!(TOLD.iter().any(|(_, name)| *name == row.name), "no text for {}", row.name);
        }
    }

    #[test]
    fn every_construct_has_a_row() {
        for (text, row) in TOLD {
            assert!(
                scan::scan(text).rows.iter().all(|(name, _)| ROWS.iter().any(|row| row.name == *name)),
                "{text}"
            );
            let places: Vec<_> =
                bash_syntax(text, |_| false).into_iter().filter(|(found, _)| found.name == *row).collect();
            assert!(places.iter().all(|(_, at)| !text[at.clone()].is_empty()), "{text}");
        }
    }

    #[test]
    fn scripts_that_dash_handles_like_bash_are_not_reported() {
        for text in SILENT {
            assert_eq!(names(text), [""; 0], "{text}");
        }
        assert_eq!(bash_syntax("echo $RANDOM", |name| name == "RANDOM").len(), 0);
    }

    #[test]
    fn the_interpreter_of_a_first_line_is_found() {
        for (text, program) in [
            ("#!/bin/bash\necho", Some("bash")),
            ("\n#!/usr/bin/env -S bash -e\necho", Some("bash")),
            ("#! /usr/bin/env python3\nprint()", Some("python3")),
            ("#!/bin/sh -x\n", None),
            ("#!/usr/bin/env sh", None),
            ("# !/bin/bash", None),
            ("echo\n#!/bin/bash", None),
            ("#!", None),
        ] {
            assert_eq!(interpreter(text).map(|(_, program)| program), program, "{text}");
        }
    }

    #[test]
    #[allow(clippy::disallowed_methods, reason = "the test measures time; the rule does not")]
    fn long_scripts_take_linear_time() {
        let begun = std::time::Instant::now();
        for part in [
            "$((",
            "((",
            "(",
            "$(",
            "{",
            "{a",
            "${x:-",
            "a=1 ",
            "<<E\n",
            "`",
            "\"",
            "$(<a ",
            "case x in ",
            "x=(",
        ] {
            names(&part.repeat(100_000));
        }
        assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    }
}
