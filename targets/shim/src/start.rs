//! The last step: this process becomes the task.
use crate::exit::Exit;
use std::io::{Error, ErrorKind};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use tfjob_contract::Rendered;

/// Becomes the task; comes back only when that failed.
pub fn become_task(task: &Rendered) -> Exit {
    if let Some(folder) = &task.workdir
        && let Err(e) = std::env::set_current_dir(folder)
    {
        return Exit::NotExecutable(format!("the working folder {folder} cannot be entered: {e}"));
    }
    let Some((program, words)) = task.argv.split_first() else {
        return Exit::Contract("there is nothing to run".to_owned());
    };
    let mut command = Command::new(program);
    command.args(words).envs(task.env.iter().map(|(name, value)| (name, value)));
    for name in &task.unset {
        command.env_remove(name);
    }
    explain(program, &command.exec())
}

/// Why a program did not start. The system's own words name neither it nor what is missing.
fn explain(program: &str, fault: &Error) -> Exit {
    let path = program.contains('/');
    match fault.kind() {
        ErrorKind::NotFound if path && Path::new(program).exists() => Exit::NotFound(format!(
            "the program {program} is there, but not what it needs to start: the interpreter in its first line, or its loader"
        )),
        ErrorKind::NotFound if path => Exit::NotFound(format!("the program {program} is not there")),
        ErrorKind::NotFound => {
            Exit::NotFound(format!("the program `{program}` is in none of the folders of PATH"))
        }
        ErrorKind::ArgumentListTooLong => Exit::NotExecutable(format!(
            "the program {program} cannot be started: its words and variables are too long together"
        )),
        _ => Exit::NotExecutable(format!("the program {program} cannot be started: {fault}")),
    }
}
