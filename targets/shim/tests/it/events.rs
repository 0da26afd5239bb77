//! Where events go: to the descriptor of `tfjob run`, else to standard error, each on a line of its own.
use crate::job::{Folder, alone, environment, shim};
use std::process::{Command, Output};
use tfjob_contract::{Duties, Run};

/// Runs a worker with this shell text, started by a shell text that may open descriptors before `exec "$@"`.
fn run(before: &str, text: &str) -> (Folder, Output) {
    let folder = Folder::new();
    let mut contract = alone(Run::Shell(text.to_owned()));
    contract.duties = Some(Duties { deadline: Some(60), ..Duties::default() });
    let path = folder.write("contract.json", &contract.write());
    let events = folder.write("events", "");
    let mut command = Command::new("sh");
    command.env_clear().envs(environment(&[("EVENTS", events.to_str().unwrap())]));
    command.args(["-c", &format!("{before} exec \"$@\""), "sh"]);
    command.arg(shim(&environment(&[])).get_program()).arg("--contract").arg(path);
    let output = command.output().unwrap();
    (folder, output)
}

#[test]
fn events_go_to_the_descriptor_alone_and_the_program_has_neither_it_nor_its_variable() {
    let text = "echo '{\"ts\":\"forged\"}' >&2; ls /proc/self/fd || true; echo \"fd=${TFJOB_EVENTS_FD-}\"; printf open >&2; exit 3";
    let (folder, output) = run("export TFJOB_EVENTS_FD=7; exec 7>\"$EVENTS\";", text);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "{\"ts\":\"forged\"}\nopen");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.ends_with("fd=\n") && !stdout.lines().any(|line| line == "7"), "{stdout}");
    let events = std::fs::read_to_string(folder.0.join("events")).unwrap();
    let events: Vec<serde_json::Value> =
        events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = events.iter().filter_map(|event| event["event"].as_str()).collect();
    assert_eq!(names, ["started", "ended", "exit"]);
    assert_eq!(events[2]["code"], 3);
    assert!(events[2]["reason"].as_str().unwrap().contains("code 3"), "{events:?}");
}

#[test]
fn an_event_on_standard_error_begins_a_line_of_its_own() {
    let (_folder, output) = run("", "sleep 0.5; printf 'epoch 1: loss' >&2");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(stderr.contains("epoch 1: loss\n{\"ts\":"), "{stderr}");
    // Lines that follow an own line stand without an empty one between.
    assert_eq!(stderr.lines().filter(|line| line.is_empty()).count(), 0, "{stderr}");
}

#[test]
fn a_number_that_is_no_open_descriptor_is_ignored() {
    for number in ["9", "1", "x", "-4"] {
        let (_folder, output) = run(&format!("export TFJOB_EVENTS_FD={number};"), "exit 0");
        assert!(
            String::from_utf8_lossy(&output.stderr).contains("\"event\":\"started\""),
            "{number}: {output:?}"
        );
    }
}

#[test]
fn the_reason_before_a_task_is_known_is_told_too() {
    let folder = Folder::new();
    let events = folder.write("events", "");
    let mut command = Command::new("sh");
    command.args(["-c", "export TFJOB_EVENTS_FD=7; exec 7>\"$0\"; exec \"$@\""]).arg(events);
    let output =
        command.arg(shim(&environment(&[])).get_program()).args(["--contract", "/none"]).output().unwrap();
    assert!(output.stderr.is_empty(), "{output:?}");
    let event = std::fs::read_to_string(folder.0.join("events")).unwrap();
    let event: serde_json::Value = serde_json::from_str(event.trim()).unwrap();
    assert_eq!((&event["event"], &event["code"]), (&"exit".into(), &65.into()));
}

#[test]
fn every_signal_for_what_a_program_leaves_is_told() {
    let left = |text: &str| -> Vec<String> {
        let (folder, output) = run("export TFJOB_EVENTS_FD=7; exec 7>\"$EVENTS\";", text);
        let code = text.ends_with("exit 3").then_some(3).or(Some(0));
        assert_eq!(output.status.code(), code, "{output:?}");
        let events = std::fs::read_to_string(folder.0.join("events")).unwrap();
        let events = events.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let left = events.filter(|event| event["event"] == "leftover");
        left.map(|event| event["reason"].as_str().unwrap().to_owned()).collect()
    };
    for text in
        ["nohup sleep 60 >log 2>&1 & true", "setsid sleep 60 >log 2>&1 & sleep 0.2", "sleep 60 & exit 3"]
    {
        let text = text.replace(">log", ">/dev/null");
        let said = left(&text);
        assert_eq!(said.len(), 1, "{text}: {said:?}");
        let begin = "the program exited; sent SIGTERM to 1 leftover process: sleep (PID ";
        assert!(said[0].starts_with(begin), "{text}: {said:?}");
    }
    let many = left("for i in 1 2 3 4 5; do sleep 60 & done; true");
    assert!(
        many[0].contains("sent SIGTERM to 5 leftover processes: sleep (PID ")
            && many[0].ends_with(", and 2 more"),
        "{many:?}"
    );
    assert_eq!(left("true"), [""; 0]);
    assert_eq!(left("sleep 0.02 & true"), [""; 0], "one that ends by itself is not stopped");
}
