//! Environment variables that would not reach a program unchanged, because bash runs both the launch script and the launch
//! command.

/// Environment variable with the working directory of the container. The service master sets it.
pub const HOME: &str = "WORK_DIR";
/// Environment variable from which the shim reads the role of its task.
pub const ROLE: &str = "TFJOB_ROLE";
/// Environment variable from which the shim reads the index of its task.
pub const INDEX: &str = "TFJOB_INDEX";
/// Environment variable with the user name as registry DNS names contain it: `-` instead of `_`. A token of the service master has
/// this form (`RegistryUtils.registryUser`), but the variable `USER` of the container does not.
pub const USER: &str = "TFJOB_USER";

/// Environment variables that bash 4.2 to 5.3 overwrites, does not export, or lets no script set.
const BASH: [&str; 29] = [
    "BASHOPTS",
    "BASHPID",
    "BASH_ALIASES",
    "BASH_ARGC",
    "BASH_ARGV",
    "BASH_CMDS",
    "BASH_COMMAND",
    "BASH_LINENO",
    "BASH_MONOSECONDS",
    "BASH_SOURCE",
    "BASH_SUBSHELL",
    "BASH_VERSINFO",
    "DIRSTACK",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "EUID",
    "FUNCNAME",
    "GROUPS",
    "HISTCMD",
    "LINENO",
    "OPTIND",
    "PPID",
    "RANDOM",
    "SECONDS",
    "SHELLOPTS",
    "SHLVL",
    "SRANDOM",
    "UID",
    "_",
];

/// Environment variables that the launch command must set. If the Yarnfile set such a variable, YARN or bash would overwrite it, or
/// YARN's launcher would fail.
///
/// The list has four groups. From `LANG` to `WORK_DIR`: variables that the service master or the NodeManager sets. From `PATH` to
/// `IFS`: variables that also reach the launcher of the NodeManager, which fails with `setsid: not found` if `PATH` is changed.
/// From `BASH` to `PS4`: variables that a new bash overwrites. The remaining variables change how bash runs the launch script.
const EXPORTED: [&str; 36] = [
    "LANG",
    "LC_ALL",
    "LANGUAGE",
    "HOME",
    "USER",
    "LOGNAME",
    "PWD",
    "CONTAINER_ID",
    "NM_HOST",
    "LOG_DIR",
    "WORK_DIR",
    "HADOOP_USER_NAME",
    "MALLOC_ARENA_MAX",
    "PATH",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "BASH_ENV",
    "ENV",
    "IFS",
    "BASH",
    "BASH_ARGV0",
    "BASH_EXECUTION_STRING",
    "BASH_VERSION",
    "COMP_WORDBREAKS",
    "OLDPWD",
    "OPTERR",
    "PIPESTATUS",
    "PS1",
    "PS2",
    "PS4",
    "BASH_COMPAT",
    "BASH_XTRACEFD",
    "CDPATH",
    "EXECIGNORE",
    "GLOBIGNORE",
    "POSIXLY_CORRECT",
];

/// Returns whether bash sets this environment variable itself, so that a job cannot set it.
#[must_use]
pub fn of_bash(name: &str) -> bool {
    BASH.contains(&name)
}

/// Returns whether the launch command must set this environment variable.
#[must_use]
pub fn exported(name: &str) -> bool {
    EXPORTED.contains(&name) || name.starts_with("NM_") || name.starts_with("LOCAL_")
}

#[cfg(test)]
mod tests {
    use super::{exported, of_bash};
    use crate::yarn::lower::command::Command as Launch;
    use crate::yarn::patched::fits;
    use std::collections::BTreeSet;
    use std::process::Command;
    use tfjob_contract::Piece;

