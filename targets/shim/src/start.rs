//! The step from words to a process: this one becomes the task, or starts it.
use crate::event;
use crate::exit::Exit;
use crate::lookup::{Lookup, find_program, is_path};
use std::ffi::{OsStr, OsString};
use std::io::{Error, ErrorKind, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use tfjob_contract::Rendered;

/// What a program of another machine's code begins with.
const ELF: [u8; 4] = *b"\x7fELF";
/// Where the C library looks without a PATH.
const USUAL: &str = "/usr/local/bin:/bin:/usr/bin";

/// Becomes the task; comes back only when that failed.
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

/// What starts a script without a first line that names its interpreter: `/bin/sh`, as `execvp` of the GNU C library has
/// it. `None` where that is not what is wrong.
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

/// The PATH with which a program is looked up: its own, where it has one.
pub fn search_path(command: &Command) -> Option<OsString> {
    let own = command.get_envs().find(|(name, _)| *name == "PATH");
    own.map_or_else(|| std::env::var_os("PATH"), |(_, value)| value.map(OsStr::to_owned))
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
    command.env_remove(event::HELD);
    command.args(words).envs(task.env.iter().map(|(name, value)| (name, value)));
    for name in &task.unset {
        command.env_remove(name);
    }
    Ok(command)
}

/// Whether the program is there and can be started, as far as that shows before it is.
pub fn check(program: &OsStr, path: Option<&OsStr>) -> Result<(), Exit> {
    // An unset PATH is the C library's own.
    let path = match path {
        Some(path) => path,
        None if is_path(program) => OsStr::new(""),
        None => return Ok(()),
    };
    match find_program(program, path, Path::new("")) {
        Lookup::Found(_) => Ok(()),
        Lookup::NotExecutable => Err(explain(program, &Error::from_raw_os_error(libc::EACCES))),
        Lookup::Missing => Err(explain(program, &Error::from(ErrorKind::NotFound))),
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
        _ if fault.raw_os_error() == Some(libc::ENOEXEC) => Exit::NotExecutable(format!(
            "the program {program} cannot be started: it is built for another kind of machine, or damaged"
        )),
        _ => Exit::NotExecutable(format!("the program {program} cannot be started: {fault}")),
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
        assert!(why.contains("built for another kind of machine"), "{why}");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
