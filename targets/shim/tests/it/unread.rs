//! Nobody reads the events: signals, restarts and deadlines do not wait, and the program keeps its grace.
use crate::able;
use crate::job::{Folder, PATH, alone};
use std::process::Command;
use tfjob_contract::{Contract, Duties, Restart, RoleDuties, Run};

const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/deaf.py");
/// `foreign`: a pipe that cannot be opened again.
const KINDS: [&str; 5] = ["pipe", "foreign", "fifo", "socket", "terminal"];

/// A task that fails so often, and then saves on TERM. It says nothing itself: that would wait.
fn task(folder: &Folder, fails: usize) -> Contract {
    let at = folder.0.display();
    let text = format!(
        "exec 2>/dev/null; echo start >>{at}/count; [ $(wc -l <{at}/count) -gt {fails} ] || exit 3
trap 'echo 1 >{at}/saved; exit 0' TERM; echo 1 >{at}/up; while :; do sleep 0.05; done"
    );
    let mut contract = alone(Run::Shell(text));
    contract.duties = Some(Duties { grace: Some(20), ..Duties::default() });
    let restart = Restart {
        always: false,
        limit: None,
        within: None,
        backoff: None,
        max_backoff: Some(0),
        min_uptime: None,
        no_progress_limit: None,
        codes: Vec::new(),
    };
    contract.roles[0].duties = Some(RoleDuties { restart: Some(restart), ..RoleDuties::default() });
    contract
}

fn seen(kind: &str, number: &str, when: &str, fails: usize) -> serde_json::Value {
    let folder = Folder::new();
    let contract = task(&folder, fails);
    let path = folder.write("contract.json", &contract.write());
    let mut command = Command::new("python3");
    command.env_clear().env("PATH", PATH).args([PROGRAM, kind, number]).arg(&folder.0).arg(when);
    command.arg(env!("CARGO_BIN_EXE_tfjob-shim")).arg("--contract").arg(path);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{kind} {number}: {e}: {output:?}"))
}

#[test]
fn a_full_descriptor_delays_no_restart_and_no_signal() {
    std::thread::scope(|scope| {
        for kind in KINDS {
            for number in ["2", "7"] {
                scope.spawn(move || {
                    let seen = seen(kind, number, "full", 2);
                    for what in ["up", "saved", "noted"] {
                        assert_eq!(seen[what], true, "{kind} {number} {what}: {seen}");
                    }
                    assert_eq!(seen["code"], 143, "{kind} {number}: {seen}");
                    // The platform may end the shim while it waits for a reader, which is at most a second.
                    let lingered = |since: &str| seen["lingered"][since].as_f64().unwrap();
                    assert!(lingered("saved") < 1.9, "{kind} {number}: {seen}");
                    // A terminal still takes short lines.
                    assert!(kind == "terminal" || lingered("noted") > 0.5, "{kind} {number}: {seen}");
                    assert!(seen["took"].as_f64().unwrap() < 8.0, "{kind} {number}: {seen}");
                    assert_eq!(seen["shared"], 0, "the program has the same open file: {kind} {number}");
                });
            }
        }
    });
}

/// Else the program itself, which writes to the same pipe, waits for a reader.
#[test]
fn events_take_no_more_room_in_a_pipe_than_their_bytes() {
    for kind in ["pipe", "fifo"] {
        for number in ["2", "7"] {
            let seen = seen(kind, number, "fills", 20);
            assert_eq!((&seen["up"], &seen["room"]), (&true.into(), &true.into()), "{kind} {number}: {seen}");
            assert!(seen["events"].as_array().unwrap().len() > 60, "{kind} {number}: {seen}");
        }
    }
}

#[test]
fn events_that_wait_are_written_when_somebody_reads_and_the_rest_is_counted() {
    for kind in able::sample(KINDS) {
        // Each start writes three events.
        let seen = seen(kind, "7", "fills", 300);
        let status = &seen["status"];
        // 0 if the program has ended before the signal came.
        let code = status["code"].as_u64();
        assert!(status["state"] == "ended" && [Some(0), Some(143)].contains(&code), "{kind}: {status}");
        let events = seen["events"].as_array().unwrap();
        let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
        let count = |name: &str| names.iter().filter(|other| **other == name).count();
        assert_eq!((seen["saved"].as_bool(), &names[0]), (Some(true), &"started"), "{kind}: {seen}");
        assert_eq!(names.last(), Some(&"exit"), "{kind}: {names:?}");
        assert!(count("started") > 60 && count("dropped") == 1, "{kind}: {names:?}");
        let dropped = events.iter().find(|event| event["event"] == "dropped").unwrap();
        let number: usize = dropped["reason"].as_str().unwrap().split(' ').next().unwrap().parse().unwrap();
        // 300 restarts, the last start and its end, `dropped` and `exit`; `stop` if the program has not ended by then.
        let all = number + names.len();
        assert!((904..=905).contains(&all), "{kind}: {all} {dropped}");
    }
}
