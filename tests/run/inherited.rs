//! Tests of settings that a run inherits from its caller: signals, limits, the terminal, and GPUs.
use crate::able::lacks_namespaces;
use crate::place::{Place, job, out, role};
use rustix::process::{Pid, Signal, kill_process};
use std::process::{Command, Output, Stdio};

/// Starts a run in a process that this Python code has prepared.
fn prepared(place: &Place, python: &str) -> Command {
    let words = [env!("CARGO_BIN_EXE_tfjob"), "run", "a.tfjob.kdl"];
    // The caller of the tests may ignore these signals: keyboard signals in the background, SIGHUP under nohup.
    let keys =
        "[signal.signal(key, signal.SIG_DFL) for key in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP)]";
    let script =
        format!("import os, signal, resource\n{keys}\n{python}\nos.execv({:?}, {words:?})", words[0]);
    let mut command = Command::new("python3");
    command.args(["-c", &script]).current_dir(&place.0);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn ran(place: &Place, python: &str) -> Output {
    prepared(place, python).output().unwrap()
}

#[test]
fn a_run_ends_with_sigchld_ignored() {
    let place = Place::new("chld", &job(&role("a", "exit 3", "")));
    let output = ran(&place, "signal.signal(signal.SIGCHLD, signal.SIG_IGN)");
    assert_eq!(output.status.code(), Some(3), "{}", out(&output));
}

#[test]
fn blocked_signals_reach_the_run_and_its_programs() {
    for (signal, name) in [(Signal::TERM, "TERM"), (Signal::INT, "INT"), (Signal::HUP, "HUP")] {
        let script = "trap 'echo 1 > saved; exit 0' TERM; echo 1 > up; while :; do sleep 0.05; done";
        let place = Place::new(&format!("mask-{name}"), &job(&role("a", script, "")));
        let block = "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))";
        let child = prepared(&place, block).spawn().unwrap();
        place.met("up");
        kill_process(Pid::from_child(&child), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(128 + signal.as_raw()), "{}", out(&output));
        assert!(place.0.join("saved").exists(), "{name}: {}", out(&output));
    }
}

#[test]
fn an_ignored_signal_stops_neither_run_nor_program() {
    let script = "echo 1 > up; while [ ! -e go ]; do sleep 0.05; done";
    let place = Place::new("usr", &job(&role("a", script, "")));
    // A script starts `tfjob run &` with the keyboard signals ignored.
    let ignore = "[signal.signal(one, signal.SIG_IGN) for one in (signal.SIGINT, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)]";
    let child = prepared(&place, ignore).spawn().unwrap();
    place.met("up");
    for signal in [Signal::INT, Signal::QUIT, Signal::USR1, Signal::USR2] {
        kill_process(Pid::from_child(&child), signal).unwrap();
    }
    std::thread::sleep(std::time::Duration::from_millis(200));
    std::fs::write(place.0.join("go"), "").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
}

#[test]
fn programs_inherit_the_open_file_limit_of_the_caller() {
    let spec = job(&role("a", "ulimit -Sn; ulimit -Hn", "")).replace("role \"a\" {", "role \"a\" count=12 {");
    let place = Place::new("files", &spec);
    let output = ran(&place, "resource.setrlimit(resource.RLIMIT_NOFILE, (48, 1000))");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    for task in 0..12 {
        assert_eq!(place.log(&format!("a-{task}")), b"48\n1000\n");
    }
}

#[test]
fn tasks_that_do_not_run_need_no_open_files() {
    let spec = job(&role("a", "exit 0", "")).replace("role \"a\" {", "role \"a\" count=300 {");
    let place = Place::new("few-files", &spec);
    for (words, code) in [("--task a:7", 0), ("", 2)] {
        let script = format!("ulimit -n 100; exec {} run a.tfjob.kdl {words}", env!("CARGO_BIN_EXE_tfjob"));
        let output = Command::new("sh").args(["-c", &script]).current_dir(&place.0).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert_eq!(said.contains("300 tasks need "), code == 2, "{said}");
    }
}

#[test]
fn tasks_share_only_the_gpus_that_the_run_may_use() {
    let roles = role("a", "echo $CUDA_VISIBLE_DEVICES", "").replace("cpus=1", "cpus=1 gpus=2")
        + &role("b", "echo $CUDA_VISIBLE_DEVICES", "").replace("cpus=1", "cpus=1 gpus=1");
    let place = Place::new("gpus", &job(&roles));
    let output = ran(&place, "os.environ['CUDA_VISIBLE_DEVICES'] = '3,GPU-5, 4'");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!((place.log("a-0"), place.log("b-0")), (b"3,GPU-5\n".to_vec(), b"4\n".to_vec()));
    let output = ran(&place, "os.environ['CUDA_VISIBLE_DEVICES'] = '3,4'");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("the tasks of `a` and `b` request 3 GPUs, but CUDA_VISIBLE_DEVICES has 2; to run without GPUs, add `--set role.a.resources.gpus=0 --set role.b.resources.gpus=0`"), "{said}");
}

