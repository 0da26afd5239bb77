//! Tests of stops that are requested from outside, and of killed processes.
use crate::able;
use crate::place::{Place, job, out, role};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::time::{Duration, Instant};

#[test]
fn a_requested_stop_ends_every_task() {
    let signals = [
        (Signal::INT, "SIGINT"),
        (Signal::TERM, "SIGTERM"),
        (Signal::HUP, "SIGHUP"),
        (Signal::QUIT, "SIGQUIT"),
    ];
    for (signal, name) in signals {
        let code = 128 + signal.as_raw();
        let deaf = "trap '' TERM; (sleep 61 &) ; echo 1 > up; sleep 60";
        let place = Place::new(
            &format!("asked-{}", signal.as_raw()),
            &job(&(role("a", deaf, "") + "stop grace=\"1s\"\n")),
        );
        let child = place.start(&[]);
        place.met("up");
        kill_process(Pid::from_child(&child), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = out(&output);
        assert_eq!(output.status.code(), Some(code), "{said}");
        // Only SIGINT comes from a keyboard, so only then does the message mention Ctrl-C.
        assert_eq!(said.contains("Ctrl-C again"), signal == Signal::INT, "{said}");
        assert!(said.contains(&format!("job stopped by {name}")), "{said}");
        assert_eq!(place.status("a-0")["state"], "ended");
        assert!(!place.is_left());
    }
}

#[test]
fn a_stop_during_startup_kills_no_shim() {
    let spec = job(&role("a", "touch up; sleep 60", "")).replace("role \"a\" {", "role \"a\" count=60 {");
    for number in 0..able::times(2) {
        let place = Place::new(&format!("starting-{number}"), &spec);
        let child = place.start(&[]);
        place.met("up");
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = out(&output);
        assert_eq!(output.status.code(), Some(143), "{said}");
        assert!(!said.contains("shim was killed"), "{said}");
        assert!(!place.is_left());
    }
}

#[test]
fn a_program_that_reported_completion_is_stopped_with_the_grace_period() {
    let script = |seconds: &str| {
        format!(
            "trap 'sleep {seconds}; echo 1 > saved; exit 1' TERM; touch $TFJOB_DONE; while :; do sleep 0.05; done"
        )
    };
    for (seconds, saved) in [("1", true), ("60", false)] {
        let spec = job(&(role("a", &script(seconds), "") + "stop grace=\"6s\"\n"));
        let place = Place::new(&format!("said-{seconds}"), &spec);
        let child = place.start(&[]);
        let heard = || {
            let events = std::fs::read_to_string(place.0.join(".tfjob/a/events/a-0.jsonl"));
            events.is_ok_and(|events| events.contains("\"event\":\"done\""))
        };
        let end = Instant::now() + Duration::from_secs(20);
        while !heard() {
            assert!(Instant::now() < end, "nobody hears that the work is done");
            std::thread::sleep(Duration::from_millis(50));
        }
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        let asked = Instant::now();
        let output = child.wait_with_output().unwrap();
        let said = out(&output);
        assert_eq!(output.status.code(), Some(143), "{said}");
        assert!(asked.elapsed() < Duration::from_secs(15), "{said}");
        assert_eq!(place.0.join("saved").exists(), saved, "{said}");
        assert!(!place.is_left());
    }
}

#[test]
fn tasks_end_with_a_run_that_is_killed() {
    let place = Place::new("orphans", &job(&role("a", "(setsid sleep 61 &); echo 1 > up; sleep 60", "")));
    let mut child = place.start(&[]);
    place.met("up");
    child.kill().unwrap();
    child.wait().unwrap();
    let end = Instant::now() + Duration::from_secs(10);
    while place.is_left() {
        assert!(Instant::now() < end, "a task is left");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn processes_of_a_killed_shim_are_killed() {
    let apart = "(setsid sh -c 'sleep 61 & sleep 62' &); echo $PPID > shim; mv shim up; sleep 60";
    let place = Place::new("shim", &job(&(role("a", apart, "") + &role("b", "sleep 63", ""))));
    let child = place.start(&[]);
    place.met("up");
    let shim: i32 = fs::read_to_string(place.0.join("up")).unwrap().trim().parse().unwrap();
    kill_process(Pid::from_raw(shim).unwrap(), Signal::KILL).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(137), "{}", out(&output));
    assert!(
        out(&output).contains("a:0   * tfjob-shim, which supervises this task, was killed by SIGKILL"),
        "{}",
        out(&output)
    );
    let status = place.status("a-0");
    assert_eq!((&status["state"], &status["code"]), (&"ended".into(), &137.into()), "{status}");
    assert!(!place.is_left());
}

#[test]
fn several_stop_signals_keep_the_grace_period_and_a_second_ctrl_c_does_not() {
    let script = "trap 'sleep 0.6; echo 1 > saved; exit 0' TERM; echo 1 > up; while :; do sleep 0.05; done";
    let signals: [(&str, &[Signal], bool); 4] = [
        // The same stop sends each signal twice.
        ("both", &[Signal::INT, Signal::TERM, Signal::INT, Signal::TERM], true),
        ("key", &[Signal::INT, Signal::TERM, Signal::HUP, Signal::TERM], true),
        ("kill", &[Signal::TERM, Signal::TERM, Signal::INT], true),
        // A notebook forwards the key and sends its own stop signals.
        ("program", &[Signal::INT, Signal::HUP, Signal::INT, Signal::QUIT], true),
    ];
    for (name, sent, saves) in signals {
        let place =
            Place::new(&format!("several-{name}"), &job(&(role("a", script, "") + "stop grace=\"9s\"\n")));
        let child = place.start(&[]);
        place.met("up");
        for signal in sent {
            kill_process(Pid::from_child(&child), *signal).unwrap();
            std::thread::sleep(Duration::from_millis(if name == "both" { 10 } else { 120 }));
        }
        let output = child.wait_with_output().unwrap();
        assert_eq!(place.0.join("saved").exists(), saves, "{name}: {}", out(&output));
        assert_eq!(out(&output).contains("killing all tasks"), !saves, "{name}: {}", out(&output));
        assert_eq!(place.status("a-0")["state"], "ended", "{name}");
    }
}

#[test]
fn a_directory_is_locked_until_the_last_task_has_exited() {
    let script = "trap 'sleep 1.5; echo saving; echo 1 > saved; exit 0' TERM; echo 1 > up; while :; do sleep 0.05; done";
    let place = Place::new("held", &job(&(role("a", script, "") + "stop grace=\"9s\"\n")));
    let mut first = place.start(&[]);
    place.met("up");
    first.kill().unwrap();
    first.wait().unwrap();
    let second = place.run(&[]);
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(second.status.code() == Some(2) && said.contains("another run of this job is active"), "{said}");
    place.met("saved");
    let end = Instant::now() + Duration::from_secs(10);
    while place.is_left() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(50));
    }
    fs::remove_file(place.0.join("up")).unwrap();
    let third = place.start(&[]);
    place.met("up");
    kill_process(Pid::from_child(&third), Signal::TERM).unwrap();
    assert_eq!(third.wait_with_output().unwrap().status.code(), Some(143));
}

