//! The file that says how a task stands.
use crate::able::skips;
use crate::job::{Folder, alone, ended, environment, events, run, shim, until};
use serde_json::Value;
use std::io::Write;
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
        no_progress_limit: None,
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
        (&"worker:0".into(), &1.into(), &1.into())
    );
    let page = include_str!("../../../../docs/shim.md");
    for field in seen.as_object().unwrap().keys() {
        assert!(page.contains(&format!("| `{field}` | ")), "docs/shim.md lacks {field}");
    }
    assert_eq!((seen.get("step"), seen.get("code")), (Some(&Value::Null), None));
    assert!(seen["since"].as_str().unwrap().ends_with('Z'));
    std::fs::write(&go, "").unwrap();
    until(|| read(&status)["state"] == "backoff");
    assert!(read(&status)["reason"].as_str().unwrap().contains("; restarting in "));
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
    assert!(
        said[0]["reason"].as_str().unwrap().starts_with("cannot write the status file /no/such/status: ")
    );
}

/// On a file system of 64 KiB, which the first start fills and the second one empties.
#[test]
fn a_full_disk_is_said_once_and_tried_again_until_there_is_room() {
    let folder = Folder::new();
    let disk = folder.0.join("disk");
    std::fs::create_dir(&disk).unwrap();
    let script = format!(
        "cd {}; if [ ! -e full ]; then head -c 200000 /dev/zero >full || :; exit 3; fi
         until grep -q running status; do sleep 0.05; done; cat status; ls -A ckpt; rm full; sleep 8; ls -A ckpt; exit 0",
        disk.display()
    );
    let mut contract = alone(Run::Shell(script));
    let restart: Restart = serde_json::from_str(r#"{"limit":1,"backoff":0}"#).unwrap();
    contract.roles[0].duties = Some(RoleDuties { restart: Some(restart), ..RoleDuties::default() });
    let path = disk.join("ckpt").display().to_string();
    let checkpoints = Some(tfjob_contract::Checkpoints { path, every: None, fail_if_exists: false });
    contract.duties = Some(Duties { checkpoints, ..Duties::default() });
    let path = folder.write("c", &contract.write());
    let words = format!(
        "mount -t tmpfs -o size=64k none {0} || exit 99; TFJOB_STATUS={0}/status {1} --contract {2}; echo; cat {0}/status",
        disk.display(),
        env!("CARGO_BIN_EXE_tfjob-shim"),
        path.display()
    );
    let mut command = Command::new("unshare");
    command.env_clear().env("PATH", crate::job::PATH).args(["-m", "sh", "-c", &words]);
    let output = command.output().unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    let unshared = !String::from_utf8_lossy(&output.stderr).starts_with("unshare:");
    if skips(output.status.code() != Some(99) && unshared, "mount of a tmpfs") {
        return;
    }
    let told = format!("{stdout}\n{}", String::from_utf8_lossy(&output.stderr));
    let lines: Vec<&str> = stdout.lines().filter(|line| !line.is_empty()).collect();
    let status: Value = serde_json::from_str(lines[0]).unwrap();
    assert_eq!((&status["state"], &status["attempt"]), (&"running".into(), &2.into()), "{told}");
    assert_eq!(lines[1], ".tfjob-job-worker-0.json", "kept when there was room, {told}");
    let last: Value = serde_json::from_str(lines[2]).unwrap();
    assert_eq!((&last["state"], &last["code"], lines.len()), (&"ended".into(), &0.into(), 3), "{told}");
    let said = events(&output);
    let count = |event: &str| said.iter().filter(|said| said["event"] == event).count();
    assert_eq!((count("state"), count("status")), (1, 0), "{told}");
}

#[test]
fn a_file_that_cannot_be_written_at_first_holds_the_state_later() {
    let folder = Folder::new();
    let mut contract = alone(Run::Shell(
        format!("sleep 1; mkdir {}/later; sleep 7; cat {0}/later/status", folder.0.display())
            .replace("{0}", &folder.0.display().to_string()),
    ));
    contract.duties = Some(Duties { grace: Some(1), ..Duties::default() });
    let output = run(&contract, &[("TFJOB_STATUS", &format!("{}/later/status", folder.0.display()))]);
    let seen: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&seen["state"], &seen["attempt"]), (&"running".into(), &1.into()));
    assert_eq!(events(&output).iter().filter(|event| event["event"] == "status").count(), 1);
}

