//! The container as it is found: the contract, the variables, free ports, the jars of a folder.
use crate::args::Place;
use crate::exit::Exit;
use crate::ports::{self, Port};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use tfjob_contract::{Contract, LARGEST, Machine, TaskId};

/// Reads the contract; a file without end is read no further than a contract may be long.
pub fn contract(place: &Place) -> Result<Contract, Exit> {
    match place {
        Place::File(path) => Ok(Contract::read(&file(path)?)?),
        Place::Default => match std::env::var_os("TFJOB_CONTRACT").filter(|path| !path.is_empty()) {
            Some(path) => Ok(Contract::read(&file(Path::new(&path))?)?),
            None => Err(Exit::Usage(
                "no contract: neither --contract, --contract-env nor the variable TFJOB_CONTRACT names one"
                    .to_owned(),
            )),
        },
        Place::Variable(name) => {
            let shown = name.to_string_lossy();
            let text = text(name)?.ok_or_else(|| {
                Exit::Platform(format!(
                    "the platform did not set the variable {shown}, which holds the contract"
                ))
            })?;
            Ok(Contract::read_carried(&text)?)
        }
    }
}

fn file(path: &Path) -> Result<String, Exit> {
    let longest = u64::try_from(LARGEST).map_or(u64::MAX, |longest| longest + 1);
    let mut text = String::new();
    match File::open(path).and_then(|file| file.take(longest).read_to_string(&mut text)) {
        Ok(_) => Ok(text),
        Err(e) => Err(Exit::Contract(format!("the contract {} cannot be read: {e}", path.display()))),
    }
}

/// The variables on which the contract depends, as far as they are set.
pub fn variables(contract: &Contract) -> Result<BTreeMap<String, String>, Exit> {
    let mut found = BTreeMap::new();
    for name in contract.variables() {
        if let Some(value) = text(OsStr::new(name))? {
            found.insert(name.to_owned(), value);
        }
    }
    Ok(found)
}

/// The value of a variable. No name that `std::env` cannot ask for is ever set.
fn text(name: &OsStr) -> Result<Option<String>, Exit> {
    let bytes = name.as_encoded_bytes();
    if bytes.is_empty() || bytes.contains(&b'=') || bytes.contains(&0) {
        return Ok(None);
    }
    let value = std::env::var_os(name).map(OsString::into_string).transpose();
    value.map_err(|_| Exit::Platform(format!("the variable {} is not UTF-8", name.to_string_lossy())))
}

/// The machine on which the task is about to start.
#[derive(Debug, Default)]
pub struct Live {
    /// Ports that it has picked: no other task gets them as long as this value lives. The names close by themselves when the
    /// process becomes the task.
    ports: Vec<Port>,
    /// Ports of the job's tasks, which may be on this host and listen later.
    known: Vec<u16>,
    /// Whether it lives as long as the program.
    stays: bool,
    /// The file by which the program says that its work is done.
    done: Option<String>,
}

impl Live {
    /// Of a task of this job, with the addresses of all tasks in `env`.
    pub fn of(contract: &Contract, env: &BTreeMap<String, String>) -> Self {
        let numbers = contract.roles.iter().flat_map(|role| role.ports.values().copied().chain([role.port]));
        let tasks: Vec<TaskId> = contract.tasks().collect();
        let places = contract.places(&tasks, env).unwrap_or_default();
        Self {
            known: numbers.chain(places.into_iter().filter_map(|place| place.port)).collect(),
            ..Self::default()
        }
    }

    /// Kept as long as the program lives, with this file for the end of its work.
    pub fn kept(self, done: Option<String>) -> Self {
        Self { stays: true, done, ..self }
    }
}

impl Machine for Live {
    fn free_port(&mut self, name: &str) -> Result<String, String> {
        let is_known = |number| self.known.contains(&number);
        let port =
            ports::pick(&is_known, self.stays).map_err(|e| format!("no free port for `{name}`: {e}"))?;
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
        self.done.clone().ok_or_else(|| "nobody would hear that the program's work is done".to_owned())
    }
}

/// The same machine, only looked at: nothing is picked, so that the answer is the same each time.
#[derive(Debug)]
pub struct Looked;

impl Machine for Looked {
    fn free_port(&mut self, name: &str) -> Result<String, String> {
        tfjob_contract::Shown.free_port(name)
    }

    fn jars(&mut self, folder: &str) -> Vec<String> {
        jars(folder)
    }

    fn has_folder(&mut self, path: &str) -> bool {
        std::path::Path::new(path).is_dir()
    }

    fn done(&mut self) -> Result<String, String> {
        tfjob_contract::Shown.done()
    }
}

/// Both spellings, as Java's own `lib/*` takes them. A folder that cannot be read has none.
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
    use super::{Live, Looked};
    use tfjob_contract::Machine;

    #[test]
    fn two_names_never_share_a_port() {
        let mut machine = Live::default();
        let ports: Vec<String> = ["a", "b", "c"].map(|name| machine.free_port(name).unwrap()).into();
        assert!(ports.iter().all(|port| port.parse::<u16>().unwrap() > 0));
        assert!(ports[0] != ports[1] && ports[1] != ports[2] && ports[0] != ports[2], "{ports:?}");
        assert_eq!(Looked.free_port("a").unwrap(), "<port a>");
    }

    #[test]
    fn no_port_of_another_task_is_picked() {
        for stays in [true, true, true, false, false] {
            let known = (0..=u16::MAX).filter(|port| port % 4 > 0).collect();
            let mut machine = Live { known, stays, ..Live::default() };
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
        assert_eq!(Looked.jars(path), expected);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(Live::default().jars(path), [""; 0]);
    }
}
