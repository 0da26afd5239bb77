//! Variables of a task that the job cannot set, or that are set for its program alone.
use super::Support;
use tfjob_lang::plan::{Plan, RoleId};

/// Variables that a shell replaces when it starts, unless it exports them itself, and those that change `cd` or `tar`.
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

/// Variables that no program started by bash gets from outside.
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

/// Whether a variable is set for the program alone: the command's own shell, its tools or their loader would heed or
/// replace it.
pub fn is_for_the_program(name: &str) -> bool {
    name.starts_with("LD_") || FOR_THE_PROGRAM.contains(&name)
}

/// Whether the shell that starts the program sets a variable itself.
pub fn is_of_the_shell(name: &str) -> bool {
    OF_THE_SHELL.contains(&name)
}

/// What sets a variable of each task, so that the job cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setter {
    /// The shell that starts the program.
    Shell,
    /// The agent, by which the command finds the sandbox and its ports.
    Agent,
}

/// `HOST`, `PORTS` and ports that the command does not read are the job's where it says so: the app's own variables come
/// last (Marathon, `TaskBuilder.commandInfo`).
pub fn setter(role: RoleId, name: &str, plan: &Plan) -> Option<Setter> {
    if is_of_the_shell(name) {
        return Some(Setter::Shell);
    }
    let agents = ["MESOS_", "LIBPROCESS_", "MARATHON_"].iter().any(|prefix| name.starts_with(prefix));
    let number = name.strip_prefix("PORT").filter(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    let picked = plan.roles[role].ports.iter().any(|port| port.number.is_none());
    (agents || number.is_some() && picked).then_some(Setter::Agent)
}

/// A variable: the agent's own and the ports that the command reads are not for the job to set.
pub fn variable(role: RoleId, name: &str, plan: &Plan) -> Option<Support> {
    Some(match setter(role, name, plan)? {
        Setter::Shell => Support::impossible(
            format!(
                "starts the program by the image's `sh`, which may be bash, and bash sets `{name}` itself"
            ),
            "another name",
            "bash(1), Shell Variables",
        ),
        Setter::Agent => Support::impossible(
            format!("tells each task of itself in `{name}`, and the task's command reads such variables"),
            "another name",
            "dcos#task-variables",
        ),
    })
}
