//! Processes that were there before the shim: an entrypoint starts a proxy or mounts a file system, and becomes the shim.
use crate::job::{Folder, alone, environment, signal, until};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tfjob_contract::{Duties, Restart, RoleDuties, Run};

#[test]
fn children_from_before_are_neither_stopped_nor_waited_for() {
    let folder = Folder::new();
    let mark = |name: &str| folder.0.join(name).display().to_string();
    // The first start fails and leaves a process, the second one saves by what the entrypoint has started.
    let script = format!(
        "kill -0 $PROXY || touch {lost}; (sleep 60 &)
        trap 'sleep 0.5; kill -0 $PROXY && kill -0 $(cat {below}) && touch {saved}; exit 0' TERM
        [ -e {first} ] || {{ touch {first}; exit 9; }}; touch {up}; while :; do sleep 0.05; done",
        lost = mark("lost"),
        below = mark("below"),
        saved = mark("saved"),
        first = mark("first"),
        up = mark("up")
    );
    let mut contract = alone(Run::Shell(script));
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
    let path = folder.write("c", &contract.write());
    let entrypoint = format!(
        "setsid sh -c 'sleep 300 & echo $! > {0}.new; mv {0}.new {0}; wait' & export PROXY=$!; exec \"$@\"",
        mark("below")
    );
    let mut command = Command::new("sh");
    command.args(["-c", &entrypoint, "sh", env!("CARGO_BIN_EXE_tfjob-shim"), "--contract"]).arg(path);
    let child = command
        .env_clear()
        .envs(environment(&[]))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until(|| folder.0.join("up").exists());
    signal(child.id(), "TERM");
    let begun = Instant::now();
    child.wait_with_output().unwrap();
    let took = begun.elapsed();
    let below = std::fs::read_to_string(folder.0.join("below")).unwrap();
    let survives = Command::new("kill").arg(below.trim()).status().unwrap().success();
    let there = |name: &str| folder.0.join(name).exists();
    assert!(there("saved") && survives && !there("lost"), "{} {survives} {}", there("saved"), there("lost"));
    assert!(took < Duration::from_secs(5), "{took:?}");
}

/// A daemon forks twice: its parents end, and it has a session of its own, as one of the program has.
#[test]
fn a_daemon_that_a_process_from_before_starts_later_is_not_of_the_program() {
    let folder = Folder::new();
    let mark = |name: &str| folder.0.join(name).display().to_string();
    let daemon = |name: &str, acts: &str| {
        let file = mark(name);
        format!(
            "(setsid sh -c '{acts} echo $$ > {file}.new; mv {file}.new {file}; while :; do sleep 0.1; done' &)"
        )
    };
    let script = format!(
        "{}; trap 'sleep 0.5; touch {}; exit 0' TERM; touch {}; while :; do sleep 0.05; done",
        daemon("own", "trap : INT;"),
        mark("saved"),
        mark("up")
    );
    let mut contract = alone(Run::Shell(script));
    contract.duties = Some(Duties { grace: Some(20), ..Duties::default() });
    let path = folder.write("c", &contract.write());
    // What is started first starts the daemon once the program runs.
    let entrypoint = format!(
        "setsid sh -c 'while [ ! -e {} ]; do sleep 0.05; done; {}; while [ -e {0} ]; do sleep 0.1; done' & exec \"$@\"",
        mark("up"),
        daemon("later", "").replace('\'', "'\\''")
    );
    let mut command = Command::new("sh");
    command.args(["-c", &entrypoint, "sh", env!("CARGO_BIN_EXE_tfjob-shim"), "--contract"]).arg(path);
    let command = command.env_clear().envs(environment(&[]));
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until(|| folder.0.join("later").exists() && folder.0.join("own").exists());
    // Its parents end.
    std::thread::sleep(Duration::from_millis(200));
    signal(child.id(), "TERM");
    let begun = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert!(folder.0.join("saved").exists(), "{:?}", output.status);
    let lives = |name: &str| {
        let pid = std::fs::read_to_string(folder.0.join(name)).unwrap();
        Command::new("kill").args(["-9", pid.trim()]).stderr(Stdio::null()).status().unwrap().success()
    };
    assert_eq!((lives("later"), lives("own")), (true, false));
}

/// The shim is two processes then, and one of them passes signals on to the other.
#[test]
fn a_signal_reaches_the_program_once_whether_the_shim_gets_it_or_its_whole_group() {
    use std::os::unix::process::CommandExt;
    let folder = Folder::new();
    let got = folder.0.join("got");
    let up = folder.0.join("up");
    let script = format!(
        "trap 'echo usr1 >> {0}' USR1; trap 'echo usr2 >> {0}' USR2; touch {1}; while :; do sleep 0.02 || :; done",
        got.display(),
        up.display()
    );
    let mut contract = alone(Run::Shell(script));
    contract.duties = Some(Duties { grace: Some(9), ..Duties::default() });
    let path = folder.write("c", &contract.write());
    for words in [["--contract", path.to_str().unwrap()].as_slice(), &["--", "sh", "-c", ""]] {
        let _ = (std::fs::remove_file(&got), std::fs::remove_file(&up));
        let Run::Shell(script) = &contract.roles[0].run else { unreachable!() };
        let mut words = words.to_vec();
        words.iter_mut().filter(|word| word.is_empty()).for_each(|word| *word = script);
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 300 & exec \"$@\"", "sh", env!("CARGO_BIN_EXE_tfjob-shim")]).args(&words);
        let command = command.env_clear().envs(environment(&[])).process_group(0);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        until(|| up.exists());
        let (alone, group) = (child.id().to_string(), format!("-{}", child.id()));
        for (to, name) in [(&group, "USR1"), (&alone, "USR2"), (&group, "USR1"), (&alone, "USR2")].repeat(3) {
            Command::new("kill").args(["-s", name, "--", to]).status().unwrap();
            std::thread::sleep(Duration::from_millis(100));
        }
        let found = std::fs::read_to_string(&got).unwrap_or_default();
        let count = |name: &str| found.lines().filter(|line| *line == name).count();
        Command::new("kill").args(["-s", "KILL", "--", &group]).status().unwrap();
        child.wait().unwrap();
        assert_eq!((count("usr1"), count("usr2")), (6, 6), "{words:?}");
    }
}
