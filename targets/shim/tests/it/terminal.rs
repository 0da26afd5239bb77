//! The shim on a terminal: its program has the foreground, and Ctrl-C is a stop.
use crate::job::{Folder, alone, environment, shim};
use std::process::{Command, Output, Stdio};
use tfjob_contract::{Duties, Restart, RoleDuties, Run};

const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/terminal.py");

/// Runs the shim on a terminal of its own. Each step is a text that must appear, and the keys that are typed then.
fn on_terminal(how: &str, words: &[&str], steps: &[(&str, &str)]) -> Output {
    let shim = env!("CARGO_BIN_EXE_tfjob-shim");
    let steps: Vec<[&str; 2]> = steps.iter().map(|(wanted, keys)| [*wanted, *keys]).collect();
    let mut command = Command::new("python3");
    command.args([PROGRAM, how, &serde_json::to_string(&steps).unwrap(), shim]).args(words);
    command.env_clear().envs(environment(&[])).stdin(Stdio::null()).output().unwrap()
}

fn shown(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).replace('\r', "")
}

/// The options of a contract for one program that fails only by what is tested.
fn task(folder: &Folder, script: &str) -> String {
    let mut contract = alone(Run::Shell(script.to_owned()));
    let restart = Restart {
        always: false,
        limit: Some(1),
        within: None,
        backoff: None,
        max_backoff: Some(0),
        min_uptime: None,
        no_progress_limit: None,
        codes: Vec::new(),
    };
    contract.roles[0].duties = Some(RoleDuties { restart: Some(restart), ..RoleDuties::default() });
    contract.duties = Some(Duties { grace: Some(20), ..Duties::default() });
    folder.write("c", &contract.write()).display().to_string()
}

#[test]
fn a_program_reads_the_terminal_and_sets_it() {
    for how in ["leader", "job"] {
        let read = ["--", "sh", "-c", "echo ready; read x; stty -echo </dev/tty; echo got $x; exit 5"];
        let output = on_terminal(how, &read, &[("ready", "hello\n")]);
        assert!(shown(&output).contains("got hello"), "{how}: {output:?}");
        assert_eq!(output.status.code(), Some(5), "{how}: {output:?}");
        let folder = Folder::new();
        let path = task(&folder, "echo ready; read x; echo got $x");
        let output = on_terminal(how, &["--contract", &path], &[("ready", "hello\n")]);
        assert!(shown(&output).contains("got hello"), "{how}: {output:?}");
        assert_eq!(output.status.code(), Some(0), "{how}: {output:?}");
    }
}

#[test]
fn an_interactive_shell_has_job_control() {
    let steps = [
        ("bash-", "echo a$((1+1))b\n"),
        ("a2b", "sleep 60\n"),
        ("sleep 60", "\u{3}"),
        ("bash-", "echo c$((2+2))d; exit 6\n"),
    ];
    let output = on_terminal("leader", &["--", "bash", "--norc", "--noprofile", "-i"], &steps);
    let shown = shown(&output);
    assert!(shown.contains("c4d") && !shown.contains("no job control"), "{shown}");
    assert_eq!(output.status.code(), Some(6), "{shown}");
}

#[test]
fn ctrl_c_is_a_stop_and_no_failure_that_is_restarted() {
    for how in ["leader", "job"] {
        let folder = Folder::new();
        let path = task(
            &folder,
            "trap 'echo saving; sleep 0.3; exit 1' INT; echo ready; while :; do sleep 0.1; done",
        );
        let output = on_terminal(how, &["--contract", &path], &[("ready", "\u{3}")]);
        let shown = shown(&output);
        assert!(
            shown.contains("saving") && shown.contains("stopped by SIGINT: exited with code 1"),
            "{how}: {shown}"
        );
        assert!(!shown.contains("\"restart\"") && output.status.code() == Some(1), "{how}: {shown}");
    }
    // Before the program has a handler, and without a contract.
    let output = on_terminal("job", &["--", "sh", "-c", "echo ready; exec sleep 60"], &[("ready", "\u{3}")]);
    assert_eq!(output.status.code(), Some(130), "{output:?}");
}

#[test]
fn the_terminal_is_the_shells_again_afterwards() {
    let output = on_terminal(
        "after",
        &["--", "sh", "-c", "echo ready; read x"],
        &[("ready", "one\n"), ("again", "two\n")],
    );
    assert!(shown(&output).contains("read two"), "{output:?}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn ctrl_z_stops_the_job_and_its_shell_continues_it() {
    let steps = [("ready", "\u{1a}"), ("stopped by 19", "hello\n")];
    let output = on_terminal("suspended", &["--", "sh", "-c", "echo ready; read x; echo got $x"], &steps);
    assert!(shown(&output).contains("got hello"), "{output:?}");
    // Where no shell would continue it, nothing stops.
    let output = on_terminal(
        "leader",
        &["--", "sh", "-c", "echo ready; read x; echo got $x"],
        &[("ready", "\u{1a}hello\n")],
    );
    assert!(shown(&output).contains("got hello"), "{output:?}");
}

#[test]
fn in_the_background_the_terminal_is_left_alone() {
    let output = on_terminal("background", &["--", "sh", "-c", "echo ready"], &[("foreground kept", "")]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let output = shim(&environment(&[])).args(["--", "sh", "-c", "read x || exit 4"]).output().unwrap();
    assert_eq!(output.status.code(), Some(4), "no terminal: {output:?}");
}

#[test]
fn a_program_in_the_background_that_reads_stops_the_job_until_its_shell_continues_it() {
    let steps = [("stopped by 19", "hello\n")];
    let output = on_terminal("unattended", &["--", "sh", "-c", "read x; echo got $x"], &steps);
    assert!(shown(&output).contains("got hello"), "{output:?}");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn a_pipeline_shares_the_terminal_and_whoever_asks_for_it_gets_it() {
    let shim = env!("CARGO_BIN_EXE_tfjob-shim");
    let asks = "sh -c 'echo re\"\"ady; read x </dev/tty; echo got $x'";
    for line in [
        format!("{shim} -- seq 3 | {asks}"),
        format!("{shim} -- {asks} | cat"),
        format!("{shim} -- {asks} </dev/null"),
    ] {
        let command = format!("{line}\n");
        let steps = [("bash-", command.as_str()), ("ready", "hello\n"), ("got hello", "exit 6\n")];
        let output = on_terminal("leader", &["--", "bash", "--norc", "--noprofile", "-i"], &steps);
        assert_eq!(output.status.code(), Some(6), "{line}: {}", shown(&output));
    }
}

#[test]
fn a_task_of_a_run_has_no_terminal_to_wait_for() {
    let folder = Folder::new();
    let path = task(&folder, "read x </dev/tty || { echo none; exit 0; }");
    let script = format!("exec {} --contract {path} --parent $PPID", env!("CARGO_BIN_EXE_tfjob-shim"));
    let output = on_terminal("job", &["--", "sh", "-c", &script], &[("none", "")]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
}
