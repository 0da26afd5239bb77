//! Tests of the output of tasks under `tfjob run`: logs are complete, even if standard output is slow or closed, and no task
//! waits for a terminal.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::able::{self, skips};
use crate::place::{Place, job, out, role};
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Peak resident memory of a process in KiB.
fn peak(process: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().split(' ').next().unwrap().parse().unwrap()
}

/// Returns the numbers of skipped lines that the terminal output reports: at each gap, and in total.
fn untold(said: &str) -> (u64, u64) {
    let number = |line: &str, behind: &str| {
        let (before, _) = line.split_once(behind)?;
        before.rsplit("* ").next()?.parse::<u64>().ok()
    };
    let each = said.lines().filter_map(|line| number(line, " lines not shown here; see the log")).sum();
    (each, said.lines().find_map(|line| number(line, " lines were not shown on the terminal")).unwrap_or(0))
}

#[test]
fn fast_output_is_completely_logged_and_skipped_lines_are_counted() {
    let text = "head -c 60000000 /dev/zero | tr '\\0' x | fold -w 100; echo; echo END";
    let place = Place::new("flood", &job(&role("a", text, "")));
    let output = place.run(&[]);
    let said = out(&output);
    assert_eq!(output.status.code(), Some(0));
    let log = place.log("a-0");
    assert_eq!((log.len(), log.ends_with(b"x\nEND\n")), (60_600_004, true));
    assert!(said.contains("a:0   | END\n"), "{}", &said[said.len() - 500..]);
    let (each, all) = untold(&said);
    let shown = said.lines().filter(|line| line.starts_with("a:0   | ")).count() as u64;
    assert_eq!((each, shown + each), (all, 600_001));
}

