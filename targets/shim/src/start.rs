//! Command construction and `exec`, and the explanation of start failures.
use crate::event;
use crate::exit::Exit;
use crate::lookup::{Lookup, find_program, is_path};
use std::ffi::{OsStr, OsString};
use std::io::{Error, ErrorKind, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use tfjob_contract::Rendered;

/// Magic bytes of an ELF file.
const ELF: [u8; 4] = *b"\x7fELF";
/// The default search path of the C library if PATH is unset.
const USUAL: &str = "/usr/local/bin:/bin:/usr/bin";

/// Replaces this process with the task. Returns only if that fails.
pub fn become_task(task: &Rendered) -> Exit {
    let exit = match command(task) {
        Ok(mut command) => {
            let fault = command.exec();
            let fault = by_shell(&command, &fault).map_or(fault, |mut command| command.exec());
            explain(command.get_program(), &fault)
        }
        Err(exit) => exit,
    };
    exit.hiding(&task.hidden)
}

/// Returns a command that uses `/bin/sh` to run a script that has no `#!` line, as `execvp` of the GNU C library does. `None` if
/// `fault` has another cause.
pub fn by_shell(command: &Command, fault: &Error) -> Option<Command> {
    if fault.raw_os_error() != Some(libc::ENOEXEC) {
        return None;
    }
    let path = search_path(command).unwrap_or_else(|| USUAL.into());
    let Lookup::Found(file) = find_program(command.get_program(), &path, Path::new("")) else { return None };
    let mut begin = Vec::new();
    std::fs::File::open(&file).ok()?.take(512).read_to_end(&mut begin).ok()?;
    if begin.starts_with(&ELF) || begin.contains(&0) {
        return None;
    }
    let mut shell = Command::new("/bin/sh");
    shell.arg(file).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    Some(shell)
}

/// Returns the PATH in which the program is looked up: that of the command, or else that of this process. `None` if
/// it is unset.
pub fn search_path(command: &Command) -> Option<OsString> {
    let own = command.get_envs().find(|(name, _)| *name == "PATH");
    own.map_or_else(|| std::env::var_os("PATH"), |(_, value)| value.map(OsStr::to_owned))
}

/// Changes to the working directory of the task and returns the command of the task.
///
/// # Errors
/// A working directory that cannot be entered, or no program.
pub fn command(task: &Rendered) -> Result<Command, Exit> {
    if let Some(folder) = &task.workdir
        && let Err(e) = std::env::set_current_dir(folder)
    {
        return Err(Exit::NotExecutable(format!("cannot change to the working directory {folder}: {e}")));
    }
    let Some((program, arguments)) = task.argv.split_first() else {
        return Err(Exit::Contract("the job contract has an empty command for this task".to_owned()));
    };
    let mut command = Command::new(program);
    // `TFJOB_DONE` may contain the completion file of a parent shim, and the next two variables its descriptors.
    command.env_remove("TFJOB_DONE");
    command.env_remove(event::DESCRIPTOR);
    command.env_remove(event::HELD);
    command.args(arguments).envs(task.env.iter().map(|(name, value)| (name, value)));
    for name in &task.unset {
        command.env_remove(name);
    }
    Ok(command)
}

/// Checks whether the program exists and is executable.
///
/// # Errors
/// As [`explain`].
pub fn check(program: &OsStr, path: Option<&OsStr>) -> Result<(), Exit> {
    // If PATH is unset, the C library uses its own default.
    let path = match path {
        Some(path) => path,
        None if is_path(program) => OsStr::new(""),
        None => return Ok(()),
    };
    match find_program(program, path, Path::new("")) {
        Lookup::Found(_) => Ok(()),
        Lookup::NotExecutable => Err(explain(program, &Error::from_raw_os_error(libc::EACCES))),
        Lookup::NotFound => Err(explain(program, &Error::from(ErrorKind::NotFound))),
    }
}

/// Returns why the program did not start. The error text of the system names neither the program nor the missing file.
pub fn explain(program: &OsStr, fault: &Error) -> Exit {
    let program = &*program.to_string_lossy();
    let path = program.contains('/');
    match fault.kind() {
        ErrorKind::NotFound if path && Path::new(program).exists() => Exit::NotFound(format!(
            "cannot start {program}: the interpreter in its first line, or its dynamic loader, does not exist"
        )),
        ErrorKind::NotFound if path => Exit::NotFound(format!("program {program} does not exist")),
        ErrorKind::NotFound => Exit::NotFound(format!("program `{program}` not found in PATH")),
        ErrorKind::ArgumentListTooLong => {
            Exit::NotExecutable(format!("cannot start {program}: its arguments and environment are too long"))
        }
        _ if fault.raw_os_error() == Some(libc::ENOEXEC) => Exit::NotExecutable(format!(
            "cannot start {program}: it is built for another architecture, or corrupt"
        )),
        _ => Exit::NotExecutable(format!("cannot start {program}: {fault}")),
    }
}

#[cfg(test)]
mod tests {
    use super::{by_shell, explain};
    use crate::exit::Exit;
    use std::ffi::OsStr;
    use std::io::Error;
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;

    #[test]
    fn a_script_without_a_first_line_runs_under_sh_and_foreign_code_does_not() {
        let folder = std::env::temp_dir().join(format!("tfjob-start-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let put = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            std::fs::write(&path, bytes).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
            path
        };
        let fault = Error::from_raw_os_error(libc::ENOEXEC);
        let script = put("script", b"echo $0 $1 $LEVEL\n");
        let mut by_path = Command::new(&script);
        let mut by_name = Command::new("script");
        by_name.env("PATH", &folder);
        for command in [&mut by_path, &mut by_name] {
            command.arg("one").env("LEVEL", "3").env_remove("HOME");
            let output = by_shell(command, &fault).unwrap().output().unwrap();
            assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{} one 3\n", script.display()));
            assert!(by_shell(command, &Error::from_raw_os_error(libc::EACCES)).is_none());
        }
        for (name, bytes) in [("elf", &b"\x7fELF\x01"[..]), ("other", b"MZ\0\0")] {
            assert!(by_shell(&Command::new(put(name, bytes)), &fault).is_none());
        }
        let Exit::NotExecutable(why) = explain(OsStr::new("/x/elf"), &fault) else {
            panic!("126 is its code")
        };
        assert!(why.contains("built for another architecture"), "{why}");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
