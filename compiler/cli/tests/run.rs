//! `tfjob run`: real processes under the shim, each fault as it is met on one machine.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test may")]
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

#[path = "shared/place.rs"]
mod place;

use place::{Place, job, out, role};

#[test]
fn the_example_is_killed_once_and_goes_on_from_its_checkpoint() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/line");
    let place = Place::new("line", &fs::read_to_string(example.join("line.tfjob.kdl")).unwrap());
    fs::copy(example.join("fit.py"), place.0.join("fit.py")).unwrap();
    let output = place.run(&["--set", "param.steps=200"]);
    let said = out(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    for line in ["was killed by signal 9", "goes on from step 100", "done: y = 2.9", "1 restart"] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let log = fs::read_to_string(place.0.join(".tfjob/a/logs/worker-0.log"));
    assert!(log.is_err(), "the job is called line");
    let log = fs::read_to_string(place.0.join(".tfjob/line/logs/worker-0.log")).unwrap();
    assert!(!log.contains("\"event\"") && log.contains("step 50: "), "{log}");
    let events = fs::read_to_string(place.0.join(".tfjob/line/events/worker-0.jsonl")).unwrap();
    assert!(events.contains("\"event\":\"restart\""), "{events}");
}

#[test]
fn a_failed_task_ends_the_others_and_its_code_is_the_jobs() {
    let spec = job(&(role("a", "sleep 0.2; exit 7", "") + &role("b", "sleep 60", "")));
    let place = Place::new("fails", &spec);
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(7), "{}", out(&output));
    assert!(out(&output).contains("a:0 failed: stopping the other tasks"), "{}", out(&output));
    assert!(!place.is_left());
}

#[test]
fn the_others_go_on_where_that_is_asked() {
    let spec = job(&(role("a", "exit 7", "") + &role("b", "sleep 0.5; echo b is done", "")));
    let output = Place::new("goes-on", &spec).run(&["--keep-going"]);
    assert_eq!(output.status.code(), Some(7), "{}", out(&output));
    assert!(out(&output).contains("b:0   | b is done"), "{}", out(&output));
}

#[test]
fn a_role_starts_when_the_other_is_done() {
    let spec = job(&(role("first", "sleep 0.5; echo 1 > first", "")
        + &role("second", "cat first", "after \"first\" when=\"done\"")));
    let output = Place::new("order", &spec).run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
    assert!(out(&output).contains("second:0 | 1"), "{}", out(&output));
    assert!(out(&output).contains("second:0 * waiting for `first`"), "{}", out(&output));
}

#[test]
fn a_program_that_fails_at_once_is_not_started_for_ever() {
    let spec = job(&role("a", "exit 3", "restart \"on-failure\" limit=5 backoff=\"1s\" min-uptime=\"10s\""));
    let output = Place::new("broken", &spec).run(&[]);
    assert_eq!(output.status.code(), Some(3), "{}", out(&output));
    assert!(out(&output).contains("is not started again"), "{}", out(&output));
}

#[test]
fn an_asked_end_stops_every_task_and_leaves_none() {
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
        // Only who sits at a keyboard is told of the key.
        assert_eq!(said.contains("Ctrl-C again"), signal == Signal::INT, "{said}");
        assert!(said.contains(&format!("job stopped by {name}")), "{said}");
        assert_eq!(place.status("a-0")["state"], "ended");
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
fn all_that_a_killed_shim_started_ends_with_it() {
    let apart = "(setsid sh -c 'sleep 61 & sleep 62' &); echo $PPID > shim; mv shim up; sleep 60";
    let place = Place::new("shim", &job(&(role("a", apart, "") + &role("b", "sleep 63", ""))));
    let child = place.start(&[]);
    place.met("up");
    let shim: i32 = fs::read_to_string(place.0.join("up")).unwrap().trim().parse().unwrap();
    kill_process(Pid::from_raw(shim).unwrap(), Signal::KILL).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(137), "{}", out(&output));
    assert!(out(&output).contains("a:0   * its shim was killed by signal 9"), "{}", out(&output));
    let status = place.status("a-0");
    assert_eq!((&status["state"], &status["code"]), (&"ended".into(), &137.into()), "{status}");
    assert!(!place.is_left());
}

