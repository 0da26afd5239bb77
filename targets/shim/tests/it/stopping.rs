//! A stop of a whole family of processes: each is told once, and each has the grace, whoever ends first.
use crate::able::{self, lacks_namespaces};
use crate::job::{Folder, alone, argv, environment, events, shim, signal, until};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tfjob_contract::{Checkpoints, Duties, Run};

pub const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/family.py");
const MEMBERS: [&str; 5] = ["leader", "child", "grandchild", "apart", "daemon"];
/// INT comes at its half.
const GRACE: u64 = 7;

/// A stop that was seen.
struct Stopped {
    log: String,
    took: Duration,
    output: Output,
}

impl Stopped {
    fn count(&self, member: &str, what: &str) -> usize {
        self.log.lines().filter(|line| *line == format!("{member} {what}")).count()
    }
}

/// Starts the family, each with its manner, and sends a signal to the shim.
fn stopped(manners: &[(&str, char)], grace: Option<u64>, name: &str) -> Stopped {
    let folder = Folder::new();
    let log = folder.0.join("log");
    let mut words = vec!["python3".to_owned(), PROGRAM.to_owned(), log.display().to_string()];
    words.extend(manners.iter().map(|(member, manner)| format!("{member}={manner}")));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let text = || std::fs::read_to_string(&log).unwrap_or_default();
    let (output, took) =
        ran(&folder, argv(&words), grace, name, || text().matches(" up").count() == manners.len());
    Stopped { log: text(), took, output }
}

/// Runs a program until it is up, stops it, and waits.
pub fn ran(
    folder: &Folder,
    run: Run,
    grace: Option<u64>,
    name: &str,
    up: impl Fn() -> bool,
) -> (Output, Duration) {
    let mut contract = alone(run);
    contract.duties = Some(Duties { grace, deadline: Some(100_000), ..Duties::default() });
    let path = folder.write("c", &contract.write());
    let mut command = shim(&environment(&[]));
    let child =
        command.arg("--contract").arg(path).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    until(up);
    signal(child.id(), name);
    let begun = Instant::now();
    (child.wait_with_output().unwrap(), begun.elapsed())
}

#[test]
fn what_is_asked_to_end_before_its_program_starts_starts_nothing() {
    let before = "import os, signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM]); \
        os.kill(os.getpid(), signal.SIGTERM); os.execv(sys.argv[1], sys.argv[1:])";
    for checkpoints in [false, true] {
        let folder = Folder::new();
        let ran = folder.0.join("ran");
        let mut contract = alone(argv(&["touch", ran.to_str().unwrap()]));
        let path = folder.0.to_str().unwrap().to_owned();
        let checkpoints = checkpoints.then_some(Checkpoints { path, every: None, fail_if_exists: false });
        contract.duties = Some(Duties { checkpoints, deadline: Some(100_000), ..Duties::default() });
        let path = folder.write("c", &contract.write());
        let mut command = Command::new("python3");
        command.args(["-c", before, env!("CARGO_BIN_EXE_tfjob-shim"), "--contract"]).arg(path);
        let output = command.env_clear().envs(environment(&[])).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(143), "{said}");
        assert!(said.contains("stopped by SIGTERM while no program was running"), "{said}");
        assert!(!ran.exists() && !said.contains("\"started\""), "{said}");
    }
}

/// What must be seen of a family: TERM once for each, but not while a parent saves that ends on it, INT once for whoever swallows TERM, and time for whoever saves.
fn judge(manners: &[(&str, char)], grace: Option<u64>, name: &str) {
    let seen = stopped(manners, grace, name);
    let told = format!("{manners:?} {grace:?} {name}: {}\n{:?}", seen.log, seen.output);
    assert_ne!(seen.output.status.code(), Some(0), "{told}");
    let longest = Duration::from_secs(grace.unwrap_or(24));
    for (member, manner) in manners {
        assert_eq!(seen.count(member, "SIGTERM"), 1, "TERM, {told}");
        let (interrupted, ends) = match manner {
            'i' => (1, 1),
            'k' => (1, 0),
            _ => (0, 1),
        };
        assert_eq!((seen.count(member, "SIGINT"), seen.count(member, "end")), (interrupted, ends), "{told}");
        assert!(
            *manner != 'k' || seen.took + Duration::from_millis(300) >= longest,
            "killed after {:?}, {told}",
            seen.took
        );
        assert!(
            *manner != 'i' || seen.took + Duration::from_millis(300) >= longest / 2,
            "{:?}, {told}",
            seen.took
        );
    }
    if manners.iter().any(|(member, manner)| *member == "leader" && "ds".contains(*manner)) {
        let at = |line: &str| seen.log.lines().position(|found| found == line);
        for member in ["child", "apart"] {
            let term = at(&format!("{member} SIGTERM"));
            assert!(term.is_none_or(|term| Some(term) > at("leader end")), "{told}");
        }
    }
    assert!(seen.took < longest + Duration::from_secs(8), "{:?}, {told}", seen.took);
}

