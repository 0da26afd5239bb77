//! The file that says how a task stands.
use crate::job::{Folder, alone, ended, environment, events, run, shim, until};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use tfjob_contract::{Duties, Restart, RoleDuties, Run};

fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    if text.is_empty() { Value::Null } else { serde_json::from_str(&text).unwrap() }
}

#[test]
fn the_file_always_says_how_the_task_stands() {
    let folder = Folder::new();
    let (status, go) = (folder.0.join("status"), folder.0.join("go"));
    let script = format!("while [ ! -e {0} ]; do sleep 0.05; done; rm {0}; exit 3", go.display());
    let mut contract = alone(Run::Shell(script));
    let restart = Restart {
        always: false,
        limit: Some(1),
        within: None,
        backoff: Some(60),
        max_backoff: None,
        min_uptime: None,
        stalls: None,
        codes: Vec::new(),
    };
    contract.roles[0].duties = Some(RoleDuties { restart: Some(restart), ..RoleDuties::default() });
    let path = folder.write("c", &contract.write());
    let mut command = shim(&environment(&[("TFJOB_STATUS", status.to_str().unwrap())]));
    let child =
        command.arg("--contract").arg(path).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    until(|| read(&status)["state"] == "running");
    let seen = read(&status);
    assert_eq!(
        (&seen["task"], &seen["attempt"], &seen["budget_left"]),
        (&"worker-0".into(), &1.into(), &1.into())
    );
    let page = include_str!("../../../../docs/shim.md");
    for field in seen.as_object().unwrap().keys() {
        assert!(page.contains(&format!("| `{field}` | ")), "docs/shim.md lacks {field}");
    }
    assert_eq!((seen.get("step"), seen.get("code")), (Some(&Value::Null), None));
    assert!(seen["since"].as_str().unwrap().ends_with('Z'));
    std::fs::write(&go, "").unwrap();
    until(|| read(&status)["state"] == "pausing");
    assert!(read(&status)["reason"].as_str().unwrap().contains("; restart 1 of 1 in "));
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let seen = read(&status);
    assert_eq!((&seen["state"], &seen["code"]), (&"ended".into(), &143.into()));
    assert_eq!(format!("tfjob-shim: {}", seen["reason"].as_str().unwrap()), ended(&output));
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 2, "nothing lies beside");
}

#[test]
fn a_file_that_cannot_be_written_is_said_once_and_stops_nothing() {
    let mut contract = alone(Run::Shell("exit 4".to_owned()));
    contract.duties = Some(Duties { grace: Some(1), ..Duties::default() });
    let output = run(&contract, &[("TFJOB_STATUS", "/no/such/status")]);
    assert_eq!(output.status.code(), Some(4));
    let said = events(&output);
    let said: Vec<&Value> = said.iter().filter(|event| event["event"] == "status").collect();
    assert_eq!(said.len(), 1);
    assert!(said[0]["reason"].as_str().unwrap().starts_with("/no/such/status cannot be written: "));
}