#[test]
fn what_the_machine_lacks_is_said_before_anything_starts() {
    let spec = job(&role("a", "echo 1 > up", "secret \"A_TOKEN_OF_NOBODY\" from=\"a\""));
    let place = Place::new("lacks", &spec);
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(2), "{}", out(&output));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("needs the secret `A_TOKEN_OF_NOBODY`"), "{said}");
    assert!(!place.0.join("up").exists());
}

#[test]
fn a_program_that_is_missing_is_said_once_before_anything_starts() {
    let run = |name: &str, words: &str| {
        format!("role \"{name}\" {{ run {words}; resources cpus=1 memory=\"64MiB\" }}\n")
    };
    let spec = job(&(role("up", "echo 1 > up", "")
        + &run("a", "\"no-such-program\"")
        + &run("b", "\"no-such-program\" \"b\"")
        + &run("c", "\"./a.tfjob.kdl\"")
        + &run("d", "\"./made.sh\"").replace(" }", "; after \"up\" when=\"done\" }")
        + "tensorboard logs=\"./logs\"\n"));
    let place = Place::new("programs", &spec);
    let mut command = Command::new(env!("CARGO_BIN_EXE_tfjob"));
    // Where the machine has a TensorBoard, this folder hides it.
    let tools = place.0.join("tools");
    fs::create_dir(&tools).unwrap();
    std::os::unix::fs::symlink("/bin/sh", tools.join("sh")).unwrap();
    let output =
        command.args(["run", "a.tfjob.kdl"]).env("PATH", &tools).current_dir(&place.0).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), said.lines().filter(|line| line.starts_with("error: ")).count()),
        (Some(2), 3)
    );
    for told in [
        "roles `a`, `b` start `no-such-program`, which is in none of the folders of PATH",
        "role `c` starts `./a.tfjob.kdl`, which is there and cannot be executed",
        "the job's `tensorboard` starts a program of that name",
    ] {
        assert!(said.contains(told), "{said}");
    }
    assert!(!place.0.join("up").exists());
    assert_eq!(place.run(&["--task", "up"]).status.code(), Some(0), "the others are nobody's fault");
}

#[test]
fn a_role_starts_when_the_other_is_ready_and_not_before() {
    let listens = "sleep 0.7; exec python3 -c 'import os,socket,time; s=socket.socket(); \
                   s.bind((\"127.0.0.1\", int(os.environ[\"TFJOB_PORT_CLUSTER\"]))); s.listen(); \
                   open(\"listens\",\"w\"); time.sleep(60)'";
    let spec = job(&("success \"all\"\n".to_owned()
        + &format!(
            "helper \"server\" {{ shell {listens:?}; resources cpus=1 memory=\"64MiB\"; port \"cluster\" 4100; ready tcp=\"cluster\" }}\n"
        )
        + &role("client", "test -e listens", "after \"server\" when=\"ready\"")));
    let output = Place::new("ready", &spec).run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}{}", out(&output), String::from_utf8_lossy(&output.stderr));
}

#[test]
fn who_never_becomes_ready_is_not_waited_for_for_ever() {
    let spec = job(&("start timeout=\"1s\"\n".to_owned()
        + &role("server", "sleep 60", "port \"cluster\" 4100; ready tcp=\"cluster\"")
        + &role("client", "true", "after \"server\" when=\"ready\"")));
    let output = Place::new("late", &spec).run(&[]);
    assert_eq!(output.status.code(), Some(75), "{}", out(&output));
    assert!(
        out(&output).contains("client:0: peers not ready after 1 s (`start timeout`)"),
        "{}",
        out(&output)
    );
}

