//! A shim that is killed at any moment of its start leaves no process and no lock.
use crate::job::{Folder, alone, argv, environment, until};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tfjob_contract::Duties;

/// Processes with this variable: their names, and what they are.
fn with(variable: &str) -> Vec<(String, u32)> {
    let pids = fs::read_dir("/proc").unwrap().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let name = |pid: u32| {
        let process = Path::new("/proc").join(pid.to_string());
        let environment = fs::read(process.join("environ")).ok()?;
        let has = environment.split(|byte| *byte == 0).any(|entry| entry == variable.as_bytes());
        let name = has.then(|| fs::read_to_string(process.join("comm")).ok()).flatten()?;
        Some((name.trim().to_owned(), pid))
    };
    pids.filter_map(name).collect()
}

/// A shim whose program sleeps, with a lock that it holds, as `tfjob run` starts it.
fn sleeper(folder: &Folder, mark: &str) -> Child {
    let lock = File::create(folder.0.join("lock")).unwrap();
    lock.lock().unwrap();
    let mut contract = alone(argv(&["sleep", "60"]));
    contract.duties = Some(Duties { grace: Some(9), ..Duties::default() });
    let path = folder.write("c", &contract.write());
    let hold = "exec \"$@\" 9<&0 0</dev/null";
    let mut command = Command::new("sh");
    command.args(["-c", hold, "sh", env!("CARGO_BIN_EXE_tfjob-shim"), "--contract"]).arg(path);
    let (name, value) = mark.split_once('=').unwrap();
    command.env_clear().envs(environment(&[(name, value), ("TFJOB_HOLD_FDS", "9")]));
    command.stdin(lock).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn a_shim_that_is_killed_while_it_starts_leaves_nothing() {
    for round in 0..200 {
        let folder = Folder::new();
        let mark = format!("TFJOB_TEST_KILLED={}-{round}", std::process::id());
        let mut child = sleeper(&folder, &mark);
        if round % 2 == 0 {
            // The helper has just been forked when this is said.
            let _ = child.stderr.take().unwrap().read(&mut [0; 64]);
        } else {
            std::thread::sleep(Duration::from_micros(40 * round));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        until(|| with(&mark).is_empty() && File::open(folder.0.join("lock")).unwrap().try_lock().is_ok());
    }
}

#[test]
fn the_process_that_takes_signals_for_the_shim_holds_nothing_open() {
    let folder = Folder::new();
    let mark = format!("TFJOB_TEST_KILLED={}-open", std::process::id());
    let mut child = sleeper(&folder, &mark);
    let witness = || with(&mark).into_iter().find(|(name, _)| name == "stop-witness");
    let open = || {
        let (_, pid) = witness()?;
        let entries = fs::read_dir(format!("/proc/{pid}/fd")).ok()?.flatten();
        Some(entries.filter_map(|entry| entry.file_name().into_string().ok()).collect::<Vec<_>>())
    };
    until(|| open().is_some_and(|open| open.iter().all(|number| ["0", "1", "2"].contains(&number.as_str()))));
    child.kill().unwrap();
    child.wait().unwrap();
}
