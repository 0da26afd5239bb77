//! A stop of all processes at the same time, as a service manager and some cluster managers send it: each gets TERM once, in
//! whatever order it is sent, and saves undisturbed.
use crate::job::{Folder, alone, argv, environment, shim, until};
use std::process::{Command, Stdio};
use std::time::Duration;
use tfjob_contract::{Duties, Run};

const KILL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/killtree.py");
const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/family.py");

/// Stops a family and says what its members have logged.
fn stopped(shell: bool, order: &str, gap: &str) -> String {
    let folder = Folder::new();
    let log = folder.0.join("log");
    let members = ["leader=s", "child=s", "apart=s"];
    let words = ["python3", PROGRAM, log.to_str().unwrap(), members[0], members[1], members[2]];
    let run = if shell { Run::Shell(format!("{}\necho done", words.join(" "))) } else { argv(&words) };
    let mut contract = alone(run);
    contract.duties = Some(Duties { grace: Some(8), deadline: Some(100_000), ..Duties::default() });
    let path = folder.write("c", &contract.write());
    let mut command = shim(&environment(&[]));
    command.arg("--contract").arg(path).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let read = || std::fs::read_to_string(&log).unwrap_or_default();
    until(|| read().matches(" up").count() == members.len());
    // The shim has told that the program runs, and waits.
    std::thread::sleep(Duration::from_millis(100));
    let sent = Command::new("python3").args([KILL, &child.id().to_string(), order, gap]).status().unwrap();
    assert!(sent.success());
    child.wait().unwrap();
    read()
}

#[test]
fn whoever_stops_all_processes_stops_each_once() {
    let once = |shell: bool, order: &str| {
        for gap in ["0", "0", "200", "2000"] {
            let log = stopped(shell, order, gap);
            let count = |what: &str| log.matches(what).count();
            assert_eq!((count(" SIGTERM"), count(" end")), (3, 3), "{shell} {order} {gap} us: {log}");
        }
    };
    std::thread::scope(|scope| {
        for order in ["first", "last", "frozen"] {
            scope.spawn(move || once(false, order));
            scope.spawn(move || once(true, order));
        }
    });
}
