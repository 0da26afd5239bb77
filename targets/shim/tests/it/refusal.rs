//! What the shim says when it becomes nothing.
use crate::job::{Folder, PATH, alone, argv, environment, fails, job, run, shim, stdout, text};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;
use tfjob_contract::{Piece, Run};

#[test]
fn a_program_that_does_not_start_says_why() {
    let folder = Folder::new();
    let plain = folder.write("plain", "#!/bin/sh\n");
    let plain = plain.to_str().unwrap();
    fails(
        &run(&alone(argv(&[plain])), &[]),
        126,
        &format!("cannot start {plain}: Permission denied (os error 13)"),
    );
    let lost = folder.program("lost", "#!/no/such/python\n");
    let lost = lost.to_str().unwrap();
    fails(
        &run(&alone(argv(&[lost])), &[]),
        127,
        &format!(
            "cannot start {lost}: the interpreter in its first line, or its dynamic loader, does not exist"
        ),
    );
    fails(&run(&alone(argv(&["/no/such"])), &[]), 127, "program /no/such does not exist");
    fails(&run(&alone(argv(&["no-such-program"])), &[]), 127, "program `no-such-program` not found in PATH");
    let mut contract = alone(argv(&["true"]));
    contract.roles[0].workdir = Some(text("/no/such"));
    fails(
        &run(&contract, &[]),
        126,
        "cannot change to the working directory /no/such: No such file or directory (os error 2)",
    );
}

#[test]
fn a_variable_in_the_name_of_a_program_is_not_shown() {
    let secret = |before: &str, after: &str| {
        vec![
            Piece::Text(before.to_owned()),
            Piece::Env("API_TOKEN".to_owned()),
            Piece::Text(after.to_owned()),
        ]
    };
    let folder = Folder::new();
    std::fs::write(folder.0.join("hunter2"), "\0").unwrap();
    let here = folder.0.to_str().unwrap();
    let mut plain = alone(Run::Argv(vec![secret("/no/", "/x")]));
    let mut entered = alone(Run::Shell("true".to_owned()));
    entered.roles[0].workdir = Some(secret("/no/", ""));
    let denied = alone(Run::Argv(vec![secret(&format!("{here}/"), "")]));
    plain.roles[0].env.clear();
    for (contract, told) in [
        (&plain, "program /no/{env.API_TOKEN}/x does not exist".to_owned()),
        (&entered, "cannot change to the working directory /no/{env.API_TOKEN}".to_owned()),
        (&denied, format!("cannot start {here}/{{env.API_TOKEN}}")),
    ] {
        let mut supervised = contract.clone();
        supervised.duties = Some(tfjob_contract::Duties { grace: Some(1), ..Default::default() });
        for contract in [contract, &supervised] {
            let status = folder.0.join("status");
            let pairs = [("API_TOKEN", "hunter2"), ("TFJOB_STATUS", status.to_str().unwrap())];
            let output = run(contract, &pairs);
            let said = String::from_utf8_lossy(&output.stderr).into_owned()
                + &std::fs::read_to_string(&status).unwrap_or_default();
            assert!(said.contains(&told) && !said.contains("hunter2"), "{said}");
        }
    }
}

#[test]
fn more_than_a_process_can_be_given_is_said_to_be_too_much() {
    let part = "x".repeat(100_000);
    let contract = alone(argv(&[&["true"], &[part.as_str(); 9][..]].concat()));
    let folder = Folder::new();
    let path = folder.write("c", &contract.write());
    let mut command = Command::new("sh");
    command.env_clear().env("PATH", PATH).envs((0..12).map(|n| (format!("PART_{n}"), &part)));
    command.args(["-c", "ulimit -s 8192; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_tfjob-shim"), "--contract"]);
    fails(
        &command.arg(path).output().unwrap(),
        126,
        "cannot start true: its arguments and environment are too long",
    );
}

