//! The built shim as a platform starts it: what the task sees is what `render` says.
#![expect(clippy::unwrap_used, reason = "what a helper of a test cannot do fails the test")]
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use tfjob_contract::{
    Address, Contract, Family, Framework, Hadoop, NEWEST, Peers, Piece, Role, RoleKind, Run, Shown, Source,
    Strategy, Value, render,
};

const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

fn text(text: &str) -> Value {
    vec![Piece::Text(text.to_owned())]
}

fn argv(words: &[&str]) -> Run {
    Run::Argv(words.iter().map(|word| text(word)).collect())
}

fn role(name: &str, kind: RoleKind, count: u32) -> Role {
    Role {
        name: name.to_owned(),
        kind,
        count,
        port: 2222,
        gpus: None,
        run: argv(&["env", "-0"]),
        workdir: None,
        env: vec![("LEVEL".to_owned(), text("a \"b\" $HOME {{x}} `id` \\ ü\n"))],
        ports: BTreeMap::new(),
    }
}

/// Chief, two workers, a ps, an evaluator and a helper; each prints its environment.
fn job() -> Contract {
    Contract {
        version: NEWEST,
        job: "job".to_owned(),
        framework: Framework { name: Family::Tensorflow, strategy: Some(Strategy::ParameterServer) },
        role: Source::Env("TFJOB_ROLE".to_owned()),
        index: Source::Env("TFJOB_INDEX".to_owned()),
        peers: Peers::Template(Address {
            host: "{role}-{index}.job.{USER}".to_owned(),
            names: BTreeMap::from([("USER".to_owned(), Source::Env("SUBMITTER".to_owned()))]),
            roles: BTreeMap::new(),
        }),
        hadoop: None,
        roles: vec![
            role("chief", RoleKind::Member, 1),
            role("worker", RoleKind::Member, 2),
            Role { gpus: Some(0), ..role("ps", RoleKind::Member, 1) },
            role("evaluator", RoleKind::Evaluator, 1),
            role("tensorboard", RoleKind::Helper, 1),
        ],
    }
}

/// A job of one worker that runs this.
fn alone(run: Run) -> Contract {
    let roles = vec![Role { run, env: Vec::new(), ..role("worker", RoleKind::Member, 1) }];
    let [role, index] = ["worker", "0"].map(|known| Source::Is(known.to_owned()));
    Contract { role, index, peers: Peers::Alone, roles, ..job() }
}

/// A folder of one test, gone with it.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("tfjob-shim-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder.canonicalize().unwrap())
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn shim(env: &BTreeMap<String, String>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tfjob-shim"));
    command.env_clear().envs(env).stdin(Stdio::null());
    command
}

fn environment(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    let pairs = pairs.iter().chain(&[("PATH", PATH)]);
    pairs.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// Runs a contract by its file, in this environment.
fn run(contract: &Contract, pairs: &[(&str, &str)]) -> Output {
    let folder = Folder::new();
    let path = folder.write("contract.json", &contract.write());
    shim(&environment(pairs)).arg("--contract").arg(path).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    std::str::from_utf8(&output.stdout).unwrap()
}

#[track_caller]
fn fails(output: &Output, code: i32, sentence: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), stderr.as_ref()), (Some(code), &*format!("tfjob-shim: {sentence}\n")));
}

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
        let rendered = render(&contract, &task, &expected, &mut Shown).unwrap();
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
    let output = run(&alone(Run::Shell("echo $TFJOB_NO_SUCH; echo on".to_owned())), &[]);
    assert!(!output.status.success() && output.stdout.is_empty());
}