fn all(manner: char) -> Vec<(&'static str, char)> {
    MEMBERS.map(|member| (member, manner)).into()
}

/// All in the first manner, but one.
fn but(manner: char, member: &str, other: char) -> Vec<(&'static str, char)> {
    MEMBERS.map(|name| (name, if name == member { other } else { manner })).into()
}

#[test]
fn whoever_ends_first_the_others_keep_the_grace() {
    let mut families: Vec<Vec<(&str, char)>> = ['d', 's', 'i', 'k'].map(all).into();
    for member in MEMBERS {
        families.extend([
            but('s', member, 'd'),
            but('d', member, 's'),
            but('d', member, 'i'),
            but('d', member, 'k'),
        ]);
    }
    families.push(vec![("leader", 'd'), ("child", 'd'), ("grandchild", 's'), ("daemon", 'i')]);
    families.push(vec![("leader", 'k'), ("apart", 's')]);
    // At most so many at a time: each is up to five processes, which mostly sleep.
    for some in able::sample(families).chunks(26) {
        std::thread::scope(|scope| {
            some.iter().for_each(|family| drop(scope.spawn(|| judge(family, Some(GRACE), "TERM"))));
        });
    }
}

#[test]
fn a_hangup_is_a_stop_with_grace_and_so_is_quit() {
    std::thread::scope(|scope| {
        for name in ["HUP", "QUIT"] {
            scope.spawn(move || judge(&all('s'), Some(GRACE), name));
            scope.spawn(move || {
                let seen = stopped(&but('d', "leader", 's'), None, name);
                assert_eq!(seen.count("leader", "SIGTERM"), 1, "{}", seen.log);
                let said = events(&seen.output).into_iter().find(|event| event["event"] == "stop").unwrap();
                assert_eq!(said["reason"], format!("stopping the program: received SIG{name}"));
                let last = crate::job::ended(&seen.output);
                assert!(last.starts_with(&format!("tfjob-shim: worker:0: stopped by SIG{name}: ")), "{last}");
            });
        }
    });
}

/// A platform that starts failed tasks again counts code 0 as work that is done.
#[test]
fn a_program_that_saves_and_ends_well_on_a_signal_has_not_done_its_work() {
    let saves = |code: u8| format!("trap 'exit {code}' TERM; touch up; while :; do sleep 0.1; done");
    for (name, own, code) in [("TERM", 0, 143), ("INT", 0, 130), ("HUP", 0, 129), ("TERM", 7, 7)] {
        let folder = Folder::new();
        let up = folder.0.join("up");
        let text = saves(own).replace("touch up", &format!("touch {}", up.display()));
        let text = if name == "INT" { text.replace("TERM", "INT") } else { text };
        let (output, _) = ran(&folder, Run::Shell(text), Some(GRACE), name, || up.exists());
        assert_eq!(output.status.code(), Some(code), "{name} {own}: {output:?}");
        let last = crate::job::ended(&output);
        assert_eq!(
            last.ends_with(
                "; not counted as success, because the program did not create its completion file (`{done}` in the spec)"
            ),
            own == 0,
            "{last}"
        );
    }
}

#[test]
fn a_supervisor_below_tells_its_own_program() {
    let folder = Folder::new();
    let logs: Vec<_> = (0..6).map(|n| folder.0.join(format!("log{n}"))).collect();
    let inner = |log: &PathBuf| {
        format!("{} -- python3 {PROGRAM} {} leader=i &\n", env!("CARGO_BIN_EXE_tfjob-shim"), log.display())
    };
    let text = logs.iter().map(inner).collect::<String>() + "wait; wait";
    let read = |log: &PathBuf| std::fs::read_to_string(log).unwrap_or_default();
    ran(&folder, Run::Shell(text), Some(GRACE), "TERM", || logs.iter().all(|log| read(log).contains(" up")));
    for log in &logs {
        assert_eq!(read(log), "leader up\nleader SIGTERM\nleader SIGINT\nleader end\n");
    }
}