#[test]
fn what_is_no_contract_is_refused_before_anything_runs() {
    let folder = Folder::new();
    let read = |text: &str| {
        let path = folder.write("c", text);
        shim(&environment(&[])).arg("--contract").arg(path).output().unwrap()
    };
    let at = |told: &str| format!("{}: {told}", folder.0.join("c").display());
    fails(
        &read(r#"{"version":2}"#),
        65,
        &at(
            "version 2 of the job contract is not supported by this tfjob-shim, which supports up to 1; use the tfjob-shim of the tfjob release that compiled the job",
        ),
    );
    let long =
        "not a job contract (it has more than 1048576 bytes); use a job contract that `tfjob compile` wrote";
    fails(&read(&" ".repeat(3 << 20)), 65, &at(long));
    let mut nobody = alone(argv(&["touch", "/tmp/never"]));
    nobody.roles.clear();
    let invalid = "the job contract, which `tfjob compile` writes for tfjob-shim, is invalid: it has no roles; compile the job again";
    fails(&read(&nobody.write()), 65, &at(invalid));
    let output = shim(&environment(&[])).args(["--contract", "/"]).output().unwrap();
    fails(&output, 65, "cannot read the job contract /: Is a directory (os error 21)");
    let output = shim(&environment(&[])).args(["--contract", "/no/such"]).output().unwrap();
    fails(&output, 65, "cannot read the job contract /no/such: No such file or directory (os error 2)");
    let output = shim(&environment(&[])).output().unwrap();
    fails(
        &output,
        64,
        "no job contract given; set TFJOB_CONTRACT or `--contract` to the path of the contract that `tfjob compile` wrote, or use `--contract-env NAME`",
    );
    fails(
        &shim(&environment(&[])).arg("python\n").output().unwrap(),
        64,
        "unexpected argument `python `; run `tfjob-shim --help` for usage",
    );
}

#[test]
fn what_the_platform_did_not_set_is_named() {
    fails(&run(&job(), &[]), 66, "environment variable TFJOB_ROLE is not set by the platform");
    let task = [("TFJOB_ROLE", "worker"), ("TFJOB_INDEX", "2"), ("SUBMITTER", "ann")];
    fails(
        &run(&job(), &task),
        66,
        "the platform reports task index 2 of role `worker`, but the indexes of this role are 0 to 1",
    );
    fails(
        &run(&job(), &[task[0], ("TFJOB_INDEX", "0")]),
        66,
        "environment variable SUBMITTER is not set by the platform",
    );
}

#[test]
fn bytes_that_are_no_text_pass_by_unless_they_are_asked_for() {
    let folder = Folder::new();
    let path = folder.write("c", &alone(Run::Shell("printf %s \"$ODD\"".to_owned())).write());
    let odd = OsStr::from_bytes(b"a\xff");
    let output = shim(&environment(&[])).arg("--contract").arg(&path).env("ODD", odd).output().unwrap();
    assert_eq!(output.stdout, b"a\xff");
    let asks = Run::Argv(vec![text("echo"), vec![Piece::Env("ODD".to_owned())]]);
    let path = folder.write("c", &alone(asks).write());
    let output = shim(&environment(&[])).arg("--contract").arg(&path).env("ODD", odd).output().unwrap();
    fails(&output, 66, "the value of environment variable ODD is not valid UTF-8");
}

#[test]
fn help_and_version_are_answers() {
    let help = shim(&environment(&[])).arg("--help").output().unwrap();
    assert!(stdout(&help).contains("--contract-env NAME"));
    let version = shim(&environment(&[])).arg("--version").output().unwrap();
    assert_eq!(stdout(&version), format!("tfjob-shim {}\n", env!("CARGO_PKG_VERSION")));
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = shim(&environment(&[])).arg("--help").stdout(full).output().unwrap();
    fails(&output, 71, "cannot write to standard output: No space left on device (os error 28)");
}