    /// Variables in the section "Shell Variables" of bash(1) that may be unset in a bash without a terminal.
    const MANUAL: &str = "BASH_ARGV0 BASH_COMPAT BASH_ENV BASH_EXECUTION_STRING BASH_REMATCH BASH_XTRACEFD CDPATH CHILD_MAX \
        COLUMNS COMPREPLY COMP_CWORD COMP_KEY COMP_LINE COMP_POINT COMP_TYPE COMP_WORDS COPROC EMACS ENV EXECIGNORE FCEDIT \
        FIGNORE FUNCNAME FUNCNEST GLOBIGNORE HISTCONTROL HISTFILE HISTFILESIZE HISTIGNORE HISTSIZE HISTTIMEFORMAT HOME \
        HOSTFILE IGNOREEOF INPUTRC INSIDE_EMACS LANG LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_NUMERIC LC_TIME LINES MAIL \
        MAILCHECK MAILPATH MAPFILE OLDPWD OPTARG PATH POSIXLY_CORRECT PROMPT_COMMAND PROMPT_DIRTRIM PS0 PS1 PS2 PS3 \
        READLINE_ARGUMENT READLINE_LINE READLINE_MARK READLINE_POINT REPLY SHELL TEXTDOMAIN TEXTDOMAINDIR TIMEFORMAT TMOUT \
        TMPDIR auto_resume histchars";

    /// Variables that bash sets itself since 5.0 (the first two), 5.1 (the third), and 5.3 (the last), by the file `CHANGES` of
    /// bash. An older bash exports the value from its environment.
    const NEWER: [&str; 4] = ["EPOCHREALTIME", "EPOCHSECONDS", "SRANDOM", "BASH_MONOSECONDS"];

    fn bash(script: &str) -> std::process::Output {
        Command::new("bash").args(["-c", script]).env_clear().output().expect("bash is there")
    }

    /// Returns the value of a variable that a program sees. `by_command`: `true` if the launch command sets the variable, `false`
    /// if YARN's launch script sets it.
    fn seen_by_program(name: &str, value: &str, by_command: bool) -> Option<String> {
        let pair = (name.to_owned(), vec![Piece::Text(value.to_owned())]);
        let argv = ["/usr/bin/env", "-0"].map(|word| vec![Piece::Text(word.to_owned())]).to_vec();
        let exports = if by_command { vec![pair] } else { Vec::new() };
        let launch = Launch { exports, argv, ..Launch::default() }.launch();
        let export = if by_command { String::new() } else { format!("export {name}=\"{value}\"\n") };
        // This script has the form of `ContainerLaunch.UnixShellScriptBuilder` in Hadoop 3.4.2.
        let script = format!("set -o pipefail -e\n{export}echo start >&2\nexec /bin/bash -c \"{launch}\"\n");
        let output = bash(&script);
        let all = String::from_utf8_lossy(&output.stdout).into_owned();
        all.split('\0').find_map(|line| Some(line.strip_prefix(name)?.strip_prefix('=')?.to_owned()))
    }

    #[test]
    fn each_variable_of_bash_arrives_or_is_refused() {
        let known = bash("compgen -v").stdout;
        let known = String::from_utf8_lossy(&known).into_owned();
        let names: BTreeSet<&str> = known.lines().chain(MANUAL.split_whitespace()).chain(NEWER).collect();
        assert!(names.len() > 90, "{names:?}");
        let mut wrong = Vec::new();
        for name in names {
            let arrives = |by_command| {
                ["x", "7"]
                    .iter()
                    .all(|value| seen_by_program(name, value, by_command).as_deref() == Some(*value))
            };
            match of_bash(name) {
                true if arrives(true) && !NEWER.contains(&name) => {
                    wrong.push(format!("{name} is refused, and arrives"))
                }
                false if !arrives(exported(name)) => wrong.push(format!("{name} does not arrive")),
                true | false => {}
            }
            // A patch sets variables in the launch script, and not in the launch command.
            let path = format!("configuration.env.{name}");
            let accepted =
                ["x", "7"].iter().all(|value| fits(&path, &serde_json::Value::from(*value)).is_none());
            if accepted && !arrives(false) {
                wrong.push(format!("a patch's {name} is accepted, and does not arrive"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
