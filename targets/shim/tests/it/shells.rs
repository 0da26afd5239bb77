//! A stop of a shell: what it runs gets the signal too, and what reads the output of that does not.
use crate::job::{Folder, alone, environment, shim, signal, until, with_arguments};
use crate::stopping::{PROGRAM, ran};
use std::process::Stdio;
use std::time::Duration;
use tfjob_contract::{Duties, Run};

#[test]
fn a_shell_that_ends_on_term_leaves_its_program_the_rest_of_the_grace() {
    let folder = Folder::new();
    let log = folder.0.join("log");
    let text = format!("python3 {PROGRAM} {} leader=s\necho done", log.display());
    let read = || std::fs::read_to_string(&log).unwrap_or_default();
    let (output, took) = ran(&folder, Run::Shell(text), Some(30), "TERM", || read().contains(" up"));
    assert_eq!(read(), "leader up\nleader SIGTERM\nleader end\n");
    assert!(output.status.code() == Some(143) && output.stdout.is_empty(), "{output:?}");
    assert!(took < Duration::from_secs(15));
}

#[test]
fn what_a_shell_runs_is_told_with_it() {
    let folder = Folder::new();
    let log = folder.0.join("log");
    // Each shell waits for what it runs before it sees to its trap.
    let text = format!(
        "trap 'echo trap >>{0}' TERM\nsh -c 'trap : TERM; python3 {PROGRAM} {0} leader=s; true'\ntrue",
        log.display()
    );
    let read = || std::fs::read_to_string(&log).unwrap_or_default();
    let (output, took) = ran(&folder, Run::Shell(text), Some(60), "TERM", || read().contains(" up"));
    assert_eq!(read(), "leader up\nleader SIGTERM\nleader end\ntrap\n", "{output:?}");
    assert!(took < Duration::from_secs(20), "{took:?}");
}

#[test]
fn what_reads_the_output_of_a_program_ends_with_it() {
    let folder = Folder::new();
    let (log, copy) = (folder.0.join("log"), folder.0.join("copy"));
    let read = || std::fs::read_to_string(&log).unwrap_or_default();
    let program = "import signal, sys, time\ndef save(*_):\n    time.sleep(0.3)\n    print('saving', flush=True)\n    \
        open(sys.argv[1], 'a').write('saved')\n    sys.exit(0)\nsignal.signal(signal.SIGTERM, save)\n\
        open(sys.argv[1], 'w').write('up ')\ntime.sleep(60)";
    let path = folder.write("p.py", program);
    let text = format!("python3 {} {} 2>&1 | cat | tee {}", path.display(), log.display(), copy.display());
    ran(&folder, Run::Shell(text), Some(20), "TERM", || read() == "up ");
    assert_eq!((read().as_str(), std::fs::read_to_string(&copy).unwrap().as_str()), ("up saved", "saving\n"));
}

#[test]
fn what_reads_the_output_of_a_program_reads_all_of_it() {
    let folder = Folder::new();
    let (log, copy) = (folder.0.join("log"), folder.0.join("copy"));
    let read = || std::fs::read_to_string(&log).unwrap_or_default();
    // The reader is slow: it has not read everything when the program has ended.
    let text = format!(
        "sh -c 'trap \"echo a; echo b; echo c; exit\" TERM; echo up >{}; while :; do sleep 0.1; done' \
         | while read line; do sleep 0.4; echo $line >>{}; done",
        log.display(),
        copy.display()
    );
    ran(&folder, Run::Shell(text), Some(20), "TERM", || read() == "up\n");
    assert_eq!(std::fs::read_to_string(&copy).unwrap(), "a\nb\nc\n");
}

#[test]
fn what_a_process_starts_in_order_to_save_is_not_disturbed() {
    let folder = Folder::new();
    let log = folder.0.join("log");
    // The shell under the leader saves by a program that would end on TERM.
    let inner = format!(
        "trap 'sleep 2 && echo saved >>{0}; exit' TERM; echo up >>{0}; while :; do sleep 0.1; done",
        log.display()
    );
    let script = format!("sh -c \"$INNER\"\necho done >>{}", log.display());
    let mut contract_env = vec![("INNER".to_owned(), crate::job::text(&inner))];
    let mut contract = alone(Run::Shell(script));
    contract.roles[0].env.append(&mut contract_env);
    contract.duties = Some(Duties { grace: Some(20), ..Duties::default() });
    let path = folder.write("c", &contract.write());
    let child = shim(&environment(&[])).arg("--contract").arg(path).stderr(Stdio::null()).spawn().unwrap();
    let read = || std::fs::read_to_string(&log).unwrap_or_default();
    until(|| read().contains("up"));
    signal(child.id(), "TERM");
    child.wait_with_output().unwrap();
    assert_eq!(read(), "up\nsaved\n");
}

#[test]
fn a_daemon_lives_while_the_program_saves() {
    let folder = Folder::new();
    let log = folder.0.join("log");
    let text = format!("python3 {PROGRAM} {} leader=s child=s daemon=d\ntrue", log.display());
    let read = || std::fs::read_to_string(&log).unwrap_or_default();
    ran(&folder, Run::Shell(text), Some(20), "TERM", || read().matches(" up").count() == 3);
    let text = read();
    let at = |line: &str| text.lines().position(|found| found == line).expect(line);
    assert!(at("leader end") < at("child SIGTERM") && at("child end") < at("daemon SIGTERM"), "{text}");
}

#[test]
fn what_a_launcher_leaves_is_told_as_the_program_is() {
    let folder = Folder::new();
    let log = folder.0.join("log");
    // The launcher ends on TERM, and its trainer has a session of its own with a child in it, which belongs to it.
    let launcher = format!(
        "import subprocess, sys\nsubprocess.Popen(['python3', {PROGRAM:?}, {:?}, 'leader=s', 'child=d'], start_new_session=True).wait()",
        log.display().to_string()
    );
    let path = folder.write("launcher.py", &launcher);
    let words = ["python3", path.to_str().unwrap()];
    let read = || std::fs::read_to_string(&log).unwrap_or_default();
    ran(&folder, crate::job::argv(&words), Some(20), "TERM", || read().matches(" up").count() == 2);
    let text = read();
    let at = |line: &str| text.lines().position(|found| found == line).expect(line);
    assert!(at("leader end") < at("child SIGTERM"), "{text}");
}

#[test]
fn without_a_stated_grace_what_a_program_runs_is_its_own_to_end() {
    let folder = Folder::new();
    let log = folder.0.join("log");
    let words = ["python3", PROGRAM, log.to_str().unwrap(), "leader=k", "child=d"];
    let read = || std::fs::read_to_string(&log).unwrap_or_default();
    let mut contract = alone(crate::job::argv(&words));
    contract.duties = Some(Duties { deadline: Some(100_000), ..Duties::default() });
    let path = folder.write("c", &contract.write());
    let mut child =
        shim(&environment(&[])).arg("--contract").arg(path).stderr(Stdio::null()).spawn().unwrap();
    until(|| read().matches(" up").count() == 2);
    signal(child.id(), "TERM");
    until(|| read().contains("leader SIGTERM"));
    // Only the platform knows when it sends KILL: a launcher may have told what it runs, and that may save as long as it has.
    std::thread::sleep(Duration::from_secs(9));
    assert!(!read().contains("child SIGTERM"), "{}", read());
    signal(child.id(), "KILL");
    child.wait().unwrap();
    // With the shim ends its program alone.
    with_arguments(log.to_str().unwrap()).iter().for_each(|pid| signal(*pid, "KILL"));
}