#[test]
fn whatever_signal_ends_a_task_the_file_says_so() {
    let folder = Folder::new();
    std::thread::scope(|scope| {
        for signal in [
            "HUP", "INT", "QUIT", "TERM", "ABRT", "SEGV", "USR1", "ALRM", "PIPE", "XFSZ", "XCPU", "SYS",
            "TRAP",
        ] {
            let folder = &folder;
            scope.spawn(move || {
                let status = folder.0.join(signal);
                let mut contract = alone(Run::Shell("sleep 2; exit 0".to_owned()));
                contract.duties = Some(Duties { grace: Some(10), ..Duties::default() });
                let path = folder.write(&format!("{signal}.c"), &contract.write());
                let mut command = shim(&environment(&[("TFJOB_STATUS", status.to_str().unwrap())]));
                let child = command.arg("--contract").arg(path).stderr(Stdio::null()).spawn().unwrap();
                until(|| read(&status)["state"] == "running");
                crate::job::signal(child.id(), signal);
                let code = child.wait_with_output().unwrap().status.code();
                assert_eq!(read(&status)["state"], "ended", "{signal}");
                assert_eq!(read(&status)["code"].as_i64(), code.map(i64::from), "{signal}");
            });
        }
    });
}

#[test]
fn a_hangup_that_was_left_ignored_ends_nothing() {
    let folder = Folder::new();
    let mut contract =
        alone(Run::Shell("kill -HUP $$; kill -HUP $PPID; sleep 1; kill -HUP $$; exit 6".to_owned()));
    contract.duties = Some(Duties { grace: Some(10), ..Duties::default() });
    let path = folder.write("c", &contract.write());
    for words in
        [format!("--contract {}", path.display()), "-- sh -c 'kill -HUP $PPID; sleep 1; exit 6'".to_owned()]
    {
        let words = format!("trap '' HUP; exec {} {words}", env!("CARGO_BIN_EXE_tfjob-shim"));
        let mut command = Command::new("sh");
        let output = command.env_clear().env("PATH", crate::job::PATH).args(["-c", &words]).output().unwrap();
        assert_eq!(output.status.code(), Some(6), "{output:?}");
    }
}

#[test]
fn what_is_no_regular_file_keeps_its_place() {
    let folder = Folder::new();
    let (link, target) = (folder.0.join("link"), folder.0.join("target"));
    std::os::unix::fs::symlink(&target, &link).unwrap();
    let pipe = folder.0.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut contract = alone(Run::Shell("exit 3".to_owned()));
    contract.duties = Some(Duties { grace: Some(1), ..Duties::default() });
    for path in [&link, &pipe] {
        let kind = path.symlink_metadata().unwrap().file_type();
        assert_eq!(run(&contract, &[("TFJOB_STATUS", path.to_str().unwrap())]).status.code(), Some(3));
        assert_eq!(path.symlink_metadata().unwrap().file_type(), kind, "{path:?}");
    }
    let status: Value = serde_json::from_slice(&std::fs::read(&target).unwrap()).unwrap();
    assert_eq!((&status["state"], &status["code"]), (&"ended".into(), &3.into()));
}

#[test]
fn the_output_is_never_emptied_for_the_status() {
    let folder = Folder::new();
    let log = folder.0.join("run.log");
    let link = folder.0.join("link");
    std::os::unix::fs::symlink(&log, &link).unwrap();
    let mut contract = alone(Run::Shell("echo precious; echo precious >&2; exit 3".to_owned()));
    contract.duties = Some(Duties { grace: Some(1), ..Duties::default() });
    let path = folder.write("c", &contract.write());
    let own = [log.to_str().unwrap(), link.to_str().unwrap()];
    let named = ["/dev/stderr", "/dev/stdout", "/proc/self/fd/1", "/dev/fd/9"];
    for status in named.into_iter().chain(own) {
        for append in [false, true] {
            std::fs::write(&log, "").unwrap();
            let mut open = std::fs::File::options();
            let mut output = open.write(true).append(append).open(&log).unwrap();
            output.write_all(b"first\n").unwrap();
            let words =
                format!("exec {} --contract {} 9>&1", env!("CARGO_BIN_EXE_tfjob-shim"), path.display());
            let mut command = Command::new("sh");
            command.env_clear().envs(environment(&[("TFJOB_STATUS", status)])).args(["-c", &words]);
            command.stdout(output.try_clone().unwrap()).stderr(output);
            assert_eq!(command.status().unwrap().code(), Some(3), "{status}");
            let text = std::fs::read_to_string(&log).unwrap();
            let count = |word: &str| text.lines().filter(|line| *line == word).count();
            assert_eq!((count("first"), count("precious")), (1, 2), "{status}: {text}");
            assert!(text.contains("\"state\":\"ended\"") && !text.contains('\0'), "{status}: {text}");
        }
    }
}

#[test]
fn a_relative_path_is_that_of_the_start() {
    let folder = Folder::new();
    let inner = folder.0.join("inner");
    std::fs::create_dir(&inner).unwrap();
    let mut contract = alone(Run::Shell("exit 3".to_owned()));
    contract.roles[0].workdir = Some(crate::job::text(inner.to_str().unwrap()));
    contract.duties = Some(Duties { grace: Some(1), ..Duties::default() });
    let path = folder.write("c", &contract.write());
    let mut command = crate::job::shim(&crate::job::environment(&[("TFJOB_STATUS", "status")]));
    let output = command.arg("--contract").arg(path).current_dir(&folder.0).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(folder.0.join("status").exists() && !inner.join("status").exists());
}
