//! Environment variables that a job cannot set, or that only the program may see.
use super::Support;
use tfjob_lang::plan::{Plan, RoleId};

/// Environment variables that only the program may see: those that a shell sets at startup without exporting them, and those that
/// change the behavior of `cd` or `tar`.
const FOR_THE_PROGRAM: [&str; 15] = [
    "BASH",
    "BASH_ARGV0",
    "BASH_VERSION",
    "CDPATH",
    "COMP_WORDBREAKS",
    "IFS",
    "OLDPWD",
    "OPTERR",
    "OPTIND",
    "POSIXLY_CORRECT",
    "PS1",
    "PS2",
    "PS4",
    "PWD",
    "TAR_OPTIONS",
];

/// Environment variables that bash always overwrites. A program that bash starts never gets the value that the job sets.
const OF_THE_SHELL: [&str; 15] = [
    "BASHOPTS",
    "BASHPID",
    "BASH_COMMAND",
    "BASH_SUBSHELL",
    "BASH_VERSINFO",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "HISTCMD",
    "LINENO",
    "PPID",
    "RANDOM",
    "SHELLOPTS",
    "SHLVL",
    "SRANDOM",
    "_",
];

/// Returns whether only the program may see an environment variable, because the shell that runs the command, the tools of this
/// shell, or the dynamic loader would use or replace the variable.
pub fn is_for_the_program(name: &str) -> bool {
    name.starts_with("LD_") || FOR_THE_PROGRAM.contains(&name)
}

/// Returns whether the shell that starts the program overwrites an environment variable.
pub fn is_of_the_shell(name: &str) -> bool {
    OF_THE_SHELL.contains(&name)
}

/// What sets an environment variable in each task, so that the job cannot set the variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setter {
    /// The shell that starts the program.
    Shell,
    /// The agent. The command of the app reads such variables, to find the sandbox and the ports.
    Agent,
}

/// Returns the component that sets an environment variable, if the job cannot set it. A job may set `HOST`, `PORTS`, and port
/// variables that the command does not read, because variables of the app override those of Marathon (`TaskBuilder.commandInfo`).
pub fn setter(role: RoleId, name: &str, plan: &Plan) -> Option<Setter> {
    if is_of_the_shell(name) {
        return Some(Setter::Shell);
    }
    let agents = ["MESOS_", "LIBPROCESS_", "MARATHON_"].iter().any(|prefix| name.starts_with(prefix));
    let number = name.strip_prefix("PORT").filter(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    let picked = plan.roles[role].ports.iter().any(|port| port.number.is_none());
    (agents || number.is_some() && picked).then_some(Setter::Agent)
}

/// Refuses an environment variable that the agent or the shell sets.
pub fn variable(role: RoleId, name: &str, plan: &Plan) -> Option<Support> {
    Some(match setter(role, name, plan)? {
        Setter::Shell => Support::impossible(
            format!(
                "the program would not get this value of `{name}`: if the `sh` of the image is bash, it overwrites the variable"
            ),
            format!("rename the variable, for example to `APP_{name}`"),
            "bash(1), Shell Variables",
        ),
        Setter::Agent => Support::impossible(
            format!(
                "Mesos and Marathon set variables such as `{name}` in each task; another value would break the command of the app, which reads them"
            ),
            format!("rename the variable, for example to `APP_{name}`"),
            "dcos#task-variables",
        ),
    })
}
