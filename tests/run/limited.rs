//! Tests of directories and limits that leave no space for the files of a run.
use crate::able::lacks_namespaces;
use crate::place::{Place, job, role};
use std::fs::{self, File};
use std::process::{Command, Output};

fn shell(place: &Place, script: &str) -> Output {
    let script = script.replace("TFJOB", concat!(env!("CARGO_BIN_EXE_tfjob"), " run a.tfjob.kdl"));
    Command::new("sh").args(["-c", &script]).current_dir(&place.0).output().unwrap()
}

fn saves() -> String {
    job(&("checkpoints \"./ck\"\n".to_owned() + &role("worker", "true", "")))
}

#[test]
fn a_file_at_the_path_of_the_checkpoints_is_named() {
    let kinds = [
        ("file", "touch ck", "is a file: remove the file, or"),
        ("link", "ln -s nowhere ck", "is a broken symbolic link: remove the link, or"),
        ("pipe", "mkfifo ck", "is not a directory:"),
    ];
    for (name, made, advice) in kinds {
        let place = Place::new(&format!("way-{name}"), &saves());
        let output = shell(&place, &format!("{made}; TFJOB"));
        let said = String::from_utf8(output.stderr).unwrap();
        let fact = format!("ck` {advice} use another path");
        assert!(output.status.code() == Some(2) && said.contains(&fact), "{name}: {said}");
    }
}

#[test]
fn a_file_as_the_run_directory_is_refused_and_kept() {
    let place = Place::new("folder-file", &job(&role("a", "true", "")));
    let output = shell(&place, "TFJOB --directory a.tfjob.kdl");
    let said = String::from_utf8(output.stderr).unwrap();
    let fact = "/a.tfjob.kdl` is a file; `--directory` requires a directory";
    assert!(output.status.code() == Some(2) && said.contains(fact) && !said.contains("remove"), "{said}");
    let said = String::from_utf8(shell(&place, "ln -s nowhere gone; TFJOB --directory gone").stderr).unwrap();
    assert!(said.contains("/gone` is a broken symbolic link; `--directory` requires a directory"), "{said}");
}

#[test]
fn unwritable_checkpoints_are_reported() {
    if lacks_namespaces(&["-rm"]) {
        return;
    }
    let place = Place::new("read-only", &saves());
    fs::create_dir(place.0.join("ck")).unwrap();
    let output = shell(&place, "unshare -rm sh -c 'mount -t tmpfs -o ro none ck && TFJOB'");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && said.contains("cannot write to `"), "{said}");
    assert!(said.contains("Read-only file system") && !said.contains("state"), "{said}");
}

#[test]
fn a_run_stops_cleanly_at_a_file_size_limit() {
    let place = Place::new("no-size", &job(&role("a", "true", "")));
    let said = String::from_utf8(shell(&place, "ulimit -f 0; TFJOB").stderr).unwrap();
    assert!(said.contains("raise the limit (`ulimit -f unlimited`)"), "{said}");
    // Here, standard error is a file to which the limit applies.
    let mut command = Command::new("sh");
    let script = format!("ulimit -f 0; exec {} run a.tfjob.kdl", env!("CARGO_BIN_EXE_tfjob"));
    command.args(["-c", &script]).current_dir(&place.0).stderr(File::create(place.0.join("said")).unwrap());
    assert_eq!(command.status().unwrap().code(), Some(2));
}

#[test]
fn commands_work_with_a_small_stack() {
    let place = Place::new("stack", &job(&role("a", "ulimit -s", "")));
    let check = format!("{} check a.tfjob.kdl", env!("CARGO_BIN_EXE_tfjob"));
    for limit in [96, 128, 256] {
        let output = shell(&place, &format!("ulimit -s {limit}; TFJOB && {check}"));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{limit}: {said}");
        assert_eq!(place.log("a-0"), format!("{limit}\n").as_bytes());
    }
    // The message states the minimum size that a task needs.
    let output = shell(&place, "ulimit -S -s 48; TFJOB");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(71), "{said}");
    assert!(said.contains("the stack size limit is 48 KiB, but the shim needs 64 KiB"), "{said}");
}
