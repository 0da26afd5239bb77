//! What is refused before anything runs and before anybody is waited for.
use crate::able::skips;
use crate::job::{Folder, alone, ended, environment, events, job, role, run, shim};
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use tfjob_contract::{Address, Checkpoints, Contract, Duties, Membership, Peers, Role, Run};

fn watching(path: &str) -> Option<Duties> {
    let checkpoints = Some(Checkpoints { path: path.to_owned(), every: None, fail_if_exists: false });
    Some(Duties { checkpoints, wait: Some(60), ..Duties::default() })
}

/// Chief and worker on one host; the worker has no address, so that who waits for it waits long.
fn meeting(port: u16, folder: &str) -> Contract {
    let mut contract = job();
    let run = |name| Role {
        port,
        run: Run::Shell("touch ran".to_owned()),
        env: Vec::new(),
        ..role(name, Membership::Member, 1)
    };
    contract.roles = ["chief", "worker", "ps"].map(run).into();
    let host = "x".repeat(70);
    contract.peers = Peers::Template(Address { host, names: [].into(), roles: [].into() });
    contract.duties = watching(folder);
    contract
}

#[test]
fn every_fault_is_named_at_once_and_the_first_gives_the_code() {
    let folder = Folder::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let file = folder.write("file", "");
    let contract = meeting(port, file.to_str().unwrap());
    let pairs = [("TFJOB_ROLE", "chief"), ("TFJOB_INDEX", "0")];
    let begun = std::time::Instant::now();
    let mut missing = contract.clone();
    missing.roles[0].run = Run::Argv(vec![crate::job::text("/no/such")]);
    // Each of them waits for the port.
    let (output, none, worker) = std::thread::scope(|scope| {
        let leads = scope.spawn(|| run(&contract, &pairs));
        let none = scope.spawn(|| run(&missing, &pairs));
        let worker = run(&contract, &[("TFJOB_ROLE", "worker"), pairs[1]]);
        (leads.join().unwrap(), none.join().unwrap(), worker)
    });
    assert!(begun.elapsed().as_secs() < 30, "nobody is waited for");
    let folder_fault = format!("cannot write checkpoints to {}: File exists (os error 17)", file.display());
    let port_fault = format!(
        "port {port} (`rendezvous`), to which the peers of this task connect, is already in use on this host"
    );
    assert_eq!(ended(&output), format!("tfjob-shim: {folder_fault}; {port_fault}"));
    assert_eq!(output.status.code(), Some(77));
    let refused: Vec<serde_json::Value> = events(&output);
    let refused: Vec<&str> = refused.iter().map(|event| event["reason"].as_str().unwrap()).collect();
    assert_eq!(refused, [folder_fault, port_fault.clone()]);
    assert_eq!(none.status.code(), Some(127));
    assert!(
        ended(&none).starts_with("tfjob-shim: program /no/such does not exist; cannot write checkpoints")
    );
    // A task that does not lead does not write.
    assert_eq!((worker.status.code(), ended(&worker)), (Some(76), format!("tfjob-shim: {port_fault}")));
}

#[test]
fn a_folder_that_may_not_be_written_is_refused_and_one_that_is_missing_is_made() {
    let folder = Folder::new();
    let path = folder.0.join("a/b");
    let mut contract = alone(Run::Shell(format!("test -d {}", path.display())));
    contract.duties = watching(path.to_str().unwrap());
    let output = run(&contract, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", ended(&output));
    let said = events(&output).into_iter().find(|event| event["event"] == "preflight").unwrap();
    assert_eq!(
        said["reason"],
        format!("{}: the checkpoint directory did not exist and was created", path.display())
    );
    assert_eq!(std::fs::read_dir(&path).unwrap().count(), 0);
    // Nobody may write into /proc, whoever he is.
    contract.duties = watching("/proc/tfjob");
    let output = run(&contract, &[]);
    assert_eq!(output.status.code(), Some(77));
    assert!(ended(&output).contains("cannot write checkpoints to /proc/tfjob: "), "{}", ended(&output));
}

/// Listens on any port, which others may listen on too or not, and says which.
const LISTENS: &str = "import socket, sys
s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, int(sys.argv[1]))
s.bind(('127.0.0.1', 0)); s.listen(); print(s.getsockname()[1], flush=True); sys.stdin.read()";

