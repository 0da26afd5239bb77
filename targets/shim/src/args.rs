//! Command-line arguments of the shim.
use crate::exit::Exit;
use std::ffi::OsString;
use std::path::PathBuf;

/// The output of `--help`.
pub const HELP: &str = r#"Start and supervise one task of a compiled job inside its container

Usage: tfjob-shim [--contract PATH | --contract-env NAME] [--print | --parent PID]
       tfjob-shim -- PROGRAM [ARG]...
       tfjob-shim --copy-to PATH

Options:
      --contract PATH      Read the job contract from this file [default: value of TFJOB_CONTRACT].
                           `tfjob compile` writes the job contract: commands, environment,
                           and restart rules of all tasks, as JSON
      --contract-env NAME  Read the job contract from this environment variable, as JSON or base64
      --print              Print command, environment, and working directory of the task as JSON
                           and exit; a port that is allocated at start appears as <port NAME>
      --parent PID         Stop the task when the parent process of tfjob-shim exits; PID is the
                           process ID of this parent
      --copy-to PATH       Copy tfjob-shim to PATH and exit, for an init container
  -h, --help               Print help
      --version            Print version

  -- PROGRAM [ARG]...      Supervise PROGRAM without a job contract: forward signals,
                           reap child processes, and stop processes that PROGRAM leaves behind

Exit codes: that of the task (128 + N if it was killed by signal N), or
   64  usage error
   65  job contract is unreadable, invalid, or too new
   66  environment variable of the platform not set or invalid
   69  fewer GPUs than requested
   71  something is missing on the machine or in the image, such as a data path; or no port is free
   73  checkpoint directory is not empty (`if-exists="fail"`)
   74  no space left for checkpoints
   75  peers (tasks that this task waits for) not ready within `start timeout`, or a peer failed
   76  a fixed port of the task is already in use
   77  checkpoint directory is not writable
  124  `deadline` exceeded
  126  program is not executable
  127  program not found
"#;

/// The action that the arguments request.
#[derive(Debug, PartialEq, Eq)]
pub enum Action {
    /// `--help`.
    Help,
    /// `--version`.
    Version,
    /// Copy this program to a path.
    CopyTo(PathBuf),
    /// Start a task, or print it.
    Start(Args),
    /// Supervise the program after `--`.
    Supervise(Vec<OsString>),
}

/// Options for starting a task.
#[derive(Debug, PartialEq, Eq)]
pub struct Args {
    /// Where to read the job contract.
    pub contract: ContractSource,
    /// Print the rendered task instead of starting it.
    pub print: bool,
    /// Parent process; the task is stopped when the parent exits.
    pub parent: Option<u32>,
}

/// Where to read the job contract.
#[derive(Debug, PartialEq, Eq)]
pub enum ContractSource {
    /// A file.
    File(PathBuf),
    /// The file whose path is in `TFJOB_CONTRACT`.
    Default,
    /// The value of an environment variable.
    Variable(OsString),
}

/// Parses the arguments after the program name.
///
/// # Errors
/// [`Exit::Usage`] for unknown, incomplete, or conflicting arguments.
pub fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Action, Exit> {
    let mut arguments = arguments;
    let mut args = Args { contract: ContractSource::Default, print: false, parent: None };
    while let Some(argument) = arguments.next() {
        let Some(text) = argument.to_str() else { return Err(unexpected(&argument)) };
        let (option, value) = match text.split_once('=') {
            Some((option, value)) => (option, Some(OsString::from(value))),
            None => (text, None),
        };
        match (option, &value) {
            ("--help" | "-h", None) => return Ok(Action::Help),
            ("--version", None) => return Ok(Action::Version),
            ("--print", None) => args.print = true,
            ("--", None)
                if args == (Args { contract: ContractSource::Default, print: false, parent: None }) =>
            {
                let command: Vec<OsString> = arguments.collect();
                return match command.first() {
                    Some(program) if !program.is_empty() => Ok(Action::Supervise(command)),
                    Some(_) | None => Err(Exit::Usage("`--` must be followed by a program".to_owned())),
                };
            }
            ("--parent", _) => {
                let number = value.or_else(|| arguments.next());
                let number = number.as_ref().and_then(|number| number.to_str()?.parse().ok());
                let fault = || Exit::Usage("`--parent` requires a process ID".to_owned());
                args.parent = Some(number.ok_or_else(fault)?);
            }
            ("--copy-to", _) => return copy_to(value, arguments),
            ("--contract" | "--contract-env", _) => {
                if args.contract != ContractSource::Default {
                    return Err(Exit::Usage(
                        "`--contract` and `--contract-env` can be given only once, and not together"
                            .to_owned(),
                    ));
                }
                let value = value.or_else(|| arguments.next()).filter(|value| !value.is_empty());
                let value = value.ok_or_else(|| Exit::Usage(format!("`{option}` requires a value")))?;
                args.contract = match option {
                    "--contract" => ContractSource::File(PathBuf::from(value)),
                    _ => ContractSource::Variable(value),
                };
            }
            _ => return Err(unexpected(&argument)),
        }
    }
    Ok(Action::Start(args))
}

