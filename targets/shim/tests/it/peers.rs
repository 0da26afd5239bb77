//! Duties that look at other tasks: waiting for them, ending with them, outliving them.
use crate::job::{Folder, alone, ended, environment, events, job, role, shim, until};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};
use tfjob_contract::{
    Address, After, Contract, Duties, Membership, Peers, Ready, Role, RoleDuties, Run, StrategyName, When,
};

/// No name server is asked for a label of more than 63 letters: such a name has no address, wherever this test runs.
pub const NOWHERE: &str = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";

/// A port that is free now, and that the kernel gives to nobody who asks for any.
fn free() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let base = 10_000 + u16::try_from(std::process::id() % 20_000).unwrap();
    let candidates = std::iter::repeat_with(|| base + NEXT.fetch_add(1, Ordering::Relaxed) % 2_000);
    candidates.take(2_000).find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok()).unwrap()
}

pub fn task(name: &str, kind: Membership, script: &str) -> Role {
    Role { port: free(), run: Run::Shell(script.to_owned()), env: Vec::new(), ..role(name, kind, 1) }
}

/// A job whose tasks are all on this host.
pub fn here(roles: Vec<Role>, duties: Duties) -> Contract {
    let mut contract = job();
    contract.framework.strategy = Some(StrategyName::ParameterServer);
    contract.peers = at("127.0.0.1");
    contract.roles = roles;
    contract.duties = Some(duties);
    contract
}

pub fn at(host: &str) -> Peers {
    Peers::Template(Address { host: host.to_owned(), names: [].into(), roles: [].into() })
}

