//! Inputs of a task from its container: the job contract, environment variables, free ports, jar files.
use crate::args::ContractSource;
use crate::exit::Exit;
use crate::ports::{self, Port};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use tfjob_contract::{Contract, LARGEST, Machine, TaskId, Unreadable};

/// Reads the job contract. A file that is longer than any contract, or endless, is an error.
///
/// # Errors
/// The file or variable is missing or unreadable, and errors of [`Contract::read`]. Each message names the file or variable.
pub fn contract(place: &ContractSource) -> Result<Contract, Exit> {
    match place {
        ContractSource::File(path) => file(path),
        ContractSource::Default => match std::env::var_os("TFJOB_CONTRACT").filter(|path| !path.is_empty()) {
            Some(path) => file(Path::new(&path)),
            None => Err(Exit::Usage(
                "no job contract given; set TFJOB_CONTRACT or `--contract` to the path of the contract that `tfjob compile` wrote, or use `--contract-env NAME`"
                    .to_owned(),
            )),
        },
        ContractSource::Variable(name) => {
            let shown = name.to_string_lossy();
            let text = text(name)?.ok_or_else(|| {
                Exit::Platform(format!(
                    "environment variable {shown} (`--contract-env`) is not set; it must contain the job contract that `tfjob compile` wrote"
                ))
            })?;
            Contract::read_encoded(&text).map_err(|fault| refused(&format!("environment variable {shown}"), &fault))
        }
    }
}

fn refused(place: &str, fault: &Unreadable) -> Exit {
    Exit::Contract(format!("{place}: {fault}"))
}

fn file(path: &Path) -> Result<Contract, Exit> {
    let longest = u64::try_from(LARGEST).map_or(u64::MAX, |longest| longest + 1);
    let mut text = String::new();
    match File::open(path).and_then(|file| file.take(longest).read_to_string(&mut text)) {
        Ok(_) => Contract::read(&text).map_err(|fault| refused(&path.display().to_string(), &fault)),
        Err(e) => Err(Exit::Contract(format!("cannot read the job contract {}: {e}", path.display()))),
    }
}

/// Returns the environment variables that the contract reads, as far as they are set.
///
/// # Errors
/// A value that is not UTF-8.
pub fn variables(contract: &Contract) -> Result<BTreeMap<String, String>, Exit> {
    let mut found = BTreeMap::new();
    for name in contract.variables() {
        if let Some(value) = text(OsStr::new(name))? {
            found.insert(name.to_owned(), value);
        }
    }
    Ok(found)
}

/// Returns the value of a variable. `None` if it is unset, or if no variable can have this name: `std::env` would panic on it.
fn text(name: &OsStr) -> Result<Option<String>, Exit> {
    let bytes = name.as_encoded_bytes();
    if bytes.is_empty() || bytes.contains(&b'=') || bytes.contains(&0) {
        return Ok(None);
    }
    let value = std::env::var_os(name).map(OsString::into_string).transpose();
    value.map_err(|_| {
        Exit::Platform(format!(
            "the value of environment variable {} is not valid UTF-8",
            name.to_string_lossy()
        ))
    })
}

/// The machine on which the task is started.
#[derive(Debug, Default)]
pub struct ContainerMachine {
    /// Reserved ports. The reservation ends when this value is dropped, or when the program replaces this process.
    ports: Vec<Port>,
    /// Ports of all tasks of the job. They are never allocated: other tasks on this host may bind them later.
    known: Vec<u16>,
    /// Whether this value, and with it the port reservations, lives as long as the program.
    stays: bool,
    /// Path of the completion file.
    done: Option<String>,
}

impl ContainerMachine {
    /// Returns the machine for a task of this job. `env` contains the addresses of all tasks.
    pub fn of(contract: &Contract, env: &BTreeMap<String, String>) -> Self {
        let numbers = contract.roles.iter().flat_map(|role| role.ports.values().copied().chain([role.port]));
        let tasks: Vec<TaskId> = contract.tasks().collect();
        let places = contract.peer_addresses(&tasks, env).unwrap_or_default();
        Self {
            known: numbers.chain(places.into_iter().filter_map(|place| place.port)).collect(),
            ..Self::default()
        }
    }

