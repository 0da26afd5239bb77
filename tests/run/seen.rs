//! Tests of the environment of the program of a task.
use crate::place::{Place, job, out, role};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Parses `export NAME='value'` lines of a script, for one-line values without quotes.
fn exported(script: &str) -> std::collections::BTreeMap<String, String> {
    let lines = script.lines().filter_map(|line| line.strip_prefix("export ")?.split_once('='));
    lines.map(|(name, value)| (name.to_owned(), value.trim_matches('\'').to_owned())).collect()
}

#[test]
fn a_task_has_the_shown_environment_except_ports_and_directories() {
    let spec = r#"job "seen" {
    framework "tensorflow" version="2.15" strategy="parameter-server"
    env { STEP "{index} of {count.worker}"; PEERS "{addresses.ps}"; OWN "{address}:{port.rendezvous}" }
    checkpoints "./ckpt"
    resources cpus=1 memory="64MiB"
    shell "env; sleep 1"
    role "chief"
    role "worker" count=2
    role "ps"
}
"#;
    let place = Place::new("seen", spec);
    let output = place.run(&[]);
    let said = out(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    for (task, file) in
        [("chief:0", "chief-0"), ("worker:0", "worker-0"), ("worker:1", "worker-1"), ("ps:0", "ps-0")]
    {
        let mut show = Command::new(env!("CARGO_BIN_EXE_tfjob"));
        let show = show.args(["show", "--target", "local", "--task", task, "a.tfjob.kdl"]);
        let shown = exported(&out(&show.current_dir(&place.0).output().unwrap()));
        let log = fs::read_to_string(place.0.join(format!(".tfjob/seen/logs/{file}.log"))).unwrap();
        let peers: serde_json::Value = serde_json::from_str(line(&log, "TFJOB_PEERS")).unwrap();
        assert!(shown.contains_key("TF_CONFIG") && shown.contains_key("STEP"), "{shown:?}");
        for (name, value) in &shown {
            assert_eq!(line(&log, name), filled(value, &peers, &place.0), "{task} {name}");
        }
        let (role, index) = task.split_once(':').unwrap();
        assert_eq!(line(&log, "OWN"), peers[role][index.parse::<usize>().unwrap()].as_str().unwrap());
    }
}

/// Returns the value of an environment variable in the output of `env`.
fn line<'l>(log: &'l str, name: &str) -> &'l str {
    let value = |line: &'l str| line.strip_prefix(name)?.strip_prefix('=');
    log.lines().find_map(value).unwrap_or_else(|| panic!("{name} is not set: {log}"))
}

/// Replaces the placeholders of `show` by the values of the run.
fn filled(shown: &str, peers: &serde_json::Value, here: &Path) -> String {
    let here = here.display().to_string();
    let mut value = shown.replace("<run>", &format!("{here}/.tfjob/seen")).replace("<here>", &here);
    for (role, tasks) in peers.as_object().unwrap() {
        for (index, task) in tasks.as_array().unwrap().iter().enumerate() {
            let port = task.as_str().unwrap().rsplit(':').next().unwrap();
            value = value.replace(&format!("<port of {role}-{index}>"), port);
        }
    }
    value
}

#[test]
fn a_shell_runs_with_a_path_that_does_not_contain_it() {
    let place = Place::new("path", &job(&role("a", "echo $PATH", "env { PATH \"/nowhere\"; }")));
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
    assert_eq!(place.log("a-0"), b"/nowhere\n");
}

/// The program of a role listens on the port to which a helper connects, regardless of the number in the spec.
#[test]
fn a_port_in_arguments_is_the_port_that_peers_connect_to() {
    let server = "import socket, sys\ns = socket.create_server(('127.0.0.1', int(sys.argv[1])))\ns.accept()[0].sendall(b'met')";
    let client = "import socket, sys, time\n\
        def met(host, port):\n    with socket.create_connection((host, int(port))) as s: return s.recv(3)\n\
        for _ in range(200):\n    \
        try: print(met(*sys.argv[1].split(':'))); time.sleep(60)\n    \
        except OSError: time.sleep(0.05)";
    for port in ["", "port \"rendezvous\" 3333;"] {
        let spec = format!(
            "job \"a\" {{\n framework \"tensorflow\" version=\"2.15\"\n resources cpus=1 memory=\"64MiB\"\n \
             role \"worker\" {{ {port} run \"python3\" \"srv.py\" \"{{port.rendezvous}}\" }}\n \
             helper \"client\" {{ run \"python3\" \"cli.py\" \"{{addresses.worker}}\" }}\n}}\n"
        );
        let place = Place::new(&format!("met-{}", port.len()), &spec);
        fs::write(place.0.join("srv.py"), server).unwrap();
        fs::write(place.0.join("cli.py"), client).unwrap();
        let output = place.run(&[]);
        assert_eq!(output.status.code(), Some(0), "{}", out(&output));
    }
}

/// Listens on the port in the argument, if there is one, and connects to each address in the environment. Exits when all tasks have
/// connected. `TFJOB_PEERS` does not count: it is the input of the shim, not of the program.
const CONNECTS: &str = "import glob, os, socket, sys, time\n\
    server = socket.create_server(('127.0.0.1', int(sys.argv[1])), backlog=99) if sys.argv[1:] else None\n\
    end = time.time() + 10\n\
    def connect(name, host, port):\n    \
    while True:\n        \
    try: return socket.create_connection((host, int(port))).close()\n        \
    except OSError:\n            \
    if time.time() > end: raise SystemExit(f'nothing listens on {name}={host}:{port}')\n            \
    time.sleep(0.05)\n\
    names = sorted(name for name in os.environ if name.startswith('TFJOB_ADDRESSES_'))\n\
    print(*names, flush=True)\n\
    for name in names:\n    \
    for address in os.environ[name].split(','):\n        \
    connect(name, *address.rsplit(':', 1))\n\
    open(f'met-{os.getpid()}', 'w').close()\n\
    while len(glob.glob('met-*')) < 4 and time.time() < end: time.sleep(0.05)\n\
    if not server: time.sleep(60)\n";

#[test]
fn a_task_listens_on_each_address_that_its_peers_and_helpers_get() {
    let spec = "job \"a\" {\n framework \"custom\"\n resources cpus=1 memory=\"64MiB\"\n \
                role \"actor\" count=2 { run \"python3\" \"a.py\" \"{port.rendezvous}\"; }\n \
                role \"learner\" { run \"python3\" \"a.py\" \"{port.rendezvous}\"; }\n \
                helper \"board\" { run \"python3\" \"a.py\"; }\n}\n";
    let place = Place::new("listens", spec);
    fs::write(place.0.join("a.py"), CONNECTS).unwrap();
    let output = place.run(&[]);
    for task in ["actor-0", "actor-1", "learner-0", "board-0"] {
        let log = String::from_utf8(place.log(task)).unwrap();
        assert_eq!(log, "TFJOB_ADDRESSES_ACTOR TFJOB_ADDRESSES_LEARNER\n", "{task}");
    }
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
}