#[test]
fn a_role_with_one_missing_gpu_is_named_with_the_edit() {
    let worker = role("worker", "true", "").replace("cpus=1", "cpus=1 gpus=1");
    let place = Place::new("one-gpu", &job(&worker));
    let run = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tfjob"));
        command.args(["run", "a.tfjob.kdl"]).args(more).current_dir(&place.0);
        command.env("CUDA_VISIBLE_DEVICES", "").output().unwrap()
    };
    let output = run(&[]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let fact = "the task of `worker` requests 1 GPU, but CUDA_VISIBLE_DEVICES has 0; to run without GPUs, add `--set role.worker.resources.gpus=0`";
    assert!(output.status.code() == Some(2) && said.contains(fact), "{said}");
    assert_eq!(run(&["--set", "role.worker.resources.gpus=0"]).status.code(), Some(0));
}

#[test]
fn the_edit_for_missing_gpus_is_accepted() {
    let inherits = |name: &str| role(name, "true", "").replace(" resources cpus=1 memory=\"64MiB\";", "");
    let roles = inherits("a") + &inherits("b") + &role("c", "true", "").replace("cpus=1", "cpus=1 gpus=1");
    let roles = roles.replacen("role \"a\"", "resources cpus=1 memory=\"64MiB\" gpus=1\nrole \"a\"", 1);
    let roles =
        roles + &role("d", "true", "").replacen("role", "helper", 1).replace("cpus=1", "cpus=1 gpus=1");
    let place = Place::new("gpu-edits", &job(&roles));
    let run = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tfjob"));
        command.args(["run", "a.tfjob.kdl"]).args(more).current_dir(&place.0);
        command.env("CUDA_VISIBLE_DEVICES", "").output().unwrap()
    };
    let said = String::from_utf8(run(&[]).stderr).unwrap();
    let edits = said.split_once("add `").and_then(|(_, rest)| rest.split_once('`')).unwrap().0;
    let keys = "--set helper.d.resources.gpus=0 --set resources.gpus=0 --set role.c.resources.gpus=0";
    assert_eq!(edits, keys, "{said}");
    let output = run(&edits.split(' ').collect::<Vec<_>>());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn missing_or_duplicate_gpus_start_no_task() {
    if lacks_namespaces(&["-rm"]) {
        return;
    }
    let worker = role("a", "echo $CUDA_VISIBLE_DEVICES; echo 1 > up", "").replace("cpus=1", "cpus=1 gpus=1");
    let place = Place::new("no-gpus", &job(&worker.replace("role \"a\" {", "role \"a\" count=2 {")));
    let dev = "mkdir -p dev; mount -t tmpfs none dev; for d in null zero random urandom tty; do touch dev/$d; mount --bind /dev/$d dev/$d; done; \
        touch dev/nvidia0 dev/nvidia1 dev/nvidiactl; mount --rbind dev /dev; exec \"$0\" run a.tfjob.kdl";
    for (named, code) in
        [("0,7", 2), ("5,6", 2), ("0,0", 2), ("GPU-x,GPU-x", 2), ("1,0", 0), ("GPU-x,GPU-y", 0), ("0,1,7", 0)]
    {
        let mut command = Command::new("unshare");
        command.args(["-rm", "sh", "-ec", dev, env!("CARGO_BIN_EXE_tfjob")]).current_dir(&place.0);
        let output = command.env("CUDA_VISIBLE_DEVICES", named).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{named}: {said}");
        assert_eq!(
            said.contains("the tasks of `a` request 2 GPUs, but CUDA_VISIBLE_DEVICES has "),
            code == 2,
            "{said}"
        );
        assert_eq!(place.0.join("up").exists(), code == 0, "{named}");
        if code == 0 {
            let names: Vec<&str> = named.split(',').collect();
            assert_eq!(place.log("a-1"), format!("{}\n", names[1]).as_bytes());
            std::fs::remove_file(place.0.join("up")).unwrap();
        }
    }
}

