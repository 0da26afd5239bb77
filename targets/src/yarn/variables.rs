//! Variables on their way to a program: the engine's launch script is bash, and so is the command that it starts.

/// The variable with the container's own directory, which the master sets in each.
pub const HOME: &str = "WORK_DIR";
/// The variable with a task's role, for the shim.
pub const ROLE: &str = "TFJOB_ROLE";
/// The variable with a task's index, for the shim.
pub const INDEX: &str = "TFJOB_INDEX";
/// The variable with the user's name as the registry's DNS has it: without `_`, which only the master's token leaves out
/// (`RegistryUtils.registryUser`), and no container's `USER`.
pub const USER: &str = "TFJOB_USER";

/// Variables that a bash of 4.2 to 5.3 sets over any value, does not pass on, or forbids to set.
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

/// Variables that the engine or bash sets over the job's own, or that its launcher would stumble over: the command sets them.
///
/// `LANG` to `WORK_DIR`: the master or the node manager. `PATH` to `IFS` reach the node manager's own launcher, which ends
/// with `setsid: not found` where `PATH` leads elsewhere. A bash that starts replaces `BASH` to `PS4`, and the rest
/// changes what the launch script does.
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

/// Whether bash keeps a variable for itself.
#[must_use]
pub fn of_bash(name: &str) -> bool {
    BASH.contains(&name)
}

/// Whether the command must set a variable.
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

    /// The variables of bash(1), "Shell Variables", that a bash without a terminal need not have.
    const MANUAL: &str = "BASH_ARGV0 BASH_COMPAT BASH_ENV BASH_EXECUTION_STRING BASH_REMATCH BASH_XTRACEFD CDPATH CHILD_MAX \
        COLUMNS COMPREPLY COMP_CWORD COMP_KEY COMP_LINE COMP_POINT COMP_TYPE COMP_WORDS COPROC EMACS ENV EXECIGNORE FCEDIT \
        FIGNORE FUNCNAME FUNCNEST GLOBIGNORE HISTCONTROL HISTFILE HISTFILESIZE HISTIGNORE HISTSIZE HISTTIMEFORMAT HOME \
        HOSTFILE IGNOREEOF INPUTRC INSIDE_EMACS LANG LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_NUMERIC LC_TIME LINES MAIL \
        MAILCHECK MAILPATH MAPFILE OLDPWD OPTARG PATH POSIXLY_CORRECT PROMPT_COMMAND PROMPT_DIRTRIM PS0 PS1 PS2 PS3 \
        READLINE_ARGUMENT READLINE_LINE READLINE_MARK READLINE_POINT REPLY SHELL TEXTDOMAIN TEXTDOMAINDIR TIMEFORMAT TMOUT \
        TMPDIR auto_resume histchars";

    /// Variables that bash keeps for itself since 5.0 (two), 5.1 and 5.3, by its `CHANGES`: an older one passes them on.
    const NEWER: [&str; 4] = ["EPOCHREALTIME", "EPOCHSECONDS", "SRANDOM", "BASH_MONOSECONDS"];

    fn bash(script: &str) -> std::process::Output {
        Command::new("bash").args(["-c", script]).env_clear().output().expect("bash is there")
    }

    /// What a program finds in a variable, where a script like the engine's sets it or the command does.
    fn found(name: &str, value: &str, by_command: bool) -> Option<String> {
        let pair = (name.to_owned(), vec![Piece::Text(value.to_owned())]);
        let argv = ["/usr/bin/env", "-0"].map(|word| vec![Piece::Text(word.to_owned())]).to_vec();
        let exports = if by_command { vec![pair] } else { Vec::new() };
        let launch = Launch { exports, argv, ..Launch::default() }.launch();
        let own = if by_command { String::new() } else { format!("export {name}=\"{value}\"\n") };
        // `ContainerLaunch.UnixShellScriptBuilder` of Hadoop 3.4.2.
        let script = format!("set -o pipefail -e\n{own}echo start >&2\nexec /bin/bash -c \"{launch}\"\n");
        let output = bash(&script);
        let all = String::from_utf8_lossy(&output.stdout).into_owned();
        all.split('\0').find_map(|line| Some(line.strip_prefix(name)?.strip_prefix('=')?.to_owned()))
    }

    #[test]
    fn each_variable_of_bash_arrives_or_is_refused() {
        let own = bash("compgen -v").stdout;
        let own = String::from_utf8_lossy(&own).into_owned();
        let names: BTreeSet<&str> = own.lines().chain(MANUAL.split_whitespace()).chain(NEWER).collect();
        assert!(names.len() > 90, "{names:?}");
        let mut wrong = Vec::new();
        for name in names {
            let arrives = |by_command| {
                ["x", "7"].iter().all(|value| found(name, value, by_command).as_deref() == Some(*value))
            };
            match of_bash(name) {
                true if arrives(true) && !NEWER.contains(&name) => {
                    wrong.push(format!("{name} is refused, and arrives"))
                }
                false if !arrives(exported(name)) => wrong.push(format!("{name} does not arrive")),
                true | false => {}
            }
            // The launch script sets what a patch adds to `env`.
            let path = format!("configuration.env.{name}");
            let taken =
                ["x", "7"].iter().all(|value| fits(&path, &serde_json::Value::from(*value)).is_none());
            if taken && !arrives(false) {
                wrong.push(format!("a patch's {name} is accepted, and does not arrive"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
