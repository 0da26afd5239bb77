//! The command line: where the contract is, and whether only to say what would run.
use crate::exit::Exit;
use std::ffi::OsString;
use std::path::PathBuf;

/// What `--help` prints.
pub const HELP: &str = "\
Starts one task of a job that tfjob compiled, inside its container.

Usage: tfjob-shim [--contract PATH | --contract-env NAME] [--print | --parent PID]
       tfjob-shim -- PROGRAM WORD...

  --contract PATH      the contract; else the path in the variable TFJOB_CONTRACT
  --contract-env NAME  the contract is the value of that variable: JSON, or its base64
  --print              write what would run as JSON, and start nothing;
                       a port that would be picked stands there as <port NAME>
  --parent PID         stop the task when that process, which started this one, is gone
  -- PROGRAM WORD...   no contract: start this, pass signals on, reap, and leave nothing behind

It ends with the task's own exit code (128 and more for a signal), or with
  64 wrong use, 65 unreadable or newer contract, 66 a variable that the platform did not set,
  69 fewer GPUs than promised, 71 something that machine or image lacks, 73 checkpoints where
  none may be, 74 no room for checkpoints, 75 others missing for too long, 76 the task's own
  port taken, 77 checkpoints that cannot be written, 124 the job's deadline, 126 program not
  executable, 127 program not found.
";

/// What is wanted.
#[derive(Debug, PartialEq, Eq)]
pub enum Wish {
    /// `--help`.
    Help,
    /// `--version`.
    Version,
    /// The rule.
    Start(Args),
    /// Words after `--`.
    Supervise(Vec<OsString>),
}

/// How to start.
#[derive(Debug, PartialEq, Eq)]
pub struct Args {
    /// Where the contract is.
    pub contract: Place,
    /// Whether only to print.
    pub print: bool,
    /// With whose end the task is stopped.
    pub parent: Option<u32>,
}

/// Where a contract can be.
#[derive(Debug, PartialEq, Eq)]
pub enum Place {
    /// In a file.
    File(PathBuf),
    /// In the file that `TFJOB_CONTRACT` names.
    Default,
    /// In a variable itself.
    Variable(OsString),
}

/// Reads the words after the program's name.
pub fn parse(words: impl Iterator<Item = OsString>) -> Result<Wish, Exit> {
    let mut words = words;
    let mut args = Args { contract: Place::Default, print: false, parent: None };
    while let Some(word) = words.next() {
        let Some(text) = word.to_str() else { return Err(unknown(&word)) };
        let (option, value) = match text.split_once('=') {
            Some((option, value)) => (option, Some(OsString::from(value))),
            None => (text, None),
        };
        match (option, &value) {
            ("--help" | "-h", None) => return Ok(Wish::Help),
            ("--version", None) => return Ok(Wish::Version),
            ("--print", None) => args.print = true,
            ("--", None) if args == (Args { contract: Place::Default, print: false, parent: None }) => {
                let words: Vec<OsString> = words.collect();
                return match words.first() {
                    Some(program) if !program.is_empty() => Ok(Wish::Supervise(words)),
                    Some(_) | None => Err(Exit::Usage("`--` needs a program after it".to_owned())),
                };
            }
            ("--parent", _) => {
                let number = value.or_else(|| words.next());
                let number = number.as_ref().and_then(|number| number.to_str()?.parse().ok());
                let fault = || Exit::Usage("--parent needs the number of a process".to_owned());
                args.parent = Some(number.ok_or_else(fault)?);
            }
            ("--contract" | "--contract-env", _) => {
                if args.contract != Place::Default {
                    return Err(Exit::Usage("the contract is named twice".to_owned()));
                }
                let value = value.or_else(|| words.next()).filter(|value| !value.is_empty());
                let value = value.ok_or_else(|| Exit::Usage(format!("{option} needs a value")))?;
                args.contract = match option {
                    "--contract" => Place::File(PathBuf::from(value)),
                    _ => Place::Variable(value),
                };
            }
            _ => return Err(unknown(&word)),
        }
    }
    Ok(Wish::Start(args))
}

fn unknown(word: &OsString) -> Exit {
    Exit::Usage(format!("`{}` is no option; --help lists them", word.to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::{Args, Exit, Place, Wish, parse};

    fn parsed(words: &[&str]) -> Result<Wish, Exit> {
        parse(words.iter().map(|word| (*word).into()))
    }

    fn start(contract: Place, print: bool) -> Result<Wish, Exit> {
        Ok(Wish::Start(Args { contract, print, parent: None }))
    }

    #[test]
    fn the_contract_is_where_the_words_say() {
        assert_eq!(parsed(&[]), start(Place::Default, false));
        assert_eq!(parsed(&["--print", "--contract", "/a=b"]), start(Place::File("/a=b".into()), true));
        assert_eq!(parsed(&["--contract=/a=b"]), start(Place::File("/a=b".into()), false));
        assert_eq!(parsed(&["--contract-env", "X"]), start(Place::Variable("X".into()), false));
        assert_eq!(parsed(&["--print", "--help"]), Ok(Wish::Help));
        assert_eq!(parsed(&["--version"]), Ok(Wish::Version));
        assert_eq!(parsed(&["--", "a", "--print"]), Ok(Wish::Supervise(vec!["a".into(), "--print".into()])));
    }

    #[test]
    fn anything_else_is_wrong_use() {
        let wrong: [(&[&str], &str); 8] = [
            (&["python"], "`python` is no option; --help lists them"),
            (&["--"], "`--` needs a program after it"),
            (&["--print", "--", "true"], "`--` is no option; --help lists them"),
            (&["--print=yes"], "`--print=yes` is no option; --help lists them"),
            (&["--contract"], "--contract needs a value"),
            (&["--contract="], "--contract needs a value"),
            (&["--contract-env", ""], "--contract-env needs a value"),
            (&["--contract", "a", "--contract-env", "B"], "the contract is named twice"),
        ];
        for (words, expected) in wrong {
            assert_eq!(parsed(words), Err(Exit::Usage(expected.to_owned())), "{words:?}");
        }
    }
}
