//! Tests of the requirements of a run on the machine, which are checked before any task starts.
use crate::executable;
use crate::place::{Place, job, out, role};
use std::fs;
use std::process::Command;

#[test]
fn missing_requirements_are_reported_before_the_start() {
    let spec = job(&role("a", "echo 1 > up", "secret \"A_TOKEN_OF_NOBODY\" from=\"a\""));
    let place = Place::new("lacks", &spec);
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(2), "{}", out(&output));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("needs secret `A_TOKEN_OF_NOBODY`"), "{said}");
    assert!(!place.0.join("up").exists());
}

#[test]
fn a_port_in_use_is_reported_before_the_start() {
    let stranger = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = stranger.local_addr().unwrap().port();
    let db = role("db", "sleep 60", &format!("port \"web\" {port}; ready tcp=\"web\""));
    let place = Place::new("stranger", &job(&(db + &role("up", "echo 1 > up", "after \"db\""))));
    let output = place.run(&[]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    let told = format!("port {port} (`web` of `db`) is already in use on this machine");
    assert!(said.contains(&told), "{said}");
    assert!(!place.0.join("up").exists());
    assert_eq!(place.run(&["--task", "up"]).status.code(), Some(0), "it listens nowhere");
    // Peers do not connect to this port, so the run starts. The shim reports the conflict; only the program knows
    // whether it matters.
    let db = role("db", "true", &format!("port \"metrics\" {port}"));
    let place = Place::new("metrics", &job(&db));
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
    let told = format!("port {port} (`metrics` of this task) is already in use on this host");
    assert!(out(&output).contains(&told), "{}", out(&output));
}

#[test]
fn a_foreign_listener_on_another_address_is_not_taken_for_a_task() {
    let other = std::net::TcpListener::bind("127.9.9.9:0").unwrap();
    let port = other.local_addr().unwrap().port();
    let script = format!(
        "exec python3 -c 'import socket, time; s = socket.create_server((\"127.0.0.1\", {port})); time.sleep(60)'"
    );
    let db =
        role("db", &script, &format!("port \"web\" {port}; ready tcp=\"web\"")).replacen("role", "helper", 1);
    let output = Place::new("elsewhere", &job(&(db + &role("up", "true", "after \"db\"")))).run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}{}", out(&output), String::from_utf8_lossy(&output.stderr));
}

/// A helper declares nearly all port numbers from which a run chooses.
#[test]
fn no_task_gets_a_port_that_a_role_declares() {
    let ports = (61_000..=65_535_u16).filter(|number| number % 40 > 0);
    let ports: Vec<String> = ports.map(|number| format!("port \"p{number}\" {number}")).collect();
    let spec = role("db", "true", &ports.join("; ")) + &role("w", "echo $TFJOB_PORT_RENDEZVOUS > port", "");
    let place = Place::new("declared", &job(&spec));
    let output = place.run(&["--task", "w"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", out(&output), String::from_utf8_lossy(&output.stderr));
    let number: u16 = fs::read_to_string(place.0.join("port")).unwrap().trim().parse().unwrap();
    assert!(number < 61_000 || number.is_multiple_of(40), "{number}");
}

#[test]
fn a_missing_program_is_reported_once_before_the_start() {
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
    // If the machine has a TensorBoard, this directory hides it.
    let tools = place.0.join("tools");
    fs::create_dir(&tools).unwrap();
    std::os::unix::fs::symlink("/bin/sh", tools.join("sh")).unwrap();
    std::os::unix::fs::symlink("/bin/sh", tools.join("no-such-program3")).unwrap();
    let output =
        command.args(["run", "a.tfjob.kdl"]).env("PATH", &tools).current_dir(&place.0).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), said.lines().filter(|line| line.starts_with("error: ")).count()),
        (Some(2), 3)
    );
    for told in [
        "roles `a`, `b` start `no-such-program`, which was not found in PATH: write `no-such-program3`, which was found, or install",
        "role `c` starts `./a.tfjob.kdl`, which is not executable",
        "`tensorboard` starts the program `tensorboard`",
    ] {
        assert!(said.contains(told), "{said}");
    }
    assert!(!place.0.join("up").exists());
    assert_eq!(place.run(&["--task", "up"]).status.code(), Some(0), "the others are nobody's fault");
}

#[test]
fn relative_path_entries_are_resolved_in_the_working_directory() {
    let spec = "job \"a\" {\nframework \"custom\"\ncode \"./src/\"\n\
        role \"w\" { run \"mytool\"; env { PATH \"bin:{env.PATH}\"; }; resources cpus=1 memory=\"64MiB\" }\n}\n";
    let place = Place::new("relative", spec);
    let put = |folder: &str| {
        let tool = place.0.join(folder).join("bin/mytool");
        fs::create_dir_all(tool.parent().unwrap()).unwrap();
        executable::write(&tool, &format!("#!/bin/sh\necho of {folder}\n"));
    };
    fs::create_dir(place.0.join("src")).unwrap();
    put(".");
    let output = place.run(&[]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{}", out(&output));
    assert!(said.contains("role `w` starts `mytool`, which was not found in PATH"), "{said}");
    put("src");
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(place.log("w-0"), b"of src\n");
}

#[test]
fn a_cluster_file_cannot_be_run() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/east.cluster.kdl");
    let output = Command::new(env!("CARGO_BIN_EXE_tfjob")).args(["run", file]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("is a cluster file without a `job`"), "{said}");
}