#[test]
fn what_only_serves_is_stopped_when_all_others_are_done() {
    let role = |name: &str, text: &str| role(name, text, "");
    let spec =
        "job \"a\" {\nframework \"tensorflow\" version=\"2.15\" strategy=\"estimator\"\nsuccess \"all\"\n"
            .to_owned()
            + &role("chief", "sleep 0.3")
            + &role("worker", "sleep 0.5")
            + &role("ps", "sleep 60")
            + "}\n";
    let output = Place::new("serves", &spec).run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}{}", out(&output), String::from_utf8_lossy(&output.stderr));
    assert!(
        out(&output).contains("the job is done: stopping the tasks that do not exit on their own"),
        "{}",
        out(&output)
    );
}

#[test]
fn a_chosen_task_runs_alone_and_nobody_waits_for_the_others() {
    let after = "after \"a\" when=\"done\"";
    let spec = job(&(role("a", "exit 1", "") + &role("b", "echo b{index}", &format!("count 2; {after}"))));
    let spec = spec.replace("count 2; ", "").replace("role \"b\" {", "role \"b\" count=2 {");
    let place = Place::new("chosen", &spec.replace("b{index}", "b$TFJOB_INDEX"));
    let output = place.run(&["--task", "b:1"]);
    let said = out(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("b:1   | b1") && !said.contains("b:0") && !said.contains("a:0"), "{said}");
    assert!(out(&place.run(&["--task", "b"])).contains("2 tasks"));
    for (word, told) in [("c", "no role `c`; the job has a, b"), ("b:2", "no task `b:2`; `b` has 2")] {
        let output = place.run(&["--task", word]);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(told), "{output:?}");
    }
}

