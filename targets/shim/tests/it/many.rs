//! Looks at many tasks, of which each may be slow: no round is longer for them.
use crate::able::skips;
use crate::job::{Folder, argv, ended, environment, events, job, role, shim};
use std::net::TcpListener;
use std::process::{Command, Output};
use std::time::{Duration, Instant};
use tfjob_contract::{
    Address, After, Contract, Duties, Framework, FrameworkName, Membership, Peers, Ready, RoleDuties, When,
};

/// How many tasks a worker looks at.
const MANY: u32 = 200;

/// A worker that starts after the tasks of `ps`, each of which has a host of its own and this port.
fn after(host: &str, count: u32, port: u16, wait: u64) -> Contract {
    let mut contract = job();
    contract.framework = Framework { name: FrameworkName::Custom, strategy: None };
    contract.peers = Peers::Template(Address { host: host.to_owned(), names: [].into(), roles: [].into() });
    let mut worker = role("worker", Membership::Member, 1);
    worker.run = argv(&["true"]);
    worker.duties = Some(RoleDuties {
        after: vec![After { role: "ps".to_owned(), when: When::Ready }],
        ..RoleDuties::default()
    });
    let mut ps = role("ps", Membership::Member, count);
    ps.ports = [("web".to_owned(), port)].into();
    ps.duties = Some(RoleDuties { ready: Some(Ready::Tcp("web".to_owned())), ..RoleDuties::default() });
    contract.roles = vec![worker, ps];
    contract.duties = Some(Duties { wait: Some(wait), ..Duties::default() });
    contract
}

/// Runs the worker, and says how long that took.
fn timed(contract: &Contract) -> (Output, Duration) {
    let folder = Folder::new();
    let path = folder.write("c", &contract.write());
    let env = environment(&[("TFJOB_ROLE", "worker"), ("TFJOB_INDEX", "0")]);
    let begun = Instant::now();
    let output = shim(&env).arg("--contract").arg(path).output().unwrap();
    (output, begun.elapsed())
}

#[test]
fn many_that_wait_for_the_first_word_of_a_client_are_met_in_one_round() {
    let listener = TcpListener::bind("0.0.0.0:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || listener.incoming().collect::<Vec<_>>());
    // The whole round is longer than this, and nobody is given up whom it has not reached.
    let (output, took) = timed(&after("127.0.5.{index}", MANY, port, 1));
    assert_eq!(output.status.code(), Some(0), "{}", ended(&output));
    assert!(took < Duration::from_secs(10), "{took:?}");
}

/// A port that lets nobody in and turns nobody away: its queue is full.
const FULL: &str = r#"
import socket, sys
server = socket.create_server(("0.0.0.0", 0), backlog=0)
port = server.getsockname()[1]
callers = [socket.socket() for _ in range(4)]
for caller in callers:
    caller.setblocking(False)
    caller.connect_ex(("127.0.0.1", port))
print(port, flush=True)
sys.stdin.read()
"#;

#[test]
fn many_that_drop_packets_are_given_up_soon_after_the_time() {
    let mut server = Command::new("python3");
    server.args(["-c", FULL]).stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut server = server.spawn().unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(server.stdout.take().unwrap()), &mut line)
        .unwrap();
    let (output, took) = timed(&after("127.0.6.{index}", MANY, line.trim().parse().unwrap(), 3));
    server.kill().unwrap();
    server.wait().unwrap();
    assert_eq!(output.status.code(), Some(75), "{}", ended(&output));
    assert!(took < Duration::from_secs(13), "{took:?}");
    let last = ended(&output);
    assert!(last.ends_with(" does not answer) and 197 more"), "{last}");
    assert!(!last.contains("not probed yet"), "{last}");
}

/// A name server which answers at once, and for one name after 4 seconds.
const SLOW: &str = r#"
import socket, threading, time
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 53))
def answer(asked, caller):
    if b"ps-3" in asked:
        time.sleep(4)
    end = asked.index(b"\0", 12) + 5
    four = asked[end - 4:end - 2] == b"\0\1"
    head = asked[:2] + b"\x81\x80\0\1" + (b"\0\1" if four else b"\0\0") + b"\0\0\0\0" + asked[12:end]
    found = b"\xc0\x0c\0\1\0\1\0\0\0\x05\0\4\x7f\0\0\1" if four else b""
    server.sendto(head + found, caller)
while True:
    threading.Thread(target=answer, args=server.recvfrom(512), daemon=True).start()
"#;

#[test]
fn a_name_whose_server_is_slow_holds_up_no_other() {
    let folder = Folder::new();
    let resolv = folder.write("resolv.conf", "nameserver 127.0.0.1\n");
    let server = folder.write("server.py", SLOW);
    let contract = folder.write("c", &after("{role}-{index}.job.example", 8, 9, 2).write());
    let script = format!(
        "PATH=$PATH:/sbin:/usr/sbin; ip link set lo up && mount --bind {} /etc/resolv.conf && {{ python3 {} & sleep 1; }} && {} --contract {}; code=$?; kill %1; exit $code",
        resolv.display(),
        server.display(),
        env!("CARGO_BIN_EXE_tfjob-shim"),
        contract.display()
    );
    let env = environment(&[("TFJOB_ROLE", "worker"), ("TFJOB_INDEX", "0")]);
    let mut command = Command::new("unshare");
    command.env_clear().envs(env).args(["-rmn", "bash", "-c", &script]);
    let begun = Instant::now();
    let output = command.output().unwrap();
    if skips(output.status.code() == Some(75), "namespaces with a name server of their own") {
        return;
    }
    // The slow name is looked at after the time, once, and the others are not looked up again and again for it.
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    let last = ended(&output);
    assert!(last.contains("ps:0 (ps-0.job.example:9 does not answer)"), "{last}");
    assert!(!last.contains("not probed yet"), "{last}");
    let said = events(&output);
    assert!(said.iter().any(|event| event["event"] == "peers-missing"), "{last}");
    // The first line of who is missing says of the others what was seen of them.
    let waiting = said.iter().find(|event| event["event"] == "waiting").unwrap();
    assert!(
        waiting["reason"].as_str().unwrap().contains("ps:0 (ps-0.job.example:9 does not answer)"),
        "{waiting}"
    );
}