#[test]
fn a_file_size_limit_that_is_too_small_is_reported_before_the_start() {
    let place = Place::new("sizes", &job(&role("a", "echo 1 > up", "")));
    for (limit, code) in [(0, 2), (1, 2), (100_000, 0)] {
        let output = ran(&place, &format!("resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))"));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{limit}: {said}");
        assert!(code == 0 || said.contains("raise the limit (`ulimit -f unlimited`)"), "{said}");
        assert_eq!(place.0.join("up").exists(), code == 0);
    }
}

#[test]
fn shims_have_the_name_of_the_run() {
    let place = Place::new("comm", &job(&role("a", "cat /proc/$PPID/comm", "")));
    assert_eq!(place.run(&[]).status.code(), Some(0));
    assert_eq!(place.log("a-0"), b"tfjob\n");
}

#[test]
fn a_spec_from_a_pipe_or_device_runs_in_the_current_directory() {
    let place = Place::new("pipe", &job(&role("a", "pwd", "")));
    let tool = env!("CARGO_BIN_EXE_tfjob");
    for way in [
        "cat a.tfjob.kdl | $0 run /dev/stdin",
        "exec bash -c '$0 run <(cat a.tfjob.kdl)' $0",
        "cat a.tfjob.kdl | $0 run -",
    ] {
        let output = Command::new("sh").args(["-c", way, tool]).current_dir(&place.0).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{way}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(
            place.log("a-0"),
            format!("{}\n", place.0.canonicalize().unwrap().display()).as_bytes(),
            "{way}"
        );
        std::fs::remove_dir_all(place.0.join(".tfjob")).unwrap();
    }
}

#[test]
fn foreign_orphans_are_reaped_by_the_first_process_of_a_container() {
    if lacks_namespaces(&["-rpf", "--mount-proc"]) {
        return;
    }
    // The task leaves an orphan to the first process of its namespace, as `docker exec` does, from a process that is
    // not below a shim.
    let place =
        Place::new("init", &job(&role("a", "echo 1 > up; while [ ! -e go ]; do sleep 0.05; done", "")));
    let mut command = Command::new("unshare");
    command.args(["-rpf", "--mount-proc", "--kill-child", env!("CARGO_BIN_EXE_tfjob"), "run", "a.tfjob.kdl"]);
    let child = command.current_dir(&place.0).stdout(Stdio::piped()).spawn().unwrap();
    place.met("up");
    let below = format!("/proc/{0}/task/{0}/children", child.id());
    let first = std::fs::read_to_string(below).unwrap().trim().to_owned();
    let script = "for n in 1 2 3; do (sleep 0.1 &); done";
    let entered = Command::new("nsenter").args(["-t", &first, "-U", "-p", "-m", "sh", "-c", script]).status();
    assert!(entered.unwrap().success());
    let zombies = || {
        let children = std::fs::read_to_string(format!("/proc/{first}/task/{first}/children")).unwrap();
        let is_zombie = |pid: &&str| {
            std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| stat.contains(") Z "))
        };
        children.split_whitespace().filter(is_zombie).count()
    };
    std::thread::sleep(std::time::Duration::from_millis(500));
    let end = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while zombies() > 0 {
        assert!(std::time::Instant::now() < end, "{} zombies", zombies());
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    std::fs::write(place.0.join("go"), "").unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
}