#[test]
fn what_a_program_leaves_behind_is_told_once_and_has_the_grace_too() {
    let folder = Folder::new();
    let log = folder.0.join("log");
    let text = format!(
        "touch {0}; python3 {PROGRAM} {0} leader=s apart=i daemon=s &\nwhile [ $(grep -c up {0}) -lt 3 ]; do sleep 0.1; done; exit 7",
        log.display(),
    );
    let mut contract = alone(Run::Shell(text));
    contract.duties = Some(Duties { grace: Some(GRACE), ..Duties::default() });
    let path = folder.write("c", &contract.write());
    let output = shim(&environment(&[])).arg("--contract").arg(path).output().unwrap();
    assert_eq!(output.status.code(), Some(7), "{output:?}");
    let log = std::fs::read_to_string(log).unwrap();
    for (member, number) in [("leader", 0), ("apart", 1), ("daemon", 0)] {
        let count = |what: &str| log.lines().filter(|line| *line == format!("{member} {what}")).count();
        assert_eq!((count("SIGTERM"), count("SIGINT"), count("end")), (1, number, 1), "{log}");
    }
}

#[test]
fn a_supervisor_without_a_contract_leaves_time_after_a_signal_from_outside() {
    let folder = Folder::new();
    let log = folder.0.join("log");
    let read = || std::fs::read_to_string(&log).unwrap_or_default();
    let text = format!("python3 {PROGRAM} {} leader=s daemon=s\necho done", log.display());
    let child =
        shim(&environment(&[])).args(["--", "sh", "-c", &text]).stdout(Stdio::null()).spawn().unwrap();
    until(|| read().matches(" up").count() == 2);
    signal(child.id(), "TERM");
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(143));
    for member in ["leader", "daemon"] {
        assert!(
            read().contains(&format!("{member} SIGTERM\n")) && read().contains(&format!("{member} end\n"))
        );
    }
    assert!(Path::new(PROGRAM).exists());
}

#[test]
fn a_program_that_is_stopped_gets_its_grace_too() {
    let folder = Folder::new();
    let marks = |name: &str| folder.0.join(name).display().to_string();
    let (up, saved) = (marks("up"), marks("saved"));
    let script = format!(
        "trap 'echo 1 > {saved}; exit 0' TERM; echo $$ > {up}; kill -STOP $$; while :; do sleep 0.1; done"
    );
    let stopped = || {
        let pid = std::fs::read_to_string(&up).unwrap_or_default();
        std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).is_ok_and(|stat| stat.contains(") T "))
    };
    let (output, took) = ran(&folder, Run::Shell(script), Some(GRACE), "TERM", stopped);
    assert!(Path::new(&saved).exists(), "{output:?}");
    assert!(took < Duration::from_secs(GRACE / 2), "{took:?}");
}

#[test]
fn who_stops_a_task_more_than_once_is_passed_on_once() {
    let folder = Folder::new();
    let (up, log) = (folder.0.join("up"), folder.0.join("log"));
    // As usual: from the second signal on the program would end at once.
    let script = format!(
        "exec python3 -c \"
import signal, time
def save(number, frame):
    signal.signal(number, signal.SIG_DFL); open('{log}', 'a').write('told\\n'); time.sleep(2)
    open('{log}', 'a').write('saved\\n'); raise SystemExit(0)
signal.signal(15, save); signal.signal(2, save); open('{up}', 'w')
while True: time.sleep(0.05)
\"",
        log = log.display(),
        up = up.display()
    );
    let mut contract = alone(Run::Shell(script));
    contract.duties = Some(Duties { grace: Some(20), deadline: Some(3), ..Duties::default() });
    let path = folder.write("c", &contract.write());
    let mut command = shim(&environment(&[]));
    let child =
        command.arg("--contract").arg(path).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    until(|| up.exists());
    until(|| log.exists());
    for name in ["TERM", "INT", "TERM"] {
        std::thread::sleep(Duration::from_millis(200));
        signal(child.id(), name);
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "told\nsaved\n", "{output:?}");
}

