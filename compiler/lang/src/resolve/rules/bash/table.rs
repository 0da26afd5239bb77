//! Bash syntax and builtins that dash does not support or interprets differently. Each row was tested with dash 0.5.12.

/// A bash construct.
#[derive(Debug)]
pub(super) struct Row {
    /// Bash syntax of the construct, as quoted in a message.
    pub name: &'static str,
    /// What dash does with the construct: the rest of a sentence that begins with "dash", such as "does not define this variable".
    pub effect: &'static str,
    /// The portable alternative; empty if there is none.
    pub instead: &'static str,
}

const fn row(name: &'static str, effect: &'static str, instead: &'static str) -> Row {
    Row { name, effect, instead }
}

const SYNTAX: &str = "reports a syntax error and exits";
const SUBSTITUTION: &str = "reports `Bad substitution` and exits";
const UNKNOWN: &str = "reports `not found`";
const OPTION: &str = "reports an illegal option";
const BACKGROUND: &str = "runs the command in the background; if this is the last command of the script, the task succeeds immediately";
const EMPTY: &str = "does not define this variable and reads an empty string";
const SIGNAL: &str = "accepts signal names only without `SIG` and reports an error";
const LIST: &str = "write the list in the command, or use `set -- a b` and `\"$@\"`";

pub(super) const ROWS: &[Row] = &[
    row("&>", BACKGROUND, "write `> FILE 2>&1`"),
    row("&>>", BACKGROUND, "write `>> FILE 2>&1`"),
    row(">&FILE", SYNTAX, "write `> FILE 2>&1`"),
    row("|&", SYNTAX, "write `2>&1 |`"),
    row("<<<", SYNTAX, "write `printf '%s\\n' TEXT |` before the command"),
    row("<(…)", SYNTAX, "write the output to a file, and read that file"),
    row(">(…)", SYNTAX, "write to a file, or use a pipe"),
    row(";&", SYNTAX, "repeat the commands of the next case"),
    row(
        "((…))",
        "runs it as a command in nested subshells",
        "write `x=$((x + 1))`, or `[ \"$x\" -lt 3 ]` as a condition",
    ),
    row("for ((…))", SYNTAX, "write `for i in $(seq 0 3)`, or a `while` loop"),
    row("x=(…)", SYNTAX, LIST),
    row("x[…]=", UNKNOWN, LIST),
    row("x+=", UNKNOWN, "write `x=\"$x…\"`"),
    row("${x[…]}", SUBSTITUTION, LIST),
    row("${!x}", SUBSTITUTION, "write `eval \"y=\\$$x\"`"),
    row("${x/…}", SUBSTITUTION, "write `$(printf '%s' \"$x\" | sed 's/a/b/g')`"),
    row("${x:…}", SUBSTITUTION, "write `$(printf '%s' \"$x\" | cut -c 1-2)`, or use `${x%…}` and `${x#…}`"),
    row("${x^}", SUBSTITUTION, "write `$(printf '%s' \"$x\" | tr a-z A-Z)`"),
    row("${x,}", SUBSTITUTION, "write `$(printf '%s' \"$x\" | tr A-Z a-z)`"),
    row("${x@…}", SUBSTITUTION, ""),
    row("$'…'", "keeps the `$` as a literal character", "write `$(printf '…')`"),
    row("$\"…\"", "keeps the `$` as a literal character", "remove the `$`"),
    row("$(<FILE)", "returns an empty string", "write `$(cat FILE)`"),
    row("$((x++))", "does not change the variable, or reports an error", "write `x=$((x + 1))`"),
    row("$((10#x))", "reports an error", "remove the leading zeros: `${x#0}`"),
    row("$((x**y))", "reports an error", "multiply, or shift with `<<`"),
    row("{1..4}", "does not expand it", "write `$(seq 1 4)`, or each item"),
    row("{a,b}", "does not expand it", "write each item"),
    row("$RANDOM", EMPTY, "write `$(shuf -i 0-32767 -n 1)`"),
    row(
        "$PIPESTATUS",
        "does not set this variable, and reports `Bad substitution` for `${PIPESTATUS[…]}`",
        "remove the pipe (`tee` is not needed: the output of each task is kept anyway)",
    ),
    row("$SECONDS", EMPTY, "save `$(date +%s)` at the start, and subtract it from a later value"),
    row("$EUID", EMPTY, "write `$(id -u)`"),
    row("$BASHPID", EMPTY, ""),
    row("$EPOCHSECONDS", EMPTY, "write `$(date +%s)`"),
    row("$FUNCNAME", EMPTY, ""),
    row("$OSTYPE", EMPTY, "write `$(uname -s)`"),
    row("[[", UNKNOWN, "write `[ … ]`, with `=` for comparisons"),
    row("[ a == b ]", "reports `unexpected operator`", "write `=`"),
    row("[ -v x ]", "reports `unexpected operator`", "write `[ -n \"${x+set}\" ]`"),
    row("source", UNKNOWN, "write `. ./FILE`"),
    row("set -o pipefail", "reports an illegal option and exits", ""),
    row("set -o errtrace", "reports an illegal option and exits", "remove it"),
    row("set -o functrace", "reports an illegal option and exits", "remove it"),
    row("let", UNKNOWN, "write `x=$((x + 1))`"),
    row("declare", UNKNOWN, "write `x=…`, or `export x=…`"),
    row("typeset", UNKNOWN, "write `x=…`, or `local x=…` in a function"),
    row("shopt", UNKNOWN, ""),
    row("function", "does not support the `function` keyword", "write `NAME() { …; }`"),
    row("pushd", UNKNOWN, "write `(cd DIRECTORY && …)`"),
    row("popd", UNKNOWN, "write `(cd DIRECTORY && …)`"),
    row("select", SYNTAX, "a task has no interactive input; set the value in the job"),
    row("mapfile", UNKNOWN, "write `while read -r line; do …; done < FILE`"),
    row("readarray", UNKNOWN, "write `while read -r line; do …; done < FILE`"),
    row("disown", UNKNOWN, "start the command with `nohup`"),
    row("coproc", UNKNOWN, ""),
    row("builtin", UNKNOWN, "write `command`"),
    row("compgen", UNKNOWN, ""),
    row("read -a", OPTION, "use one variable per field: `read -r first second`"),
    row("read -d", OPTION, "convert the delimiter with `tr` before `read`"),
    row("read -n", OPTION, "write `head -c 1`"),
    row("read -N", OPTION, "write `head -c 1`"),
    row("read -s", OPTION, "a task has no interactive input; pass the value with `env` or `secret`"),
    row("read -t", OPTION, "write `timeout 5 head -n 1`"),
    row("printf -v", OPTION, "write `x=$(printf …)`"),
    row("printf %q", "reports `invalid directive`", "write `'%s'`"),
    row("export -f", OPTION, "save the function in a file, and load it with `.`"),
    row("export -n", OPTION, "write `unset NAME`, or `env -u NAME` before the command"),
    row("local -r", "reports `bad variable name`", "write `local NAME=…`"),
    row("trap … ERR", "reports `bad trap`", "write `trap … EXIT`, and check `$?` there"),
    row("trap … DEBUG", "reports `bad trap`", "write `set -x` to print each command"),
    row("trap … RETURN", "reports `bad trap`", ""),
    row("trap … SIG…", SIGNAL, "write the name without `SIG`"),
    row("kill -SIG…", SIGNAL, "write the name without `SIG`"),
    row("wait -n", OPTION, "write `wait $pid` for each command"),
    row("echo -e", "prints the `-e` too", "write `printf '…\\n'`"),
    row("exec -a", "reports `-a: not found`", ""),
    row("type -t", "reports `not found`", "write `command -v NAME`"),
    row("type -P", "reports `not found`", "write `command -v NAME`"),
    row("type -p", "reports `not found`", "write `command -v NAME`"),
    row("type -a", "reports `not found`", "write `command -v NAME`"),
    row("type -f", "reports `not found`", "remove the `-f`"),
    row("ulimit -u", OPTION, "write `ulimit -p`"),
    row("ulimit -i", OPTION, ""),
    row("ulimit -q", OPTION, ""),
    row("ulimit -x", OPTION, ""),
];
