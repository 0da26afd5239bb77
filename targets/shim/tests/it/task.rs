//! What a task sees once the shim has become it.
use crate::able::skips;
use crate::job::{Folder, alone, argv, environment, fails, job, run, shim, signal, stdout};
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use tfjob_contract::{Hadoop, Piece, PlaceholderMachine, Run, render};

#[test]
fn each_task_sees_what_render_says_and_all_that_the_platform_set() {
    let contract = job();
    let operator =
        r#"{"cluster":{"worker":["x:1"]},"task":{"type":"worker","index":1},"environment":"cloud"}"#;
    for task in contract.tasks() {
        let index = task.index.to_string();
        let pairs = [
            ("TFJOB_ROLE", task.role.as_str()),
            ("TFJOB_INDEX", &index),
            ("SUBMITTER", "ann"),
            ("TF_CONFIG", operator),
            ("CUDA_VISIBLE_DEVICES", "0,1"),
            ("LEVEL", "of the image"),
        ];
        let mut expected = environment(&pairs);
        let rendered = render(&contract, &task, &expected, &mut PlaceholderMachine).unwrap();
        for name in &rendered.unset {
            expected.remove(name);
        }
        expected.extend(rendered.env);
        let output = run(&contract, &pairs);
        let seen: BTreeMap<String, String> = stdout(&output)
            .split_terminator('\0')
            .map(|line| line.split_once('=').unwrap())
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        assert_eq!(seen, expected, "{task:?}");
        assert_eq!(seen.contains_key("TF_CONFIG"), task.role != "tensorboard");
    }
}

#[test]
fn words_arrive_as_written_in_the_folder_that_was_asked_for() {
    let folder = Folder::new();
    let words = ["", " a  b ", "*", "$HOME", "`id`", "'\"\\", "--x=ü", "{{x}}", "a\nb", "\u{1}"];
    let script = "pwd; printf '%s\\0' \"$@\"";
    let mut contract = alone(argv(&[&["sh", "-c", script, "sh"], &words[..]].concat()));
    contract.roles[0].workdir = Some(vec![Piece::Env("WORK".to_owned())]);
    let work = folder.0.to_str().unwrap();
    let output = run(&contract, &[("WORK", work)]);
    assert_eq!(stdout(&output), format!("{work}\n{}\0", words.join("\0")));
}