#[test]
fn a_parent_that_does_not_kill_leaves_int_and_kill_to_the_shim() {
    if able::skips_wait(14) {
        return;
    }
    let folder = Folder::new();
    let up = folder.0.join("up");
    let contract = alone(Run::Shell(format!(
        "trap '' TERM; trap 'exit 9' INT; touch {}; while :; do sleep 0.1; done",
        up.display()
    )));
    let path = folder.write("c", &contract.write());
    let mut command = shim(&environment(&[]));
    command.arg("--contract").arg(path).args(["--parent", &std::process::id().to_string()]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    until(|| up.exists());
    signal(child.id(), "TERM");
    let begun = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(20), "{output:?}");
    assert!(
        events(&output).iter().any(|event| event["reason"].as_str().unwrap().starts_with("sent SIGINT")),
        "{output:?}"
    );
}

/// A family whose leader has this name as a process: a script of this file name, or an interpreter that has set it.
fn named(name: &str, by_file: bool) -> (String, Output) {
    let folder = Folder::new();
    let log = folder.0.join("log");
    let members = "leader=s apart=s";
    let run = if by_file {
        let text = format!("#!/bin/sh\npython3 {PROGRAM} {} {members} &\nwait; wait\n", log.display());
        let path = folder.program(name, &text);
        argv(&[path.to_str().unwrap()])
    } else {
        let text = std::fs::read_to_string(PROGRAM).unwrap();
        let text = text.replace(
            "live(\"leader\")",
            "import ctypes\nctypes.CDLL(None).prctl(15, b'NAME', 0, 0, 0)\nlive(\"leader\")",
        );
        let path = folder.write("family.py", &text.replace("NAME", name));
        argv(&["python3", path.to_str().unwrap(), log.to_str().unwrap(), "leader=s", "apart=s"])
    };
    let text = || std::fs::read_to_string(&log).unwrap_or_default();
    let (output, _) = ran(&folder, run, Some(GRACE), "TERM", || text().matches(" up").count() == 2);
    (text(), output)
}

#[test]
fn a_program_that_is_called_as_the_shim_is_none() {
    for name in ["tfjob", "tfjob-shim"] {
        for by_file in [true, false] {
            let (log, output) = named(name, by_file);
            for line in ["leader SIGTERM", "leader end", "apart SIGTERM", "apart end"] {
                assert!(log.contains(line), "{name} {by_file}: {line}: {log} {output:?}");
            }
            assert!(!log.contains("SIGINT"), "{name} {by_file}: {log}");
        }
    }
}

#[test]
fn processes_are_told_where_proc_shows_the_namespace_above() {
    if lacks_namespaces(&["-rpf"]) {
        return;
    }
    let folder = Folder::new();
    let log = folder.0.join("log");
    let words = ["leader=s", "child=s", "apart=s", "daemon=s"];
    let words = [&["python3", PROGRAM, log.to_str().unwrap()], &words[..]].concat();
    let mut contract = alone(argv(&words));
    contract.duties = Some(Duties { grace: Some(GRACE), ..Duties::default() });
    let path = folder.write("c", &contract.write());
    let read = || std::fs::read_to_string(&log).unwrap_or_default();
    // The shim is the first process of its namespace, and then a later one.
    for shell in ["exec \"$@\"", "echo; \"$@\" & trap 'kill -TERM $!' TERM; wait; wait"] {
        std::fs::write(&log, "").unwrap();
        let mut command = std::process::Command::new("unshare");
        command
            .args(["-rpf", "--kill-child=TERM", "sh", "-c", shell, "sh"])
            .arg(env!("CARGO_BIN_EXE_tfjob-shim"));
        command.arg("--contract").arg(&path).env_clear().envs(environment(&[]));
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        until(|| read().matches(" up").count() == 4);
        let below = format!("/proc/{0}/task/{0}/children", child.id());
        let first: u32 = std::fs::read_to_string(below).unwrap().trim().parse().unwrap();
        signal(first, "TERM");
        let output = child.wait_with_output().unwrap();
        for member in ["leader", "child", "apart", "daemon"] {
            let count =
                |what: &str| read().lines().filter(|line| *line == format!("{member} {what}")).count();
            assert_eq!(
                (count("SIGTERM"), count("SIGINT"), count("end")),
                (1, 0, 1),
                "{shell} {member}: {} {output:?}",
                read()
            );
        }
    }
}