#[test]
fn a_chosen_server_is_stopped_when_the_chosen_others_are_done() {
    let role = |name: &str, text: &str| role(name, text, "");
    let spec = "job \"a\" {\nframework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"\n"
        .to_owned()
        + &role("chief", "exit 9")
        + &role("worker", "sleep 0.3")
        + &role("ps", "sleep 60")
        + "success \"chief\"\n}\n";
    let output = Place::new("servers", &spec).run(&["--task", "worker", "--task", "ps"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", out(&output), String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_job_runs_once_at_a_time_in_one_folder() {
    let place = Place::new("twice", &job(&role("a", "touch begun; sleep 60", "")));
    let first = place.start(&[]);
    place.met("begun");
    let second = place.run(&[]);
    assert_eq!(second.status.code(), Some(2));
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(said.contains("the job runs already in `"), "{said}");
    kill_process(Pid::from_child(&first), Signal::TERM).unwrap();
    assert_eq!(first.wait_with_output().unwrap().status.code(), Some(143));
    assert_eq!(fs::read_to_string(place.0.join(".tfjob/.gitignore")).unwrap(), "*\n");
    assert_eq!(place.run(&["--folder", "other", "--task", "b"]).status.code(), Some(2), "no such role");
}

#[test]
fn a_run_keeps_the_output_of_those_before_it_and_begins_with_empty_scratch() {
    let script = "test ! -e $TFJOB_SCRATCH/left; touch $TFJOB_SCRATCH/left; cat word";
    let place = Place::new("again", &job(&role("a", script, "")));
    for word in ["one", "two", "three"] {
        fs::write(place.0.join("word"), word).unwrap();
        let output = place.run(&[]);
        assert_eq!(output.status.code(), Some(0), "{}", out(&output));
        assert_eq!(place.log("a-0"), word.as_bytes());
    }
    for (number, word) in [("1", "one"), ("2", "two")] {
        let kept = place.0.join(".tfjob/a/previous").join(number);
        assert_eq!(fs::read_to_string(kept.join("logs/a-0.log")).unwrap(), word);
        assert!(kept.join("events/a-0.jsonl").exists() && kept.join("status/a-0.json").exists());
        assert!(kept.join("contract.json").exists());
    }
    assert!(!place.0.join(".tfjob/a/previous/3").exists());
}

#[test]
fn the_folder_of_a_run_is_nobody_elses() {
    let place = Place::new("foreign", &job(&role("a", "echo 1 >> ran", "")));
    let other = place.0.join("other");
    for name in ["contract.json", "lock", "notes.txt"] {
        fs::create_dir_all(&other).unwrap();
        fs::write(other.join(name), "precious").unwrap();
        let output = place.run(&["--folder", "other"]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("has files that are not of a run"), "{said}");
        assert_eq!(fs::read_to_string(other.join(name)).unwrap(), "precious");
        assert_eq!(fs::read_dir(&other).unwrap().count(), 1);
        fs::remove_dir_all(&other).unwrap();
    }
    assert!(!place.0.join("ran").exists());
    for _ in 0..2 {
        assert_eq!(place.run(&["--folder", "other"]).status.code(), Some(0));
    }
    assert!(other.join("previous/1/logs/a-0.log").exists());
}

#[test]
fn a_stop_by_several_signals_keeps_the_grace_and_a_second_key_does_not() {
    let script = "trap 'sleep 0.6; echo 1 > saved; exit 0' TERM; echo 1 > up; while :; do sleep 0.05; done";
    let signals: [(&str, &[Signal], bool); 3] = [
        ("key", &[Signal::INT, Signal::TERM, Signal::HUP, Signal::TERM], true),
        ("kill", &[Signal::TERM, Signal::TERM, Signal::INT], true),
        ("keys", &[Signal::INT, Signal::QUIT], false),
    ];
    for (name, sent, saves) in signals {
        let place =
            Place::new(&format!("several-{name}"), &job(&(role("a", script, "") + "stop grace=\"9s\"\n")));
        let child = place.start(&[]);
        place.met("up");
        for signal in sent {
            kill_process(Pid::from_child(&child), *signal).unwrap();
            std::thread::sleep(Duration::from_millis(120));
        }
        let output = child.wait_with_output().unwrap();
        assert_eq!(place.0.join("saved").exists(), saves, "{name}: {}", out(&output));
        assert_eq!(out(&output).contains("killing all tasks"), !saves, "{name}: {}", out(&output));
        assert_eq!(place.status("a-0")["state"], "ended", "{name}");
    }
}

#[test]
fn who_waits_for_a_task_that_has_failed_is_not_waited_for() {
    let never = role("b", "echo 1 > ran", "after \"a\" when=\"done\"");
    let more = role("a", "exit 5", "") + &never + &role("c", "sleep 0.5", "");
    let place = Place::new("hopeless", &job(&more));
    let output = place.run(&["--keep-going"]);
    assert_eq!(output.status.code(), Some(5), "{}", out(&output));
    assert!(out(&output).contains("b:0   * not started: a:0 failed"), "{}", out(&output));
    assert!(!place.0.join("ran").exists());
}

#[test]
fn a_folder_is_held_until_the_last_task_has_ended() {
    let script = "trap 'sleep 1.5; echo saving; echo 1 > saved; exit 0' TERM; echo 1 > up; while :; do sleep 0.05; done";
    let place = Place::new("held", &job(&(role("a", script, "") + "stop grace=\"9s\"\n")));
    let mut first = place.start(&[]);
    place.met("up");
    first.kill().unwrap();
    first.wait().unwrap();
    let second = place.run(&[]);
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(second.status.code() == Some(2) && said.contains("the job runs already"), "{said}");
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
fn signals_of_users_reach_the_programs() {
    let script = "trap 'echo 1 > saved; exit 0' USR1; echo 1 > up; while :; do sleep 0.05; done";
    let place = Place::new("user", &job(&role("a", script, "")));
    let child = place.start(&[]);
    place.met("up");
    kill_process(Pid::from_child(&child), Signal::USR1).unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
    assert!(place.0.join("saved").exists());
}

#[test]
fn each_task_says_how_it_stands_in_a_file_of_its_own() {
    let place = Place::new("status", &job(&(role("a", "exit 0", "") + &role("b", "exit 3", ""))));
    assert_eq!(place.run(&["--keep-going"]).status.code(), Some(3));
    for (task, code) in [("a-0", 0), ("b-0", 3)] {
        let status = place.status(task);
        assert_eq!(
            (&status["task"], &status["state"], &status["code"]),
            (&task.into(), &"ended".into(), &code.into())
        );
    }
}

#[test]
fn tasks_of_one_machine_share_a_folder_of_it() {
    let more = format!(
        "checkpoints \"./ckpt\"\n{}{}",
        role("a", "touch ckpt/x", ""),
        role("b", "test -e ckpt/x", "after \"a\" when=\"done\"")
    );
    let place = Place::new("shared", &job(&more));
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

/// `export NAME='value'` of a script, as far as values are on one line and have no quote.
fn exported(script: &str) -> std::collections::BTreeMap<String, String> {
    let lines = script.lines().filter_map(|line| line.strip_prefix("export ")?.split_once('='));
    lines.map(|(name, value)| (name.to_owned(), value.trim_matches('\'').to_owned())).collect()
}

#[test]
fn a_task_sees_exactly_what_show_said_but_for_ports_and_folders() {
    let spec = r#"job "seen" {
    framework "tensorflow" version="2.15" strategy="parameter-server"
    env { STEP "{index} of {count.worker}"; PEERS "{addresses.ps}" }
    checkpoints "./ckpt"
    resources cpus=1 memory="64MiB"
    shell "env; sleep 1"
    role "chief"
    role "worker" count=2
    role "ps"
}
"#;
    let place = Place::new("seen", spec);
    let output = place.run(&[]);
    let said = out(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    for (task, file) in
        [("chief:0", "chief-0"), ("worker:0", "worker-0"), ("worker:1", "worker-1"), ("ps:0", "ps-0")]
    {
        let mut show = Command::new(env!("CARGO_BIN_EXE_tfjob"));
        let show = show.args(["show", "--target", "local", "--task", task, "a.tfjob.kdl"]);
        let shown = exported(&out(&show.current_dir(&place.0).output().unwrap()));
        let log = fs::read_to_string(place.0.join(format!(".tfjob/seen/logs/{file}.log"))).unwrap();
        let peers: serde_json::Value = serde_json::from_str(line(&log, "TFJOB_PEERS")).unwrap();
        assert!(shown.contains_key("TF_CONFIG") && shown.contains_key("STEP"), "{shown:?}");
        for (name, value) in &shown {
            assert_eq!(line(&log, name), filled(value, &peers, &place.0), "{task} {name}");
        }
    }
}

/// The value of a variable in what `env` printed.
fn line<'l>(log: &'l str, name: &str) -> &'l str {
    let value = |line: &'l str| line.strip_prefix(name)?.strip_prefix('=');
    log.lines().find_map(value).unwrap_or_else(|| panic!("{name} is not set: {log}"))
}

/// What `show` could not know, put into its words.
fn filled(shown: &str, peers: &serde_json::Value, here: &Path) -> String {
    let here = here.display().to_string();
    let mut value = shown.replace("<run>", &format!("{here}/.tfjob/seen")).replace("<here>", &here);
    for (role, tasks) in peers.as_object().unwrap() {
        for (index, task) in tasks.as_array().unwrap().iter().enumerate() {
            let port = task.as_str().unwrap().rsplit(':').next().unwrap();
            value = value.replace(&format!("<port of {role}-{index}>"), port);
        }
    }
    value
}

#[test]
fn a_path_without_a_shell_is_enough_for_a_shell() {
    let place = Place::new("path", &job(&role("a", "echo $PATH", "env { PATH \"/nowhere\"; }")));
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
    assert_eq!(place.log("a-0"), b"/nowhere\n");
}
