//! Small jobs, and the shim started in an environment of which every variable is known.
use crate::executable;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use tfjob_contract::{
    Address, Contract, Framework, FrameworkName, Membership, NEWEST, Peers, Piece, Role, Run, Source,
    StrategyName, Value,
};

pub const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

pub fn text(text: &str) -> Value {
    vec![Piece::Text(text.to_owned())]
}

pub fn argv(words: &[&str]) -> Run {
    Run::Argv(words.iter().map(|word| text(word)).collect())
}

pub fn role(name: &str, kind: Membership, count: u32) -> Role {
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
        duties: None,
    }
}

/// Chief, two workers, a ps, an evaluator and a helper; each prints its environment.
pub fn job() -> Contract {
    Contract {
        version: NEWEST,
        job: "job".to_owned(),
        framework: Framework {
            name: FrameworkName::Tensorflow,
            strategy: Some(StrategyName::ParameterServer),
        },
        role: Source::Env("TFJOB_ROLE".to_owned()),
        index: Source::Env("TFJOB_INDEX".to_owned()),
        peers: Peers::Template(Address {
            host: "{role}-{index}.job.{USER}".to_owned(),
            names: BTreeMap::from([("USER".to_owned(), Source::Env("SUBMITTER".to_owned()))]),
            roles: BTreeMap::new(),
        }),
        hadoop: None,
        roles: vec![
            role("chief", Membership::Member, 1),
            role("worker", Membership::Member, 2),
            Role { gpus: Some(0), ..role("ps", Membership::Member, 1) },
            role("evaluator", Membership::Evaluator, 1),
            role("tensorboard", Membership::Helper, 1),
        ],
        duties: None,
    }
}

/// A job of one worker that runs this.
pub fn alone(run: Run) -> Contract {
    let roles = vec![Role { run, env: Vec::new(), ..role("worker", Membership::Member, 1) }];
    let [role, index] = ["worker", "0"].map(|known| Source::Is(known.to_owned()));
    Contract { role, index, peers: Peers::Alone, roles, ..job() }
}

/// A folder of one test, gone with it.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("tfjob-shim-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder.canonicalize().unwrap())
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// A program.
    pub fn program(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        executable::write(&path, text);
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn shim(env: &BTreeMap<String, String>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tfjob-shim"));
    command.env_clear().envs(env).stdin(Stdio::null());
    command
}

pub fn environment(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    let pairs = pairs.iter().chain(&[("PATH", PATH)]);
    pairs.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// Runs a contract by its file, in this environment.
pub fn run(contract: &Contract, pairs: &[(&str, &str)]) -> Output {
    let folder = Folder::new();
    let path = folder.write("contract.json", &contract.write());
    shim(&environment(pairs)).arg("--contract").arg(path).output().unwrap()
}

pub fn stdout(output: &Output) -> &str {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    std::str::from_utf8(&output.stdout).unwrap()
}

#[track_caller]
pub fn fails(output: &Output, code: i32, sentence: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), stderr.as_ref()), (Some(code), &*format!("tfjob-shim: {sentence}\n")));
}

/// The last line of a supervised task.
pub fn ended(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default().to_owned()
}

/// Its events.
pub fn events(output: &Output) -> Vec<serde_json::Value> {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Sends a signal to a process.
pub fn signal(pid: u32, name: &str) {
    assert!(Command::new("kill").args([&format!("-{name}"), &pid.to_string()]).status().unwrap().success());
}

/// Waits for what happens soon.
#[track_caller]
pub fn until(happened: impl Fn() -> bool) {
    let begun = std::time::Instant::now();
    while !happened() {
        assert!(begun.elapsed().as_secs() < 30, "it did not happen");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

/// The processes whose arguments hold these words.
pub fn with_arguments(words: &str) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
        let arguments = std::fs::read(entry.path().join("cmdline")).ok()?;
        let held = String::from_utf8_lossy(&arguments).replace('\0', " ").contains(words);
        held.then(|| entry.file_name().to_str()?.parse().ok()).flatten()
    });
    processes.collect()
}
