//! `--copy-to`, with which an init container copies the shim.
use crate::job::{Folder, environment, fails, shim};
use std::fs;
use std::os::unix::fs::PermissionsExt;

#[test]
fn the_copy_is_complete_and_executable_for_all_users() {
    let folder = Folder::new();
    let path = folder.0.join("tfjob-shim");
    fs::write(&path, "an older copy").unwrap();
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", "umask 077; exec \"$0\" --copy-to \"$1\"", env!("CARGO_BIN_EXE_tfjob-shim")])
        .arg(&path);
    let output = command.output().unwrap();
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
    assert_eq!(fs::read(&path).unwrap(), fs::read(env!("CARGO_BIN_EXE_tfjob-shim")).unwrap());
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o755);
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "no temporary file is left");
}

#[test]
fn a_failed_copy_says_why_and_leaves_nothing() {
    let folder = Folder::new();
    let output = shim(&environment(&[])).arg("--copy-to").arg(folder.0.join("no/x")).output().unwrap();
    let text = format!(
        "cannot copy tfjob-shim to {}/no/x: No such file or directory (os error 2)",
        folder.0.display()
    );
    fails(&output, 71, &text);
    // A directory cannot be replaced by a file.
    fs::create_dir(folder.0.join("taken")).unwrap();
    let output = shim(&environment(&[])).arg("--copy-to").arg(folder.0.join("taken")).output().unwrap();
    assert_eq!(output.status.code(), Some(71));
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "no temporary file is left");
}