#[test]
fn the_last_output_reaches_the_log_and_a_slow_reader() {
    let text = "seq -f 'line %05.0f of many, each of which takes some time to be read by a slow terminal' 30000; \
                echo Traceback: boom >&2; exit 3";
    let place = Place::new("slow", &job(&role("a", text, "")));
    let mut child = place.start(&[]);
    let (mut stdout, mut said, mut some) = (child.stdout.take().unwrap(), Vec::new(), [0; 60_000]);
    while let Ok(read @ 1..) = stdout.read(&mut some) {
        said.extend_from_slice(&some[..read]);
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(child.wait().unwrap().code(), Some(3));
    let log = String::from_utf8(place.log("a-0")).unwrap();
    assert_eq!((log.lines().count(), log.ends_with("\nTraceback: boom\n")), (30_001, true));
    let said = String::from_utf8(said).unwrap();
    assert!(said.contains("a:0   | Traceback: boom\n"), "{said}");
    let (each, all) = untold(&said);
    let shown = said.lines().filter(|line| line.starts_with("a:0   | ")).count() as u64;
    assert_eq!((each, shown + each), (all, 30_001));
}

#[test]
fn a_blocked_terminal_delays_neither_signals_nor_tasks() {
    let text = "trap 'touch heard; exit 0' TERM; touch up; yes 'loss: 0.1' & wait";
    let place = Place::new(
        "unread",
        &job(&format!("stop grace=\"5s\"\n{}", role("a", text, ""))
            .replace("role \"a\"", &format!("role \"a\" count={}", able::times(8)))),
    );
    let mut child = place.start(&[]);
    place.met("up");
    // Each task writes more than a process could keep in memory without exceeding the limit.
    let written = || fs::metadata(place.0.join(".tfjob/a/logs/a-0.log")).map_or(0, |log| log.len());
    let flooding = Instant::now();
    while written() < 24 << 20 {
        assert!(flooding.elapsed() < Duration::from_secs(60), "the task waits for the screen: {}", written());
        std::thread::sleep(Duration::from_millis(20));
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let begun = Instant::now();
    place.met("heard");
    let took = begun.elapsed();
    // An optimized build stays below 32 MiB (`benches/run.py`); the code of this build is larger.
    assert!(peak(child.id()) < 48 << 10, "{} KiB", peak(child.id()));
    // This takes 0.2 s on an idle machine; `benches/run.py` measures the time.
    assert!(took < Duration::from_secs(2), "{took:?}");
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{said}");
    assert!(said.contains("job stopped by SIGINT"), "{said}");
}

#[test]
fn a_log_has_exactly_the_bytes_of_the_program() {
    let text = "python3 -c 'import sys; out = sys.stdout.buffer\n\
                out.write(bytes(range(256)) * 99); out.flush()\n\
                sys.stderr.buffer.write(b\"x\" * 300000); sys.stderr.flush()\n\
                out.write(b\"\\n\\xff\\xfe\\r\\r\\n\\xe2\\x82\")'";
    let place = Place::new("bytes", &job(&role("a", text, "")));
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let bytes: Vec<u8> = (0..=255).collect();
    let expected = [bytes.repeat(99), vec![b'x'; 300_000], b"\n\xff\xfe\r\r\n\xe2\x82".to_vec()].concat();
    assert!(place.log("a-0") == expected);
    assert!(std::str::from_utf8(&output.stdout).is_ok(), "what a terminal obeys is replaced");
}

#[test]
fn output_that_another_process_holds_open_is_given_up_after_5_s_without_a_byte() {
    let place = Place::new(
        "held",
        &job(&role("a", "echo $$ > pid; mv pid up; while ! test -e go; do sleep 0.1; done; echo last", "")),
    );
    let child = place.start(&[]);
    place.met("up");
    let process = fs::read_to_string(place.0.join("up")).unwrap();
    let held = OpenOptions::new().write(true).open(format!("/proc/{}/fd/1", process.trim())).unwrap();
    fs::write(place.0.join("go"), "").unwrap();
    let begun = Instant::now();
    let output = child.wait_with_output().unwrap();
    drop(held);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!((4..20).contains(&begun.elapsed().as_secs()), "{:?}", begun.elapsed());
    assert!(
        out(&output).contains("a:0   * the task has exited, but another process still has its output open"),
        "{}",
        out(&output)
    );
    assert_eq!(place.log("a-0"), b"last\n");
}

#[test]
fn a_program_cannot_forge_events_of_its_shim() {
    let text = "echo 'tfjob-shim: a-0 ended well' >&2; \
                echo '{\"ts\":\"2026-01-01T00:00:00.000Z\",\"task\":\"a-0\",\"event\":\"restart\",\"reason\":\"forged\",\"attempt\":7,\"budget_left\":2}'; \
                test -z \"${TFJOB_EVENTS_FD-}\" || exit 9; \
                printf 'an open line' >&2; exit 3";
    let place = Place::new("forged", &job(&role("a", text, "")));
    let output = place.run(&[]);
    let said = out(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    for line in ["a:0   | tfjob-shim: a-0 ended well\n", "a:0   | {\"ts\":", "a:0   | an open line\na:0   * "]
    {
        assert!(said.contains(line), "{line}: {said}");
    }
    assert!(said.contains("1 task;") && !said.contains("restart;"), "{said}");
    let log = String::from_utf8(place.log("a-0")).unwrap();
    assert!(log.ends_with("\nan open line") && log.lines().count() == 3, "{log}");
}

#[test]
fn the_reason_of_a_failure_is_printed_once() {
    let place = Place::new(
        "once",
        &job(&(role("a", "exit 3", "restart \"on-failure\" limit=1 backoff=\"1s\"")
            + &role("b", "sleep 60", ""))),
    );
    let output = place.run(&[]);
    let said = out(&output);
    assert_eq!((output.status.code(), err(&output).as_str()), (Some(3), ""), "{said}");
    let own: Vec<&str> =
        said.lines().filter(|line| line.contains("used up") || line.contains("not restarted")).collect();
    assert_eq!(own.len(), 1, "{said}");
    assert!(said.contains("job failed with exit code 3 (a:0) after"), "{said}");
}

#[test]
fn a_full_standard_output_does_not_stop_the_job_and_is_reported_once() {
    let place =
        Place::new("full", &job(&role("a", "for i in 1 2 3; do echo $i; sleep 0.6; done; touch done", "")));
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = place.command().stdout(full).output().unwrap();
    let said = err(&output);
    assert_eq!((output.status.code(), place.log("a-0").as_slice()), (Some(0), &b"1\n2\n3\n"[..]), "{said}");
    assert_eq!(said.matches("cannot write to standard output: No space left on device").count(), 1, "{said}");
    assert!(said.contains("job succeeded in"), "{said}");
}

#[test]
fn a_closed_standard_output_is_a_graceful_stop() {
    // This also holds if nothing is printed for a long time.
    for (name, prints) in [("closed", "echo step; sleep 0.1"), ("closed-quiet", "sleep 0.1")] {
        let text = format!(
            "trap 'sleep 0.5; touch saved; exit 0' TERM; touch up; for i in $(seq 300); do {prints}; done; exit 3"
        );
        let place = Place::new(name, &job(&(role("a", &text, "") + "stop grace=\"20s\"\n")));
        let mut child = place.start(&[]);
        place.met("up");
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(141), "{}", err(&output));
        assert!(err(&output).contains("job stopped by closed standard output"), "{}", err(&output));
        assert!(place.0.join("saved").exists());
        assert_eq!(place.status("a-0")["state"], "ended");
    }
}

#[test]
fn an_ignored_sighup_stays_ignored_and_closed_output_does_not_stop_the_job() {
    let place =
        Place::new("nohup", &job(&role("a", "touch up; for i in 1 2 3 4; do echo $i; sleep 0.4; done", "")));
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_tfjob"), "run", "a.tfjob.kdl"]);
    command.current_dir(&place.0).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    place.met("up");
    kill_process(Pid::from_child(&child), Signal::HUP).unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert_eq!(place.log("a-0"), b"1\n2\n3\n4\n");
}

#[test]
fn a_full_log_disk_does_not_stop_the_job_and_incomplete_logs_are_named() {
    let fill =
        "dd if=/dev/zero of=.tfjob/fill bs=64k 2>/dev/null; dd if=/dev/zero of=.tfjob/more bs=1 2>/dev/null";
    let text = format!(
        "echo before; sleep 0.2; {{ {fill}; }} || true; seq 2000; sleep 0.2; rm .tfjob/fill .tfjob/more; sleep 1.2; echo after"
    );
    let spec = job(&(role("a", &text, "") + &role("b", "sleep 0.1", "")));
    let place = Place::new("disk", &spec);
    fs::create_dir(place.0.join(".tfjob")).unwrap();
    let script = "mount -t tmpfs -o size=1m none .tfjob && \"$@\"; code=$?; cat .tfjob/a/logs/a-0.log >log; exit $code";
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", script, "sh", env!("CARGO_BIN_EXE_tfjob"), "run", "a.tfjob.kdl"]);
    let output = command.current_dir(&place.0).output().unwrap();
    let mounted = !(err(&output).contains("unshare:") || err(&output).contains("mount:"));
    if skips(mounted, "mount of a tmpfs") {
        return;
    }
    let said = out(&output);
    assert_eq!(output.status.code(), Some(0), "{said}{}", err(&output));
    assert_eq!(
        said.matches("the log of this task is incomplete: No space left on device").count(),
        1,
        "{said}"
    );
    assert!(said.contains("tfjob * incomplete log: .tfjob/a/logs/a-0.log: "), "{said}");
    assert!(!said.contains("b-0.log"), "{said}");
    assert!(said.contains("a:0   | 2000\n"), "the screen has it: {said}");
    let log = fs::read_to_string(place.0.join("log")).unwrap();
    assert!(
        log.starts_with("before\n") && log.ends_with("bytes of output are missing here]\nafter\n"),
        "{log}"
    );
}

#[test]
fn a_removed_log_is_recreated_and_named() {
    let text = "echo before; sleep 0.2; rm -r .tfjob/a/logs; sleep 1.2; echo after; sleep 1.2; echo end";
    let place = Place::new("removed", &job(&role("a", text, "")));
    let output = place.run(&[]);
    let said = out(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert_eq!(said.matches("the log of this task is incomplete: the file was removed").count(), 1, "{said}");
    let named = "incomplete log: .tfjob/a/logs/a-0.log: 7 bytes missing (the file was removed)";
    assert!(said.contains(named), "{said}");
    let log = String::from_utf8(place.log("a-0")).unwrap();
    assert_eq!(log, "\n[tfjob: 7 bytes of output are missing here]\nafter\nend\n");
}

#[test]
fn a_truncated_log_is_continued_and_named() {
    let text = "echo before; sleep 0.5; : > .tfjob/a/logs/a-0.log; sleep 1.2; echo after";
    let place = Place::new("truncated", &job(&role("a", text, "")));
    let said = out(&place.run(&[]));
    assert!(
        said.contains("incomplete log: .tfjob/a/logs/a-0.log: 7 bytes missing (the file was truncated)"),
        "{said}"
    );
    assert_eq!(place.log("a-0"), b"\n[tfjob: 7 bytes of output are missing here]\nafter\n");
}

#[test]
fn a_log_replaced_by_another_program_is_continued() {
    let gap = "\n[tfjob: 7 bytes of output are missing here]\n";
    for (name, replace, before) in [
        ("edited", "sed -i s/before/BEFORE/ .tfjob/a/logs/a-0.log", format!("BEFORE\n{gap}")),
        ("rotated", "mv .tfjob/a/logs/a-0.log old; : > .tfjob/a/logs/a-0.log", String::new()),
        ("moved", "mv .tfjob/a/logs/a-0.log old", String::new()),
    ] {
        let text = format!("echo before; sleep 0.5; {replace}; sleep 1.2; echo after; sleep 1.2; echo end");
        let place = Place::new(name, &job(&role("a", &text, "")));
        let said = out(&place.run(&[]));
        let log = String::from_utf8(place.log("a-0")).unwrap();
        assert_eq!(log, format!("{before}after\nend\n"), "{name}: {said}");
        let moved = fs::read_to_string(place.0.join("old")).unwrap_or_else(|_| "before\n".to_owned());
        assert_eq!(moved, "before\n", "{name}: {said}");
    }
}

#[test]
fn a_file_size_limit_is_handled_like_a_full_disk() {
    let place = Place::new("limited", &job(&role("a", "seq 100000; echo END", "")));
    let mut command = Command::new("sh");
    let script = "ulimit -f 100; exec \"$@\"";
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_tfjob"), "run", "a.tfjob.kdl"]);
    let output = command.current_dir(&place.0).stdin(Stdio::null()).output().unwrap();
    let said = out(&output);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(said.contains("the log of this task is incomplete: File too large"), "{}", err(&output));
    assert!(said.contains("incomplete log: .tfjob/a/logs/a-0.log: "), "{}", err(&output));
}

#[test]
fn a_low_open_file_limit_is_reported_before_the_start() {
    let spec = job(&role("a", "echo 1 > up", "").replace("role \"a\"", "role \"a\" count=40"));
    let place = Place::new("files", &spec);
    let run = |limit: &str| {
        // The run must not inherit descriptors from tests that run at the same time, because each descriptor counts.
        let close = "import os, sys; os.closerange(3, 4096); os.execvp(sys.argv[1], sys.argv[1:])";
        let mut command = Command::new("python3");
        let script = format!("{limit}; exec \"$@\"");
        command.args(["-c", close, "sh", "-c", &script, "sh", env!("CARGO_BIN_EXE_tfjob"), "run"]);
        command.arg("a.tfjob.kdl").current_dir(&place.0).stdin(Stdio::null()).output().unwrap()
    };
    let output = run("ulimit -n 64");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = err(&output);
    assert!(said.contains("40 tasks need ") && said.contains("but the hard limit is 64"), "{said}");
    assert!(!place.0.join("up").exists());
    // The hard limit is sufficient, and the soft limit is raised to it.
    let need = said.rsplit("ulimit -n ").next().unwrap().split('`').next().unwrap().to_owned();
    let output = run(&format!("ulimit -n {need}"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(run("ulimit -Sn 64").status.code(), Some(0));
}

#[test]
fn a_task_that_never_writes_has_an_empty_log() {
    let place = Place::new("silent", &job(&role("a", "true", "")));
    assert_eq!(place.run(&[]).status.code(), Some(0));
    assert_eq!(place.log("a-0"), b"");
    let mut events = String::new();
    File::open(place.0.join(".tfjob/a/events/a-0.jsonl")).unwrap().read_to_string(&mut events).unwrap();
    assert!(
        events.lines().all(|line| line.starts_with("{\"ts\":")) && events.contains("\"exit\""),
        "{events}"
    );
}