    /// Returns this machine with port reservations that last as long as the program, and with the completion file `done`.
    pub fn kept(self, done: Option<String>) -> Self {
        Self { stays: true, done, ..self }
    }
}

impl Machine for ContainerMachine {
    fn free_port(&mut self, name: &str) -> Result<String, String> {
        let is_known = |number| self.known.contains(&number);
        let port = ports::pick(&is_known, self.stays)
            .map_err(|e| format!("cannot find a free port for port `{name}` of this task: {e}"))?;
        let number = port.number.to_string();
        self.ports.push(port);
        Ok(number)
    }

    fn jars(&mut self, folder: &str) -> Vec<String> {
        jars(folder)
    }

    fn has_folder(&mut self, path: &str) -> bool {
        std::path::Path::new(path).is_dir()
    }

    fn done(&mut self) -> Result<String, String> {
        self.done.clone().ok_or_else(|| {
            "`{done}` has no value, because tfjob-shim has not created the directory of the completion file; this is a bug in tfjob-shim".to_owned()
        })
    }
}

/// The machine of `--print` and of checks. It gives out placeholders instead of free ports, so that the output is deterministic.
#[derive(Debug)]
pub struct DryRunMachine;

impl Machine for DryRunMachine {
    fn free_port(&mut self, name: &str) -> Result<String, String> {
        tfjob_contract::PlaceholderMachine.free_port(name)
    }

    fn jars(&mut self, folder: &str) -> Vec<String> {
        jars(folder)
    }

    fn has_folder(&mut self, path: &str) -> bool {
        std::path::Path::new(path).is_dir()
    }

    fn done(&mut self) -> Result<String, String> {
        tfjob_contract::PlaceholderMachine.done()
    }
}

/// Returns the `*.jar` and `*.JAR` files of a directory, sorted, as Java expands `lib/*`. Empty if the directory cannot be read.
fn jars(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut paths: Vec<String> = Vec::new();
    for name in names.filter(|name| name.ends_with(".jar") || name.ends_with(".JAR")) {
        let path = format!("{folder}/{name}");
        let at = paths.partition_point(|known| *known < path);
        paths.insert(at, path);
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::{ContainerMachine, DryRunMachine};
    use tfjob_contract::Machine;

    #[test]
    fn two_names_never_share_a_port() {
        let mut machine = ContainerMachine::default();
        let ports: Vec<String> = ["a", "b", "c"].map(|name| machine.free_port(name).unwrap()).into();
        assert!(ports.iter().all(|port| port.parse::<u16>().unwrap() > 0));
        assert!(ports[0] != ports[1] && ports[1] != ports[2] && ports[0] != ports[2], "{ports:?}");
        assert_eq!(DryRunMachine.free_port("a").unwrap(), "<port a>");
    }

    #[test]
    fn no_port_of_another_task_is_picked() {
        for stays in [true, true, true, false, false] {
            let known = (0..=u16::MAX).filter(|port| port % 4 > 0).collect();
            let mut machine = ContainerMachine { known, stays, ..ContainerMachine::default() };
            let port: u16 = machine.free_port("a").unwrap().parse().unwrap();
            assert_eq!(port % 4, 0, "{port}");
        }
    }

    #[test]
    fn jars_are_sorted_and_a_missing_folder_has_none() {
        let folder = std::env::temp_dir().join(format!("tfjob-jars-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for name in ["b.jar", "a.jar", "c.JAR", "d.txt", "jar"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        let path = folder.to_str().unwrap();
        let expected = ["a.jar", "b.jar", "c.JAR"].map(|name| format!("{path}/{name}"));
        assert_eq!(DryRunMachine.jars(path), expected);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(ContainerMachine::default().jars(path), [""; 0]);
    }
}