pub fn go(folder: &Folder, contract: &Contract, role: &str) -> Child {
    let path = folder.write(&format!("{role}.json"), &contract.write());
    let env = environment(&[("TFJOB_ROLE", role), ("TFJOB_INDEX", "0")]);
    let mut command = shim(&env);
    command.arg("--contract").arg(path).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

pub fn done(child: Child) -> (Option<i32>, String, Output) {
    let output = child.wait_with_output().unwrap();
    (output.status.code(), ended(&output), output)
}

pub fn stop(child: &Child) {
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
}

pub fn after(role: &str, when: When) -> Option<RoleDuties> {
    Some(RoleDuties { after: vec![After { role: role.to_owned(), when }], ..RoleDuties::default() })
}

fn touched(path: &Path) -> String {
    format!("echo >{}", path.display())
}

#[test]
fn who_is_missing_for_too_long_is_named_with_a_code_of_its_own() {
    let folder = Folder::new();
    let never = folder.0.join("never");
    let roles = ["chief", "worker", "ps"].map(|name| task(name, Membership::Member, &touched(&never)));
    let mut contract = here(roles.into(), Duties { wait: Some(1), ..Duties::default() });
    contract.peers = at(NOWHERE);
    let (code, last, _) = done(go(&folder, &contract, "worker"));
    assert_eq!(code, Some(75));
    let reason = format!("no DNS record for {NOWHERE}");
    assert_eq!(
        last,
        format!(
            "tfjob-shim: worker:0: not started because peers were not ready within 1 s (`start timeout`): chief:0 ({reason}), ps:0 ({reason})"
        )
    );
    assert!(!never.exists());
}

#[test]
fn peers_that_have_an_address_are_enough_and_a_program_that_is_not_there_waits_for_nobody() {
    let folder = Folder::new();
    let roles = ["chief", "worker", "ps"].map(|name| task(name, Membership::Member, "exit 5"));
    let mut contract = here(roles.into(), Duties { wait: Some(60), ..Duties::default() });
    let (code, last, _) = done(go(&folder, &contract, "worker"));
    assert_eq!(code, Some(5), "{last}");
    contract.peers = at(NOWHERE);
    contract.roles[1].run = crate::job::argv(&["/no/such"]);
    assert_eq!(done(go(&folder, &contract, "worker")).0, Some(127));
}

/// A task that has finished has no name any more: only the first container of a task waits for it.
#[test]
fn a_container_after_the_first_waits_for_nobody_who_may_have_finished() {
    let folder = Folder::new();
    let kept = folder.0.join("kept");
    std::fs::create_dir(&kept).unwrap();
    let roles = ["chief", "worker", "ps"].map(|name| task(name, Membership::Member, "exit 5"));
    let mut contract = here(roles.into(), Duties { wait: Some(1), ..Duties::default() });
    let run = |contract: &Contract, role: &str| {
        let path = folder.write("contract.json", &contract.write());
        let kept = kept.to_str().unwrap();
        let env = environment(&[("TFJOB_ROLE", role), ("TFJOB_INDEX", "0"), ("TFJOB_KEPT", kept)]);
        shim(&env).arg("--contract").arg(path).output().unwrap().status.code()
    };
    let somewhere = std::mem::replace(&mut contract.peers, at(NOWHERE));
    assert_eq!(run(&contract, "worker"), Some(75));
    assert_eq!(run(&contract, "worker"), Some(75), "it has met nobody yet");
    contract.peers = somewhere;
    assert_eq!(run(&contract, "worker"), Some(5));
    contract.peers = at(NOWHERE);
    assert_eq!(run(&contract, "worker"), Some(5));
    assert_eq!(run(&contract, "chief"), Some(75), "who leads parameter servers needs all of them");
}

#[test]
fn a_program_whose_peers_never_listen_is_stopped_and_they_are_named() {
    let folder = Folder::new();
    let roles = ["chief", "worker", "ps"].map(|name| task(name, Membership::Member, "sleep 60"));
    let contract = here(roles.into(), Duties { wait: Some(2), grace: Some(4), ..Duties::default() });
    let ps = TcpListener::bind(("127.0.0.1", contract.roles[2].port)).unwrap();
    let child = go(&folder, &contract, "worker");
    let (code, last, output) = done(child);
    assert_eq!(code, Some(75), "{output:?}");
    let port = contract.roles[0].port;
    let who = format!("chief:0 (its program does not listen on its TF_CONFIG port, 127.0.0.1:{port})");
    let why = "stopped because peers were not ready within 2 s (`start timeout`)";
    assert_eq!(last, format!("tfjob-shim: worker:0: {why}: {who}"));
    let events = events(&output);
    let reason = |name: &str| {
        let event = events.iter().find(|event| event["event"] == name).unwrap();
        event["reason"].as_str().unwrap().to_owned()
    };
    // Before the start, only the names were resolved.
    assert!(
        reason("peers-ready").ends_with(" until all peers had addresses; starting the program"),
        "{events:?}"
    );
    assert_eq!(reason("stop"), "stopping the program: peers were not ready within `start timeout`");
    drop(ps);
}

#[test]
fn a_program_whose_peers_listen_runs_as_long_as_it_likes() {
    let folder = Folder::new();
    let roles = ["chief", "worker", "ps"].map(|name| task(name, Membership::Member, "sleep 3; exit 6"));
    let contract = here(roles.into(), Duties { wait: Some(2), ..Duties::default() });
    let open = [0, 2].map(|role: usize| TcpListener::bind(("127.0.0.1", contract.roles[role].port)).unwrap());
    let (code, last, output) = done(go(&folder, &contract, "worker"));
    assert_eq!(code, Some(6), "{last}");
    let met = events(&output).iter().filter(|event| event["event"] == "peers-ready").count();
    assert_eq!(met, 2, "by name, and then on their ports");
    drop(open);
}

/// Starts a program that fails once; chief, worker and ps listen until it has been met, and not after.
fn comes_back(role: &str, then: &str) -> (Option<i32>, String, Output) {
    let folder = Folder::new();
    let ran = folder.0.join("ran");
    let program = format!("test -e {0} || {{ touch {0}; sleep 2; exit 1; }}; {then}", ran.display());
    let roles = ["chief", "worker", "ps"].map(|name| task(name, Membership::Member, &program));
    let mut contract = here(roles.into(), Duties { wait: Some(2), grace: Some(4), ..Duties::default() });
    for role in &mut contract.roles {
        let restart = serde_json::from_str(r#"{"limit":1}"#).unwrap();
        role.duties = Some(RoleDuties { restart: Some(restart), ..RoleDuties::default() });
    }
    let others = contract.roles.iter().filter(|other| other.name != role);
    let open: Vec<_> = others.map(|role| TcpListener::bind(("127.0.0.1", role.port)).unwrap()).collect();
    let child = go(&folder, &contract, role);
    until(|| ran.exists());
    std::thread::sleep(Duration::from_millis(1500));
    drop(open);
    done(child)
}

#[test]
fn who_leads_waits_anew_at_each_start_and_who_serves_does_not() {
    let (leads, serves) = std::thread::scope(|scope| {
        let leads = scope.spawn(|| comes_back("chief", "sleep 60"));
        let serves = comes_back("ps", "sleep 4; exit 0");
        (leads.join().unwrap(), serves)
    });
    let (code, last, output) = leads;
    assert_eq!(code, Some(75), "{output:?}");
    assert!(
        last.starts_with(
            "tfjob-shim: chief:0: stopped because peers were not ready within 2 s (`start timeout`): worker:0 (its program does not listen"
        ),
        "{last}"
    );
    let (code, last, output) = serves;
    assert_eq!(code, Some(0), "{output:?}");
    assert_eq!(last, "tfjob-shim: ps:0: succeeded (attempt 2)");
}

#[test]
fn a_signal_ends_the_waiting() {
    let folder = Folder::new();
    let roles = ["chief", "worker", "ps"].map(|name| task(name, Membership::Member, "true"));
    let mut contract = here(roles.into(), Duties { wait: Some(600), ..Duties::default() });
    contract.peers = at(NOWHERE);
    let child = go(&folder, &contract, "worker");
    std::thread::sleep(Duration::from_millis(500));
    stop(&child);
    let (code, last, _) = done(child);
    assert_eq!((code, last.contains("SIGTERM while no program was running")), (Some(143), true), "{last}");
}

#[test]
fn a_task_that_waits_says_so_on_its_port_and_starts_when_the_first_listens() {
    let folder = Folder::new();
    let roles = ["chief", "worker", "ps"].map(|name| task(name, Membership::Member, "exit 0"));
    let mut contract = here(roles.into(), Duties::default());
    contract.roles[0].duties = after("ps", When::Ready);
    let child = go(&folder, &contract, "chief");
    let said = || {
        let mut said = String::new();
        let stream = std::net::TcpStream::connect(("127.0.0.1", contract.roles[0].port));
        stream
            .and_then(|mut stream| {
                stream.set_read_timeout(Some(Duration::from_secs(2)))?;
                let mut part = [0; 17];
                stream.read_exact(&mut part)?;
                said = String::from_utf8_lossy(&part).into_owned();
                Ok(())
            })
            .is_ok()
            && said == "tfjob-shim waits\n"
    };
    until(said);
    // Another shim that waits itself on that port is no server yet.
    let waiting = TcpListener::bind(("127.0.0.1", contract.roles[2].port)).unwrap();
    let begun = Instant::now();
    let (mut caller, _) = waiting.accept().unwrap();
    caller.write_all(b"tfjob-shim waits\n").unwrap();
    drop(caller);
    while begun.elapsed() < Duration::from_secs(2) {
        let (mut caller, _) = waiting.accept().unwrap();
        caller.write_all(b"tfjob-shim waits\n").unwrap();
    }
    let (mut caller, _) = waiting.accept().unwrap();
    caller.write_all(b"a server").unwrap();
    drop(caller);
    let (code, _, output) = done(child);
    assert_eq!(code, Some(0));
    let met = events(&output).into_iter().find(|event| event["event"] == "peers-ready").unwrap();
    assert!(
        met["reason"].as_str().unwrap().ends_with(" until all peers were ready; starting the program"),
        "{met}"
    );
}

#[test]
fn who_was_ready_first_must_answer_still_when_the_last_is_ready() {
    let folder = Folder::new();
    let roles = ["chief", "worker", "ps"].map(|name| task(name, Membership::Member, "exit 0"));
    let mut contract = here(roles.into(), Duties::default());
    let first = |role: &str| After { role: role.to_owned(), when: When::Ready };
    let after = vec![first("chief"), first("ps")];
    contract.roles[1].duties = Some(RoleDuties { after, ..RoleDuties::default() });
    let open = |role: usize| TcpListener::bind(("127.0.0.1", contract.roles[role].port)).unwrap();
    let early = open(0);
    let mut child = go(&folder, &contract, "worker");
    // By now it has been seen, and fails then.
    early.accept().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    drop(early);
    let late = open(2);
    late.accept().unwrap();
    std::thread::sleep(Duration::from_secs(3));
    assert!(child.try_wait().unwrap().is_none(), "the chief is down");
    let back = open(0);
    let (code, last, _) = done(child);
    assert_eq!(code, Some(0), "{last}");
    drop((late, back));
}

#[test]
fn the_port_of_a_task_that_has_waited_is_free_whoever_has_called() {
    let folder = Folder::new();
    let binds = "exec python3 -c 'import os, socket; socket.socket().bind((\"127.0.0.1\", int(os.environ[\"TFJOB_PORT_RENDEZVOUS\"])))'";
    let roles = ["chief", "worker", "ps"].map(|name| task(name, Membership::Member, binds));
    let mut contract = here(roles.into(), Duties::default());
    contract.roles[0].duties = after("ps", When::Ready);
    let child = go(&folder, &contract, "chief");
    let call = || std::net::TcpStream::connect(("127.0.0.1", contract.roles[0].port));
    until(|| call().is_ok());
    let mut callers = [call().unwrap(), call().unwrap(), call().unwrap()];
    for caller in &mut callers[1..] {
        caller.read_exact(&mut [0; 17]).unwrap();
    }
    let ps = TcpListener::bind(("127.0.0.1", contract.roles[2].port)).unwrap();
    let (code, last, output) = done(child);
    assert_eq!(code, Some(0), "{last}: {output:?}");
    drop((ps, callers));
}

#[test]
fn a_page_must_answer_well_before_its_role_is_ready() {
    let folder = Folder::new();
    let mut web = task("tensorboard", Membership::Helper, "true");
    let port = free();
    web.ports = [("web".to_owned(), port)].into();
    let ready = Ready::Http { port: "web".to_owned(), path: "/healthz".to_owned() };
    web.duties = Some(RoleDuties { ready: Some(ready), ..RoleDuties::default() });
    let mut worker = task("worker", Membership::Member, "exit 0");
    worker.duties = after("tensorboard", When::Ready);
    let contract = here(
        vec![task("chief", Membership::Member, "true"), task("ps", Membership::Member, "true"), worker, web],
        Duties::default(),
    );
    let server = TcpListener::bind(("127.0.0.1", port)).unwrap();
    let child = go(&folder, &contract, "worker");
    for answer in ["HTTP/1.1 503 Busy\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"] {
        let (mut caller, _) = server.accept().unwrap();
        let mut asked = [0; 256];
        let length = caller.read(&mut asked).unwrap();
        assert!(asked[..length].starts_with(b"GET /healthz HTTP/1.0\r\nHost: 127.0.0.1\r\n"));
        // A model server may compute something first.
        std::thread::sleep(Duration::from_millis(2500));
        caller.write_all(answer.as_bytes()).unwrap();
    }
    assert_eq!(done(child).0, Some(0));
}

#[test]
fn a_task_that_is_held_stays_after_success_and_not_after_failure() {
    let folder = Folder::new();
    let ran = folder.0.join("ran");
    let mut contract = alone(Run::Shell(touched(&ran)));
    contract.duties = Some(Duties { hold: true, ..Duties::default() });
    let child = go(&folder, &contract, "worker");
    until(|| ran.exists());
    std::thread::sleep(Duration::from_millis(400));
    assert!(Path::new(&format!("/proc/{}/exe", child.id())).exists());
    stop(&child);
    assert_eq!(done(child).0, Some(0));
    contract.roles[0].run = Run::Shell("exit 3".to_owned());
    assert_eq!(done(go(&folder, &contract, "worker")).0, Some(3));
}

#[test]
fn what_cannot_be_seen_from_here_is_refused() {
    let folder = Folder::new();
    let mut contract = alone(Run::Shell("true".to_owned()));
    contract.roles[0].duties = after("worker", When::Done);
    let (code, last, _) = done(go(&folder, &contract, "worker"));
    assert_eq!(code, Some(65));
    let pointer = "/roles/0/duties/after/0";
    assert_eq!(
        last,
        format!(
            "tfjob-shim: the job contract requires `after` with `when=\"done\"` (at {pointer}), but this tfjob-shim does not support it; use the tfjob-shim of the tfjob release that compiled the job"
        )
    );
}