#[test]
fn user_signals_reach_the_programs() {
    let script = "trap 'echo 1 > saved; exit 0' USR1; echo 1 > up; while :; do sleep 0.05; done";
    let place = Place::new("user", &job(&role("a", script, "")));
    let child = place.start(&[]);
    place.met("up");
    kill_process(Pid::from_child(&child), Signal::USR1).unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
    assert!(place.0.join("saved").exists());
}

#[test]
fn each_user_signal_is_forwarded_even_in_quick_succession() {
    let script = "trap 'echo 1 >> heard' USR1; echo 1 > up; while [ \"$(cat heard 2>/dev/null | wc -l)\" -lt 6 ]; do sleep 0.01; done";
    let script = script.replace('"', "\\\"");
    let place = Place::new("often", &job(&role("a", &script, "")));
    let child = place.start(&[]);
    place.met("up");
    for _ in 0..6 {
        kill_process(Pid::from_child(&child), Signal::USR1).unwrap();
        std::thread::sleep(Duration::from_millis(80));
    }
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
}

#[test]
fn a_stop_of_all_processes_is_not_a_second_signal_for_a_saving_program() {
    // Like most programs, this one would be killed by a second signal.
    let script = "exec python3 -c 'import os, signal, time
def save(number, frame):
    signal.signal(number, signal.SIG_DFL); time.sleep(1); open(\"saved\", \"w\"); raise SystemExit(0)
signal.signal(15, save); open(\"pids\", \"w\").write(f\"{os.getpid()} {os.getppid()}\"); os.rename(\"pids\", \"up\")
while True: time.sleep(0.05)'";
    let place = Place::new("all", &job(&(role("a", script, "") + "stop grace=\"10s\"\n")));
    let child = place.start(&[]);
    place.met("up");
    let pids = fs::read_to_string(place.0.join("up")).unwrap();
    let pids = pids.split(' ').map(|pid| Pid::from_raw(pid.parse().unwrap()).unwrap());
    for pid in pids.chain([Pid::from_child(&child)]) {
        kill_process(pid, Signal::TERM).unwrap();
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143), "{}", out(&output));
    assert!(place.0.join("saved").exists(), "{}", out(&output));
}

#[test]
fn a_program_gets_sigterm_before_sigint_from_any_process() {
    // `pkill tfjob` signals the run and its shims, `kill PID` only one of them.
    let script = "exec python3 -c 'import os, signal, time
def heard(number, frame):
    print(\"heard\", number, flush=True)
    if number == 15: time.sleep(0.3); open(\"saved\", \"w\"); raise SystemExit(0)
signal.signal(15, heard); signal.signal(2, heard)
open(\"pid\", \"w\").write(str(os.getppid())); os.rename(\"pid\", \"up\")
while True: time.sleep(0.05)'";
    let cases = [
        ("shim", "s2", 2),
        ("shim", "s3", 3),
        ("run shim", "rs2", 2),
        ("shim run", "sr4", 4),
        ("run", "r2", 2),
        // Without a grace period, the program gets no other signal before SIGKILL.
        ("shim", "s0", 0),
        ("run shim", "rs0", 0),
        ("shim run", "sr0", 0),
        ("run", "r0", 0),
    ];
    let judge = |(told, name, grace): (&str, &str, u32)| {
        let stop = format!("stop grace=\"{grace}s\"\n");
        let place = Place::new(name, &job(&(role("a", script, "") + &stop)));
        let child = place.start(&[]);
        place.met("up");
        let shim = fs::read_to_string(place.0.join("up")).unwrap().parse().unwrap();
        for one in told.split(' ') {
            let pid = if one == "run" { Pid::from_child(&child) } else { Pid::from_raw(shim).unwrap() };
            kill_process(pid, Signal::TERM).unwrap();
        }
        let said = out(&child.wait_with_output().unwrap());
        let saved = said.contains("heard 15") && place.0.join("saved").exists();
        assert!(saved || grace == 0, "{told} {grace}: {said}");
        assert!(!said.contains("heard 2"), "{told} {grace}: {said}");
    };
    // Only a few cases run at the same time, because the grace periods are short.
    for some in cases.chunks(3) {
        std::thread::scope(|scope| some.iter().for_each(|case| drop(scope.spawn(|| judge(*case)))));
    }
}

#[test]
fn a_program_can_save_and_print_after_its_run_was_killed() {
    let script = "exec python3 -c 'import signal, time
def save(number, frame):
    [print(\"x\" * 99) for _ in range(20000)]; open(\"saved\", \"w\"); raise SystemExit(0)
signal.signal(15, save); open(\"up\", \"w\")
while True: time.sleep(0.05)'";
    let place = Place::new("prints", &job(&(role("a", script, "") + "stop grace=\"20s\"\n")));
    let mut child = place.start(&[]);
    place.met("up");
    child.kill().unwrap();
    child.wait().unwrap();
    place.met("saved");
}

#[test]
fn a_task_stopped_by_another_process_has_not_succeeded() {
    let ended = "trap 'exit 0' TERM INT; echo $PPID > shim; mv shim up; while :; do sleep 0.05; done";
    let place = Place::new("other", &job(&(role("a", ended, "") + "stop grace=\"9s\"\n")));
    let child = place.start(&[]);
    place.met("up");
    let shim: i32 = fs::read_to_string(place.0.join("up")).unwrap().trim().parse().unwrap();
    kill_process(Pid::from_raw(shim).unwrap(), Signal::TERM).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143), "{}", out(&output));
    assert!(out(&output).contains("stopped by SIGTERM"), "{}", out(&output));
    assert!(!out(&output).contains("sent SIGINT"), "it has got TERM: {}", out(&output));
}

#[test]
fn a_suspended_shim_keeps_the_grace_period() {
    let script =
        "trap 'echo 1 > saved; exit 0' TERM; echo $PPID > shim; mv shim up; while :; do sleep 0.05; done";
    let place = Place::new("stopped", &job(&role("a", script, "")));
    let child = place.start(&[]);
    place.met("up");
    let shim: i32 = fs::read_to_string(place.0.join("up")).unwrap().trim().parse().unwrap();
    kill_process(Pid::from_raw(shim).unwrap(), Signal::STOP).unwrap();
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143), "{}", out(&output));
    assert!(place.0.join("saved").exists(), "{}", out(&output));
}

#[test]
fn a_user_signal_during_startup_does_not_kill_the_shim() {
    let script = "trap 'echo 1 > saved; exit 0' USR1; while :; do sleep 0.05; done";
    let place = Place::new("early", &job(&role("a", script, "")));
    let child = place.start(&[]);
    while !has_child(&child) {
        std::thread::sleep(Duration::from_millis(1));
    }
    kill_process(Pid::from_child(&child), Signal::USR1).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    kill_process(Pid::from_child(&child), Signal::USR1).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(!out(&output).contains("tfjob-shim was killed"), "{}", out(&output));
}

/// Returns whether a run has a child process.
fn has_child(run: &std::process::Child) -> bool {
    let children = format!("/proc/{0}/task/{0}/children", run.id());
    fs::read_to_string(children).is_ok_and(|children| !children.trim().is_empty())
}