/// Parses the value of `--copy-to`: `value`, otherwise the next argument. No argument may follow.
fn copy_to(value: Option<OsString>, mut arguments: impl Iterator<Item = OsString>) -> Result<Action, Exit> {
    let path = value.or_else(|| arguments.next()).filter(|path| !path.is_empty());
    match (path, arguments.next()) {
        (Some(path), None) => Ok(Action::CopyTo(PathBuf::from(path))),
        (Some(_), Some(argument)) => Err(unexpected(&argument)),
        (None, _) => Err(Exit::Usage("`--copy-to` requires a path".to_owned())),
    }
}

fn unexpected(argument: &OsString) -> Exit {
    let argument = argument.to_string_lossy();
    Exit::Usage(format!("unexpected argument `{argument}`; run `tfjob-shim --help` for usage"))
}

#[cfg(test)]
mod tests {
    use super::{Action, Args, ContractSource, Exit, parse};

    fn parsed(arguments: &[&str]) -> Result<Action, Exit> {
        parse(arguments.iter().map(|argument| (*argument).into()))
    }

    fn start(contract: ContractSource, print: bool) -> Result<Action, Exit> {
        Ok(Action::Start(Args { contract, print, parent: None }))
    }

    #[test]
    fn the_source_of_the_contract_is_parsed() {
        assert_eq!(parsed(&[]), start(ContractSource::Default, false));
        assert_eq!(
            parsed(&["--print", "--contract", "/a=b"]),
            start(ContractSource::File("/a=b".into()), true)
        );
        assert_eq!(parsed(&["--contract=/a=b"]), start(ContractSource::File("/a=b".into()), false));
        assert_eq!(parsed(&["--contract-env", "X"]), start(ContractSource::Variable("X".into()), false));
        assert_eq!(parsed(&["--print", "--help"]), Ok(Action::Help));
        assert_eq!(parsed(&["--version"]), Ok(Action::Version));
        assert_eq!(parsed(&["--copy-to", "/a/b"]), Ok(Action::CopyTo("/a/b".into())));
        assert_eq!(
            parsed(&["--", "a", "--print"]),
            Ok(Action::Supervise(vec!["a".into(), "--print".into()]))
        );
    }

    #[test]
    fn other_arguments_are_usage_errors() {
        let wrong: [(&[&str], &str); 10] = [
            (&["--copy-to"], "`--copy-to` requires a path"),
            (&["--copy-to", "/a", "/b"], "unexpected argument `/b`; run `tfjob-shim --help` for usage"),
            (&["python"], "unexpected argument `python`; run `tfjob-shim --help` for usage"),
            (&["--"], "`--` must be followed by a program"),
            (&["--print", "--", "true"], "unexpected argument `--`; run `tfjob-shim --help` for usage"),
            (&["--print=yes"], "unexpected argument `--print=yes`; run `tfjob-shim --help` for usage"),
            (&["--contract"], "`--contract` requires a value"),
            (&["--contract="], "`--contract` requires a value"),
            (&["--contract-env", ""], "`--contract-env` requires a value"),
            (
                &["--contract", "a", "--contract-env", "B"],
                "`--contract` and `--contract-env` can be given only once, and not together",
            ),
        ];
        for (arguments, expected) in wrong {
            assert_eq!(parsed(arguments), Err(Exit::Usage(expected.to_owned())), "{arguments:?}");
        }
    }
}
