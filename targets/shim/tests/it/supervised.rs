//! The plain supervisor, and what holds for every supervised task: ends, signals, orphans.
use crate::able::skips;
use crate::job::{Folder, PATH, alone, ended, environment, run, shim, signal, until};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tfjob_contract::{Duties, Run};

fn plain(words: &[&str]) -> Output {
    shim(&environment(&[])).arg("--").args(words).output().unwrap()
}

fn sh(text: &str) -> Output {
    plain(&["sh", "-c", text])
}

/// The shim over a shell text, with its output in files of the folder.
fn started(text: &str) -> Child {
    let mut command = shim(&environment(&[]));
    command.args(["--", "sh", "-c", text]).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

fn alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    let state = stat.rsplit(") ").next().and_then(|rest| rest.chars().next());
    state.is_some_and(|state| state != 'Z')
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

#[test]
fn every_code_is_passed_on_and_signals_are_128_more() {
    for code in [0, 1, 2, 7, 42, 126, 127, 128, 143, 255] {
        let output = sh(&format!("exit {code}"));
        assert_eq!((output.status.code(), !output.stderr.is_empty()), (Some(code), code != 0), "{output:?}");
    }
    for (name, number) in [("KILL", 9), ("TERM", 15), ("SEGV", 11), ("USR1", 10)] {
        assert_eq!(sh(&format!("kill -{name} $$")).status.code(), Some(128 + number), "{name}");
    }
}

#[test]
fn a_program_that_cannot_start_is_said_before_anything_else() {
    let folder = Folder::new();
    let plain_file = folder.write("plain", "#!/bin/sh\n");
    let output = plain(&[plain_file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(126));
    assert!(ended(&output).contains("Permission denied"));
    let output = plain(&["no-such-program"]);
    assert_eq!(output.status.code(), Some(127));
    assert_eq!(ended(&output), "tfjob-shim: program `no-such-program` not found in PATH");
    assert_eq!(plain(&["/no/such"]).status.code(), Some(127));
    let script = folder.program("script", "exit 8\n");
    assert_eq!(
        plain(&[script.to_str().unwrap()]).status.code(),
        Some(8),
        "as execvp of the C library has it"
    );
    let task = run(&alone(crate::job::argv(&[script.to_str().unwrap()])), &[]);
    assert_eq!(task.status.code(), Some(8));
    let lost = folder.program("lost", "#!/no/such/python\n");
    assert_eq!(plain(&[lost.to_str().unwrap()]).status.code(), Some(127));
}

#[test]
fn a_signal_reaches_the_whole_group() {
    let folder = Folder::new();
    let got = folder.0.join("got");
    let script = format!(
        "sh -c 'trap \"echo inner >>{0}; exit 0\" TERM; echo up >>{0}; while :; do sleep 0.05; done' & \
         trap 'echo outer >>{0}; wait; exit 5' TERM; echo up >>{0}; while :; do sleep 0.05; done",
        got.display()
    );
    let mut child = started(&script);
    until(|| text(&got).matches("up").count() == 2);
    signal(child.id(), "TERM");
    assert_eq!(child.wait().unwrap().code(), Some(5));
    let got = text(&got);
    assert!(got.contains("inner") && got.contains("outer"), "{got}");
}

#[test]
fn other_signals_pass_and_do_not_end_it() {
    let folder = Folder::new();
    let got = folder.0.join("got");
    let script = format!(
        "trap 'echo usr >>{0}; exit 3' USR1; echo up >{0}; while :; do sleep 0.05; done",
        got.display()
    );
    let mut child = started(&script);
    until(|| text(&got).contains("up"));
    signal(child.id(), "WINCH");
    signal(child.id(), "USR1");
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

#[test]
fn a_signal_that_was_left_ignored_still_reaches_the_program() {
    let folder = Folder::new();
    let shim = env!("CARGO_BIN_EXE_tfjob-shim");
    let out = folder.0.join("out");
    // A shell leaves INT ignored in what it starts in the background.
    let words =
        format!("trap '' INT TERM; exec {shim} -- sh -c 'kill -INT $$; echo lives' >{}", out.display());
    let output = Command::new("sh").args(["-c", &words]).env_clear().env("PATH", PATH).output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert_eq!(text(&out), "");
}

#[test]
fn the_death_of_the_shim_is_the_programs() {
    let folder = Folder::new();
    let pid = folder.0.join("pid");
    let mut child = started(&format!("echo $$ >{}; exec sleep 300", pid.display()));
    until(|| text(&pid).ends_with('\n'));
    let pid = text(&pid);
    assert!(alive(&pid));
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    until(|| !alive(&pid));
}

#[test]
fn orphans_are_reaped_while_the_program_runs_and_ended_with_it() {
    let script = "import os, subprocess, sys, time
shim = os.getppid()
for n in range(8):
    subprocess.run(['sh', '-c', 'sleep 0.05 & exit 0'])
time.sleep(0.5)
states = []
for pid in filter(str.isdigit, os.listdir('/proc')):
    try: rest = open(f'/proc/{pid}/stat').read().rsplit(') ', 1)[1].split()
    except OSError: continue
    if int(rest[1]) == shim: states.append(rest[0])
assert states.count('Z') == 0, states
orphan = subprocess.Popen(['setsid', 'sleep', '300'])
print(orphan.pid, flush=True)
os._exit(4)";
    let output = plain(&["python3", "-c", script]);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    assert!(!alive(&String::from_utf8(output.stdout).unwrap()));
}

#[test]
fn as_the_first_process_of_a_container_it_supervises_too() {
    let folder = Folder::new();
    let path = folder.write("c", &alone(Run::Shell("echo $$; (sleep 0.1 &); exit 9".to_owned())).write());
    let mut command = Command::new("unshare");
    command.env_clear().env("PATH", PATH).args(["-p", "-f", env!("CARGO_BIN_EXE_tfjob-shim"), "--contract"]);
    let output = command.arg(path).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    if skips(!stderr.starts_with("unshare:"), "namespaces: `unshare -p`") {
        return;
    }
    assert_eq!(output.status.code(), Some(9), "{stderr}");
    assert_eq!(output.stdout, b"2\n");
}

#[test]
fn the_ladder_ends_what_swallows_the_polite_signals() {
    let folder = Folder::new();
    let got = folder.0.join("got");
    // TERM is swallowed, INT works: TensorFlow since 2.15.
    let script = format!(
        "trap 'echo term >>{0}' TERM; trap 'exit 6' INT; echo up >>{0}; while :; do sleep 0.05 || :; done",
        got.display()
    );
    let duties = |grace| Some(Duties { grace: Some(grace), ..Duties::default() });
    let mut contract = alone(Run::Shell(script));
    // Half of it must be enough for a shell to wake up on a busy machine.
    contract.duties = duties(8);
    let path = folder.write("c", &contract.write());
    let go = |path: &Path| {
        let mut command = shim(&environment(&[]));
        command.arg("--contract").arg(path).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let child = go(&path);
    until(|| text(&got).contains("up"));
    signal(child.id(), "TERM");
    let begun = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(6), "{output:?}");
    assert!(begun.elapsed() > Duration::from_millis(3_900));
    assert!(String::from_utf8_lossy(&output.stderr).contains("sent SIGINT to the program"));
    // Everything is swallowed.
    contract.duties = duties(1);
    let got = folder.0.join("deaf");
    contract.roles[0].run =
        Run::Shell(format!("trap '' TERM INT; echo up >>{}; while :; do sleep 0.05; done", got.display()));
    let path = folder.write("deaf.c", &contract.write());
    let child = go(&path);
    until(|| text(&got).contains("up"));
    signal(child.id(), "TERM");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(137), "{output:?}");
    assert_eq!(
        ended(&output).split(" after ").next().unwrap(),
        "tfjob-shim: worker:0: stopped by SIGTERM: killed by SIGKILL"
    );
}

#[test]
fn a_deadline_ends_the_job_with_a_code_of_its_own() {
    let mut contract = alone(Run::Shell("exec sleep 300".to_owned()));
    contract.duties = Some(Duties { deadline: Some(1), grace: Some(4), ..Duties::default() });
    let output = run(&contract, &[]);
    assert_eq!(output.status.code(), Some(124));
    assert_eq!(ended(&output), "tfjob-shim: worker:0: stopped because `deadline` (1 s) was exceeded");
}