#[test]
fn shell_text_runs_under_sh_and_stops_at_the_first_fault() {
    let output = run(&alone(Run::Shell("printf '%s' \"{$TFJOB_INDEX}\"".to_owned())), &[]);
    assert_eq!(stdout(&output), "{0}");
    let output = run(&alone(Run::Shell("false; echo on".to_owned())), &[]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    let output = run(&alone(Run::Shell("echo \"$TFJOB_NO_SUCH\"; echo on".to_owned())), &[]);
    assert_eq!(stdout(&output), "\non\n");
}

#[test]
fn print_writes_what_would_run() {
    let contract = job();
    let pairs = [("TFJOB_ROLE", "evaluator"), ("TFJOB_INDEX", "0"), ("SUBMITTER", "ann")];
    let task = contract.task(&environment(&pairs)).unwrap();
    let expected = render(&contract, &task, &environment(&pairs), &mut PlaceholderMachine).unwrap();
    let folder = Folder::new();
    let path = folder.write("c", &contract.write());
    let output = shim(&environment(&pairs)).arg("--print").env("TFJOB_CONTRACT", path).output().unwrap();
    assert_eq!(stdout(&output), expected.json() + "\n");
    let value: serde_json::Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(value["argv"], serde_json::json!(["env", "-0"]));
    let config: serde_json::Value =
        serde_json::from_str(value["env"]["TF_CONFIG"].as_str().unwrap()).unwrap();
    assert_eq!(config["cluster"]["evaluator"], serde_json::json!(["evaluator-0.job.ann:2222"]));
}

#[test]
fn a_variable_carries_the_contract_as_json_or_base64() {
    let contract = alone(argv(&["echo", "here"]));
    // As `base64` prints it, and as a shell passes that on without quotes.
    let wrapped = |end: &str| {
        let carried = contract.write_base64();
        let lines = carried.as_bytes().chunks(76).map(|line| std::str::from_utf8(line).unwrap());
        lines.flat_map(|line| [line, end]).collect::<String>()
    };
    for carried in [contract.write(), contract.write_base64(), wrapped("\n"), wrapped("\r\n"), wrapped(" ")] {
        let env = environment(&[("JOB_CONTRACT", &carried)]);
        let output = shim(&env).args(["--contract-env", "JOB_CONTRACT"]).output().unwrap();
        assert_eq!(stdout(&output), "here\n");
    }
    let output = shim(&environment(&[])).args(["--contract-env", "JOB_CONTRACT"]).output().unwrap();
    fails(
        &output,
        66,
        "environment variable JOB_CONTRACT (`--contract-env`) is not set; it must contain the job contract that `tfjob compile` wrote",
    );
    let output = shim(&environment(&[])).args(["--contract-env", "A=B"]).output().unwrap();
    fails(
        &output,
        66,
        "environment variable A=B (`--contract-env`) is not set; it must contain the job contract that `tfjob compile` wrote",
    );
}

#[test]
fn the_task_is_the_same_process_with_clean_signals_and_no_files_of_ours() {
    let script = "grep SigIgn /proc/$$/status; ls /proc/$$/fd; echo $$";
    let mut contract = alone(Run::Shell(script.to_owned()));
    contract.roles[0].ports = BTreeMap::from([("web".to_owned(), 0)]);
    let folder = Folder::new();
    let path = folder.write("contract.json", &contract.write());
    let ran = |command: &mut Command| {
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let id = format!("{}\n", child.id());
        let output = child.wait_with_output().unwrap();
        stdout(&output).strip_suffix(&id).unwrap().to_owned()
    };
    let bare = ran(Command::new("sh").args(["-ec", script]).stdin(Stdio::null()));
    assert_eq!(ran(shim(&environment(&[])).arg("--contract").arg(path)), bare);
}

#[test]
fn the_end_of_the_task_is_the_end_that_the_platform_sees() {
    for code in [0, 1, 7, 42, 143] {
        let output = run(&alone(Run::Shell(format!("exit {code}"))), &[]);
        assert_eq!(output.status.code(), Some(code));
    }
    let output = run(&alone(Run::Shell("kill -9 $$".to_owned())), &[]);
    assert_eq!(output.status.signal(), Some(9));
}

#[test]
fn a_free_port_is_free_when_the_task_starts() {
    let script = "import os, socket
ports = [int(os.environ['TFJOB_PORT_' + name]) for name in ('WEB', 'DEBUG')]
for port in ports: socket.create_server(('0.0.0.0', port))
assert ports[0] != ports[1]
print('free')";
    let mut contract = alone(argv(&["python3", "-c", script]));
    contract.roles[0].ports = BTreeMap::from([("web".to_owned(), 0), ("debug".to_owned(), 0)]);
    assert_eq!(stdout(&run(&contract, &[])), "free\n");
}

/// Binds a port first thing, and ends with the number of the fault.
const BINDS: &str = "#include <arpa/inet.h>\n#include <errno.h>\n#include <stdlib.h>
int main(void) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(atoi(getenv(\"TFJOB_PORT_WEB\")))};
  return bind(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&at, sizeof at) ? errno : 0;
}
";

#[test]
fn a_free_port_is_free_for_a_program_that_binds_it_first_thing() {
    let folder = Folder::new();
    let (source, program) = (folder.write("binds.c", BINDS), folder.0.join("binds"));
    let compiled = Command::new("cc").arg("-o").arg(&program).arg(source).status();
    if skips(compiled.is_ok_and(|done| done.success()), "a C compiler") {
        return;
    }
    let mut contract = alone(argv(&[program.to_str().unwrap()]));
    contract.roles[0].ports = BTreeMap::from([("web".to_owned(), 0)]);
    // With a duty the shim stays.
    contract.duties = Some(tfjob_contract::Duties { grace: Some(9), ..Default::default() });
    let codes = (0..30).map(|_| run(&contract, &[]).status.code());
    assert_eq!(codes.filter(|code| *code != Some(0)).collect::<Vec<_>>(), []);
}

#[test]
fn tasks_of_one_machine_that_have_not_bound_their_ports_have_different_ones() {
    let mut contract = alone(Run::Shell("echo $TFJOB_PORT_WEB; sleep 600".to_owned()));
    contract.roles[0].ports = BTreeMap::from([("web".to_owned(), 0)]);
    contract.duties = Some(tfjob_contract::Duties { grace: Some(9), ..Default::default() });
    let folder = Folder::new();
    let path = folder.write("contract.json", &contract.write());
    let start = |_| {
        let mut command = shim(&environment(&[]));
        command.arg("--contract").arg(&path).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    };
    let mut children: Vec<_> = (0..20).map(start).collect();
    let mut ports: Vec<String> = Vec::new();
    for child in &mut children {
        let mut port = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.take().unwrap()), &mut port)
            .unwrap();
        ports.push(port.trim_end().to_owned());
    }
    // While a program lives, the shim keeps its number from others by this name.
    let names = std::fs::read_to_string("/proc/net/unix").unwrap();
    let kept = |port: &String| names.lines().any(|line| line.ends_with(&format!(" @tfjob-port-{port}")));
    assert!(ports.iter().all(kept), "{ports:?}");
    ports.sort();
    ports.dedup();
    assert_eq!(ports.len(), 20);
    for mut child in children {
        signal(child.id(), "TERM");
        child.wait().unwrap();
    }
}

#[test]
fn the_jobs_own_path_decides_where_the_program_is() {
    let folder = Folder::new();
    folder.program("my-program", "#!/bin/sh\necho mine\n");
    let mut contract = alone(argv(&["my-program"]));
    let path = vec![Piece::Text(format!("{}:", folder.0.display())), Piece::Env("PATH".to_owned())];
    contract.roles[0].env = vec![("PATH".to_owned(), path)];
    assert_eq!(stdout(&run(&contract, &[])), "mine\n");
}

#[test]
fn the_jars_of_a_folder_are_listed_one_by_one() {
    let folder = Folder::new();
    let home = folder.0.to_str().unwrap();
    std::fs::create_dir(folder.0.join("lib")).unwrap();
    for jar in ["lib/b.jar", "lib/a.jar", "top.jar", "readme.txt"] {
        folder.write(jar, "");
    }
    let mut contract = alone(Run::Shell("printf %s \"$CLASSPATH\"".to_owned()));
    let jars = ["lib", ".", "none"].map(str::to_owned).to_vec();
    let java = Some("/opt/java".to_owned());
    contract.hadoop = Some(Hadoop { home: home.to_owned(), java, conf: Some("/c".to_owned()), jars });
    let expected = format!("/c:{home}/lib/a.jar:{home}/lib/b.jar:{home}/./top.jar");
    assert_eq!(stdout(&run(&contract, &[])), expected);
    drop(folder);
    let home = &contract.hadoop.as_ref().unwrap().home;
    let fault = format!("no Hadoop jar files in {home}; searched lib, ., none");
    fails(&run(&contract, &[]), 71, &fault);
}
