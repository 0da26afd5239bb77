//! The step from words to a process: this one becomes the task, or starts it.
use crate::event;
use crate::exit::Exit;
use std::ffi::OsStr;
use std::io::{Error, ErrorKind};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use tfjob_contract::Rendered;

/// Becomes the task; comes back only when that failed.
pub fn become_task(task: &Rendered) -> Exit {
    match command(task) {
        Ok(mut command) => explain(command.get_program().to_owned().as_os_str(), &command.exec()),
        Err(exit) => exit,
    }
}

/// What starts the task, from its own folder, which is entered.
pub fn command(task: &Rendered) -> Result<Command, Exit> {
    if let Some(folder) = &task.workdir
        && let Err(e) = std::env::set_current_dir(folder)
    {
        return Err(Exit::NotExecutable(format!("the working folder {folder} cannot be entered: {e}")));
    }
    let Some((program, words)) = task.argv.split_first() else {
        return Err(Exit::Contract("there is nothing to run".to_owned()));
    };
    let mut command = Command::new(program);
    // A shim above may hear its own program by it.
    command.env_remove("TFJOB_DONE");
    command.env_remove(event::DESCRIPTOR);
    command.args(words).envs(task.env.iter().map(|(name, value)| (name, value)));
    for name in &task.unset {
        command.env_remove(name);
    }
    Ok(command)
}

/// Whether the program is there and can be started, as far as that shows before it is.
pub fn check(program: &OsStr, path: Option<&OsStr>) -> Result<(), Exit> {
    let mut found = false;
    let mut runs = |file: &Path| {
        let about = std::fs::metadata(file).ok().filter(|about| !about.is_dir());
        found |= about.is_some();
        about.is_some_and(|about| about.permissions().mode() & 0o111 != 0)
    };
    let runs = if program.as_encoded_bytes().contains(&b'/') {
        runs(Path::new(program))
    } else {
        // An unset PATH is the C library's own.
        let Some(path) = path else { return Ok(()) };
        std::env::split_paths(path).any(|folder| runs(&folder.join(program)))
    };
    match (runs, found) {
        (true, _) => Ok(()),
        (false, true) => Err(explain(program, &Error::from_raw_os_error(libc::EACCES))),
        (false, false) => Err(explain(program, &Error::from(ErrorKind::NotFound))),
    }
}

/// Why a program did not start. The system's own words name neither it nor what is missing.
pub fn explain(program: &OsStr, fault: &Error) -> Exit {
    let program = &*program.to_string_lossy();
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