#[test]
fn print_writes_what_would_run() {
    let contract = job();
    let pairs = [("TFJOB_ROLE", "evaluator"), ("TFJOB_INDEX", "0"), ("SUBMITTER", "ann")];
    let task = contract.task(&environment(&pairs)).unwrap();
    let expected = render(&contract, &task, &environment(&pairs), &mut Shown).unwrap();
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
    for carried in [contract.write(), contract.write_carried()] {
        let env = environment(&[("JOB_CONTRACT", &carried)]);
        let output = shim(&env).args(["--contract-env", "JOB_CONTRACT"]).output().unwrap();
        assert_eq!(stdout(&output), "here\n");
    }
    let output = shim(&environment(&[])).args(["--contract-env", "JOB_CONTRACT"]).output().unwrap();
    fails(&output, 66, "the platform did not set the variable JOB_CONTRACT, which holds the contract");
    let output = shim(&environment(&[])).args(["--contract-env", "A=B"]).output().unwrap();
    fails(&output, 66, "the platform did not set the variable A=B, which holds the contract");
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
    let bare = ran(Command::new("sh").args(["-euc", script]).stdin(Stdio::null()));
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

#[test]
fn the_jobs_own_path_decides_where_the_program_is() {
    let folder = Folder::new();
    let program = folder.write("my-program", "#!/bin/sh\necho mine\n");
    Command::new("chmod").arg("+x").arg(&program).status().unwrap();
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
    let fault = format!("there is no jar of Hadoop in {}", contract.hadoop.as_ref().unwrap().home);
    fails(&run(&contract, &[]), 71, &fault);
}

#[test]
fn a_program_that_does_not_start_says_why() {
    let folder = Folder::new();
    let plain = folder.write("plain", "#!/bin/sh\n");
    let plain = plain.to_str().unwrap();
    fails(
        &run(&alone(argv(&[plain])), &[]),
        126,
        &format!("the program {plain} cannot be started: Permission denied (os error 13)"),
    );
    let lost = folder.write("lost", "#!/no/such/python\n");
    Command::new("chmod").arg("+x").arg(&lost).status().unwrap();
    let lost = lost.to_str().unwrap();
    fails(
        &run(&alone(argv(&[lost])), &[]),
        127,
        &format!(
            "the program {lost} is there, but not what it needs to start: the interpreter in its first line, or its loader"
        ),
    );
    fails(&run(&alone(argv(&["/no/such"])), &[]), 127, "the program /no/such is not there");
    fails(
        &run(&alone(argv(&["no-such-program"])), &[]),
        127,
        "the program `no-such-program` is in none of the folders of PATH",
    );
    let mut contract = alone(argv(&["true"]));
    contract.roles[0].workdir = Some(text("/no/such"));
    fails(
        &run(&contract, &[]),
        126,
        "the working folder /no/such cannot be entered: No such file or directory (os error 2)",
    );
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
        "the program true cannot be started: its words and variables are too long together",
    );
}

#[test]
fn what_is_no_contract_is_refused_before_anything_runs() {
    let folder = Folder::new();
    let read = |text: &str| {
        let path = folder.write("c", text);
        shim(&environment(&[])).arg("--contract").arg(path).output().unwrap()
    };
    fails(
        &read(r#"{"version":2}"#),
        65,
        "the contract has version 2 and this shim reads up to 1: the shim is old, and the job needs one that came with the tfjob that compiled it",
    );
    fails(&read(&" ".repeat(3 << 20)), 65, "the contract is 1048577 bytes long; at most 1048576 are read");
    let mut nobody = alone(argv(&["touch", "/tmp/never"]));
    nobody.roles.clear();
    fails(&read(&nobody.write()), 65, "the contract is wrong: it has no role");
    let output = shim(&environment(&[])).args(["--contract", "/"]).output().unwrap();
    fails(&output, 65, "the contract / cannot be read: Is a directory (os error 21)");
    let output = shim(&environment(&[])).args(["--contract", "/no/such"]).output().unwrap();
    fails(&output, 65, "the contract /no/such cannot be read: No such file or directory (os error 2)");
    let output = shim(&environment(&[])).output().unwrap();
    fails(
        &output,
        64,
        "no contract: neither --contract, --contract-env nor the variable TFJOB_CONTRACT names one",
    );
    fails(
        &shim(&environment(&[])).arg("python\n").output().unwrap(),
        64,
        "`python ` is no option; --help lists them",
    );
}

#[test]
fn what_the_platform_did_not_set_is_named() {
    fails(&run(&job(), &[]), 66, "the platform did not set the variable TFJOB_ROLE");
    let task = [("TFJOB_ROLE", "worker"), ("TFJOB_INDEX", "2"), ("SUBMITTER", "ann")];
    fails(
        &run(&job(), &task),
        66,
        "the platform says that this is task 2 of role `worker`, which has 2, counted from 0",
    );
    fails(
        &run(&job(), &[task[0], ("TFJOB_INDEX", "0")]),
        66,
        "the platform did not set the variable SUBMITTER",
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
    fails(&output, 66, "the variable ODD is not UTF-8");
}

#[test]
fn help_and_version_are_answers() {
    let help = shim(&environment(&[])).arg("--help").output().unwrap();
    assert!(stdout(&help).contains("--contract-env NAME"));
    let version = shim(&environment(&[])).arg("--version").output().unwrap();
    assert_eq!(stdout(&version), format!("tfjob-shim {}\n", env!("CARGO_PKG_VERSION")));
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = shim(&environment(&[])).arg("--help").stdout(full).output().unwrap();
    fails(&output, 71, "the answer cannot be written: No space left on device (os error 28)");
}