#[test]
fn a_declared_port_on_which_a_stranger_listens_is_refused() {
    let folder = Folder::new();
    for (shared, ready, count, code) in
        [("0", true, 1, 76), ("0", false, 1, 0), ("0", true, 2, 76), ("0", false, 2, 0), ("1", true, 1, 0)]
    {
        let mut stranger = Command::new("python3");
        stranger.args(["-c", LISTENS, shared]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut stranger = stranger.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(stranger.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let mut contract = alone(Run::Shell("true".to_owned()));
        let role = &mut contract.roles[0];
        (role.count, role.kind) = (count, tfjob_contract::Membership::Helper);
        role.ports = [("web".to_owned(), line.trim().parse().unwrap())].into();
        let said = code == 76 || (shared, ready, count) == ("0", false, 1);
        let ready = ready.then(|| tfjob_contract::Ready::Tcp("web".to_owned()));
        role.duties = Some(tfjob_contract::RoleDuties { ready, ..Default::default() });
        contract.duties = Some(Duties { grace: Some(9), ..Duties::default() });
        let path = folder.write("c", &contract.write());
        let output = shim(&environment(&[])).arg("--contract").arg(path).output().unwrap();
        stranger.kill().unwrap();
        stranger.wait().unwrap();
        let last = ended(&output);
        assert_eq!(output.status.code(), Some(code), "{shared} {count}: {last}");
        let told = format!("port {} (`web` of this task) is already in use on this host", line.trim());
        assert_eq!(last.contains(&told), code == 76, "{last}");
        let event =
            |event: &serde_json::Value| event["reason"].as_str().is_some_and(|why| why.starts_with(&told));
        assert_eq!(events(&output).iter().any(event), said, "{last}");
    }
}

#[test]
fn ports_that_are_only_told_of_delay_nothing_and_are_all_named() {
    let strangers = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let numbers = strangers.each_ref().map(|stranger| stranger.local_addr().unwrap().port());
    let mut contract = alone(Run::Shell("true".to_owned()));
    let role = &mut contract.roles[0];
    role.kind = Membership::Helper;
    role.ports = [("metrics".to_owned(), numbers[0]), ("web".to_owned(), numbers[1])].into();
    contract.duties = Some(Duties { grace: Some(9), ..Duties::default() });
    let begun = std::time::Instant::now();
    let output = run(&contract, &[]);
    assert!(begun.elapsed().as_secs() < 4, "{:?}", begun.elapsed());
    assert_eq!(output.status.code(), Some(0), "{}", ended(&output));
    let told: Vec<_> = events(&output).into_iter().filter(|event| event["event"] == "preflight").collect();
    let told: Vec<&str> = told.iter().filter_map(|event| event["reason"].as_str()).collect();
    let expected = [("metrics", numbers[0]), ("web", numbers[1])]
        .map(|(name, port)| format!("port {port} (`{name}` of this task) is already in use on this host; the program is started anyway"));
    assert_eq!(told, expected);
}

#[test]
fn a_full_disk_is_refused_and_a_small_one_is_said() {
    let folder = Folder::new();
    let mount = folder.0.join("small");
    std::fs::create_dir(&mount).unwrap();
    let mut contract = alone(Run::Shell("true".to_owned()));
    contract.duties = watching(mount.to_str().unwrap());
    let path = folder.write("c", &contract.write());
    let inside = |before: &str| {
        let script =
            format!("mount -t tmpfs -o size=1m none {0} && {{ {before}; }} && exec \"$@\"", mount.display());
        let mut command = Command::new("unshare");
        command.env_clear().envs(environment(&[])).args(["-rm", "sh", "-c", &script, "sh"]);
        command.arg(shim(&environment(&[])).get_program()).arg("--contract").arg(&path).output().unwrap()
    };
    let output = inside("true");
    if skips(String::from_utf8_lossy(&output.stderr).contains("\"event\""), "mount of a tmpfs") {
        return;
    }
    let said = events(&output).into_iter().find(|event| event["event"] == "preflight").unwrap();
    assert_eq!(said["reason"], format!("{}: only 1 MiB of 1 MiB free", mount.display()));
    let fill = format!("dd if=/dev/zero of={}/fill bs=1k 2>/dev/null || true", mount.display());
    let output = inside(&fill);
    assert_eq!(output.status.code(), Some(74), "{}", ended(&output));
    assert!(ended(&output).contains("no space left for checkpoints in "), "{}", ended(&output));
}

#[test]
fn a_relative_directory_is_that_of_the_start_wherever_the_program_runs() {
    let folder = Folder::new();
    for name in ["src", "ck", "data"] {
        std::fs::create_dir(folder.0.join(name)).unwrap();
    }
    folder.write("data/x", "");
    let mut contract = alone(Run::Shell("pwd".to_owned()));
    contract.roles[0].workdir = Some(crate::job::text(folder.0.join("src").to_str().unwrap()));
    let reads = vec!["./data".to_owned()];
    contract.roles[0].duties = Some(tfjob_contract::RoleDuties { reads, ..Default::default() });
    contract.duties = watching("./ck");
    let go = |contract: &Contract| {
        let path = folder.write("c", &contract.write());
        let mut command = shim(&environment(&[]));
        command.arg("--contract").arg(path).current_dir(&folder.0).output().unwrap()
    };
    let output = go(&contract);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), folder.0.join("src").to_str().unwrap());
    assert_eq!(std::fs::read_dir(folder.0.join("src")).unwrap().count(), 0);
    assert!(events(&output).iter().all(|event| event["event"] != "preflight"), "{output:?}");
    folder.write("ck/state", "of another job");
    contract.duties.as_mut().unwrap().checkpoints.as_mut().unwrap().fail_if_exists = true;
    assert_eq!(go(&contract).status.code(), Some(73));
}
